/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event.h"
#include "src/base/error.h"
#include "src/trace/event.h"

#include <string.h>

#define US_DECIMALS 3

/* -- times ------------------------------------------------------------------------------------------- */

/* @n decimal digits, 1 to 8, at @p, where 8 bytes can be read. FALSE: there are others. */
static inline gboolean
read_digits (const char *p, gsize n, gint64 *value)
{
  const guint64 zeros = G_GUINT64_CONSTANT (0x3030303030303030);
  guint64 word;

  memcpy (&word, p, sizeof word);
  word = GUINT64_FROM_LE (word);
  /* The first digit becomes the lowest byte that is none of the zeros before it. */
  if (n < 8)
    word = word << (64 - 8 * n) | zeros >> 8 * n;
  if ((word & G_GUINT64_CONSTANT (0xf0f0f0f0f0f0f0f0)) != zeros ||
      ((word + G_GUINT64_CONSTANT (0x0606060606060606)) & G_GUINT64_CONSTANT (0xf0f0f0f0f0f0f0f0)) != zeros)
    return FALSE;
  word -= zeros;
  word = (word * 10 + (word >> 8)) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word * 100 + (word >> 16)) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  word = (word * 10000 + (word >> 32)) & G_GUINT64_CONSTANT (0x00000000ffffffff);
  *value = (gint64) word;
  return TRUE;
}

/* What nearly all times look like: up to 14 digits, or as many, a point and 3 more. @text: of a record that a scanner holds,
 * so that some bytes behind it can be read. */
static inline gboolean
simple_us (TtSlice text, gint64 *ns)
{
  const char *p = text.bytes;
  gboolean has_point = text.len > 4 && p[text.len - 4] == '.';
  gsize n = has_point ? text.len - 4 : text.len;
  gint64 high = 0, low, decimals = 0;

  if (n == 0 || n > 14 || (n > 8 && !read_digits (p, n - 8, &high)) ||
      !read_digits (n > 8 ? p + n - 8 : p, MIN (n, 8), &low) || (has_point && !read_digits (p + n + 1, 3, &decimals)))
    return FALSE;
  *ns = (high * 100000000 + low) * 1000 + decimals;
  return TRUE;
}

/* @n decimal digits, 1 to 8, at @p, where 8 bytes can be read. */
static inline gint64
known_digits (const char *p, gsize n)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  /* The first digit becomes the lowest byte that is no zero put before it. */
  word = GUINT64_FROM_LE (word) << (64 - 8 * n) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  word = (word * 10 + (word >> 8)) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word * 100 + (word >> 16)) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (gint64) ((word * 10000 + (word >> 32)) & G_GUINT64_CONSTANT (0x00000000ffffffff));
}

/* A number of which the scanner has told that @n_digits are before the point, if it has three after that or none. */
static inline gboolean
known_us (TtSlice text, gsize n_digits, gint64 *ns)
{
  const char *p = text.bytes, *point = p + n_digits;
  gint64 us, decimals = 0;

  if (text.len == n_digits + 4)
    decimals = (point[1] - '0') * 100 + (point[2] - '0') * 10 + (point[3] - '0');
  else if (text.len != n_digits)
    return FALSE;
  if (n_digits <= 8)
    us = known_digits (p, n_digits);
  else
    us = known_digits (p, n_digits - 8) * 100000000 + known_digits (point - 8, 8);
  if (G_UNLIKELY (n_digits > 14))
    return FALSE;
  *ns = us * 1000 + decimals;
  return TRUE;
}

/* Whether the text of a time that is no gint64 is a number all the same. */
static gboolean
is_number_text (TtSlice text)
{
  const char *p = text.bytes, *end = p + text.len;

  while (p < end && (g_ascii_isspace (*p) || *p == '-' || *p == '+'))
    p++;
  return p < end && (g_ascii_isdigit (*p) || *p == '.');
}

typedef struct
{
  const TtJsonValue *value;
  guint n_digits; /* before its point; 0: not known */
  const char *key;
  guint64 offset; /* of the event */
} TimeField;

/* As read_time(). */
static G_GNUC_NO_INLINE gboolean
read_odd_time (const TtEventFields *self, const TimeField *field, gint64 *ns, gboolean *has, GError **error)
{
  const TtJsonValue *value = field->value;
  gboolean is_inexact = FALSE;

  *has = TRUE;
  if (value->kind == TT_JSON_NUMBER && simple_us (value->raw, ns))
    return TRUE;
  *ns = 0;
  if (value->kind != TT_JSON_NUMBER && value->kind != TT_JSON_STRING)
    {
      *has = FALSE;
      return TRUE;
    }
  if (tt_json_decimal (value, US_DECIMALS, ns, &is_inexact) && *ns != TT_NO_TIME)
    {
      if (is_inexact)
        tt_repairs_add (self->repairs, TT_REPAIR_INEXACT_TIME, field->offset);
      return TRUE;
    }
  *ns = 0;
  *has = is_number_text (value->raw);
  if (!*has || self->is_lenient)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: event at byte %" G_GUINT64_FORMAT ": %s %.*s is beyond what a time can be", self->path,
               field->offset, field->key, (int) MIN (value->raw.len, 40), value->raw.bytes);
  return FALSE;
}

/* FALSE with @error: a number that is too large. *has: whether it is a time at all. */
static inline gboolean
read_time (const TtEventFields *self, const TimeField *field, gint64 *ns, gboolean *has, GError **error)
{
  *has = TRUE;
  return G_LIKELY (field->n_digits > 0 && known_us (field->value->raw, field->n_digits, ns)) ||
         read_odd_time (self, field, ns, has, error);
}

/* -- one event --------------------------------------------------------------------------------------- */

/* The members that every dialect has, and those of which it matters that they are there. */
enum
{
  NO_FIELD,
  FIELD_NAME, /* in the order of TtTraceEvent's values */
  FIELD_CAT,
  FIELD_PID,
  FIELD_TID,
  FIELD_ARGS,
  FIELD_ID,
  FIELD_ID2,
  FIELD_SCOPE,
  FIELD_PH,
  FIELD_TS,
  FIELD_DUR,
  FIELD_TDUR,
  FIELD_TTS,
  FIELD_BP,
  FIELD_STACK,
  FIELD_BINDING,
};
G_STATIC_ASSERT (FIELD_BINDING < TT_JSON_CLASSES && FIELD_SCOPE == TT_EVENT_VALUES);

#define LONGEST_KEY 7u

static guint8
classify (TtSlice key)
{
  static const struct
  {
    char key[8]; /* the bytes of tt_slice_word() */
    guint8 field;
  } fields[] = {
    { "name", FIELD_NAME }, { "ph", FIELD_PH },       { "ts", FIELD_TS },        { "pid", FIELD_PID },
    { "tid", FIELD_TID },   { "cat", FIELD_CAT },     { "dur", FIELD_DUR },      { "args", FIELD_ARGS },
    { "id", FIELD_ID },     { "s", FIELD_SCOPE },     { "bp", FIELD_BP },        { "tdur", FIELD_TDUR },
    { "tts", FIELD_TTS },   { "id2", FIELD_ID2 },     { "scope", FIELD_SCOPE },  { "sf", FIELD_STACK },
    { "esf", FIELD_STACK }, { "stack", FIELD_STACK }, { "estack", FIELD_STACK }, { "bind_id", FIELD_BINDING },
  };

  if (key.len > LONGEST_KEY)
    return NO_FIELD;
  guint64 word = GUINT64_TO_LE (tt_slice_word (key));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (memcmp (&word, fields[i].key, sizeof word) == 0 && key.len == strlen (fields[i].key))
      return fields[i].field;
  return NO_FIELD;
}

void
tt_event_fields_prepare (const TtEventFields *self)
{
  tt_json_classify_keys (self->json, classify);
}

static inline gboolean
is_there (const TtJsonValue *value)
{
  return value->kind != TT_JSON_NONE && value->kind != TT_JSON_NULL;
}

static inline const TtJsonValue *
get_field (const TtJsonFields *fields, guint field)
{
  static const TtJsonValue none = { TT_JSON_NONE };

  return (fields->seen >> field & 1) != 0 ? &fields->values[field] : &none;
}

static inline guint
get_digits (const TtJsonFields *fields, guint field)
{
  return (fields->seen >> field & 1) != 0 ? fields->n_digits[field] : 0;
}

static inline gboolean
has_field (const TtJsonFields *fields, guint field)
{
  return (fields->seen >> field & 1) != 0 && is_there (&fields->values[field]);
}

/* A complete event without a duration may have that of its thread's clock. */
static gboolean
read_duration (const TtEventFields *self, const TtJsonFields *fields, TtTraceEvent *event, GError **error)
{
  gboolean has = FALSE, is_thread_time = !has_field (fields, FIELD_DUR) && has_field (fields, FIELD_TDUR);
  guint field = is_thread_time ? FIELD_TDUR : FIELD_DUR;
  const TimeField dur = { get_field (fields, field), get_digits (fields, field), "dur", event->offset };
  gint64 end_ns;

  if (!read_time (self, &dur, &event->dur_ns, &has, error))
    return FALSE;
  if (has)
    event->has |= TT_EVENT_HAS_DUR;
  if (event->ph == 'X' && (!has || is_thread_time))
    tt_repairs_add (self->repairs, TT_REPAIR_NO_DURATION, event->offset);
  if (!__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: event at byte %" G_GUINT64_FORMAT ": its end is beyond what a time can be", self->path,
               event->offset);
  return FALSE;
}

static guint32
find_what_it_has (const TtTraceEvent *event, const TtJsonFields *fields)
{
  const guint32 cpu_time = 1u << FIELD_TTS | 1u << FIELD_TDUR;
  const guint32 few = cpu_time | 1u << FIELD_STACK | 1u << FIELD_BINDING | 1u << FIELD_BP;
  guint32 has = 0;

  if (is_there (&event->pid))
    has |= TT_EVENT_HAS_PID;
  if (is_there (&event->tid))
    has |= TT_EVENT_HAS_TID;
  if (is_there (&event->id) || is_there (&event->id2))
    has |= TT_EVENT_HAS_ID;
  if ((fields->seen >> FIELD_ARGS & 1) == 0)
    has |= TT_EVENT_HAS_NO_ARGS;
  if (G_LIKELY ((fields->seen & few) == 0))
    return has;
  if ((fields->seen & cpu_time) != 0)
    has |= TT_EVENT_HAS_CPU_TIME;
  if ((fields->seen & 1u << FIELD_STACK) != 0)
    has |= TT_EVENT_HAS_STACK;
  if ((fields->seen & 1u << FIELD_BINDING) != 0)
    has |= TT_EVENT_HAS_BINDING;
  if (has_field (fields, FIELD_BP) && fields->values[FIELD_BP].kind == TT_JSON_STRING &&
      TT_SLICE_IS (fields->values[FIELD_BP].raw, "e"))
    has |= TT_EVENT_BINDS_ENCLOSING;
  return has;
}

/* Those that are there are in their places already. */
static inline void
clear_others (TtTraceEvent *event, guint32 seen)
{
  const guint32 all = (1u << (TT_EVENT_VALUES + 1)) - 2;

  for (guint32 lost = event->held & ~seen & all; lost != 0; lost &= lost - 1)
    event->values[__builtin_ctz (lost) - 1] = (TtJsonValue){ .kind = TT_JSON_NONE };
  event->held = seen & all;
}

static inline char
read_ph (const TtJsonFields *fields)
{
  const TtJsonValue *ph = &fields->values[FIELD_PH];

  if (!has_field (fields, FIELD_PH))
    return '\0';
  return ph->kind == TT_JSON_STRING && ph->raw.len == 1 ? ph->raw.bytes[0] : '?';
}

gboolean
tt_event_fields_fill (const TtEventFields *self, const TtJsonValue *record, TtTraceEvent *event, GError **error)
{
  const TtJsonFields *fields = tt_json_fields (self->json);
  gboolean has_ts;

  clear_others (event, fields->seen);
  event->ph = read_ph (fields);
  if (event->ph == '\0')
    return TRUE;
  event->offset = record->offset;
  event->record = record->raw;
  event->arg_places = NULL;
  event->n_arg_places = 0;
  event->lane = event->label = 0;
  if (event->args.kind == TT_JSON_OBJECT)
    event->arg_places = tt_json_indexed (self->json, event->args.raw, &event->n_arg_places);
  event->has = find_what_it_has (event, fields);

  const TimeField ts = { get_field (fields, FIELD_TS), get_digits (fields, FIELD_TS), "ts", event->offset };
  if (!read_time (self, &ts, &event->ts_ns, &has_ts, error))
    return FALSE;
  if (has_ts)
    event->has |= TT_EVENT_HAS_TS;
  return read_duration (self, fields, event, error);
}
