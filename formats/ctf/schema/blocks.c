/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/blocks.h"

#include <string.h>

/* What stands in front of an entry of a block: "NAME = " or "NAME := ". Free it. */
static char *
read_entry_name (TtTsdlParser *self, gboolean *is_type)
{
  char *name = tt_tsdl_read_words (self);

  *is_type = name != NULL && tt_tsdl_skip (&self->lexer, TT_TSDL_ASSIGN);
  if (name != NULL && !*is_type && !tt_tsdl_expect (&self->lexer, '='))
    g_clear_pointer (&name, g_free);
  return name;
}

/* The value of an entry that is no type, and its semicolon. */
static gboolean
read_entry_value (TtTsdlParser *self, TtTsdlValue *value)
{
  return tt_tsdl_read_value (self, value) && tt_tsdl_expect (&self->lexer, ';');
}

/* "NAME := struct ...;" */
static gboolean
read_entry_type (TtTsdlParser *self, const char *name, TtCtfType **type)
{
  if (*type != NULL)
    return tt_tsdl_fail (&self->lexer, "'%s' is said twice", name);
  *type = tt_tsdl_read_type (self);
  if (*type == NULL || !tt_tsdl_expect (&self->lexer, ';'))
    return FALSE;
  return (*type)->kind == TT_CTF_TYPE_STRUCT || tt_tsdl_fail (&self->lexer, "'%s' is no structure", name);
}

/* A type that means nothing here. */
static gboolean
skip_entry_type (TtTsdlParser *self)
{
  return tt_tsdl_read_type (self) != NULL && tt_tsdl_expect (&self->lexer, ';');
}

static gboolean
skip_entry_value (TtTsdlParser *self)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  return read_entry_value (self, &value);
}

static gboolean
fail_entry (TtTsdlParser *self, const char *block, const char *name)
{
  return tt_tsdl_fail (&self->lexer, "%s: '%s' cannot be said like this", block, name);
}

/* -- clocks --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtCtfClockClass *clock;
  guint64 offset; /* cycles */
} Clock;

static gboolean
take_of_clock (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  Clock *own = data;
  gboolean is_number = value->kind <= TT_TSDL_VALUE_SIGNED;

  if (strcmp (name, "name") == 0)
    {
      if (!tt_tsdl_is_string (self, name, value))
        return FALSE;
      own->clock->name = tt_ctf_schema_text (self->schema, value->text);
    }
  else if (strcmp (name, "freq") == 0)
    {
      own->clock->frequency = value->number;
      return tt_tsdl_is_number (self, name, value) && ((value->number != 0 && value->number != G_MAXUINT64) ||
                                                       tt_tsdl_fail (&self->lexer, "a clock of no frequency"));
    }
  else if (strcmp (name, "offset_s") == 0 || strcmp (name, "offset") == 0)
    {
      if (!is_number)
        return fail_entry (self, "clock", name);
      if (name[6] == '\0')
        own->offset = value->number;
      else
        own->clock->offset_s = (gint64) value->number;
    }
  else if (strcmp (name, "absolute") == 0)
    {
      if (!is_number && g_ascii_strcasecmp (value->text, "true") != 0 && g_ascii_strcasecmp (value->text, "false") != 0)
        return fail_entry (self, "clock", name);
      own->clock->is_epoch = is_number ? value->number != 0 : g_ascii_strcasecmp (value->text, "true") == 0;
    }
  else if (strcmp (name, "precision") == 0)
    return tt_tsdl_is_number (self, name, value);
  return TRUE;
}

gboolean
tt_tsdl_read_clock (TtTsdlParser *self)
{
  Clock own = { .clock = tt_ctf_schema_alloc (self->schema, sizeof *own.clock) };
  const char *tracer = g_hash_table_lookup (self->schema->texts, "tracer_name");

  own.clock->frequency = 1000000000;
  if (!tt_tsdl_read_attributes (self, take_of_clock, &own))
    return FALSE;
  if (own.clock->name == NULL)
    return tt_tsdl_fail (&self->lexer, "a clock without a name");
  /* Older LTTng does not say so. */
  if (strcmp (own.clock->name, "monotonic") == 0 && tracer != NULL && g_str_has_prefix (tracer, "lttng"))
    own.clock->is_epoch = TRUE;
  if (own.offset >= own.clock->frequency)
    own.clock->offset_s = (gint64) ((guint64) own.clock->offset_s + own.offset / own.clock->frequency);
  own.clock->offset_cycles = own.offset % own.clock->frequency;
  return tt_ctf_schema_add_clock (self->schema, own.clock) ||
         tt_tsdl_fail (&self->lexer, "two clocks are called '%s'", own.clock->name);
}

/* A time that maps no clock counts the only one of the trace; without any, nanoseconds. */
static gboolean
map_times (TtTsdlParser *self, TtCtfType *type, const char *name)
{
  for (guint i = 0; type != NULL && i < type->n_fields; i++)
    {
      TtCtfType *field = type->fields[i].type;

      if (strcmp (type->fields[i].name, name) == 0 && field->kind == TT_CTF_TYPE_INTEGER && field->clock == NULL)
        {
          guint n_clocks = g_hash_table_size (self->schema->clocks);
          GHashTableIter iter;
          gpointer only;

          if (n_clocks > 1)
            return tt_tsdl_fail (&self->lexer, "'%s' maps no clock, and there are several", name);
          if (n_clocks == 0)
            {
              TtCtfClockClass *clock = tt_ctf_schema_alloc (self->schema, sizeof *clock);
              *clock = (TtCtfClockClass){ .name = "default", .frequency = 1000000000 };
              tt_ctf_schema_add_clock (self->schema, clock);
            }
          g_hash_table_iter_init (&iter, self->schema->clocks);
          if (g_hash_table_iter_next (&iter, NULL, &only))
            field->clock = only;
        }
      if ((field->kind == TT_CTF_TYPE_STRUCT || field->kind == TT_CTF_TYPE_VARIANT) && !map_times (self, field, name))
        return FALSE;
    }
  return TRUE;
}

/* -- trace and environment ------------------------------------------------------------------------------------------ */

static gboolean
read_trace_value (TtTsdlParser *self, const char *name)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  if (!read_entry_value (self, &value))
    return FALSE;
  if (strcmp (name, "major") == 0 || strcmp (name, "minor") == 0)
    return (value.kind == TT_TSDL_VALUE_UNSIGNED && value.number == (name[1] == 'a' ? 1 : 8)) ||
           tt_tsdl_fail (&self->lexer, "not CTF 1.8: '%s' is another", name);
  if (strcmp (name, "uuid") == 0)
    {
      if (!tt_tsdl_is_string (self, name, &value))
        return FALSE;
      if (!g_uuid_string_is_valid (value.text))
        return tt_tsdl_fail (&self->lexer, "'uuid' is none");
      g_free (self->schema->uuid);
      self->schema->uuid = g_ascii_strdown (value.text, -1);
    }
  return TRUE;
}

gboolean
tt_tsdl_read_trace (TtTsdlParser *self)
{
  gboolean is_type, has_major = FALSE, has_minor = FALSE;

  if (!tt_tsdl_expect (&self->lexer, '{'))
    return FALSE;
  while (!tt_tsdl_skip (&self->lexer, '}'))
    {
      if (tt_tsdl_is_declaration (self))
        {
          if (!tt_tsdl_read_declaration (self))
            return FALSE;
          continue;
        }
      g_autofree char *name = read_entry_name (self, &is_type);
      if (name == NULL)
        return FALSE;
      has_major |= strcmp (name, "major") == 0;
      has_minor |= strcmp (name, "minor") == 0;
      if (!is_type && !read_trace_value (self, name))
        return FALSE;
      if (is_type &&
          (strcmp (name, "packet.header") != 0 ? !skip_entry_type (self)
                                               : !read_entry_type (self, name, &self->schema->packet_header)))
        return FALSE;
    }
  return (has_major && has_minor) || tt_tsdl_fail (&self->lexer, "a trace without 'major' or 'minor'");
}

static gboolean
take_of_environment (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  const char *key = tt_ctf_schema_text (self->schema, name);

  if (value->text != NULL)
    g_hash_table_insert (self->schema->texts, (gpointer) key,
                         (gpointer) tt_ctf_schema_text (self->schema, value->text));
  else
    {
      gint64 *number = tt_ctf_schema_alloc (self->schema, sizeof *number);
      *number = (gint64) value->number;
      g_hash_table_insert (self->schema->numbers, (gpointer) key, number);
    }
  return TRUE;
}

gboolean
tt_tsdl_read_environment (TtTsdlParser *self)
{
  return tt_tsdl_read_attributes (self, take_of_environment, NULL);
}

/* The byte order alone, on which all types rest. */
gboolean
tt_tsdl_read_native_order (TtTsdlParser *self)
{
  gboolean has_order = FALSE;

  for (guint depth = 0; self->lexer.token != TT_TSDL_END && (depth > 0 || self->lexer.token != ';');)
    {
      g_auto (TtTsdlValue) value = { .text = NULL };
      gboolean is_order = depth == 1 && tt_tsdl_is_word (&self->lexer, "byte_order");

      depth += self->lexer.token == '{';
      depth -= self->lexer.token == '}' && depth > 0;
      tt_tsdl_next (&self->lexer);
      if (!is_order)
        continue;
      if (!tt_tsdl_expect (&self->lexer, '=') || !tt_tsdl_read_value (self, &value))
        return FALSE;
      if (value.text != NULL && strcmp (value.text, "native") == 0)
        return tt_tsdl_fail (&self->lexer, "the byte order of a trace cannot be its own");
      if (!tt_tsdl_read_byte_order (self, &value, &self->schema->is_big_endian))
        return FALSE;
      has_order = TRUE;
    }
  return has_order || tt_tsdl_fail (&self->lexer, "a trace without 'byte_order'");
}

/* -- streams and events --------------------------------------------------------------------------------------------- */

static gboolean
read_stream_type (TtTsdlParser *self, TtCtfStreamType *stream, const char *name)
{
  if (strcmp (name, "event.header") == 0)
    return read_entry_type (self, name, &stream->event_header) && map_times (self, stream->event_header, "timestamp");
  if (strcmp (name, "event.context") == 0)
    return read_entry_type (self, name, &stream->event_context);
  if (strcmp (name, "packet.context") == 0)
    return read_entry_type (self, name, &stream->packet_context) &&
           map_times (self, stream->packet_context, "timestamp_begin") &&
           map_times (self, stream->packet_context, "timestamp_end");
  return skip_entry_type (self);
}

static gboolean
read_id (TtTsdlParser *self, const char *name, guint64 *id)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  if (!read_entry_value (self, &value))
    return FALSE;
  *id = value.number;
  return value.kind <= TT_TSDL_VALUE_SIGNED && (gint64) value.number >= 0
             ? TRUE
             : tt_tsdl_fail (&self->lexer, "'%s' is no number", name);
}

gboolean
tt_tsdl_read_stream (TtTsdlParser *self)
{
  TtCtfStreamType entries = { .id = 0 };
  gboolean is_type, has_id = FALSE;
  const TtCtfType *member = tt_ctf_type_member (self->schema->packet_header, "stream_id");

  if (!tt_tsdl_expect (&self->lexer, '{'))
    return FALSE;
  while (!tt_tsdl_skip (&self->lexer, '}'))
    {
      if (tt_tsdl_is_declaration (self))
        {
          if (!tt_tsdl_read_declaration (self))
            return FALSE;
          continue;
        }
      g_autofree char *name = read_entry_name (self, &is_type);
      if (name == NULL)
        return FALSE;
      gboolean is_id = strcmp (name, "id") == 0;
      if (is_id && has_id)
        return tt_tsdl_fail (&self->lexer, "'id' is said twice");
      if (is_id      ? is_type || !read_id (self, name, &entries.id)
          : !is_type ? !skip_entry_value (self)
                     : !read_stream_type (self, &entries, name))
        return FALSE;
      has_id |= is_id;
    }
  if (has_id && (member == NULL || member->kind != TT_CTF_TYPE_INTEGER))
    return tt_tsdl_fail (&self->lexer, "a stream has an id, but the headers of packets have no integer 'stream_id'");
  if (!has_id && self->schema->streams->len > 0)
    return tt_tsdl_fail (&self->lexer, "a stream without an id, and it is not the only one");
  if (tt_ctf_schema_stream (self->schema, entries.id) != NULL)
    return tt_tsdl_fail (&self->lexer, "two streams of id %" G_GUINT64_FORMAT, entries.id);
  TtCtfStreamType *stream = tt_ctf_schema_add_stream (self->schema, entries.id);
  stream->packet_context = entries.packet_context;
  stream->event_header = entries.event_header;
  stream->event_context = entries.event_context;
  return TRUE;
}

typedef struct
{
  TtCtfEventType type;
  guint64 stream_id;
  gboolean has_id, has_stream_id;
} Event;

static gboolean
read_event_value (TtTsdlParser *self, Event *event, const char *name)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  if (strcmp (name, "id") == 0)
    {
      gboolean is_first = !event->has_id;
      event->has_id = TRUE;
      return read_id (self, name, &event->type.id) && (is_first || tt_tsdl_fail (&self->lexer, "'id' is said twice"));
    }
  if (strcmp (name, "stream_id") == 0)
    {
      gboolean is_first = !event->has_stream_id;
      event->has_stream_id = TRUE;
      return read_id (self, name, &event->stream_id) &&
             (is_first || tt_tsdl_fail (&self->lexer, "'stream_id' is said twice"));
    }
  if (!read_entry_value (self, &value))
    return FALSE;
  if (strcmp (name, "name") != 0)
    return TRUE; /* loglevel, model.emf.uri, and what others add */
  if (event->type.name != NULL)
    return tt_tsdl_fail (&self->lexer, "'name' is said twice");
  if (!tt_tsdl_is_string (self, name, &value))
    return FALSE;
  event->type.name = tt_ctf_schema_text (self->schema, value.text);
  return TRUE;
}

static gboolean
read_event_entry (TtTsdlParser *self, Event *event)
{
  gboolean is_type;
  g_autofree char *name = read_entry_name (self, &is_type);

  if (name == NULL)
    return FALSE;
  if (!is_type)
    return read_event_value (self, event, name);
  if (strcmp (name, "context") == 0)
    return read_entry_type (self, name, &event->type.context);
  if (strcmp (name, "fields") == 0)
    return read_entry_type (self, name, &event->type.payload);
  return skip_entry_type (self);
}

/* The stream of an event; NULL with a fault. */
static TtCtfStreamType *
find_stream (TtTsdlParser *self, const Event *event)
{
  const GPtrArray *streams = self->schema->streams;
  TtCtfStreamType *stream = NULL;

  /* One that is not there at all has none but this. */
  if (!event->has_stream_id && streams->len == 0)
    return tt_ctf_schema_add_stream (self->schema, 0);
  if (!event->has_stream_id && streams->len > 1)
    tt_tsdl_fail (&self->lexer, "an event without 'stream_id', and there are several streams");
  else if (!event->has_stream_id)
    stream = streams->pdata[0];
  else
    stream = tt_ctf_schema_stream (self->schema, event->stream_id);
  if (stream == NULL)
    tt_tsdl_fail (&self->lexer, "no stream of id %" G_GUINT64_FORMAT, event->stream_id);
  return stream;
}

gboolean
tt_tsdl_read_event (TtTsdlParser *self)
{
  Event event = { .has_id = FALSE };

  if (!tt_tsdl_expect (&self->lexer, '{'))
    return FALSE;
  while (!tt_tsdl_skip (&self->lexer, '}'))
    if (tt_tsdl_is_declaration (self) ? !tt_tsdl_read_declaration (self) : !read_event_entry (self, &event))
      return FALSE;
  TtCtfStreamType *stream = find_stream (self, &event);
  if (stream == NULL)
    return FALSE;
  if (!event.has_id && stream->events->len > 0)
    return tt_tsdl_fail (&self->lexer, "an event without 'id', and it is not the only one of its stream");
  TtCtfEventType *type = tt_ctf_stream_add_event (self->schema, stream, event.type.id);
  if (type == NULL)
    return tt_tsdl_fail (&self->lexer, "two events of id %" G_GUINT64_FORMAT " in a stream", event.type.id);
  type->name = event.type.name;
  type->context = event.type.context;
  type->payload = event.type.payload;
  return TRUE;
}

/* Calls for which a trace has no room: read for their form only. */
static gboolean
take_nothing (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  return TRUE;
}

gboolean
tt_tsdl_read_callsite (TtTsdlParser *self)
{
  return tt_tsdl_read_attributes (self, take_nothing, NULL);
}
