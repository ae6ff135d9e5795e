/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/draw.h"

#include "analyzers/communication/transfers.h"
#include "formats/json/copy-bytes.h"
#include "formats/kineto/collectives.h"
#include "pictures/roofline.h"

static void
add_transfer (const TtTransfer *transfer, gpointer data)
{
  tt_roofline_add (data, transfer->series, transfer->bytes, transfer->ns);
}

static void
add_notes (TtRoofline *chart, const TtTransfersLeftOut *left_out, gboolean is_ticks)
{
  if (is_ticks)
    tt_picture_head_note (&chart->head, "The times of this run are ticks, of which there is no bandwidth.");
  else if (chart->series->len == 0)
    tt_picture_head_note (&chart->head, "No copy of a device, collective of a device or message with a size and a time "
                                        "is there.");
  else
    tt_picture_head_note (&chart->head,
                          "A point is of transfers of like size and bandwidth, the larger the more. Lines: "
                          "no transfer was faster than the flat part, and none took less time than the "
                          "slope says.");
  if (tt_roofline_has (chart, "messages"))
    tt_picture_head_note (&chart->head,
                          "The time of a message is from its send to its receive: a late receiver makes it "
                          "longer.");
  if (left_out->n_unsized > 0)
    tt_picture_head_note (&chart->head, "Left out: %" G_GUINT64_FORMAT " transfers that do not tell their size.",
                          left_out->n_unsized);
  if (left_out->n_untimed > 0)
    tt_picture_head_note (&chart->head, "Left out: %" G_GUINT64_FORMAT " transfers whose time is 0 or not known.",
                          left_out->n_untimed);
}

gboolean
tt_plot_roofline_draw (const TtPlotRequest *request, gboolean *has_transfers, TtOutput *out, GError **error)
{
  g_auto (TtRoofline) chart = { 0 };
  TtTransfersLeftOut left_out = { 0 };
  gboolean is_ticks = tt_plot_time (request) == TT_QUANTITY_TICKS;

  tt_roofline_init (&chart, "Bandwidth of transfers over their size, and what bounds it");
  if (!tt_plot_head (request, &chart.head, error) ||
      (!is_ticks && !tt_transfers_each (request->store, request->selection, tt_json_copy_bytes,
                                        tt_kineto_read_collective, add_transfer, &chart, &left_out, error)))
    return FALSE;
  *has_transfers = chart.series->len > 0;
  add_notes (&chart, &left_out, is_ticks);
  if (request->text_width > 0)
    tt_roofline_write_text (&chart, out, request->text_width);
  else
    tt_roofline_write (&chart, out);
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  gboolean has_transfers;

  return tt_plot_roofline_draw (request, &has_transfers, out, error);
}

const TtPlot tt_plot_roofline = {
  .word = "roofline",
  .summary = "bandwidth over size of copies, collectives and messages, and what bounds them",
  .has_text = TRUE,
  .draw = draw,
};
