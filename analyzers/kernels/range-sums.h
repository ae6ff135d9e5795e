/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRangeSums: sums of the kernels in the ranges of one name, taken apart from those of all (kernel-times.h).
 */
#pragma once

#include "analyzers/kernels/kernel-times.h"

typedef struct
{
  guint32 kernel;
  guint64 n_ranges, n_kernels; /* a kernel in several ranges is one, */
  TtSpread *time;              /* but its time counts for each */
} TtRangeSum;

typedef struct _TtRangeSums TtRangeSums;

/* See tt_kernel_times_new(). */
TtRangeSums *tt_range_sums_new (GArray *times);
void tt_range_sums_free (TtRangeSums *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRangeSums, tt_range_sums_free)

/* The kernels of the name of that at @place, up to @end, are in @range; ranges come one after another. */
void tt_range_sums_take (TtRangeSums *self, guint place, guint end, guint range);
/* Of what was taken, in the order of kernels; `time` is to be freed. FALSE: there is no more, and the next name can be
 * taken. */
gboolean tt_range_sums_next (TtRangeSums *self, TtRangeSum *sum);
