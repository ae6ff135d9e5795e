/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtComparison: runs side by side, each against the first: what every operation, category and rank took in them.
 *
 * Runs are added one after the other, each from a store that may be closed afterwards: texts are copied. Times are ns,
 * or ticks where the caller has chosen those of all runs. Where groups are names without a filter, the tables of
 * statistics answer, else a scan of the events. All sums are exact.
 */
#pragma once

#include "analyzers/comparison/op-mapping.h"
#include "analyzers/statistics/grouping.h"
#include "src/base/crew.h"
#include "src/select/selection.h"

typedef struct
{
  guint64 count;                       /* 0: the run does not have it */
  tt_int128 total_ns, self_ns, sum_ns; /* nested spans of a group once; without children; each span whole */
  tt_uint128 sum_sq;                   /* all bits set: it did not fit */
} TtComparedSums;

typedef enum
{
  TT_COMPARED_OPERATIONS, /* by the keys of the request, and by rank if asked */
  TT_COMPARED_CATEGORIES, /* of the names */
  TT_COMPARED_RANKS,
  TT_N_COMPARED,
} TtComparedKind;

typedef struct
{
  char **labels; /* a text a key, then the rank if operations are per rank; elements may be NULL */
  guint n_labels;
  TtComparedSums *of_run;
} TtComparedGroup;

typedef enum
{
  TT_CHANGE_NEW,
  TT_CHANGE_GONE,
  TT_CHANGE_CHANGED,
  TT_CHANGE_SAME, /* nothing differs; in categories and ranks: no self time */
} TtChange;

/* A group in a run and in the first one: one of them has it. */
typedef struct
{
  const TtComparedGroup *group;
  guint run; /* 1 ... */
  TtChange change;
  double p; /* that durations differ by chance; NAN: unknown. Of operations only. */
} TtComparedPair;

typedef struct
{
  gboolean has_time;
  gint64 length_ns; /* from the first begin to the last end */
  guint64 n_spans;
  tt_int128 self_ns;
} TtComparedRun;

typedef struct
{
  TtGroupKeys keys;
  gboolean per_rank;
  guint n_runs;
  const TtOpMapping *mapping; /* of labels that are names; NULL: as they are. Borrowed. */
  const TtCrew
      *crew; /* NULL, or ranks that are called already and add the same runs; rank 0 has what they come to. Borrowed. */
} TtComparisonRequest;

typedef struct _TtComparison TtComparison;

TtComparison *tt_comparison_new (const TtComparisonRequest *request);
void tt_comparison_free (TtComparison *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtComparison, tt_comparison_free)

/* The next run: the selected one of @store. @selection: bound; everything: NULL is faster. */
gboolean tt_comparison_add (TtComparison *self, TtStore *store, TtSelection *selection, GError **error);

/* After the last run. Of TtComparedPair, a group's one after the other, groups in order of first sight. */
const GArray *tt_comparison_pairs (TtComparison *self, TtComparedKind kind);
guint tt_comparison_n_runs (const TtComparison *self);
const TtComparedRun *tt_comparison_run (const TtComparison *self, guint run);
/* Ranks that not all runs have, whose operations are left out per rank. After the pairs were asked for. */
guint tt_comparison_n_lone_ranks (const TtComparison *self);

static inline const TtComparedSums *
tt_compared_sums (const TtComparedPair *self, gboolean is_baseline)
{
  return &self->group->of_run[is_baseline ? 0 : self->run];
}

/* What the self time of @self grew by, in ns. */
tt_int128 tt_compared_growth (const TtComparedPair *self);
/* In percent of @before; NAN where that is not above 0. */
double tt_percent_change (tt_int128 before, tt_int128 after);
/* Of all spans; NAN: there are none. */
double tt_compared_mean (const TtComparedSums *self);
/* What it grew by; NAN where one of the runs has none. */
double tt_compared_mean_growth (const TtComparedPair *self);

#define TT_SIGNIFICANT_P 0.01
