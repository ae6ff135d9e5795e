/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/parts.h"

/* A thread that reads parts. */
typedef struct
{
  TtEventParts *parts;
  guint number;
  GThread *thread;
  TtJson *json;
  TtRepairs mended; /* never kept: what had to be mended is read again */
  TtEventFields fields;
  TtEventNumbers *numbers;
  /* The caller's: what those numbers are to the whole file, 0: not known yet. */
  guint32 lanes[TT_MAX_LANES], labels[TT_MAX_LABELS];
} Reader;

struct _TtEventParts
{
  TtJson *json;
  GPtrArray *readers; /* of Reader */
  GAsyncQueue *cut;   /* of TtEventBatch; the TtEventParts itself: no more */
  GQueue order;       /* of TtEventBatch: the caller's */
  GMutex lock;
  GCond has_read; /* is_read of a batch has changed */
};

/* -- reading ------------------------------------------------------------------------------------------ */

/* FALSE: it is for who reads the whole. */
static gboolean
read_event (Reader *self, TtTraceEvent *event)
{
  g_autoptr (GError) refused = NULL;
  TtJsonValue record;

  tt_event_fields_aim (&self->fields, event);
  return tt_json_next_in_part (self->json, &record) && tt_event_fields_fill (&self->fields, &record, event, &refused) &&
         event->ph != 0;
}

static void
read_part (Reader *self, TtEventBatch *batch)
{
  self->fields.repairs = &batch->repairs;
  tt_json_begin_part (self->json, &batch->part);
  while (!tt_json_is_part_done (self->json))
    {
      TtTraceEvent *event = &batch->events[batch->n_events];

      if (tt_event_batch_is_full (batch) || !read_event (self, event))
        return;
      tt_event_numbers_set (self->numbers, event);
      tt_event_batch_keep (batch);
    }
  batch->is_whole = TRUE;
}

static gpointer
read_parts (gpointer data)
{
  Reader *self = data;
  TtEventParts *parts = self->parts;
  gpointer next;

  while ((next = g_async_queue_pop (parts->cut)) != parts)
    {
      TtEventBatch *batch = next;

      batch->reader = self->number;
      read_part (self, batch);
      g_mutex_lock (&parts->lock);
      batch->is_read = TRUE;
      g_cond_signal (&parts->has_read);
      g_mutex_unlock (&parts->lock);
    }
  return NULL;
}

/* -- readers ------------------------------------------------------------------------------------------ */

static void
reader_free (gpointer item)
{
  Reader *self = item;

  if (self->thread != NULL)
    g_thread_join (self->thread);
  tt_json_free (self->json);
  tt_event_numbers_free (self->numbers);
  g_free (self);
}

/* FALSE: there are no threads any more. */
static gboolean
add_reader (TtEventParts *self, const char *path)
{
  Reader *reader = g_new0 (Reader, 1);

  reader->parts = self;
  reader->number = self->readers->len;
  reader->json = tt_json_new_for_parts (self->json, &reader->mended);
  reader->fields = (TtEventFields){ reader->json, NULL, path, FALSE };
  reader->numbers = tt_event_numbers_new ();
  reader->thread = g_thread_try_new ("part reader", read_parts, reader, NULL);
  if (reader->thread == NULL)
    {
      reader_free (reader);
      return FALSE;
    }
  g_ptr_array_add (self->readers, reader);
  return TRUE;
}

TtEventParts *
tt_event_parts_new (TtJson *json, const char *path, guint n_threads)
{
  TtEventParts *self = g_new0 (TtEventParts, 1);

  self->json = json;
  self->readers = g_ptr_array_new_with_free_func (reader_free);
  self->cut = g_async_queue_new ();
  g_queue_init (&self->order);
  g_mutex_init (&self->lock);
  g_cond_init (&self->has_read);
  while (self->readers->len < n_threads && add_reader (self, path))
    ;
  if (self->readers->len > 0)
    return self;
  tt_event_parts_free (self);
  return NULL;
}

void
tt_event_parts_free (TtEventParts *self)
{
  TtEventBatch *batch;

  if (self == NULL)
    return;
  for (guint i = 0; i < self->readers->len; i++)
    g_async_queue_push (self->cut, self);
  g_ptr_array_unref (self->readers);
  while ((batch = g_queue_pop_head (&self->order)) != NULL)
    tt_event_batch_free (batch);
  g_async_queue_unref (self->cut);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->has_read);
  g_free (self);
}

/* -- the caller --------------------------------------------------------------------------------------- */

gboolean
tt_event_parts_cut (TtEventParts *self, TtEventBatch *batch, gsize most)
{
  tt_event_batch_clear (batch);
  batch->part.bytes = (guint8 *) batch->bytes;
  batch->is_whole = batch->is_read = FALSE;
  if (!tt_json_cut (self->json, most, &batch->part))
    return FALSE;
  batch->used = batch->part.len;
  g_queue_push_tail (&self->order, batch);
  g_async_queue_push (self->cut, batch);
  return TRUE;
}

guint
tt_event_parts_n (const TtEventParts *self)
{
  return self->order.length;
}

gboolean
tt_event_parts_is_ready (TtEventParts *self)
{
  const TtEventBatch *batch = g_queue_peek_head (&self->order);
  gboolean is_ready;

  if (batch == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  is_ready = batch->is_read;
  g_mutex_unlock (&self->lock);
  return is_ready;
}

TtEventBatch *
tt_event_parts_take (TtEventParts *self)
{
  TtEventBatch *batch = g_queue_pop_head (&self->order);

  if (batch == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  while (!batch->is_read)
    g_cond_wait (&self->has_read, &self->lock);
  g_mutex_unlock (&self->lock);
  return batch;
}

void
tt_event_parts_number (TtEventParts *self, guint reader, TtEventNumbers *numbers, TtTraceEvent *event)
{
  Reader *from = self->readers->pdata[reader];
  guint32 *lane = &from->lanes[event->lane], *label = &from->labels[event->label];

  if (G_LIKELY (*lane != 0 && (*label != 0 || event->label == 0)))
    {
      event->lane = *lane;
      event->label = *label;
      return;
    }
  gboolean has_lane = event->lane != 0, has_label = event->label != 0;
  event->lane = event->label = 0;
  tt_event_numbers_set (numbers, event);
  if (has_lane)
    *lane = event->lane;
  if (has_label)
    *label = event->label;
}
