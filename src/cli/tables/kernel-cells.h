/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells that the tables of `kernels` and those of nsys' reports have in common.
 */
#pragma once

#include "src/cli/tables/kernels.h"

typedef struct
{
  TtStore *store;
  tt_int128 total; /* of the column that is shown in percent */
  gint64 first_ns; /* of lists: where times begin */
  gboolean has_results; /* a call without a result succeeded: its result is 0 */
} TtKernelContext;

typedef enum
{
  TT_SPREAD_PERCENT,
  TT_SPREAD_TOTAL,
  TT_SPREAD_COUNT,
  TT_SPREAD_AVG,
  TT_SPREAD_MEDIAN,
  TT_SPREAD_MIN,
  TT_SPREAD_MAX,
  TT_SPREAD_STDDEV,
} TtSpreadCell;

TtReportCell tt_percent_cell (tt_int128 part, tt_int128 whole);
/* @cell: TtSpreadCell. */
TtReportCell tt_spread_cell (guint cell, const TtSpread *spread, tt_int128 total);
/* @is_raw: as the source calls it. */
TtReportCell tt_kernel_name_cell (TtStore *store, guint32 name, gboolean is_raw);

/* "domain:text" of a range; of the default domain ":text", as nsys has it since 2022. Free it. */
char *tt_kernel_range_text (const TtStoredName *name);
/* The number at the end of "rank0.3" or "4711.gpu3"; nothing where a device is no process of its own. */
TtReportCell tt_kernel_device_cell (const TtProcess *device);
/* Of a thread, as the run calls them; nothing of one that is not known. */
TtReportCell tt_kernel_pid_cell (TtStore *store, guint32 thread);
TtReportCell tt_kernel_tid_cell (TtStore *store, guint32 thread);
/* "   1    2    3" of a grid or block; nothing where it is not known. */
TtReportCell tt_kernel_triple_cell (const gint64 triple[3]);

/* The rows that @view wants, with a line that says how many there are besides. */
void tt_kernel_add_rows (TtReport *report, const GArray *rows, const TtReportView *view);

/* A table of nsys' reports. */
TtReport *tt_nsys_table (TtStore *store, const TtKernels *kernels, TtKernelTable table, const TtReportView *view);
/* nsys' cuda_gpu_trace and cuda_api_trace. */
TtReport *tt_event_trace_table (TtStore *store, const TtKernels *kernels, TtKernelTable table, const TtReportView *view);
/* nsys' nvtx_pushpop_trace. */
TtReport *tt_range_trace_table (TtStore *store, const TtKernels *kernels, const TtReportView *view);
/* nsys' cuda_kern_exec_trace. */
TtReport *tt_exec_trace_table (TtStore *store, const TtKernels *kernels, const TtReportView *view);
