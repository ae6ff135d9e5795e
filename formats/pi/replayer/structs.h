/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares structures of UR that a call is given with the recorded ones, member by member: what lies between members
 * does not count, and pointers are followed as the recorder followed them.
 */
#pragma once

#include "formats/pi/replayer/thread.h"

/* Whether parameter @param points to structures. */
bool tt_replay_has_structs (const TtReplayCall *call, unsigned param);
/* @block: the recorded ones. Describes the first difference in @text. */
bool tt_replay_structs_differ (const TtReplayCall *call,
                               unsigned param,
                               const TtPiNativeBlock *block,
                               char *text,
                               size_t size);
