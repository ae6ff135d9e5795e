/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the arguments of a call with those recorded.
 */
#pragma once

#include "formats/pi/replayer/thread.h"

#include <stdio.h>

/* Whether the arguments are those recorded, without the contents of memory. */
bool tt_replay_is_same (const TtReplayCall *call);
/* Reports the differences; returns their number. */
unsigned tt_replay_compare (const TtReplayCall *call);
/* The recorded call and its arguments as text. */
void tt_replay_describe (FILE *out, const TtReplayCall *call);
