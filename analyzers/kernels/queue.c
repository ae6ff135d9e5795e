/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/queue.h"

#include "src/base/sorter.h"

#define SORT_BYTES ((gsize) 32 << 20)

/* At one moment what ends is gone before the launches, which see one another. */
typedef struct
{
  guint64 thread, ns_key;
  guint64 is_launch;
} Change;

struct _TtQueues
{
  TtSorter *ends, *launches; /* of Change */
  TtQueue *queues;           /* by thread */
};

TtQueues *
tt_queues_new (guint32 max_thread)
{
  TtQueues *self = g_new0 (TtQueues, 1);

  self->ends = tt_sorter_new (sizeof (Change), SORT_BYTES);
  self->launches = tt_sorter_new (sizeof (Change), SORT_BYTES);
  self->queues = g_new0 (TtQueue, (gsize) max_thread + 1);
  return self;
}

void
tt_queues_free (TtQueues *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->ends);
  tt_sorter_free (self->launches);
  g_free (self->queues);
  g_free (self);
}

void
tt_queues_add (TtQueues *self, guint32 thread, gint64 launch_ns, gint64 end_ns)
{
  Change *launch = tt_sorter_add (self->launches), *end = tt_sorter_add (self->ends);

  *launch = (Change){ thread, tt_sort_key (launch_ns), TRUE };
  *end = (Change){ thread, tt_sort_key (end_ns), FALSE };
}

void
tt_queues_set (TtQueues *self, guint32 thread, const TtQueue *queue)
{
  self->queues[thread] = *queue;
}

static gboolean
is_before (const Change *a, guint64 thread, guint64 ns_key)
{
  return a->thread < thread || (a->thread == thread && a->ns_key <= ns_key);
}

/* @n launches of one moment. */
static void
take_launches (TtQueue *queue, guint64 n, guint64 n_ended)
{
  queue->n_launches += n;
  /* A clock that runs backwards ends work before it is launched. */
  guint64 length = queue->n_launches > n_ended ? queue->n_launches - n_ended : 0;
  queue->sum += n * length;
  queue->max = MAX (queue->max, length);
}

gboolean
tt_queues_finish (TtQueues *self, GError **error)
{
  GError *failure = NULL;

  if (!tt_sorter_finish (self->ends, error) || !tt_sorter_finish (self->launches, error))
    return FALSE;
  const Change *end = tt_sorter_next (self->ends, &failure);
  const Change *launch = failure == NULL ? tt_sorter_next (self->launches, &failure) : NULL;
  guint64 n_ended = 0, thread = 0;
  while (launch != NULL && failure == NULL)
    {
      guint64 ns_key = launch->ns_key, n = 0;

      if (launch->thread != thread)
        n_ended = 0;
      thread = launch->thread;
      for (; launch != NULL && launch->thread == thread && launch->ns_key == ns_key; n++)
        launch = tt_sorter_next (self->launches, &failure);
      for (; end != NULL && is_before (end, thread, ns_key); end = tt_sorter_next (self->ends, &failure))
        n_ended += end->thread == thread;
      take_launches (&self->queues[thread], n, n_ended);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

const TtQueue *
tt_queues_get (const TtQueues *self, guint32 thread)
{
  return &self->queues[thread];
}
