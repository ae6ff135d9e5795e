/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/breakdown-rows.h"

#include "analyzers/breakdown/sweep.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"

typedef struct
{
  TtBreakdown *breakdown;
  TtSweep sweep;
  guint64 lane; /* without its last bit */
  gint64 begin_ns, end_ns;
  gboolean is_open, is_rank; /* is_rank: the lane of a whole rank, in a table by step */
} Reader;

static void
end_lane (Reader *self)
{
  TtBreakdown *breakdown = self->breakdown;

  if (!self->is_open)
    return;
  self->is_open = FALSE;
  const TtWorkTimes *times = tt_sweep_end (&self->sweep, self->end_ns);
  if (self->is_rank || (breakdown->is_filtered && !times->has_any))
    return;

  const TtRowPlace *place = &g_array_index (breakdown->places, TtRowPlace, self->lane >> 33);
  TtBreakdownRow row = {
    .place = (guint) (self->lane >> 33),
    .process = place->process,
    .thread = place->thread,
    .step = (gint32) ((guint32) (self->lane >> 1 & G_MAXUINT32) - 1),
    .is_device = place->is_device,
    .begin_ns = self->begin_ns,
    .end_ns = self->end_ns,
    .times = *times,
  };
  if (row.step >= 0)
    {
      row.other_ns = tt_busy_time_between (breakdown->busy, row.begin_ns, row.end_ns);
      for (guint work = 0; work < TT_N_WORK_CLASSES; work++)
        row.other_ns -= row.times.ns[work];
      row.other_ns -= row.times.left_out_ns;
      row.times.idle_ns -= row.other_ns;
    }
  g_array_append_val (breakdown->rows, row);
}

static void
begin_lane (Reader *self, const TtBreakdownRecord *record)
{
  TtBreakdown *breakdown = self->breakdown;

  self->lane = record->lane & ~(guint64) 1;
  self->begin_ns = self->end_ns = tt_sort_value (record->ts_key);
  self->is_rank = breakdown->rows_are == TT_BREAKDOWN_STEP && (self->lane >> 1 & G_MAXUINT32) == 0;
  self->is_open = TRUE;
  if (self->is_rank)
    tt_busy_time_clear (breakdown->busy);
  tt_sweep_begin (&self->sweep, self->begin_ns);
}

gint64
tt_breakdown_launch_ns (const TtBreakdown *self, const TtBreakdownRecord *record)
{
  if (record->launch >= TT_HEARD_LAUNCHES)
    return g_array_index (self->heard, gint64, record->launch - TT_HEARD_LAUNCHES);
  const TtLaunch *launch = tt_launches_get (self->launches, record->launch);
  return launch == NULL ? TT_NO_TIME : launch->begin_ns;
}

static void
read_record (Reader *self, const TtBreakdownRecord *record)
{
  TtBreakdown *breakdown = self->breakdown;
  const TtWorkInterval interval = {
    .begin_ns = tt_sort_value (record->ts_key),
    .end_ns = record->end_ns,
    .launch_ns = tt_breakdown_launch_ns (breakdown, record),
    .work = (TtWorkClass) record->work,
    .is_left_out = record->is_left_out,
  };

  if ((record->lane & ~(guint64) 1) != self->lane)
    end_lane (self);
  if (!self->is_open)
    begin_lane (self, record);
  self->end_ns = MAX (self->end_ns, interval.end_ns);
  if (interval.work == TT_WORK_NONE)
    return;
  tt_sweep_add (&self->sweep, &interval);
  if (self->is_rank)
    tt_busy_time_add (breakdown->busy, interval.begin_ns, interval.end_ns);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtBreakdownRow *) a)->place, ((const TtBreakdownRow *) b)->place);
}

static void
add_threads_alone (TtBreakdown *self)
{
  if (self->alone == NULL)
    return;
  for (guint i = 0; i < self->places->len; i++)
    {
      const TtRowPlace *place = &g_array_index (self->places, TtRowPlace, i);
      TtThreadTimes *times = &self->alone[i];

      if (!times->has_any || (self->is_filtered && !times->times.has_any))
        continue;
      tt_thread_times_finish (times);
      const TtBreakdownRow row = { .place = i,
                                   .process = place->process,
                                   .thread = place->thread,
                                   .step = TT_NO_STEP,
                                   .begin_ns = times->begin_ns,
                                   .end_ns = times->end_ns,
                                   .times = times->times };
      g_array_append_val (self->rows, row);
    }
  g_array_sort (self->rows, compare_rows);
}

gboolean
tt_breakdown_make_rows (TtBreakdown *self, GError **error)
{
  Reader reader = { .breakdown = self };
  const TtBreakdownRecord *record;
  GError *failure = NULL;

  if (!tt_sorter_finish (self->records, error))
    return FALSE;
  while ((record = tt_sorter_next (self->records, &failure)) != NULL)
    read_record (&reader, record);
  end_lane (&reader);
  add_threads_alone (self);
  if (failure == NULL)
    return tt_busy_time_check (self->busy, error);
  g_propagate_error (error, failure);
  return FALSE;
}
