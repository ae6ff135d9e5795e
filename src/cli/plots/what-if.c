/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/what-if.h"

#include "pictures/panels.h"
#include "src/cli/job-source.h"
#include "src/cli/message.h"

gboolean
tt_plot_points (const TtPlotRequest *request, const GArray *points, gint64 base_ns, TtOutput *out, GError **error)
{
  g_auto (TtPanelChart) chart = { 0 };
  g_autofree char *last = NULL;

  tt_panel_chart_init (&chart, "Predicted iteration, if one setting were another");
  if (!tt_plot_head (request, &chart.head, error))
    return FALSE;
  chart.quantity = tt_plot_time (request);
  chart.y_title = "iteration";
  chart.has_mark = TRUE;
  chart.mark = base_ns;
  chart.mark_name = "unchanged";
  for (guint i = 0; i < points->len; i++)
    {
      const TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);
      g_autofree char *title = tt_sweep_point_title (point);
      if (g_strcmp0 (title, last) != 0)
        tt_panel_chart_add_panel (&chart, title);
      g_free (last);
      last = g_steal_pointer (&title);
      tt_panel_chart_add (&chart, point->value, point->predicted_ns, point->low_ns, point->high_ns);
    }
  tt_picture_head_note (&chart.head,
                        "Of bandwidths, latencies, compute and compression the values are factors. The bands: "
                        "between which times a prediction should be.");
  tt_panel_chart_write (&chart, out);
  return TRUE;
}

/* @crew: NULL, or ranks that try an n-th of the values each. */
static gboolean
draw_by (const TtPlotRequest *request, const TtCrew *crew, TtOutput *out, GError **error)
{
  const TtTrainingJobOptions options = { .recv = TT_RECV_AS_TRACED };
  g_auto (TtJobSource) source = { 0 };
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (TtJobSetting));
  g_auto (TtJobModels) models = { .recv_rest = TRUE };

  if (!tt_job_source_load (&source, request->store, &options, FALSE, TRUE, error))
    return FALSE;
  models.replay = tt_step_replay_options_default (source.job != NULL && source.job->updates_wait);
  tt_job_source_init_models (&source, &models);
  g_autoptr (GArray) points =
      request->over != NULL ? tt_sweep_points_new (request->over, error) : tt_sweep_points_usual (&models);
  if (points == NULL || !tt_sweep_points_settle (points, source.n_ranks, error))
    return FALSE;
  if (!tt_job_models_choose (&models, tt_sweep_points_have_network (points), error) ||
      !tt_sweep_points_run (points, &models, settings, crew, error) || (crew != NULL && crew->rank > 0))
    return FALSE;
  for (guint i = 0; models.notes != NULL && i < models.notes->len; i++)
    tt_message ("%s", (const char *) models.notes->pdata[i]);
  return tt_plot_points (request, points, tt_job_models_base (&models)->mean_ns, out, error);
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  GError *own = NULL;

  if (request->crew == NULL)
    return draw_by (request, NULL, out, error);
  TtCrew crew = *request->crew;
  crew.n = MIN (crew.n, TT_SWEEP_MAX_RANKS);
  if (crew.rank > 0)
    return crew.rank < crew.n && draw_by (request, &crew, out, error);
  crew.call (crew.id);
  const gboolean is_done = draw_by (request, &crew, out, &own);
  return tt_crew_end (&crew, is_done, own, error);
}

const TtPlot tt_plot_what_if = {
  .word = "what-if",
  .summary = "how long a step would take with other settings",
  .takes_over = TRUE,
  .takes_all = TRUE,
  .is_shared = TRUE,
  .draw = draw,
};
