/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backward passes that run on a thread of their own: where they begin and end, as sync points of the hop `autograd`
 * (waits.h says how they are recognised).
 */
#pragma once

#include "analyzers/devices/work.h"

/* Appends TtSyncPoint to @points. */
void tt_backward_runs_points (const TtDeviceWork *work, GArray *points);
