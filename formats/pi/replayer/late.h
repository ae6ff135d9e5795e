/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a command fills after its call has returned: its contents are recorded with the call that waits for it,
 * which may be made by another thread. Here commands are always done: the call itself is answered with them.
 */
#pragma once

#include "formats/pi/native.h"

/* Takes note of a block of a recording that has such contents, and stays where it is. Not while calls are answered. */
void tt_replay_late_add (const TtPiNativeBlock *block);
/* What the recorded call @instance has asked for by its parameter @param; false: it is not recorded. The block is of
 * kind BYTES or FILE. */
bool tt_replay_late_find (uint64_t instance, uint64_t param, TtPiNativeBlock *block);
