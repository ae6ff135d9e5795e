/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/thread-times.h"

gboolean
tt_thread_times_add (TtThreadTimes *self, const TtWorkInterval *interval)
{
  gint64 length_ns = interval->end_ns - interval->begin_ns;

  if (self->has_any && interval->end_ns > self->begin_ns)
    return FALSE;
  if (!self->has_any)
    self->end_ns = interval->end_ns;
  self->begin_ns = interval->begin_ns;
  self->has_any = TRUE;
  if (interval->is_left_out)
    {
      self->times.left_out_ns += length_ns;
      return TRUE;
    }
  self->times.has_any = TRUE;
  self->times.ns[interval->work] += length_ns;
  self->times.all_ns[interval->work] += length_ns;
  return TRUE;
}

void
tt_thread_times_finish (TtThreadTimes *self)
{
  gint64 idle_ns = self->end_ns - self->begin_ns - self->times.left_out_ns;

  for (guint work = 0; work < TT_N_WORK_CLASSES; work++)
    idle_ns -= self->times.ns[work];
  self->times.idle_ns = self->times.idle[TT_IDLE_UNKNOWN] = idle_ns;
}
