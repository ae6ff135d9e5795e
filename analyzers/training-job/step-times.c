/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/step-times.h"

#include "src/base/array.h"

#include <string.h>

/* Nodes of all steps: 10 million times of 24 bytes. */
#define MAX_TIMES 10000000

/* The node that each of the observations' samples is about, a member's samples about the group; TT_STEP_NO_NODE: none.
 * @n_members: by node, how many members have samples. */
static guint32 *
find_nodes (const TtStepGraph *graph, const TtJobNodeSamples *samples, const GArray *shapes, guint16 *n_members)
{
  const GArray *all = samples->observations->samples;
  const TtJobSamples *first = TT_ARRAY (all, TtJobSamples);
  guint32 *node_of = g_new (guint32, (gsize) all->len + 1);

  for (guint i = 0; i < all->len; i++)
    node_of[i] = TT_STEP_NO_NODE;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);

      if (samples->of_node[i] != NULL && node->peer == TT_STEP_NO_RANK)
        {
          node_of[samples->of_node[i] - first] = i;
          continue;
        }
      if (node->group == TT_STEP_NO_GROUP || node->parts.suffix != NULL || node->rank >= graph->n_ranks)
        continue;
      const TtJobShape *shape = &g_array_index (shapes, TtJobShape, node->group);
      for (guint k = 0; shape->tensors[k] != NULL; k++)
        {
          const TtJobSamples *member = tt_job_node_samples_of_member (samples, node, shape->tensors[k]);
          if (member == NULL)
            continue;
          node_of[member - first] = i;
          n_members[i] += n_members[i] < G_MAXUINT16;
        }
    }
  return node_of;
}

static void
add_span (TtJobNodeTime *time, gint64 ts_ns, gint64 dur_ns)
{
  gboolean is_first = time->begin_ns == TT_NO_TIME;

  time->begin_ns = is_first ? ts_ns : MIN (time->begin_ns, ts_ns);
  time->end_ns = is_first ? ts_ns + dur_ns : MAX (time->end_ns, ts_ns + dur_ns);
  time->dur_ns += dur_ns;
}

/* Transfers of trees share names; which node each is was found from who was ready when. */
static void
add_tree_transfers (TtJobStepTimes *self, const TtStepGraph *graph, const GArray *spans)
{
  for (guint i = 0; i < spans->len; i++)
    {
      const TtJobSpan *span = &g_array_index (spans, TtJobSpan, i);
      if (span->node == TT_STEP_NO_NODE || tt_step_node (graph, span->node)->peer == TT_STEP_NO_RANK)
        continue;
      for (guint slot = 0; slot < self->n_steps; slot++)
        if (self->steps[slot] == span->step)
          add_span (&tt_job_step_times_of (self, slot)[span->node], span->ts_ns, span->dur_ns);
    }
}

/* Whether all groups of tensors were communicated in a step. Other operations of a group are those of its tensors, in
 * whatever group these were. */
static gboolean
is_whole_step (const TtStepGraph *graph, const TtJobNodeTime *times, guint n_groups)
{
  g_autofree gboolean *has_pieces = g_new0 (gboolean, (gsize) n_groups + 1);
  g_autofree gboolean *is_seen = g_new0 (gboolean, (gsize) n_groups + 1);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->group >= n_groups || node->parts.suffix == NULL)
        continue;
      has_pieces[node->group] = TRUE;
      is_seen[node->group] = is_seen[node->group] || times[i].begin_ns != TT_NO_TIME;
    }
  for (guint i = 0; i < n_groups; i++)
    if (has_pieces[i] && !is_seen[i])
      return FALSE;
  return TRUE;
}

/* Tensors are fused as they get ready, in other groups in other steps: steps with other groups than the graph's are left
 * out, unless all are such. */
static void
keep_whole_steps (TtJobStepTimes *self, const TtStepGraph *graph, guint n_groups)
{
  guint n_kept = 0;

  for (guint slot = 0; slot < self->n_steps; slot++)
    {
      if (!is_whole_step (graph, tt_job_step_times_of (self, slot), n_groups))
        continue;
      if (n_kept != slot)
        memcpy (tt_job_step_times_of (self, n_kept), tt_job_step_times_of (self, slot),
                self->n_nodes * sizeof *self->times);
      self->steps[n_kept++] = self->steps[slot];
    }
  if (n_kept > 0)
    self->n_steps = n_kept;
}

TtJobStepTimes *
tt_job_step_times_new (const TtStepGraph *graph, const TtJobNodeSamples *samples, const GArray *shapes)
{
  TtJobStepTimes *self = g_new0 (TtJobStepTimes, 1);
  const TtJobObservations *observations = samples->observations;
  g_autofree guint16 *n_members = g_new0 (guint16, (gsize) graph->nodes->len + 1);
  g_autofree guint32 *node_of = find_nodes (graph, samples, shapes, n_members);

  self->n_nodes = graph->nodes->len;
  self->n_steps = MIN (observations->n_kept, (guint) MAX (MAX_TIMES / (self->n_nodes + 1), 1));
  for (guint slot = 0; slot < self->n_steps; slot++)
    self->steps[slot] = observations->kept_steps[slot];
  gsize n_times = (gsize) self->n_steps * self->n_nodes;
  self->times = g_new (TtJobNodeTime, n_times + 1);
  for (gsize i = 0; i < n_times; i++)
    self->times[i] = (TtJobNodeTime){ TT_NO_TIME, TT_NO_TIME, 0 };
  for (guint i = 0; i < observations->kept_spans->len; i++)
    {
      const TtJobKeptSpan *span = &g_array_index (observations->kept_spans, TtJobKeptSpan, i);
      if (node_of[span->samples] != TT_STEP_NO_NODE && span->slot < self->n_steps)
        add_span (&tt_job_step_times_of (self, span->slot)[node_of[span->samples]], span->ts_ns, span->dur_ns);
    }
  add_tree_transfers (self, graph, samples->spans);
  for (gsize i = 0; i < n_times; i++)
    if (n_members[i % self->n_nodes] > 1)
      self->times[i].dur_ns /= n_members[i % self->n_nodes];
  keep_whole_steps (self, graph, shapes->len);
  return self;
}

void
tt_job_step_times_free (TtJobStepTimes *self)
{
  if (self == NULL)
    return;
  g_free (self->times);
  g_free (self);
}
