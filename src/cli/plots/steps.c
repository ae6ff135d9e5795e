/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/draw.h"

#include "analyzers/statistics/tally.h"
#include "analyzers/steps/steps.h"
#include "pictures/lines.h"

#include <math.h>

/* For the median of all iterations. */
#define TALLY_BYTES ((gsize) 8 << 20)

typedef struct
{
  const TtPlotRequest *request;
  TtSteps *steps;
  TtLineChart chart;
  gint64 first, last;
  guint64 n, n_without, n_not_counted;
  guint32 slowest; /* process; TT_NO_ID: each rank has a line */
} Drawing;

/* Rows are steps of ranks, in the order of ranks. */
static gboolean
look_at_rows (Drawing *self, TtTallyRow *median, GError **error)
{
  g_autoptr (TtTally) tally = tt_tally_new (TALLY_BYTES);
  TtStepRow row;

  *median = (TtTallyRow){ 0 };
  self->first = G_MAXINT32;
  self->last = G_MININT32;
  for (guint64 i = 0; i < tt_steps_n_rows (self->steps); i++)
    {
      tt_steps_row (self->steps, i, &row);
      self->n_without += !row.has_iteration;
      self->n_not_counted += row.has_iteration && !row.is_counted;
      if (!row.has_iteration || !row.is_counted)
        continue;
      self->first = MIN (self->first, row.step);
      self->last = MAX (self->last, row.step);
      self->n++;
      gint64 ns = (gint64) MIN (row.ns[TT_STEP_TIME_ITERATION], G_MAXINT64);
      tt_tally_add (tally, 0, ns, ns, ns);
    }
  return tt_tally_finish (tally, error) && (tt_tally_next (tally, median, error) || self->n == 0);
}

/* A line a rank while there are colours; of more ranks all in one, and the slowest. */
static void
add_series (Drawing *self)
{
  const GArray *ranks = tt_steps_ranks (self->steps);
  double most = -1;

  self->slowest = TT_NO_ID;
  for (guint i = 0; i < ranks->len; i++)
    {
      const TtStepRank *rank = &g_array_index (ranks, TtStepRank, i);
      double mean = (double) rank->sum_ns[TT_STEP_TIME_ITERATION] / (double) MAX (rank->n_counted, 1);

      if (ranks->len <= TT_LINES_MAX_SERIES)
        {
          g_autofree char *name = g_strdup_printf ("rank %s", tt_plot_rank (self->request, rank->process));
          tt_line_chart_add_series (&self->chart, name);
        }
      else if (rank->n_counted > 0 && mean > most)
        {
          most = mean;
          self->slowest = rank->process;
        }
    }
  if (self->slowest == TT_NO_ID)
    return;
  g_autofree char *all = g_strdup_printf ("all %u ranks", ranks->len);
  g_autofree char *slowest = g_strdup_printf ("rank %s, slowest by mean", tt_plot_rank (self->request, self->slowest));
  tt_line_chart_add_series (&self->chart, all);
  tt_line_chart_add_series (&self->chart, slowest);
  tt_picture_head_note (&self->chart.head,
                        "%u ranks: the band is from the shortest to the longest iteration of a step.", ranks->len);
}

static void
add_points (Drawing *self)
{
  guint series = 0;
  guint32 process = TT_NO_ID;
  TtStepRow row;

  for (guint64 i = 0; i < tt_steps_n_rows (self->steps); i++)
    {
      tt_steps_row (self->steps, i, &row);
      if (row.process != process && process != TT_NO_ID)
        series++;
      process = row.process;
      if (!row.has_iteration || !row.is_counted)
        continue;
      tt_line_chart_add (&self->chart, self->slowest == TT_NO_ID ? series : 0, row.step,
                         row.ns[TT_STEP_TIME_ITERATION]);
      if (process == self->slowest)
        tt_line_chart_add (&self->chart, 1, row.step, row.ns[TT_STEP_TIME_ITERATION]);
    }
}

static void
add_notes (Drawing *self)
{
  TtPictureHead *head = &self->chart.head;

  if (self->n == 0)
    tt_picture_head_note (head, "No step has an iteration: 'tracetool steps' says what steps are.");
  else
    tt_picture_head_note (head, tt_steps_iteration (self->steps)->is_annotated
                                    ? "An iteration is the span that the trace names a step."
                                    : "An iteration is from the first operator's start to the last's end.");
  if (self->chart.steps_per_column > 1)
    tt_picture_head_note (head,
                          "A point is of %" G_GINT64_FORMAT " steps: the line is their longest, the band "
                          "reaches down to their shortest.",
                          self->chart.steps_per_column);
  if (self->n_without > 0)
    tt_picture_head_note (head, "Left out: %" G_GUINT64_FORMAT " steps of ranks without an iteration.",
                          self->n_without);
  if (self->n_not_counted > 0)
    tt_picture_head_note (head, "Left out: %" G_GUINT64_FORMAT " steps of ranks without an end.", self->n_not_counted);
}

static gboolean
draw_chart (Drawing *self, const TtTallyRow *median, TtOutput *out, GError **error)
{
  TtLineChart *chart = &self->chart;

  tt_line_chart_init (chart, "Step times per rank", self->n > 0 ? self->first : 0, self->n > 0 ? self->last : 0);
  chart->quantity = tt_plot_time (self->request);
  chart->y_title = "iteration";
  if (!tt_plot_head (self->request, &chart->head, error))
    return FALSE;
  add_series (self);
  add_points (self);
  add_notes (self);
  chart->has_mark = self->n > 0;
  chart->mark = median->median_ns;
  chart->mark_name = "median";
  if (!tt_steps_check (self->steps, error))
    return FALSE;
  tt_line_chart_write (chart, out);
  return TRUE;
}

gboolean
tt_plot_steps_draw (const TtPlotRequest *request, TtSteps *steps, TtOutput *out, GError **error)
{
  Drawing drawing = { .request = request, .steps = steps };
  TtTallyRow median;

  if (!look_at_rows (&drawing, &median, error))
    return FALSE;
  gboolean is_ok = draw_chart (&drawing, &median, out, error);
  tt_line_chart_clear (&drawing.chart);
  return is_ok;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autoptr (TtSteps) steps =
      tt_steps_new (request->store, request->selection, TT_STEP_BY_ANNOTATION, request->crew, error);

  return steps != NULL && tt_plot_steps_draw (request, steps, out, error);
}

const TtPlot tt_plot_steps = {
  .word = "steps",
  .summary = "how long each step took on each rank, and the median",
  .is_shared = TRUE,
  .draw = draw,
};
