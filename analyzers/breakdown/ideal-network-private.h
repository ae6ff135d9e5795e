/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ideal-network.c and network-deal.c share.
 */
#pragma once

#include "analyzers/breakdown/ideal-network.h"

/* What threads do at one moment of a thread: give something to a gathering, or go on when it is complete. At one moment
 * what ends comes before what begins, but for that which has no length. */
typedef enum
{
  LEAVE,
  ENTER,
  LEAVE_AT_ONCE,
} PointKind;

typedef struct
{
  gint64 at_ns;
  guint32 gathering;
  guint32 kind;
} Point;

/* A point before they are in order, with its thread. */
typedef struct
{
  gint64 at_ns;
  guint32 gathering;
  guint32 thread_kind; /* thread << KIND_BITS | kind */
} Heard;

/* In which order they are taken: at one moment it is the order of what a thread does. */
typedef enum
{
  OF_MESSAGES,
  OF_CALLS,
  OF_WAITS,
  N_HEARD
} HeardOf;

#define KIND_BITS 2
#define MAX_THREAD (G_MAXUINT32 >> KIND_BITS)

/* Complete when as many have entered as there are to enter. */
typedef struct
{
  gint64 ideal_ns; /* of the last so far */
  guint32 n_missing;
  guint32 sleeper; /* thread + 1 that waits for it; 0: none */
} Gathering;

typedef struct
{
  guint next, end;  /* points that are not done */
  guint unmeasured; /* end of the points whose work_ns is not known */
  gint64 work_ns;   /* after the last point that is done, or so far */
  gint64 ideal_ns;  /* of that point */
  guint32 sleeper;  /* next that waits for the same; thread + 1 */
  gboolean is_asleep;
} Actor;

struct _TtIdealNetwork
{
  TtStore *store;
  gint64 begin_ns, end_ns;
  GArray
      *heard[N_HEARD]; /* of Heard, as it came; own ones that were dealt: of DealtPoint; NULL once there are points */
  GArray *n_missing;   /* of guint32: by gathering */
  GArray *waiters;     /* of guint32: thread, of the last gatherings, those of waits */
  guint n_points;
  Point *points;   /* by thread, then time */
  gint64 *work_ns; /* by point: of the thread after it */
  Gathering *gatherings;
  Actor *actors; /* by thread */
  guint32 max_thread;
  GArray *runnable; /* of guint32: threads */
};

/* After the last stretch of work. */
void tt_ideal_network_measure_rest (TtIdealNetwork *self);
