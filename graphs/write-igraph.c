#include "config.h"

#include "graphs/write-igraph.h"

#include <igraph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/error.h"

/* What the two languages call the columns; GML allows no underscore. */
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

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (igraph_vector_int_t, igraph_vector_int_destroy)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (igraph_vector_t, igraph_vector_destroy)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (igraph_strvector_t, igraph_strvector_destroy)

static gboolean
check (igraph_error_t code, GError **error)
{
  if (code == IGRAPH_SUCCESS)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "cannot write the graph: %s", igraph_strerror (code));
  return FALSE;
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
text_of (const TtGraph *graph, guint i, TextColumn column)
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
set_texts (igraph_t *igraph,
           const TtGraph *graph,
           TextColumn column,
           const char *word,
           TtGraphFile file,
           GError **error)
{
  guint n = column == EDGE_KIND ? graph->edges->len : graph->nodes->len;
  g_auto (igraph_strvector_t) texts = { 0 };

  if (!check (igraph_strvector_init (&texts, (igraph_integer_t) n), error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = clean_text (text_of (graph, i, column), file);
      if (!check (igraph_strvector_set (&texts, (igraph_integer_t) i, text), error))
        return FALSE;
    }
  return check (column == EDGE_KIND ? SETEASV (igraph, word, &texts) : SETVASV (igraph, word, &texts), error);
}

typedef double (*NumberFunc) (const TtGraph *graph, guint i, int kind, double scale);

static double
node_cnt (const TtGraph *graph, guint i, int kind, double scale)
{
  return (double) tt_graph_node (graph, i)->cnt;
}

static double
node_avg (const TtGraph *graph, guint i, int kind, double scale)
{
  const TtNode *node = tt_graph_node (graph, i);

  return (double) tt_average_ns (node->sum_ns, node->cnt) / scale;
}

static double
node_self (const TtGraph *graph, guint i, int kind, double scale)
{
  return (double) tt_graph_node (graph, i)->self_ns / scale;
}

static double
node_gap (const TtGraph *graph, guint i, int kind, double scale)
{
  const TtNode *node = tt_graph_node (graph, i);

  /* GraphML leaves a missing number out; GML has none such. */
  if (node->gap_cnt[kind] == 0)
    return scale == 1e6 ? 0.0 : NAN;
  return (double) tt_average_ns (node->gap_ns[kind], node->gap_cnt[kind]) / 1e3;
}

static double
node_event (const TtGraph *graph, guint i, int kind, double scale)
{
  return (double) tt_graph_node (graph, i)->event;
}

static double
node_ts (const TtGraph *graph, guint i, int kind, double scale)
{
  return (double) tt_graph_node (graph, i)->ts_ns / 1e3;
}

static double
edge_cnt (const TtGraph *graph, guint i, int kind, double scale)
{
  return (double) tt_graph_edge (graph, i)->cnt;
}

static double
edge_gap (const TtGraph *graph, guint i, int kind, double scale)
{
  const TtEdge *edge = tt_graph_edge (graph, i);

  return (double) tt_average_ns (edge->gap_ns, edge->cnt) / 1e3;
}

static gboolean
set_numbers (igraph_t *igraph,
             const TtGraph *graph,
             gboolean of_edges,
             const char *word,
             NumberFunc func,
             int kind,
             double scale,
             GError **error)
{
  guint n = of_edges ? graph->edges->len : graph->nodes->len;
  g_auto (igraph_vector_t) numbers = { 0 };

  if (!check (igraph_vector_init (&numbers, (igraph_integer_t) n), error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    VECTOR (numbers)[i] = func (graph, i, kind, scale);
  return check (of_edges ? SETEANV (igraph, word, &numbers) : SETVANV (igraph, word, &numbers), error);
}

static gboolean
set_gaps (igraph_t *igraph, const TtGraph *graph, const Words *words, GError **error)
{
  for (int kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    {
      gboolean is_there = FALSE;
      g_autofree char *word = NULL;

      for (guint i = 0; i < graph->nodes->len && !is_there; i++)
        is_there = tt_graph_node (graph, i)->gap_cnt[kind] > 0;
      if (!is_there)
        continue;
      word = words == &words_of[TT_GRAPH_FILE_GML] ? g_strconcat ("gap", tt_edge_kind_text (kind), NULL)
                                                   : g_strconcat ("gap_", tt_edge_kind_text (kind), "_us", NULL);
      if (!set_numbers (igraph, graph, FALSE, word, node_gap, kind, words->average_scale, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
set_attributes (igraph_t *igraph, const TtGraph *graph, TtGraphFile file, GError **error)
{
  const Words *words = &words_of[file];
  gboolean has_events = FALSE;

  for (guint i = 0; i < graph->nodes->len && !has_events; i++)
    has_events = tt_graph_node (graph, i)->event != 0;

  return set_texts (igraph, graph, NODE_LABEL, "label", file, error) &&
         set_texts (igraph, graph, NODE_PID, "pid", file, error) &&
         set_texts (igraph, graph, NODE_OP_CAT, words->op_cat, file, error) &&
         set_texts (igraph, graph, NODE_NAME, "name", file, error) &&
         set_numbers (igraph, graph, FALSE, "cnt", node_cnt, 0, 1, error) &&
         set_numbers (igraph, graph, FALSE, words->average, node_avg, 0, words->average_scale, error) &&
         set_numbers (igraph, graph, FALSE, words->self, node_self, 0, words->average_scale, error) &&
         set_gaps (igraph, graph, words, error) &&
         (!has_events || (set_numbers (igraph, graph, FALSE, "event", node_event, 0, 1, error) &&
                          set_numbers (igraph, graph, FALSE, words->ts, node_ts, 0, 1, error))) &&
         set_texts (igraph, graph, EDGE_KIND, "kind", file, error) &&
         set_numbers (igraph, graph, TRUE, "cnt", edge_cnt, 0, 1, error) &&
         set_numbers (igraph, graph, TRUE, words->edge_gap, edge_gap, 0, 1, error);
}

/* One edge vector: adding edges one by one rebuilds igraph's index each time. */
static gboolean
create (igraph_t *igraph, const TtGraph *graph, GError **error)
{
  g_auto (igraph_vector_int_t) ends = { 0 };

  if (!check (igraph_vector_int_init (&ends, (igraph_integer_t) graph->edges->len * 2), error))
    return FALSE;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      VECTOR (ends)[2 * (gsize) i] = tt_graph_edge (graph, i)->src;
      VECTOR (ends)[2 * (gsize) i + 1] = tt_graph_edge (graph, i)->dst;
    }
  return check (igraph_create (igraph, &ends, (igraph_integer_t) graph->nodes->len, IGRAPH_DIRECTED), error);
}

static gboolean
write_file (const igraph_t *igraph, TtGraphFile file, FILE *stream, GError **error)
{
  igraph_safelocale_t locale;
  igraph_error_t code;

  if (!check (igraph_enter_safelocale (&locale), error))
    return FALSE;
  code = file == TT_GRAPH_FILE_GML
             ? igraph_write_graph_gml (igraph, stream, IGRAPH_WRITE_GML_ENCODE_ONLY_QUOT_SW, NULL, "tracetool")
             : igraph_write_graph_graphml (igraph, stream, TRUE);
  igraph_exit_safelocale (&locale);
  return check (code, error);
}

char *
tt_graph_to_text (const TtGraph *graph, TtGraphFile file, gsize *len, GError **error)
{
  igraph_t igraph;
  char *text = NULL;
  size_t size = 0;
  FILE *stream;
  gboolean ok;

  igraph_set_error_handler (igraph_error_handler_ignore);
  igraph_set_attribute_table (&igraph_cattribute_table);
  if (!create (&igraph, graph, error))
    return NULL;

  stream = open_memstream (&text, &size);
  if (stream == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_GRAPH, "cannot write the graph: no memory");
      igraph_destroy (&igraph);
      return NULL;
    }
  ok = set_attributes (&igraph, graph, file, error) && write_file (&igraph, file, stream, error);
  if (fclose (stream) != 0 && ok)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_GRAPH, "cannot write the graph: no memory");
      ok = FALSE;
    }
  igraph_destroy (&igraph);
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
