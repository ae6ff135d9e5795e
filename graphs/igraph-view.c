/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/igraph-view.h"

#include "src/base/error.h"

#define MAX_REASON 256

/* -- errors -------------------------------------------------------------------------------------- */

/* What the failing function of igraph said. Its callers report again, without a text. */
static char reason_text[MAX_REASON];

static void
on_igraph_error (const char *reason, const char *file, int line, igraph_error_t code)
{
  if (reason_text[0] == '\0')
    g_strlcpy (reason_text, reason, sizeof reason_text);
  IGRAPH_FINALLY_FREE ();
}

void
tt_igraph_setup (void)
{
  static gboolean is_done = FALSE;

  if (is_done)
    return;
  igraph_set_error_handler (on_igraph_error);
  igraph_set_attribute_table (&igraph_cattribute_table);
  is_done = TRUE;
}

gboolean
tt_igraph_check (igraph_error_t code, const char *what, GError **error)
{
  if (code == IGRAPH_SUCCESS)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "cannot %s: %s", what,
               reason_text[0] != '\0' ? reason_text : igraph_strerror (code));
  reason_text[0] = '\0';
  return FALSE;
}

/* -- conversion ---------------------------------------------------------------------------------- */

typedef struct
{
  igraph_vector_int_t *ends;
  gsize n;
} EdgeWriter;

static void
write_edge (EdgeWriter *self, igraph_integer_t from, igraph_integer_t to)
{
  VECTOR (*self->ends)[self->n++] = from;
  VECTOR (*self->ends)[self->n++] = to;
}

/* Edges from start to what nothing leads to, and to end from what leads nowhere. */
static void
write_start_and_end (EdgeWriter *self, const TtIgraphView *view, guint n_nodes)
{
  g_autofree guint8 *is_left = g_new0 (guint8, (gsize) n_nodes + 1);
  g_autofree guint8 *is_reached = g_new0 (guint8, (gsize) n_nodes + 1);

  for (gsize i = 0; i < self->n; i += 2)
    {
      is_left[VECTOR (*self->ends)[i]] = 1;
      is_reached[VECTOR (*self->ends)[i + 1]] = 1;
    }
  for (guint i = 0; i < n_nodes; i++)
    {
      if (!is_reached[i])
        write_edge (self, view->start, i);
      if (!is_left[i])
        write_edge (self, i, view->end);
    }
}

gboolean
tt_igraph_part_has_edge (TtIgraphPart part, const TtOrder *order, const TtEdge *edge)
{
  switch (part)
    {
    case TT_IGRAPH_WHOLE:
      return TRUE;
    case TT_IGRAPH_WITH_ENDS:
      return !tt_order_is_back (order, edge);
    case TT_IGRAPH_CYCLIC:
      return edge->src != edge->dst && order->component[edge->src] == order->component[edge->dst];
    }
  g_return_val_if_reached (FALSE);
}

TtIgraphView *
tt_igraph_view_new (const TtGraph *graph, TtIgraphPart part, const TtOrder *order, GError **error)
{
  static const char doing[] = "convert the graph for igraph";
  guint n_nodes = graph->nodes->len, n_edges = graph->edges->len;
  igraph_integer_t n_view_nodes = n_nodes, n_ends = 2 * (igraph_integer_t) n_edges;
  g_auto (igraph_vector_int_t) ends = { 0 };
  g_autofree TtIgraphView *self = g_new0 (TtIgraphView, 1);

  tt_igraph_setup ();
  self->start = self->end = -1;
  if (part == TT_IGRAPH_WITH_ENDS)
    {
      self->start = n_view_nodes++;
      self->end = n_view_nodes++;
      n_ends += 4 * (igraph_integer_t) n_nodes;
    }
  if (!tt_igraph_check (igraph_vector_int_init (&ends, n_ends), doing, error))
    return NULL;

  EdgeWriter writer = { .ends = &ends };
  for (guint i = 0; i < n_edges; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (tt_igraph_part_has_edge (part, order, edge))
        write_edge (&writer, edge->src, edge->dst);
    }
  if (part == TT_IGRAPH_WITH_ENDS)
    write_start_and_end (&writer, self, n_nodes);
  if (!tt_igraph_check (igraph_vector_int_resize (&ends, (igraph_integer_t) writer.n), doing, error) ||
      !tt_igraph_check (igraph_create (&self->igraph, &ends, n_view_nodes, IGRAPH_DIRECTED), doing, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_igraph_view_free (TtIgraphView *self)
{
  if (self == NULL)
    return;

  igraph_destroy (&self->igraph);
  g_free (self);
}
