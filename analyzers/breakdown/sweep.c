/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/sweep.h"

#include <string.h>

#include "src/trace/event.h"

void
tt_sweep_begin (TtSweep *self, gint64 begin_ns)
{
  memset (self, 0, sizeof *self);
  self->at_ns = self->busy_end_ns = begin_ns;
  for (guint work = 0; work < TT_N_WORK_CLASSES; work++)
    self->end_ns[work] = self->shown_end_ns[work] = begin_ns;
}

/* No interval begins between at_ns and @to_ns: each class runs from at_ns to its last end. */
static void
advance (TtSweep *self, gint64 to_ns)
{
  gint64 covered_ns = self->at_ns;

  if (to_ns <= self->at_ns)
    return;
  for (guint work = 0; work < TT_N_WORK_CLASSES; work++)
    {
      gint64 end_ns = MIN (self->end_ns[work], to_ns);

      if (end_ns <= covered_ns)
        continue;
      gint64 shown_ns = CLAMP (self->shown_end_ns[work], covered_ns, end_ns) - covered_ns;
      self->times.ns[work] += shown_ns;
      self->times.left_out_ns += end_ns - covered_ns - shown_ns;
      covered_ns = end_ns;
    }
  self->times.idle_ns += to_ns - covered_ns;
  self->at_ns = to_ns;
}

static TtIdleCause
cause_of_gap (const TtSweep *self)
{
  if (self->gap_launch_ns == TT_NO_TIME)
    return TT_IDLE_UNKNOWN;
  if (self->gap_launch_ns > self->gap_begin_ns)
    return TT_IDLE_HOST_WAIT;
  return self->gap_until_ns - self->gap_begin_ns < TT_KERNEL_GAP_NS ? TT_IDLE_KERNEL_WAIT : TT_IDLE_OTHER_WAIT;
}

static void
tell_gap (TtSweep *self)
{
  if (self->has_gap)
    self->times.idle[cause_of_gap (self)] += self->gap_idle_ns;
  self->has_gap = FALSE;
}

/* An interval of work begins where the sweep has come to. */
static void
judge_gap (TtSweep *self, const TtWorkInterval *interval)
{
  gint64 begin_ns = interval->begin_ns, launch_ns = interval->launch_ns;

  if (self->has_gap && begin_ns == self->gap_until_ns)
    {
      if (launch_ns != TT_NO_TIME && (self->gap_launch_ns == TT_NO_TIME || launch_ns < self->gap_launch_ns))
        self->gap_launch_ns = launch_ns;
      return;
    }
  tell_gap (self);
  if (begin_ns <= self->busy_end_ns)
    return;
  self->has_gap = TRUE;
  self->gap_begin_ns = self->busy_end_ns;
  self->gap_until_ns = begin_ns;
  self->gap_launch_ns = launch_ns;
  self->gap_idle_ns = self->times.idle_ns - self->idle_told_ns;
  self->idle_told_ns = self->times.idle_ns;
}

void
tt_sweep_add (TtSweep *self, const TtWorkInterval *interval)
{
  TtWorkClass work = interval->work;
  gint64 begin_ns = MAX (interval->begin_ns, self->at_ns), end_ns = interval->end_ns;

  advance (self, begin_ns);
  judge_gap (self, interval);
  self->busy_end_ns = MAX (self->busy_end_ns, end_ns);
  self->end_ns[work] = MAX (self->end_ns[work], end_ns);
  if (interval->is_left_out)
    return;
  self->times.has_any = TRUE;
  if (end_ns <= self->shown_end_ns[work])
    return;
  self->times.all_ns[work] += end_ns - MAX (begin_ns, self->shown_end_ns[work]);
  self->shown_end_ns[work] = end_ns;
}

const TtWorkTimes *
tt_sweep_end (TtSweep *self, gint64 end_ns)
{
  advance (self, end_ns);
  tell_gap (self);
  return &self->times;
}
