/*
 * What bounds a job's step: a path through its graph.
 *
 *   tt_step_path_of_schedule()   back from the node that ends last, always to what it waited for: a predecessor or the node before it on
 *                               its device; the pieces add up to the end of the schedule exactly
 *   tt_step_path_longest()       the longest path by costs, as dPRO defines it: cost (u -> v) = time of u, and its gap
 *                               where v follows on the same kind of device; with a schedule also over neighbours on a device, which
 *                               cost what lies between their starts. The last node's own time does not count, nor does END, which dPRO has not
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
  gint64
      cost_ns; /* until the next node of the path; of a schedule's path the last has its own time, of the longest path 0 */
} TtStepHop;

typedef struct
{
  GArray *steps; /* of TtStepHop, from first to last */
  gint64 length_ns;
} TtStepPath;

TtStepPath *tt_step_path_of_schedule (const TtStepGraph *graph, const TtSchedule *schedule);
/* @schedule: run, or NULL: the graph alone. NULL with *cycle a node on a cycle: there is no longest path. */
TtStepPath *
tt_step_path_longest (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtSchedule *schedule, guint32 *cycle);
void tt_step_path_free (TtStepPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepPath, tt_step_path_free)
