/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows the pointers in structures of UR by the type of each: members, arrays of structures, chains of pNext.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

/* Takes @size bytes at @address, of which @bytes is a copy where the block has its place already; where they come to
 * lie, or NULL: no room, or unreadable. */
typedef const uint8_t *(*TtRecordTake) (void *data, uint64_t address, uint64_t size);

/* @bytes: a copy of @n structures of the type of parameter @param, which are taken already. */
void tt_record_follow (const TtRecordCall *call,
                       unsigned param,
                       const uint8_t *bytes,
                       uint64_t n,
                       TtRecordTake take,
                       void *data);
