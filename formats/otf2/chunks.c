/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/chunks.h"

#define HEADER 18u
/* Memory follows what the file has, not what its anchor says. */
#define FIRST_BYTES ((gsize) 64 << 10)

static void
start (TtOtf2Chunks *self, gsize chunk_bytes)
{
  self->chunk_bytes = chunk_bytes;
  self->offset = 0;
  self->bytes = (TtOtf2Bytes){ .at = self->block, .end = self->block, .is_good = TRUE };
  self->is_last = FALSE;
}

gboolean
tt_otf2_chunks_open (TtOtf2Chunks *self, const char *path, gsize chunk_bytes, GError **error)
{
  tt_otf2_chunks_close (self);
  start (self, chunk_bytes);
  self->input = tt_input_open (path, error);
  return self->input != NULL;
}

gboolean
tt_otf2_chunks_open_bytes (TtOtf2Chunks *self, const char *path, GBytes *bytes, gsize chunk_bytes, GError **error)
{
  tt_otf2_chunks_close (self);
  start (self, chunk_bytes);
  self->input = tt_input_open_bytes (path, bytes, error);
  return self->input != NULL;
}

void
tt_otf2_chunks_close (TtOtf2Chunks *self)
{
  g_clear_pointer (&self->input, tt_input_free);
}

void
tt_otf2_chunks_clear (TtOtf2Chunks *self)
{
  tt_otf2_chunks_close (self);
  g_clear_pointer (&self->block, g_free);
  self->allocated = 0;
}

guint8 *
tt_otf2_chunks_steal (TtOtf2Chunks *self, gsize *allocated)
{
  *allocated = self->allocated;
  self->allocated = 0;
  return g_steal_pointer (&self->block);
}

void
tt_otf2_chunks_lend (TtOtf2Chunks *self, guint8 *block, gsize allocated)
{
  self->block = block;
  self->allocated = allocated;
}

/* Fills the block as far as the file goes; -1: @error. */
static gssize
fill (TtOtf2Chunks *self, GError **error)
{
  gsize have = 0;

  while (have < self->chunk_bytes)
    {
      if (have == self->allocated)
        {
          self->allocated = MIN (MAX (FIRST_BYTES, 2 * self->allocated), MAX (self->chunk_bytes, self->allocated));
          self->block = g_realloc (self->block, self->allocated);
        }
      gsize wanted = MIN (self->allocated, self->chunk_bytes) - have;
      gssize n = tt_input_read (self->input, self->block + have, wanted, error);
      if (n < 0)
        return -1;
      have += (gsize) n;
      if ((gsize) n < wanted)
        break;
    }
  return (gssize) have;
}

TtOtf2ChunkState
tt_otf2_chunks_next (TtOtf2Chunks *self, GError **error)
{
  if (self->is_last)
    return TT_OTF2_AT_END;
  self->offset = tt_input_offset (self->input);
  gssize n = fill (self, error);
  if (n < 0)
    return TT_OTF2_FAILED;
  self->bytes = (TtOtf2Bytes){ .at = self->block, .end = self->block + n, .is_good = TRUE };
  if (n == 0)
    return TT_OTF2_CUT;
  if (n < (gssize) HEADER || self->block[0] != TT_OTF2_CHUNK_HEADER ||
      (self->block[1] != 0x42 && self->block[1] != 0x23))
    return TT_OTF2_BROKEN;
  self->bytes.is_big = self->block[1] == 0x23;
  self->bytes.at += HEADER;
  return TT_OTF2_CHUNK;
}
