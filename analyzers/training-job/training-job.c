#include "config.h"

#include "analyzers/training-job/private.h"

#include "analyzers/steps/steps.h"
#include "src/base/error.h"

#include <stdlib.h>
#include <string.h>

void
tt_job_shape_clear (gpointer data)
{
  TtJobShape *shape = data;

  g_free (shape->name);
  g_strfreev (shape->tensors);
}

void
tt_job_note (TtTrainingJob *job, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_ptr_array_add (job->notes, g_strdup_vprintf (format, values));
  va_end (values);
}

static TtTrainingJob *
job_new (void)
{
  TtTrainingJob *self = g_new0 (TtTrainingJob, 1);

  self->shapes = g_array_new (FALSE, FALSE, sizeof (TtJobShape));
  g_array_set_clear_func (self->shapes, tt_job_shape_clear);
  self->texts = g_string_chunk_new (4096);
  self->plan_parts = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->typical_step = TT_NO_STEP;
  return self;
}

void
tt_training_job_free (TtTrainingJob *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->pids);
  g_free (self->processes);
  tt_nccl_free (self->nccl);
  g_array_unref (self->shapes);
  tt_step_graph_free (self->graph);
  g_free (self->facts);
  g_free (self->times);
  g_free (self->plan);
  g_string_chunk_free (self->texts);
  g_ptr_array_unref (self->plan_parts);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static void
parts_clear (TtJobParts *self)
{
  g_free (self->first_name);
  g_free (self->kinds);
  g_clear_pointer (&self->name_of, g_hash_table_unref);
  g_free (self->rank_of);
  g_array_unref (self->links);
  g_free (self->workers);
  g_ptr_array_unref (self->local_names);
  g_array_unref (self->local_edges);
  g_array_unref (self->cells);
  g_hash_table_unref (self->cell_of);
  g_array_unref (self->first_comm);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->group_of);
  g_hash_table_unref (self->known_groups);
  tt_job_seen_clear (self);
  g_array_unref (self->transfers);
  g_free (self->ways);
  g_clear_pointer (&self->piece_sums, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobParts, parts_clear)

/* Ranks share names: both halves of the key count. */
static guint
hash_cell (gconstpointer data)
{
  guint64 key = *(const guint64 *) data;

  return (guint) ((key * 0x9e3779b97f4a7c15u) >> 32);
}

static void
parts_init (TtJobParts *self)
{
  self->links = g_array_new (FALSE, FALSE, sizeof (TtJobLink));
  self->local_names = g_ptr_array_new_with_free_func (g_free);
  self->local_edges = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));
  self->cells = g_array_new (FALSE, FALSE, sizeof (TtJobCell));
  self->cell_of = g_hash_table_new_full (hash_cell, g_int64_equal, g_free, NULL);
  self->first_comm = g_array_new (FALSE, TRUE, sizeof (guint));
  self->groups = g_ptr_array_new_with_free_func (g_free);
  self->group_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->known_groups = g_hash_table_new (g_str_hash, g_str_equal);
  tt_job_seen_init (self);
  self->transfers = g_array_new (FALSE, FALSE, sizeof (TtJobTransfer));
}

static gboolean
find_steps (TtJobParts *self, GError **error)
{
  g_autoptr (TtSteps) steps = tt_steps_new (self->store, NULL, error);

  if (steps == NULL)
    return FALSE;
  const TtStepIteration *iteration = tt_steps_iteration (steps);
  gint32 max_step = TT_NO_STEP;
  for (guint64 i = 0; i < tt_steps_n_rows (steps); i++)
    {
      TtStepRow row;
      tt_steps_row (steps, i, &row);
      max_step = MAX (max_step, row.step);
    }
  self->job->n_steps = (guint) (max_step + 1);
  if (iteration->n_processes > 0)
    {
      self->job->typical_step = iteration->typical_step;
      self->job->iteration_ns = (gint64) (iteration->iter_ns + 0.5);
    }
  else
    tt_job_note (self->job, "no training steps in the traces: the whole run is taken as one");
  return tt_steps_check (steps, error);
}

/* -- the plan ------------------------------------------------------------------------------------------------- */

/* Sub-operations of a group that has no pieces, in the order of a collective's life. */
static GPtrArray *
find_sub_ops (const TtJobParts *self, const TtJobShape *shape)
{
  static const char *const order[] = {
    "NEGOTIATE_ALLREDUCE", "Sync",          "QUEUE",     "MEMCPY_IN_FUSION_BUFFER",
    "NCCL_ALLREDUCE",      "MPI_ALLREDUCE", "ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER",
  };
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autofree char *whole = g_strdup_printf ("Comm.%s.%s", shape->name, order[i]);
      g_autofree char *member = g_strdup_printf ("Comm.%s.%s", shape->tensors[0], order[i]);
      if (g_hash_table_contains (self->name_of, whole) || g_hash_table_contains (self->name_of, member))
        g_ptr_array_add (found, (gpointer) order[i]);
    }
  if (found->len > 0 && strcmp (found->pdata[0], "NEGOTIATE_ALLREDUCE") != 0 && strcmp (found->pdata[0], "Sync") != 0)
    g_ptr_array_insert (found, 0, (gpointer) "Sync");
  g_ptr_array_add (found, NULL);
  return found;
}

static gboolean
has_only_trees (const TtNccl *nccl)
{
  return nccl != NULL && tt_nccl_n_channels (nccl, TT_NCCL_RING) == 0 && tt_nccl_n_channels (nccl, TT_NCCL_TREE) > 0;
}

static TtStepAlgo
find_algo (const TtJobParts *self, const TtJobShape *shape)
{
  if (shape->n_chunks == 0)
    return TT_STEP_ALGO_NONE;
  if (self->options->algo != TT_STEP_ALGO_NONE)
    return self->options->algo;
  return has_only_trees (self->job->nccl) ? TT_STEP_ALGO_TREE : TT_STEP_ALGO_RING;
}

/* Keeps a part of the plan as long as the job lives. */
static gpointer
keep (TtTrainingJob *job, gpointer part)
{
  g_ptr_array_add (job->plan_parts, part);
  return part;
}

static void
plan_groups (TtJobParts *self, TtStepGroup *groups)
{
  for (guint i = 0; i < self->job->shapes->len; i++)
    {
      const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, i);
      GPtrArray *found = find_sub_ops (self, shape);
      gpointer sub_ops = keep (self->job, g_ptr_array_free (found, FALSE));

      groups[i] = (TtStepGroup){
        .name = shape->name,
        .tensors = (const char *const *) shape->tensors,
        .algo = find_algo (self, shape),
        .n_loops = shape->n_loops,
        .n_channels = shape->n_channels,
        .n_slices = shape->n_slices,
        .n_chunks = shape->n_chunks,
        .sub_ops = sub_ops,
      };
    }
}

/* MXNet counts its updates: UPDATE_0, UPDATE_1 ... */
static int
find_max_update (const TtJobParts *self)
{
  int max = -1;
  char text[32];

  for (int k = 0; k < 1 << 20; k++)
    {
      g_snprintf (text, sizeof text, "UPDATE_%d", k);
      if (!g_hash_table_contains (self->name_of, text))
        break;
      max = k;
    }
  return max;
}

static void
tell_what_is_coarse (const TtJobParts *self)
{
  const TtStepGraph *graph = self->job->graph;

  if (self->job->shapes->len == 0 && self->job->n_ranks > 1)
    tt_job_note (self->job, "no communication in the typical step: the ranks do not wait for each other");
  if (graph->n_lone_tensors > 0)
    tt_job_note (self->job,
                 "%u tensors of the model were not communicated in the typical step: their Comm is a plain node",
                 graph->n_lone_tensors);
  if (graph->n_without_ring > 0)
    tt_job_note (self->job,
                 "of %u groups of tensors the rings or trees are not known: their transfers are one operation a rank",
                 graph->n_without_ring);
  if (graph->n_unobserved_parts > 0)
    tt_job_note (self->job,
                 "of %u parts of tensors the work of their server was not traced: it answers when all have pushed",
                 graph->n_unobserved_parts);
}

static gboolean
build_graph (TtJobParts *self, GError **error)
{
  TtTrainingJob *job = self->job;
  guint n_local = self->local_names->len;
  TtStepNodeKind *kinds = keep (job, g_new0 (TtStepNodeKind, n_local));
  const char **names = keep (job, g_new0 (const char *, n_local));
  TtNameParts *parts = keep (job, g_new0 (TtNameParts, n_local));
  const char **tensors = keep (job, g_new0 (const char *, n_local));
  TtStepGroup *groups = keep (job, g_new0 (TtStepGroup, job->shapes->len));
  guint32 *edges = keep (job, g_memdup2 (self->local_edges->data, (gsize) self->local_edges->len * 2 * sizeof *edges));

  for (guint i = 0; i < n_local; i++)
    {
      names[i] = keep (job, g_strdup (self->local_names->pdata[i]));
      parts[i] = tt_name_parts_parse (names[i], job->texts);
      kinds[i] = tt_step_node_kind_of_name (parts[i].op_cat, NULL);
      if (g_strcmp0 (parts[i].op_cat, "Comm") == 0)
        tensors[i] = parts[i].op_name;
    }
  plan_groups (self, groups);
  if (!tt_job_plan_servers (self, groups, error))
    return FALSE;
  job->plan = g_new (TtStepPlan, 1);
  *job->plan = (TtStepPlan){
    .n_ranks = job->n_ranks,
    .n_endpoints = job->n_endpoints,
    .n_workers = self->n_workers,
    .workers =
        self->workers == NULL ? NULL : keep (job, g_memdup2 (self->workers, job->n_ranks * sizeof *self->workers)),
    .pids = (const char *const *) job->pids,
    .n_local = n_local,
    .names = names,
    .parts = parts,
    .kinds = kinds,
    .tensors = tensors,
    .n_edges = self->local_edges->len,
    .edges = (const guint32 (*)[2]) (gconstpointer) edges,
    .n_groups = job->shapes->len,
    .groups = groups,
    .nccl = job->nccl,
    .update_barrier = self->options->update_barrier,
    .max_update = find_max_update (self),
  };
  if (tt_step_plan_count_edges (job->plan) > TT_STEP_MAX_EDGES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "a step of %u ranks and %u groups of tensors would have more than %u dependencies", job->n_ranks,
                   job->shapes->len, TT_STEP_MAX_EDGES);
      return FALSE;
    }
  job->graph = tt_step_graph_new (job->plan);
  tell_what_is_coarse (self);
  return TRUE;
}

static gboolean
check_cycle (const TtTrainingJob *job, GError **error)
{
  g_autoptr (GArray) cycle = tt_step_graph_find_cycle (job->graph);
  g_autoptr (GString) text = g_string_new (NULL);

  if (cycle == NULL)
    return TRUE;
  for (guint i = 0; i < cycle->len && i < 20; i++)
    {
      g_autofree char *name = tt_step_node_long_name (job->graph, g_array_index (cycle, guint32, i));
      g_string_append_printf (text, "%s%s", i > 0 ? " -> " : "", name);
    }
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the dependency graph has a cycle of %u operations: %s%s", cycle->len,
               text->str, cycle->len > 20 ? " -> ..." : "");
  return FALSE;
}

gboolean
tt_training_job_is_there (TtStore *store, gboolean *is_there, GError **error)
{
  const TtTrainingJobOptions options = { 0 };
  g_autoptr (TtTrainingJob) job = job_new ();
  g_auto (TtJobParts) parts = { .job = job, .store = store, .options = &options };
  g_autoptr (GError) why = NULL;

  parts_init (&parts);
  *is_there = tt_job_find_names (&parts, &why) && tt_job_find_ranks (&parts, &why);
  if (*is_there || g_error_matches (why, TT_ERROR, TT_ERROR_INPUT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

TtTrainingJob *
tt_training_job_new (TtStore *store, const TtTrainingJobOptions *options, GError **error)
{
  g_autoptr (TtTrainingJob) job = job_new ();
  g_auto (TtJobParts) parts = { .job = job, .store = store, .options = options };

  parts_init (&parts);
  if (!tt_job_find_names (&parts, error) || !tt_job_find_ranks (&parts, error) || !tt_job_find_places (&parts, error) ||
      !find_steps (&parts, error) || !tt_job_read_connections (&parts, error) ||
      !tt_job_read_local_graph (&parts, error))
    return NULL;
  parts.has_ways = has_only_trees (job->nccl) && options->algo != TT_STEP_ALGO_RING;
  if (!tt_job_read_events (&parts, error) || !tt_job_find_shapes (&parts, error))
    return NULL;
  tt_job_complete_local_graph (&parts);
  if (!build_graph (&parts, error) || !check_cycle (job, error))
    return NULL;
  tt_job_fill_facts (&parts);
  return g_steal_pointer (&job);
}
