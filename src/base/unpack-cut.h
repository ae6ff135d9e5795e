/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnpackCut: whole zstd frames, or whole gzip members that tell how long they are (in the field "BC" of bgzip), cut from
 * a compressed input without unpacking them, so that each thread may unpack some. For unpack-ahead.c, which alone uses it.
 *
 * What the bytes say of themselves may be wrong: unpacking tells.
 */
#pragma once

#include "src/base/unpack.h"

typedef struct
{
  guint8 *bytes; /* owned; NULL: none yet */
  gsize n, room;
  guint64 n_contents; /* at most, by what they say */
} TtUnpackCut;

typedef enum
{
  TT_CUT_END,
  TT_CUT_FRAMES,
  TT_CUT_NOT, /* what comes next cannot be cut, or is not worth it */
} TtCut;

/* Of an input that is between two frames: what comes next. FRAMES: they begin like those that can be cut. */
TtCut tt_unpack_cut_look (TtRawInput *raw, TtWrap wrap);
/* Cuts some into @self, which is empty: about 1 MiB of contents, but at least a frame. Where nothing is cut, nothing of the
 * input is used, and a read that failed will fail as it did. */
TtCut tt_unpack_cut (TtUnpackCut *self, TtRawInput *raw, TtWrap wrap);
void tt_unpack_cut_clear (TtUnpackCut *self);
