/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLevels: the rules that are tried for each unit of a trace, and what the trace would be with each.
 *
 * Level 0 records everything. Then come, by turns, a rate for all units and, for each unit, a window of about as many
 * invocations in the middle of the run. What a level is for a unit does not depend on the levels of the others.
 */
#pragma once

#include "src/cli/suggest/trial.h"

typedef struct
{
  const TtTrialTrace *trace; /* borrowed */
  GPtrArray *trials;         /* of TtTrial, by level */
  GPtrArray *rules;          /* of TtSamplingRule[], by level, then by unit; rate 0: there is none */
  gboolean is_swept;         /* trials are those of sweep.h */
  GPtrArray *unit_rows;      /* of GArray of guint32, by unit: the rows that it records */
} TtLevels;

TtLevels *tt_levels_new (const TtTrialTrace *trace, GError **error);
void tt_levels_free (TtLevels *self);
/* Each level by the rules of --config, one after the other. FALSE with @error. */
gboolean tt_levels_try (TtLevels *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLevels, tt_levels_free)

static inline const TtSamplingRule *
tt_levels_rule (const TtLevels *self, guint level, guint unit)
{
  return (const TtSamplingRule *) self->rules->pdata[level] + unit;
}

/* By how much a row's imbalance differs from that of the whole trace; INFINITY: it is not there. */
double tt_levels_change (const TtLevels *self, const TtTrial *trial, guint row);
