/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSchedule: list scheduling: when each task runs if it starts as soon as its device and its predecessors let it.
 *
 * A device runs one task at a time, an unbounded one any number. Ready tasks wait at their device in the order
 * (priority, ready time, number); by clock: in the order in which they became ready. A lock gives a device to a group
 * of tasks from the group's first task until the task that unlocks; tasks of other groups wait in their order of
 * arrival.
 *
 * A flow is a task that first passes over two ports, which it shares with all that pass them at the time (TtFairShare): its
 * duration is what it takes alone. By start only.
 *
 * Tasks and dependencies are added once; tt_schedule_run() may be called again after durations were changed (what-if).
 * Times are ns from 0. All ties are broken by number, so equal input gives equal results.
 */
#pragma once

#include "graphs/schedule/fair-share.h"

#define TT_NO_TASK G_MAXUINT32

typedef enum
{
  TT_SCHEDULE_BY_START, /* the device that can start the earliest runs next: events happen in time order */
  TT_SCHEDULE_BY_CLOCK, /* the device that is free the earliest runs next, even if its task is ready later (dPRO) */
} TtScheduleOrder;

typedef struct
{
  guint32 device;
  gint32 priority; /* lower runs first */
  guint32 lock;    /* 0: none */
  gboolean unlocks;
  gint64 dur_ns;
  gint64 trailing_gap_ns; /* the device stays busy for so long after the task; successors do not wait for it */
  guint32 ports[2];       /* of a flow, numbers from 1; TT_NO_PORT: of no flow, or not shared there */
  double flow_part;       /* of dur_ns: first of it, what passes over the ports; 0 to 1 */
  gboolean frees_early;   /* the device is free when that has passed; the rest is latency */
} TtTask;

typedef struct _TtSchedule TtSchedule;

TtSchedule *tt_schedule_new (void);
void tt_schedule_free (TtSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSchedule, tt_schedule_free)

/* Numbers from 0; ports need none to be added. */
guint32 tt_schedule_add_device (TtSchedule *self, gboolean is_unbounded);
guint32 tt_schedule_add_task (TtSchedule *self, const TtTask *task);
/* @to is ready @lag_ns after the end of @from, or after its start. */
void tt_schedule_add_dependency (TtSchedule *self, guint32 from, guint32 to, gint64 lag_ns, gboolean from_start);

/* An arrival queue: the k-th of the tasks @from to end opens the k-th gate: @to[k] is ready @lags_ns[k] after it,
 * whichever task it was. A task is in one queue at most, on one side. */
void tt_schedule_add_arrival_queue (TtSchedule *self,
                                    const guint32 *from,
                                    const guint32 *to,
                                    const gint64 *lags_ns,
                                    guint n);

guint32 tt_schedule_n_tasks (const TtSchedule *self);
/* Changes count from the next run on. */
TtTask *tt_schedule_task (TtSchedule *self, guint32 task);

/* FALSE with *stuck set to a task that never became ready: the dependencies have a cycle, or a lock is never
 * released. */
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
