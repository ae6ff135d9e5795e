/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPlot: one kind of picture of `plot`: what is asked of an analyzer, given to a chart of pictures/ as plain numbers.
 */
#pragma once

#include "pictures/frame.h"
#include "src/select/selection.h"

typedef struct
{
  TtStore *store;
  TtSelection *selection; /* bound */
  GPtrArray *limits;      /* of char *: what the user chose, for the notes */
  const char *name;       /* of --name; NULL */
  gboolean by_cause;      /* --by cause */
} TtPlotRequest;

typedef struct
{
  const char *word;
  const char *summary;
  gboolean takes_name, takes_by; /* --name, --by */
  gboolean (*draw) (const TtPlotRequest *request, TtOutput *out, GError **error);
} TtPlot;

extern const TtPlot tt_plot_steps, tt_plot_breakdown, tt_plot_matrix, tt_plot_histogram, tt_plot_flame, tt_plot_waits,
    tt_plot_timeline;

extern const TtPlot *const tt_plots[]; /* NULL-ended */

/* Sets what @head says of the run, and notes what the user chose. */
gboolean tt_plot_head (const TtPlotRequest *request, TtPictureHead *head, GError **error);
/* What times of the run are. */
TtQuantity tt_plot_time (const TtPlotRequest *request);
/* The rank that @process leads; "?". */
const char *tt_plot_rank (const TtPlotRequest *request, guint32 process);
