/*
 * What a replay keeps to beyond the graph's edges: dependencies and tasks that are added to its schedule. Used by
 * graphs/job-replay*.c only.
 */
#pragma once

#include "graphs/step-graph/replay.h"

/* A lane's next loop begins when it has received the last chunk of the one before. */
void tt_step_order_loops (const TtStepGraph *graph, TtSchedule *schedule);
/* Pieces of a loop are sent in an order that the program fixed: one that is late holds up those behind it. */
void tt_step_order_sends (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule);
/* Each channel and way of a rank has a lane of its own for sending; receiving holds up nothing. @device: an unbounded one. */
void tt_step_part_channels (const TtStepGraph *graph, TtSchedule *schedule, guint32 device);
/* A rank takes part in the next group only when it is done with the one before: no group begins anywhere before
 * the one before it is out everywhere. @device: an unbounded one. */
void tt_step_order_groups (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device);
/* A task a rank, between what ends groups and the updates. */
void tt_step_hold_updates (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device);
/* A task for each PUSH_REQ that arrives: these begin in the order of time. */
void tt_step_add_arrivals (const TtStepGraph *graph,
                          const TtStepNodeTimes *times,
                          TtSchedule *schedule,
                          const TtStepReplayOptions *options,
                          guint32 device);
