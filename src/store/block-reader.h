/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBlockReader: the blocks of a scan of events, from their pages, with corrected times.
 *
 * What it changes is its own, so that another thread may be the reader of a scan, one thread at a time. Used by src/store
 * only.
 */
#pragma once

#include "src/store/block.h"

typedef struct
{
  const TtEventRange *ranges; /* stay the caller's */
  guint n_ranges;
  gboolean is_reverse, with_args;
} TtBlockOrder;

typedef enum
{
  TT_BLOCK_READ,
  TT_BLOCK_ODD, /* it has room for its rows; only a statement can read them */
  TT_BLOCK_END, /* there are no more */
} TtBlockAnswer;

typedef struct _TtBlockReader TtBlockReader;

/* In a snapshot, which has to last. */
TtBlockReader *tt_block_reader_new (TtStore *store, const TtBlockOrder *order);
void tt_block_reader_free (TtBlockReader *self);

gboolean tt_block_reader_has_pages (const TtBlockReader *self);

TtBlock *tt_block_reader_new_block (const TtBlockReader *self);
void tt_block_free (TtBlock *block);

/* Fills @block with what comes next. After one that is odd, all are. */
TtBlockAnswer tt_block_reader_next (TtBlockReader *self, TtBlock *block);
/* The times of a block that a statement has read. */
void tt_block_reader_correct (TtBlockReader *self, TtBlock *block);
