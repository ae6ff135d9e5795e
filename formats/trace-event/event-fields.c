/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event.h"
#include "src/base/error.h"
#include "src/trace/event.h"

#include <string.h>

#define US_DECIMALS 3

/* -- times ------------------------------------------------------------------------------------------- */

/* What nearly all times look like: up to 12 digits before the point and up to 3 after it. */
static inline gboolean
simple_us (TtSlice text, gint64 *ns)
{
  static const gint64 scale[] = { 1000, 100, 10, 1 };
  const char *p = text.bytes, *end = p + text.len;
  gint64 value = 0;
  gsize n_decimals = 0;

  if (text.len == 0 || text.len > 18)
    return FALSE;
  for (; p < end && g_ascii_isdigit (*p); p++)
    value = value * 10 + (*p - '0');
  if (p == text.bytes || p - text.bytes > 14)
    return FALSE;
  if (p < end)
    {
      if (*p++ != '.')
        return FALSE;
      n_decimals = (gsize) (end - p);
      if (n_decimals > 3)
        return FALSE;
      for (; p < end && g_ascii_isdigit (*p); p++)
        value = value * 10 + (*p - '0');
    }
  if (p < end)
    return FALSE;
  *ns = value * scale[n_decimals];
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
  const char *key;
  guint64 offset; /* of the event */
} TimeField;

/* FALSE with @error: a number that is too large. *has: whether it is a time at all. */
static gboolean
read_time (const TtEventFields *self, const TimeField *field, gint64 *ns, gboolean *has, GError **error)
{
  const TtJsonValue *value = field->value;
  gboolean is_inexact = FALSE;

  *has = TRUE;
  if (G_LIKELY (value->kind == TT_JSON_NUMBER && simple_us (value->raw, ns)))
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

/* -- one event --------------------------------------------------------------------------------------- */

/* The members that every dialect has. */
typedef struct
{
  TtTraceEvent *event;
  TtJsonValue ph, ts, dur, tdur, bp;
} Fields;

static inline __attribute__ ((always_inline)) TtJsonValue *
find_field (Fields *fields, TtSlice key)
{
  TtTraceEvent *event = fields->event;

  switch (key.len)
    {
    case 1:
      return key.bytes[0] == 's' ? &event->scope : NULL;
    case 2:
      if (memcmp (key.bytes, "ts", 2) == 0)
        return &fields->ts;
      if (memcmp (key.bytes, "ph", 2) == 0)
        return &fields->ph;
      if (memcmp (key.bytes, "id", 2) == 0)
        return &event->id;
      if (memcmp (key.bytes, "sf", 2) == 0)
        event->has |= TT_EVENT_HAS_STACK;
      return memcmp (key.bytes, "bp", 2) == 0 ? &fields->bp : NULL;
    case 3:
      if (memcmp (key.bytes, "pid", 3) == 0)
        return &event->pid;
      if (memcmp (key.bytes, "tid", 3) == 0)
        return &event->tid;
      if (memcmp (key.bytes, "dur", 3) == 0)
        return &fields->dur;
      if (memcmp (key.bytes, "cat", 3) == 0)
        return &event->cat;
      if (memcmp (key.bytes, "tts", 3) == 0)
        event->has |= TT_EVENT_HAS_CPU_TIME;
      if (memcmp (key.bytes, "esf", 3) == 0)
        event->has |= TT_EVENT_HAS_STACK;
      return memcmp (key.bytes, "id2", 3) == 0 ? &event->id2 : NULL;
    case 4:
      if (memcmp (key.bytes, "name", 4) == 0)
        return &event->name;
      if (memcmp (key.bytes, "args", 4) == 0)
        return &event->args;
      if (memcmp (key.bytes, "tdur", 4) != 0)
        return NULL;
      event->has |= TT_EVENT_HAS_CPU_TIME;
      return &fields->tdur;
    case 5:
      if (memcmp (key.bytes, "stack", 5) == 0)
        event->has |= TT_EVENT_HAS_STACK;
      return memcmp (key.bytes, "scope", 5) == 0 ? &event->scope : NULL;
    case 6:
      if (memcmp (key.bytes, "estack", 6) == 0)
        event->has |= TT_EVENT_HAS_STACK;
      return NULL;
    case 7:
      if (memcmp (key.bytes, "bind_id", 7) == 0)
        event->has |= TT_EVENT_HAS_BINDING;
      return NULL;
    default:
      return NULL;
    }
}

static TtJsonValue *
find_escaped_field (Fields *fields, TtSlice key)
{
  const TtJsonValue name = { .kind = TT_JSON_STRING, .has_escapes = TRUE, .raw = key };
  g_autofree char *plain = tt_json_text (&name);

  return find_field (fields, (TtSlice){ plain, strlen (plain) });
}

static inline gboolean
is_there (const TtJsonValue *value)
{
  return value->kind != TT_JSON_NONE && value->kind != TT_JSON_NULL;
}

static void
pick_fields (const TtEventFields *self, Fields *fields)
{
  TtSlice key;
  gboolean has_escapes;

  while (tt_json_next_key_of_record (self->json, &key, &has_escapes))
    {
      TtJsonValue *field = G_UNLIKELY (has_escapes) ? find_escaped_field (fields, key) : find_field (fields, key);

      if (field != NULL)
        tt_json_value_of_record (self->json, field);
    }
}

/* A complete event without a duration may have that of its thread's clock. */
static gboolean
read_duration (const TtEventFields *self, const Fields *fields, GError **error)
{
  TtTraceEvent *event = fields->event;
  gboolean has = FALSE, is_thread_time = !is_there (&fields->dur) && is_there (&fields->tdur);
  const TimeField dur = { is_thread_time ? &fields->tdur : &fields->dur, "dur", event->offset };
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

static inline void
clear_value (TtJsonValue *value)
{
  value->kind = TT_JSON_NONE;
  value->has_escapes = FALSE;
  value->raw.bytes = NULL;
  value->raw.len = 0;
  value->offset = 0;
}

/* One by one: faster than as a block of memory. */
static inline void
clear_fields (Fields *fields)
{
  TtTraceEvent *event = fields->event;
  TtJsonValue *const values[] = { &event->name,  &event->cat,   &event->pid, &event->tid, &event->id,
                                  &event->scope, &event->args,  &event->id2, &fields->ph, &fields->ts,
                                  &fields->dur,  &fields->tdur, &fields->bp };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    clear_value (values[i]);
  event->ph = '\0';
  event->has = 0;
  event->arg_places = NULL;
  event->n_arg_places = 0;
  event->ts_ns = event->dur_ns = 0;
}

gboolean
tt_event_fields_fill (const TtEventFields *self, const TtJsonValue *record, TtTraceEvent *event, GError **error)
{
  Fields fields;
  gboolean has_ts;

  fields.event = event;
  clear_fields (&fields);
  event->offset = record->offset;
  event->record = record->raw;
  pick_fields (self, &fields);
  if (fields.ph.kind == TT_JSON_STRING && fields.ph.raw.len == 1)
    event->ph = fields.ph.raw.bytes[0];
  else if (is_there (&fields.ph))
    event->ph = '?';
  if (event->ph == 0)
    return TRUE;
  if (event->args.kind == TT_JSON_OBJECT)
    event->arg_places = tt_json_indexed (self->json, event->args.raw, &event->n_arg_places);

  if (!read_time (self, &(TimeField){ &fields.ts, "ts", event->offset }, &event->ts_ns, &has_ts, error))
    return FALSE;
  if (!read_duration (self, &fields, error))
    return FALSE;
  event->has |= (has_ts ? TT_EVENT_HAS_TS : 0u) | (is_there (&event->pid) ? TT_EVENT_HAS_PID : 0u) |
                (is_there (&event->tid) ? TT_EVENT_HAS_TID : 0u) |
                (is_there (&event->id) || is_there (&event->id2) ? TT_EVENT_HAS_ID : 0u) |
                (fields.bp.kind == TT_JSON_STRING && TT_SLICE_IS (fields.bp.raw, "e") ? TT_EVENT_BINDS_ENCLOSING : 0u);
  return TRUE;
}
