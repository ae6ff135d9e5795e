/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators and clocks at once, where times alone tell neither.
 *
 * A program splits its ranks in a few ways: into rows, into rows and columns. Each way, and each two of them, is supposed in
 * turn. Clocks are moved until nobody leaves a call before all have come and they leave as close together as they can, from
 * many beginnings; what then explains the calls best is compared with what another way explains.
 */
#pragma once

#include "analyzers/communicators/inference.h"

/* @calls: by the times from which clocks are moved; they are moved then. *@found: zeroed; left so where two ways explain the
 * calls nearly as well, or there are too many calls to try them all. */
void tt_joint_infer (TtInference *found, TtRankCalls *calls);
