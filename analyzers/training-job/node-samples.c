/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/node-samples.h"

#include "analyzers/training-job/tree-transfers.h"
#include "src/base/array.h"

static const TtJobSamples *
find_by_text (const TtJobNodeSamples *self, guint32 endpoint, const char *text)
{
  guint32 name = tt_job_names_find (self->names, text);

  return name == TT_NO_ID ? NULL : tt_job_observations_find (self->observations, endpoint, name);
}

const TtJobSamples *
tt_job_node_samples_of_member (const TtJobNodeSamples *self, const TtStepNode *node, const char *tensor)
{
  g_autofree char *text = g_strdup_printf ("Comm.%s.%s", tensor, node->parts.sub_op);

  return find_by_text (self, node->rank, text);
}

static void
find_samples (TtJobNodeSamples *self, const TtStepGraph *graph)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      const char *suffix = node->parts.suffix;
      g_autofree char *text = g_strconcat (node->name, suffix == NULL ? NULL : "~>", suffix, NULL);

      self->of_node[i] = node->rank == TT_STEP_NO_RANK ? NULL : find_by_text (self, node->rank, text);
    }
}

/* A span belongs to the node of its name. */
static void
find_nodes_of_spans (TtJobNodeSamples *self, const TtStepGraph *graph)
{
  const TtJobSamples *all = TT_ARRAY (self->observations->samples, TtJobSamples);
  g_autofree guint32 *node_of = g_new (guint32, (gsize) self->observations->samples->len + 1);

  for (guint i = 0; i < self->observations->samples->len; i++)
    node_of[i] = TT_STEP_NO_NODE;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (self->of_node[i] != NULL)
      node_of[self->of_node[i] - all] = i;
  for (guint i = 0; i < self->spans->len; i++)
    {
      TtJobSpan *span = &g_array_index (self->spans, TtJobSpan, i);
      const TtJobSamples *samples = tt_job_observations_find (self->observations, span->endpoint, span->name);
      if (samples != NULL)
        span->node = node_of[samples - all];
    }
}

static void
find_tree_transfers (TtJobNodeSamples *self, const TtJobNodeSamplesInput *input)
{
  const TtStepGraph *graph = input->graph;
  const TtJobTreeInput trees = { .names = input->names,
                                 .nccl = input->topology->nccl,
                                 .graph = graph,
                                 .spans = self->spans,
                                 .n_steps = input->observations->n_steps,
                                 .typical_step = input->observations->typical_step };

  self->of_transfer = tt_job_match_tree_transfers (&trees);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->peer != TT_STEP_NO_RANK)
      self->of_node[i] = self->of_transfer[i].cnt > 0 ? &self->of_transfer[i] : NULL;
}

void
tt_job_node_samples_init (TtJobNodeSamples *self, const TtJobNodeSamplesInput *input)
{
  *self = (TtJobNodeSamples){
    .names = input->names,
    .observations = input->observations,
    .of_node = g_new0 (const TtJobSamples *, (gsize) input->graph->nodes->len + 1),
    .spans = g_steal_pointer (&input->observations->spans),
  };
  find_samples (self, input->graph);
  if (self->spans->len == 0)
    return;
  find_nodes_of_spans (self, input->graph);
  if (input->has_tree_directions)
    find_tree_transfers (self, input);
}

void
tt_job_node_samples_clear (TtJobNodeSamples *self)
{
  g_free (self->of_node);
  g_free (self->of_transfer);
  g_clear_pointer (&self->spans, g_array_unref);
}
