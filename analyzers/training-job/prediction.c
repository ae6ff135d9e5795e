/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/prediction.h"

#include "graphs/graph.h"

#include <string.h>

guint
tt_prediction_n_steps (const TtPredictionInput *input)
{
  guint n = input->averages || input->recording != NULL ? 0 : input->job->step_model->input.steps->n_steps;

  return MAX (n, 1);
}

TtStepNodeTimes *
tt_prediction_step_times (const TtPredictionInput *input, guint slot)
{
  const TtTrainingJob *job = input->job;

  if (input->regroup != NULL)
    return g_memdup2 (input->regroup->times[slot],
                      (input->regroup->graphs[slot]->nodes->len + 1) * sizeof (TtStepNodeTimes));
  if (input->whole != NULL)
    return tt_whole_job_times (input->whole, slot);
  if (input->servers != NULL)
    return tt_server_job_times (input->servers, slot);
  if (!input->averages && job->step_model->input.steps->n_steps > 0)
    return tt_job_step_model_times (job->step_model, slot);
  TtStepNodeTimes *times = g_memdup2 (job->times, job->graph->nodes->len * sizeof *times);
  for (guint32 i = 0; !input->averages && i < job->graph->nodes->len; i++)
    if (tt_step_node_is_wait (tt_step_node (job->graph, i)))
      times[i].avg_ns = 0;
  return times;
}

static const TtStepGraph *
graph_of (const TtPrediction *self, guint slot)
{
  const TtPredictionInput *input = &self->input;

  return self->scaled != NULL     ? self->scaled->graph
         : input->regroup != NULL ? input->regroup->graphs[slot]
         : input->whole != NULL   ? input->whole->graph
         : input->servers != NULL ? input->servers->graph
                                  : input->job->graph;
}

/* The times of a step with the changes; the first step of another number of GPUs makes the graph of it. */
static TtStepNodeTimes *
change_times (TtPrediction *self, guint slot, GError **error)
{
  const TtPredictionInput *input = &self->input;
  g_autofree TtStepNodeTimes *times = tt_prediction_step_times (input, slot);

  if (input->n_gpus > 0)
    {
      if (self->scaled == NULL)
        self->scaled =
            tt_scaled_job_new (input->job, times, input->n_gpus, input->gpus_per_host, input->recv_rest, error);
      else
        tt_scaled_job_set_times (self->scaled, input->job, times, input->recv_rest);
      if (self->scaled == NULL)
        return NULL;
      g_free (times);
      times = g_memdup2 (self->scaled->times, self->scaled->graph->nodes->len * sizeof *times);
    }
  if (input->what_if != NULL && !tt_what_if_is_empty (input->what_if) &&
      !tt_what_if_apply (input->what_if, graph_of (self, slot), times, error))
    return NULL;
  return g_steal_pointer (&times);
}

/* All steps of a recording; @steps: what they take. */
static TtSimulation *
replay_recording (const TtPredictionInput *input, TtRecordedIterations *steps, GError **error)
{
  TtStepRecording *recording = input->recording;
  gboolean has_changes = input->what_if != NULL && !tt_what_if_is_empty (input->what_if);
  g_autofree TtStepNodeTimes *times = NULL;

  if (input->links == NULL && !has_changes)
    return tt_simulation_of_recording (recording, NULL, steps, error);
  times = tt_step_recording_times (recording);
  if (input->links != NULL)
    tt_recorded_network_apply (input->links, input->change, input->way, times);
  if (has_changes && !tt_what_if_apply (input->what_if, recording->graph, times, error))
    return NULL;
  return tt_simulation_of_recording (recording, times, steps, error);
}

TtSimulation *
tt_prediction_replay (TtPrediction *self, guint slot, GError **error)
{
  const TtPredictionInput *input = &self->input;

  if (input->recording != NULL)
    {
      g_auto (TtRecordedIterations) steps = { 0 };
      return replay_recording (input, &steps, error);
    }
  g_autofree TtStepNodeTimes *times = change_times (self, slot, error);
  TtStepReplayOptions replay = input->replay;

  if (times == NULL)
    return NULL;
  if (!input->averages)
    {
      const TtJobStepModel *model = input->whole != NULL ? input->whole->model : input->job->step_model;
      replay.groups_wait = replay.groups_wait || model->groups_wait;
      if (input->regroup != NULL)
        replay.groups_wait = input->regroup->groups_wait;
      replay.updates_wait = model->updates_wait;
    }
  if (self->scaled != NULL)
    replay.channel_lanes = self->scaled->channels_at_once && !input->averages;
  return tt_simulation_new (graph_of (self, slot), times, &replay, error);
}

static guint
find_nearest (const TtPrediction *self)
{
  guint nearest = 0;

  for (guint i = 1; i < self->n_steps; i++)
    if (ABS (self->steps_ns[i] - self->mean_ns) < ABS (self->steps_ns[nearest] - self->mean_ns))
      nearest = i;
  return nearest;
}

static TtPrediction *
predict_recording (const TtPredictionInput *input, GError **error)
{
  g_autoptr (TtPrediction) self = g_new0 (TtPrediction, 1);
  g_auto (TtRecordedIterations) steps = { 0 };

  self->input = *input;
  self->simulation = replay_recording (input, &steps, error);
  if (self->simulation == NULL)
    return NULL;
  self->n_steps = MAX (steps.n_steps, 1);
  self->steps_ns = g_steal_pointer (&steps.steps_ns);
  self->mean_ns = steps.mean_ns;
  return g_steal_pointer (&self);
}

TtPrediction *
tt_prediction_new (const TtPredictionInput *input, GError **error)
{
  g_autoptr (TtPrediction) self = g_new0 (TtPrediction, 1);
  g_autofree tt_int128 *rank_sums = NULL;
  tt_int128 sum_ns = 0;
  guint n_ranks = 0;

  if (input->recording != NULL)
    return predict_recording (input, error);
  self->input = *input;
  self->n_steps = tt_prediction_n_steps (input);
  self->steps_ns = g_new0 (gint64, self->n_steps);
  self->measured_ns = g_new0 (gint64, self->n_steps);
  for (guint i = 0; i < self->n_steps; i++)
    {
      tt_simulation_free (g_steal_pointer (&self->simulation));
      self->simulation = tt_prediction_replay (self, i, error);
      if (self->simulation == NULL)
        return NULL;
      n_ranks = self->simulation->graph->n_ranks;
      if (rank_sums == NULL)
        rank_sums = g_new0 (tt_int128, n_ranks);
      for (guint rank = 0; rank < n_ranks; rank++)
        rank_sums[rank] += self->simulation->iterations_ns[rank];
      self->steps_ns[i] = self->simulation->mean_ns;
      sum_ns += self->steps_ns[i];
      if (!input->averages && input->job->step_model->input.steps->n_steps > 0)
        self->measured_ns[i] = tt_job_step_model_measured_ns (input->job->step_model, i);
    }
  self->mean_ns = tt_average_ns (sum_ns, self->n_steps);
  guint nearest = find_nearest (self);
  if (nearest + 1 != self->n_steps)
    {
      tt_simulation_free (g_steal_pointer (&self->simulation));
      self->simulation = tt_prediction_replay (self, nearest, error);
      if (self->simulation == NULL)
        return NULL;
    }
  for (guint rank = 0; rank < n_ranks; rank++)
    self->simulation->iterations_ns[rank] = tt_average_ns (rank_sums[rank], self->n_steps);
  self->simulation->mean_ns = self->mean_ns;
  return g_steal_pointer (&self);
}

void
tt_prediction_free (TtPrediction *self)
{
  if (self == NULL)
    return;
  tt_simulation_free (self->simulation);
  tt_scaled_job_free (self->scaled);
  g_free (self->steps_ns);
  g_free (self->measured_ns);
  g_free (self);
}

void
tt_prediction_shift (TtPrediction *self, gint64 ns)
{
  self->mean_ns = MAX (self->mean_ns + ns, 0);
  self->simulation->mean_ns = self->mean_ns;
  for (guint i = 0; i < self->n_steps; i++)
    self->steps_ns[i] = MAX (self->steps_ns[i] + ns, 0);
  for (guint rank = 0; rank < self->simulation->graph->n_ranks; rank++)
    self->simulation->iterations_ns[rank] = MAX (self->simulation->iterations_ns[rank] + ns, 0);
}
