/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/probes/blocks.h"
#include "pictures/bars.h"
#include "pictures/lanes.h"
#include "src/cli/plots/launch.h"

/* Neighbours in time differ, so that one sees where a block ends and the next begins. */
static const TtLegendEntry parts[] = { { "blocks, the 1st, 3rd ... of a place", "c0" }, { "the 2nd, 4th ...", "c4" } };

typedef struct
{
  const TtPlotRequest *request;
  TtBlocks *blocks;
  TtLaneChart chart;
  guint fold;   /* multiprocessors of a lane */
  guint places; /* lanes of a multiprocessor, where there is room for more than one */
} Drawing;

static guint
lane_of (const Drawing *self, guint unit, guint place)
{
  return unit / self->fold * self->places + MIN (place, self->places - 1);
}

static void
add_block (const TtBlock *block, gpointer data)
{
  Drawing *self = data;

  tt_lane_chart_add (&self->chart, lane_of (self, block->unit, block->place),
                     (guint) (block->turn % G_N_ELEMENTS (parts)), block->begin, block->end);
}

/* A lane is full where each of its multiprocessors has as many blocks as any had at once. */
static void
add_members (Drawing *self)
{
  for (guint i = 0; i < self->blocks->units->len; i++)
    for (guint place = 0; place < MAX (self->blocks->most, 1); place++)
      {
        guint number = g_array_index (self->blocks->units, TtBlockUnit, i).number;
        guint shown = MIN (place, self->places - 1);
        g_autofree char *label = shown == 0 ? g_strdup_printf ("%s %u", self->blocks->word, number)
                                            : g_strdup_printf ("%s %u:%u", self->blocks->word, number, shown);

        tt_lane_chart_add_member (&self->chart, lane_of (self, i, place), label);
      }
}

static void
note_clocks (Drawing *self)
{
  const TtBlocks *blocks = self->blocks;
  TtPictureHead *head = &self->chart.head;
  char n[TT_QUANTITY_TEXT], off[TT_QUANTITY_TEXT];

  tt_picture_head_note (head,
                        "Cycles of each %s are fitted to the device's time, which each record has, too: none of %s is "
                        "off by more than %s (%s %u).",
                        blocks->word, tt_quantity_text (n, TT_QUANTITY_COUNT, blocks->n_records),
                        blocks->error_ns == 0 ? "0 ns" : tt_quantity_text (off, TT_QUANTITY_TIME, blocks->error_ns),
                        blocks->word, blocks->error_unit);
  if (blocks->n_borrowed > 0)
    tt_picture_head_note (head, "%u %s%s with one reading %s the rate of another.", blocks->n_borrowed, blocks->word,
                          blocks->n_borrowed == 1 ? "" : "s", blocks->n_borrowed == 1 ? "has" : "have");
}

static void
add_notes (Drawing *self)
{
  const TtBlocks *blocks = self->blocks;
  TtPictureHead *head = &self->chart.head;
  tt_int128 length = (tt_int128) blocks->end - blocks->begin, all = length * blocks->units->len;
  char n[TT_QUANTITY_TEXT], at[TT_QUANTITY_TEXT], busy[TT_PERCENT_TEXT], lost[TT_PERCENT_TEXT];

  if (blocks->name == TT_NO_ID)
    {
      tt_picture_head_note (head, "No record of a probe with a begin, an end, a block and the number of its "
                                  "multiprocessor is there.");
      return;
    }
  tt_picture_head_note (head,
                        "%s blocks on %u %ss, at most %u at once on one; on average %s of so many run (occupancy).",
                        tt_quantity_text (n, TT_QUANTITY_COUNT, blocks->n_blocks), blocks->units->len, blocks->word,
                        blocks->most, tt_percent_text (busy, blocks->busy, all * MAX (blocks->most, 1)));
  tt_picture_head_note (head, "Tail: from %s on some %s has no block left; this idle time is %s of all.",
                        tt_quantity_text (at, self->chart.quantity, (tt_int128) blocks->tail_begin - blocks->begin),
                        blocks->word, tt_percent_text (lost, blocks->tail, all));
  if (blocks->is_aligned)
    tt_picture_head_note (head, "Cycles of different %ss do not compare: the first block of each begins at 0.",
                          blocks->word);
  if (blocks->is_fitted)
    note_clocks (self);
  if (self->fold > 1)
    tt_picture_head_note (head, "%u %ss: a lane is of %u neighbours.", blocks->units->len, blocks->word, self->fold);
  tt_plot_launch_note (head, self->request->store, blocks->source);
  if (blocks->n_others > 0)
    tt_picture_head_note (head, "Left out: %s records of other launches; '--name KERNEL' chooses the kernel.",
                          tt_quantity_text (n, TT_QUANTITY_COUNT, blocks->n_others));
}

static gboolean
draw_chart (Drawing *self, TtOutput *out, GError **error)
{
  TtBlocks *blocks = self->blocks;
  g_autofree char *title = tt_plot_launch_title (self->request->store, "Block timeline", blocks->name);

  guint n_units = MAX (blocks->units->len, 1);
  self->fold = (n_units + TT_LANES_MAX - 1) / TT_LANES_MAX;
  self->places = MAX (TT_LANES_MAX / n_units, 1);
  tt_lane_chart_init (&self->chart, title, blocks->begin, blocks->end,
                      (n_units + self->fold - 1) / self->fold * self->places, parts, G_N_ELEMENTS (parts));
  self->chart.quantity =
      blocks->is_fitted ? TT_QUANTITY_TIME : tt_plot_launch_time (self->request->store, blocks->source);
  self->chart.x_title = "time since the first block";
  if (!tt_plot_head (self->request, &self->chart.head, error) || !tt_blocks_each (blocks, add_block, self, error))
    return FALSE;
  add_members (self);
  add_notes (self);
  self->chart.has_mark = blocks->name != TT_NO_ID && blocks->tail > 0;
  self->chart.mark = blocks->tail_begin;
  self->chart.mark_name = "tail";
  if (self->request->text_width > 0)
    tt_lane_chart_write_text (&self->chart, out, self->request->text_width);
  else
    tt_lane_chart_write (&self->chart, out);
  return TRUE;
}

/* They use *@first_names. Free both. */
static TtBlocks *
find_blocks (const TtPlotRequest *request, guint32 **first_names, GError **error)
{
  g_autofree guint8 *is_asked = NULL;

  return tt_plot_operations (request, first_names, &is_asked, error)
             ? tt_blocks_new (request->store, request->selection, is_asked, *first_names, error)
             : NULL;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autofree guint32 *first_names = NULL;
  g_autoptr (TtBlocks) blocks = find_blocks (request, &first_names, error);

  if (blocks == NULL)
    return FALSE;
  Drawing drawing = { .request = request, .blocks = blocks };
  gboolean is_ok = draw_chart (&drawing, out, error);
  tt_lane_chart_clear (&drawing.chart);
  return is_ok;
}

/* -- for programs -------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtBlocks *blocks;
  TtReport *report;
} Listing;

static void
list_block (const TtBlock *block, gpointer data)
{
  const Listing *self = data;

  tt_report_int (self->report, g_array_index (self->blocks->units, TtBlockUnit, block->unit).number);
  tt_report_int (self->report, block->place);
  tt_report_int128 (self->report, (tt_int128) block->begin - self->blocks->begin);
  tt_report_int128 (self->report, (tt_int128) block->end - self->blocks->begin);
}

static gboolean
list (const TtPlotRequest *request, TtReport *report, GError **error)
{
  static const char *const keys[] = { "unit", "place", "begin", "end" };
  g_autofree guint32 *first_names = NULL;
  g_autoptr (TtBlocks) blocks = find_blocks (request, &first_names, error);
  Listing listing = { blocks, report };

  if (blocks == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    tt_report_column (report, TT_COLUMN_VALUE, keys[i], keys[i]);
  return tt_blocks_each (blocks, list_block, &listing, error);
}

const TtPlot tt_plot_blocks = {
  .word = "blocks",
  .summary = "which blocks of a kernel ran on which multiprocessor when, from a probe",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw,
  .list = list,
};
