/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/range-sums.h"

#include <stdlib.h>

#include "src/base/array.h"
#include "src/base/compare.h"

/* Kernels of one name in a part of a range. */
typedef struct
{
  guint32 kernel;
  guint range;
  TtSlots slots;
} Held;

struct _TtRangeSums
{
  TtKernelTimes *times;
  GArray *held; /* of Held */
  guint next;   /* of them, 0: they are not sorted */
};

TtRangeSums *
tt_range_sums_new (GArray *times)
{
  g_autoptr (TtKernelTimes) sums = tt_kernel_times_new (times);

  if (sums == NULL)
    return NULL;
  TtRangeSums *self = g_new0 (TtRangeSums, 1);
  self->times = g_steal_pointer (&sums);
  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  return self;
}

void
tt_range_sums_free (TtRangeSums *self)
{
  if (self == NULL)
    return;
  tt_kernel_times_free (self->times);
  g_array_unref (self->held);
  g_free (self);
}

void
tt_range_sums_take (TtRangeSums *self, guint place, guint end, guint range)
{
  const Held held = { tt_kernel_times_name (self->times, place), range,
                      tt_kernel_times_find (self->times, place, end) };

  g_array_append_val (self->held, held);
}

static int
compare_held (gconstpointer a, gconstpointer b)
{
  const Held *x = a, *y = b;
  int order = TT_COMPARE (x->kernel, y->kernel);

  if (order == 0)
    order = TT_COMPARE (x->range, y->range);
  return order != 0 ? order : TT_COMPARE (x->slots.first, y->slots.first);
}

static int
compare_slots (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtSlots *) a)->first, ((const TtSlots *) b)->first);
}

/* Kernels in @slots, each once; sorts these. */
static guint64
count_kernels (TtSlots *slots, guint n)
{
  guint64 n_kernels = 0;
  guint end = 0;

  qsort (slots, n, sizeof *slots, compare_slots);
  for (guint i = 0; i < n; i++)
    {
      const guint first = MAX (slots[i].first, end);

      n_kernels += slots[i].end > first ? slots[i].end - first : 0;
      end = MAX (end, slots[i].end);
    }
  return n_kernels;
}

gboolean
tt_range_sums_next (TtRangeSums *self, TtRangeSum *sum)
{
  if (self->next == 0)
    g_array_sort (self->held, compare_held);
  if (self->next == self->held->len)
    {
      g_array_set_size (self->held, 0);
      self->next = 0;
      return FALSE;
    }

  const Held *held = &g_array_index (self->held, Held, self->next);
  guint n = 0;
  *sum = (TtRangeSum){ .kernel = held->kernel };
  while (self->next + n < self->held->len && held[n].kernel == held->kernel)
    n++;
  g_autofree TtSlots *slots = g_new (TtSlots, n);
  for (guint i = 0; i < n; i++)
    {
      slots[i] = held[i].slots;
      sum->n_ranges += i == 0 || held[i].range != held[i - 1].range;
    }
  self->next += n;
  sum->time = tt_kernel_times_spread (self->times, slots, n);
  sum->n_kernels = count_kernels (slots, n);
  return TRUE;
}
