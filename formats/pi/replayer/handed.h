/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the contents of memory that the program hands to the device with those recorded.
 *
 * Memory that kernels may have written to is not compared: USM, once a kernel has been launched, for what kernels write
 * is not recorded.
 */
#pragma once

#include "formats/pi/replayer/thread.h"

/* @block: what parameter @param pointed to. Reports a difference if @tells; whether there is one. */
bool tt_replay_handed_differs (const TtReplayCall *call, unsigned param, const TtPiNativeBlock *block, bool tells);
/* The same of an array of pointers to binaries; how many of them differ. */
unsigned tt_replay_binaries_differ (const TtReplayCall *call, unsigned param, bool tells);
/* To be called for each call. */
void tt_replay_note_kernel (const TtReplayCall *call);
