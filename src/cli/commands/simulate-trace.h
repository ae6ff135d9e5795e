/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated schedule as a Chrome trace.
 */
#pragma once

#include "analyzers/training-job/simulation.h"
#include "src/base/output.h"

/* One X event a node that takes time, from ts 0; a process a rank, a thread a device or, of a recording,
 * a thread or queue; args.name is the long name. */
void tt_simulate_write_trace (const TtSimulation *self, TtOutput *out);
