/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPlot: one kind of picture of `plot`: what is asked of an analyzer, given to a chart of pictures/ as plain numbers.
 */
#pragma once

#include "pictures/frame.h"
#include "src/base/crew.h"
#include "src/base/report/report.h"
#include "src/select/selection.h"

typedef struct
{
  TtStore *store;
  TtSelection *selection; /* bound */
  GPtrArray *limits;      /* of char *: what the user chose, for the notes */
  const char *name;       /* of --name; NULL */
  gboolean by_cause;      /* --by cause */
  const char *over;       /* of --sweep-over; NULL */
  guint text_width;       /* with letters, in lines so wide; 0: an svg */
  const TtCrew *crew;     /* NULL, or ranks that share the work */
} TtPlotRequest;

typedef struct
{
  const char *word;
  const char *summary;
  gboolean takes_name, takes_by, takes_over; /* --name, --by, --sweep-over */
  gboolean has_text;                         /* can be drawn with letters */
  gboolean takes_all;                        /* of the run: no --filter and no --time-window */
  gboolean is_shared;                        /* ranks of a job can share it */
  /* Of a crew, ranks other than 0 draw nothing: FALSE without @error. */
  gboolean (*draw) (const TtPlotRequest *request, TtOutput *out, GError **error);
  /* Columns and rows for programs; NULL: those of the shapes of what draw() draws. */
  gboolean (*list) (const TtPlotRequest *request, TtReport *report, GError **error);
} TtPlot;

extern const TtPlot tt_plot_steps, tt_plot_breakdown, tt_plot_matrix, tt_plot_histogram, tt_plot_flame, tt_plot_waits,
    tt_plot_timeline, tt_plot_roofline, tt_plot_what_if, tt_plot_dmat, tt_plot_pages, tt_plot_banks, tt_plot_conflicts,
    tt_plot_blocks;

extern const TtPlot *const tt_plots[]; /* NULL-ended */

/* "run 1: run.trc and 3 other sources, 4 ranks, 12,345 spans, 1.25 s long". NULL with @error. Free it. */
char *tt_plot_run_text (TtStore *store, GError **error);
/* Sets what @head says of the run, and notes what the user chose. */
gboolean tt_plot_head (const TtPlotRequest *request, TtPictureHead *head, GError **error);
/* What times of the run are. */
TtQuantity tt_plot_time (const TtPlotRequest *request);
/* The times of the run that are chosen: *begin_ns < *end_ns. */
gboolean tt_plot_times (const TtPlotRequest *request, gint64 *begin_ns, gint64 *end_ns, GError **error);
/* The rank that @process leads; "?". */
const char *tt_plot_rank (const TtPlotRequest *request, guint32 process);
