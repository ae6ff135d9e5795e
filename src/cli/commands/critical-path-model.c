/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/commands/critical-path.h"

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/devices/work.h"
#include "graphs/reduce.h"
#include "src/cli/run-id.h"
#include "src/cli/tables/structure.h"

enum
{
  SHOW_PATH,
  SHOW_CYCLES,
  N_SHOWN,
  SHOW_STRUCTURE = N_SHOWN, /* the first of TtStructureTable: worked out and shown when asked for */
};

static const char *const show_words[] = { "path", "cycles", "slack", "dominators", "feedback", NULL };

/* The graph of operations in which processes meet in their collectives. */
static TtGraph *
make_graph (TtStore *store, const TtPathRequest *request, const TtCrew *crew, GError **error)
{
  TtDepGraphOptions options = {
    .merge_ranks = request->merge_ranks,
    .kinds = TT_DEP_KINDS_DEFAULT,
    .selection = tt_selection_is_everything (request->selection) ? NULL : request->selection,
    .crew = crew,
  };
  gboolean has_devices;

  if (!tt_device_is_traced (store, &has_devices, error))
    return NULL;
  if (has_devices)
    options.kinds |= 1u << TT_EDGE_COLLECTIVE;
  g_autoptr (TtGraph) traced = tt_dep_graph_ops (store, &options, error);
  return traced == NULL ? NULL : tt_graph_meet (traced);
}

static gboolean
print_tables (const TtModelPath *model, const TtPathRequest *request, GError **error)
{
  g_autoptr (TtReport) path = tt_model_path_table (model, &request->view);
  g_autoptr (TtReport) cycles = tt_model_cycle_table (model, &request->view);
  gint64 weight_ns = (gint64) (model->path->weight + 0.5);
  guint n_cycles = model->order->cycles->len, n_back = model->order->back->len;
  char time[TT_TIME_TEXT];
  g_autofree char *heading =
      g_strdup_printf ("Longest path by averages: %s through %u of %u operations", tt_time_auto (time, weight_ns),
                       model->path->nodes->len, model->graph->nodes->len);
  g_autofree char *cycle_heading =
      g_strdup_printf ("%u %s opened by leaving out %u %s back in time", n_cycles, n_cycles == 1 ? "cycle" : "cycles",
                       n_back, n_back == 1 ? "edge that leads" : "edges that lead");
  const TtTable tables[N_SHOWN] = {
    [SHOW_PATH] = { show_words[SHOW_PATH], path },
    [SHOW_CYCLES] = { show_words[SHOW_CYCLES], cycles, .is_optional = tt_report_n_rows (cycles) == 0 },
  };
  const TtTableSet set = { tables, N_SHOWN, request->show, SHOW_PATH };
  g_auto (TtFacts) facts = { 0 };

  tt_report_heading (path, heading);
  tt_report_heading (cycles, cycle_heading);
  tt_facts_init (&facts);
  tt_facts_time (&facts, "path_us", weight_ns);
  tt_json_writer_uint (&facts.json, "n_cycles", n_cycles);
  return tt_table_set_show (&set, &facts, &request->view, error);
}

static gboolean
print_structure (const TtModelPath *model, const TtPathRequest *request, GError **error)
{
  g_autoptr (TtReport) report =
      tt_structure_table (model, (TtStructureTable) (request->show - SHOW_STRUCTURE), &request->view, error);

  return report != NULL && tt_report_show (report, &request->view, error);
}

static gboolean
answer (TtStore *store, const TtPathRequest *request, GError **error)
{
  g_autoptr (TtGraph) graph = NULL;
  g_autoptr (TtOrder) order = NULL;
  g_autoptr (TtLongestPath) path = NULL;
  GError *failure = NULL;
  TtCrew crew;
  gboolean is_shared;

  if (request->output != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "'-o' shows the measured path, or that of a training job; it does not go with '--model' of "
                   "operations");
      return FALSE;
    }
  if (!tt_run_crew (store, &crew, &is_shared, error))
    return FALSE;
  graph = make_graph (store, request, is_shared ? &crew : NULL, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  /* Ranks other than 0 have done their part. */
  if (graph == NULL)
    return failure == NULL;
  if (graph->nodes->len == 0)
    tt_message ("nothing is selected");
  path = tt_model_path_new (graph, &order);

  const TtModelPath model = { graph, order, path };
  return request->show >= SHOW_STRUCTURE ? print_structure (&model, request, error)
                                         : print_tables (&model, request, error);
}

const TtPathQuestion tt_path_model = {
  .about = "this run",
  .show_words = show_words,
  .answer = answer,
};
