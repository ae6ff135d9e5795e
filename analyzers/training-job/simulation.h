/*
 * TtSimulation: a job's step played through on its devices, and what bounds it.
 */
#pragma once

#include "graphs/step-graph/path.h"

typedef struct
{
  const TtStepGraph *graph; /* not its own */
  TtStepReplayOptions options;
  TtSchedule *schedule;  /* has run; NULL: another has taken it over */
  TtStepPath *path;       /* tt_step_path_of_schedule() */
  gint64 *iterations_ns; /* by rank */
  gint64 mean_ns;
} TtSimulation;

/* @times: one a node. Where the order that was seen contradicts the graph it is not kept to: options.traced_order says so.
 * NULL with @error: an operation never became ready (named). */
TtSimulation *
tt_simulation_new (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtStepReplayOptions *options, GError **error);
/* The same with other times, for less: it takes over the schedule of @self, which keeps path and iterations only. */
TtSimulation *tt_simulation_again (TtSimulation *self, const TtStepNodeTimes *times, GError **error);
void tt_simulation_free (TtSimulation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSimulation, tt_simulation_free)
