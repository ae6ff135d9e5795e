/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/range-kernels.h"

#include "src/base/compare.h"
#include "src/base/map64.h"

typedef struct
{
  guint32 thread, range, kernel;
  guint32 is_async;
} Key;

/* What is left to know of a row. */
typedef struct
{
  guint last_range; /* number of the instance, from 1 on */
  TtMap64 kernels;  /* that it has counted */
} Counted;

struct _TtRangeKernels
{
  TtSpreads *times;
  GArray *rows;
  GArray *counted; /* of Counted, by row */
  GHashTable *row_of_key;
  gboolean *is_in_range; /* by kernel */
};

static guint
hash_key (gconstpointer key)
{
  const Key *self = key;

  return (self->thread * 31 + self->range) * 2654435761u ^ (self->kernel * 40503u + self->is_async);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->thread == y->thread && x->range == y->range && x->kernel == y->kernel && x->is_async == y->is_async;
}

static guint
find_row (TtRangeKernels *self, const Key *key)
{
  const TtRangeKernelRow row = {
    .range = key->range, .kernel = key->kernel, .is_async = key->is_async != 0, .thread = key->thread
  };
  const Counted counted = { 0 };
  gpointer number;

  if (g_hash_table_lookup_extended (self->row_of_key, key, NULL, &number))
    return GPOINTER_TO_UINT (number);
  g_hash_table_insert (self->row_of_key, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (self->rows->len));
  g_array_append_val (self->rows, row);
  g_array_append_val (self->counted, counted);
  return self->rows->len - 1;
}

/* @instance: the number of the range, from 1 on; 0: none. */
static void
count_kernel (TtRangeKernels *self, const Key *key, guint instance, guint kernel, const TtExecItem *item)
{
  guint number = find_row (self, key);
  TtRangeKernelRow *row = &g_array_index (self->rows, TtRangeKernelRow, number);
  Counted *counted = &g_array_index (self->counted, Counted, number);

  if (instance != counted->last_range)
    row->n_ranges++;
  counted->last_range = instance;
  if (tt_map64_get (&counted->kernels, kernel) == TT_MAP64_NONE)
    row->n_kernels++;
  tt_map64_set (&counted->kernels, kernel, 0);
  tt_spreads_add (self->times, number, item->work.end_ns - item->work.begin_ns);
}

/* -- kernels of threads ------------------------------------------------------------------------------------------- */

/* Numbers of @items in the order of their calls, thread by thread. */
static int
compare_calls (gconstpointer a, gconstpointer b, gpointer items)
{
  const TtExecItem *x = &g_array_index ((GArray *) items, TtExecItem, *(const guint *) a);
  const TtExecItem *y = &g_array_index ((GArray *) items, TtExecItem, *(const guint *) b);
  int order = TT_COMPARE (x->thread, y->thread);

  return order != 0 ? order : TT_COMPARE (*(const guint *) a, *(const guint *) b);
}

static GArray *
sort_by_thread (const GArray *items)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), items->len);

  for (guint i = 0; i < items->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_calls, (gpointer) items);
  return order;
}

/* The first in @order whose call is on @thread and begins no earlier, or that is on a later thread. */
static guint
find_first (const GArray *items, const GArray *order, guint32 thread, gint64 begin_ns)
{
  guint low = 0, high = order->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtExecItem *item = &g_array_index (items, TtExecItem, g_array_index (order, guint, middle));

      if (item->thread < thread || (item->thread == thread && item->api.begin_ns < begin_ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
count_in_ranges (TtRangeKernels *self, const GArray *ranges, const GArray *items)
{
  g_autoptr (GArray) order = sort_by_thread (items);

  for (guint i = 0; i < ranges->len; i++)
    {
      const TtListedEvent *range = &g_array_index (ranges, TtListedEvent, i);

      for (guint at = find_first (items, order, range->thread, range->begin_ns); at < order->len; at++)
        {
          guint number = g_array_index (order, guint, at);
          const TtExecItem *item = &g_array_index (items, TtExecItem, number);
          const Key key = { item->thread, range->name, item->kernel, range->is_async };

          if (item->thread != range->thread || item->api.begin_ns > range->end_ns)
            break;
          if (item->api.end_ns > range->end_ns)
            continue;
          self->is_in_range[number] = TRUE;
          count_kernel (self, &key, i + 1, number, item);
        }
    }
}

TtRangeKernels *
tt_range_kernels_new (const TtEventList *ranges, const TtExecList *kernels, GError **error)
{
  g_autoptr (TtRangeKernels) self = g_new0 (TtRangeKernels, 1);
  const GArray *items = tt_exec_list_items (kernels);

  self->times = tt_spreads_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtRangeKernelRow));
  self->counted = g_array_new (FALSE, FALSE, sizeof (Counted));
  self->row_of_key = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  self->is_in_range = g_new0 (gboolean, items->len + 1);
  count_in_ranges (self, tt_event_list_events (ranges), items);
  for (guint i = 0; i < items->len; i++)
    {
      const TtExecItem *item = &g_array_index (items, TtExecItem, i);
      const Key key = { item->thread, 0, item->kernel, FALSE };

      if (!self->is_in_range[i])
        count_kernel (self, &key, 0, i, item);
    }
  if (!tt_spreads_finish (self->times, error))
    return NULL;
  for (guint i = 0; i < self->rows->len; i++)
    g_array_index (self->rows, TtRangeKernelRow, i).time = tt_spreads_get (self->times, i);
  return g_steal_pointer (&self);
}

void
tt_range_kernels_free (TtRangeKernels *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->counted->len; i++)
    tt_map64_clear (&g_array_index (self->counted, Counted, i).kernels);
  tt_spreads_free (self->times);
  g_array_unref (self->rows);
  g_array_unref (self->counted);
  g_hash_table_unref (self->row_of_key);
  g_free (self->is_in_range);
  g_free (self);
}

const GArray *
tt_range_kernels_rows (const TtRangeKernels *self)
{
  return self->rows;
}
