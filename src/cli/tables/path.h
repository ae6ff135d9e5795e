/*
 * The tables of `critical-path`.
 */
#pragma once

#include "analyzers/path/critical-path.h"
#include "graphs/longest-path.h"
#include "src/base/report/report.h"

/* -- measured -------------------------------------------------------------------------------------- */

/* Operations with their time on the path, then transfers and time in no span. @top 0: all. */
TtReport *tt_path_op_table (const TtCriticalPath *path, guint top, TtUnit unit);
TtReport *tt_path_process_table (TtStore *store, const TtCriticalPath *path, TtUnit unit);
TtReport *tt_path_segment_table (TtStore *store, const TtCriticalPath *path, guint top, TtUnit unit);
/* Time by what is done; where work on devices is traced. */
TtReport *tt_path_kind_table (const TtCriticalPath *path, TtUnit unit);
/* One line on what the path is made of. Free it. */
char *tt_path_describe (const TtCriticalPath *path);
/* What was not followed, a line each, or NULL. Free it. */
char *tt_path_notes (const TtCriticalPath *path);

/* -- by averages --------------------------------------------------------------------------------------- */

TtReport *
tt_model_table (const TtGraph *graph, const TtOrder *order, const TtLongestPath *path, guint top, TtUnit unit);
/* The nodes of each cycle, and where the edges led that were left out to open it. */
TtReport *tt_model_cycle_table (const TtGraph *graph, const TtOrder *order, guint top, TtUnit unit);
