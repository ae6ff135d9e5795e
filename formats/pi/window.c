/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/window.h"

#include "src/base/error.h"
#include "src/base/look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define PIECE ((gsize) 64 << 10)
#define PACKED_PIECE ((gsize) 128 << 10)

struct _TtPiPacked
{
#ifdef HAVE_ZSTD
  ZSTD_DStream *stream;
#endif
  guint64 base, size; /* of the frame in its file */
  guint64 taken;      /* of it */
  guint8 *bytes;
  gsize used, filled;
  gboolean has_failed;
};

void
tt_pi_window_init (TtPiWindow *self, const char *path, guint64 base, guint64 size, gboolean stays_open)
{
  *self = (TtPiWindow){ .path = g_strdup (path), .base = base, .size = size, .fd = -1, .stays_open = stays_open };
}

void
tt_pi_window_init_packed (TtPiWindow *self,
                          const char *path,
                          guint64 base,
                          guint64 packed_size,
                          guint64 size,
                          gboolean stays_open)
{
  tt_pi_window_init (self, path, base, size, stays_open);
  self->packed = g_new0 (TtPiPacked, 1);
  self->packed->base = base;
  self->packed->size = packed_size;
}

static void
packed_free (TtPiPacked *packed)
{
  if (packed == NULL)
    return;
#ifdef HAVE_ZSTD
  ZSTD_freeDStream (packed->stream);
#endif
  g_free (packed->bytes);
  g_free (packed);
}

static void
restart_packed (TtPiPacked *packed)
{
#ifdef HAVE_ZSTD
  if (packed->stream != NULL)
    ZSTD_DCtx_reset (packed->stream, ZSTD_reset_session_only);
#endif
  packed->taken = packed->used = packed->filled = 0;
  packed->has_failed = FALSE;
}

void
tt_pi_window_clear (TtPiWindow *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->buffer, g_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->packed, packed_free);
}

/* -- reading ----------------------------------------------------------------------------------------- */

static gboolean
set_fault (const TtPiWindow *self, guint64 offset, const char *fault, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read '%s' at byte %" G_GUINT64_FORMAT ": %s", self->path,
               offset, fault);
  return FALSE;
}

/* @len bytes of the file, all of them. */
static gboolean
read_at (TtPiWindow *self, guint8 *bytes, gsize len, guint64 offset, GError **error)
{
  if (self->fd < 0)
    self->fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0)
    {
      int number = errno;

      tt_look_failed (self->path, number);
      return set_fault (self, offset, g_strerror (number), error);
    }
  for (gsize done = 0; done < len;)
    {
      gssize n = pread (self->fd, bytes + done, len - done, (off_t) (offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      int number = n < 0 ? errno : 0;
      if (n <= 0)
        {
          tt_look_failed (self->path, number);
          return set_fault (self, offset + done, n < 0 ? g_strerror (number) : "the file has become shorter", error);
        }
      done += (gsize) n;
    }
  if (!self->stays_open)
    {
      close (self->fd);
      self->fd = -1;
    }
  return TRUE;
}

#ifdef HAVE_ZSTD
static gboolean
refill_packed (TtPiWindow *self, GError **error)
{
  TtPiPacked *packed = self->packed;
  gsize n = (gsize) MIN (PACKED_PIECE, packed->size - packed->taken);

  if (n == 0)
    return set_fault (self, packed->base + packed->taken, "the zstd frame ends early", error);
  if (packed->bytes == NULL)
    packed->bytes = g_malloc ((gsize) MIN (PACKED_PIECE, packed->size));
  if (!read_at (self, packed->bytes, n, packed->base + packed->taken, error))
    return FALSE;
  packed->taken += n;
  packed->used = 0;
  packed->filled = n;
  return TRUE;
}

/* The next @len bytes of the contents. */
static gboolean
unpack_bytes (TtPiWindow *self, guint8 *bytes, gsize len, GError **error)
{
  TtPiPacked *packed = self->packed;
  ZSTD_outBuffer out = { bytes, len, 0 };

  if (packed->stream == NULL)
    packed->stream = ZSTD_createDStream ();
  if (packed->stream == NULL)
    {
      tt_look_failed (self->path, ENOMEM);
      return set_fault (self, packed->base, g_strerror (ENOMEM), error);
    }
  while (out.pos < out.size)
    {
      if (packed->used == packed->filled && !refill_packed (self, error))
        return FALSE;
      ZSTD_inBuffer in = { packed->bytes, packed->filled, packed->used };
      gsize before = out.pos;
      gsize code = ZSTD_decompressStream (packed->stream, &out, &in);
      guint64 place = packed->base + packed->taken - packed->filled + packed->used;
      packed->used = in.pos;
      if (ZSTD_isError (code))
        return set_fault (self, place, ZSTD_getErrorName (code), error);
      if (code == 0 && out.pos < out.size && out.pos == before)
        return set_fault (self, place, "the zstd frame holds less than it says", error);
    }
  return TRUE;
}
#else
static gboolean
unpack_bytes (TtPiWindow *self, guint8 *bytes, gsize len, GError **error)
{
  return set_fault (self, self->base, "this build of tracetool has no zstd", error);
}
#endif

gboolean
tt_pi_window_fill (TtPiWindow *self, gsize n, GError **error)
{
  gsize here = self->filled - self->at;
  guint64 rest = self->size - self->offset - here;
  gsize wanted = (gsize) MIN (rest, MAX (n, PIECE) - here);

  if (n > here + rest)
    return set_fault (self, self->offset + here, "the contents end", error);
  if (self->at > 0)
    memmove (self->buffer, self->buffer + self->at, here);
  self->at = 0;
  self->filled = here;
  if (here + wanted > self->capacity)
    {
      self->capacity = MAX (here + wanted, self->capacity);
      self->buffer = g_realloc (self->buffer, self->capacity);
    }
  gboolean is_read = self->packed != NULL
                         ? unpack_bytes (self, self->buffer + here, wanted, error)
                         : read_at (self, self->buffer + here, wanted, self->base + self->offset + here, error);
  if (is_read)
    self->filled += wanted;
  else if (self->packed != NULL)
    self->packed->has_failed = TRUE;
  return is_read;
}

gboolean
tt_pi_window_skip (TtPiWindow *self, guint64 n, GError **error)
{
  gsize here = (gsize) MIN (n, self->filled - self->at);

  tt_pi_window_advance (self, here);
  n -= here;
  if (n > 0 && self->packed == NULL)
    {
      self->at = self->filled = 0;
      self->offset += n;
      return TRUE;
    }
  while (n > 0)
    {
      gsize piece = (gsize) MIN (n, PIECE);
      if (tt_pi_window_need (self, piece, error) == NULL)
        return FALSE;
      tt_pi_window_advance (self, piece);
      n -= piece;
    }
  return TRUE;
}

gboolean
tt_pi_window_seek (TtPiWindow *self, guint64 offset, GError **error)
{
  gboolean has_failed = self->packed != NULL && self->packed->has_failed;

  if (!has_failed && offset < self->offset && self->offset - offset <= self->at)
    {
      self->at -= (gsize) (self->offset - offset);
      self->offset = offset;
      return TRUE;
    }
  if (has_failed || offset < self->offset)
    {
      self->at = self->filled = 0;
      self->offset = 0;
      if (self->packed != NULL)
        restart_packed (self->packed);
    }
  return tt_pi_window_skip (self, offset - self->offset, error);
}
