#include "config.h"

#include "analyzers/simulation.h"

#include "src/error.h"

TtSimulation *
tt_simulation_new (const TtJobGraph *graph, const TtJobTimes *times, const TtReplayOptions *options, GError **error)
{
  g_autoptr (TtSimulation) self = g_new0 (TtSimulation, 1);
  guint32 stuck;

  self->graph = graph;
  self->options = *options;
  self->schedule = tt_job_schedule (graph, times, options);
  gboolean is_run = tt_schedule_run (self->schedule, options->order, &stuck);
  if (!is_run && options->traced_order)
    {
      self->options.traced_order = FALSE;
      tt_schedule_free (self->schedule);
      self->schedule = tt_job_schedule (graph, times, &self->options);
      is_run = tt_schedule_run (self->schedule, options->order, &stuck);
    }
  if (!is_run)
    {
      g_autofree char *name = tt_job_long_name (graph, stuck);
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "operation '%s' never becomes ready", name);
      return NULL;
    }
  self->path = tt_job_path_of_schedule (graph, self->schedule);
  self->iterations_ns = tt_job_rank_iterations (graph, self->schedule, options, &self->mean_ns);
  return g_steal_pointer (&self);
}

void
tt_simulation_free (TtSimulation *self)
{
  if (self == NULL)
    return;
  tt_schedule_free (self->schedule);
  tt_job_path_free (self->path);
  g_free (self->iterations_ns);
  g_free (self);
}
