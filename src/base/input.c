/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/progress.h"
#include "src/base/room.h"

/* Also the piece in which plain bytes are read and hashed: it stays in the cache between the two. */
#define RAW_BYTES ((gsize) TT_ROOM (262144, 4096))
#define MAGIC_BYTES 4
#define POLL_MS 200
#define GZIP_WINDOW (15 + 16)

typedef enum
{
  WRAP_NONE,
  WRAP_GZIP,
  WRAP_ZSTD,
} Wrap;

struct _TtInput
{
  char *path;
  int fd;
  GBytes *memory; /* instead of a file; NULL: there is one */
  gboolean is_stdin, is_peek;
  guint64 disk_bytes; /* at opening; for standard input what was read so far */
  guint64 raw_offset; /* bytes taken from disk */
  guint64 reported, offset;
  guint64 max; /* bytes of contents */
  XXH3_state_t *hash;

  guint8 *raw; /* bytes taken from disk and not yet used */
  gsize raw_used, raw_filled;
  gsize replayed; /* of what a peek at standard input has read */

  Wrap wrap;
  gboolean takes_cut, is_cut;
  gboolean is_inside; /* a gzip member or zstd frame, which the file may not end in */
  z_stream inflater;
#ifdef HAVE_ZSTD
  ZSTD_DStream *decompressor;
#endif
};

/* What was read from a standard input that cannot be rewound, for whoever opens it after a peek. */
static GByteArray *stdin_seen;

/* -- raw bytes -------------------------------------------------------------------------------- */

static gssize
fail_at (TtInput *self, guint64 offset, const char *fault, GError **error)
{
  g_autofree char *subject = self->is_stdin ? g_strdup ("standard input") : g_strdup_printf ("'%s'", self->path);

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read %s at byte %" G_GUINT64_FORMAT ": %s", subject, offset,
               fault);
  return -1;
}

/* Whoever asks without an error must not take it for damage. */
static gssize
fail_memory (TtInput *self, GError **error)
{
  tt_look_failed (self->path, ENOMEM);
  return fail_at (self, self->raw_offset, g_strerror (ENOMEM), error);
}

/* As read(), without partial reads by signals. */
static gssize
read_some (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  for (;;)
    {
      gssize n = read (self->fd, bytes, len);

      if (n >= 0)
        return n;
      if (errno != EINTR)
        {
          int number = errno;

          tt_look_failed (self->path, number);
          return fail_at (self, self->raw_offset, g_strerror (number), error);
        }
      if (tt_cancelled (error))
        return -1;
    }
}

/* A pipe may stay silent: Ctrl-C is heard all the same. */
static gboolean
wait_for_bytes (int fd, GError **error)
{
  struct pollfd wanted = { .fd = fd, .events = POLLIN };

  for (;;)
    {
      int n = poll (&wanted, 1, POLL_MS);

      if (n > 0 || (n < 0 && errno != EINTR))
        return TRUE;
      if (tt_cancelled (error))
        return FALSE;
    }
}

static gssize
read_stdin (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  gsize seen = stdin_seen == NULL ? 0 : stdin_seen->len;

  if (self->replayed < seen)
    {
      len = MIN (len, seen - self->replayed);
      memcpy (bytes, stdin_seen->data + self->replayed, len);
      self->replayed += len;
      return (gssize) len;
    }
  if (!self->is_peek)
    g_clear_pointer (&stdin_seen, g_byte_array_unref);
  if (!wait_for_bytes (self->fd, error))
    return -1;

  gssize n = read_some (self, bytes, len, error);
  if (n > 0 && self->is_peek)
    {
      if (stdin_seen == NULL)
        stdin_seen = g_byte_array_new ();
      g_byte_array_append (stdin_seen, bytes, (guint) n);
      self->replayed += (gsize) n;
    }
  return n;
}

static gssize
read_memory (TtInput *self, guint8 *bytes, gsize len)
{
  memcpy (bytes, (const guint8 *) g_bytes_get_data (self->memory, NULL) + self->raw_offset, len);
  return (gssize) len;
}

/* Up to @len bytes from disk, hashed and counted; 0 only at the end. */
static gssize
read_raw (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  gssize n;

  len = MIN (len, RAW_BYTES);
  if (self->is_stdin)
    n = read_stdin (self, bytes, len, error);
  else if (self->raw_offset == self->disk_bytes)
    return 0;
  else
    {
      len = (gsize) MIN (len, self->disk_bytes - self->raw_offset);
      n = self->memory != NULL ? read_memory (self, bytes, len) : read_some (self, bytes, len, error);
    }

  if (n < 0)
    return -1;
  if (n == 0 && !self->is_stdin)
    return fail_at (self, self->raw_offset, "the file has become shorter", error);
  XXH3_128bits_update (self->hash, bytes, (gsize) n);
  self->raw_offset += (guint64) n;
  if (self->is_stdin && n == 0)
    self->disk_bytes = self->raw_offset;
  return n;
}

/* Makes sure that unused raw bytes are at hand; 0 at the end. */
static gssize
fill_raw (TtInput *self, GError **error)
{
  if (self->raw_used < self->raw_filled)
    return 1;

  gssize n = read_raw (self, self->raw, RAW_BYTES, error);
  self->raw_used = 0;
  self->raw_filled = (gsize) MAX (n, 0);
  return n;
}

/* Position in the file of the next unused raw byte. */
static guint64
raw_position (const TtInput *self)
{
  return self->raw_offset - (self->raw_filled - self->raw_used);
}

/* -- contents --------------------------------------------------------------------------------- */

static gssize
read_plain (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  gsize done = MIN (len, self->raw_filled - self->raw_used);

  memcpy (bytes, self->raw + self->raw_used, done);
  self->raw_used += done;
  while (done < len)
    {
      gssize n = read_raw (self, bytes + done, len - done, error);

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
    return fail_at (self, raw_position (self), "the compressed data is cut short", error);
  self->is_cut = TRUE;
  return 0;
}

/* Between members there may be zeros, which tape blocks leave. -1: error, 0: end, 1: a member begins. */
static gssize
next_member (TtInput *self, GError **error)
{
  for (;;)
    {
      gssize n = fill_raw (self, error);

      if (n <= 0)
        return n;
      if (self->raw[self->raw_used] == 0x1f)
        break;
      if (self->raw[self->raw_used] != 0)
        return fail_at (self, raw_position (self), "other bytes follow the compressed data", error);
      self->raw_used++;
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
      gssize n = self->is_inside ? fill_raw (self, error) : next_member (self, error);

      if (n < 0)
        return -1;
      if (n == 0 && self->is_inside && end_short (self, error) < 0)
        return -1;
      if (n == 0)
        break;

      gsize room = MIN (len - done, (gsize) 1 << 30);
      stream->next_in = self->raw + self->raw_used;
      stream->avail_in = (uInt) (self->raw_filled - self->raw_used);
      stream->next_out = bytes + done;
      stream->avail_out = (uInt) room;
      int status = inflate (stream, Z_NO_FLUSH);
      self->raw_used = self->raw_filled - stream->avail_in;
      done += room - stream->avail_out;

      if (status == Z_STREAM_END)
        self->is_inside = FALSE;
      else if (status == Z_MEM_ERROR)
        return fail_memory (self, error);
      else if (status != Z_OK)
        return fail_at (self, raw_position (self), stream->msg != NULL ? stream->msg : "the compressed data is damaged",
                        error);
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
      gssize n = fill_raw (self, error);

      if (n < 0)
        return -1;

      /* At the end the decompressor may still hold bytes that had no room before. */
      ZSTD_inBuffer in = { self->raw, self->raw_filled, self->raw_used };
      gsize before = out.pos;
      if (n == 0 && !self->is_inside)
        break;
      gsize status = ZSTD_decompressStream (self->decompressor, &out, &in);
      self->raw_used = in.pos;
      if (ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
        return fail_memory (self, error);
      if (ZSTD_isError (status))
        return fail_at (self, raw_position (self), ZSTD_getErrorName (status), error);
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
check_kind (const char *path, mode_t mode, GError **error)
{
  const char *kind = S_ISFIFO (mode) ? "FIFO" : "device";

  if (S_ISREG (mode))
    return TRUE;
  if (S_ISDIR (mode) || S_ISSOCK (mode))
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is a %s, not a file", path,
                 S_ISDIR (mode) ? "directory" : "socket");
  else
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is a %s: use \"tracetool ... - < %s\"", path, kind, path);
  return FALSE;
}

/* Nothing but a regular file is opened: opening a FIFO or a device can hang or do harm. */
static gboolean
open_file (TtInput *self, GError **error)
{
  struct stat status;

  if (tt_look_stat (self->path, &status) == 0)
    {
      if (!check_kind (self->path, status.st_mode, error))
        return FALSE;
      self->fd = open (self->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
  if (self->fd < 0 || fstat (self->fd, &status) != 0)
    {
      int number = errno;
      tt_look_failed (self->path, number);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", self->path, g_strerror (number));
      return FALSE;
    }
  if (!check_kind (self->path, status.st_mode, error))
    return FALSE;

  self->disk_bytes = (guint64) MAX (status.st_size, 0);
  posix_fadvise (self->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return TRUE;
}

static gboolean
start_gzip (TtInput *self, GError **error)
{
  self->is_inside = TRUE;
  if (inflateInit2 (&self->inflater, GZIP_WINDOW) != Z_OK)
    {
      fail_memory (self, error);
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
      fail_memory (self, error);
      return FALSE;
    }
  self->is_inside = TRUE;
  self->wrap = WRAP_ZSTD;
  return TRUE;
#else
  fail_at (self, 0, "this build has no zstd; unpack the file with \"zstd -d\"", error);
  return FALSE;
#endif
}

/* Looks at the first bytes, which then wait in the raw buffer. */
static gboolean
find_wrap (TtInput *self, GError **error)
{
  const guint8 *raw = self->raw;

  while (self->raw_filled < MAGIC_BYTES)
    {
      gsize want = self->is_stdin ? RAW_BYTES - self->raw_filled : MAGIC_BYTES - self->raw_filled;
      gssize n = read_raw (self, self->raw + self->raw_filled, want, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      self->raw_filled += (gsize) n;
    }

  if (self->raw_filled >= 3 && memcmp (raw, "\x1f\x8b\x08", 3) == 0)
    return start_gzip (self, error);
  if (self->raw_filled >= MAGIC_BYTES && (memcmp (raw, "\x28\xb5\x2f\xfd", 4) == 0 ||
                                          ((raw[0] & 0xf0) == 0x50 && memcmp (raw + 1, "\x2a\x4d\x18", 3) == 0)))
    return start_zstd (self, error);
  return TRUE;
}

static TtInput *
input_new (const char *path)
{
  TtInput *self = g_new0 (TtInput, 1);

  self->path = g_strdup (path);
  self->max = G_MAXUINT64;
  self->fd = -1;
  self->raw = g_malloc (RAW_BYTES);
  self->hash = XXH3_createState ();
  if (self->hash == NULL)
    g_error ("no memory to read '%s'", path); /* as where g_malloc() has none */
  XXH3_128bits_reset (self->hash);
  return self;
}

static TtInput *
input_open (const char *path, gboolean is_peek, GError **error)
{
  g_autoptr (TtInput) self = input_new (path);

  self->is_stdin = g_str_equal (path, "-");
  self->is_peek = is_peek;
  if (self->is_stdin)
    self->fd = STDIN_FILENO;
  if (!self->is_stdin && !open_file (self, error))
    return NULL;
  if (!find_wrap (self, error))
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
  if (!self->is_stdin && __builtin_add_overflow (self->offset, max, &self->max))
    self->max = G_MAXUINT64;
}

TtInput *
tt_input_open_bytes (const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (TtInput) self = input_new (path);

  self->memory = g_bytes_ref (bytes);
  self->disk_bytes = g_bytes_get_size (bytes);
  if (!find_wrap (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_input_free (TtInput *self)
{
  if (self == NULL)
    return;
  if (!self->is_stdin && self->fd >= 0)
    close (self->fd);
  if (self->wrap == WRAP_GZIP)
    inflateEnd (&self->inflater);
#ifdef HAVE_ZSTD
  ZSTD_freeDStream (self->decompressor);
#endif
  XXH3_freeState (self->hash);
  g_clear_pointer (&self->memory, g_bytes_unref);
  g_free (self->raw);
  g_free (self->path);
  g_free (self);
}

/* -- facts ------------------------------------------------------------------------------------ */

const char *
tt_input_path (const TtInput *self)
{
  return self->path;
}

gboolean
tt_input_is_compressed (const TtInput *self)
{
  return self->wrap != WRAP_NONE;
}

guint64
tt_input_disk_bytes (const TtInput *self)
{
  return self->disk_bytes;
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
  guint64 moved = self->raw_offset - self->reported;

  self->reported = self->raw_offset;
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
  gssize n;

  /* The hash needs no contents, only the bytes on disk. */
  do
    {
      self->raw_used = self->raw_filled = 0;
      n = read_raw (self, self->raw, RAW_BYTES, error);
    }
  while (n > 0);
  if (n < 0)
    return NULL;

  XXH128_canonical_t canonical;
  GString *text = g_string_sized_new (2 * sizeof canonical.digest);

  XXH128_canonicalFromHash (&canonical, XXH3_128bits_digest (self->hash));
  for (gsize i = 0; i < sizeof canonical.digest; i++)
    g_string_append_printf (text, "%02x", canonical.digest[i]);
  return g_string_free (text, FALSE);
}

gssize
tt_input_peek (const char *path, guint8 *head, gsize len, guint64 *size, GError **error)
{
  g_autoptr (TtInput) self = input_open (path, TRUE, error);

  if (self == NULL)
    return -1;
  self->takes_cut = TRUE;
  if (size != NULL)
    *size = self->is_stdin || self->wrap != WRAP_NONE ? 0 : self->disk_bytes;
  return tt_input_read (self, head, len, error);
}
