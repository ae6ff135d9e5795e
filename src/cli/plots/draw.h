/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of answers that are there already, for who shows them in tables, too.
 */
#pragma once

#include "analyzers/breakdown/breakdown.h"
#include "analyzers/communication/comm.h"
#include "analyzers/steps/steps.h"
#include "analyzers/waits/waits.h"
#include "src/cli/plots/plot.h"

/* @breakdown: of ranks. */
gboolean
tt_plot_breakdown_draw (const TtPlotRequest *request, const TtBreakdown *breakdown, TtOutput *out, GError **error);
gboolean tt_plot_matrix_draw (const TtPlotRequest *request, const TtComm *comm, TtOutput *out, GError **error);
/* *@has_transfers: whether there is anything to see. */
gboolean tt_plot_roofline_draw (const TtPlotRequest *request, gboolean *has_transfers, TtOutput *out, GError **error);
gboolean tt_plot_steps_draw (const TtPlotRequest *request, TtSteps *steps, TtOutput *out, GError **error);
gboolean tt_plot_waits_draw (const TtPlotRequest *request, const TtWaits *waits, TtOutput *out, GError **error);
