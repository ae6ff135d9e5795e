/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what a recorded call returned to where the program expects it now.
 */
#pragma once

#include "formats/pi/replayer/thread.h"

void tt_replay_answer (const TtReplayCall *call);
