/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepRecording: a recorded run as a graph that can be replayed: every piece of work of every thread and every queue
 * of a device, in the order in which it ran there, what each needed, and how long after that it began.
 *
 * A lane, a thread or a queue, is no more than an order: that a node follows another on its lane is a need as all others.
 * The lags are such that the replay of the recorded times gives the recorded times. A span of the host has as many nodes
 * as it has stretches of its own; where it waits there are two nodes without a length, one that goes to wait and one that
 * wakes. Node 0 is the begin of the recording, at 0.
 */
#pragma once

#include "graphs/schedule/schedule.h"
#include "graphs/step-graph/replay.h"

typedef struct
{
  guint32 from, to;
  gboolean from_start; /* the lag is from the begin of @from, not from its end */
  gint64 lag_ns;
} TtRecordedNeed;

/* A step goes from the begin of @first, the first of a rank, or from the end of the one before it, to the end of
 * @last, a node without a length that needs all that was done in the step. */
typedef struct
{
  guint32 rank;
  guint32 first, last; /* nodes */
} TtRecordedStep;

/* What a collective moves on one rank: the time of its node is that, and where it is alone the wait for ranks that are
 * not in the run, too. */
typedef struct
{
  guint32 node;
  guint32 group;  /* number: of those who share their links */
  guint32 n_hops; /* one after the other, from rank to rank; 0: not known, nor is bytes */
  gboolean is_alone;
  gboolean is_sum;      /* adds up what the ranks give: gradients */
  double bytes;         /* that each link of a ring carries */
  guint32 n_ranks;      /* of the group */
  const char *function; /* "ALLREDUCE"; interned. NULL: not known */
} TtRecordedTransfer;

typedef struct
{
  TtStepGraph *graph;     /* its nodes; it has no edges */
  gint64 *durations_ns;   /* by node, at least 0 */
  guint32 *lanes;         /* by node */
  GPtrArray *lane_names;  /* of char * */
  GArray *needs;          /* of TtRecordedNeed */
  GArray *steps;          /* of TtRecordedStep, by rank, then as they followed each other */
  GArray *transfers;      /* of TtRecordedTransfer */
  GPtrArray *group_ranks; /* of GArray of guint32, by group of transfers: the ranks in it; empty: not known */
  gint64 measured_ns;     /* the iteration as recorded: mean over the ranks with steps */
  TtSchedule *settled;    /* the recorded times, replayed; NULL: not, or somebody has taken it */
} TtStepRecording;

/* What a replay says of the steps. */
typedef struct
{
  gint64 *ranks_ns; /* by rank: mean of its steps */
  gint64 *steps_ns; /* by number of a step in its rank: mean over the ranks that have it */
  guint n_steps;
  gint64 mean_ns;
} TtRecordedIterations;

/* Empty, with a graph of these endpoints; the first @n_ranks are ranks. */
TtStepRecording *tt_step_recording_new (const char *const *pids, guint n_ranks);
void tt_step_recording_free (TtStepRecording *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepRecording, tt_step_recording_free)

/* Needs that cannot hold together, of nodes that began at the same moment, are dropped; how many. Once, at the end. Where none are, what was
 * replayed to find that is kept in `settled`. */
guint tt_step_recording_settle (TtStepRecording *self);

/* Times by node, to be changed: avg_ns alone. Free them. */
TtStepNodeTimes *tt_step_recording_times (const TtStepRecording *self);

/* Task i is node i. @times: by node; NULL: as recorded. */
TtSchedule *tt_step_recording_schedule (const TtStepRecording *self, const TtStepNodeTimes *times);

/* After the schedule has run. */
TtRecordedIterations tt_step_recording_iterations (const TtStepRecording *self, const TtSchedule *schedule);
void tt_recorded_iterations_clear (TtRecordedIterations *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtRecordedIterations, tt_recorded_iterations_clear)
/* The step that took most nearly the mean, of the rank in which it took longest: its last node, and when it began. */
guint32 tt_step_recording_typical (const TtStepRecording *self,
                                   const TtSchedule *schedule,
                                   const TtRecordedIterations *iterations,
                                   gint64 *begin_ns);
