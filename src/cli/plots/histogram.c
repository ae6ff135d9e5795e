/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/statistics/tally.h"
#include "pictures/histogram.h"
#include "src/cli/plots/launch.h"
#include "src/store/statistics.h"

#define TALLY_BYTES ((gsize) 8 << 20)

typedef struct
{
  const TtPlotRequest *request;
  guint32 *first_names; /* by name: of those with one text */
  guint8 *is_asked;     /* by first name */
  TtHistogram chart;
  TtTally *tally;
  guint64 n, n_bounded;
} Drawing;

static void
drawing_clear (Drawing *self)
{
  g_free (self->first_names);
  g_free (self->is_asked);
  tt_histogram_clear (&self->chart);
  tt_tally_free (self->tally);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

/* -- of which operation ------------------------------------------------------------------------------------------ */

typedef struct
{
  guint32 name; /* TT_NO_ID: none yet */
  tt_int128 self_ns;
} Busiest;

static gboolean
compare_busy (const TtStatistic *row, gpointer data)
{
  Busiest *self = data;

  if (self->name == TT_NO_ID || row->self_ns > self->self_ns)
    *self = (Busiest){ row->name, row->self_ns };
  return TRUE;
}

/* The one that is named, else the one with the most self time in the run. */
static gboolean
choose_operation (Drawing *self, GError **error)
{
  TtStore *store = self->request->store;
  guint32 max = tt_store_max_name (store);
  Busiest busiest = { TT_NO_ID, 0 };

  if (!tt_plot_operations (self->request, &self->first_names, &self->is_asked, error))
    return FALSE;
  if (self->is_asked != NULL)
    return TRUE;
  self->is_asked = g_new0 (guint8, (gsize) max + 1);
  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_NAME, compare_busy, &busiest, error))
    return FALSE;
  if (busiest.name != TT_NO_ID && busiest.name <= max)
    self->is_asked[self->first_names[busiest.name]] = 1;
  return TRUE;
}

/* "Durations of MPI_Recv"; of several names the first. Free it. */
static char *
title_of (const Drawing *self)
{
  TtStore *store = self->request->store;
  guint32 max = tt_store_max_name (store), first = 0, n = 0;

  for (guint32 name = 1; name <= max; name++)
    if (self->first_names[name] == name && self->is_asked[name])
      {
        first = first == 0 ? name : first;
        n++;
      }
  const TtStoredName *name = first == 0 ? NULL : tt_store_name (store, first);
  if (name == NULL || name->text == NULL)
    return g_strdup ("Durations");
  return n == 1 ? g_strdup_printf ("Durations of %s", name->text)
                : g_strdup_printf ("Durations of %s and %u other names", name->text, n - 1);
}

/* -- counting ---------------------------------------------------------------------------------------------------- */

static gboolean
count_event (const TtEvent *event, gpointer data, GError **error)
{
  Drawing *self = data;
  gint64 ns = event->own_ns;

  if (event->dur_ns == TT_NO_TIME || !self->is_asked[self->first_names[event->name]] ||
      !tt_selection_matches (self->request->selection, event))
    return TRUE;
  if (tt_flags_are_bounded (event->flags))
    {
      self->n_bounded++;
      return TRUE;
    }
  self->n++;
  tt_histogram_add (&self->chart, ns);
  tt_tally_add (self->tally, 0, ns, ns, ns);
  return TRUE;
}

static gboolean
add_marks (Drawing *self, GError **error)
{
  char count[TT_TIME_TEXT];
  TtTallyRow row;

  if (!tt_tally_finish (self->tally, error))
    return FALSE;
  if (self->n == 0)
    return TRUE;
  if (!tt_tally_next (self->tally, &row, error))
    return FALSE;
  self->chart.marks[0] = (TtHistogramMark){ "median", row.median_ns };
  self->chart.marks[1] = (TtHistogramMark){ "95 %", row.p95_ns };
  self->chart.marks[2] = (TtHistogramMark){ "99 %", row.p99_ns };
  self->chart.n_marks = 3;
  tt_picture_head_note (&self->chart.head,
                        "%s span%s. Buckets are of equal factors, ten to a decade. Of 95 %% (99 %%) of the "
                        "spans none is longer than the mark.",
                        tt_count_text (count, self->n), self->n == 1 ? "" : "s");
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_auto (Drawing) drawing = { .request = request, .tally = tt_tally_new (TALLY_BYTES) };
  gint64 begin_ns, end_ns;

  if (!choose_operation (&drawing, error))
    return FALSE;
  g_autofree char *title = title_of (&drawing);
  tt_histogram_init (&drawing.chart, title);
  drawing.chart.quantity = tt_plot_time (request);
  tt_selection_window (request->selection, &begin_ns, &end_ns);
  if (!tt_plot_head (request, &drawing.chart.head, error) ||
      !tt_each_event_between (request->store, TT_SCAN_DEFAULT, begin_ns, end_ns, count_event, &drawing, error) ||
      !add_marks (&drawing, error))
    return FALSE;
  if (request->name == NULL && drawing.n > 0)
    tt_picture_head_note (&drawing.chart.head,
                          "Of all operations this has the most self time; '--name NAME' chooses another.");
  if (drawing.n == 0)
    tt_picture_head_note (&drawing.chart.head, "No span is there.");
  if (drawing.n_bounded > 0)
    tt_picture_head_note (&drawing.chart.head, "Left out: %" G_GUINT64_FORMAT " spans whose begin or end was lost.",
                          drawing.n_bounded);
  if (request->text_width > 0)
    tt_histogram_write_text (&drawing.chart, out, request->text_width);
  else
    tt_histogram_write (&drawing.chart, out);
  return TRUE;
}

const TtPlot tt_plot_histogram = {
  .word = "histogram",
  .summary = "how long the spans of one operation are, with percentiles",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw,
};
