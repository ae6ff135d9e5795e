#include "config.h"

#include "src/cli/command.h"

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/spans/op-table.h"
#include "formats/dot/dot.h"
#include "formats/dot/graph-json.h"
#include "formats/dot/render.h"
#include "formats/dot/trail-gml.h"
#include "graphs/reduce.h"
#include "graphs/write-igraph.h"
#include "src/cli/commands/depgraph-job.h"
#include "src/cli/commands/depgraph-task.h"
#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/base/suggest.h"
#include "src/store/graph.h"

#include <string.h>
#include <unistd.h>

#define DEFAULT_MAX_NODES 500
#define DEFAULT_HOPS 2
#define DENSE_EDGES 150

typedef enum
{
  LANGUAGE_DOT,
  LANGUAGE_GML,
  LANGUAGE_GRAPHML,
  LANGUAGE_JSON,
  LANGUAGE_SVG,
  LANGUAGE_PNG,
  LANGUAGE_TRAIL,
  N_LANGUAGES,
} Language;

static const char *const language_words[] = { "dot", "gml", "graphml", "json", "svg", "png", "trail", NULL };
static const char *const level_words[] = { "op", "event", "job", "task", NULL };

typedef struct
{
  char *output, *language_text, *level, *around, *kinds, *time_window, *unit_text, *recv_text, *from;
  char **filters;
  int hops, max_nodes;
  gboolean collapse, merge_ranks, save, by_event, by_job, by_task, with_end;
  TtTrainingJobOptions job;
  Language language;
  TtUnit unit;
  TtDepGraphOptions graph;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->output);
  g_free (self->language_text);
  g_free (self->level);
  g_free (self->around);
  g_free (self->kinds);
  g_free (self->time_window);
  g_free (self->unit_text);
  g_free (self->recv_text);
  g_free (self->from);
  g_strfreev (self->filters);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

static int
find_word (const char *const *words, const char *text)
{
  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], text))
      return i;
  return -1;
}

static void
set_unknown (GError **error, const char *what, const char *text, const char *const *words)
{
  const char *near = tt_suggest (text, words);
  g_autofree char *all = g_strjoinv (", ", (char **) words);

  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown %s '%s'; did you mean '%s'?", what, text, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown %s '%s'; there are %s", what, text, all);
}

/* The word after --format, else the suffix of the output, .gz aside. */
static gboolean
parse_language (Options *self, GError **error)
{
  g_autofree char *name = self->output == NULL ? NULL : g_path_get_basename (self->output);
  gboolean is_gz = name != NULL && g_str_has_suffix (name, ".gz");
  const char *suffix;
  int language = LANGUAGE_DOT;

  if (is_gz)
    name[strlen (name) - 3] = '\0';
  suffix = name == NULL ? NULL : strrchr (name, '.');
  if (self->language_text != NULL)
    {
      language = find_word (language_words, self->language_text);
      if (language < 0)
        {
          set_unknown (error, "format", self->language_text, language_words);
          return FALSE;
        }
    }
  else if (self->output != NULL && !g_str_equal (self->output, "-"))
    {
      language = suffix == NULL                ? -1
                 : g_str_equal (suffix, ".gv") ? LANGUAGE_DOT
                                               : find_word (language_words, suffix + 1);
      if (language < 0)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                       "cannot tell from '%s' what to write; end it in .dot, .gv, .gml, .graphml, .json, .svg or .png",
                       self->output);
          return FALSE;
        }
    }
  self->language = (Language) language;
  return TRUE;
}

static gboolean
parse_kinds (Options *self, GError **error)
{
  static const char *const words[] = { "call", "sequence", "message", "collective", "flow", "sync", "inferred", NULL };
  g_auto (GStrv) parts = self->kinds == NULL ? NULL : g_strsplit (self->kinds, ",", -1);

  self->graph.kinds = parts == NULL ? TT_DEP_KINDS_DEFAULT : 0;
  for (char **part = parts; part != NULL && *part != NULL; part++)
    {
      int kind = find_word (words, g_strstrip (*part));
      if (kind < 0)
        {
          set_unknown (error, "kind of edge", *part, words);
          return FALSE;
        }
      self->graph.kinds |= 1u << kind;
    }
  return TRUE;
}

/* What only graphs of a training step know, and what they do not. */
static gboolean
check_job_options (Options *self, GError **error)
{
  gboolean is_step = self->by_job || self->by_task || self->from != NULL, is_trail = self->language == LANGUAGE_TRAIL;
  const char *wrong = NULL;

  if (self->recv_text != NULL && !tt_recv_rule_parse (self->recv_text, &self->job.recv, error))
    return FALSE;
  /* The original clips what it puts into its graph. */
  if (self->recv_text == NULL && is_trail)
    self->job.recv = TT_RECV_CLIPPED;
  if (is_step)
    wrong = self->filters != NULL       ? "--filter"
            : self->time_window != NULL ? "--time-window"
            : self->kinds != NULL       ? "--kind"
            : self->merge_ranks         ? "--merge-ranks"
            : self->by_event            ? "--level event"
                                        : NULL;
  if (wrong != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' does not go with '%s'",
                 self->from != NULL ? "--from"
                 : self->by_task    ? "--level task"
                                    : "--level job",
                 wrong);
  else if (self->from != NULL && (self->save || self->recv_text != NULL || self->job.update_barrier))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--from' reads a graph that is made already: '%s' does not go with it",
                 self->save                ? "--save"
                 : self->recv_text != NULL ? "--recv"
                                           : "--update-barrier");
  else if ((!is_step || self->by_task) &&
           (is_trail || self->recv_text != NULL || self->job.update_barrier || self->with_end))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' goes with '--level job'",
                 is_trail                  ? "--format trail"
                 : self->recv_text != NULL ? "--recv"
                 : self->with_end          ? "--with-end"
                                           : "--update-barrier");
  else if (is_trail && (self->around != NULL || self->collapse))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--format trail' is the whole graph: '%s' does not go with it",
                 self->around != NULL ? "--around" : "--collapse");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_options (Options *self, GError **error)
{
  int level = self->level == NULL ? 0 : find_word (level_words, self->level);

  if (level < 0)
    {
      set_unknown (error, "level", self->level, level_words);
      return FALSE;
    }
  self->by_event = level == 1;
  self->by_job = level == 2;
  self->by_task = level == 3;
  self->graph.merge_ranks = self->merge_ranks;
  if (!parse_language (self, error) || !parse_kinds (self, error) || !check_job_options (self, error) ||
      (self->unit_text != NULL && !tt_unit_parse (self->unit_text, &self->unit, error)))
    return FALSE;

  if (self->by_event && self->around == NULL && self->time_window == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--level event' draws every span: say which with '--around NAME#K' or '--time-window A:B'");
  else if (self->by_event && (self->merge_ranks || self->save))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--level event' does not go with '%s'",
                 self->save ? "--save" : "--merge-ranks");
  else if (self->hops != DEFAULT_HOPS && self->around == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--depth' counts from an operation: say which with '--around NAME'");
  else if (self->hops < 0 || self->hops > 1000000)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--depth' must be between 0 and 1000000");
  else if (self->max_nodes < 0 || self->max_nodes == 1)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--max-nodes' must be 2 or more, or 0 for all");
  else if ((!self->save || self->language_text != NULL) && (self->output == NULL || g_str_equal (self->output, "-")) &&
           isatty (STDOUT_FILENO))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "the graph would go to your terminal; name a file: 'tracetool depgraph -o graph.svg', or pipe it");
  else
    return TRUE;
  return FALSE;
}

/* -- building -------------------------------------------------------------------------------------- */

static TtGraph *
build_events (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (GHashTable) members = NULL;
  g_autofree char *label = NULL;
  TtDepGraphReport report;
  guint64 centre;

  if (options->around != NULL)
    {
      if (!tt_dep_graph_find_event (store, options->around, &centre, &label, error))
        return NULL;
      members = tt_dep_graph_neighbours (store, &options->graph, centre, (guint) options->hops, error);
      if (members == NULL)
        return NULL;
    }
  return tt_dep_graph_events (store, &options->graph, members, &report, error);
}

/* The nodes of @graph that --around names. */
static GArray *
find_centres (TtStore *store, const TtGraph *graph, const Options *options, GError **error)
{
  g_autoptr (TtOpTable) ops = tt_op_table_new (store, options->merge_ranks);
  g_autoptr (GArray) matched = NULL;
  g_autoptr (GHashTable) nodes = g_hash_table_new (g_str_hash, g_str_equal); /* label -> number + 1 */
  g_autoptr (GArray) centres = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!tt_op_table_fill (ops, error) || (matched = tt_op_table_match (ops, options->around, error)) == NULL)
    return NULL;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (!tt_graph_node (graph, i)->is_end)
      g_hash_table_insert (nodes, (gpointer) tt_graph_node (graph, i)->label, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < matched->len; i++)
    {
      const TtOp *op = tt_op_table_op (ops, g_array_index (matched, guint32, i));
      guint32 node = GPOINTER_TO_UINT (g_hash_table_lookup (nodes, op->label));
      if (node-- > 0)
        g_array_append_val (centres, node);
    }
  if (centres->len == 0)
    tt_message ("'%s' is not among what is selected", options->around);
  return g_steal_pointer (&centres);
}

/* Replaces *graph by @reduced. */
static void
take (TtGraph **graph, TtGraph *reduced)
{
  tt_graph_free (*graph);
  *graph = reduced;
}

static void
limit (TtGraph **graph, guint max_nodes)
{
  char all[TT_TIME_TEXT], dropped[TT_TIME_TEXT], percent[G_ASCII_DTOSTR_BUF_SIZE];
  guint n_dropped, n_nodes = (*graph)->nodes->len;
  double part;

  if (max_nodes == 0 || n_nodes <= max_nodes)
    return;
  take (graph, tt_graph_limit (*graph, max_nodes, &n_dropped, &part));
  tt_message ("%s of %s nodes, with %s%% of the self time, are drawn as one grey node; '--max-nodes %u' shows all",
              tt_count_text (dropped, n_dropped), tt_count_text (all, n_nodes),
              g_ascii_formatd (percent, sizeof percent, "%.1f", part * 100), n_nodes);
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
save (TtStore *store, const TtGraph *graph, GError **error)
{
  guint n_runs;
  const TtRun *runs = tt_store_runs (store, &n_runs);
  g_autofree TtNodeRow *nodes = g_new0 (TtNodeRow, graph->nodes->len + 1);
  g_autofree TtEdgeRow *edges = g_new0 (TtEdgeRow, graph->edges->len + 1);
  g_autoptr (GPtrArray) gaps = g_ptr_array_new_with_free_func (g_free);

  if (n_runs != 1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--save' keeps the graph of one run; say which with '--run N'");
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
  if (!tt_store_save_graph (tt_store_path (store), runs[0].id, nodes, graph->nodes->len, edges, graph->edges->len,
                            error))
    return FALSE;
  g_autofree char *size = size_text (graph);
  tt_message ("saved %s in the tables node and edge of '%s'", size, tt_store_path (store));
  return TRUE;
}

static gboolean
write_graph (const TtGraph *graph, const Options *options, TtOutput *out, GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *dot_path = options->output == NULL || g_str_equal (options->output, "-")
                                  ? NULL
                                  : g_strconcat (options->output, ".dot", NULL);
  gsize len;

  switch (options->language)
    {
    case LANGUAGE_DOT:
      tt_dot_write (graph, out);
      return TRUE;
    case LANGUAGE_JSON:
      tt_graph_json_write (graph, out);
      return TRUE;
    case LANGUAGE_GML:
    case LANGUAGE_GRAPHML:
      text = tt_graph_to_text (graph, options->language == LANGUAGE_GML ? TT_GRAPH_FILE_GML : TT_GRAPH_FILE_GRAPHML,
                               &len, error);
      if (text == NULL)
        return FALSE;
      tt_output_bytes (out, text, len);
      return TRUE;
    default:
      return tt_render (graph, language_words[options->language], dot_path, TT_RENDER_TIMEOUT_MS, out, error);
    }
}

static gboolean
print_trail (const TtTrail *trail, const Options *options, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (options->output, error);

  if (out == NULL)
    return FALSE;
  tt_trail_gml_write (trail, out);
  if (!tt_output_close (out, error))
    return FALSE;
  if (options->output != NULL && !g_str_equal (options->output, "-"))
    tt_message ("wrote %u nodes and %u edges to '%s'", trail->nodes->len, trail->edges->len, options->output);
  return TRUE;
}

static gboolean
print (const TtGraph *graph, const Options *options, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (options->output, error);

  if (out == NULL || !write_graph (graph, options, out, error) || !tt_output_close (out, error))
    return FALSE;
  if (options->output == NULL || g_str_equal (options->output, "-"))
    return TRUE;

  g_autofree char *word = tt_shell_word (options->output);
  g_autofree char *size = size_text (graph);
  tt_message ("wrote %s to '%s'", size, options->output);
  if (options->language == LANGUAGE_DOT && !g_str_has_suffix (options->output, ".gz"))
    tt_message ("to see it: xdot %s, or dot -Tsvg %s -o graph.svg", word, word);
  if (graph->edges->len > DENSE_EDGES && (options->language == LANGUAGE_DOT || options->language >= LANGUAGE_SVG))
    tt_message ("that is a lot to look at: %s'--around NAME', '--max-nodes 20', '--collapse' or '--kind call' "
                "show less",
                options->merge_ranks ? "" : "'--merge-ranks', ");
  return TRUE;
}

/* -- the command ------------------------------------------------------------------------------------- */

/* Cuts the graph down to what was asked for, and writes it. */
static int
reduce_and_print (TtGraph **graph, GArray *centres, const Options *options, GError **error)
{
  if (centres != NULL)
    take (graph, tt_graph_around (*graph, centres, (guint) options->hops));
  if (options->collapse)
    take (graph, tt_graph_collapse (*graph));
  limit (graph, (guint) options->max_nodes);
  return print (*graph, options, error) ? 0 : -1;
}

static int
make_graph (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (TtGraph) graph = NULL;
  g_autoptr (GArray) centres = NULL;
  TtDepGraphReport report;

  graph = options->by_event ? build_events (store, options, error)
                            : tt_dep_graph_ops (store, &options->graph, &report, error);
  if (graph == NULL)
    return -1;
  if (graph->nodes->len == 0)
    tt_message ("nothing is selected: the graph is empty");
  tt_graph_add_end (graph);
  tt_graph_finish (graph);

  if (options->save && !save (store, graph, error))
    return -1;
  if (options->save && options->output == NULL && options->language_text == NULL)
    return 0;
  if (options->around != NULL && !options->by_event)
    {
      centres = find_centres (store, graph, options, error);
      if (centres == NULL)
        return -1;
    }
  return reduce_and_print (&graph, centres, options, error);
}

/* -- graphs of a training step ------------------------------------------------------------------------ */

static int
print_step (TtGraph **graph, const Options *options, GError **error)
{
  g_autoptr (GArray) centres = NULL;

  if (options->around != NULL)
    {
      centres = tt_depgraph_find (*graph, options->around, error);
      if (centres == NULL)
        return -1;
    }
  return reduce_and_print (graph, centres, options, error);
}

static int
make_job_graph (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (TtTrainingJob) job = NULL;
  g_autoptr (TtGraph) graph = NULL;
  gboolean is_trail = options->language == LANGUAGE_TRAIL;

  if (!tt_command_check_one_run (store, error) || (job = tt_depgraph_job (store, &options->job, error)) == NULL)
    return -1;
  graph = tt_job_draw (job);
  tt_graph_finish (graph);
  if (options->save && !save (store, graph, error))
    return -1;
  if (options->save && options->output == NULL && options->language_text == NULL)
    return 0;
  if (!is_trail)
    return print_step (&graph, options, error);
  g_autoptr (TtTrail) trail = tt_job_trail_new (job, options->with_end);
  return print_trail (trail, options, error) ? 0 : -1;
}

static int
make_task_graph (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (TtGraph) graph = tt_command_check_one_run (store, error) ? tt_depgraph_task (store, error) : NULL;

  if (graph == NULL)
    return -1;
  if (options->save && !save (store, graph, error))
    return -1;
  if (options->save && options->output == NULL && options->language_text == NULL)
    return 0;
  return print_step (&graph, options, error);
}

static int
convert_file (const Options *options, GError **error)
{
  g_autoptr (TtTrail) trail = tt_depgraph_read (options->from, error);

  if (trail == NULL)
    return -1;
  if (options->language == LANGUAGE_TRAIL)
    return print_trail (trail, options, error) ? 0 : -1;
  g_autoptr (TtGraph) graph = tt_trail_to_graph (trail);
  tt_graph_finish (graph);
  return print_step (&graph, options, error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .hops = DEFAULT_HOPS, .max_nodes = DEFAULT_MAX_NODES, .unit = TT_UNIT_US };
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "Write .dot .gv .gml .graphml .json .svg or .png (default: DOT to standard output)", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.language_text, "dot, gml, graphml, json, svg, png, trail",
      "FORMAT" },
    { "level", 0, 0, G_OPTION_ARG_STRING, &options.level,
      "A node for each operation (default) or span; a training step over all GPUs; tasks of SYCL",
      "op|event|job|task" },
    { "around", 0, 0, G_OPTION_ARG_STRING, &options.around,
      "Only what is near this operation; NAME#K: its K-th span (level event)", "NAME" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &options.hops, "How many edges away from it, either way (default 2)", "N" },
    { "collapse", 0, 0, G_OPTION_ARG_NONE, &options.collapse, "Draw a chain with one way in and out as one node",
      NULL },
    { "max-nodes", 0, 0, G_OPTION_ARG_INT, &options.max_nodes,
      "Draw at most so many, the rest as one grey node (default 500; 0: all)", "N" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &options.kinds,
      "Edges: call, sequence, message, flow, sync, inferred, collective (default: all but collective)", "KIND,..." },
    { "merge-ranks", 0, 0, G_OPTION_ARG_NONE, &options.merge_ranks, "One node for a name, whatever the process", NULL },
    { "save", 0, 0, G_OPTION_ARG_NONE, &options.save, "Put the graph into the database, tables node and edge", NULL },
    { "recv", 0, 0, G_OPTION_ARG_STRING, &options.recv_text,
      "Level job: times of RECV as traced (default), from its SEND on, or the latter as dPRO has it",
      "traced|clipped|dpro" },
    { "update-barrier", 0, 0, G_OPTION_ARG_NONE, &options.job.update_barrier,
      "Level job: no update begins before all communication is done", NULL },
    { "with-end", 0, 0, G_OPTION_ARG_NONE, &options.with_end, "Format trail: with the node END", NULL },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &options.from,
      "The graph of this file (format trail, or other GML) instead of a trace", "FILE.gml" },
    { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.filters,
      "Only spans where it holds; = != ~ !~ < >; repeats mean and, commas mean or", "FIELD OP VALUE" },
    { "time-window", 0, 0, G_OPTION_ARG_STRING, &options.time_window,
      "Only spans in this time from the start of the run; ends may be left out", "A:B" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &options.unit_text, "Unit of these times: ns, us (default), ms, s", "UNIT" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_depgraph, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;

  if (options.from != NULL && argc > 1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--from' and a trace ('%s') exclude each other", argv[1]);
      return -1;
    }
  if (options.from != NULL)
    return convert_file (&options, error);

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.filters, options.time_window, options.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_selection_bind (selection, store, error))
    return -1;
  options.graph.selection = tt_selection_is_everything (selection) ? NULL : selection;
  return options.by_job    ? make_job_graph (store, &options, error)
         : options.by_task ? make_task_graph (store, &options, error)
                           : make_graph (store, &options, error);
}

const TtCommand tt_command_depgraph = {
  .name = "depgraph",
  .summary = "Graph of what calls, follows and sends to what",
  .usage = "[TRACE...]",
  .details =
      "Nodes are operations (op_long_name) with count and average; edges have a kind and a count:\n"
      "  call        a span and one directly inside it\n"
      "  sequence    a span and the next on its thread under the same caller; its gap is the time between\n"
      "  message     the spans that sent and received; its gap is the time of the transfer\n"
      "  flow        arrows of the source itself\n"
      "  sync        work on a device and the call or the work that waits for it (PyTorch); its gap is from end "
      "to begin\n"
      "  inferred    arrows that are likely, not certain: which call made an object that another uses (PI)\n"
      "  collective  the last process to come to a collective and the others; its gap is how long they waited\n"
      "'--max-nodes' keeps the path by averages ('critical-path --model'), then the largest self time.\n"
      "'--around NAME' takes an op_long_name, a name, or the only part of one; at level event NAME alone\n"
      "is its longest span.\n"
      "'--level job': what depends on what in a training step across all GPUs, from the model's graph, the groups of\n"
      "tensors and NCCL's rings or trees: edges are dependency, message (SEND to RECV) and collective (all ranks' "
      "Sync).\n"
      "'--level task': kernels, copies and allocations of a SYCL program and what each needs, as its runtime told; "
      "what is\n"
      "said of the longest chain counts times by the graph's own clock.\n"
      "'--format trail' writes it as the trail_dag.gml of dPRO: avg in ms, gaps in us; RECV is clipped to its SEND.\n"
      "END comes after whatever nothing follows. Spans that '--filter' leaves out are as if they were not "
      "there:\n"
      "what they call counts as called by the span around them.\n"
      "\n"
      "svg and png are drawn by 'dot' of Graphviz, which gets 20 s; then the DOT stays in FILE.dot.",
  .example = "tracetool depgraph -o graph.dot run.trc run.edf\n"
             "tracetool depgraph --merge-ranks --around MPI_Recv --depth 1 run.trc run.edf\n"
             "tracetool depgraph --level job --collapse -o step.svg job-2x1\n"
             "tracetool depgraph --level task -o tasks.dot pi-run",
  .run = run,
};
