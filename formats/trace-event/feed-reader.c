/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/feed-private.h"

#include "src/base/error.h"
#include "src/base/readers.h"

/* Without those for parts. So many that whoever reads does not wait while the processor of the other is another thread's. */
#define N_BATCHES 12u
#define BATCHES_A_READER 2u
/* Batches that one thread reads alone: before others read parts, and after they could not. */
#define ALONE_AT_FIRST 8u
#define ALONE_AT_LEAST 4u
#define ALONE_AT_MOST (1u << 20)
/* So many parts without a hitch: the file is worth several threads. */
#define MANY_PARTS 64u
#define MAX_PART_READERS 4u

void
tt_feed_add_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  TtTraceEventFeed *self = data;

  tt_event_batch_add_header (self->filling, key, value);
  if (self->order != NULL)
    tt_span_order_take_header (self->order, key, value);
}

/* -- reading ---------------------------------------------------------------------------------------- */

static gboolean
fail_order (TtTraceEventFeed *self, GError **error)
{
  self->is_unordered = TRUE;
  g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "spans are in no order");
  return FALSE;
}

/* The next event into @event; FALSE at the end or with *error. */
static gboolean
read_event (TtTraceEventFeed *self, TtTraceEvent *event, GError **error)
{
  gboolean is_there = tt_trace_event_reader_next (self->reader, event, error);

  if (G_LIKELY (is_there && event->ph != 0))
    tt_event_numbers_set (self->numbers, event);
  if (G_LIKELY (self->order == NULL) || (is_there && event->ph == 0))
    return is_there;
  if (!is_there && *error != NULL)
    return FALSE;
  if (is_there ? tt_span_order_take (self->order, event) : tt_span_order_end (self->order))
    return is_there;
  return fail_order (self, error);
}

void
tt_feed_fill (TtTraceEventFeed *self, TtEventBatch *batch, guint most)
{
  tt_event_batch_clear (batch);
  self->filling = batch;
  while (batch->n_events < most && !tt_event_batch_is_full (batch))
    {
      TtTraceEvent *event = &batch->events[batch->n_events];

      if (self->has_event)
        *event = self->event;
      else if (!read_event (self, event, &batch->error))
        {
          batch->is_last = TRUE;
          break;
        }
      self->has_event = event->ph != 0 && !tt_event_batch_take (batch);
      if (G_UNLIKELY (batch->error != NULL))
        {
          batch->is_last = TRUE;
          g_prefix_error (&batch->error, "%s: ", tt_input_path (tt_trace_event_reader_input (self->reader)));
        }
      if (self->has_event)
        {
          self->event = *event;
          break;
        }
    }
  tt_trace_event_reader_take_repairs (self->reader, &batch->repairs);
  batch->progress = tt_trace_event_reader_progress (self->reader);
}

/* Until all other batches have come back, so that no two long events are in memory. */
static void
wait_for_others (TtTraceEventFeed *self)
{
  GQueue others = G_QUEUE_INIT;

  while (others.length + 1 < self->n_batches)
    g_queue_push_tail (&others, g_async_queue_pop (self->empty));
  while (others.length > 0)
    g_async_queue_push (self->empty, g_queue_pop_head (&others));
}

/* FALSE: it was the last. */
static gboolean
read_alone (TtTraceEventFeed *self, guint most)
{
  TtEventBatch *batch = g_async_queue_pop (self->empty);

  if (g_atomic_int_get (&self->is_stopped))
    tt_event_batch_clear (batch);
  else
    tt_feed_fill (self, batch, most);
  gboolean is_last = batch->is_last, is_long = batch->room > TT_BATCH_KEPT_BYTES && !is_last;
  g_async_queue_push (self->full, batch);
  if (is_long)
    wait_for_others (self);
  return !is_last;
}

/* -- parts -------------------------------------------------------------------------------------------- */

/* FALSE: nobody else can read. */
static gboolean
start_readers (TtTraceEventFeed *self, TtJson *json)
{
  if (self->parts != NULL)
    return TRUE;
  self->parts = tt_event_parts_new (json, tt_input_path (tt_trace_event_reader_input (self->reader)), self->n_readers);
  if (self->parts == NULL)
    {
      self->n_readers = 0;
      return FALSE;
    }
  for (guint i = 0; i < self->n_readers * BATCHES_A_READER; i++, self->n_batches++)
    g_async_queue_push (self->empty, tt_event_batch_new (self->indexes_args));
  self->part_bytes = TT_BATCH_BYTES / 4;
  return TRUE;
}

/* Parts have three quarters of the events of a batch, if theirs are as long as these. */
static void
choose_part_bytes (TtTraceEventFeed *self, const TtEventBatch *batch)
{
  gsize wanted =
      batch->is_whole ? batch->part.len / MAX (batch->n_events, 1) * (TT_BATCH_EVENTS / 4 * 3) : self->part_bytes / 2;

  self->part_bytes = CLAMP (wanted, TT_BATCH_BYTES / 16, TT_BATCH_BYTES);
}

/* What threads leave to the one that goes through all events. FALSE: the events are in no order; *batch ends there. */
static gboolean
end_part (TtTraceEventFeed *self, TtEventBatch *batch)
{
  for (guint i = 0; i < batch->n_events; i++)
    {
      TtTraceEvent *event = &batch->events[i];

      tt_event_parts_number (self->parts, batch->reader, self->numbers, event);
      if (self->order != NULL && !tt_span_order_take (self->order, event))
        {
          batch->n_events = i;
          batch->is_last = TRUE;
          return fail_order (self, &batch->error);
        }
    }
  return TRUE;
}

/* @failed is not whole: it is read again, with all that come after it. */
static void
take_back (TtTraceEventFeed *self, TtJson *json, TtEventBatch *failed)
{
  GQueue back = G_QUEUE_INIT;
  TtEventBatch *batch;

  for (batch = failed; batch != NULL; batch = tt_event_parts_take (self->parts))
    g_queue_push_head (&back, batch);
  while ((batch = g_queue_pop_head (&back)) != NULL)
    {
      tt_json_put_back (json, (TtSlice){ batch->bytes, batch->part.len });
      tt_event_batch_clear (batch);
      g_async_queue_push (self->empty, batch);
    }
}

/* Has another part read, if there is a batch for it. FALSE: there is no part. */
static gboolean
cut_part (TtTraceEventFeed *self, gboolean *is_cut)
{
  gboolean must_wait = tt_event_parts_n (self->parts) == 0;
  TtEventBatch *batch = must_wait ? g_async_queue_pop (self->empty) : g_async_queue_try_pop (self->empty);

  *is_cut = FALSE;
  if (batch == NULL)
    return TRUE;
  *is_cut = !g_atomic_int_get (&self->is_stopped) && tt_event_parts_cut (self->parts, batch, self->part_bytes);
  if (*is_cut)
    batch->progress = tt_trace_event_reader_progress (self->reader);
  else
    g_async_queue_push (self->empty, batch);
  return *is_cut;
}

/* As long as there are parts. FALSE: the last batch was given, or nobody takes batches any more. */
static gboolean
read_parts (TtTraceEventFeed *self, TtJson *json)
{
  gboolean goes_on = TRUE, is_cut = TRUE;

  for (;;)
    {
      if (goes_on && !tt_event_parts_is_ready (self->parts))
        {
          goes_on = cut_part (self, &is_cut);
          if (is_cut)
            continue;
        }

      TtEventBatch *batch = tt_event_parts_take (self->parts);
      if (batch == NULL)
        return !g_atomic_int_get (&self->is_stopped);
      choose_part_bytes (self, batch);
      if (!batch->is_whole)
        {
          take_back (self, json, batch);
          return TRUE;
        }
      self->n_parts++;
      self->n_all_parts++;
      gboolean is_good = end_part (self, batch);
      g_async_queue_push (self->full, batch);
      if (!is_good)
        return FALSE;
    }
}

/* Where it can be: parts of the file by several threads. FALSE: as read_parts(). */
static gboolean
read_together (TtTraceEventFeed *self)
{
  TtJson *json = tt_trace_event_reader_between_events (self->reader);

  if (json == NULL || !start_readers (self, json))
    return TRUE;
  if (self->has_event && !read_alone (self, 1))
    return FALSE;
  self->n_parts = 0;
  if (!read_parts (self, json))
    return FALSE;
  self->patience = self->n_parts >= MANY_PARTS ? ALONE_AT_LEAST : MIN (2 * self->patience, ALONE_AT_MOST);
  self->n_alone = self->patience;
  return TRUE;
}

static gpointer
read_ahead (gpointer data)
{
  TtTraceEventFeed *self = data;

  for (gboolean goes_on = TRUE; goes_on && !g_atomic_int_get (&self->is_stopped);)
    if (self->n_readers > 0 && self->n_alone == 0)
      {
        self->n_alone = ALONE_AT_LEAST;
        goes_on = read_together (self);
      }
    else
      {
        goes_on = read_alone (self, TT_BATCH_EVENTS);
        self->n_alone -= self->n_alone > 0;
      }
  return NULL;
}

/* Whoever understands the events needs a processor, and the one that cuts some of another. */
static guint
how_many_readers (void)
{
  guint n;

  if (tt_readers_wanted (MAX_PART_READERS, &n))
    return n;
  return MIN (n - MIN (n, 1), MAX_PART_READERS);
}

void
tt_feed_start (TtTraceEventFeed *self)
{
  for (guint i = 0; i + 1 < N_BATCHES; i++)
    g_async_queue_push (self->empty, tt_event_batch_new (self->indexes_args));
  self->n_batches = N_BATCHES;
  self->n_alone = ALONE_AT_FIRST;
  self->patience = ALONE_AT_LEAST;
  if (!self->has_readers)
    self->n_readers = how_many_readers ();
  self->thread = g_thread_try_new ("reader", read_ahead, self, NULL);
}
