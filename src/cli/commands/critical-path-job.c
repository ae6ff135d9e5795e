/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/commands/critical-path.h"
#include "src/cli/session.h"

#include "analyzers/training-job/prediction.h"
#include "src/base/compare.h"
#include "src/base/progress.h"
#include "src/cli/tables/simulate.h"

#include <string.h>

enum
{
  SHOW_PATH,
  SHOW_OPS,
  SHOW_KINDS,
  SHOW_RANKS,
  N_SHOWN,
};

static const char *const show_words[] = { "path", "ops", "kinds", "ranks", NULL };

/* The job of the run under the default rules, and what bounds its simulated step. */
typedef struct
{
  TtTrainingJob *job;
  TtPrediction *prediction;
  const TtSimulation *simulation; /* the prediction's */
} StepModel;

static void
step_model_free (StepModel *self)
{
  if (self == NULL)
    return;
  tt_prediction_free (self->prediction);
  tt_training_job_free (self->job);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StepModel, step_model_free)

static StepModel *
step_model_new (TtStore *store, GError **error)
{
  const TtTrainingJobOptions options = { .recv = TT_RECV_AS_TRACED };
  g_autoptr (StepModel) self = g_new0 (StepModel, 1);

  self->job = tt_training_job_new (store, &options, error);
  if (self->job == NULL)
    return NULL;
  tt_step_times_after_send (self->job->graph, self->job->times);
  tt_training_job_model_steps (self->job);
  const TtPredictionInput input = { .job = self->job,
                                    .replay = tt_step_replay_options_default (self->job->updates_wait),
                                    .recv_rest = TRUE };
  self->prediction = tt_prediction_new (&input, error);
  if (self->prediction == NULL)
    return NULL;
  self->simulation = self->prediction->simulation;
  return g_steal_pointer (&self);
}

/* "Path through the simulated step 6.27 ms ...; predicted iteration 6.28 ms". Free it. */
static char *
describe_model (const StepModel *self)
{
  char path[TT_TIME_TEXT], mean[TT_TIME_TEXT], measured[TT_TIME_TEXT];
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Path through the simulated step %s, in %u of %u operations; predicted iteration %s",
                          tt_time_auto (path, self->simulation->path->length_ns), self->simulation->path->hops->len,
                          self->job->graph->nodes->len, tt_time_auto (mean, self->simulation->mean_ns));
  if (self->job->iteration_ns > 0)
    g_string_append_printf (text, ", measured %s", tt_time_auto (measured, self->job->iteration_ns));
  return g_string_free (text, FALSE);
}

/* -- events on the path ------------------------------------------------------------------------------- */

static void
add_key (GHashTable *keys, guint32 rank, const char *name, const char *suffix)
{
  g_hash_table_add (keys, g_strdup_printf ("%u %s~>%s", rank, name, suffix == NULL ? "" : suffix));
}

/* "rank name~>suffix" of all that stands for a node of the path; of a fused group also its members. */
static GHashTable *
collect_keys (const StepModel *self)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->simulation->path->hops->len; i++)
    {
      const TtStepHop *hop = &g_array_index (self->simulation->path->hops, TtStepHop, i);
      const TtStepNode *node = tt_step_node (self->job->graph, hop->node);

      add_key (keys, node->rank, node->name, node->parts.suffix);
      if (node->group == TT_STEP_NO_GROUP || node->parts.suffix != NULL)
        continue;
      const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, node->group);
      for (guint k = 0; shape->tensors[k] != NULL; k++)
        {
          g_autofree char *name = g_strconcat ("Comm.", shape->tensors[k], ".", node->parts.sub_op, NULL);
          add_key (keys, node->rank, name, NULL);
        }
    }
  return keys;
}

static guint32 *
ranks_of_processes (const TtTrainingJob *job, TtStore *store, guint32 *n)
{
  guint32 *rank_of = g_new (guint32, (gsize) tt_store_max_process (store) + 1);

  *n = tt_store_max_process (store) + 1;
  memset (rank_of, 0xff, (gsize) *n * sizeof *rank_of);
  for (guint rank = 0; rank < job->n_endpoints; rank++)
    rank_of[job->processes[rank]] = rank;
  return rank_of;
}

static gboolean
is_on_path (TtStore *store, GHashTable *keys, guint32 rank, const TtEvent *event)
{
  const TtStoredName *name = tt_store_name (store, event->name);

  if (name == NULL)
    return FALSE;
  g_autofree char *key = g_strdup_printf ("%u %s~>%s", rank, name->text, name->suffix == NULL ? "" : name->suffix);
  return g_hash_table_contains (keys, key);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

/* Ids (guint64, ascending) of the events of the typical step that are on the path. */
static GArray *
find_events (const StepModel *self, TtStore *store, GError **error)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GHashTable) keys = collect_keys (self);
  guint32 n_processes;
  g_autofree guint32 *rank_of = ranks_of_processes (self->job, store, &n_processes);
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  gboolean is_cancelled = FALSE;
  guint64 n = 0;
  TtEvent event;

  if (scan == NULL)
    return NULL;
  while (!is_cancelled && tt_event_scan_next (scan, &event))
    {
      const TtThread *thread = event.step == self->job->typical_step ? tt_store_thread (store, event.thread) : NULL;
      guint32 rank = thread != NULL && thread->process < n_processes ? rank_of[thread->process] : TT_STEP_NO_RANK;

      if (rank != TT_STEP_NO_RANK && is_on_path (store, keys, rank, &event))
        g_array_append_val (events, event.id);
      if (++n % 65536 == 0)
        is_cancelled = tt_cancelled (error);
    }
  if (!tt_event_scan_finish (scan, is_cancelled ? NULL : error) || is_cancelled)
    return NULL;
  g_array_sort (events, compare_ids);
  return g_steal_pointer (&events);
}

/* -- the answer --------------------------------------------------------------------------------------- */

static gboolean
print_tables (const StepModel *model, const TtPathRequest *request, GError **error)
{
  const TtReportView *view = &request->view;
  g_autoptr (TtReport) path = request->show == SHOW_PATH ? tt_simulate_step_table (model->simulation, view) : NULL;
  g_autoptr (TtReport) ops = tt_simulate_op_table (model->simulation, view);
  g_autoptr (TtReport) kinds = tt_simulate_kind_table (model->simulation, view);
  g_autoptr (TtReport) ranks = tt_simulate_rank_table (model->simulation, NULL, view);
  TtReport *const reports[N_SHOWN] = { path, ops, kinds, ranks };
  g_autofree char *heading = describe_model (model);
  g_auto (TtFacts) facts = { 0 };
  TtTable tables[N_SHOWN];
  const TtTableSet set = { tables, N_SHOWN, request->show, SHOW_OPS };

  for (guint i = 0; i < N_SHOWN; i++)
    tables[i] =
        (TtTable){ show_words[i], reports[i], .is_optional = i > SHOW_OPS && tt_report_n_rows (reports[i]) == 0 };
  tt_report_heading (reports[request->show == TT_SHOW_ALL ? SHOW_OPS : request->show], heading);
  tt_facts_init (&facts);
  tt_facts_time (&facts, "path_us", model->simulation->path->length_ns);
  return tt_table_set_show (&set, &facts, view, error);
}

static gboolean
answer (TtStore *store, const TtPathRequest *request, GError **error)
{
  g_autoptr (StepModel) model = tt_command_check_one_run (store, error) ? step_model_new (store, error) : NULL;

  if (model == NULL)
    return FALSE;
  for (guint i = 0; i < model->job->notes->len; i++)
    tt_message ("%s", (const char *) model->job->notes->pdata[i]);
  if (!print_tables (model, request, error))
    return FALSE;
  if (request->output == NULL)
    return TRUE;
  g_autoptr (GArray) events = find_events (model, store, error);
  return events != NULL && tt_path_export (store, request, events, NULL, error);
}

const TtPathQuestion tt_path_job = {
  .about = "a training job",
  .show_words = show_words,
  .answer = answer,
};
