/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of a training step: --level job from the traces of a run, --from out of a file. */
#include "config.h"

#include "formats/dot/trail-gml.h"
#include "src/cli/command.h"
#include "src/cli/levels/find-label.h"
#include "src/cli/session.h"

/* -- of a run ------------------------------------------------------------------------------------ */

static TtGraph *
build_job (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{
  g_autoptr (TtTrainingJob) job =
      tt_command_check_one_run (store, error) ? tt_training_job_new (store, &request->job, error) : NULL;

  if (job == NULL)
    return NULL;
  for (guint i = 0; i < job->notes->len; i++)
    tt_message ("%s", (const char *) job->notes->pdata[i]);
  if ((request->given & TT_GRAPH_TRAIL) != 0)
    *trail = tt_job_trail_new (job, (request->given & TT_GRAPH_WITH_END) != 0);
  TtGraph *graph = tt_job_draw (job);
  tt_graph_finish (graph);
  return graph;
}

const TtGraphLevel tt_graph_level_job = {
  .name = "job",
  .shows = "A training step",
  .option = "--level job",
  .refuses = TT_GRAPH_OF_SPANS,
  .build = build_job,
  .find = tt_graph_level_find_label,
};

/* -- of a file ----------------------------------------------------------------------------------- */

/* A file as --format trail writes it, or any GML with labels; warns of what makes no sense in it. */
static TtTrail *
read_trail (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  TtRepairs repairs = { 0 };

  if (input == NULL)
    return NULL;
  TtTrail *trail = tt_trail_gml_read (input, &repairs, error);
  for (guint kind = 0; trail != NULL && kind < TT_N_REPAIRS; kind++)
    if (repairs.count[kind] > 0)
      {
        g_autofree char *text = tt_repair_describe (&repairs, (TtRepairKind) kind, path);
        tt_warning ("%s", text);
      }
  return trail;
}

static TtGraph *
build_file (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{
  g_autoptr (TtTrail) read = read_trail (request->from, error);

  if (read == NULL)
    return NULL;
  TtGraph *graph = tt_trail_to_graph (read);
  tt_graph_finish (graph);
  if ((request->given & TT_GRAPH_TRAIL) != 0)
    *trail = g_steal_pointer (&read);
  return graph;
}

const TtGraphLevel tt_graph_level_file = {
  .shows = "The graph",
  .option = "--from",
  .refuses = TT_GRAPH_OF_SPANS | TT_GRAPH_SAVE | TT_GRAPH_RECV | TT_GRAPH_UPDATE_BARRIER,
  .build = build_file,
  .find = tt_graph_level_find_label,
};
