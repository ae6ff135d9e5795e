/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-answer.h"

#include "analyzers/training-job/sweep.h"
#include "src/cli/tables/simulate.h"

double
tt_simulate_error_percent (gint64 predicted_ns, gint64 measured_ns)
{
  return measured_ns > 0 ? 100.0 * ((double) predicted_ns - (double) measured_ns) / (double) measured_ns : 0.0;
}

/* The interval, and what it hangs on. */
static void
append_interval (GString *text, const TtSimulateAnswer *answer)
{
  const TtPredictionInterval *interval = &answer->interval;
  char low[TT_TIME_TEXT], high[TT_TIME_TEXT];
  gint64 mean_ns = answer->result->mean_ns, below_ns = tt_prediction_interval_below (interval),
         above_ns = tt_prediction_interval_above (interval);
  double percent = mean_ns > 0 ? 100.0 / (double) mean_ns : 0;

  if (below_ns == 0 && above_ns == 0)
    return;
  g_string_append_printf (text, "\nBetween %s and %s: steps differ by %.1f %%, the model is off by %.1f %%",
                          tt_time_auto (low, MAX (mean_ns - below_ns, 0)), tt_time_auto (high, mean_ns + above_ns),
                          percent * (double) interval->steps_ns, percent * (double) interval->model_ns);
  if (answer->before != NULL)
    g_string_append_printf (text, ", the change by %.1f %%", percent * (double) interval->network_ns);
  if (interval->less_ns + interval->more_ns > 0)
    g_string_append_printf (text, ", %s is not told: -%.1f to +%.1f %%",
                            answer->model->input.recording != NULL ? "what of it is latency or waits"
                                                                   : "who shares links",
                            percent * (double) interval->less_ns, percent * (double) interval->more_ns);
  if (interval->n_links > 0)
    g_string_append_printf (text, "; %.0f %% of the path rests on %u fitted %s", interval->comm_percent,
                            interval->n_links, interval->n_links == 1 ? "link" : "links");
  else
    g_string_append_printf (text, "; %.0f %% of the path is communication", interval->comm_percent);
}

static char *
describe_answer (const TtSimulateAnswer *answer)
{
  char predicted[TT_TIME_TEXT], measured[TT_TIME_TEXT], after[TT_TIME_TEXT], longest[TT_TIME_TEXT];
  const TtPrediction *model = answer->model;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Predicted iteration %s", tt_time_auto (predicted, model->mean_ns));
  if (answer->measured_ns > 0)
    g_string_append_printf (text, ", measured %s: error %+.2f %%", tt_time_auto (measured, answer->measured_ns),
                            tt_simulate_error_percent (model->mean_ns, answer->measured_ns));
  if (answer->before != NULL)
    g_string_append_printf (text, "\nWith the changes %s: %+.2f %%", tt_time_auto (after, answer->result->mean_ns),
                            tt_simulate_error_percent (answer->result->mean_ns, answer->before->mean_ns));
  append_interval (text, answer);
  if (answer->longest_ns > 0)
    g_string_append_printf (text, "\nCritical path %s", tt_time_text (longest, answer->longest_ns, TT_UNIT_MS, 6));
  if (answer->longest_ns > 0)
    g_string_append (text, " ms");
  return g_string_free (text, FALSE);
}

static void
add_facts (TtFacts *facts, const TtSimulateAnswer *answer)
{
  const TtPrediction *model = answer->model;

  tt_facts_time (facts, "predicted_us", answer->result->mean_ns);
  gint64 below_ns = tt_prediction_interval_below (&answer->interval),
         above_ns = tt_prediction_interval_above (&answer->interval);
  if (below_ns > 0 || above_ns > 0)
    {
      tt_facts_time (facts, "low_us", MAX (answer->result->mean_ns - below_ns, 0));
      tt_facts_time (facts, "high_us", answer->result->mean_ns + above_ns);
    }
  tt_json_writer_double (&facts->json, "path_comm_percent", answer->interval.comm_percent, 4);
  if (answer->interval.n_links > 0)
    tt_json_writer_uint (&facts->json, "fitted_links", answer->interval.n_links);
  if (answer->before != NULL)
    tt_facts_time (facts, "before_us", answer->before->mean_ns);
  if (answer->measured_ns > 0)
    {
      tt_facts_time (facts, "measured_us", answer->measured_ns);
      tt_json_writer_double (&facts->json, "error_percent",
                             tt_simulate_error_percent (model->mean_ns, answer->measured_ns), 4);
    }
  tt_facts_time (facts, "path_us", answer->result->simulation->path->length_ns);
  if (answer->longest_ns > 0)
    tt_facts_time (facts, "critical_path_us", answer->longest_ns);
}

/* The first of @reports that is shown says what the answer is about. */
static gboolean
print_tables (TtReport *const *reports,
              const TtSimulateAnswer *answer,
              const TtSimulateOptions *options,
              GError **error)
{
  g_autofree char *heading = describe_answer (answer);
  g_auto (TtFacts) facts = { 0 };
  TtTable tables[TT_SIMULATE_N_SHOWN];
  const TtTableSet set = { tables, TT_SIMULATE_N_SHOWN, options->show,
                           options->points != NULL ? TT_SIMULATE_SHOW_POINTS
                           : options->sweep        ? TT_SIMULATE_SHOW_SWEEP
                                                   : TT_SIMULATE_SHOW_RANKS };

  tt_facts_init (&facts);
  add_facts (&facts, answer);
  for (guint i = 0; i < TT_SIMULATE_N_SHOWN; i++)
    tables[i] = (TtTable){ tt_simulate_show_words[i], reports[i], .is_optional = i == TT_SIMULATE_SHOW_PATH };
  tt_report_heading (reports[options->show == TT_SHOW_ALL ? TT_SIMULATE_SHOW_RANKS : options->show], heading);
  return tt_table_set_show (&set, &facts, &options->view, error);
}

gboolean
tt_simulate_answer_show (const TtSimulateAnswer *answer, const TtSimulateOptions *options, GError **error)
{
  const TtReportView *view = &options->view;
  const TtSimulation *result = answer->result->simulation;
  gboolean same_ranks = answer->before != NULL && answer->before->simulation->graph->n_ranks == result->graph->n_ranks;
  g_autoptr (TtReport) ranks =
      tt_simulate_rank_table (result, same_ranks ? answer->before->simulation->iterations_ns : NULL, view);
  g_autoptr (TtReport) kinds = tt_simulate_kind_table (result, view);
  g_autoptr (TtReport) ops = tt_simulate_op_table (result, view);
  g_autoptr (TtReport) path = options->show == TT_SIMULATE_SHOW_PATH ? tt_simulate_step_table (result, view) : NULL;
  g_autoptr (TtReport) sweep = NULL, points = NULL;

  if (options->sweep)
    {
      g_autoptr (GArray) rows = tt_sweep (answer->result, options->sweep_percent, options->crew, error);
      if (rows == NULL)
        return FALSE;
      sweep = tt_simulate_sweep_table (rows, result->mean_ns, view);
      g_autofree char *heading = g_strdup_printf ("If one of these took %g %% less", options->sweep_percent);
      tt_report_caption (sweep, heading);
    }
  if (options->show < 0)
    {
      tt_report_caption (kinds, "What it is made of");
      tt_report_caption (ops, "What bounds it");
    }
  if (options->points != NULL)
    {
      points = tt_simulate_points_table (options->points, result->mean_ns, view);
      tt_report_caption (points, "If one of these were otherwise");
    }
  TtReport *const reports[TT_SIMULATE_N_SHOWN] = { ranks, kinds, ops, path, sweep, points };
  return print_tables (reports, answer, options, error);
}
