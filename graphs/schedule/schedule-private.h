/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside a TtSchedule: tasks and devices (schedule.c), and their run (schedule-run.c).
 */
#pragma once

#include "graphs/schedule/schedule.h"

typedef struct
{
  guint32 from, to;
  gint64 lag_ns;
} TtScheduleDependency;

#define TT_SCHEDULE_FROM_START (1u << 31) /* of `to` */

/* FIFO: arrivals pass in time order; the k-th arrival opens the k-th gate. */
typedef struct
{
  guint32 first_gate, n_gates;
  guint32 n_arrived;
} TtScheduleArrivals;

typedef struct
{
  guint32 to;
  gint64 lag_ns;
} TtScheduleGate;

/* A task that waits at its device. */
typedef struct
{
  gint32 priority;
  guint32 task;
  gint64 ready_ns;
  guint64 order;
} TtReadyTask;

typedef struct
{
  GArray *ready;      /* of TtReadyTask, a heap by priority: may run as soon as the device is free */
  GArray *future;     /* of TtReadyTask, a heap by time: ready only later; not used by the rule of clocks */
  GArray *locked_out; /* of TtReadyTask: held back by the lock of another group; NULL: none */
  gint64 clock_ns;    /* the device is free from then on */
  guint32 last, lock;
  guint32 version; /* of its turn */
  gboolean is_unbounded;
  gboolean is_passing; /* a flow of it passes its ports: when that ends is not known yet */
} TtScheduleDevice;

/* The turn of the ports among those of devices. */
#define TT_SCHEDULE_PORTS G_MAXUINT32

typedef struct
{
  gint64 key_ns;
  guint32 device, version;
} TtScheduleTurn;

typedef struct
{
  gint64 start_ns, end_ns, ready_ns;
  guint32 n_missing, previous, cause;
  gboolean is_done;
} TtScheduleState;

#define TT_SCHEDULE_NO_QUEUE G_MAXUINT32

struct _TtSchedule
{
  GArray *tasks;         /* of TtTask */
  GArray *dependencies;  /* of TtScheduleDependency; by `from` once is_sorted */
  GArray *first;         /* of guint32: index of each task's first dependency */
  GArray *queues;        /* of TtScheduleArrivals */
  GArray *gates;         /* of TtScheduleGate */
  GArray *queue_of;      /* of guint32, by task, as far as there are any: its arrival queue, or TT_SCHEDULE_NO_QUEUE */
  GArray *devices;       /* of TtScheduleDevice */
  GArray *turns;         /* of TtScheduleTurn: a heap */
  TtFairShare flows;     /* that pass their ports; by task */
  guint32 flows_version; /* of the ports' turn */
  TtScheduleState *states;
  guint64 order;
  TtScheduleOrder rule;
  gint64 makespan_ns;
  gboolean is_sorted;
};
