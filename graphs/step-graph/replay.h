/*
 * One step of a job played through on its devices: a schedule for the nodes of a TtStepGraph.
 *
 * Each rank has a device for operators, one for I/O, one for Sync, one for the communication kernel's own operations
 * (QUEUE, MEMCPY_IN ..., held by one group of tensors at a time until its MEMCPY_OUT), and lanes for SEND and RECV. A link
 * between a worker and a parameter server is a device, each way, and so is a thread of a server.
 */
#pragma once

#include "graphs/step-graph/step-graph.h"
#include "graphs/schedule/schedule.h"
#include "src/trace/event.h"

/* How long a node takes, and the gaps behind it. All ns. */
typedef struct
{
  gint64 avg_ns;
  gint64 operator_gap_ns; /* operatorGAPoperator: until the next operator of the rank */
  gint64 waiting_ns;      /* of operator_gap_ns what was waiting for parameter servers: no gap in our own model */
  gint64 comm_gap_ns;     /* operatorGAPComm: until communication that waits for it */
  gint64 observed_begin_ns, observed_end_ns; /* of communication in the typical step; TT_NO_TIME: not seen there */
  gint64 after_send_ns;              /* of a RECV: how long it goes on when its SEND has ended */
  gint64 latency_ns;                 /* of a Sync: from everybody's arrival until the group begins */
  gint64 turnaround_ns;              /* of a group's last: until the rank may begin the next group */
  gint64 start_delay_ns;        /* of what passes between workers and servers, and updates behind it: from when it can
                                        begin until it does */
  gint64 link_gap_ns;    /* CommGAPComm: until the next transfer of its link */
  gint64 network_gap_ns; /* INTERNODEGAP: until the transfer that answers it */
  gint64 update_gap_ns;  /* of a group's last, or PULL_RES: until updates that wait for all groups */
} TtStepNodeTimes;

typedef struct
{
  TtScheduleOrder order;
  gboolean shared_lanes;   /* SEND and RECV of a rank share one device, as in dPRO; else each has its own */
  gboolean recv_with_send; /* RECV may begin when its SEND begins; else when it ends */
  gboolean group_gaps;     /* latency, turnaround and update gap; else operatorGAPComm, as in dPRO */
  gboolean
      traced_order; /* of a group a rank sends its pieces one by one in the order they were seen in, if they were seen one by one */
  gboolean
      channel_lanes;     /* where no order was seen: a rank sends on all channels at once, on a tree also up and down */
  gboolean updates_wait; /* no update begins before all of its rank's groups are out */
  gboolean parallel_updates; /* updates do not wait for each other's device */
} TtStepReplayOptions;

/* Our own model, after tt_step_times_after_send(). */
TtStepReplayOptions tt_step_replay_options_default (gboolean updates_wait);

/* Task i is node i; behind them are tasks of no node. @times: one a node. */
TtSchedule *tt_step_schedule_new (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtStepReplayOptions *options);

/* Other durations and gaps behind operators for the next run; what lies between tasks (latencies, lags) stays. */
void tt_step_schedule_update (const TtStepGraph *graph,
                             TtSchedule *schedule,
                             const TtStepNodeTimes *times,
                             const TtStepReplayOptions *options);

/* RECVs take only what they do when their SEND has ended. */
void tt_step_times_after_send (const TtStepGraph *graph, TtStepNodeTimes *times);

/* After the schedule has run: the end of each rank's last node (an array of graph->n_ranks; free it), and their mean, rounded. */
gint64 *tt_step_rank_ends (const TtStepGraph *graph, const TtSchedule *schedule, gint64 *mean_ns);
/* The same from the begin of each rank's first operator to the end of its last, as iterations are measured; by the rule
 * of clocks, and of ranks without operators, from 0 to the end of the last node. */
gint64 *tt_step_rank_iterations (const TtStepGraph *graph,
                                const TtSchedule *schedule,
                                const TtStepReplayOptions *options,
                                gint64 *mean_ns);

/* Name of the device that a node runs on: "host0.rank0->Comm~>Kernel". Free it. */
char *tt_step_device_name (const TtStepGraph *graph, guint32 node, const TtStepReplayOptions *options);
