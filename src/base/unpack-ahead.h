/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnpackAhead: a compressed input, unpacked ahead of its reader by threads of its own. For input.c, which alone uses it.
 * The reader gets the same bytes and, after them, the same error as without them.
 *
 * One thread unpacks what cannot be cut. Of zstd frames, and of gzip members that tell how long they are, as many do as
 * there are processors, or as TRACETOOL_READERS says (src/base/readers.h), and at most 4.
 */
#pragma once

#include "src/base/unpack-runs.h"

typedef struct _TtUnpackAhead TtUnpackAhead;

/* Goes on where @unpack is, which belongs to the threads until they are stopped. NULL: no thread can be had. */
TtUnpackAhead *tt_unpack_ahead_new (TtUnpack *unpack);
void tt_unpack_ahead_free (TtUnpackAhead *self);

/* As tt_unpack_read(). */
gssize tt_unpack_ahead_read (TtUnpackAhead *self, guint8 *bytes, gsize len, GError **error);
TtUnpackState tt_unpack_ahead_state (const TtUnpackAhead *self);
/* The threads end, and the input is the caller's again, with its contents used up. */
void tt_unpack_ahead_stop (TtUnpackAhead *self);
