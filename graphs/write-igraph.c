/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/write-igraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphs/igraph-view.h"
#include "src/base/error.h"

/* The names of the columns in the two languages; GML allows no underscore. */
typedef struct
{
  const char *op_cat, *average, *self, *edge_gap, *ts;
  double average_scale; /* from ns */
} Words;

static const Words words_of[] = {
  [TT_GRAPH_FILE_GRAPHML] = { "op_cat", "avg_us", "self_us", "gap_us", "ts_us", 1e3 },
  [TT_GRAPH_FILE_GML] = { "opcat", "avg", "self", "gap", "ts", 1e6 },
};

typedef enum
{
  NODE_LABEL,
  NODE_PID,
  NODE_OP_CAT,
  NODE_NAME,
  EDGE_KIND,
} TextColumn;

typedef struct
{
  igraph_t *igraph;
  const TtGraph *graph;
  TtGraphFile file;
  const Words *words;
} AttributeWriter;

static gboolean
check_code (igraph_error_t code, GError **error)
{
  return tt_igraph_check (code, "write the graph", error);
}

/* XML knows no control characters, and a label is one line; GML gets what is not ASCII as entities. */
static char *
clean_text (const char *text, TtGraphFile file)
{
  g_autofree char *valid = g_utf8_make_valid (text == NULL ? "" : text, -1);
  GString *clean = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe)
        c = ' ';
      if (file == TT_GRAPH_FILE_GML && c == '&')
        g_string_append (clean, "&amp;");
      else if (file == TT_GRAPH_FILE_GML && c >= 0x80)
        g_string_append_printf (clean, "&#%u;", c);
      else
        g_string_append_unichar (clean, c);
    }
  return g_string_free (clean, FALSE);
}

static const char *
get_text (const TtGraph *graph, guint i, TextColumn column)
{
  switch (column)
    {
    case NODE_LABEL:
      return tt_graph_node (graph, i)->label;
    case NODE_PID:
      return tt_graph_node (graph, i)->pid;
    case NODE_OP_CAT:
      return tt_graph_node (graph, i)->op_cat;
    case NODE_NAME:
      return tt_graph_node (graph, i)->name;
    case EDGE_KIND:
      return tt_edge_kind_text (tt_graph_edge (graph, i)->kind);
    }
  g_return_val_if_reached (NULL);
}

static gboolean
write_texts (const AttributeWriter *self, TextColumn column, const char *word, GError **error)
{
  guint n = column == EDGE_KIND ? self->graph->edges->len : self->graph->nodes->len;
  g_auto (igraph_strvector_t) texts = { 0 };

  if (!check_code (igraph_strvector_init (&texts, (igraph_integer_t) n), error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = clean_text (get_text (self->graph, i, column), self->file);
      if (!check_code (igraph_strvector_set (&texts, (igraph_integer_t) i, text), error))
        return FALSE;
    }
  return check_code (column == EDGE_KIND ? SETEASV (self->igraph, word, &texts) : SETVASV (self->igraph, word, &texts),
                     error);
}

typedef struct _NumberColumn NumberColumn;
typedef double (*NumberFunc) (const TtGraph *graph, guint i, const NumberColumn *column);

struct _NumberColumn
{
  const char *word;
  NumberFunc func;
  double scale;   /* from ns; 0: the number is no time */
  TtEdgeKind kind; /* of gaps */
};

static double
node_cnt (const TtGraph *graph, guint i, const NumberColumn *column)
{
  return (double) tt_graph_node (graph, i)->cnt;
}

static double
node_avg (const TtGraph *graph, guint i, const NumberColumn *column)
{
  const TtNode *node = tt_graph_node (graph, i);

  return (double) tt_average_ns (node->sum_ns, node->cnt) / column->scale;
}

static double
node_self (const TtGraph *graph, guint i, const NumberColumn *column)
{
  return (double) tt_graph_node (graph, i)->self_ns / column->scale;
}

static double
node_gap (const TtGraph *graph, guint i, const NumberColumn *column)
{
  const TtNode *node = tt_graph_node (graph, i);

  /* GraphML leaves a missing number out; GML cannot. */
  if (node->gap_cnt[column->kind] == 0)
    return column->scale == words_of[TT_GRAPH_FILE_GML].average_scale ? 0.0 : NAN;
  return (double) tt_average_ns (node->gap_ns[column->kind], node->gap_cnt[column->kind]) / 1e3;
}

static double
node_event (const TtGraph *graph, guint i, const NumberColumn *column)
{
  return (double) tt_graph_node (graph, i)->event;
}

static double
node_ts (const TtGraph *graph, guint i, const NumberColumn *column)
{
  return (double) tt_graph_node (graph, i)->ts_ns / 1e3;
}

static double
edge_cnt (const TtGraph *graph, guint i, const NumberColumn *column)
{
  return (double) tt_graph_edge (graph, i)->cnt;
}

static double
edge_gap (const TtGraph *graph, guint i, const NumberColumn *column)
{
  const TtEdge *edge = tt_graph_edge (graph, i);

  return (double) tt_average_ns (edge->gap_ns, edge->cnt) / 1e3;
}

static gboolean
write_numbers (const AttributeWriter *self, gboolean of_edges, const NumberColumn *column, GError **error)
{
  guint n = of_edges ? self->graph->edges->len : self->graph->nodes->len;
  g_auto (igraph_vector_t) numbers = { 0 };

  if (!check_code (igraph_vector_init (&numbers, (igraph_integer_t) n), error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    VECTOR (numbers)[i] = column->func (self->graph, i, column);
  return check_code (of_edges ? SETEANV (self->igraph, column->word, &numbers)
                              : SETVANV (self->igraph, column->word, &numbers),
                     error);
}

static gboolean
has_gaps (const TtGraph *graph, TtEdgeKind kind)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (tt_graph_node (graph, i)->gap_cnt[kind] > 0)
      return TRUE;
  return FALSE;
}

static gboolean
write_gaps (const AttributeWriter *self, GError **error)
{
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    {
      const char *text = tt_edge_kind_text ((TtEdgeKind) kind);
      g_autofree char *word = self->file == TT_GRAPH_FILE_GML ? g_strconcat ("gap", text, NULL)
                                                              : g_strconcat ("gap_", text, "_us", NULL);
      const NumberColumn column = { word, node_gap, self->words->average_scale, (TtEdgeKind) kind };

      if (has_gaps (self->graph, (TtEdgeKind) kind) && !write_numbers (self, FALSE, &column, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_events (const TtGraph *graph)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (tt_graph_node (graph, i)->event != 0)
      return TRUE;
  return FALSE;
}

static gboolean
write_attributes (const AttributeWriter *self, GError **error)
{
  const Words *words = self->words;
  const NumberColumn cnt = { .word = "cnt", .func = node_cnt };
  const NumberColumn average = { .word = words->average, .func = node_avg, .scale = words->average_scale };
  const NumberColumn self_time = { .word = words->self, .func = node_self, .scale = words->average_scale };
  const NumberColumn event = { .word = "event", .func = node_event };
  const NumberColumn ts = { .word = words->ts, .func = node_ts };
  const NumberColumn n_times = { .word = "cnt", .func = edge_cnt };
  const NumberColumn gap = { .word = words->edge_gap, .func = edge_gap };

  return write_texts (self, NODE_LABEL, "label", error) && write_texts (self, NODE_PID, "pid", error) &&
         write_texts (self, NODE_OP_CAT, words->op_cat, error) && write_texts (self, NODE_NAME, "name", error) &&
         write_numbers (self, FALSE, &cnt, error) && write_numbers (self, FALSE, &average, error) &&
         write_numbers (self, FALSE, &self_time, error) && write_gaps (self, error) &&
         (!has_events (self->graph) ||
          (write_numbers (self, FALSE, &event, error) && write_numbers (self, FALSE, &ts, error))) &&
         write_texts (self, EDGE_KIND, "kind", error) && write_numbers (self, TRUE, &n_times, error) &&
         write_numbers (self, TRUE, &gap, error);
}

static gboolean
write_file (const igraph_t *igraph, TtGraphFile file, FILE *stream, GError **error)
{
  igraph_safelocale_t locale;
  igraph_error_t code;

  if (!check_code (igraph_enter_safelocale (&locale), error))
    return FALSE;
  code = file == TT_GRAPH_FILE_GML
             ? igraph_write_graph_gml (igraph, stream, IGRAPH_WRITE_GML_ENCODE_ONLY_QUOT_SW, NULL, "tracetool")
             : igraph_write_graph_graphml (igraph, stream, TRUE);
  igraph_exit_safelocale (&locale);
  return check_code (code, error);
}

char *
tt_graph_to_text (const TtGraph *graph, TtGraphFile file, gsize *len, GError **error)
{
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (graph, TT_IGRAPH_WHOLE, NULL, error);
  char *text = NULL;
  size_t size = 0;
  FILE *stream;
  gboolean ok;

  if (view == NULL)
    return NULL;
  const AttributeWriter writer = { &view->igraph, graph, file, &words_of[file] };

  stream = open_memstream (&text, &size);
  if (stream == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_GRAPH, "cannot write the graph: no memory");
      return NULL;
    }
  ok = write_attributes (&writer, error) && write_file (&view->igraph, file, stream, error);
  if (fclose (stream) != 0 && ok)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_GRAPH, "cannot write the graph: no memory");
      ok = FALSE;
    }
  if (!ok)
    {
      free (text);
      return NULL;
    }

  char *copy = g_memdup2 (text, size + 1);
  free (text);
  if (len != NULL)
    *len = size;
  return copy;
}
