/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink-back.h"

/* Backs that stand before another one, and the one that keeps nothing. */

gboolean
tt_sink_back_finish (TtSinkBack *self, GError **error)
{
  return self->klass->finish == NULL || self->klass->finish (self, error);
}

void
tt_sink_back_free (TtSinkBack *self)
{
  if (self == NULL)
    return;
  if (self->klass->dispose != NULL)
    self->klass->dispose (self);
  g_free (self);
}

/* -- nothing ------------------------------------------------------------------------------------ */

static TtBatch *
null_write (TtSinkBack *self, TtBatch *batch, GError **error)
{
  tt_batch_clear (batch);
  return batch;
}

static const TtSinkBackClass null_class = { .name = "null", .write = null_write };

TtSinkBack *
tt_null_back_new (void)
{
  TtSinkBack *self = g_new0 (TtSinkBack, 1);

  self->klass = &null_class;
  return self;
}

/* -- observed ------------------------------------------------------------------------------------- */

typedef struct
{
  TtSinkBack back;
  TtSinkBack *next;
  TtBatchObserver observe;
  gpointer data;
} ObservedBack;

static TtBatch *
observed_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  ObservedBack *self = (ObservedBack *) back;

  self->observe (batch, self->data);
  return self->next->klass->write (self->next, batch, error);
}

static gboolean
observed_finish (TtSinkBack *back, GError **error)
{
  return tt_sink_back_finish (((ObservedBack *) back)->next, error);
}

static void
observed_dispose (TtSinkBack *back)
{
  tt_sink_back_free (((ObservedBack *) back)->next);
}

static const TtSinkBackClass observed_class = {
  .name = "observed",
  .write = observed_write,
  .finish = observed_finish,
  .dispose = observed_dispose,
};

TtSinkBack *
tt_observed_back_new (TtSinkBack *next, TtBatchObserver observe, gpointer data)
{
  ObservedBack *self = g_new0 (ObservedBack, 1);

  self->back.klass = &observed_class;
  self->next = next;
  self->observe = observe;
  self->data = data;
  return &self->back;
}

/* -- threaded ------------------------------------------------------------------------------------- */

typedef struct
{
  TtSinkBack back;
  TtSinkBack *next;
  GThread *thread;
  GAsyncQueue *full;  /* of TtBatch; the sentinel ends the thread */
  GAsyncQueue *empty; /* of TtBatch */
  GMutex lock;
  GError *error; /* under lock: of the next back */
} ThreadedBack;

static TtBatch sentinel;

static gpointer
write_batches (gpointer data)
{
  ThreadedBack *self = data;
  gboolean failed = FALSE;

  for (TtBatch *batch; (batch = g_async_queue_pop (self->full)) != &sentinel;)
    {
      TtBatch *empty = NULL;
      GError *error = NULL;

      if (!failed)
        empty = self->next->klass->write (self->next, batch, &error);
      if (empty == NULL)
        {
          tt_batch_clear (batch);
          empty = batch;
        }
      if (error != NULL)
        {
          failed = TRUE;
          g_mutex_lock (&self->lock);
          self->error = error;
          g_mutex_unlock (&self->lock);
        }
      g_async_queue_push (self->empty, empty);
    }
  return NULL;
}

static gboolean
copy_error (ThreadedBack *self, GError **error)
{
  g_mutex_lock (&self->lock);
  gboolean failed = self->error != NULL;
  if (failed)
    g_propagate_error (error, g_error_copy (self->error));
  g_mutex_unlock (&self->lock);
  return failed;
}

static TtBatch *
threaded_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  ThreadedBack *self = (ThreadedBack *) back;

  if (copy_error (self, error))
    return NULL;
  g_async_queue_push (self->full, batch);
  return g_async_queue_pop (self->empty);
}

static void
join_thread (ThreadedBack *self)
{
  if (self->thread == NULL)
    return;
  g_async_queue_push (self->full, &sentinel);
  g_thread_join (g_steal_pointer (&self->thread));
}

static gboolean
threaded_finish (TtSinkBack *back, GError **error)
{
  ThreadedBack *self = (ThreadedBack *) back;

  join_thread (self);
  if (copy_error (self, error))
    return FALSE;
  return tt_sink_back_finish (self->next, error);
}

static void
threaded_dispose (TtSinkBack *back)
{
  ThreadedBack *self = (ThreadedBack *) back;

  join_thread (self);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  g_mutex_clear (&self->lock);
  g_clear_error (&self->error);
  tt_sink_back_free (self->next);
}

static const TtSinkBackClass threaded_class = {
  .name = "threaded",
  .write = threaded_write,
  .finish = threaded_finish,
  .dispose = threaded_dispose,
};

TtSinkBack *
tt_threaded_back_new (TtSinkBack *next, const char *name, guint n_batches)
{
  ThreadedBack *self = g_new0 (ThreadedBack, 1);

  self->back.klass = &threaded_class;
  self->next = next;
  self->full = g_async_queue_new_full ((GDestroyNotify) tt_batch_free);
  self->empty = g_async_queue_new_full ((GDestroyNotify) tt_batch_free);
  for (guint i = 1; i < n_batches; i++)
    g_async_queue_push (self->empty, tt_batch_new ());
  g_mutex_init (&self->lock);
  self->thread = g_thread_try_new (name, write_batches, self, NULL);
  if (self->thread != NULL)
    return &self->back;
  self->next = NULL;
  tt_sink_back_free (&self->back);
  return next;
}
