/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnpackAhead: a compressed input, unpacked ahead of its reader by a thread of its own. For input.c, which alone uses
 * it. The reader gets the same bytes and, after them, the same error as without the thread.
 */
#pragma once

#include "src/base/unpack.h"

typedef struct _TtUnpackAhead TtUnpackAhead;

/* Where the input was when the bytes were unpacked that the reader had last. */
typedef struct
{
  guint64 offset, disk_bytes; /* of TtRawInput */
  gboolean is_cut;
} TtUnpackState;

/* Goes on where @unpack is, which belongs to the thread until it is stopped. NULL: no thread can be had. */
TtUnpackAhead *tt_unpack_ahead_new (TtUnpack *unpack);
void tt_unpack_ahead_free (TtUnpackAhead *self);

/* As tt_unpack_read(). */
gssize tt_unpack_ahead_read (TtUnpackAhead *self, guint8 *bytes, gsize len, GError **error);
TtUnpackState tt_unpack_ahead_state (const TtUnpackAhead *self);
/* The thread ends, and the input is the caller's again, with its contents used up. */
void tt_unpack_ahead_stop (TtUnpackAhead *self);
