/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/merge.h"

#include "src/base/heap.h"
#include "src/base/readers.h"

#define EVENTS_PER_CHECK 16384u
#define MAX_THREADS 8u
/* Of all streams: fewer are not worth a thread. */
#define MIN_THREADED_BYTES ((guint64) 256 << 10)

/* Memory for all streams together, and of one. */
#define ALL_BYTES ((gsize) 8 << 20)
#define MIN_BYTES ((gsize) 8 << 10)
#define MAX_BYTES ((gsize) 256 << 10)

/* A stream: the batch that is read, and the one that is filled meanwhile. */
typedef struct
{
  TtCtfFeed *feed;
  const TtCtfSource *source;
  guint index;
  TtCtfBatch batches[2];
  guint current;
  gboolean is_filling; /* the other one; under the lock */
  gint64 ts_ns;        /* of the event that comes next */
} Lane;

typedef struct
{
  const TtCtfHandler *handler;
  gpointer data;
  Lane *lanes;
  guint n_lanes;
  Lane **heap; /* those with an event, the earliest on top */
  guint n_heap;
  guint64 n_events;
  gsize n_bytes; /* of a batch */
  GThread *threads[MAX_THREADS];
  guint n_threads;
  GMutex lock;
  GCond wake, done;
  GQueue wanted; /* lanes whose other batch is to be filled; under the lock */
  gboolean is_over;
} Merge;

/* -- filling --------------------------------------------------------------------------------------------------------- */

static void
fill_other (const Merge *self, Lane *lane)
{
  tt_ctf_feed_fill (lane->feed, &lane->batches[1 - lane->current], self->n_bytes);
}

static gpointer
fill_batches (gpointer data)
{
  Merge *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_over)
    {
      Lane *lane = g_queue_pop_head (&self->wanted);

      if (lane == NULL)
        {
          g_cond_wait (&self->wake, &self->lock);
          continue;
        }
      g_mutex_unlock (&self->lock);
      fill_other (self, lane);
      g_mutex_lock (&self->lock);
      lane->is_filling = FALSE;
      g_cond_signal (&self->done);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

static guint64
count_bytes (const Merge *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->n_lanes; i++)
    for (guint k = 0; k < self->lanes[i].source->files->len; k++)
      n += ((const TtCtfSourceFile *) self->lanes[i].source->files->pdata[k])->n_bytes;
  return n;
}

static void
start_threads (Merge *self)
{
  guint n = MIN (MIN (tt_count_processors () - 1, MAX_THREADS), self->n_lanes);

  if (count_bytes (self) < MIN_THREADED_BYTES)
    return;
  while (self->n_threads < n)
    {
      GThread *thread = g_thread_try_new ("streams", fill_batches, self, NULL);

      /* The caller does what no thread does. */
      if (thread == NULL)
        return;
      self->threads[self->n_threads++] = thread;
    }
}

static void
stop_threads (Merge *self)
{
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n_threads; i++)
    g_thread_join (self->threads[i]);
}

/* Has the lane's other batch filled. */
static void
want_other (Merge *self, Lane *lane)
{
  if (self->n_threads == 0)
    return;
  g_mutex_lock (&self->lock);
  lane->is_filling = TRUE;
  g_queue_push_tail (&self->wanted, lane);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

/* Goes on to the other batch; FALSE: there is none. */
static gboolean
turn (Merge *self, Lane *lane)
{
  if (lane->batches[lane->current].is_last)
    return FALSE;
  if (self->n_threads == 0)
    fill_other (self, lane);
  else
    {
      g_mutex_lock (&self->lock);
      while (lane->is_filling)
        g_cond_wait (&self->done, &self->lock);
      g_mutex_unlock (&self->lock);
    }
  lane->current = 1 - lane->current;
  if (!lane->batches[lane->current].is_last)
    want_other (self, lane);
  return TRUE;
}

/* -- records --------------------------------------------------------------------------------------------------------- */

static void
tell_loss (const Merge *self, const Lane *lane, const TtCtfRecord *record)
{
  const TtCtfLoss loss = { .kind = (TtCtfLossKind) record->u.lost.kind,
                           .count = record->u.lost.count,
                           .stream = lane->index,
                           .from_ns = record->u.lost.from_ns,
                           .until_ns = record->ts_ns };

  if (self->handler->lost != NULL)
    self->handler->lost (&loss, self->data);
}

static void
tell_break (const Merge *self, const Lane *lane, const TtCtfRecord *record)
{
  if (self->handler->broken != NULL)
    self->handler->broken (lane->source->name, (TtCtfBreak) record->u.broken.how, record->u.broken.why, self->data);
}

/* As the next one, where more than an event comes next. */
static gboolean
go_further (Merge *self, Lane *lane, GError **error)
{
  for (;;)
    {
      TtCtfBatch *batch = &lane->batches[lane->current];
      const TtCtfRecord *record = tt_ctf_batch_record (batch);

      if (record == NULL && batch->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&batch->error));
          return FALSE;
        }
      if (record == NULL)
        {
          if (!turn (self, lane))
            return FALSE;
          continue;
        }
      if (record->kind == TT_CTF_RECORD_EVENT)
        {
          lane->ts_ns = record->ts_ns;
          return TRUE;
        }
      if (record->kind == TT_CTF_RECORD_LOST)
        tell_loss (self, lane, record);
      else
        tell_break (self, lane, record);
      batch->at += record->n_bytes;
    }
}

/* Goes on to the lane's next event, and tells what comes before it; FALSE: there is none, or @error. */
static inline gboolean
go_to_event (Merge *self, Lane *lane, GError **error)
{
  const TtCtfRecord *record = tt_ctf_batch_record (&lane->batches[lane->current]);

  if (G_UNLIKELY (record == NULL || record->kind != TT_CTF_RECORD_EVENT))
    return go_further (self, lane, error);
  lane->ts_ns = record->ts_ns;
  return TRUE;
}

static void
tell_event (Merge *self, Lane *lane)
{
  TtCtfBatch *batch = &lane->batches[lane->current];
  const TtCtfRecord *record = tt_ctf_batch_record (batch);
  gsize n_slots = (gsize) record->u.event.klass->members->len * 8;
  const TtCtfEvent event = { .klass = record->u.event.klass,
                             .ts_ns = record->ts_ns,
                             .number = ++self->n_events,
                             .stream = lane->index,
                             .is_moved = record->u.event.is_moved,
                             .is_outgrown = record->u.event.is_outgrown,
                             .n_bytes = record->u.event.size,
                             .slots = (const guint8 *) (record + 1),
                             .tail = (const char *) (record + 1) + n_slots,
                             .tail_len = record->u.event.tail_len };

  self->handler->event (&event, self->data);
  batch->at += record->n_bytes;
}

/* -- merging --------------------------------------------------------------------------------------------------------- */

static gboolean
is_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const Lane *x = *(Lane *const *) a, *y = *(Lane *const *) b;

  return x->ts_ns < y->ts_ns || (x->ts_ns == y->ts_ns && x->index < y->index);
}

static gboolean
fill_heap (Merge *self, GError **error)
{
  GError *local = NULL;

  for (guint i = 0; i < self->n_lanes; i++)
    want_other (self, &self->lanes[i]);
  for (guint i = 0; i < self->n_lanes; i++)
    {
      if (go_to_event (self, &self->lanes[i], &local))
        self->heap[self->n_heap++] = &self->lanes[i];
      if (local == NULL)
        continue;
      g_propagate_error (error, local);
      return FALSE;
    }
  tt_heap_make (self->heap, sizeof *self->heap, self->n_heap, is_before, NULL);
  return TRUE;
}

/* The lane that comes after the first one; NULL: there is none. */
static const Lane *
second_of (const Merge *self)
{
  if (self->n_heap < 3)
    return self->n_heap < 2 ? NULL : self->heap[1];
  return is_before (&self->heap[1], &self->heap[2], NULL) ? self->heap[1] : self->heap[2];
}

/* Tells the events of the first lane up to those of the others. */
static gboolean
tell_run (Merge *self, GError **error)
{
  GError *local = NULL;
  const Lane *second = second_of (self);
  Lane *first = self->heap[0];
  gboolean has_more = TRUE;

  do
    {
      tell_event (self, first);
      has_more = go_to_event (self, first, &local);
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (self->n_events % EVENTS_PER_CHECK == 0 && self->handler->check != NULL &&
          !self->handler->check (self->data, error))
        return FALSE;
    }
  while (has_more && (second == NULL || is_before (&first, &second, NULL)));
  if (!has_more)
    self->heap[0] = self->heap[--self->n_heap];
  return TRUE;
}

static gboolean
merge (Merge *self, GError **error)
{
  if (!fill_heap (self, error))
    return FALSE;
  while (self->n_heap > 0)
    {
      if (!tell_run (self, error))
        return FALSE;
      if (self->n_heap > 1)
        tt_heap_lower (self->heap, sizeof *self->heap, self->n_heap, 0, is_before, NULL);
    }
  return TRUE;
}

gboolean
tt_ctf_merge (const TtCtfPlans *plans,
              const GPtrArray *sources,
              const TtCtfHandler *handler,
              gpointer data,
              GError **error)
{
  gsize share = ALL_BYTES / MAX (sources->len, 1);
  Merge self = {
    .handler = handler, .data = data, .n_lanes = sources->len, .n_bytes = CLAMP (share, MIN_BYTES, MAX_BYTES)
  };

  self.lanes = g_new0 (Lane, MAX (sources->len, 1));
  self.heap = g_new0 (Lane *, MAX (sources->len, 1));
  g_mutex_init (&self.lock);
  g_cond_init (&self.wake);
  g_cond_init (&self.done);
  for (guint i = 0; i < sources->len; i++)
    {
      self.lanes[i].index = i;
      self.lanes[i].source = sources->pdata[i];
      self.lanes[i].feed = tt_ctf_feed_new (plans, sources->pdata[i], self.n_bytes);
    }
  start_threads (&self);
  gboolean is_merged = merge (&self, error);
  stop_threads (&self);
  for (guint i = 0; i < sources->len; i++)
    {
      tt_ctf_feed_free (self.lanes[i].feed);
      tt_ctf_batch_clear (&self.lanes[i].batches[0]);
      tt_ctf_batch_clear (&self.lanes[i].batches[1]);
    }
  g_queue_clear (&self.wanted);
  g_cond_clear (&self.wake);
  g_cond_clear (&self.done);
  g_mutex_clear (&self.lock);
  g_free (self.heap);
  g_free (self.lanes);
  return is_merged;
}
