/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/schedule/schedule-private.h"

static void
clear_device (gpointer data)
{
  TtScheduleDevice *device = data;

  g_array_unref (device->ready);
  g_array_unref (device->future);
  g_clear_pointer (&device->locked_out, g_array_unref);
}

TtSchedule *
tt_schedule_new (void)
{
  TtSchedule *self = g_new0 (TtSchedule, 1);

  self->tasks = g_array_new (FALSE, FALSE, sizeof (TtTask));
  self->dependencies = g_array_new (FALSE, FALSE, sizeof (TtScheduleDependency));
  self->first = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->queues = g_array_new (FALSE, FALSE, sizeof (TtScheduleArrivals));
  self->gates = g_array_new (FALSE, FALSE, sizeof (TtScheduleGate));
  self->queue_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->devices = g_array_new (FALSE, TRUE, sizeof (TtScheduleDevice));
  g_array_set_clear_func (self->devices, clear_device);
  self->turns = g_array_new (FALSE, FALSE, sizeof (TtScheduleTurn));
  tt_fair_share_init (&self->flows);
  return self;
}

void
tt_schedule_free (TtSchedule *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tasks);
  g_array_unref (self->dependencies);
  g_array_unref (self->first);
  g_array_unref (self->queues);
  g_array_unref (self->gates);
  g_array_unref (self->queue_of);
  g_array_unref (self->devices);
  g_array_unref (self->turns);
  tt_fair_share_clear (&self->flows);
  g_free (self->states);
  g_free (self);
}

guint32
tt_schedule_add_device (TtSchedule *self, gboolean is_unbounded)
{
  const TtScheduleDevice device = { .ready = g_array_new (FALSE, FALSE, sizeof (TtReadyTask)),
                                    .future = g_array_new (FALSE, FALSE, sizeof (TtReadyTask)),
                                    .is_unbounded = is_unbounded };

  g_array_append_val (self->devices, device);
  return self->devices->len - 1;
}

guint32
tt_schedule_add_task (TtSchedule *self, const TtTask *task)
{
  g_array_append_val (self->tasks, *task);
  return self->tasks->len - 1;
}

void
tt_schedule_add_dependency (TtSchedule *self, guint32 from, guint32 to, gint64 lag_ns, gboolean from_start)
{
  TtScheduleDependency dependency = { .from = from,
                                      .to = to | (from_start ? TT_SCHEDULE_FROM_START : 0),
                                      .lag_ns = lag_ns };

  g_array_append_val (self->dependencies, dependency);
  self->is_sorted = FALSE;
}

void
tt_schedule_add_arrival_queue (TtSchedule *self, const guint32 *from, const guint32 *to, const gint64 *lags_ns, guint n)
{
  const TtScheduleArrivals queue = { .first_gate = self->gates->len, .n_gates = n };
  guint32 number = self->queues->len;

  g_array_append_val (self->queues, queue);
  for (guint i = 0; i < n; i++)
    {
      const TtScheduleGate gate = { to[i], lags_ns[i] };
      guint32 none = TT_SCHEDULE_NO_QUEUE;

      g_array_append_val (self->gates, gate);
      while (self->queue_of->len <= from[i])
        g_array_append_val (self->queue_of, none);
      g_array_index (self->queue_of, guint32, from[i]) = number;
    }
}

guint32
tt_schedule_n_tasks (const TtSchedule *self)
{
  return self->tasks->len;
}

TtTask *
tt_schedule_task (TtSchedule *self, guint32 task)
{
  return &g_array_index (self->tasks, TtTask, task);
}

/* -- what came of it ----------------------------------------------------------------------------------- */

gint64
tt_schedule_start_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].start_ns;
}

gint64
tt_schedule_end_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].end_ns;
}

gint64
tt_schedule_ready_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].ready_ns;
}

guint32
tt_schedule_previous (const TtSchedule *self, guint32 task)
{
  return self->states[task].previous;
}

guint32
tt_schedule_cause (const TtSchedule *self, guint32 task)
{
  return self->states[task].cause;
}

gint64
tt_schedule_makespan_ns (const TtSchedule *self)
{
  return self->makespan_ns;
}
