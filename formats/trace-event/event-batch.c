/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event-batch.h"

#include <string.h>

#include "src/base/error.h"

#define BATCH_HEADER_BYTES ((gsize) 4 << 20)
#define BATCH_PLACES TT_ROOM (16384u, 64u)

static void
header_clear (gpointer item)
{
  TtBatchHeader *header = item;

  g_free ((char *) header->key.raw.bytes);
  g_free ((char *) header->value.raw.bytes);
}

void
tt_event_batch_free (TtEventBatch *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->headers);
  g_clear_error (&self->error);
  g_free (self->bytes);
  g_free (self->places);
  g_free (self);
}

TtEventBatch *
tt_event_batch_new (gboolean indexes_args)
{
  TtEventBatch *self = g_new0 (TtEventBatch, 1);

  self->headers = g_array_new (FALSE, FALSE, sizeof (TtBatchHeader));
  g_array_set_clear_func (self->headers, header_clear);
  self->room = TT_BATCH_BYTES;
  self->bytes = g_malloc (self->room + TT_JSON_PART_PADDING);
  self->places = indexes_args ? g_new (TtJsonMemberPlace, BATCH_PLACES) : NULL;
  return self;
}

void
tt_event_batch_clear (TtEventBatch *self)
{
  self->n_events = self->next = self->next_header = self->n_places = 0;
  g_array_set_size (self->headers, 0);
  self->header_bytes = self->used = 0;
  self->repairs = (TtRepairs){ 0 };
  self->progress = 0;
  if (self->room <= TT_BATCH_KEPT_BYTES)
    return;
  g_free (self->bytes);
  self->room = TT_BATCH_BYTES;
  self->bytes = g_malloc (self->room + TT_JSON_PART_PADDING);
}

gboolean
tt_event_batch_is_full (const TtEventBatch *self)
{
  return self->n_events == TT_BATCH_EVENTS || self->header_bytes >= BATCH_HEADER_BYTES;
}

/* As tt_event_batch_take(). */
static gboolean
make_room (TtEventBatch *self, const TtTraceEvent *event)
{
  gsize len = event->record.len;

  if (len <= self->room - self->used)
    return TRUE;
  if (self->used > 0)
    return FALSE;
  char *bytes = g_try_malloc (len + TT_JSON_PART_PADDING);
  if (bytes == NULL)
    {
      g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT,
                   "event at byte %" G_GUINT64_FORMAT ": no memory for its %" G_GSIZE_FORMAT " bytes", event->offset,
                   len);
      return FALSE;
    }
  g_free (self->bytes);
  self->bytes = bytes;
  self->room = len;
  return TRUE;
}

/* Those that find no room are walked over by whoever wants them. */
static void
copy_places (TtEventBatch *self, TtTraceEvent *event)
{
  guint n = event->n_arg_places;

  if (self->places == NULL || n > BATCH_PLACES - self->n_places)
    {
      event->arg_places = NULL;
      return;
    }
  memcpy (self->places + self->n_places, event->arg_places, n * sizeof *event->arg_places);
  event->arg_places = self->places + self->n_places;
  self->n_places += n;
}

gboolean
tt_event_batch_take (TtEventBatch *self)
{
  TtTraceEvent *event = &self->events[self->n_events];

  if (!make_room (self, event))
    return FALSE;

  char *bytes = self->bytes + self->used;
  gssize by = bytes - event->record.bytes;
  memcpy (bytes, event->record.bytes, event->record.len);
  self->used += event->record.len;
  event->record.bytes = bytes;
  for (guint32 held = event->held >> 1; held != 0; held &= held - 1)
    event->values[__builtin_ctz (held)].raw.bytes += by;
  tt_event_batch_keep (self);
  return TRUE;
}

void
tt_event_batch_keep (TtEventBatch *self)
{
  TtTraceEvent *event = &self->events[self->n_events];

  if (event->arg_places != NULL)
    copy_places (self, event);
  self->n_events++;
}

void
tt_event_batch_add_header (TtEventBatch *self, const TtJsonValue *key, const TtJsonValue *value)
{
  TtBatchHeader header = { self->n_events, *key, *value };

  header.key.raw.bytes = g_strndup (key->raw.bytes, key->raw.len);
  header.value.raw.bytes = g_strndup (value->raw.bytes, value->raw.len);
  g_array_append_val (self->headers, header);
  self->header_bytes += sizeof header + key->raw.len + value->raw.len;
}
