/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSweep: what a stretch of time was spent on, from intervals that come in order of their begin.
 *
 * A moment counts for the first class (TtWorkClass) that runs in it. A moment in which none runs is idle; why is told by
 * the interval that ends the gap (of several that begin together the one that was launched first). A gap begins where
 * the last interval ended (one without length ends and begins one, too):
 *
 *   host wait    its launch began after the gap did: the device was free and had nothing to do
 *   kernel wait  it was launched before, and the gap is shorter than TT_KERNEL_GAP_NS: the device's own pause between
 *                two spans
 *   other wait   it was launched before, and the device did not begin it: it waited for another stream, rank or device
 *   unknown      nobody knows when it was launched
 *
 * Intervals that are left out have their part in all of this; only their own time is not told by class.
 *
 * The rules of HolisticTraceAnalysis' idle time breakdown, whose limit of 30 is in microseconds in effect.
 */
#pragma once

#include "analyzers/work-class.h"

#define TT_KERNEL_GAP_NS G_GINT64_CONSTANT (30000)

typedef enum
{
  TT_IDLE_HOST_WAIT,
  TT_IDLE_KERNEL_WAIT,
  TT_IDLE_OTHER_WAIT,
  TT_IDLE_UNKNOWN,
  TT_N_IDLE_CAUSES,
} TtIdleCause;

typedef struct
{
  gint64 begin_ns, end_ns;
  gint64 launch_ns; /* begin of the call that launched it; TT_NO_TIME: not known */
  TtWorkClass work;
  gboolean is_left_out;
} TtWorkInterval;

typedef struct
{
  gint64 ns[TT_N_WORK_CLASSES];     /* in which no class before it runs */
  gint64 all_ns[TT_N_WORK_CLASSES]; /* in which it runs */
  gint64 left_out_ns;               /* of a moment's class only what is left out runs: of neither */
  gboolean has_any;                 /* an interval that is not left out */
  gint64 idle_ns;
  gint64 idle[TT_N_IDLE_CAUSES]; /* of idle_ns; what is after the last interval is in none */
} TtWorkTimes;

typedef struct
{
  TtWorkTimes times;
  gint64 at_ns; /* times are right up to here */
  gint64 end_ns[TT_N_WORK_CLASSES];
  gint64 shown_end_ns[TT_N_WORK_CLASSES]; /* of those that are not left out */
  gint64 busy_end_ns;                     /* of all classes */
  gint64 gap_begin_ns, gap_until_ns;      /* the gap before the intervals that begin at gap_until_ns */
  gint64 gap_idle_ns, gap_launch_ns;
  gint64 idle_told_ns; /* of idle_ns, what the gaps have taken */
  gboolean has_gap;
} TtSweep;

/* @begin_ns: of the stretch. Intervals begin there or later. */
void tt_sweep_begin (TtSweep *self, gint64 begin_ns);
void tt_sweep_add (TtSweep *self, const TtWorkInterval *interval);
/* @end_ns: of the stretch, no interval ends later. Valid until the next begin. */
const TtWorkTimes *tt_sweep_end (TtSweep *self, gint64 end_ns);
