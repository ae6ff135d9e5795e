/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRangeKernels: kernels by the ranges that hold the calls that launched them, as nsys' nvtx_kern_sum has it: a kernel
 * counts in all ranges around its call on the thread of that, and in none where there is none. In ranges of one name
 * inside each other it is one kernel, but its time counts for each.
 *
 * Memory: 50 bytes a kernel, twice that where ranges hold many; time as there are kernels, ranges and rows, times the
 * logarithm of the first.
 */
#pragma once

#include "analyzers/kernels/event-list.h"
#include "analyzers/kernels/exec-list.h"
#include "analyzers/kernels/spread.h"

typedef struct
{
  guint32 range, kernel; /* names; range 0: of none */
  gboolean is_async;
  guint32 thread; /* of the call */
  guint64 n_ranges, n_kernels;
  const TtSpread *time;
} TtRangeKernelRow;

typedef struct _TtRangeKernels TtRangeKernels;

TtRangeKernels *tt_range_kernels_new (const TtEventList *ranges, const TtExecList *kernels);
void tt_range_kernels_free (TtRangeKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRangeKernels, tt_range_kernels_free)

/* Of TtRangeKernelRow, in no order, borrowed. */
const GArray *tt_range_kernels_rows (const TtRangeKernels *self);
