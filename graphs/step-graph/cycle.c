/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/step-graph.h"

#include "src/base/array.h"

/* Kahn's order leaves the nodes on a cycle or after one; a walk back from any of them ends on a cycle. */
static guint32
find_left_over (const TtStepGraph *self, gboolean *is_done)
{
  guint32 n = self->nodes->len, n_ready = 0, n_done = 0;
  g_autofree guint32 *missing = g_new0 (guint32, n);
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *order = g_new (guint32, n);
  const TtStepEdge *edges = TT_ARRAY (self->edges, TtStepEdge);

  for (guint i = 0; i < self->edges->len; i++)
    {
      missing[edges[i].to]++;
      first[edges[i].from + 1]++;
    }
  for (guint32 i = 0; i < n; i++)
    {
      first[i + 1] += first[i];
      if (missing[i] == 0)
        order[n_ready++] = i;
    }
  while (n_done < n_ready)
    {
      guint32 from = order[n_done++];
      is_done[from] = TRUE;
      for (guint32 i = first[from]; i < first[from + 1]; i++)
        if (--missing[edges[i].to] == 0)
          order[n_ready++] = edges[i].to;
    }
  for (guint32 i = 0; i < n; i++)
    if (!is_done[i])
      return i;
  return n;
}

GArray *
tt_step_graph_find_cycle (const TtStepGraph *self)
{
  guint32 n = self->nodes->len;
  g_autofree gboolean *is_done = g_new0 (gboolean, n);
  g_autofree guint32 *before = g_new (guint32, n);
  g_autofree gboolean *is_seen = g_new0 (gboolean, n);
  guint32 node = find_left_over (self, is_done);

  if (node == n)
    return NULL;
  for (guint i = self->edges->len; i-- > 0;)
    {
      const TtStepEdge *edge = &g_array_index (self->edges, TtStepEdge, i);
      if (!is_done[edge->from])
        before[edge->to] = edge->from;
    }
  for (; !is_seen[node]; node = before[node])
    is_seen[node] = TRUE;

  GArray *cycle = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 at = node;
  do
    {
      g_array_prepend_val (cycle, at);
      at = before[at];
    }
  while (at != node);
  return cycle;
}
