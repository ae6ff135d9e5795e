/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernelTimes: sums and order of the times of the kernels of one name between two places of a list, in the logarithm of
 * its length.
 *
 * Kernels lie by (name, place), each in a slot. Sums are differences of sums from the first slot on; the n-th in order is
 * found by halving the values bit by bit (a wavelet matrix). 50 bytes a kernel, and a bit for each halving.
 */
#pragma once

#include "analyzers/kernels/spread.h"
#include "src/base/int128.h"

typedef struct
{
  guint32 kernel; /* name */
  guint32 place;
  gint64 ns;
} TtKernelTime;

/* Slots @first to @end - 1, of one name. */
typedef struct
{
  guint first, end;
} TtSlots;

typedef struct _TtKernelTimes TtKernelTimes;

/* Takes @times, of TtKernelTime with the places 0 to n - 1. NULL: sums of squares do not fit. */
TtKernelTimes *tt_kernel_times_new (GArray *times);
void tt_kernel_times_free (TtKernelTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKernelTimes, tt_kernel_times_free)

guint32 tt_kernel_times_name (const TtKernelTimes *self, guint place);
/* Those of the kernel at @place from that on, before place @end. */
TtSlots tt_kernel_times_find (const TtKernelTimes *self, guint place, guint end);
/* Of what lies in @slots, each as often as it does; free it. */
TtSpread *tt_kernel_times_spread (const TtKernelTimes *self, const TtSlots *slots, guint n);
