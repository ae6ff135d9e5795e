/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSimulation: the replay of a job's step on its devices, and the path that bounds it.
 */
#pragma once

#include "graphs/step-graph/path.h"
#include "graphs/step-graph/recording.h"

typedef struct
{
  const TtStepGraph *graph;         /* not owned */
  const TtStepRecording *recording; /* likewise; NULL: the graph is of a model */
  TtStepReplayOptions options;
  TtSchedule *schedule;  /* has run; NULL: another simulation has taken it over */
  TtStepPath *path;      /* tt_step_path_of_schedule() */
  gint64 *iterations_ns; /* by rank */
  gint64 mean_ns;
  /* Of a recording: what the path and tables are of, the step that is nearest to the mean. */
  gint64 from_ns, until_ns;
} TtSimulation;

/* @times: one a node. Where the observed order contradicts the graph it is dropped, and options.traced_order is FALSE.
 * NULL with @error: an operation never became ready (named), or of usage: they take too long to be added up. */
TtSimulation *tt_simulation_new (const TtStepGraph *graph,
                                 const TtStepNodeTimes *times,
                                 const TtStepReplayOptions *options,
                                 GError **error);
/* A recorded run with these times; @steps: what they make of its steps; clear it. @times: NULL: as recorded; then what settled
 * it is taken, if nobody has. */
TtSimulation *tt_simulation_of_recording (TtStepRecording *recording,
                                          const TtStepNodeTimes *times,
                                          TtRecordedIterations *steps,
                                          GError **error);
/* Once the schedule has run again: the iteration, mean over ranks. */
gint64 tt_simulation_iteration (const TtSimulation *self);
/* The same graph with other times, for less: takes over the schedule of @self, which keeps its path and iterations. */
TtSimulation *tt_simulation_again (TtSimulation *self, const TtStepNodeTimes *times, GError **error);
void tt_simulation_free (TtSimulation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSimulation, tt_simulation_free)
