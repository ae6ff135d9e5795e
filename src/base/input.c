/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/input.h"

#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "src/base/raw-input.h"

#define MAGIC_BYTES 4
#define GZIP_WINDOW (15 + 16)

typedef enum
{
  WRAP_NONE,
  WRAP_GZIP,
  WRAP_ZSTD,
} Wrap;

struct _TtInput
{
  TtRawInput raw;
  guint64 reported, offset;
  guint64 max; /* bytes of contents */

  Wrap wrap;
  gboolean takes_cut, is_cut;
  gboolean is_inside; /* a gzip member or zstd frame, which the file may not end in */
  z_stream inflater;
#ifdef HAVE_ZSTD
  ZSTD_DStream *decompressor;
#endif
};

/* -- contents --------------------------------------------------------------------------------- */

static gssize
read_plain (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  gsize done = MIN (len, self->raw.filled - self->raw.used);

  memcpy (bytes, self->raw.bytes + self->raw.used, done);
  self->raw.used += done;
  while (done < len)
    {
      gssize n = tt_raw_input_read (&self->raw, bytes + done, len - done, error);

      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

/* The end of a file within a member or frame: 0, or -1 with @error. */
static gssize
end_short (TtInput *self, GError **error)
{
  if (!self->takes_cut)
    return tt_raw_input_fail (&self->raw, tt_raw_input_position (&self->raw), "the compressed data is cut short",
                              error);
  self->is_cut = TRUE;
  return 0;
}

/* Between members there may be zeros, which tape blocks leave. -1: error, 0: end, 1: a member begins. */
static gssize
next_member (TtInput *self, GError **error)
{
  for (;;)
    {
      gssize n = tt_raw_input_fill (&self->raw, error);

      if (n <= 0)
        return n;
      if (self->raw.bytes[self->raw.used] == 0x1f)
        break;
      if (self->raw.bytes[self->raw.used] != 0)
        return tt_raw_input_fail (&self->raw, tt_raw_input_position (&self->raw),
                                  "other bytes follow the compressed data", error);
      self->raw.used++;
    }
  inflateReset (&self->inflater);
  self->is_inside = TRUE;
  return 1;
}

static gssize
read_gzip (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  z_stream *stream = &self->inflater;
  gsize done = 0;

  while (done < len)
    {
      gssize n = self->is_inside ? tt_raw_input_fill (&self->raw, error) : next_member (self, error);

      if (n < 0)
        return -1;
      if (n == 0 && self->is_inside && end_short (self, error) < 0)
        return -1;
      if (n == 0)
        break;

      gsize room = MIN (len - done, (gsize) 1 << 30);
      stream->next_in = self->raw.bytes + self->raw.used;
      stream->avail_in = (uInt) (self->raw.filled - self->raw.used);
      stream->next_out = bytes + done;
      stream->avail_out = (uInt) room;
      int status = inflate (stream, Z_NO_FLUSH);
      self->raw.used = self->raw.filled - stream->avail_in;
      done += room - stream->avail_out;

      if (status == Z_STREAM_END)
        self->is_inside = FALSE;
      else if (status == Z_MEM_ERROR)
        return tt_raw_input_fail_memory (&self->raw, error);
      else if (status != Z_OK)
        return tt_raw_input_fail (&self->raw, tt_raw_input_position (&self->raw),
                                  stream->msg != NULL ? stream->msg : "the compressed data is damaged", error);
    }
  return (gssize) done;
}

#ifdef HAVE_ZSTD
static gssize
read_zstd (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  ZSTD_outBuffer out = { bytes, len, 0 };

  while (out.pos < len)
    {
      gssize n = tt_raw_input_fill (&self->raw, error);

      if (n < 0)
        return -1;

      /* At the end the decompressor may still hold bytes that had no room before. */
      ZSTD_inBuffer in = { self->raw.bytes, self->raw.filled, self->raw.used };
      gsize before = out.pos;
      if (n == 0 && !self->is_inside)
        break;
      gsize status = ZSTD_decompressStream (self->decompressor, &out, &in);
      self->raw.used = in.pos;
      if (ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
        return tt_raw_input_fail_memory (&self->raw, error);
      if (ZSTD_isError (status))
        return tt_raw_input_fail (&self->raw, tt_raw_input_position (&self->raw), ZSTD_getErrorName (status), error);
      self->is_inside = status != 0;
      if (n == 0 && self->is_inside && out.pos == before && end_short (self, error) < 0)
        return -1;
      if (self->is_cut)
        break;
    }
  return (gssize) out.pos;
}
#endif

gssize
tt_input_read (TtInput *self, void *buffer, gsize len, GError **error)
{
  gssize n;

  len = (gsize) MIN (MIN (len, (gsize) G_MAXSSIZE), self->max - self->offset);
  if (self->wrap == WRAP_GZIP)
    n = read_gzip (self, buffer, len, error);
#ifdef HAVE_ZSTD
  else if (self->wrap == WRAP_ZSTD)
    n = read_zstd (self, buffer, len, error);
#endif
  else
    n = read_plain (self, buffer, len, error);
  if (n > 0)
    self->offset += (guint64) n;
  return n;
}

/* -- opening ---------------------------------------------------------------------------------- */

static gboolean
start_gzip (TtInput *self, GError **error)
{
  self->is_inside = TRUE;
  if (inflateInit2 (&self->inflater, GZIP_WINDOW) != Z_OK)
    {
      tt_raw_input_fail_memory (&self->raw, error);
      return FALSE;
    }
  self->wrap = WRAP_GZIP;
  return TRUE;
}

static gboolean
start_zstd (TtInput *self, GError **error)
{
#ifdef HAVE_ZSTD
  self->decompressor = ZSTD_createDStream ();
  if (self->decompressor == NULL)
    {
      tt_raw_input_fail_memory (&self->raw, error);
      return FALSE;
    }
  self->is_inside = TRUE;
  self->wrap = WRAP_ZSTD;
  return TRUE;
#else
  tt_raw_input_fail (&self->raw, 0, "this build has no zstd; unpack the file with \"zstd -d\"", error);
  return FALSE;
#endif
}

/* Looks at the first bytes, which then wait in the raw buffer. */
static gboolean
find_wrap (TtInput *self, GError **error)
{
  const guint8 *raw = self->raw.bytes;

  while (self->raw.filled < MAGIC_BYTES)
    {
      gsize want = self->raw.is_stdin ? TT_RAW_BYTES - self->raw.filled : MAGIC_BYTES - self->raw.filled;
      gssize n = tt_raw_input_read (&self->raw, self->raw.bytes + self->raw.filled, want, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      self->raw.filled += (gsize) n;
    }

  if (self->raw.filled >= 3 && memcmp (raw, "\x1f\x8b\x08", 3) == 0)
    return start_gzip (self, error);
  if (self->raw.filled >= MAGIC_BYTES && (memcmp (raw, "\x28\xb5\x2f\xfd", 4) == 0 ||
                                          ((raw[0] & 0xf0) == 0x50 && memcmp (raw + 1, "\x2a\x4d\x18", 3) == 0)))
    return start_zstd (self, error);
  return TRUE;
}

static TtInput *
input_new (void)
{
  TtInput *self = g_new0 (TtInput, 1);

  self->max = G_MAXUINT64;
  return self;
}

static TtInput *
input_open (const char *path, gboolean is_peek, GError **error)
{
  g_autoptr (TtInput) self = input_new ();

  if (!tt_raw_input_open (&self->raw, path, is_peek, error) || !find_wrap (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

TtInput *
tt_input_open (const char *path, GError **error)
{
  return input_open (path, FALSE, error);
}

TtInput *
tt_input_open_head (const char *path, gsize max, GError **error)
{
  TtInput *self = input_open (path, TRUE, error);

  if (self != NULL)
    self->max = max;
  return self;
}

void
tt_input_look_on (TtInput *self, gsize max)
{
  if (!self->raw.is_stdin && __builtin_add_overflow (self->offset, max, &self->max))
    self->max = G_MAXUINT64;
}

TtInput *
tt_input_open_bytes (const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (TtInput) self = input_new ();

  tt_raw_input_open_bytes (&self->raw, path, bytes);
  if (!find_wrap (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_input_free (TtInput *self)
{
  if (self == NULL)
    return;
  if (self->wrap == WRAP_GZIP)
    inflateEnd (&self->inflater);
#ifdef HAVE_ZSTD
  ZSTD_freeDStream (self->decompressor);
#endif
  tt_raw_input_clear (&self->raw);
  g_free (self);
}

/* -- facts ------------------------------------------------------------------------------------ */

const char *
tt_input_path (const TtInput *self)
{
  return self->raw.path;
}

gboolean
tt_input_is_compressed (const TtInput *self)
{
  return self->wrap != WRAP_NONE;
}

guint64
tt_input_disk_bytes (const TtInput *self)
{
  return self->raw.disk_bytes;
}

void
tt_input_take_cut (TtInput *self)
{
  self->takes_cut = TRUE;
}

gboolean
tt_input_is_cut (const TtInput *self)
{
  return self->is_cut;
}

guint64
tt_input_progress (TtInput *self)
{
  guint64 moved = self->raw.offset - self->reported;

  self->reported = self->raw.offset;
  return moved;
}

guint64
tt_input_offset (const TtInput *self)
{
  return self->offset;
}

char *
tt_input_hash (TtInput *self, GError **error)
{
  /* It needs no contents. */
  return tt_raw_input_hash (&self->raw, error);
}

gssize
tt_input_peek (const char *path, guint8 *head, gsize len, guint64 *size, GError **error)
{
  g_autoptr (TtInput) self = input_open (path, TRUE, error);

  if (self == NULL)
    return -1;
  self->takes_cut = TRUE;
  if (size != NULL)
    *size = self->raw.is_stdin || self->wrap != WRAP_NONE ? 0 : self->raw.disk_bytes;
  return tt_input_read (self, head, len, error);
}
