/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/result.h"

#include "analyzers/process-order.h"

TtKernels *
tt_kernels_new_empty (void)
{
  TtKernels *self = g_new0 (TtKernels, 1);

  self->kernels = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->calls = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->api = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->mpi = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->os = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->openmp = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (TtRangeRow));
  self->copies = g_array_new (FALSE, FALSE, sizeof (TtCopyRow));
  self->operators = g_array_new (FALSE, FALSE, sizeof (TtOperatorRow));
  self->streams = g_array_new (FALSE, FALSE, sizeof (TtStreamRow));
  self->times = tt_spreads_new ();
  self->sizes = tt_spreads_new ();
  self->delays = tt_spreads_new ();
  self->gaps = tt_spreads_new ();
  return self;
}

void
tt_kernels_free (TtKernels *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->kernels);
  g_array_unref (self->calls);
  g_array_unref (self->api);
  g_array_unref (self->mpi);
  g_array_unref (self->os);
  g_array_unref (self->openmp);
  g_array_unref (self->ranges);
  g_array_unref (self->copies);
  g_array_unref (self->operators);
  g_array_unref (self->streams);
  tt_grids_free (self->grids);
  tt_execs_free (self->execs);
  tt_exec_list_free (self->exec_list);
  tt_event_list_free (self->events);
  tt_spreads_free (self->times);
  tt_spreads_free (self->sizes);
  tt_spreads_free (self->delays);
  tt_spreads_free (self->gaps);
  g_free (self);
}

int
tt_kernel_compare_totals (tt_int128 a, tt_int128 b, guint32 first, guint32 second)
{
  return a != b ? (a < b ? 1 : -1) : first < second ? -1 : first > second;
}

int
tt_kernel_compare_rows (gconstpointer a, gconstpointer b)
{
  const TtKernelRow *x = a, *y = b;

  return tt_kernel_compare_totals (x->time->sum, y->time->sum, x->name, y->name);
}

int
tt_kernel_compare_operators (gconstpointer a, gconstpointer b)
{
  const TtOperatorRow *x = a, *y = b;

  return tt_kernel_compare_totals (x->total_ns, y->total_ns, x->operation, y->operation);
}

int
tt_kernel_compare_streams (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStreamRow *x = a, *y = b;
  const TtProcess *first = tt_store_process (store, tt_store_thread (store, x->thread)->process);
  const TtProcess *second = tt_store_process (store, tt_store_thread (store, y->thread)->process);
  int by_rank = tt_process_order (store, first->owner, second->owner);

  return by_rank != 0 ? by_rank : x->thread < y->thread ? -1 : x->thread > y->thread;
}

int
tt_kernel_compare_ranges (gconstpointer a, gconstpointer b)
{
  const TtRangeRow *x = a, *y = b;
  int order = x->work.device_ns != y->work.device_ns
                  ? (x->work.device_ns < y->work.device_ns ? 1 : -1)
                  : tt_kernel_compare_totals (x->time->sum, y->time->sum, x->name, y->name);

  return order != 0 ? order : x->is_async - y->is_async;
}

static int
compare_copies (gconstpointer a, gconstpointer b)
{
  const TtCopyRow *x = a, *y = b;

  return tt_kernel_compare_totals (x->time->sum, y->time->sum, x->name, y->name);
}

void
tt_kernels_add_work_rows (TtKernels *self,
                          const TtKernelNames *names,
                          const guint64 *n_short,
                          const tt_int128 *sized_ns)
{
  for (guint32 name = 1; name < names->n; name++)
    {
      const TtSpread *time = tt_spreads_get (self->times, name);
      const TtKernelRow row = { name, n_short[name], time };
      const TtCopyRow copy = { name, time, tt_spreads_get (self->sizes, name), sized_ns == NULL ? 0 : sized_ns[name] };

      if (time->n == 0 || names->lists[name] != 0)
        continue;
      if (names->is_copy[name])
        g_array_append_val (self->copies, copy);
      else
        g_array_append_val (self->kernels, row);
    }
  g_array_sort (self->kernels, tt_kernel_compare_rows);
  g_array_sort (self->copies, compare_copies);
}
