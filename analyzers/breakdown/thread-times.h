/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtThreadTimes: what TtSweep says of one thread of the host, whose intervals come latest first and do not overlap, so that
 * nothing needs sorting.
 */
#pragma once

#include "analyzers/breakdown/sweep.h"

typedef struct
{
  TtWorkTimes times; /* idle after tt_thread_times_finish() */
  gint64 begin_ns, end_ns;
  gboolean has_any;
} TtThreadTimes;

/* FALSE: it overlaps the one before. */
gboolean tt_thread_times_add (TtThreadTimes *self, const TtWorkInterval *interval);
void tt_thread_times_finish (TtThreadTimes *self);
