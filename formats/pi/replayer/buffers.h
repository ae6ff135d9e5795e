/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contents of memory that are files of their own, in the directory TRACETOOL_PI_BUFFERS: a length of 8 bytes, and then
 * the bytes.
 */
#pragma once

#include "formats/pi/native.h"

#define TT_REPLAY_BUFFER_HEAD 8
#define TT_REPLAY_BUFFER_PATH (4096 + 512)

/* Opens the file that a block of kind FILE names, whose path goes to @path; -1: it cannot be opened. */
int tt_replay_buffer_open (const TtPiNativeBlock *block, char path[TT_REPLAY_BUFFER_PATH]);
