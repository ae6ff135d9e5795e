/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Chunks: a file of an OTF2 archive, a chunk at a time.
 *
 * Source of these facts: OTF2 3.0.2, OTF2_Buffer.c and OTF2_File.c. All files but the anchor are a row of chunks of one size,
 * which the anchor says; the last may be shorter. A chunk begins with the byte 3 and one for the byte order (0x42 least
 * significant first, 0x23 most), then the numbers of its first and last event, 8 bytes each; records follow. A byte 0 instead
 * of a record ends the chunk, 1 or 2 the file.
 */
#pragma once

#include "formats/otf2/bytes.h"
#include "src/base/input.h"

/* What libotf2 takes: smaller or larger chunks are damage. */
#define TT_OTF2_CHUNK_MIN ((guint64) 256 << 10)
#define TT_OTF2_CHUNK_MAX ((guint64) 16 << 20)

enum
{
  TT_OTF2_END_OF_CHUNK = 0,
  TT_OTF2_END_OF_BUFFER = 1,
  TT_OTF2_END_OF_FILE = 2,
  TT_OTF2_CHUNK_HEADER = 3,
};

typedef struct
{
  TtInput *input; /* NULL: not open */
  guint8 *block;  /* of chunk_bytes; grows with what is read, kept from file to file */
  gsize allocated;
  gsize chunk_bytes;
  guint64 offset;    /* of the chunk in the file */
  TtOtf2Bytes bytes; /* of its records that are not read yet */
  gboolean is_last;  /* an end of file was met */
} TtOtf2Chunks;

typedef enum
{
  TT_OTF2_CHUNK,  /* records may be read */
  TT_OTF2_AT_END, /* the end that the file marks */
  TT_OTF2_CUT,    /* the file ends without saying so */
  TT_OTF2_BROKEN, /* no chunk begins where one should */
  TT_OTF2_FAILED, /* @error: it cannot be read */
} TtOtf2ChunkState;

/* Opens @path in place of what was open. */
gboolean tt_otf2_chunks_open (TtOtf2Chunks *self, const char *path, gsize chunk_bytes, GError **error);
/* Contents that lie in memory, for tests. */
gboolean
tt_otf2_chunks_open_bytes (TtOtf2Chunks *self, const char *path, GBytes *bytes, gsize chunk_bytes, GError **error);
void tt_otf2_chunks_close (TtOtf2Chunks *self);
void tt_otf2_chunks_clear (TtOtf2Chunks *self);
/* The memory of the chunk, into which its bytes lead: the caller's. The next chunk has other memory. */
guint8 *tt_otf2_chunks_steal (TtOtf2Chunks *self, gsize *allocated);
/* @block: taken; there is none. */
void tt_otf2_chunks_lend (TtOtf2Chunks *self, guint8 *block, gsize allocated);
TtOtf2ChunkState tt_otf2_chunks_next (TtOtf2Chunks *self, GError **error);

static inline guint64
tt_otf2_chunks_offset (const TtOtf2Chunks *self)
{
  return self->offset + (guint64) (self->bytes.at - self->block);
}
