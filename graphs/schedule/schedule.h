/*
 * TtSchedule: list scheduling: what happens when, if every task runs as soon as its device and its predecessors let it.
 *
 * Devices run one task at a time (unbounded ones any number). What is ready waits at its device in the order (priority, ready time,
 * number; by clock: order of becoming ready). A lock is a group of tasks that has its device for itself from the group's first task until
 * the task that unlocks; tasks of other groups wait in the order in which they came.
 * Tasks and dependencies are added once; tt_schedule_run() may be called again after durations were changed (what-if). Times
 * in ns from 0. All ties are broken by number, so the result is always the same.
 */
#pragma once

#include <glib.h>

#define TT_NO_TASK G_MAXUINT32

typedef enum
{
  TT_SCHEDULE_BY_START, /* next runs the device that can start the earliest: events happen in order of time */
  TT_SCHEDULE_BY_CLOCK, /* next runs the device that is free the earliest, even if its task is ready only later (as dPRO does) */
} TtScheduleOrder;

typedef struct
{
  guint32 device;
  gint32 priority; /* lower runs first */
  guint32 lock;    /* 0: none */
  gboolean unlocks;
  gint64 dur_ns;
  gint64 trailing_gap_ns; /* the device is busy that much longer; successors do not wait for it */
} TtTask;

typedef struct _TtSchedule TtSchedule;

TtSchedule *tt_schedule_new (void);
void tt_schedule_free (TtSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSchedule, tt_schedule_free)

/* Numbers from 0. */
guint32 tt_schedule_add_device (TtSchedule *self, gboolean is_unbounded);
guint32 tt_schedule_add_task (TtSchedule *self, const TtTask *task);
/* @to is ready @lag_ns after the end of @from, or after its start. */
void tt_schedule_add_dependency (TtSchedule *self, guint32 from, guint32 to, gint64 lag_ns, gboolean from_start);

/* One meeting: the k-th of the tasks @from to begin lets the k-th of the tasks @to begin, @lags_ns[k] after its end, whichever
 * it is. A task is in one meeting at most, on one side. */
void tt_schedule_add_meeting (TtSchedule *self, const guint32 *from, const guint32 *to, const gint64 *lags_ns, guint n);

guint32 tt_schedule_n_tasks (const TtSchedule *self);
/* To change before the next run. */
TtTask *tt_schedule_task (TtSchedule *self, guint32 task);

/* FALSE with *stuck set to a task that never became ready: the dependencies have a cycle, or a lock is never opened. */
gboolean tt_schedule_run (TtSchedule *self, TtScheduleOrder order, guint32 *stuck);

/* After a run. */
gint64 tt_schedule_start_ns (const TtSchedule *self, guint32 task);
gint64 tt_schedule_end_ns (const TtSchedule *self, guint32 task);
/* When its predecessors let it start; it starts then or when its device is free. */
gint64 tt_schedule_ready_ns (const TtSchedule *self, guint32 task);
/* The task that ran before it on its device, TT_NO_TASK if none. */
guint32 tt_schedule_previous (const TtSchedule *self, guint32 task);
/* The dependency that made it ready: its predecessor, TT_NO_TASK if it has none. */
guint32 tt_schedule_cause (const TtSchedule *self, guint32 task);
gint64 tt_schedule_makespan_ns (const TtSchedule *self);
