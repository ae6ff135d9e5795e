/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSearch: what the parts of TtSuggestion share: search.c chooses levels, suggestion.c events, and proves the plan.
 */
#pragma once

#include "src/cli/suggest/suggestion.h"

typedef struct
{
  TtLevels *levels;
  const TtTrialTrace *trace;
  const TtSuggestionGoal *goal;
  guint64 max_bytes;
  TtPlan *plan;
  gboolean *is_off;     /* by kind */
  GArray *off;          /* of guint: kinds turned off, in this order */
  guint8 *is_forbidden; /* by level and unit */
  double *worst;        /* the same: largest change of a row that counts */
  double *bytes;        /* the same: of the unit's spans */
  guint *level_of;      /* by unit */
  guint *leader_of;     /* by unit: the first of those that have one level: where they have a row in common, that
                         * would be made of other parts than before */
} TtSearch;

static inline const TtTrialKind *
tt_search_kind (const TtSearch *self, guint kind)
{
  return &g_array_index (self->trace->kinds, TtTrialKind, kind);
}

/* Of `is_forbidden`, `worst` and `bytes`. */
static inline gsize
tt_search_cell (const TtSearch *self, guint level, guint unit)
{
  return (gsize) level * self->trace->units->len + unit;
}

/* Whether the row's imbalance is to stay as it is. */
gboolean tt_search_row_counts (const TtSearch *self, guint row);
/* Levels of the fewest bytes that change no row by more than @limit; after tt_search_levels(). */
void tt_search_smallest (TtSearch *self, double limit);
/* Of the whole trace with the levels that are chosen. */
guint64 tt_search_bytes (const TtSearch *self);
/* The levels of the least loss, with the events that the plan has. FALSE: none fit. */
gboolean tt_search_levels (TtSearch *self);
