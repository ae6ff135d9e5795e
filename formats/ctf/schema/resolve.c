/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/resolve.h"

#include "formats/ctf/schema/locations.h"
#include "formats/ctf/schema/references.h"

#include <string.h>

#define UUID_BYTES 16u

typedef struct
{
  const char *name;
  TtCtfMeaning meaning;
} Meaning;

static const Meaning of_packet_header[] = { { "magic", TT_CTF_MAGIC },
                                            { "stream_id", TT_CTF_STREAM_CLASS },
                                            { "stream_instance_id", TT_CTF_STREAM_INSTANCE } };
static const Meaning of_packet_context[] = {
  { "timestamp_begin", TT_CTF_PACKET_BEGIN }, { "timestamp_end", TT_CTF_PACKET_END },
  { "events_discarded", TT_CTF_DISCARDED },   { "packet_seq_num", TT_CTF_SEQUENCE_NUMBER },
  { "packet_size", TT_CTF_PACKET_SIZE },      { "content_size", TT_CTF_CONTENT_SIZE },
};

/* -- meanings ------------------------------------------------------------------------------------------------------- */

static char *
set_meanings (TtCtfType *type, const Meaning *meanings, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      TtCtfType *member = tt_ctf_type_member (type, meanings[i].name);

      if (member == NULL)
        continue;
      if (!tt_ctf_type_is_unsigned (member))
        return g_strdup_printf ("'%s' of packets is no integer without a sign", meanings[i].name);
      member->meaning = meanings[i].meaning;
    }
  return NULL;
}

/* The UUID of the metadata that a packet is of: 16 bytes. */
static void
set_uuid (TtCtfType *header)
{
  TtCtfType *member = header == NULL ? NULL : tt_ctf_type_member (header, "uuid");

  if (member != NULL && member->kind == TT_CTF_TYPE_ARRAY && member->length == 16 &&
      tt_ctf_type_is_unsigned (member->element) && member->element->size == 8)
    member->meaning = TT_CTF_UUID;
}

/* Ids of events lie anywhere in their headers. */
static void
set_event_ids (TtCtfType *type, const char *name)
{
  if (type == NULL)
    return;
  if (type->kind == TT_CTF_TYPE_INTEGER && name != NULL && strcmp (name, "id") == 0)
    type->meaning = TT_CTF_EVENT_CLASS;
  if (type->element != NULL)
    set_event_ids (type->element, NULL);
  for (guint i = 0; i < type->n_fields; i++)
    set_event_ids (type->fields[i].type, type->kind == TT_CTF_TYPE_STRUCT ? type->fields[i].name : NULL);
}

static char *
check_packet_header (const TtCtfSchema *self)
{
  const TtCtfType *header = self->packet_header, *magic = tt_ctf_type_member (header, "magic");
  const TtCtfType *uuid = tt_ctf_type_member (header, "uuid");

  if (magic != NULL && (header->fields[0].type != magic || magic->size != 32))
    return g_strdup ("'magic' of packets is not their first field, or not of 32 bits");
  if (uuid != NULL &&
      (uuid->kind != TT_CTF_TYPE_ARRAY || uuid->length != UUID_BYTES || !tt_ctf_type_is_unsigned (uuid->element) ||
       uuid->element->size != 8 || uuid->element->align != 8))
    return g_strdup ("'uuid' of packets is no array of 16 bytes");
  if (self->streams->len > 1 && tt_ctf_type_member (header, "stream_id") == NULL)
    return g_strdup ("packets have no 'stream_id', and there are several streams");
  return NULL;
}

static char *
set_stream_meanings (TtCtfStreamType *stream)
{
  TtCtfType *context = stream->packet_context, *end = tt_ctf_type_member (context, "timestamp_end");
  const TtCtfType *id = tt_ctf_type_member (stream->event_header, "id");
  char *why = set_meanings (context, of_packet_context, G_N_ELEMENTS (of_packet_context));

  if (why != NULL)
    return why;
  if (id != NULL && !tt_ctf_type_is_unsigned (id))
    return g_strdup ("'id' of events is no integer without a sign");
  if (id == NULL && stream->events->len > 1)
    return g_strdup ("events have no 'id', and there are several");
  set_event_ids (stream->event_header, NULL);
  stream->has_begin = tt_ctf_type_member (context, "timestamp_begin") != NULL;
  stream->has_end = end != NULL;
  stream->has_discarded = tt_ctf_type_member (context, "events_discarded") != NULL;
  stream->has_sequence_numbers = tt_ctf_type_member (context, "packet_seq_num") != NULL;
  /* It is no time that has come when the context is read. */
  if (end != NULL)
    end->clock = NULL;
  return NULL;
}

/* -- clocks --------------------------------------------------------------------------------------------------------- */

/* FALSE: there are two. */
static gboolean
find_clock (const TtCtfType *type, const TtCtfClockClass **clock)
{
  if (type == NULL)
    return TRUE;
  if (type->clock != NULL && *clock != NULL && *clock != type->clock)
    return FALSE;
  if (type->clock != NULL)
    *clock = type->clock;
  if (!find_clock (type->element, clock))
    return FALSE;
  for (guint i = 0; i < type->n_fields; i++)
    if (!find_clock (type->fields[i].type, clock))
      return FALSE;
  return TRUE;
}

static char *
find_stream_clock (TtCtfStreamType *stream)
{
  gboolean is_one = find_clock (stream->packet_context, &stream->clock) &&
                    find_clock (stream->event_header, &stream->clock) &&
                    find_clock (stream->event_context, &stream->clock);

  for (guint i = 0; is_one && i < stream->events->len; i++)
    {
      const TtCtfEventType *event = stream->events->pdata[i];

      is_one = find_clock (event->context, &stream->clock) && find_clock (event->payload, &stream->clock);
    }
  return is_one ? NULL : g_strdup_printf ("the stream of id %" G_GUINT64_FORMAT " has several clocks", stream->id);
}

/* -- forms ---------------------------------------------------------------------------------------------------------- */

static gboolean
find_void (const TtCtfType *type)
{
  if (type->kind != TT_CTF_TYPE_STRUCT && type->element == NULL)
    return FALSE;
  if (type->element != NULL)
    return type->element->is_void || (type->kind == TT_CTF_TYPE_ARRAY && type->length == 0);
  for (guint i = 0; i < type->n_fields; i++)
    if (!type->fields[i].type->is_void)
      return FALSE;
  return TRUE;
}

static void
set_form (TtCtfType *type)
{
  if (type == NULL)
    return;
  set_form (type->element);
  for (guint i = 0; i < type->n_fields; i++)
    {
      set_form (type->fields[i].type);
      if (type->kind == TT_CTF_TYPE_STRUCT)
        type->align = MAX (type->align, type->fields[i].type->align);
    }
  if (type->element != NULL)
    {
      type->align = MAX (type->align, type->element->align);
      type->is_text = type->element->is_char && type->element->kind == TT_CTF_TYPE_INTEGER;
    }
  type->is_void = find_void (type);
}

/* Times, sizes and ids are not shown, unless what is shown is made with them: the set @needed. */
static void
set_shown (TtCtfType *type, GHashTable *needed)
{
  if (type == NULL)
    return;
  switch (type->kind)
    {
    case TT_CTF_TYPE_INTEGER:
      type->is_shown = (type->clock == NULL && type->meaning == TT_CTF_PLAIN) ||
                       g_hash_table_contains (needed, GINT_TO_POINTER (type->store + 1));
      return;
    case TT_CTF_TYPE_ARRAY:
    case TT_CTF_TYPE_SEQUENCE:
      set_shown (type->element, needed);
      type->is_shown = type->element->is_shown;
      break;
    case TT_CTF_TYPE_STRUCT:
    case TT_CTF_TYPE_VARIANT:
      type->is_shown = type->kind == TT_CTF_TYPE_STRUCT && type->n_fields == 0;
      for (guint i = type->n_fields; i-- > 0;)
        {
          set_shown (type->fields[i].type, needed);
          type->is_shown |= type->fields[i].type->is_shown;
        }
      break;
    default:
      type->is_shown = TRUE;
    }
  if (type->is_shown && type->from >= 0)
    g_hash_table_add (needed, GINT_TO_POINTER (type->from + 1));
}

static void
finish_stream (TtCtfStreamType *stream)
{
  g_autoptr (GHashTable) needed = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < stream->events->len; i++)
    {
      const TtCtfEventType *event = stream->events->pdata[i];

      set_shown (event->payload, needed);
      set_shown (event->context, needed);
    }
  set_shown (stream->event_context, needed);
  set_shown (stream->packet_context, needed);
}

static void
set_forms (TtCtfSchema *self)
{
  set_form (self->packet_header);
  for (guint i = 0; i < self->streams->len; i++)
    {
      TtCtfStreamType *stream = self->streams->pdata[i];

      set_form (stream->packet_context);
      set_form (stream->event_header);
      set_form (stream->event_context);
      for (guint k = 0; k < stream->events->len; k++)
        {
          TtCtfEventType *event = stream->events->pdata[k];

          set_form (event->context);
          set_form (event->payload);
        }
    }
}

/* With all meanings set: the rest. */
static char *
finish (TtCtfSchema *self, char *(*resolve) (TtCtfSchema *self))
{
  char *why;

  set_forms (self);
  why = resolve (self);
  for (guint i = 0; why == NULL && i < self->streams->len; i++)
    finish_stream (self->streams->pdata[i]);
  return why;
}

char *
tt_ctf_schema_resolve_json (TtCtfSchema *self)
{
  return finish (self, tt_ctf_locations_resolve);
}

char *
tt_ctf_schema_resolve (TtCtfSchema *self)
{
  const TtCtfClockClass *clock = NULL;
  char *why = NULL;

  if (!find_clock (self->packet_header, &clock) || clock != NULL)
    return g_strdup ("the header of packets maps a clock");
  why = check_packet_header (self);
  if (why == NULL)
    why = set_meanings (self->packet_header, of_packet_header, G_N_ELEMENTS (of_packet_header));
  set_uuid (self->packet_header);
  for (guint i = 0; why == NULL && i < self->streams->len; i++)
    {
      why = find_stream_clock (self->streams->pdata[i]);
      if (why == NULL)
        why = set_stream_meanings (self->streams->pdata[i]);
    }
  return why != NULL ? why : finish (self, tt_ctf_references_resolve);
}
