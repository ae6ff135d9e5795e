/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory a call of the program means now: its own arguments and images say it, not the recording.
 */
#pragma once

#include "formats/pi/replayer/thread.h"
#include "formats/pi/rows.h"

TtPiGiven tt_replay_given (const TtReplayCall *call);
/* Bytes that parameter @param of the call points to. */
uint64_t tt_replay_bytes (const TtReplayCall *call, int param);
/* Remembers the format of an image that the call has made. */
void tt_replay_image_made (const TtReplayCall *call);
