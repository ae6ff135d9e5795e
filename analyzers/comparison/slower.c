/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/comparison/slower.h"

#include "src/base/compare.h"

/* Anything is more than nothing. */
static gboolean
has_grown (double before, double after, const TtSlowerLimits *limits)
{
  return after > before && 100 * (after - before) > limits->limit_percent * MAX (before, 0);
}

static gboolean
is_slower (const TtComparedPair *pair, double all_ns, const TtSlowerLimits *limits)
{
  const TtComparedSums *a = tt_compared_sums (pair, TRUE), *b = tt_compared_sums (pair, FALSE);
  double least_ns = all_ns * limits->min_share_percent / 100;

  if ((double) MAX (a->self_ns, b->self_ns) < least_ns || !has_grown ((double) a->self_ns, (double) b->self_ns, limits))
    return FALSE;
  return !(pair->p >= TT_SIGNIFICANT_P) || has_grown ((double) a->count, (double) b->count, limits);
}

static int
compare_slower (gconstpointer a, gconstpointer b)
{
  const TtSlower *x = a, *y = b;
  int order = TT_COMPARE (x->run, y->run);

  if (order == 0)
    order = TT_COMPARE (x->kind, y->kind);
  if (order == 0)
    order = TT_COMPARE (y->after_ns - y->before_ns, x->after_ns - x->before_ns);
  for (guint i = 0; order == 0 && x->pair != NULL && i < x->pair->group->n_labels; i++)
    order = g_strcmp0 (x->pair->group->labels[i], y->pair->group->labels[i]);
  return order;
}

static void
judge_time (GArray *slower, TtSlower time, const TtSlowerLimits *limits)
{
  if (has_grown ((double) time.before_ns, (double) time.after_ns, limits))
    g_array_append_val (slower, time);
}

GArray *
tt_comparison_find_slower (TtComparison *self, const TtSlowerLimits *limits)
{
  GArray *slower = g_array_new (FALSE, FALSE, sizeof (TtSlower));
  const GArray *pairs = tt_comparison_pairs (self, TT_COMPARED_OPERATIONS);
  const TtComparedRun *first = tt_comparison_run (self, 0);

  for (guint i = 1; i < tt_comparison_n_runs (self); i++)
    {
      const TtComparedRun *run = tt_comparison_run (self, i);

      if (!limits->is_part && first->has_time && run->has_time)
        judge_time (slower, (TtSlower){ TT_SLOWER_LENGTH, i, NULL, first->length_ns, run->length_ns }, limits);
      judge_time (slower, (TtSlower){ TT_SLOWER_ALL_SELF, i, NULL, first->self_ns, run->self_ns }, limits);
    }
  for (guint i = 0; i < pairs->len; i++)
    {
      const TtComparedPair *pair = &g_array_index (pairs, TtComparedPair, i);

      if (is_slower (pair, (double) first->self_ns, limits))
        g_array_append_val (slower, ((TtSlower){ TT_SLOWER_OPERATION, pair->run, pair,
                                                 tt_compared_sums (pair, TRUE)->self_ns,
                                                 tt_compared_sums (pair, FALSE)->self_ns }));
    }
  g_array_sort (slower, compare_slower);
  return slower;
}
