/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of `simulate`, and of `critical-path --model` for training jobs.
 */
#pragma once

#include "analyzers/training-job/points.h"
#include "analyzers/training-job/simulation.h"
#include "analyzers/training-job/sweep.h"
#include "analyzers/training-job/what-if.h"
#include "src/base/report/fields.h"

/* A row a rank; @before: of the same ranks without what-ifs, or NULL. */
TtReport *tt_simulate_rank_table (const TtSimulation *self, const gint64 *before_ns, const TtReportView *view);
/* A row a kind of operation: all it does a rank, and its part of the path. */
TtReport *tt_simulate_kind_table (const TtSimulation *self, const TtReportView *view);
/* Operations (a name over all ranks) by their time on the path. */
TtReport *tt_simulate_op_table (const TtSimulation *self, const TtReportView *view);
/* The path node by node. */
TtReport *tt_simulate_step_table (const TtSimulation *self, const TtReportView *view);
/* @rows: of TtSweepRow; @view->top rows of each field. */
TtReport *tt_simulate_sweep_table (const GArray *rows, gint64 mean_ns, const TtReportView *view);
/* @points: of TtSweepPoint, beside @mean_ns. All of them, whatever @view->top. */
TtReport *tt_simulate_points_table (const GArray *points, gint64 mean_ns, const TtReportView *view);
