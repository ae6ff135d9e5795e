/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/recording.h"

#include "graphs/graph.h"

TtStepRecording *
tt_step_recording_new (const char *const *pids, guint n_ranks)
{
  TtStepRecording *self = g_new0 (TtStepRecording, 1);
  TtStepPlan plan = { .n_ranks = n_ranks, .n_endpoints = g_strv_length ((char **) pids), .pids = pids };

  self->graph = tt_step_graph_new (&plan);
  g_array_set_size (self->graph->nodes, 0);
  g_array_set_size (self->graph->edges, 0);
  self->lane_names = g_ptr_array_new_with_free_func (g_free);
  self->needs = g_array_new (FALSE, FALSE, sizeof (TtRecordedNeed));
  self->steps = g_array_new (FALSE, FALSE, sizeof (TtRecordedStep));
  self->transfers = g_array_new (FALSE, FALSE, sizeof (TtRecordedTransfer));
  self->group_ranks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return self;
}

void
tt_step_recording_free (TtStepRecording *self)
{
  if (self == NULL)
    return;
  tt_step_graph_free (self->graph);
  g_free (self->durations_ns);
  g_free (self->lanes);
  g_ptr_array_unref (self->lane_names);
  g_array_unref (self->needs);
  g_array_unref (self->steps);
  g_array_unref (self->transfers);
  g_ptr_array_unref (self->group_ranks);
  g_clear_pointer (&self->settled, tt_schedule_free);
  g_free (self);
}

TtStepNodeTimes *
tt_step_recording_times (const TtStepRecording *self)
{
  TtStepNodeTimes *times = g_new0 (TtStepNodeTimes, (gsize) self->graph->nodes->len + 1);

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    times[i].avg_ns = self->durations_ns[i];
  return times;
}

/* -- replay -------------------------------------------------------------------------------------------------------- */

TtSchedule *
tt_step_recording_schedule (const TtStepRecording *self, const TtStepNodeTimes *times)
{
  TtSchedule *schedule = tt_schedule_new ();

  for (guint i = 0; i < self->lane_names->len; i++)
    tt_schedule_add_device (schedule, TRUE);
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtTask task = { .device = self->lanes[i],
                            .dur_ns = times == NULL ? self->durations_ns[i] : MAX (times[i].avg_ns, 0) };
      tt_schedule_add_task (schedule, &task);
    }
  for (guint i = 0; i < self->needs->len; i++)
    {
      const TtRecordedNeed *need = &g_array_index (self->needs, TtRecordedNeed, i);
      tt_schedule_add_dependency (schedule, need->from, need->to, need->lag_ns, need->from_start);
    }
  return schedule;
}

guint
tt_step_recording_settle (TtStepRecording *self)
{
  g_autoptr (TtSchedule) schedule = tt_step_recording_schedule (self, NULL);
  guint32 stuck;
  guint n_kept = 0, n_all = self->needs->len;

  if (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck))
    {
      self->settled = g_steal_pointer (&schedule);
      return 0;
    }
  /* All needs lead to what began later, or at the same moment: of these only the latter can form a circle. */
  for (guint i = 0; i < n_all; i++)
    {
      const TtRecordedNeed need = g_array_index (self->needs, TtRecordedNeed, i);
      if (need.from < need.to || need.lag_ns > 0 || (!need.from_start && self->durations_ns[need.from] > 0))
        g_array_index (self->needs, TtRecordedNeed, n_kept++) = need;
    }
  g_array_set_size (self->needs, n_kept);
  return n_all - n_kept;
}

/* -- steps ----------------------------------------------------------------------------------------------------------- */

static const TtRecordedStep *
step_at (const TtStepRecording *self, guint i)
{
  return &g_array_index (self->steps, TtRecordedStep, i);
}

static gint64
step_begin_ns (const TtStepRecording *self, const TtSchedule *schedule, guint i)
{
  gboolean is_first = i == 0 || step_at (self, i - 1)->rank != step_at (self, i)->rank;

  return is_first ? tt_schedule_start_ns (schedule, step_at (self, i)->first)
                  : tt_schedule_end_ns (schedule, step_at (self, i - 1)->last);
}

static gint64
step_length_ns (const TtStepRecording *self, const TtSchedule *schedule, guint i)
{
  return MAX (tt_schedule_end_ns (schedule, step_at (self, i)->last) - step_begin_ns (self, schedule, i), 0);
}

TtRecordedIterations
tt_step_recording_iterations (const TtStepRecording *self, const TtSchedule *schedule)
{
  TtRecordedIterations result = { .ranks_ns = g_new0 (gint64, MAX (self->graph->n_ranks, 1)) };
  g_autofree tt_int128 *sums = g_new0 (tt_int128, self->steps->len + 1);
  g_autofree guint *counts = g_new0 (guint, self->steps->len + 1);
  tt_int128 all = 0;
  guint n_ranks = 0;

  for (guint first = 0, next; first < self->steps->len; first = next)
    {
      guint32 rank = step_at (self, first)->rank;
      tt_int128 sum = 0;
      for (next = first; next < self->steps->len && step_at (self, next)->rank == rank; next++)
        {
          gint64 length_ns = step_length_ns (self, schedule, next);
          sum += length_ns;
          sums[next - first] += length_ns;
          counts[next - first]++;
        }
      result.n_steps = MAX (result.n_steps, next - first);
      result.ranks_ns[rank] = tt_average_ns (sum, next - first);
      all += result.ranks_ns[rank];
      n_ranks++;
    }
  result.mean_ns = tt_average_ns (all, n_ranks);
  result.steps_ns = g_new0 (gint64, result.n_steps + 1);
  for (guint i = 0; i < result.n_steps; i++)
    result.steps_ns[i] = tt_average_ns (sums[i], counts[i]);
  return result;
}

void
tt_recorded_iterations_clear (TtRecordedIterations *self)
{
  g_clear_pointer (&self->ranks_ns, g_free);
  g_clear_pointer (&self->steps_ns, g_free);
}

guint32
tt_step_recording_typical (const TtStepRecording *self,
                           const TtSchedule *schedule,
                           const TtRecordedIterations *iterations,
                           gint64 *begin_ns)
{
  guint nearest = 0, best = 0;
  gint64 longest_ns = -1;

  for (guint i = 1; i < iterations->n_steps; i++)
    if (ABS (iterations->steps_ns[i] - iterations->mean_ns) < ABS (iterations->steps_ns[nearest] - iterations->mean_ns))
      nearest = i;
  for (guint i = 0, number = 0; i < self->steps->len; i++, number++)
    {
      if (i > 0 && step_at (self, i)->rank != step_at (self, i - 1)->rank)
        number = 0;
      if (number == nearest && step_length_ns (self, schedule, i) > longest_ns)
        {
          longest_ns = step_length_ns (self, schedule, i);
          best = i;
        }
    }
  *begin_ns = step_begin_ns (self, schedule, best);
  return step_at (self, best)->last;
}
