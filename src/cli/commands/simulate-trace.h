/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated schedule as a Chrome trace.
 */
#pragma once

#include "graphs/step-graph/replay.h"
#include "src/base/output.h"

/* One X event a node that takes time, from ts 0; a process a rank, a thread a device; args.name is the long name. */
void tt_simulate_write_trace (const TtStepGraph *graph,
                              TtSchedule *schedule,
                              const TtStepReplayOptions *options,
                              TtOutput *out);
