/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBlocksAhead: the blocks of a scan, read ahead of it by a thread of its own, in the same order. Used by src/store only.
 */
#pragma once

#include "src/store/block-reader.h"

typedef struct _TtBlocksAhead TtBlocksAhead;

/* @reader: belongs to the thread until this is freed. NULL: no thread can be had. */
TtBlocksAhead *tt_blocks_ahead_new (TtBlockReader *reader);
/* The blocks are gone. */
void tt_blocks_ahead_free (TtBlocksAhead *self);

/* *@block: stays until the next call. After one that is odd, or the end, there is nothing more: what follows is the
 * reader's. */
TtBlockAnswer tt_blocks_ahead_next (TtBlocksAhead *self, TtBlock **block);
