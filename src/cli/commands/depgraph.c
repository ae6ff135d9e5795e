/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/dot/trail-gml.h"
#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/cli/default-output.h"
#include "src/cli/graph-file.h"
#include "src/cli/levels/level.h"
#include "src/cli/levels/reductions.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/words.h"
#include "src/store/graph.h"

#define DEFAULT_MAX_NODES 500
#define DEFAULT_HOPS 2
/* Edges that are too many to look at. */
#define DENSE_EDGES 150

/* As on the command line. */
typedef struct
{
  char *output, *format, *level, *around, *kinds, *time_window, *unit_text, *recv, *from;
  char **filters;
  int hops, max_nodes;
  double min_share;
  gboolean collapse, fold_ranks, reduce, merge_ranks, save, update_barrier, with_end;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->output);
  g_free (self->format);
  g_free (self->level);
  g_free (self->around);
  g_free (self->kinds);
  g_free (self->time_window);
  g_free (self->unit_text);
  g_free (self->recv);
  g_free (self->from);
  g_strfreev (self->filters);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* What they mean. */
typedef struct
{
  const TtGraphLevel *level;
  const TtGraphLanguage *language;
  TtGraphRequest request;
  TtUnit unit;
  const char *path;   /* of the output; NULL: standard output, or is_due */
  gboolean is_due;    /* tracetool names the file */
  const char *source; /* the first path to read, or NULL */
  GString *note;      /* what is not drawn */
} Drawing;

/* -- options ------------------------------------------------------------------------------------- */

static const char *const kind_words[] = {
  "call", "sequence", "message", "collective", "flow", "sync", "inferred", NULL
};
static const char *const
    recv_words[] = { [TT_RECV_AS_TRACED] = "traced", [TT_RECV_CLIPPED] = "clipped", [TT_RECV_AS_DPRO] = "dpro", NULL };

static gboolean
parse_kinds (const Options *self, guint *kinds, GError **error)
{
  g_auto (GStrv) parts = self->kinds == NULL ? NULL : g_strsplit (self->kinds, ",", -1);

  *kinds = parts == NULL ? TT_DEP_KINDS_DEFAULT : 0;
  for (char **part = parts; part != NULL && *part != NULL; part++)
    {
      guint kind;

      if (!tt_word_choose ("kind of edge", g_strstrip (*part), kind_words, &kind, error))
        return FALSE;
      *kinds |= 1u << kind;
    }
  return TRUE;
}

/* The rule of dPRO's own file clips what it puts into its graph. */
static gboolean
parse_recv (const Options *self, gboolean is_trail, TtRecvRule *rule, GError **error)
{
  guint choice = is_trail ? TT_RECV_CLIPPED : TT_RECV_AS_TRACED;

  if (self->recv != NULL && !tt_word_choose ("rule for RECV", self->recv, recv_words, &choice, error))
    return FALSE;
  *rule = (TtRecvRule) choice;
  return TRUE;
}

static guint
given_options (const Options *self, gboolean is_trail)
{
  return (self->filters != NULL ? TT_GRAPH_FILTER : 0) | (self->time_window != NULL ? TT_GRAPH_TIME_WINDOW : 0) |
         (self->kinds != NULL ? TT_GRAPH_KIND : 0) | (self->merge_ranks ? TT_GRAPH_MERGE_RANKS : 0) |
         (self->save ? TT_GRAPH_SAVE : 0) | (is_trail ? TT_GRAPH_TRAIL : 0) | (self->recv != NULL ? TT_GRAPH_RECV : 0) |
         (self->update_barrier ? TT_GRAPH_UPDATE_BARRIER : 0) | (self->with_end ? TT_GRAPH_WITH_END : 0);
}

/* Numbers out of range, and options that need or exclude each other at any level. */
static gboolean
check_options (const Options *self, const Drawing *drawing, GError **error)
{
  gboolean is_trail = drawing->language == &tt_graph_language_trail;

  if (is_trail && (self->around != NULL || self->collapse || self->fold_ranks || self->reduce || self->min_share != 0))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--format trail' is the whole graph: '%s' does not go with it",
                 self->around != NULL ? "--around"
                 : self->collapse     ? "--collapse"
                 : self->fold_ranks   ? "--fold-ranks"
                 : self->reduce       ? "--reduce"
                                      : "--min-share");
  else if (self->hops != DEFAULT_HOPS && self->around == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--depth' counts from an operation: name it with '--around NAME'");
  else if (self->hops < 0 || self->hops > 1000000)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--depth' must be between 0 and 1000000");
  else if (self->max_nodes < 0 || self->max_nodes == 1 || self->max_nodes == 2)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--max-nodes' must be 3 or more, or 0 for all");
  else if (!(self->min_share >= 0 && self->min_share <= 100))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--min-share' is a percentage from 0 to 100");
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_options (const Options *self, Drawing *drawing, GError **error)
{
  TtGraphRequest *request = &drawing->request;
  const TtGraphLevel *level = tt_graph_level_choose (self->level, error);
  gboolean is_trail;

  *drawing = (Drawing){ .unit = TT_UNIT_US };
  if (level == NULL)
    return FALSE;
  drawing->level = self->from != NULL ? &tt_graph_level_file : level;
  drawing->path = self->output == NULL || g_str_equal (self->output, "-") ? NULL : self->output;
  drawing->is_due = tt_default_output_is_due (self->output);
  drawing->language = drawing->is_due && self->format == NULL
                          ? &tt_graph_language_svg
                          : tt_graph_language_choose (self->format, drawing->path, error);
  is_trail = drawing->language == &tt_graph_language_trail;
  if (drawing->language == NULL || !parse_kinds (self, &request->spans.kinds, error) ||
      !parse_recv (self, is_trail, &request->job.recv, error) ||
      (self->unit_text != NULL && !tt_unit_parse (self->unit_text, &drawing->unit, error)))
    return FALSE;

  request->given = given_options (self, is_trail);
  request->spans.merge_ranks = self->merge_ranks;
  request->job.update_barrier = self->update_barrier;
  request->around = self->around;
  request->hops = (guint) MAX (self->hops, 0);
  request->from = self->from;
  if (self->from != NULL && level == &tt_graph_level_event)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--from' does not go with '--level event'");
      return FALSE;
    }
  return tt_graph_level_check (drawing->level, request, error) && check_options (self, drawing, error);
}

/* -- output ---------------------------------------------------------------------------------------- */

/* Free it. */
static char *
size_text (const TtGraph *graph)
{
  return g_strdup_printf ("%u node%s and %u edge%s", graph->nodes->len, graph->nodes->len == 1 ? "" : "s",
                          graph->edges->len, graph->edges->len == 1 ? "" : "s");
}

static gboolean
save_graph (TtStore *store, const TtGraph *graph, GError **error)
{
  guint n_runs;
  const TtRun *runs = tt_store_runs (store, &n_runs);
  g_autofree TtNodeRow *nodes = g_new0 (TtNodeRow, graph->nodes->len + 1);
  g_autofree TtEdgeRow *edges = g_new0 (TtEdgeRow, graph->edges->len + 1);
  g_autoptr (GPtrArray) gaps = g_ptr_array_new_with_free_func (g_free);

  if (n_runs != 1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--save' keeps the graph of one run: choose it with '--run N'");
      return FALSE;
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      g_ptr_array_add (gaps, tt_graph_node_gaps_json (node));
      nodes[i] =
          (TtNodeRow){ node->label, tt_graph_node_avg_us (node), (gint64) node->cnt, g_ptr_array_index (gaps, i) };
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      edges[i] = (TtEdgeRow){ tt_graph_node (graph, edge->src)->label, tt_graph_node (graph, edge->dst)->label,
                              tt_edge_kind_text (edge->kind), (gint64) edge->cnt,
                              (double) edge->gap_ns / (double) MAX (edge->cnt, 1) / 1000.0 };
    }
  const TtGraphRows rows = { nodes, graph->nodes->len, edges, graph->edges->len };
  gint64 old_version;
  if (!tt_store_save_graph (tt_store_path (store), runs[0].id, &rows, error))
    return FALSE;
  if (tt_store_is_old (store, &old_version))
    tt_message_upgraded (tt_store_path (store), old_version);
  tt_message_log_left (tt_store_path (store));
  g_autofree char *size = size_text (graph);
  tt_message ("saved %s in the tables node and edge of '%s'", size, tt_store_path (store));
  return TRUE;
}

static TtOutput *
open_output (TtStore *store, const TtGraphLanguage *language, const Drawing *drawing, GError **error)
{
  return drawing->is_due ? tt_default_output_open (store, drawing->source, language->default_name, error)
                         : tt_output_open (drawing->path, error);
}

static gboolean
print_trail (TtStore *store, const TtTrail *trail, const Drawing *drawing, GError **error)
{
  g_autoptr (TtOutput) out = open_output (store, drawing->language, drawing, error);

  if (out == NULL)
    return FALSE;
  tt_trail_gml_write (trail, out);
  if (!tt_output_close (out, error))
    return FALSE;
  if (tt_output_path (out) != NULL)
    tt_message ("wrote %u node%s and %u edge%s to '%s'", trail->nodes->len, trail->nodes->len == 1 ? "" : "s",
                trail->edges->len, trail->edges->len == 1 ? "" : "s", tt_output_path (out));
  return TRUE;
}

/* What was written, and how to look at it. */
static void
tell_written (const TtGraph *graph, const TtGraphLanguage *language, const Drawing *drawing, const char *path)
{
  g_autofree char *word = tt_shell_word (path);
  g_autofree char *size = size_text (graph);

  tt_message ("wrote %s to '%s'%s", size, path,
              drawing->is_due && language == &tt_graph_language_svg ? "; a browser shows it" : "");
  if (language == &tt_graph_language_dot && !g_str_has_suffix (path, ".gz"))
    tt_message ("to see it: xdot %s, or dot -Tsvg %s -o graph.svg", word, word);
  if (graph->edges->len > DENSE_EDGES && language->is_drawn)
    tt_message ("that is a lot to look at: %s'--reduce', '--around NAME', '--max-nodes 20', '--collapse' or "
                "'--kind call' show less",
                drawing->request.spans.merge_ranks ? "" : "'--merge-ranks', '--fold-ranks', ");
}

/* Free it. */
static char *
title_of (TtStore *store, const Drawing *drawing)
{
  guint n_runs = 0;
  const TtRun *runs = store == NULL ? NULL : tt_store_runs (store, &n_runs);
  const char *path = drawing->source != NULL ? drawing->source : store == NULL ? NULL : tt_store_shown (store);
  g_autofree char *name = path == NULL ? NULL : g_path_get_basename (path);

  return n_runs == 1 ? g_strdup_printf ("%s of run %u of %s", drawing->level->shows, runs[0].id,
                                        name == NULL ? "a trace" : name)
                     : g_strdup_printf ("%s of %s", drawing->level->shows, name == NULL ? "a trace" : name);
}

static gboolean
write_graph (TtStore *store,
             const TtGraph *graph,
             const TtGraphLanguage *language,
             const Drawing *drawing,
             GError **error)
{
  g_autoptr (TtOutput) out = open_output (store, language, drawing, error);
  g_autofree char *title = title_of (store, drawing);
  const TtGraphHeading heading = { title, drawing->note->len == 0 ? NULL : drawing->note->str };

  if (out == NULL || !language->write (language, graph, &heading, drawing->path, out, error) ||
      !tt_output_close (out, error))
    return FALSE;
  if (tt_output_path (out) != NULL)
    tell_written (graph, language, drawing, tt_output_path (out));
  return TRUE;
}

/* -- the command ------------------------------------------------------------------------------------- */

/* Builds the graph, cuts it down to what was asked for, saves and writes it. @store: NULL with --from. Ranks other than 0 of a job have built their part,
 * and nothing more to do. */
static gboolean
draw_graph (TtStore *store, const Options *options, const Drawing *drawing, GError **error)
{
  const TtGraphLevel *level = drawing->level;
  const TtGraphRequest *request = &drawing->request;
  g_autoptr (TtTrail) trail = NULL;
  GError *failure = NULL;
  g_autoptr (TtGraph) graph = level->build (store, request, &trail, &failure);

  if (failure != NULL)
    g_propagate_error (error, failure);
  else if (graph == NULL)
    return TRUE;
  if (graph == NULL || (options->save && !save_graph (store, graph, error)))
    return FALSE;
  if (options->save && options->output == NULL && options->format == NULL)
    return TRUE;
  if (trail != NULL)
    return print_trail (store, trail, drawing, error);
  if (request->around != NULL && level->find != NULL)
    {
      g_autoptr (GArray) centres = level->find (store, graph, request, error);
      if (centres == NULL)
        return FALSE;
      TtGraph *near = tt_graph_around (graph, centres, request->hops);
      tt_graph_free (graph);
      graph = near;
    }
  const TtReductions reductions = {
    .fold_ranks = options->fold_ranks,
    .collapse = options->collapse,
    .reduce = options->reduce,
    .max_nodes = (guint) options->max_nodes,
    .min_share = options->min_share / 100,
    .is_rest_drawn = drawing->language != &tt_graph_language_svg,
  };
  if (!tt_reductions_apply (&reductions, &graph, drawing->note, error))
    return FALSE;
  return write_graph (store, graph, drawing->language, drawing, error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .hops = DEFAULT_HOPS, .max_nodes = DEFAULT_MAX_NODES };
  g_autoptr (GString) note = g_string_new (NULL);
  Drawing drawing;
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "Write .dot .gv .gml .graphml .json .svg or .png; '-': standard output (default: see below)", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format, "Output format: dot, gml, graphml, json, svg, png, trail",
      "FORMAT" },
    { "level", 0, 0, G_OPTION_ARG_STRING, &options.level,
      "Nodes: operations (default), spans, a training step over all GPUs, or SYCL tasks", "op|event|job|task" },
    { "around", 0, 0, G_OPTION_ARG_STRING, &options.around,
      "Draw only what is near this operation; NAME#K: its K-th span (level event)", "NAME" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &options.hops, "With --around: how many edges away, either way (default 2)",
      "N" },
    { "collapse", 0, 0, G_OPTION_ARG_NONE, &options.collapse, "Draw a chain with one way in and out as one node",
      NULL },
    { "fold-ranks", 0, 0, G_OPTION_ARG_NONE, &options.fold_ranks,
      "Draw processes that have the same operations and calls as one", NULL },
    { "max-nodes", 0, 0, G_OPTION_ARG_INT, &options.max_nodes,
      "Draw at most N nodes; the rest is grey, in svg left out (default 500; 0: all)", "N" },
    { "min-share", 0, 0, G_OPTION_ARG_DOUBLE, &options.min_share,
      "Draw only nodes with at least this share of the self time, and the path", "PERCENT" },
    { "reduce", 0, 0, G_OPTION_ARG_NONE, &options.reduce, "Leave out edges that a longer way implies", NULL },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &options.kinds,
      "Edges: call, sequence, message, flow, sync, inferred, collective (default: all but collective)", "KIND,..." },
    { "merge-ranks", 0, 0, G_OPTION_ARG_NONE, &options.merge_ranks, "Make one node per name, whatever the process",
      NULL },
    { "save", 0, 0, G_OPTION_ARG_NONE, &options.save, "Save the graph in the tables node and edge of the database",
      NULL },
    { "recv", 0, 0, G_OPTION_ARG_STRING, &options.recv,
      "Level job: RECV as traced (default), clipped to its SEND, or clipped as dPRO does", "traced|clipped|dpro" },
    { "update-barrier", 0, 0, G_OPTION_ARG_NONE, &options.update_barrier,
      "Level job: start no update before all communication is done", NULL },
    { "with-end", 0, 0, G_OPTION_ARG_NONE, &options.with_end, "Format trail: add the node END", NULL },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &options.from,
      "Read the graph from this file (format trail, or other GML) instead of a trace", "FILE.gml" },
    { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.filters,
      "Select spans; operators = != ~ !~ < > <= >=; repeat for and, commas for or", "FIELD OP VALUE" },
    { "time-window", 0, 0, G_OPTION_ARG_STRING, &options.time_window,
      "Select spans in this time from the start of the run; either end may be omitted", "A:B" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &options.unit_text, "Unit of the times given: ns, us (default), ms, s",
      "UNIT" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_depgraph, entries, &argc, &argv, &status, error))
    return status;
  if (!read_options (&options, &drawing, error))
    return -1;

  if (options.from != NULL && argc > 1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--from' and a trace ('%s') exclude each other", argv[1]);
      return -1;
    }
  drawing.note = note;
  drawing.source = options.from != NULL ? options.from : argv[1];
  if (options.from != NULL)
    return draw_graph (NULL, &options, &drawing, error) ? 0 : -1;

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.filters, options.time_window, drawing.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_selection_bind (selection, store, error) ||
      !tt_command_tell_gap (store, TT_GAP_ACTIVITY, error))
    return -1;
  drawing.request.spans.selection = tt_selection_is_everything (selection) ? NULL : selection;
  TtCrew crew;
  gboolean is_shared = FALSE;
  if (drawing.level == &tt_graph_level_op && !tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  drawing.request.spans.crew = is_shared ? &crew : NULL;
  return draw_graph (store, &options, &drawing, error) ? 0 : -1;
}

static char **
list_languages (const TtValuesQuestion *question)
{
  return tt_graph_language_list ();
}

static char **
list_levels (const TtValuesQuestion *question)
{
  return tt_graph_level_list ();
}

static const TtOptionValues values[] = {
  { "format", TT_VALUES_ONE, .list = list_languages },
  { "level", TT_VALUES_ONE, .list = list_levels },
  { "kind", TT_VALUES_LIST, kind_words },
  { "recv", TT_VALUES_ONE, recv_words },
  { "unit", TT_VALUES_ONE, tt_unit_words },
  { NULL },
};

const TtCommand tt_command_depgraph = {
  .name = "depgraph",
  .summary = "Draw which operation calls, follows or sends to which",
  .usage = "[TRACE...]",
  .details =
      "Nodes are operations (op_long_name) with count and average; edges have a kind and a count:\n"
      "  call        from a span to one directly inside it\n"
      "  sequence    from a span to the next on its thread under the same caller; its gap is the time between them\n"
      "  message     from the span that sent to the span that received; its gap is the transfer time\n"
      "  flow        arrows that the trace itself has\n"
      "  sync        from work on a device to the call or work that waits for it (PyTorch); its gap is from the end "
      "of\n"
      "              the work to the start of what waited\n"
      "  inferred    likely but not certain: from the call that made an object to a call that uses it (PI)\n"
      "  collective  from the process that reaches a collective last to the others; its gap is how long they waited\n"
      "'--max-nodes' keeps the path by averages ('critical-path --model'), then the nodes with the largest self time;\n"
      "the edges of the rest lead into one grey node and out of another, so that they close no cycle. Edges of kind\n"
      "via, dotted, join nodes that depend on each other through what is left out. '--reduce' keeps\n"
      "what follows what: an edge goes if its end can be reached in another way; in cycles all stay.\n"
      "'--around NAME' takes an op_long_name, a name, or a part that only one name has; at level event NAME alone\n"
      "means its longest span. The run is read once for it, more often where spans cross or most of them are near.\n"
      "'--level job' draws the dependencies of a training step over all GPUs, from the model's graph, the groups of\n"
      "tensors and NCCL's rings or trees. Edges: dependency, message (SEND to RECV), collective (all ranks' Sync).\n"
      "'--level task' draws the kernels, copies and allocations of a SYCL program and their dependencies, as its\n"
      "runtime reports them. The length of the longest chain is in the time of the task graph's own clock.\n"
      "'--format trail' writes the trail_dag.gml of dPRO: avg in ms, gaps in us; RECV is clipped to its SEND.\n"
      "END follows every node that nothing else follows. Spans that '--filter' leaves out are treated as absent: what\n"
      "they call is called by the span that contains them.\n"
      "\n"
      "Without '-o' DOT goes to standard output. In a terminal the graph is drawn instead: graph.svg beside the\n"
      "database, or graph-2.svg where one stands.\n"
      "An svg has lanes for processes, the path by averages in red, and what is left out in its head; in a browser "
      "the\n"
      "pointer shows what a node or an edge is in full, '/' searches, and a click shows what leads to a node and from "
      "it.\n"
      "png is drawn by Graphviz' dot, which gets 20 s; if that is not enough, the DOT stays in FILE.dot. One of more\n"
      "than 200 nodes is drawn as svg is, by rsvg-convert.",
  .example = "tracetool depgraph -o graph.dot run.trc run.edf\n"
             "tracetool depgraph --merge-ranks --around MPI_Recv --depth 1 run.trc run.edf\n"
             "tracetool depgraph --level job --collapse -o step.svg job-2x1\n"
             "tracetool depgraph --level task -o tasks.dot pi-run",
  .values = values,
  .run = run,
};
