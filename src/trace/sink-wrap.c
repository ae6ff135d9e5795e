#include "config.h"

#include "src/trace/sink.h"

/* Sinks that stand before another one, and the one that keeps nothing. */

/* -- nothing ------------------------------------------------------------------------------------ */

static TtBatch *
null_write (TtSink *self, TtBatch *batch, GError **error)
{
  tt_batch_clear (batch);
  return batch;
}

static const TtSinkClass null_class = { .name = "null", .write = null_write };

TtSink *
tt_null_sink_new (TtNames *names)
{
  TtSink *self = g_new0 (TtSink, 1);

  tt_sink_init (self, &null_class, names);
  return self;
}

/* -- shared by the two wrappers ------------------------------------------------------------------- */

/* The wrapper's front takes over where the inner one stands: ids, tables, names, progress. */
static void
take_front (TtSink *self, const TtSinkClass *klass, TtSink *inner)
{
  tt_sink_init (self, klass, g_steal_pointer (&inner->names));
  self->progress = inner->progress;
  self->next_source = inner->next_source;
  self->next_process = inner->next_process;
  self->next_thread = inner->next_thread;
  self->next_series = inner->next_series;
  self->next_owner = inner->next_owner;
  self->next_event = inner->next_event;
  self->next_args = inner->next_args;

  GHashTable **mine[] = { &self->processes, &self->threads, &self->series };
  GHashTable **theirs[] = { &inner->processes, &inner->threads, &inner->series };
  for (guint i = 0; i < G_N_ELEMENTS (mine); i++)
    {
      GHashTable *swap = *mine[i];
      *mine[i] = *theirs[i];
      *theirs[i] = swap;
    }
}

/* -- observed ------------------------------------------------------------------------------------- */

typedef struct
{
  TtSink sink;
  TtSink *inner;
  TtBatchObserver observe;
  gpointer data;
} ObservedSink;

static TtBatch *
observed_write (TtSink *sink, TtBatch *batch, GError **error)
{
  ObservedSink *self = (ObservedSink *) sink;

  self->observe (batch, self->data);
  return self->inner->klass->write (self->inner, batch, error);
}

static gboolean
observed_finish (TtSink *sink, GError **error)
{
  TtSink *inner = ((ObservedSink *) sink)->inner;

  return inner->klass->finish == NULL || inner->klass->finish (inner, error);
}

static void
observed_dispose (TtSink *sink)
{
  tt_sink_free (((ObservedSink *) sink)->inner);
}

static const TtSinkClass observed_class = {
  .name = "observed",
  .write = observed_write,
  .finish = observed_finish,
  .dispose = observed_dispose,
};

TtSink *
tt_observed_sink_new (TtSink *inner, TtBatchObserver observe, gpointer data)
{
  ObservedSink *self = g_new0 (ObservedSink, 1);

  take_front (&self->sink, &observed_class, inner);
  self->inner = inner;
  self->observe = observe;
  self->data = data;
  return &self->sink;
}

/* -- threaded ------------------------------------------------------------------------------------- */

/* Enough to smooth out the two sides; each is about a megabyte. */
#define N_BATCHES 4

typedef struct
{
  TtSink sink;
  TtSink *inner;
  GThread *thread;
  GAsyncQueue *full;  /* of TtBatch; the sentinel ends the thread */
  GAsyncQueue *empty; /* of TtBatch */
  GMutex lock;
  GError *error; /* under lock: of the inner back */
} ThreadedSink;

static TtBatch sentinel;

static gpointer
write_batches (gpointer data)
{
  ThreadedSink *self = data;
  gboolean failed = FALSE;

  for (TtBatch *batch; (batch = g_async_queue_pop (self->full)) != &sentinel;)
    {
      TtBatch *next = NULL;
      GError *error = NULL;

      if (!failed)
        next = self->inner->klass->write (self->inner, batch, &error);
      if (next == NULL)
        {
          tt_batch_clear (batch);
          next = batch;
        }
      if (error != NULL)
        {
          failed = TRUE;
          g_mutex_lock (&self->lock);
          self->error = error;
          g_mutex_unlock (&self->lock);
        }
      g_async_queue_push (self->empty, next);
    }
  return NULL;
}

static gboolean
take_error (ThreadedSink *self, GError **error)
{
  g_mutex_lock (&self->lock);
  gboolean failed = self->error != NULL;
  if (failed)
    g_propagate_error (error, g_error_copy (self->error));
  g_mutex_unlock (&self->lock);
  return failed;
}

static TtBatch *
threaded_write (TtSink *sink, TtBatch *batch, GError **error)
{
  ThreadedSink *self = (ThreadedSink *) sink;

  if (take_error (self, error))
    return NULL;
  g_async_queue_push (self->full, batch);
  return g_async_queue_pop (self->empty);
}

static void
join (ThreadedSink *self)
{
  if (self->thread == NULL)
    return;
  g_async_queue_push (self->full, &sentinel);
  g_thread_join (g_steal_pointer (&self->thread));
}

static gboolean
threaded_finish (TtSink *sink, GError **error)
{
  ThreadedSink *self = (ThreadedSink *) sink;

  join (self);
  if (take_error (self, error))
    return FALSE;
  return self->inner->klass->finish == NULL || self->inner->klass->finish (self->inner, error);
}

static void
threaded_dispose (TtSink *sink)
{
  ThreadedSink *self = (ThreadedSink *) sink;

  join (self);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  g_mutex_clear (&self->lock);
  g_clear_error (&self->error);
  tt_sink_free (self->inner);
}

static const TtSinkClass threaded_class = {
  .name = "threaded",
  .write = threaded_write,
  .finish = threaded_finish,
  .dispose = threaded_dispose,
};

TtSink *
tt_threaded_sink_new (TtSink *inner)
{
  ThreadedSink *self = g_new0 (ThreadedSink, 1);

  take_front (&self->sink, &threaded_class, inner);
  self->inner = inner;
  self->full = g_async_queue_new_full ((GDestroyNotify) tt_batch_free);
  self->empty = g_async_queue_new_full ((GDestroyNotify) tt_batch_free);
  for (int i = 0; i < N_BATCHES - 1; i++)
    g_async_queue_push (self->empty, tt_batch_new ());
  g_mutex_init (&self->lock);
  self->thread = g_thread_new ("writer", write_batches, self);
  return &self->sink;
}
