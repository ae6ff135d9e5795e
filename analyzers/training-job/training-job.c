/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/training-job.h"

#include "analyzers/training-job/model-completion.h"
#include "src/base/error.h"

gboolean
tt_training_job_is_there (TtStore *store, gboolean *is_there, GError **error)
{
  g_autoptr (TtJobTopology) topology = tt_job_topology_new ();
  g_auto (TtJobNames) names = { 0 };
  g_auto (TtNotes) notes = { 0 };
  g_autoptr (GError) why = NULL;

  tt_notes_init (&notes);
  *is_there =
      tt_job_names_init (&names, store, &why) && tt_job_topology_read_ranks (topology, store, &names, &notes, &why);
  if (*is_there || g_error_matches (why, TT_ERROR, TT_ERROR_INPUT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

/* The stages before the plan. Notes come in this order. */
typedef struct
{
  TtStore *store;
  const TtTrainingJobOptions *options;
  TtNotes *notes;
  TtJobNames names;
  TtJobObservations *observations;
  gboolean has_tree_directions;
  TtTrainingJob *job;
} Stages;

static void
stages_clear (Stages *self)
{
  tt_job_names_clear (&self->names);
  tt_job_observations_free (self->observations);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stages, stages_clear)

static gboolean
read_definitions (Stages *self, GError **error)
{
  TtTrainingJob *job = self->job;
  TtStore *store = self->store;

  job->topology = tt_job_topology_new ();
  job->model = tt_job_model_graph_new ();
  self->observations = tt_job_observations_new ();
  if (!tt_job_names_init (&self->names, store, error) ||
      !tt_job_topology_read_ranks (job->topology, store, &self->names, self->notes, error) ||
      !tt_job_topology_read_links (job->topology, store, &self->names, self->notes, error) ||
      !tt_job_observe_steps (self->observations, store, self->notes, error) ||
      !tt_job_topology_read_connections (job->topology, store, self->notes, error) ||
      !tt_job_model_graph_read (job->model, store, job->topology, self->notes, error))
    return FALSE;
  self->has_tree_directions =
      tt_job_topology_has_only_trees (job->topology) && self->options->algo != TT_STEP_ALGO_RING;
  return TRUE;
}

static gboolean
observe_events (Stages *self, GError **error)
{
  const TtJobObserveInput input = { .names = &self->names,
                                    .topology = self->job->topology,
                                    .has_model_graph = self->job->model->names->len > 0,
                                    .has_tree_directions = self->has_tree_directions,
                                    .recv = self->options->recv,
                                    .sync_groups = self->options->sync_groups };

  return tt_job_observe_events (self->observations, self->store, &input, error);
}

static gboolean
make_plan (Stages *self, GError **error)
{
  TtTrainingJob *job = self->job;
  g_autoptr (GArray) shapes = tt_job_shapes_new (self->store, job->topology, self->observations, self->notes, error);
  const TtJobPlanInput input = { self->options, &self->names, job->topology, job->model, shapes, self->notes };

  if (shapes == NULL)
    return FALSE;
  tt_job_model_graph_complete (job->model, self->store, &self->names, self->observations, self->notes);
  job->plan = tt_job_plan_new (self->store, &input, error);
  return job->plan != NULL;
}

static void
measure_nodes (Stages *self)
{
  const TtJobTimingInput input = { .options = self->options,
                                   .names = &self->names,
                                   .topology = self->job->topology,
                                   .observations = self->observations,
                                   .plan = self->job->plan,
                                   .has_tree_directions = self->has_tree_directions };

  self->job->timing = tt_job_timing_new (self->store, &input);
}

static void
set_members (Stages *self)
{
  TtTrainingJob *job = self->job;

  job->n_ranks = job->topology->n_ranks;
  job->n_endpoints = job->topology->n_endpoints;
  job->pids = job->topology->pids;
  job->processes = job->topology->processes;
  job->nccl = job->topology->nccl;
  job->shapes = job->plan->shapes;
  job->graph = job->plan->graph;
  job->facts = job->timing->facts;
  job->times = job->timing->times;
  job->updates_wait = job->timing->updates_wait;
  job->typical_step = self->observations->typical_step;
  job->n_steps = self->observations->n_steps;
  job->iteration_ns = self->observations->iteration_ns;
}

TtTrainingJob *
tt_training_job_new (TtStore *store, const TtTrainingJobOptions *options, GError **error)
{
  g_autoptr (TtTrainingJob) job = g_new0 (TtTrainingJob, 1);
  g_auto (TtNotes) notes = { 0 };
  g_auto (Stages) stages = { .store = store, .options = options, .notes = &notes, .job = job };

  tt_notes_init (&notes);
  if (!read_definitions (&stages, error) || !observe_events (&stages, error) || !make_plan (&stages, error))
    return NULL;
  measure_nodes (&stages);
  set_members (&stages);
  job->notes = g_steal_pointer (&notes.texts);
  return g_steal_pointer (&job);
}

void
tt_training_job_model_steps (TtTrainingJob *self)
{
  const TtJobStepModelInput input = { self->graph, self->times, self->timing->steps, self->updates_wait };

  self->step_model = tt_job_step_model_new (&input);
}

void
tt_training_job_free (TtTrainingJob *self)
{
  if (self == NULL)
    return;
  tt_job_step_model_free (self->step_model);
  tt_job_timing_free (self->timing);
  tt_job_plan_free (self->plan);
  tt_job_model_graph_free (self->model);
  tt_job_topology_free (self->topology);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}
