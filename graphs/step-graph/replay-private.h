/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constraints of a replay beyond the graph's edges: dependencies and tasks that are added to its schedule. Used by
 * replay.c only. @device: an unbounded one, for the added tasks.
 */
#pragma once

#include "graphs/step-graph/replay.h"

/* A thread of a server takes what it is asked for in turn: work on a part, and with the last push to copy the sum, is asked for as pushes
 * arrive, so that it need not wait for the work before it to get its turn. */
gboolean tt_step_edge_is_queued (const TtStepGraph *graph, const TtStepEdge *edge);
/* The next loop of a lane starts when the lane has received the last chunk of the loop before. */
void tt_step_order_loops (const TtStepGraph *graph, TtSchedule *schedule);
/* Pieces of a loop are sent in an order that the program fixed: a late piece delays those after it. */
void tt_step_order_sends (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule);
/* Each channel and direction of a rank has an own lane for sending; receiving delays nothing. */
void tt_step_part_channels (const TtStepGraph *graph, TtSchedule *schedule, guint32 device);
/* A rank takes part in the next group only after the one before: no group starts anywhere before the group before
 * it has ended everywhere. */
void
tt_step_order_groups (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device);
/* Adds a task a rank, between the ends of groups and the updates. */
void
tt_step_hold_updates (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device);
/* Adds a task a rank, between BW and the negotiation of groups. */
void tt_step_hold_groups (const TtStepGraph *graph, TtSchedule *schedule, guint32 device);
/* Adds a task a group that is one operation a rank: no rank begins it before all have come. */
void tt_step_join_collectives (const TtStepGraph *graph, TtSchedule *schedule, guint32 device);
/* Adds a task for each node that may not begin at 0. */
void tt_step_hold_begins (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device);
/* Adds a task for each PUSH_REQ that arrives: it enters the arrival queue. */
void tt_step_add_arrivals (const TtStepGraph *graph,
                           const TtStepNodeTimes *times,
                           TtSchedule *schedule,
                           const TtStepReplayOptions *options,
                           guint32 device);
