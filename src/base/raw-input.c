/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/raw-input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/progress.h"

#define POLL_MS 200

/* What was read from a standard input that cannot be rewound, for whoever opens it after a peek. */
static GByteArray *stdin_seen;

gssize
tt_raw_input_fail (const TtRawInput *self, guint64 offset, const char *fault, GError **error)
{
  g_autofree char *subject = self->is_stdin ? g_strdup ("standard input") : g_strdup_printf ("'%s'", self->path);

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read %s at byte %" G_GUINT64_FORMAT ": %s", subject, offset,
               fault);
  return -1;
}

/* Whoever asks without an error must not take it for damage. */
gssize
tt_raw_input_fail_memory (const TtRawInput *self, GError **error)
{
  if (!self->is_part)
    tt_look_failed (self->path, ENOMEM);
  return tt_raw_input_fail (self, self->offset, g_strerror (ENOMEM), error);
}

/* -- reading ---------------------------------------------------------------------------------- */

/* As read(), without partial reads by signals. */
static gssize
read_some (TtRawInput *self, guint8 *bytes, gsize len, GError **error)
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
          return tt_raw_input_fail (self, self->offset, g_strerror (number), error);
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
read_stdin (TtRawInput *self, guint8 *bytes, gsize len, GError **error)
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
read_memory (TtRawInput *self, guint8 *bytes, gsize len)
{
  memcpy (bytes, (const guint8 *) g_bytes_get_data (self->memory, NULL) + self->offset, len);
  return (gssize) len;
}

gssize
tt_raw_input_read (TtRawInput *self, guint8 *bytes, gsize len, GError **error)
{
  gssize n;

  len = MIN (len, TT_RAW_BYTES);
  if (self->is_stdin)
    n = read_stdin (self, bytes, len, error);
  else if (self->offset == self->disk_bytes)
    return 0;
  else
    {
      len = (gsize) MIN (len, self->disk_bytes - self->offset);
      n = self->memory != NULL ? read_memory (self, bytes, len) : read_some (self, bytes, len, error);
    }

  if (n < 0)
    return -1;
  if (n == 0 && !self->is_stdin)
    return tt_raw_input_fail (self, self->offset, "the file has become shorter", error);
  if (self->hash != NULL)
    XXH3_128bits_update (self->hash, bytes, (gsize) n);
  self->offset += (guint64) n;
  if (self->is_stdin && n == 0)
    self->disk_bytes = self->offset;
  return n;
}

static void
drop_again (TtRawInput *self)
{
  g_clear_pointer (&self->again, g_byte_array_unref);
  self->again_at = 0;
}

/* As far as the piece of the file goes that they come from. */
static gssize
fill_again (TtRawInput *self)
{
  const gsize ahead = (gsize) ((tt_raw_input_position (self) - self->taken_at) % TT_RAW_BYTES);

  self->filled = MIN (tt_raw_input_n_again (self), TT_RAW_BYTES - ahead);
  memcpy (self->bytes, self->again->data + self->again_at, self->filled);
  self->again_at += self->filled;
  if (self->again_at == self->again->len)
    drop_again (self);
  return (gssize) self->filled;
}

gssize
tt_raw_input_fill (TtRawInput *self, GError **error)
{
  if (self->used < self->filled)
    return 1;

  self->used = self->filled = 0;
  if (tt_raw_input_n_again (self) > 0)
    return fill_again (self);
  if (self->again_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->again_error));
      return -1;
    }

  gssize n = tt_raw_input_read (self, self->bytes, TT_RAW_BYTES, error);
  self->filled = (gsize) MAX (n, 0);
  if (n > 0)
    self->taken_at = self->offset - self->filled;
  return n;
}

void
tt_raw_input_put_back (TtRawInput *self, const guint8 *bytes, gsize n, GError *error)
{
  if (error != NULL)
    {
      g_clear_error (&self->again_error);
      self->again_error = error;
    }
  /* Most often they are still there. */
  if (n <= self->used)
    {
      self->used -= n;
      return;
    }

  GByteArray *again = g_byte_array_new ();

  g_byte_array_append (again, bytes, (guint) n);
  g_byte_array_append (again, self->bytes + self->used, (guint) (self->filled - self->used));
  if (self->again != NULL)
    g_byte_array_append (again, self->again->data + self->again_at, (guint) tt_raw_input_n_again (self));
  drop_again (self);
  self->again = again;
  self->used = self->filled = 0;
}

void
tt_raw_input_forgo_hash (TtRawInput *self)
{
  XXH3_freeState (g_steal_pointer (&self->hash));
}

char *
tt_raw_input_hash (TtRawInput *self, const gint *is_stopped, GError **error)
{
  gssize n;

  drop_again (self);
  do
    {
      self->used = self->filled = 0;
      n = tt_raw_input_read (self, self->bytes, TT_RAW_BYTES, error);
    }
  while (n > 0 && !g_atomic_int_get (is_stopped));
  if (n != 0)
    return NULL;
  if (self->hash == NULL)
    return g_strdup ("");

  XXH128_canonical_t canonical;
  GString *text = g_string_sized_new (2 * sizeof canonical.digest);

  XXH128_canonicalFromHash (&canonical, XXH3_128bits_digest (self->hash));
  for (gsize i = 0; i < sizeof canonical.digest; i++)
    g_string_append_printf (text, "%02x", canonical.digest[i]);
  return g_string_free (text, FALSE);
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
open_file (TtRawInput *self, GError **error)
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

static void
init (TtRawInput *self, const char *path)
{
  *self = (TtRawInput){ .path = g_strdup (path), .fd = -1 };
  self->bytes = g_malloc (TT_RAW_BYTES);
  self->hash = XXH3_createState ();
  if (self->hash == NULL)
    g_error ("no memory to read '%s'", path); /* as where g_malloc() has none */
  XXH3_128bits_reset (self->hash);
}

gboolean
tt_raw_input_open (TtRawInput *self, const char *path, gboolean is_peek, GError **error)
{
  init (self, path);
  self->is_stdin = g_str_equal (path, "-");
  self->is_peek = is_peek;
  if (!self->is_stdin)
    return open_file (self, error);
  self->fd = STDIN_FILENO;
  return TRUE;
}

void
tt_raw_input_open_bytes (TtRawInput *self, const char *path, GBytes *bytes)
{
  init (self, path);
  self->memory = g_bytes_ref (bytes);
  self->disk_bytes = g_bytes_get_size (bytes);
}

void
tt_raw_input_clear (TtRawInput *self)
{
  if (!self->is_stdin && self->fd >= 0)
    close (self->fd);
  XXH3_freeState (self->hash);
  drop_again (self);
  g_clear_error (&self->again_error);
  g_clear_pointer (&self->memory, g_bytes_unref);
  g_clear_pointer (&self->bytes, g_free);
  g_clear_pointer (&self->path, g_free);
}
