/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/simulation.h"

#include "src/base/error.h"

static gboolean
finish_run (TtSimulation *self, gboolean is_run, guint32 stuck, GError **error)
{
  if (!is_run)
    {
      g_autofree char *name = tt_step_node_long_name (self->graph, MIN (stuck, self->graph->nodes->len - 1));
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "operation '%s' never becomes ready", name);
      return FALSE;
    }
  self->path = tt_step_path_of_schedule (self->graph, self->schedule);
  self->iterations_ns = tt_step_rank_iterations (self->graph, self->schedule, &self->options, &self->mean_ns);
  return TRUE;
}

TtSimulation *
tt_simulation_new (const TtStepGraph *graph,
                   const TtStepNodeTimes *times,
                   const TtStepReplayOptions *options,
                   GError **error)
{
  g_autoptr (TtSimulation) self = g_new0 (TtSimulation, 1);
  guint32 stuck = 0;

  self->graph = graph;
  self->options = *options;
  self->schedule = tt_step_schedule_new (graph, times, options);
  gboolean is_run = tt_schedule_run (self->schedule, options->order, &stuck);
  if (!is_run && options->traced_order)
    {
      self->options.traced_order = FALSE;
      tt_schedule_free (self->schedule);
      self->schedule = tt_step_schedule_new (graph, times, &self->options);
      is_run = tt_schedule_run (self->schedule, options->order, &stuck);
    }
  return finish_run (self, is_run, stuck, error) ? g_steal_pointer (&self) : NULL;
}

TtSimulation *
tt_simulation_again (TtSimulation *base, const TtStepNodeTimes *times, GError **error)
{
  g_autoptr (TtSimulation) self = g_new0 (TtSimulation, 1);
  guint32 stuck = 0;

  self->graph = base->graph;
  self->options = base->options;
  self->schedule = g_steal_pointer (&base->schedule);
  tt_step_schedule_update (self->graph, self->schedule, times, &self->options);
  gboolean is_run = tt_schedule_run (self->schedule, self->options.order, &stuck);
  return finish_run (self, is_run, stuck, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_simulation_free (TtSimulation *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->schedule, tt_schedule_free);
  tt_step_path_free (self->path);
  g_free (self->iterations_ns);
  g_free (self);
}
