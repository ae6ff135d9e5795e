/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of a sweep over settings, which `plot what-if` and `simulate --sweep-over` draw.
 */
#pragma once

#include "analyzers/training-job/points.h"
#include "src/cli/plots/plot.h"

/* @points: of TtSweepPoint, predicted; @base_ns: without them. */
gboolean
tt_plot_points (const TtPlotRequest *request, const GArray *points, gint64 base_ns, TtOutput *out, GError **error);
