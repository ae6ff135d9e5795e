/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/arrivals.h"

#include <string.h>

#include "analyzers/process-order.h"
#include "analyzers/statistics/tally.h"

#define SORT_BYTES ((gsize) 32 << 20)

/* A rank in the function and communicator that is being read. */
typedef struct
{
  guint64 n_last;
  tt_int128 caused_ns;
} Latest;

typedef struct
{
  TtArrivals *arrivals;
  TtStore *store;
  TtTally *skews;    /* by index of the row */
  TtLateRank *ranks; /* by process */
  Latest *latest;    /* likewise */
  GArray *touched;   /* guint32: processes with something in latest */
} Collector;

static TtLateCollective *
current_row (Collector *self)
{
  GArray *rows = self->arrivals->collectives;

  return rows->len == 0 ? NULL : &g_array_index (rows, TtLateCollective, rows->len - 1);
}

static void
end_row (Collector *self)
{
  TtLateCollective *row = current_row (self);

  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 process = g_array_index (self->touched, guint32, i);
      const Latest *of = &self->latest[process];

      if (row->latest == TT_NO_ID || of->caused_ns > row->latest_cost_ns ||
          (of->caused_ns == row->latest_cost_ns && tt_process_order (self->store, process, row->latest) < 0))
        {
          row->latest = process;
          row->n_latest = of->n_last;
          row->latest_cost_ns = of->caused_ns;
        }
    }
  for (guint i = 0; i < self->touched->len; i++)
    self->latest[g_array_index (self->touched, guint32, i)] = (Latest){ 0 };
  g_array_set_size (self->touched, 0);
}

static void
add_last (Collector *self, guint32 process, tt_int128 caused_ns)
{
  Latest *latest = &self->latest[process];

  if (latest->n_last == 0)
    g_array_append_val (self->touched, process);
  latest->n_last++;
  latest->caused_ns += caused_ns;
  self->ranks[process].n_last++;
  self->ranks[process].caused_ns += caused_ns;
}

static gboolean
take_call (const TtCall *call, gpointer data)
{
  Collector *self = data;
  TtLateCollective *row = current_row (self);
  tt_int128 paid_ns = 0;

  if (row == NULL || row->comm != call->comm || strcmp (row->function, call->function) != 0)
    {
      const TtLateCollective fresh = { .function = g_strdup (call->function), .comm = call->comm };

      end_row (self);
      g_array_append_val (self->arrivals->collectives, fresh);
      row = current_row (self);
    }
  for (guint i = 0; i < call->n; i++)
    {
      TtLateRank *rank = &self->ranks[call->ranks[i].process];
      gint64 own_ns = tt_call_paid_ns (call, i);

      rank->n_calls++;
      rank->paid_ns += own_ns;
      rank->late_ns += call->ranks[i].begin_ns - call->first_ns;
      paid_ns += own_ns;
    }
  tt_tally_add (self->skews, self->arrivals->collectives->len - 1, call->last_ns - call->first_ns, 0, 0);
  row->n_calls++;
  row->n_impossible += call->is_impossible;
  row->n_ranks = MAX (row->n_ranks, call->n);
  row->paid_ns += paid_ns;
  if (call->late != TT_CALL_NOBODY)
    add_last (self, call->ranks[call->late].process, paid_ns);
  return TRUE;
}

static gboolean
finish_skews (Collector *self, GError **error)
{
  TtTallyRow sums;
  GError *failure = NULL;

  if (!tt_tally_finish (self->skews, error))
    return FALSE;
  while (tt_tally_next (self->skews, &sums, &failure))
    {
      TtLateCollective *row = &g_array_index (self->arrivals->collectives, TtLateCollective, sums.group);

      row->skew_ns = sums.sum_ns;
      row->min_skew_ns = sums.min_ns;
      row->median_skew_ns = (double) ((tt_int128) sums.lower_median_ns + sums.median_ns) / 2;
      row->max_skew_ns = sums.max_ns;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static int
compare_collectives (gconstpointer a, gconstpointer b)
{
  const TtLateCollective *x = a, *y = b;
  int order = strcmp (x->function, y->function);

  if (x->paid_ns != y->paid_ns)
    return x->paid_ns < y->paid_ns ? 1 : -1;
  return order != 0 ? order : (x->comm > y->comm) - (x->comm < y->comm);
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, ((const TtLateRank *) a)->process, ((const TtLateRank *) b)->process);
}

static void
finish_rows (Collector *self)
{
  TtArrivals *arrivals = self->arrivals;

  for (guint i = 0; i < arrivals->collectives->len; i++)
    {
      const TtLateCollective *row = &g_array_index (arrivals->collectives, TtLateCollective, i);

      arrivals->n_calls += row->n_calls;
      arrivals->n_impossible += row->n_impossible;
      arrivals->paid_ns += row->paid_ns;
    }
  for (guint32 process = 0; process <= tt_store_max_process (self->store); process++)
    {
      self->ranks[process].process = process;
      if (self->ranks[process].n_calls > 0)
        g_array_append_val (arrivals->ranks, self->ranks[process]);
    }
  g_array_sort (arrivals->collectives, compare_collectives);
  g_array_sort_with_data (arrivals->ranks, compare_ranks, self->store);
}

TtArrivals *
tt_arrivals_new (TtStore *store, const TtSelection *selection, GError **error)
{
  gsize n = (gsize) tt_store_max_process (store) + 1;
  g_autoptr (TtArrivals) arrivals = g_new0 (TtArrivals, 1);
  g_autoptr (TtTally) skews = tt_tally_new (SORT_BYTES);
  g_autofree TtLateRank *ranks = g_new0 (TtLateRank, n);
  g_autofree Latest *latest = g_new0 (Latest, n);
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  Collector self = { arrivals, store, skews, ranks, latest, touched };
  TtCallCounts counts;

  arrivals->collectives = g_array_new (FALSE, TRUE, sizeof (TtLateCollective));
  arrivals->ranks = g_array_new (FALSE, TRUE, sizeof (TtLateRank));
  if (!tt_each_call_of_run (store, selection, take_call, &self, &counts, error))
    return NULL;
  arrivals->n_alone = counts.n_alone;
  arrivals->n_undecided = counts.n_undecided;
  end_row (&self);
  if (!finish_skews (&self, error))
    return NULL;
  finish_rows (&self);
  return g_steal_pointer (&arrivals);
}

void
tt_arrivals_free (TtArrivals *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->collectives->len; i++)
    g_free (g_array_index (self->collectives, TtLateCollective, i).function);
  g_array_unref (self->collectives);
  g_array_unref (self->ranks);
  g_free (self);
}
