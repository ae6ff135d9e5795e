/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/reader.h"

#include "src/base/error.h"

#include <string.h>

/* How often Ctrl-C and the sink's errors are looked at. */
#define EVENTS_A_CHECK 4096u
#define MAX_HEADER ((gsize) 1 << 20)
#define US_DECIMALS 3

typedef enum
{
  AT_START,
  IN_HEADER, /* among the members of the outer object */
  IN_EVENTS,
  AT_END,
} ReaderState;

struct _TtTraceEventReader
{
  char *path;
  TtInput *input;
  TtJson *json;
  TtSink *sink; /* NULL: only looking ahead */
  TtRepairs *repairs, own_repairs;
  TtHeaderFunc on_header;
  gpointer header_data;
  ReaderState state;
  gboolean strict, is_object, has_array, is_odd; /* is_odd: its lack has been counted */
  gsize head; /* bytes to look ahead from the first event on, until it has come; else 0 */
  guint n_since_check;
  guint64 empty_at; /* offset + 1 of an element "{}" that may be the last; 0: none */
  GString *key; /* scratch */
};

/* @input: taken; NULL: @error is set. */
static TtTraceEventReader *
reader_new (TtInput *input, TtSink *sink, gboolean strict)
{
  if (input == NULL)
    return NULL;

  TtTraceEventReader *self = g_new0 (TtTraceEventReader, 1);
  self->path = g_strdup (tt_input_path (input));
  self->input = input;
  tt_input_take_cut (input);
  self->sink = sink;
  self->strict = strict;
  self->repairs = sink != NULL ? &sink->repairs : &self->own_repairs;
  self->json = tt_json_new (input, self->repairs);
  self->key = g_string_new (NULL);
  return self;
}

TtTraceEventReader *
tt_trace_event_reader_new (const char *path, TtSink *sink, gboolean strict, GError **error)
{
  return reader_new (tt_input_open (path, error), sink, strict);
}

TtTraceEventReader *
tt_trace_event_reader_new_head (const char *path, gsize max, GError **error)
{
  TtTraceEventReader *self = reader_new (tt_input_open_head (path, max, error), NULL, FALSE);

  if (self == NULL)
    return NULL;
  self->head = max;
  tt_input_look_on (self->input, G_MAXSIZE);
  return self;
}

void
tt_trace_event_reader_free (TtTraceEventReader *self)
{
  if (self == NULL)
    return;
  tt_json_free (self->json);
  tt_input_free (self->input);
  g_string_free (self->key, TRUE);
  g_free (self->path);
  g_free (self);
}

void
tt_trace_event_reader_on_header (TtTraceEventReader *self, TtHeaderFunc func, gpointer data)
{
  self->on_header = func;
  self->header_data = data;
}

gboolean
tt_trace_event_reader_is_trace (const TtTraceEventReader *self)
{
  return self->is_object && self->has_array;
}

TtInput *
tt_trace_event_reader_input (TtTraceEventReader *self)
{
  return self->input;
}

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
read_time (TtTraceEventReader *self, const TimeField *field, gint64 *ns, gboolean *has, GError **error)
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
  if (!*has || self->sink == NULL)
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
pick_fields (TtTraceEventReader *self, Fields *fields)
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
read_duration (TtTraceEventReader *self, const Fields *fields, GError **error)
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
  event->ts_ns = event->dur_ns = 0;
}

static gboolean
fill_event (TtTraceEventReader *self, const TtJsonValue *record, TtTraceEvent *event, GError **error)
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

/* -- the file ---------------------------------------------------------------------------------------- */

static gboolean
check_strict (const TtTraceEventReader *self, GError **error)
{
  return !self->strict || tt_repairs_check_none (self->repairs, self->path, error);
}

static gboolean
check (TtTraceEventReader *self, GError **error)
{
  self->n_since_check = 0;
  return self->sink == NULL || tt_sink_check (self->sink, tt_json_progress (self->json), error);
}

static gboolean
begin (TtTraceEventReader *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  TtJsonKind kind = tt_json_peek (self->json, &failed);

  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (kind == TT_JSON_ARRAY)
    {
      self->state = IN_EVENTS;
      self->has_array = TRUE;
      return tt_json_begin_array (self->json, error);
    }
  if (kind == TT_JSON_OBJECT)
    {
      self->state = IN_HEADER;
      self->is_object = TRUE;
      return tt_json_begin_object (self->json, error);
    }
  if (kind == TT_JSON_NONE)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: the file is empty", self->path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: byte %" G_GUINT64_FORMAT ": trace events are an array or an object, and this is neither",
                 self->path, tt_json_offset (self->json));
  return FALSE;
}

static gboolean
read_header (TtTraceEventReader *self, const TtJsonValue *key, GError **error)
{
  TtJsonValue own_key = *key, value = { 0 };

  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, key->raw.bytes, (gssize) key->raw.len);
  own_key.raw.bytes = self->key->str;
  if (!tt_json_value_at_most (self->json, MAX_HEADER, &value, error))
    return FALSE;
  if (self->on_header != NULL)
    self->on_header (&own_key, &value, self->header_data);
  return TRUE;
}

/* To the events or, past them, to the end. */
static gboolean
next_header (TtTraceEventReader *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  TtJsonValue key;

  if (!tt_json_next_key (self->json, &key, &failed))
    {
      self->state = AT_END;
      if (failed == NULL)
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (!TT_JSON_KEY_IS (key, "traceEvents"))
    return read_header (self, &key, error);

  TtJsonKind kind = tt_json_peek (self->json, &failed);
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (kind != TT_JSON_ARRAY)
    {
      tt_repairs_add (self->repairs, TT_REPAIR_NO_EVENTS, tt_json_offset (self->json));
      self->is_odd = TRUE;
      return kind == TT_JSON_NONE || tt_json_skip (self->json, error);
    }
  self->state = IN_EVENTS;
  self->has_array = TRUE;
  return tt_json_begin_array (self->json, error);
}

/* Past the last member or item: what follows is the scanner's to mend or refuse. */
static gboolean
end (TtTraceEventReader *self, GError **error)
{
  g_autoptr (GError) failed = NULL;

  tt_json_peek (self->json, &failed);
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (!self->has_array && !self->is_odd)
    tt_repairs_add (self->repairs, TT_REPAIR_NO_EVENTS, 0);
  return check_strict (self, error) && check (self, error);
}

/* How often the scanner has mended something within a value. */
static guint64
n_mended (const TtRepairs *repairs)
{
  return repairs->count[TT_REPAIR_JSON_COMMA] + repairs->count[TT_REPAIR_JSON_CONTROL] +
         repairs->count[TT_REPAIR_JSON_ESCAPE] + repairs->count[TT_REPAIR_JSON_NUMBER] +
         repairs->count[TT_REPAIR_JSON_WORD] + repairs->count[TT_REPAIR_JSON_SPACE];
}

/* XLA's profiler ends each array with "{}", so that every event before has its comma: that is no loss. Elsewhere an
 * empty element is odd. */
static void
count_empty (TtTraceEventReader *self)
{
  if (self->empty_at != 0)
    tt_repairs_add (self->repairs, TT_REPAIR_NOT_AN_EVENT, self->empty_at - 1);
  self->empty_at = 0;
}

/* FALSE without *error: the array is over. */
static gboolean
next_in_array (TtTraceEventReader *self, TtTraceEvent *event, GError **error)
{
  TtJsonValue record;
  guint64 mended = n_mended (self->repairs), cut = self->repairs->count[TT_REPAIR_JSON_CUT];

  for (; tt_json_next_record (self->json, &record, error); mended = n_mended (self->repairs))
    {
      /* Nobody knows where it belongs. */
      if (G_UNLIKELY (self->repairs->count[TT_REPAIR_JSON_CUT] != cut))
        continue;
      if (G_UNLIKELY (self->empty_at != 0))
        count_empty (self);
      if (G_UNLIKELY (++self->n_since_check == EVENTS_A_CHECK) && !check (self, error))
        return FALSE;
      if (G_LIKELY (record.kind == TT_JSON_OBJECT))
        {
          if (!fill_event (self, &record, event, error))
            return FALSE;
          if (G_UNLIKELY (n_mended (self->repairs) != mended))
            event->has |= TT_EVENT_IS_MENDED;
          if (G_LIKELY (event->ph != 0))
            return check_strict (self, error);
        }
      if (record.kind == TT_JSON_OBJECT && record.raw.len == 2)
        self->empty_at = record.offset + 1;
      else
        tt_repairs_add (self->repairs, TT_REPAIR_NOT_AN_EVENT, record.offset);
    }
  self->empty_at = 0;
  return FALSE;
}

gboolean
tt_trace_event_reader_next (TtTraceEventReader *self, TtTraceEvent *event, GError **error)
{
  for (;;)
    {
      g_autoptr (GError) failed = NULL;

      switch (self->state)
        {
        case AT_START:
          begin (self, &failed);
          break;
        case IN_HEADER:
          next_header (self, &failed);
          if (failed == NULL && self->state == AT_END)
            end (self, &failed);
          break;
        case IN_EVENTS:
          if (next_in_array (self, event, &failed))
            {
              if (self->head > 0)
                tt_input_look_on (self->input, self->head);
              self->head = 0;
              return TRUE;
            }
          if (failed != NULL)
            break;
          self->state = self->is_object ? IN_HEADER : AT_END;
          if (!self->is_object)
            end (self, &failed);
          break;
        case AT_END:
          return FALSE;
        }
      if (failed != NULL)
        {
          self->state = AT_END;
          g_propagate_error (error, g_steal_pointer (&failed));
          return FALSE;
        }
    }
}
