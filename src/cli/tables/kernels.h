/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `kernels`, and the same numbers under the names and columns of nsys' reports.
 */
#pragma once

#include "analyzers/communication/groups.h"
#include "analyzers/kernels/kernels.h"
#include "src/base/report/fields.h"
#include "src/cli/trust-marks.h"

typedef enum
{
  TT_KERNELS_BY_NAME,
  TT_KERNELS_COPIES,
  TT_KERNELS_OPERATORS,
  TT_KERNELS_LAUNCHES,
  TT_KERNELS_STREAMS,
  TT_KERNELS_CALLS,
  TT_KERNELS_ANNOTATIONS,
  TT_KERNELS_GRIDS,
  TT_KERNELS_COLLECTIVES, /* of tt_collective_kernel_table() */
  TT_N_KERNEL_TABLES,
  /* Reports of nsys stats, under its names and with its columns. */
  TT_NSYS_KERN_SUM = TT_N_KERNEL_TABLES,
  TT_NSYS_KERN_GB_SUM,
  TT_NSYS_MEM_TIME_SUM,
  TT_NSYS_MEM_SIZE_SUM,
  TT_NSYS_GPU_SUM,
  TT_NSYS_API_SUM,
  TT_NSYS_API_GPU_SUM,
  TT_NSYS_KERN_EXEC_SUM,
  TT_NSYS_KERN_EXEC_TRACE,
  TT_NSYS_GPU_TRACE,
  TT_NSYS_API_TRACE,
  TT_NSYS_NVTX_SUM,
  TT_NSYS_NVTX_PUSHPOP_SUM,
  TT_NSYS_NVTX_STARTEND_SUM,
  TT_NSYS_NVTX_PUSHPOP_TRACE,
  TT_NSYS_NVTX_KERN_SUM, /* of tt_range_kernel_table() */
  TT_NSYS_MPI_EVENT_SUM,
  TT_NSYS_OSRT_SUM,
  TT_NSYS_OPENMP_SUM,
  TT_N_KERNEL_REPORTS,
} TtKernelTable;

/* Words of --show, NULL-ended, by TtKernelTable. */
extern const char *const tt_kernel_table_words[];

/* Reports of nsys have nsys' columns, and no marks. */
TtReport *tt_kernel_table (TtStore *store,
                           const TtKernels *kernels,
                           TtKernelTable table,
                           TtTrustMarks *marks,
                           const TtReportView *view);
/* Kernels that do collectives, sends and receives, with bandwidths. */
TtReport *tt_collective_kernel_table (TtStore *store, const TtCommGroups *groups, const TtReportView *view);
/* nsys' nvtx_kern_sum; NULL: @error. */
TtReport *tt_range_kernel_table (TtStore *store, const TtKernels *kernels, const TtReportView *view);
/* "2,700 kernels, 162 ms; ..."; NULL: nothing. Free it. */
char *tt_kernel_describe (TtStore *store, const TtKernels *kernels);
