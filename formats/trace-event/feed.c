/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/feed-private.h"

/* The last batch is on its way, or nobody takes batches any more. */
static void
join (TtTraceEventFeed *self)
{
  TtEventBatch *batch;

  if (self->thread == NULL)
    return;
  g_atomic_int_set (&self->is_stopped, TRUE);
  while ((batch = g_async_queue_try_pop (self->full)) != NULL)
    g_async_queue_push (self->empty, batch);
  /* One that waits for all others finds this one, too. */
  if (self->batch != NULL)
    g_async_queue_push (self->empty, g_steal_pointer (&self->batch));
  g_thread_join (g_steal_pointer (&self->thread));
}

/* -- taking ----------------------------------------------------------------------------------------- */

TtTraceEventFeed *
tt_trace_event_feed_new (const char *path, TtSink *sink, gboolean strict, GError **error)
{
  TtTraceEventReader *reader = tt_trace_event_reader_new (path, strict ? sink : NULL, strict, error);

  if (reader == NULL)
    return NULL;
  TtTraceEventFeed *self = g_new0 (TtTraceEventFeed, 1);
  self->sink = sink;
  self->reader = reader;
  self->is_direct = strict;
  self->numbers = tt_event_numbers_new ();
  self->full = g_async_queue_new_full ((GDestroyNotify) tt_event_batch_free);
  self->empty = g_async_queue_new_full ((GDestroyNotify) tt_event_batch_free);
  return self;
}

void
tt_trace_event_feed_free (TtTraceEventFeed *self)
{
  if (self == NULL)
    return;
  join (self);
  tt_event_batch_free (self->batch);
  tt_event_parts_free (self->parts);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  tt_trace_event_reader_free (self->reader);
  tt_event_numbers_free (self->numbers);
  tt_span_order_free (self->order);
  g_free (self);
}

void
tt_trace_event_feed_index_args (TtTraceEventFeed *self)
{
  g_return_if_fail (self->batch == NULL);

  self->indexes_args = TRUE;
  tt_trace_event_reader_index_args (self->reader);
}

void
tt_trace_event_feed_expect_order (TtTraceEventFeed *self)
{
  g_return_if_fail (!self->is_direct && self->batch == NULL);

  if (self->order == NULL)
    self->order = tt_span_order_new ();
}

void
tt_trace_event_feed_use_readers (TtTraceEventFeed *self, guint n)
{
  g_return_if_fail (self->batch == NULL);

  self->n_readers = n;
  self->has_readers = TRUE;
}

gboolean
tt_trace_event_feed_is_unordered (const TtTraceEventFeed *self)
{
  return self->is_unordered;
}

void
tt_trace_event_feed_on_header (TtTraceEventFeed *self, TtHeaderFunc func, gpointer data)
{
  self->on_header = func;
  self->header_data = data;
  if (self->is_direct)
    tt_trace_event_reader_on_header (self->reader, func, data);
  else
    tt_trace_event_reader_pause_at_headers (self->reader, tt_feed_add_header, self);
}

guint64
tt_trace_event_feed_n_parts (const TtTraceEventFeed *self)
{
  return self->n_all_parts;
}

TtInput *
tt_trace_event_feed_input (TtTraceEventFeed *self)
{
  return tt_trace_event_reader_input (self->reader);
}

/* The headers that stand before the next event. */
static void
give_headers (TtTraceEventFeed *self)
{
  TtEventBatch *batch = self->batch;

  while (batch->next_header < batch->headers->len)
    {
      TtBatchHeader *header = &g_array_index (batch->headers, TtBatchHeader, batch->next_header);

      if (header->at > batch->next)
        return;
      batch->next_header++;
      if (self->on_header != NULL)
        self->on_header (&header->key, &header->value, self->header_data);
    }
}

/* The first batch is read here: only what is longer is worth a thread. */
static gboolean
take_batch (TtTraceEventFeed *self, GError **error)
{
  TtEventBatch *batch = self->batch;

  if (batch == NULL)
    {
      batch = tt_event_batch_new (self->indexes_args);
      tt_feed_fill (self, batch, TT_BATCH_EVENTS);
    }
  else
    {
      if (self->thread == NULL)
        tt_feed_start (self);
      if (self->thread == NULL)
        tt_feed_fill (self, batch, TT_BATCH_EVENTS);
      else
        {
          /* The next to be filled: it is still in a cache. */
          g_async_queue_push_front (self->empty, batch);
          batch = g_async_queue_pop (self->full);
        }
    }
  self->batch = batch;
  tt_repairs_merge (&self->sink->repairs, &batch->repairs);
  return tt_sink_check (self->sink, batch->progress, error);
}

/* What follows needs memory of its own. */
static void
free_batches (TtTraceEventFeed *self)
{
  TtEventBatch *batch;

  while ((batch = g_async_queue_try_pop (self->empty)) != NULL)
    tt_event_batch_free (batch);
  g_clear_pointer (&self->parts, tt_event_parts_free);
  g_clear_pointer (&self->numbers, tt_event_numbers_free);
}

static const TtTraceEvent *
end (TtTraceEventFeed *self, GError **error)
{
  GError *failed = g_steal_pointer (&self->batch->error);

  self->has_ended = TRUE;
  join (self);
  free_batches (self);
  if (failed != NULL)
    g_propagate_error (error, failed);
  return NULL;
}

/* What is not just the next event of the batch. */
static G_GNUC_NO_INLINE const TtTraceEvent *
next_slowly (TtTraceEventFeed *self, GError **error)
{
  if (self->is_direct)
    return tt_trace_event_reader_next (self->reader, &self->event, error) ? &self->event : NULL;
  while (!self->has_ended)
    {
      TtEventBatch *batch = self->batch;

      if (batch != NULL)
        {
          give_headers (self);
          if (batch->next < batch->n_events)
            return &batch->events[batch->next++];
          if (batch->is_last)
            return end (self, error);
        }
      if (!take_batch (self, error))
        return NULL;
    }
  return NULL;
}

const TtTraceEvent *
tt_trace_event_feed_next (TtTraceEventFeed *self, GError **error)
{
  TtEventBatch *batch = self->batch;

  if (G_LIKELY (batch != NULL && batch->next_header == batch->headers->len && batch->next < batch->n_events &&
                !self->has_ended))
    return &batch->events[batch->next++];
  return next_slowly (self, error);
}
