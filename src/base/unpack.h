/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnpack: the contents of a compressed input. For input.c, which alone uses more than tt_unpack_wrap_of.
 */
#pragma once

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/base/raw-input.h"

typedef enum
{
  TT_WRAP_NONE,
  TT_WRAP_GZIP,
  TT_WRAP_ZSTD,
} TtWrap;

typedef struct
{
  TtRawInput *raw; /* borrowed */
  TtWrap wrap;
  gboolean takes_cut; /* an input that ends early is no error: is_cut is set then */
  gboolean is_cut;
  gboolean is_damaged; /* an error was that of compressed bytes, after n_sound of that read */
  gsize n_sound;
  gboolean is_inside;     /* a gzip member or zstd frame, which the file may not end in */
  gboolean stops_between; /* a read ends where a member or frame does, too */
  z_stream inflater;
#ifdef HAVE_ZSTD
  ZSTD_DStream *decompressor;
#endif
} TtUnpack;

/* Chosen by the first @n bytes, of up to 4. */
TtWrap tt_unpack_wrap_of (const guint8 *bytes, gsize n);
/* @self is zeroed; @wrap: one that unpacks. FALSE with @error: no memory, or a build without zstd. */
gboolean tt_unpack_start (TtUnpack *self, TtRawInput *raw, TtWrap wrap, GError **error);
/* Of a zstd frame that has not begun yet: see tt_input_be_one_of_many. */
void tt_unpack_limit_window (TtUnpack *self);
void tt_unpack_clear (TtUnpack *self);
/* Up to @len bytes of contents; fewer only at the end; 0 = end; -1 = error. */
gssize tt_unpack_read (TtUnpack *self, guint8 *bytes, gsize len, GError **error);
