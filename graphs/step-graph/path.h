/*
 * What bounds a job's step: a path through its graph.
 *
 *   tt_job_path_of_schedule()   back from the node that ends last, always to what it waited for: a predecessor or the node before it on
 *                               its device; the pieces add up to the end of the schedule exactly
 *   tt_job_path_longest()       the longest path by costs, as dPRO defines it: cost (u -> v) = time of u, and its gap
 *                               where v follows on the same kind of device; with a schedule also over neighbours on a device, which
 *                               cost what lies between their starts. The last node's own time does not count, nor does END, which dPRO has not
 */
#pragma once

#include "graphs/step-graph/replay.h"

typedef enum
{
  TT_JOB_STEP_BEGIN,      /* waited for nothing */
  TT_JOB_STEP_DEPENDENCY, /* waited for the node before it in the path */
  TT_JOB_STEP_DEVICE,     /* ready, but its device was busy with the node before it in the path */
} TtJobStepReason;

typedef struct
{
  guint32 node;
  TtJobStepReason reason;
  gint64
      cost_ns; /* until the next node of the path; of a schedule's path the last has its own time, of the longest path 0 */
} TtJobStep;

typedef struct
{
  GArray *steps; /* of TtJobStep, from first to last */
  gint64 length_ns;
} TtJobPath;

TtJobPath *tt_job_path_of_schedule (const TtJobGraph *graph, const TtSchedule *schedule);
/* @schedule: run, or NULL: the graph alone. NULL with *cycle a node on a cycle: there is no longest path. */
TtJobPath *
tt_job_path_longest (const TtJobGraph *graph, const TtJobTimes *times, const TtSchedule *schedule, guint32 *cycle);
void tt_job_path_free (TtJobPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobPath, tt_job_path_free)
