/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/simulation.h"

#include "analyzers/training-job/factor.h"
#include "src/base/error.h"

/* Whatever waits for what, no sum of them is too long to be counted. */
static gboolean
check_sum (tt_int128 sum_ns, GError **error)
{
  if (sum_ns <= TT_FACTOR_MAX_NS)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "operations would take more than %d years together",
               (int) (TT_FACTOR_MAX_NS / 1000000000 / 3600 / 24 / 365));
  return FALSE;
}

static gboolean
check_times (const TtStepGraph *graph, const TtStepNodeTimes *times, GError **error)
{
  tt_int128 sum_ns = 0;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    sum_ns += MAX (times[i].avg_ns, 0);
  return check_sum (sum_ns, error);
}

static gboolean
check_durations (const TtStepRecording *recording, GError **error)
{
  tt_int128 sum_ns = 0;

  for (guint32 i = 0; i < recording->graph->nodes->len; i++)
    sum_ns += recording->durations_ns[i];
  return check_sum (sum_ns, error);
}

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

  if (!check_times (graph, times, error))
    return NULL;
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
tt_simulation_of_recording (TtStepRecording *recording,
                            const TtStepNodeTimes *times,
                            TtRecordedIterations *steps,
                            GError **error)
{
  g_autoptr (TtSimulation) self = g_new0 (TtSimulation, 1);
  guint32 stuck = 0;

  *steps = (TtRecordedIterations){ 0 };
  if (times == NULL ? !check_durations (recording, error) : !check_times (recording->graph, times, error))
    return NULL;
  self->graph = recording->graph;
  self->recording = recording;
  self->options.order = TT_SCHEDULE_BY_START;
  gboolean is_run = times == NULL && recording->settled != NULL;
  self->schedule = is_run ? g_steal_pointer (&recording->settled) : tt_step_recording_schedule (recording, times);
  if (!is_run && !tt_schedule_run (self->schedule, self->options.order, &stuck))
    return finish_run (self, FALSE, stuck, error) ? g_steal_pointer (&self) : NULL;
  *steps = tt_step_recording_iterations (recording, self->schedule);
  guint32 last = tt_step_recording_typical (recording, self->schedule, steps, &self->from_ns);
  self->until_ns = tt_schedule_end_ns (self->schedule, last);
  self->path = tt_step_path_back (self->graph, self->schedule, last, self->from_ns);
  self->iterations_ns = g_memdup2 (steps->ranks_ns, MAX (self->graph->n_ranks, 1) * sizeof (gint64));
  self->mean_ns = steps->mean_ns;
  return g_steal_pointer (&self);
}

gint64
tt_simulation_iteration (const TtSimulation *self)
{
  gint64 mean_ns;

  if (self->recording != NULL)
    {
      g_auto (TtRecordedIterations) steps = tt_step_recording_iterations (self->recording, self->schedule);
      return steps.mean_ns;
    }
  g_free (tt_step_rank_iterations (self->graph, self->schedule, &self->options, &mean_ns));
  return mean_ns;
}

TtSimulation *
tt_simulation_again (TtSimulation *base, const TtStepNodeTimes *times, GError **error)
{
  g_autoptr (TtSimulation) self = g_new0 (TtSimulation, 1);
  guint32 stuck = 0;

  if (!check_times (base->graph, times, error))
    return NULL;
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
