/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/plan.h"

#include "analyzers/training-job/server-parts.h"
#include "src/base/array.h"
#include "src/base/error.h"

#include <string.h>

/* Nodes of a cycle that an error names. */
#define MAX_CYCLE_NAMES 20

static gpointer
own_memory (TtJobPlan *self, gpointer memory)
{
  g_ptr_array_add (self->owned, memory);
  return memory;
}

/* -- groups --------------------------------------------------------------------------------------------------- */

static gboolean
has_sub_op (const TtJobNames *names, const char *tensors, const char *sub_op)
{
  g_autofree char *text = g_strdup_printf ("Comm.%s.%s", tensors, sub_op);

  return tt_job_names_find (names, text) != TT_NO_ID;
}

/* Sub-operations of a group that has no pieces, in the order of a collective's life. */
static GPtrArray *
find_sub_ops (const TtJobNames *names, const TtJobShape *shape)
{
  static const char *const order[] = {
    "NEGOTIATE_ALLREDUCE", "Sync",          "QUEUE",     "MEMCPY_IN_FUSION_BUFFER",
    "NCCL_ALLREDUCE",      "MPI_ALLREDUCE", "ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER",
  };
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (has_sub_op (names, shape->name, order[i]) || has_sub_op (names, shape->tensors[0], order[i]))
      g_ptr_array_add (found, (gpointer) order[i]);
  if (found->len > 0 && strcmp (found->pdata[0], "NEGOTIATE_ALLREDUCE") != 0 && strcmp (found->pdata[0], "Sync") != 0)
    g_ptr_array_insert (found, 0, (gpointer) "Sync");
  g_ptr_array_add (found, NULL);
  return found;
}

static TtStepAlgo
find_algo (const TtJobPlanInput *input, const TtJobShape *shape)
{
  if (shape->pieces.n_chunks == 0)
    return TT_STEP_ALGO_NONE;
  if (input->options->algo != TT_STEP_ALGO_NONE)
    return input->options->algo;
  return tt_job_topology_has_only_trees (input->topology) ? TT_STEP_ALGO_TREE : TT_STEP_ALGO_RING;
}

static TtStepGroup *
plan_groups (TtJobPlan *self, const TtJobPlanInput *input)
{
  TtStepGroup *groups = own_memory (self, g_new0 (TtStepGroup, self->shapes->len));

  for (guint i = 0; i < self->shapes->len; i++)
    {
      const TtJobShape *shape = &g_array_index (self->shapes, TtJobShape, i);

      groups[i] = (TtStepGroup){
        .name = shape->name,
        .tensors = (const char *const *) shape->tensors,
        .algo = find_algo (input, shape),
        .n_loops = shape->pieces.n_loops,
        .n_channels = shape->pieces.n_channels,
        .n_slices = shape->pieces.n_slices,
        .n_chunks = shape->pieces.n_chunks,
        .sub_ops = own_memory (self, g_ptr_array_free (find_sub_ops (input->names, shape), FALSE)),
      };
    }
  return groups;
}

/* -- the model -------------------------------------------------------------------------------------------------- */

/* MXNet counts its updates: UPDATE_0, UPDATE_1 ... */
static int
find_max_update (const TtJobNames *names)
{
  int max = -1;
  char text[32];

  for (int k = 0; k < 1 << 20; k++)
    {
      g_snprintf (text, sizeof text, "UPDATE_%d", k);
      if (tt_job_names_find (names, text) == TT_NO_ID)
        break;
      max = k;
    }
  return max;
}

static void
plan_step (TtJobPlan *self, const TtJobPlanInput *input)
{
  const TtJobTopology *topology = input->topology;
  const TtJobModelGraph *model = input->model;
  const TtNameParts *parts = TT_ARRAY (model->parts, TtNameParts);
  guint n_local = model->names->len;
  TtStepNodeKind *kinds = own_memory (self, g_new0 (TtStepNodeKind, n_local));
  const char **tensors = own_memory (self, g_new0 (const char *, n_local));

  for (guint i = 0; i < n_local; i++)
    {
      kinds[i] = tt_step_node_kind_of_name (parts[i].op_cat, NULL);
      if (strcmp (parts[i].op_cat, "Comm") == 0)
        tensors[i] = parts[i].op_name;
    }
  self->step = (TtStepPlan){
    .n_ranks = topology->n_ranks,
    .n_endpoints = topology->n_endpoints,
    .n_workers = topology->n_workers,
    .workers = topology->workers,
    .pids = (const char *const *) topology->pids,
    .n_local = n_local,
    .names = (const char *const *) model->names->pdata,
    .parts = parts,
    .kinds = kinds,
    .tensors = tensors,
    .n_edges = model->edges->len,
    .edges = (const guint32 (*)[2]) (gconstpointer) model->edges->data,
    .n_groups = self->shapes->len,
    .nccl = topology->nccl,
    .update_barrier = input->options->update_barrier,
    .max_update = find_max_update (input->names),
  };
}

/* -- the graph -------------------------------------------------------------------------------------------------- */

static void
note_what_is_coarse (const TtJobPlan *self, TtNotes *notes)
{
  const TtStepGraph *graph = self->graph;

  if (self->shapes->len == 0 && graph->n_ranks > 1)
    tt_notes_add (notes, "no communication in the typical step: the ranks do not wait for each other");
  if (graph->n_lone_tensors > 0)
    tt_notes_add (notes,
                  "%u tensors of the model were not communicated in the typical step: their Comm is a plain node",
                  graph->n_lone_tensors);
  if (graph->n_without_ring > 0)
    tt_notes_add (notes,
                  "of %u groups of tensors the rings or trees are not known: their transfers are one operation a rank",
                  graph->n_without_ring);
  if (graph->n_unobserved_parts > 0)
    tt_notes_add (notes,
                  "of %u parts of tensors the work of their server was not traced: it answers when all have pushed",
                  graph->n_unobserved_parts);
}

static gboolean
check_size (const TtJobPlan *self, GError **error)
{
  if (tt_step_plan_count_edges (&self->step) <= TT_STEP_MAX_EDGES)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "a step of %u ranks and %u groups of tensors would have more than %u dependencies", self->step.n_ranks,
               self->shapes->len, TT_STEP_MAX_EDGES);
  return FALSE;
}

static gboolean
check_cycle (const TtStepGraph *graph, GError **error)
{
  g_autoptr (GArray) cycle = tt_step_graph_find_cycle (graph);
  g_autoptr (GString) text = g_string_new (NULL);

  if (cycle == NULL)
    return TRUE;
  for (guint i = 0; i < cycle->len && i < MAX_CYCLE_NAMES; i++)
    {
      g_autofree char *name = tt_step_node_long_name (graph, g_array_index (cycle, guint32, i));
      g_string_append_printf (text, "%s%s", i > 0 ? " -> " : "", name);
    }
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the dependency graph has a cycle of %u operations: %s%s", cycle->len,
               text->str, cycle->len > MAX_CYCLE_NAMES ? " -> ..." : "");
  return FALSE;
}

TtJobPlan *
tt_job_plan_new (TtStore *store, const TtJobPlanInput *input, GError **error)
{
  g_autoptr (TtJobPlan) self = g_new0 (TtJobPlan, 1);

  self->shapes = g_array_ref (input->shapes);
  self->owned = g_ptr_array_new_with_free_func (g_free);
  plan_step (self, input);
  TtStepGroup *groups = plan_groups (self, input);
  const TtJobServerPartsInput servers = { input->names, input->topology, self->owned, input->notes };
  if (!tt_job_plan_server_parts (store, &servers, groups, self->shapes->len, error))
    return NULL;
  self->step.groups = groups;
  if (!check_size (self, error))
    return NULL;
  self->graph = tt_step_graph_new (&self->step);
  note_what_is_coarse (self, input->notes);
  return check_cycle (self->graph, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_job_plan_free (TtJobPlan *self)
{
  if (self == NULL)
    return;
  tt_step_graph_free (self->graph);
  g_array_unref (self->shapes);
  g_ptr_array_unref (self->owned);
  g_free (self);
}
