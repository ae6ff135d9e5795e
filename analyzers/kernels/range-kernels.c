/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/range-kernels.h"

#include <math.h>

#include "analyzers/kernels/range-sums.h"
#include "analyzers/statistics/tally.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

/* Kernels of a thread stand in the order of their calls, so that those in a range are some next to each other. Ranges of
 * one name on one thread are counted together: where they hold few kernels for their number, a kernel in several of them
 * is looked at once, with their number; else sums that are there for all are taken apart. */

/* So many kernels for each part of ranges are few. */
#define FEW_KERNELS 8u

/* A kernel of the ranges that are counted. */
typedef struct
{
  guint32 kernel; /* name */
  guint32 at;     /* place in the order */
  gint64 ns;
  guint64 weight; /* ranges around it */
} Counted;

/* Where in the order kernels of a range begin and end. */
typedef struct
{
  guint first, end;
  guint range; /* number, from 1 on */
} Part;

typedef struct
{
  guint at;
  int change; /* of the number of open ranges */
} Edge;

struct _TtRangeKernels
{
  const GArray *items; /* of TtExecItem */
  GArray *order;       /* of guint: numbers of items by (thread, call) */
  gint64 *latest;      /* a tree of maxima: of the end of the call at each place; its leaves begin at n_leaves */
  guint n_leaves;      /* a power of two */
  guint32 *least;      /* a tree of minima: of the place after the one before with the same kernel, 0: there is none */
  GArray *rows;        /* of TtRangeKernelRow */
  GPtrArray *times;    /* of TtSpread, by row */
  guint8 *is_in_range; /* by place */
  /* Of the ranges of one name on one thread. */
  GArray *parts, *edges, *counted; /* of Part, Edge, Counted */
  TtMap64 row_of;                  /* kernel -> row */
  GArray *last_range;              /* of guint, by row from the first of theirs on */
  guint first_row;
  /* Of ranges with many kernels. */
  TtRangeSums *sums;
  gboolean has_no_sums; /* they do not fit */
  gint32 *opened;       /* by place: ranges that begin there less those that end */
};

static const TtExecItem *
item_at (const TtRangeKernels *self, guint at)
{
  return &g_array_index (self->items, TtExecItem, g_array_index (self->order, guint, at));
}

/* -- the order ----------------------------------------------------------------------------------------------------- */

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

/* The first place whose call is on @thread and begins no earlier, or that is on a later thread. */
static guint
find_first (const TtRangeKernels *self, guint32 thread, gint64 begin_ns)
{
  guint low = 0, high = self->order->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtExecItem *item = item_at (self, middle);

      if (item->thread < thread || (item->thread == thread && item->api.begin_ns < begin_ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The trees of the ends of calls, and of the places before. */
static void
look_at_order (TtRangeKernels *self)
{
  guint n = self->order->len;
  TtMap64 last = { 0 };

  for (self->n_leaves = 1; self->n_leaves < n;)
    self->n_leaves *= 2;
  self->latest = g_new (gint64, (gsize) 2 * self->n_leaves);
  for (guint i = 0; i < 2 * self->n_leaves; i++)
    self->latest[i] = G_MININT64;
  self->least = g_new (guint32, (gsize) 2 * n + 1);
  for (guint at = 0; at < n; at++)
    {
      const TtExecItem *item = item_at (self, at);
      guint64 key = (guint64) item->thread << 32 | item->kernel;
      guint32 before = tt_map64_get (&last, key);

      self->latest[self->n_leaves + at] = item->api.end_ns;
      self->least[n + at] = before == TT_MAP64_NONE ? 0 : before + 1;
      tt_map64_set (&last, key, at);
    }
  for (guint i = self->n_leaves; i-- > 1;)
    self->latest[i] = MAX (self->latest[2 * i], self->latest[2 * i + 1]);
  for (guint i = n; i-- > 1;)
    self->least[i] = MIN (self->least[2 * i], self->least[2 * i + 1]);
  tt_map64_clear (&last);
}

/* -- ranges of one name on one thread ------------------------------------------------------------------------------- */

/* By (thread, name, whether it is one that is started and ended). */
static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const TtListedEvent *x = *(const TtListedEvent *const *) a, *y = *(const TtListedEvent *const *) b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->name, y->name);
  return order != 0 ? order : TT_COMPARE (x->is_async, y->is_async);
}

static void
add_part (TtRangeKernels *self, guint first, guint end, guint range)
{
  const Part part = { first, end, range };
  const Edge edges[2] = { { first, 1 }, { end, -1 } };

  if (first >= end)
    return;
  g_array_append_val (self->parts, part);
  g_array_append_vals (self->edges, edges, 2);
}

/* Below @node, the places from @low to @high - 1: the first from @from on whose call ends after @ns; G_MAXUINT: there is none. */
static guint
find_longer (const TtRangeKernels *self, guint node, guint low, guint high, guint from, gint64 ns)
{
  if (high <= from || self->latest[node] <= ns)
    return G_MAXUINT;
  if (node >= self->n_leaves)
    return low;
  guint middle = low + (high - low) / 2;
  guint found = find_longer (self, 2 * node, low, middle, from, ns);
  return found != G_MAXUINT ? found : find_longer (self, 2 * node + 1, middle, high, from, ns);
}

/* Calls that begin in the range and do not outlast it: mostly all but the last. */
static void
add_range (TtRangeKernels *self, const TtListedEvent *range, guint number)
{
  guint at = find_first (self, range->thread, range->begin_ns);
  guint end = range->end_ns == G_MAXINT64 ? find_first (self, range->thread + 1, G_MININT64)
                                          : find_first (self, range->thread, range->end_ns + 1);

  while (at < end)
    {
      guint longer = MIN (find_longer (self, 1, 0, self->n_leaves, at, range->end_ns), end);

      add_part (self, at, longer, number);
      at = longer + 1;
    }
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Edge *) a)->at, ((const Edge *) b)->at);
}

static void
count_place (TtRangeKernels *self, guint at, guint64 weight)
{
  const TtExecItem *item = item_at (self, at);
  const Counted counted = { item->kernel, at, item->work.end_ns - item->work.begin_ns, weight };

  self->is_in_range[at] = TRUE;
  g_array_append_val (self->counted, counted);
}

static void
count_places (TtRangeKernels *self)
{
  guint64 weight = 0;

  for (guint i = 0; i < self->edges->len; i++)
    {
      const Edge *edge = &g_array_index (self->edges, Edge, i);

      for (guint at = i == 0 ? edge->at : edge[-1].at; weight > 0 && at < edge->at; at++)
        count_place (self, at, weight);
      weight += (guint64) (gint64) edge->change;
    }
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

static int
compare_counted (gconstpointer a, gconstpointer b)
{
  const Counted *x = a, *y = b;
  int order = TT_COMPARE (x->kernel, y->kernel);

  if (order == 0)
    order = TT_COMPARE (x->ns, y->ns);
  return order != 0 ? order : TT_COMPARE (x->at, y->at);
}

/* All bits set: it does not fit, as in a tally. */
static tt_uint128
add_squares (tt_uint128 sum_sq, gint64 ns, guint64 weight)
{
  tt_uint128 squares, sum;

  if (__builtin_mul_overflow ((tt_uint128) ns * (tt_uint128) ns, (tt_uint128) weight, &squares) ||
      __builtin_add_overflow (sum_sq, squares, &sum))
    return ~(tt_uint128) 0;
  return sum;
}

/* The value number @wanted, from 0 on, each as often as its weight says. */
static gint64
find_value (const Counted *values, guint64 wanted)
{
  for (; wanted >= values->weight; values++)
    wanted -= values->weight;
  return values->ns;
}

/* @values: in order. */
static TtSpread *
make_spread (const Counted *values, guint n)
{
  TtSpread *spread = g_new0 (TtSpread, 1);
  tt_uint128 sum_sq = 0;

  for (guint i = 0; i < n; i++)
    {
      spread->n += values[i].weight;
      spread->sum += (tt_int128) values[i].ns * (tt_int128) values[i].weight;
      sum_sq = add_squares (sum_sq, values[i].ns, values[i].weight);
    }
  double count = (double) spread->n, variance = tt_tally_variance_ns2 (spread->n, spread->sum, sum_sq);
  spread->min = values[0].ns;
  spread->max = values[n - 1].ns;
  spread->median =
      (double) ((tt_int128) find_value (values, (spread->n - 1) / 2) + find_value (values, spread->n / 2)) / 2;
  spread->stddev = spread->n < 2 ? 0 : sqrt (variance * count / (count - 1));
  return spread;
}

/* Of what was counted; @range NULL: of no range. */
static void
add_rows (TtRangeKernels *self, guint32 thread, const TtListedEvent *range)
{
  const guint none = 0;

  g_array_sort (self->counted, compare_counted);
  tt_map64_clear (&self->row_of);
  g_array_set_size (self->last_range, 0);
  self->first_row = self->rows->len;
  for (guint first = 0, end; first < self->counted->len; first = end)
    {
      const Counted *values = &g_array_index (self->counted, Counted, first);

      for (end = first + 1; end < self->counted->len && values[end - first].kernel == values->kernel;)
        end++;
      TtSpread *time = make_spread (values, end - first);
      const TtRangeKernelRow row = { .range = range == NULL ? 0 : range->name,
                                     .kernel = values->kernel,
                                     .is_async = range != NULL && range->is_async,
                                     .thread = thread,
                                     .n_kernels = end - first,
                                     .time = time };
      g_ptr_array_add (self->times, time);
      tt_map64_set (&self->row_of, values->kernel, self->rows->len);
      g_array_append_val (self->rows, row);
      g_array_append_val (self->last_range, none);
    }
  g_array_set_size (self->counted, 0);
}

/* The kernel at @at is the first of its name in a part of @range. */
static void
count_range (TtRangeKernels *self, guint at, guint range)
{
  guint row = tt_map64_get (&self->row_of, item_at (self, at)->kernel);
  guint *last = &g_array_index (self->last_range, guint, row - self->first_row);

  g_array_index (self->rows, TtRangeKernelRow, row).n_ranges += *last != range;
  *last = range;
}

/* Below @node of the tree those places of the part that have no kernel of their name before them in it. */
static void
take_below (TtRangeKernels *self, guint node, const Part *part, gboolean holds)
{
  if (self->least[node] > part->first)
    return;
  if (node < self->order->len)
    {
      take_below (self, 2 * node, part, holds);
      take_below (self, 2 * node + 1, part, holds);
    }
  else if (holds)
    tt_range_sums_take (self->sums, node - self->order->len, part->end, part->range);
  else
    count_range (self, node - self->order->len, part->range);
}

static void
take_names (TtRangeKernels *self, const Part *part, gboolean holds)
{
  guint n = self->order->len;

  for (guint low = part->first + n, high = part->end + n; low < high; low /= 2, high /= 2)
    {
      if (low % 2 == 1)
        take_below (self, low++, part, holds);
      if (high % 2 == 1)
        take_below (self, --high, part, holds);
    }
}

/* -- ranges with many kernels -------------------------------------------------------------------------------------- */

/* Kernels in one or more of the ranges. */
static guint64
count_covered (const TtRangeKernels *self)
{
  guint64 n = 0;
  int open = 0;

  for (guint i = 0; i < self->edges->len; i++)
    {
      const Edge *edge = &g_array_index (self->edges, Edge, i);

      n += open > 0 ? edge->at - edge[-1].at : 0;
      open += edge->change;
    }
  return n;
}

static gboolean
make_sums (TtRangeKernels *self)
{
  if (self->sums != NULL || self->has_no_sums)
    return self->sums != NULL;

  g_autoptr (GArray) times = g_array_sized_new (FALSE, FALSE, sizeof (TtKernelTime), self->order->len);
  for (guint at = 0; at < self->order->len; at++)
    {
      const TtExecItem *item = item_at (self, at);
      const TtKernelTime time = { item->kernel, at, item->work.end_ns - item->work.begin_ns };
      g_array_append_val (times, time);
    }
  self->sums = tt_range_sums_new (g_steal_pointer (&times));
  self->has_no_sums = self->sums == NULL;
  return self->sums != NULL;
}

static void
add_sums (TtRangeKernels *self, const TtListedEvent *range)
{
  TtRangeSum sum;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);
      self->opened[part->first]++;
      self->opened[part->end]--;
      take_names (self, part, TRUE);
    }
  while (tt_range_sums_next (self->sums, &sum))
    {
      const TtRangeKernelRow row = { .range = range->name,
                                     .kernel = sum.kernel,
                                     .is_async = range->is_async,
                                     .thread = range->thread,
                                     .n_ranges = sum.n_ranges,
                                     .n_kernels = sum.n_kernels,
                                     .time = sum.time };
      g_ptr_array_add (self->times, sum.time);
      g_array_append_val (self->rows, row);
    }
}

/* The places of ranges that were taken so are in some range. */
static void
mark_opened (TtRangeKernels *self)
{
  gint64 open = 0;

  for (guint at = 0; at < self->order->len; at++)
    {
      open += self->opened[at];
      self->is_in_range[at] |= open > 0;
    }
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

static void
count_in_ranges (TtRangeKernels *self, const GArray *ranges)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (ranges->len);

  for (guint i = 0; i < ranges->len; i++)
    g_ptr_array_add (sorted, &g_array_index (ranges, TtListedEvent, i));
  g_ptr_array_sort (sorted, compare_ranges);
  for (guint first = 0, end; first < sorted->len; first = end)
    {
      const TtListedEvent *range = sorted->pdata[first];

      g_array_set_size (self->parts, 0);
      g_array_set_size (self->edges, 0);
      for (end = first; end < sorted->len && compare_ranges (&sorted->pdata[end], &sorted->pdata[first]) == 0; end++)
        add_range (self, sorted->pdata[end], end + 1);
      g_array_sort (self->edges, compare_edges);
      if (count_covered (self) / FEW_KERNELS > self->parts->len && make_sums (self))
        {
          add_sums (self, range);
          continue;
        }
      count_places (self);
      add_rows (self, range->thread, range);
      for (guint i = 0; i < self->parts->len; i++)
        take_names (self, &g_array_index (self->parts, Part, i), FALSE);
    }
  mark_opened (self);
}

static void
count_outside (TtRangeKernels *self)
{
  for (guint first = 0, end; first < self->order->len; first = end)
    {
      guint32 thread = item_at (self, first)->thread;

      for (end = first; end < self->order->len && item_at (self, end)->thread == thread; end++)
        if (!self->is_in_range[end])
          count_place (self, end, 1);
      add_rows (self, thread, NULL);
    }
}

TtRangeKernels *
tt_range_kernels_new (const TtEventList *ranges, const TtExecList *kernels)
{
  TtRangeKernels *self = g_new0 (TtRangeKernels, 1);

  self->items = tt_exec_list_items (kernels);
  self->order = sort_by_thread (self->items);
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtRangeKernelRow));
  self->times = g_ptr_array_new_with_free_func (g_free);
  self->is_in_range = g_new0 (guint8, (gsize) self->items->len + 1);
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  self->counted = g_array_new (FALSE, FALSE, sizeof (Counted));
  self->opened = g_new0 (gint32, (gsize) self->items->len + 1);
  self->last_range = g_array_new (FALSE, FALSE, sizeof (guint));
  look_at_order (self);
  count_in_ranges (self, tt_event_list_events (ranges));
  count_outside (self);
  return self;
}

void
tt_range_kernels_free (TtRangeKernels *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->order);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->times);
  g_array_unref (self->parts);
  g_array_unref (self->edges);
  g_array_unref (self->counted);
  g_array_unref (self->last_range);
  g_free (self->opened);
  tt_range_sums_free (self->sums);
  tt_map64_clear (&self->row_of);
  g_free (self->latest);
  g_free (self->least);
  g_free (self->is_in_range);
  g_free (self);
}

const GArray *
tt_range_kernels_rows (const TtRangeKernels *self)
{
  return self->rows;
}
