/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepPath: the path through a step's graph that bounds the step.
 *
 *   tt_step_path_of_schedule()   back from the node that ends last, always to the node it waited for: a predecessor or
 *                                the node before it on its device; the hops add up to the end of the schedule exactly
 *   tt_step_path_longest()       the longest path by costs, as dPRO defines it: cost (u -> v) = time of u, and its gap
 *                                where v follows on the same kind of device; with a schedule also over neighbours on a
 *                                device, at the time between their starts. Neither the last node's own time nor END
 *                                counts, which dPRO does not have
 */
#pragma once

#include "graphs/step-graph/replay.h"

typedef enum
{
  TT_STEP_HOP_START,      /* waited for nothing */
  TT_STEP_HOP_DEPENDENCY, /* waited for the node before it in the path */
  TT_STEP_HOP_DEVICE,     /* ready, but its device was busy with the node before it in the path */
} TtStepHopReason;

typedef struct
{
  guint32 node;
  TtStepHopReason reason;
  /* Until the next node of the path; the last: its own time on a schedule's path, 0 on the longest path. */
  gint64 cost_ns;
} TtStepHop;

typedef struct
{
  GArray *hops; /* of TtStepHop, from first to last */
  gint64 length_ns;
} TtStepPath;

TtStepPath *tt_step_path_of_schedule (const TtStepGraph *graph, const TtSchedule *schedule);
/* Back from the end of @last, only as far as @from_ns: hops without a length are left out. */
TtStepPath *tt_step_path_back (const TtStepGraph *graph, const TtSchedule *schedule, guint32 last, gint64 from_ns);
/* @schedule: run, or NULL: the graph alone. NULL with *cycle a node on a cycle: there is no longest path. */
TtStepPath *tt_step_path_longest (const TtStepGraph *graph,
                                  const TtStepNodeTimes *times,
                                  const TtSchedule *schedule,
                                  guint32 *cycle);
void tt_step_path_free (TtStepPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepPath, tt_step_path_free)
