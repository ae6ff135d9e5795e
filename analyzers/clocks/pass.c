/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/call-spans.h"
#include "analyzers/clocks/doubts.h"
#include "analyzers/clocks/ends.h"
#include "analyzers/clocks/fit.h"
#include "analyzers/clocks/hosts.h"
#include "analyzers/clocks/knots.h"
#include "analyzers/clocks/logical.h"
#include "analyzers/clocks/meetings.h"
#include "analyzers/clocks/one-way.h"
#include "analyzers/clocks/ranges.h"
#include "analyzers/clocks/relax.h"
#include "analyzers/clocks/starts.h"
#include "analyzers/clocks/verdicts.h"
#include "analyzers/pass.h"
#include "src/base/array.h"
#include "src/base/error.h"
#include "src/store/import/clocks.h"

/* Where more is left too early, clocks were set, and nobody knows how far they may be wrong. */
#define MAX_LEFT_NS 10000

typedef struct
{
  TtStore *store;
  TtClockTies *ties;
  TtClockVerdict *before, *linear_left; /* by clock, as the following */
  GArray **linear, **logical;           /* of TtClockPiece */
  gint64 *residuals_ns;
  TtClockRange *ranges;
  TtClockMpi *mpi;
  TtClockRange *of_process; /* by process */
  GArray *one_way;          /* as one-way.h has it; NULL: not asked for */
} Clocks;

/* @maps: NULL: the pass ended before it made them. */
static void
free_maps (GArray **maps, guint n)
{
  for (guint i = 0; maps != NULL && i < n; i++)
    g_clear_pointer (&maps[i], g_array_unref);
  g_free (maps);
}

static void
clocks_clear (Clocks *self)
{
  if (self->ties == NULL)
    return;
  free_maps (self->linear, self->ties->n_clocks);
  free_maps (self->logical, self->ties->n_clocks);
  g_free (self->before);
  g_free (self->linear_left);
  g_free (self->residuals_ns);
  g_free (self->ranges);
  g_free (self->mpi);
  g_free (self->of_process);
  g_clear_pointer (&self->one_way, g_array_unref);
  tt_clock_ties_free (self->ties);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Clocks, clocks_clear)

/* -- what is seen of an import -------------------------------------------------------------------------------------- */

typedef struct
{
  gpointer ranges, spans; /* as ranges.h and call-spans.h have them */
} Observation;

static gpointer
prepare (void)
{
  Observation *self = g_new (Observation, 1);

  *self = (Observation){ tt_clock_ranges_prepare (), tt_clock_spans_prepare () };
  return self;
}

static void
observe (const TtBatch *batch, gpointer prepared)
{
  Observation *self = prepared;

  tt_clock_ranges_observe (batch, self->ranges);
  tt_clock_spans_observe (batch, self->spans);
}

static void
release (gpointer prepared)
{
  Observation *self = prepared;

  tt_clock_ranges_release (self->ranges);
  tt_clock_spans_release (self->spans);
  g_free (self);
}

/* -- when processes begin and end ------------------------------------------------------------------------------- */

static gboolean
find_ranges (Clocks *self, gpointer observed, GError **error)
{
  guint32 n = tt_store_max_process (self->store);
  g_autofree TtClockMpi *mpi = g_new (TtClockMpi, (gsize) n + 1);

  for (guint32 i = 0; i <= n; i++)
    {
      self->of_process[i] = self->ties->message_ranges == NULL ? TT_CLOCK_RANGE_NONE : self->ties->message_ranges[i];
      mpi[i] = TT_CLOCK_MPI_NONE;
    }
  if (!tt_clock_ranges_find (self->store, observed, self->of_process, mpi, error))
    return FALSE;
  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      self->ranges[i] = TT_CLOCK_RANGE_NONE;
      self->mpi[i] = TT_CLOCK_MPI_NONE;
    }
  for (guint32 i = 1; i <= n; i++)
    {
      guint32 clock = self->ties->clock_of[i];

      if (clock >= self->ties->n_clocks)
        continue;
      tt_clock_range_widen (&self->ranges[clock], self->of_process[i].first_ns, self->of_process[i].last_ns);
      if (mpi[i].start_ns != TT_NO_TIME)
        self->mpi[clock].start_ns = mpi[i].start_ns;
      tt_clock_range_widen (&self->mpi[clock].final, mpi[i].final.first_ns, mpi[i].final.last_ns);
    }
  return TRUE;
}

/* -- rows -------------------------------------------------------------------------------------------------------- */

static gint64
linear_shift (const Clocks *self, guint32 clock, gint64 ns)
{
  guint near = 0;

  return tt_clock_pieces_shift (self->linear[clock], &near, ns);
}

static void
set_map (const GArray *map, const TtClockPiece **pieces, guint *n)
{
  *pieces = map == NULL ? NULL : TT_ARRAY (map, TtClockPiece);
  *n = map == NULL ? 0 : map->len;
}

static TtClock
kind_of (const Clocks *self, gint64 ns)
{
  return !self->ties->is_mixed ? self->ties->kind : tt_time_is_epoch (ns) ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE;
}

static gboolean
write_rows (const Clocks *self, TtStoreImport *import, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (TtClockRow));
  g_autofree gboolean *is_told = g_new0 (gboolean, (gsize) self->ties->n_clocks + 1);

  for (guint32 i = 1; i <= tt_store_max_process (self->store); i++)
    {
      guint32 clock = self->ties->clock_of[i];
      const TtClockRange *range = &self->of_process[i];

      if (clock >= self->ties->n_clocks || range->first_ns > range->last_ns)
        continue;
      /* Of those that share a clock one tells what is said of it. */
      gboolean leads = !is_told[clock] && tt_store_process (self->store, i)->owner == i;
      is_told[clock] |= leads;
      const TtClockVerdict none = { 0 };
      const TtClockVerdict *before = leads ? &self->before[clock] : &none;
      const TtClockVerdict *left = leads ? &self->linear_left[clock] : &none;
      gint64 offset_ns = linear_shift (self, clock, range->first_ns), residual_ns = self->residuals_ns[clock];
      TtClockRow row = {
        .fit = { .process = i,
                 .clock = kind_of (self, range->first_ns),
                 .first_ns = range->first_ns,
                 .last_ns = range->last_ns,
                 .offset_ns = offset_ns,
                 .drift_ns = linear_shift (self, clock, range->last_ns) - offset_ns,
                 .n_bounds = before->n_bounds,
                 .n_violated = before->n_violated,
                 .n_left = left->n_violated,
                 .worst_ns = before->worst_ns,
                 .worst_left_ns = left->worst_ns,
                 .residual_ns = residual_ns == G_MAXINT64 ? TT_NO_TIME : residual_ns },
      };

      set_map (self->linear[clock], &row.linear, &row.n_linear);
      set_map (self->logical[clock] != NULL ? self->logical[clock] : self->linear[clock], &row.logical, &row.n_logical);
      g_array_append_val (rows, row);
    }
  return tt_store_import_clocks (import, TT_ARRAY (rows, TtClockRow), rows->len, error);
}

/* -- all --------------------------------------------------------------------------------------------------------- */

/* Of a run with maps every clock has one. */
static void
keep_time (Clocks *self, guint clock)
{
  const TtClockKnot knot = { self->ranges[clock].first_ns, 0 };
  g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));

  if (self->linear[clock]->len > 0)
    return;
  g_array_unref (self->linear[clock]);
  g_array_append_val (knots, knot);
  self->linear[clock] = tt_clock_knots_to_pieces (knots);
}

static gboolean
can_be_moved (const Clocks *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    if (self->linear_left[i].worst_ns > TT_CLOCK_MAX_MOVE_NS)
      return FALSE;
  return TRUE;
}

static gboolean
clocks_differ (const Clocks *self)
{
  return (self->one_way != NULL && self->one_way->len > 0) || tt_clock_is_any_violated (self->ties, self->before) ||
         tt_clock_ends_differ (self->ties, NULL) || tt_clock_starts_differ (self->mpi, self->ties->n_clocks);
}

static void
fit (Clocks *self)
{
  tt_clock_fit (self->ties, self->ranges, self->mpi, self->one_way, self->linear, self->residuals_ns);
  tt_clock_judge (self->ties, NULL, self->before);
  tt_clock_judge (self->ties, self->linear, self->linear_left);
}

static void
forget_maps (Clocks *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    g_clear_pointer (&self->linear[i], g_array_unref);
}

static void
relax (Clocks *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    keep_time (self, i);
  if (tt_clock_is_any_violated (self->ties, self->linear_left))
    tt_clock_relax (self->ties, self->linear, self->linear_left);
}

/* FALSE: without the calls that turned out to be none there is nothing to correct. */
static gboolean
fit_all (Clocks *self)
{
  fit (self);
  if (!clocks_differ (self))
    return FALSE;
  relax (self);
  if (self->ties->calls->len == self->ties->n_named || !tt_clock_are_refuted (self->ties, self->linear))
    return TRUE;
  g_array_set_size (self->ties->calls, self->ties->n_named);
  forget_maps (self);
  fit (self);
  if (!clocks_differ (self))
    return FALSE;
  relax (self);
  return TRUE;
}

static gboolean
is_nothing_known (const Clocks *self)
{
  for (guint i = 1; i < self->ties->n_clocks; i++)
    if (self->residuals_ns[i] != G_MAXINT64)
      return FALSE;
  return TRUE;
}

/* Unless more is left too early then. */
static void
move_to_middle (Clocks *self)
{
  guint n = self->ties->n_clocks;
  GArray **moved = g_new0 (GArray *, (gsize) n + 1);
  TtClockVerdict *left = g_new0 (TtClockVerdict, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    moved[i] = g_array_copy (self->linear[i]);
  tt_clock_move_to_middle (self->ties, moved, 0, NULL);
  tt_clock_judge (self->ties, moved, left);
  gboolean is_better = tt_clock_worst_ns (left, n) <= tt_clock_worst_ns (self->linear_left, n);
  free_maps (is_better ? self->linear : moved, n);
  g_free (is_better ? self->linear_left : left);
  self->linear = is_better ? moved : self->linear;
  self->linear_left = is_better ? left : self->linear_left;
}

static void
correct (Clocks *self)
{

  if (!fit_all (self))
    {
      forget_maps (self);
      tt_clock_judge (self->ties, NULL, self->linear_left);
      tt_clock_find_doubts (self->ties, self->residuals_ns);
      return;
    }
  gboolean have_met = can_be_moved (self) &&
                      tt_clock_meet (self->ties, self->ranges, self->linear, self->linear_left, self->residuals_ns);
  if (!have_met && is_nothing_known (self))
    move_to_middle (self);
  if (tt_clock_is_any_violated (self->ties, self->linear_left) && can_be_moved (self))
    tt_clock_make_logical (self->ties, self->linear, self->logical);
  gint64 left_ns = tt_clock_worst_ns (self->linear_left, self->ties->n_clocks);
  if (left_ns <= MAX_LEFT_NS)
    tt_clock_find_doubts_left (self->ties, self->linear, left_ns, self->residuals_ns);
}

static gboolean
compare (Clocks *self, gpointer ranges, GError **error)
{
  tt_clock_judge (self->ties, NULL, self->before);
  if (!find_ranges (self, ranges, error))
    return FALSE;
  gboolean may_differ = clocks_differ (self), is_one_way = !may_differ && tt_clock_is_any_one_way (self->ties);

  if (is_one_way)
    {
      self->one_way = tt_clock_one_way_new (self->ties, self->store, self->mpi, error);
      if (self->one_way == NULL)
        return FALSE;
      may_differ = self->one_way->len > 0;
    }
  if (may_differ)
    correct (self);
  else
    tt_clock_find_doubts (self->ties, self->residuals_ns);
  return TRUE;
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  TtStore *store = tt_store_import_store (import);
  Observation *observed = prepared;
  gpointer spans = observed == NULL ? NULL : observed->spans, ranges = observed == NULL ? NULL : observed->ranges;
  g_auto (Clocks) self = { .store = store };
  TtStoreCounts counts;

  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database that is being written");
      return FALSE;
    }
  if (!tt_store_counts (store, &counts, error))
    return FALSE;
  if (counts.n_messages + counts.n_collectives == 0)
    return tt_store_import_clocks (import, NULL, 0, error);
  if (!tt_store_complete (store, error))
    return FALSE;
  self.ties = tt_clock_ties_new (store, spans, error);
  if (self.ties == NULL || !tt_clock_ties_join_hosts (self.ties, store, error))
    return FALSE;
  gsize n = (gsize) self.ties->n_clocks + 1;
  self.before = g_new0 (TtClockVerdict, n);
  self.linear_left = g_new0 (TtClockVerdict, n);
  self.linear = g_new0 (GArray *, n);
  self.logical = g_new0 (GArray *, n);
  self.residuals_ns = g_new0 (gint64, n);
  self.ranges = g_new0 (TtClockRange, n);
  self.mpi = g_new0 (TtClockMpi, n);
  self.of_process = g_new0 (TtClockRange, (gsize) tt_store_max_process (store) + 1);
  if (self.ties->messages->len + self.ties->calls->len == 0)
    return tt_store_import_clocks (import, NULL, 0, error);
  for (guint i = 0; i < self.ties->n_clocks; i++)
    self.residuals_ns[i] = G_MAXINT64;
  return compare (&self, ranges, error) && write_rows (&self, import, error);
}

static const char *const reads[] = { "process", "event", "message", "collective", "counter", NULL };
static const char *const writes[] = { "clock", "clock_map", NULL };

const TtPass tt_pass_clocks = {
  .name = "clocks",
  .summary = "how the clocks of the ranks differ",
  .reads = reads,
  .writes = writes,
  .run = run,
  .prepare = prepare,
  .observe = observe,
  .release = release,
};
