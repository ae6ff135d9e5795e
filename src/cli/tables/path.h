/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of `critical-path`: of the measured path. Those of --model: model-path.h, simulate.h.
 */
#pragma once

#include "analyzers/path/critical-path.h"
#include "src/base/report/fields.h"

/* Operations with their time on the path, then transfers and time in no span. */
TtReport *tt_path_op_table (const TtCriticalPath *path, const TtReportView *view);
TtReport *tt_path_process_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view);
TtReport *tt_path_segment_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view);
/* Of training jobs: a row a step. */
TtReport *tt_path_step_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view);
/* Time by what is done; where work on devices is traced, and of training jobs. */
TtReport *tt_path_kind_table (const TtCriticalPath *path, const TtReportView *view);
/* A line on what the path is made of, and one on what bounds the run. Free it. */
char *tt_path_describe (TtStore *store, const TtCriticalPath *path);
/* What bounds the run: the kind and the rank with the most of the path. Free it; NULL: nothing to say. */
char *tt_path_bound_text (TtStore *store, const TtCriticalPath *path);
/* What was not followed, a line each, or NULL. Free it. */
char *tt_path_notes (const TtCriticalPath *path);
