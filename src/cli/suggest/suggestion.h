/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSuggestion: the plan of least loss among those tried that keeps a trace under a size.
 *
 * Events are turned off only if sampling is not enough. Which rules: those with the smallest of the largest changes of
 * imbalance, where units that share a row have one rule if else that row changes too much; then what room is left goes to the units that take the fewest bytes. Which events are off: waits inside
 * barriers first, which their barriers tell as well, then those of which spans last the least for their bytes, and of
 * these no more than needed. Implicit tasks and barriers stay: the imbalance of regions is measured by them.
 */
#pragma once

#include "src/cli/suggest/levels.h"

typedef struct
{
  guint64 max_bytes;
  double limit;     /* of changes of imbalance, in percentage points */
  double min_share; /* rows of a lesser share of the time, in percent, may change as they like */
} TtSuggestionGoal;

typedef struct
{
  TtPlan *plan;
  TtTrial *trial; /* of the plan, as --config does it */
  guint64 bytes;  /* predicted */
  double change;  /* the largest of a row that counts; */
  guint row;      /* this one; G_MAXUINT: no row changes */
  guint n_lost;   /* rows that are not there any more */
  guint
      n_exempt; /* rows below min_share that changed by more than the limit, or are not there though their event is on */
} TtSuggestion;

/* NULL without @error: it cannot be done; then *smallest is the least size that can. @levels: tried anew, if they prove
 * wrong. */
TtSuggestion *tt_suggestion_new (TtLevels *levels, const TtSuggestionGoal *goal, guint64 *smallest, GError **error);
void tt_suggestion_free (TtSuggestion *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSuggestion, tt_suggestion_free)
