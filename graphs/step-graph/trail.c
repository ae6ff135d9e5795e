/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/trail.h"

#include <math.h>
#include <string.h>

TtTrail *
tt_trail_new (void)
{
  TtTrail *self = g_new0 (TtTrail, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (TtTrailNode));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (TtTrailGap));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TtTrailEdge));
  self->text = g_string_chunk_new (4096);
  return self;
}

void
tt_trail_free (TtTrail *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->gaps);
  g_array_unref (self->edges);
  g_string_chunk_free (self->text);
  g_free (self);
}

guint32
tt_trail_add_node (TtTrail *self, const char *label, double avg_ms, gint64 cnt)
{
  TtTrailNode node = { .avg_ms = avg_ms, .cnt = cnt, .first_gap = self->gaps->len, .is_real = TRUE };

  node.label = g_string_chunk_insert (self->text, label);
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

void
tt_trail_add_gap (TtTrail *self, const char *kind, double us)
{
  TtTrailGap gap = { g_string_chunk_insert_const (self->text, kind), us, TRUE };

  g_return_if_fail (self->nodes->len > 0);
  g_array_append_val (self->gaps, gap);
  g_array_index (self->nodes, TtTrailNode, self->nodes->len - 1).n_gaps++;
}

void
tt_trail_add_edge (TtTrail *self, guint32 from, guint32 to)
{
  TtTrailEdge edge = { from, to };

  g_return_if_fail (from < self->nodes->len && to < self->nodes->len);
  g_array_append_val (self->edges, edge);
}

/* -- drawing -------------------------------------------------------------------------------------------- */

static gboolean
is_communication (const TtTrailEnd *end)
{
  return g_strcmp0 (end->parts.op_cat, "Comm") == 0;
}

static gboolean
is_comm_of (const TtTrailEnd *end, const char *sub_op)
{
  return is_communication (end) && g_strcmp0 (end->parts.sub_op, sub_op) == 0;
}

TtEdgeKind
tt_trail_edge_kind (const TtTrailEnd *from, const TtTrailEnd *to)
{
  if (to->is_end)
    return TT_EDGE_END;
  if (is_comm_of (from, "SEND") && is_comm_of (to, "RECV"))
    return TT_EDGE_MESSAGE;
  if ((is_comm_of (from, "Sync") || is_comm_of (from, "NEGOTIATE_ALLREDUCE")) && g_strcmp0 (from->pid, to->pid) != 0)
    return TT_EDGE_COLLECTIVE;
  return TT_EDGE_DEPENDENCY;
}

/* Adds the node of "pid->op_cat.op_name[.sub_op][~>suffix]". */
static guint32
add_labelled_node (TtGraph *graph, const char *label, TtTrailEnd *end)
{
  const char *arrow = strstr (label, "->");
  const char *text = arrow == NULL ? label : arrow + 2;
  g_autofree char *pid = arrow == NULL ? NULL : g_strndup (label, (gsize) (arrow - label));
  const char *suffix = strstr (text, "~>");
  g_autofree char *name = suffix == NULL ? g_strdup (text) : g_strndup (text, (gsize) (suffix - text));

  *end = (TtTrailEnd){ .pid = pid == NULL ? NULL : g_string_chunk_insert_const (graph->text, pid),
                       .parts = tt_name_parts_parse (text, graph->text),
                       .is_end = strcmp (label, "END") == 0 };
  guint32 node = tt_graph_add_node (graph, label, pid, end->is_end ? "virtual" : end->parts.op_cat, name);
  tt_graph_node (graph, node)->is_end = end->is_end;
  return node;
}

static gint64
scaled (double value, double scale)
{
  double ns = value * scale;

  return isfinite (ns) && fabs (ns) < 9e18 ? (gint64) llround (ns) : 0;
}

static gint64
gap_between (const TtTrail *self, const TtTrailNode *trail, const TtTrailEnd *from, const TtTrailEnd *to)
{
  g_autofree char *kind = g_strconcat (is_communication (from) ? "Comm" : "operator", "GAP",
                                       is_communication (to) ? "Comm" : "operator", NULL);

  for (guint32 i = trail->first_gap; i < trail->first_gap + trail->n_gaps; i++)
    {
      const TtTrailGap *gap = &g_array_index (self->gaps, TtTrailGap, i);
      if (strcmp (gap->kind, kind) == 0)
        return scaled (gap->us, 1e3);
    }
  return 0;
}

TtGraph *
tt_trail_to_graph (const TtTrail *self)
{
  TtGraph *graph = tt_graph_new ();
  g_autofree TtTrailEnd *ends = g_new (TtTrailEnd, (gsize) self->nodes->len + 1);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const TtTrailNode *trail = &g_array_index (self->nodes, TtTrailNode, i);
      guint32 number = add_labelled_node (graph, trail->label, &ends[i]);
      TtNode *node = tt_graph_node (graph, number);

      node->cnt = 1;
      node->sum_ns = node->self_ns = scaled (trail->avg_ms, 1e6);
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      const TtTrailEdge *edge = &g_array_index (self->edges, TtTrailEdge, i);
      const TtTrailNode *trail = &g_array_index (self->nodes, TtTrailNode, edge->from);
      const TtTrailEnd *from = &ends[edge->from], *to = &ends[edge->to];

      tt_graph_add_edge (graph, edge->from, edge->to, tt_trail_edge_kind (from, to), 1,
                         gap_between (self, trail, from, to));
    }
  return graph;
}
