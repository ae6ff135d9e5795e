/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a job replayed on its devices: a schedule of the nodes of a TtStepGraph.
 *
 * Each rank has a device for operators, one for I/O, one for Sync, one for the communication kernel's own operations
 * (QUEUE, MEMCPY_IN ..., held by one group of tensors at a time until its MEMCPY_OUT), and lanes for SEND and RECV. A
 * link between a worker and a parameter server is a device, each way, and so is a thread of a server. What passes over
 * links may share ports (NICs) with what passes over others at the time.
 */
#pragma once

#include "graphs/schedule/schedule.h"
#include "graphs/step-graph/step-graph.h"

/* Not known; equal to TT_NO_TIME of events. */
#define TT_STEP_NO_TIME G_MININT64

/* As of TtTask. */
typedef struct
{
  guint32 ports[2];
  double part;
  gboolean frees_early;
} TtStepFlow;

/* How long a node takes, and the gaps after it. All ns. */
typedef struct
{
  gint64 avg_ns; /* of a flow, alone on its ports */
  TtStepFlow flow;
  gint64 operator_gap_ns; /* operatorGAPoperator: until the next operator of the rank */
  gint64 server_wait_ns;  /* the part of operator_gap_ns that waits for parameter servers: no gap in our own model */
  gint64 comm_gap_ns;     /* operatorGAPComm: until communication that waits for it */
  /* Of communication in the typical step; TT_STEP_NO_TIME: not observed there. */
  gint64 observed_begin_ns, observed_end_ns;
  gint64 after_send_ns;  /* of a RECV: how long it goes on after its SEND has ended */
  gint64 latency_ns;     /* of a Sync: from the last rank's arrival until the group starts */
  gint64 turnaround_ns;  /* of a group's last: until the rank may start the next group */
  gint64 start_delay_ns; /* ready-to-start delay (of what waits for communication, and of communication itself) */
  gint64 earliest_ns;    /* of a node that waits for nothing: when its rank begins the step */
  gint64 link_gap_ns;    /* CommGAPComm: until the next transfer of its link */
  gint64 network_gap_ns; /* INTERNODEGAP: until the transfer that answers it */
  gint64 update_gap_ns;  /* of a group's last, or PULL_RES: until updates that wait for all groups */
} TtStepNodeTimes;

typedef struct
{
  TtScheduleOrder order;
  gboolean shared_lanes;   /* SEND and RECV of a rank share one device, as in dPRO; else each has its own */
  gboolean recv_with_send; /* RECV may start when its SEND starts; else when it ends */
  gboolean group_gaps;     /* latency, turnaround and update gap; else operatorGAPComm, as in dPRO */
  /* Pieces of a group that a rank was observed to send one by one are sent one by one, in the observed order. */
  gboolean traced_order;
  /* Where no order was observed: a rank sends on all channels at once, on a tree also up and down. */
  gboolean channel_lanes;
  gboolean updates_wait;     /* no update starts before all of its rank's groups have ended */
  gboolean groups_wait;      /* no group is negotiated before all of its rank's BW have ended */
  gboolean parallel_updates; /* updates do not wait for each other's device */
} TtStepReplayOptions;

/* Our own model; the times are those after tt_step_times_after_send(). */
TtStepReplayOptions tt_step_replay_options_default (gboolean updates_wait);

/* Task i is node i; further tasks stand for no node. @times: one a node. */
TtSchedule *
tt_step_schedule_new (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtStepReplayOptions *options);

/* Sets durations and gaps after operators for the next run; delays between tasks (latencies, lags) stay. */
void tt_step_schedule_update (const TtStepGraph *graph,
                              TtSchedule *schedule,
                              const TtStepNodeTimes *times,
                              const TtStepReplayOptions *options);

/* RECVs take only the time after their SEND has ended. */
void tt_step_times_after_send (const TtStepGraph *graph, TtStepNodeTimes *times);

/*
 * After the schedule has run: each rank's iteration (an array of graph->n_ranks; free it) and their mean, rounded: from
 * its first operator's start to its last operator's end; by the rule of clocks, and for ranks without operators, from 0
 * to the end of its last node.
 */
gint64 *tt_step_rank_iterations (const TtStepGraph *graph,
                                 const TtSchedule *schedule,
                                 const TtStepReplayOptions *options,
                                 gint64 *mean_ns);

/* Name of the device that a node runs on: "host0.rank0->Comm~>Kernel". Free it. */
char *tt_step_device_name (const TtStepGraph *graph, guint32 node, const TtStepReplayOptions *options);
