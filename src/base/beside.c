/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/beside.h"

#include "src/base/readers.h"

#define MAX_THREADS 8u

typedef struct
{
  TtBesideFunc func;
  gpointer data;
  guint n;
  gint next;
} Work;

static gpointer
do_some (gpointer data)
{
  Work *self = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&self->next, 1)) < self->n)
    self->func (i, self->data);
  return NULL;
}

void
tt_each_beside (guint n, TtBesideFunc func, gpointer data)
{
  Work work = { func, data, n, 0 };
  GThread *threads[MAX_THREADS - 1] = { NULL };
  guint n_threads = MIN (MIN (tt_count_processors (), MAX_THREADS), n);

  /* A thread that cannot be had is not needed. */
  for (guint i = 0; i + 1 < n_threads; i++)
    threads[i] = g_thread_try_new ("beside", do_some, &work, NULL);
  do_some (&work);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}
