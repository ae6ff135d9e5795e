/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpack.h"

#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd_errors.h>
#endif

#define GZIP_WINDOW (15 + 16)
/* 8 MiB. */
#define MOST_WINDOW_LOG 23

/* -- reading ------------------------------------------------------------------------------------ */

/* The end of a file within a member or frame: 0, or -1 with @error. */
static gssize
end_short (TtUnpack *self, GError **error)
{
  if (!self->takes_cut)
    return tt_raw_input_fail (self->raw, tt_raw_input_position (self->raw), "the compressed data is cut short", error);
  self->is_cut = TRUE;
  return 0;
}

static gssize
fail_damaged (TtUnpack *self, gsize n_sound, const char *fault, GError **error)
{
  self->n_sound = n_sound;
  self->is_damaged = TRUE;
  return tt_raw_input_fail (self->raw, tt_raw_input_position (self->raw), fault, error);
}

/* Between members there may be zeros, which tape blocks leave. -1: error, 0: end, 1: a member begins. */
static gssize
next_member (TtUnpack *self, GError **error)
{
  for (;;)
    {
      gssize n = tt_raw_input_fill (self->raw, error);

      if (n <= 0)
        return n;
      if (self->raw->bytes[self->raw->used] == 0x1f)
        break;
      if (self->raw->bytes[self->raw->used] != 0)
        return fail_damaged (self, 0, "other bytes follow the compressed data", error);
      self->raw->used++;
    }
  inflateReset (&self->inflater);
  self->is_inside = TRUE;
  return 1;
}

static gssize
read_gzip (TtUnpack *self, guint8 *bytes, gsize len, GError **error)
{
  z_stream *stream = &self->inflater;
  gsize done = 0;

  while (done < len)
    {
      gssize n = self->is_inside ? tt_raw_input_fill (self->raw, error) : next_member (self, error);

      if (n < 0)
        return -1;
      if (n == 0 && self->is_inside && end_short (self, error) < 0)
        return -1;
      if (n == 0)
        break;

      gsize room = MIN (len - done, (gsize) 1 << 30);
      stream->next_in = self->raw->bytes + self->raw->used;
      stream->avail_in = (uInt) (self->raw->filled - self->raw->used);
      stream->next_out = bytes + done;
      stream->avail_out = (uInt) room;
      int status = inflate (stream, Z_NO_FLUSH);
      self->raw->used = self->raw->filled - stream->avail_in;
      done += room - stream->avail_out;

      if (status == Z_STREAM_END)
        {
          self->is_inside = FALSE;
          if (self->stops_between)
            break;
        }
      else if (status == Z_MEM_ERROR)
        return tt_raw_input_fail_memory (self->raw, error);
      else if (status != Z_OK)
        return fail_damaged (self, done, stream->msg != NULL ? stream->msg : "the compressed data is damaged", error);
    }
  return (gssize) done;
}

#ifdef HAVE_ZSTD
static gssize
read_zstd (TtUnpack *self, guint8 *bytes, gsize len, GError **error)
{
  ZSTD_outBuffer out = { bytes, len, 0 };

  while (out.pos < len)
    {
      gssize n = tt_raw_input_fill (self->raw, error);

      if (n < 0)
        return -1;

      /* At the end the decompressor may still hold bytes that had no room before. */
      ZSTD_inBuffer in = { self->raw->bytes, self->raw->filled, self->raw->used };
      gsize before = out.pos;
      if (n == 0 && !self->is_inside)
        break;
      gsize status = ZSTD_decompressStream (self->decompressor, &out, &in);
      self->raw->used = in.pos;
      if (ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
        return tt_raw_input_fail_memory (self->raw, error);
      if (ZSTD_isError (status))
        return fail_damaged (self, out.pos, ZSTD_getErrorName (status), error);
      self->is_inside = status != 0;
      if (n == 0 && self->is_inside && out.pos == before && end_short (self, error) < 0)
        return -1;
      if (self->is_cut || (self->stops_between && !self->is_inside))
        break;
    }
  return (gssize) out.pos;
}
#endif

gssize
tt_unpack_read (TtUnpack *self, guint8 *bytes, gsize len, GError **error)
{
#ifdef HAVE_ZSTD
  if (self->wrap == TT_WRAP_ZSTD)
    return read_zstd (self, bytes, len, error);
#endif
  return read_gzip (self, bytes, len, error);
}

/* -- beginning ---------------------------------------------------------------------------------- */

TtWrap
tt_unpack_wrap_of (const guint8 *bytes, gsize n)
{
  if (n >= 3 && memcmp (bytes, "\x1f\x8b\x08", 3) == 0)
    return TT_WRAP_GZIP;
  if (n >= 4 && (memcmp (bytes, "\x28\xb5\x2f\xfd", 4) == 0 ||
                 ((bytes[0] & 0xf0) == 0x50 && memcmp (bytes + 1, "\x2a\x4d\x18", 3) == 0)))
    return TT_WRAP_ZSTD;
  return TT_WRAP_NONE;
}

static gboolean
start_gzip (TtUnpack *self, GError **error)
{
  self->is_inside = TRUE;
  if (inflateInit2 (&self->inflater, GZIP_WINDOW) != Z_OK)
    {
      tt_raw_input_fail_memory (self->raw, error);
      return FALSE;
    }
  self->wrap = TT_WRAP_GZIP;
  return TRUE;
}

static gboolean
start_zstd (TtUnpack *self, GError **error)
{
#ifdef HAVE_ZSTD
  self->decompressor = ZSTD_createDStream ();
  if (self->decompressor == NULL)
    {
      tt_raw_input_fail_memory (self->raw, error);
      return FALSE;
    }
  self->is_inside = TRUE;
  self->wrap = TT_WRAP_ZSTD;
  return TRUE;
#else
  tt_raw_input_fail (self->raw, 0, "this build has no zstd; unpack the file with \"zstd -d\"", error);
  return FALSE;
#endif
}

gboolean
tt_unpack_start (TtUnpack *self, TtRawInput *raw, TtWrap wrap, GError **error)
{
  self->raw = raw;
  return wrap == TT_WRAP_GZIP ? start_gzip (self, error) : start_zstd (self, error);
}

void
tt_unpack_limit_window (TtUnpack *self)
{
#ifdef HAVE_ZSTD
  if (self->wrap == TT_WRAP_ZSTD)
    ZSTD_DCtx_setParameter (self->decompressor, ZSTD_d_windowLogMax, MOST_WINDOW_LOG);
#else
  (void) self;
#endif
}

void
tt_unpack_clear (TtUnpack *self)
{
  if (self->wrap == TT_WRAP_GZIP)
    inflateEnd (&self->inflater);
#ifdef HAVE_ZSTD
  ZSTD_freeDStream (self->decompressor);
#endif
}
