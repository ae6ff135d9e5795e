/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReadAhead: the contents of inputs, one after the other, in blocks. While the caller is busy with one, a thread of its
 * own reads those that come next, where the input is a file that is not compressed, has several, and there is a processor
 * for it (src/base/readers.h).
 *
 * Blocks, and the error after them, are the same without that thread. At most five blocks are in memory.
 */
#pragma once

#include "src/base/input.h"

typedef struct _TtReadAhead TtReadAhead;

/* Blocks have @block_bytes, fewer only at the end of an input. @most_left: bytes of one that are given again with the
 * next. */
TtReadAhead *tt_read_ahead_new (gsize block_bytes, gsize most_left);
void tt_read_ahead_free (TtReadAhead *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtReadAhead, tt_read_ahead_free)

/* @input, of which nothing was read, is the thread's until tt_read_ahead_end(); it is borrowed. */
void tt_read_ahead_begin (TtReadAhead *self, TtInput *input);
/* How many bytes the next block has; 0: end, -1: @error; then no other is asked for. *@bytes: its bytes, and before them
 * the @left last ones of the block before, which must not be used any more. Valid until the next call. */
gssize tt_read_ahead_next (TtReadAhead *self, gsize left, const guint8 **bytes, GError **error);
/* tt_input_progress() of the blocks that were asked for. */
guint64 tt_read_ahead_progress (TtReadAhead *self);
/* Blocks are gone. The input has been read as far as was asked for, or further. */
void tt_read_ahead_end (TtReadAhead *self);
