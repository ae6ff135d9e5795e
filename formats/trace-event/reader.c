/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/reader.h"

#include "src/base/error.h"
#include "src/base/input.h"

#include <string.h>

/* How often Ctrl-C and the sink's errors are looked at. */
#define EVENTS_A_CHECK 4096u
#define MAX_HEADER ((gsize) 1 << 20)

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
  TtSink *sink; /* NULL: none */
  TtRepairs *repairs, own_repairs;
  TtEventFields fields;
  TtHeaderFunc on_header;
  gpointer header_data;
  ReaderState state;
  gboolean pauses, has_paused;                   /* after headers */
  gboolean strict, is_object, has_array, is_odd; /* is_odd: its lack has been counted */
  gsize head; /* bytes to look ahead from the first event on, until it has come; else 0 */
  guint n_since_check;
  guint64 empty_at; /* offset + 1 of an element "{}" that may be the last; 0: none */
  GString *key;     /* scratch */
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
  if (sink != NULL && sink->takes_no_hash)
    tt_input_forgo_hash (input);
  self->sink = sink;
  self->strict = strict;
  self->repairs = sink != NULL ? &sink->repairs : &self->own_repairs;
  self->json = tt_json_new (input, self->repairs);
  self->fields = (TtEventFields){ self->json, self->repairs, self->path, FALSE };
  tt_event_fields_prepare (&self->fields);
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
  self->fields.is_lenient = TRUE;
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

void
tt_trace_event_reader_pause_at_headers (TtTraceEventReader *self, TtHeaderFunc func, gpointer data)
{
  tt_trace_event_reader_on_header (self, func, data);
  self->pauses = TRUE;
}

TtJson *
tt_trace_event_reader_between_events (TtTraceEventReader *self)
{
  gboolean is_there = self->state == IN_EVENTS && self->empty_at == 0 && self->sink == NULL && self->head == 0;

  return is_there && tt_json_is_between_records (self->json) ? self->json : NULL;
}

void
tt_trace_event_reader_index_args (TtTraceEventReader *self)
{
  tt_json_index_member (self->json, "args");
}

void
tt_trace_event_reader_take_repairs (TtTraceEventReader *self, TtRepairs *repairs)
{
  *repairs = self->own_repairs;
  self->own_repairs = (TtRepairs){ 0 };
}

guint64
tt_trace_event_reader_progress (TtTraceEventReader *self)
{
  return tt_json_progress (self->json);
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
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s", self->path, tt_input_why_nothing (self->path));
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
  self->has_paused = self->pauses;
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

/* What is wrong with the outer object is damage, of it or of an event before: on to where there are events again, or with
 * what there is. TRUE: @fault is gone. */
static gboolean
pass_damage (TtTraceEventReader *self, GError **fault)
{
  g_autoptr (GError) failed = NULL;
  guint64 offset = tt_json_offset (self->json);

  if ((self->head > 0 && self->has_array) || self->is_odd || !g_error_matches (*fault, TT_ERROR, TT_ERROR_FORMAT))
    return FALSE;
  if (!self->has_array)
    {
      if (!tt_json_find_array (self->json, "traceEvents", &failed) || !tt_json_begin_array (self->json, &failed))
        return FALSE;
      self->has_array = TRUE;
      self->state = IN_EVENTS;
    }
  else if (tt_json_find_records (self->json, &failed))
    self->state = IN_EVENTS;
  else if (failed != NULL)
    return FALSE;
  else
    {
      tt_repairs_add (self->repairs, TT_REPAIR_JSON_DAMAGED, offset);
      self->state = AT_END;
    }
  g_clear_error (fault);
  return TRUE;
}

/* Past the last member or item: what follows is the scanner's to mend or refuse. */
static gboolean
end (TtTraceEventReader *self, GError **error)
{
  g_autoptr (GError) failed = NULL;

  if (tt_json_is_damaged_end (self->json, &failed))
    {
      guint64 offset = tt_json_offset (self->json);

      if (tt_json_find_records (self->json, &failed))
        {
          self->state = IN_EVENTS;
          return TRUE;
        }
      if (failed == NULL)
        tt_repairs_add (self->repairs, TT_REPAIR_JSON_TRAILING_BYTES, offset);
    }
  else if (failed == NULL)
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
  guint64 cut = self->repairs->count[TT_REPAIR_JSON_CUT];

  tt_event_fields_aim (&self->fields, event);
  for (;;)
    {
      gboolean is_alike = tt_json_next_alike (self->json, &record);
      guint64 mended = is_alike ? 0 : n_mended (self->repairs);

      if (!is_alike && !tt_json_next_record (self->json, &record, error))
        break;
      /* Nobody knows where it belongs. */
      if (G_UNLIKELY (self->repairs->count[TT_REPAIR_JSON_CUT] != cut))
        continue;
      if (G_UNLIKELY (self->empty_at != 0))
        count_empty (self);
      if (G_UNLIKELY (++self->n_since_check == EVENTS_A_CHECK) && !check (self, error))
        return FALSE;
      if (G_LIKELY (record.kind == TT_JSON_OBJECT))
        {
          if (!tt_event_fields_fill (&self->fields, &record, event, error))
            return FALSE;
          if (!is_alike && event->ph != 0 && n_mended (self->repairs) != mended)
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
      ReaderState state = self->state;

      switch (state)
        {
        case AT_START:
          begin (self, &failed);
          break;
        case IN_HEADER:
          next_header (self, &failed);
          if (failed == NULL && self->state == AT_END)
            end (self, &failed);
          if (failed == NULL && self->has_paused)
            {
              self->has_paused = FALSE;
              event->ph = 0;
              return TRUE;
            }
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
      if (failed != NULL && state == IN_HEADER && pass_damage (self, &failed) && !check_strict (self, error))
        return FALSE;
      if (failed != NULL)
        {
          self->state = AT_END;
          g_propagate_error (error, g_steal_pointer (&failed));
          return FALSE;
        }
    }
}
