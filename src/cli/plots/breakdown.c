/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/draw.h"

#include "pictures/bars.h"
#include "src/cli/plots/work-colours.h"

gboolean
tt_plot_breakdown_draw (const TtPlotRequest *request, const TtBreakdown *breakdown, TtOutput *out, GError **error)
{
  g_auto (TtBarChart) chart = { 0 };

  tt_bar_chart_init (&chart, "Where the time of each rank went");
  chart.quantity = tt_plot_time (request);
  if (!tt_plot_head (request, &chart.head, error))
    return FALSE;
  for (guint part = 0; part < G_N_ELEMENTS (tt_work_colours); part++)
    tt_bar_chart_add_part (&chart, part == TT_WORK_COMMUNICATION ? "exposed communication" : tt_work_colours[part].name,
                           tt_work_colours[part].css_class);
  gboolean is_filtered = tt_breakdown_is_filtered (breakdown);
  if (is_filtered)
    tt_bar_chart_add_part (&chart, "left out by the filter", "c7");

  const GArray *rows = tt_breakdown_rows (breakdown);
  guint n_devices = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      const TtBreakdownRow *row = &g_array_index (rows, TtBreakdownRow, i);
      tt_int128 *values = tt_bar_chart_add_row (&chart, tt_plot_rank (request, row->process));

      for (guint part = 0; part < TT_N_WORK_CLASSES; part++)
        values[part] = row->times.ns[part];
      values[TT_N_WORK_CLASSES] = row->times.idle_ns;
      if (is_filtered)
        values[TT_N_WORK_CLASSES + 1] = row->times.left_out_ns;
      n_devices += row->is_device;
    }
  if (rows->len == 0)
    tt_picture_head_note (&chart.head, "No span is there to be broken down.");
  else
    tt_picture_head_note (&chart.head,
                          "Every moment counts once, for the first of the legend that runs in it. A bar is "
                          "from the first begin to the last end of the rank's work on %s.",
                          n_devices == rows->len ? "devices"
                          : n_devices == 0       ? "the host"
                                                 : "devices, where it has some, else on the host");
  tt_bar_chart_write (&chart, out);
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autoptr (TtBreakdown) breakdown =
      tt_breakdown_new (request->store, request->selection, TT_BREAKDOWN_RANK, TT_BREAKDOWN_AUTO, error);

  return breakdown != NULL && tt_plot_breakdown_draw (request, breakdown, out, error);
}

const TtPlot tt_plot_breakdown = {
  .word = "breakdown",
  .summary = "what the time of each rank went to",
  .draw = draw,
};
