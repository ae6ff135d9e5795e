/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/temporary-file.h"

#include "src/base/error.h"
#include "src/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define COPY_BYTES ((gsize) 8 << 20)

static int
open_in (const char *directory)
{
#ifdef O_TMPFILE
  int fd = g_open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0)
    return fd;
#endif
  g_autofree char *path = g_build_filename (directory, "tracetool-XXXXXX", NULL);
  int named = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (named >= 0)
    g_unlink (path);
  return named;
}

int
tt_temporary_file (GError **error)
{
  const char *chosen = g_getenv ("TMPDIR");
  const char *const directories[] = { chosen != NULL && *chosen != '\0' ? chosen : "/var/tmp", "/var/tmp", "/tmp" };

  for (guint i = 0; i < G_N_ELEMENTS (directories); i++)
    {
      int fd = open_in (directories[i]);
      if (fd >= 0)
        return fd;
    }
  int saved = errno;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "cannot make a temporary file in '%s': %s; set TMPDIR to a directory with room", directories[0],
               g_strerror (saved));
  return -1;
}

int
tt_temporary_file_in (const char *directory, GError **error)
{
  int fd = open_in (directory), saved = errno;

  if (fd < 0)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot make a temporary file in '%s': %s", directory,
                 g_strerror (saved));
  return fd;
}

/* NULL, or why not; *@n_done: how many bytes were read. */
static const char *
get (int fd, guint64 offset, void *bytes, gsize len, gsize *n_done)
{
  for (*n_done = 0; *n_done < len;)
    {
      gssize n = pread (fd, (guint8 *) bytes + *n_done, len - *n_done, (off_t) (offset + *n_done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          const char *why = n < 0 ? g_strerror (errno) : "it has become shorter";
          memset ((guint8 *) bytes + *n_done, 0, len - *n_done);
          return why;
        }
      *n_done += (gsize) n;
    }
  return NULL;
}

gboolean
tt_file_read_at (int fd, guint64 offset, void *bytes, gsize len, GError **error)
{
  gsize n_done;
  const char *why = get (fd, offset, bytes, len, &n_done);

  if (why != NULL && error != NULL && *error == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read back a temporary file: %s", why);
  return why == NULL;
}

gboolean
tt_file_read_named_at (int fd, const char *name, guint64 offset, void *bytes, gsize len, GError **error)
{
  gsize n_done;
  const char *why = get (fd, offset, bytes, len, &n_done);

  if (why != NULL && error != NULL && *error == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot read %s at byte %" G_GUINT64_FORMAT ": %s", name,
                 offset + n_done, why);
  return why == NULL;
}

/* 0, or errno; *@n_done: how many bytes are there now. */
static int
put (int fd, guint64 offset, const void *bytes, gsize len, gsize *n_done)
{
  for (*n_done = 0; *n_done < len;)
    {
      gssize n = pwrite (fd, (const guint8 *) bytes + *n_done, len - *n_done, (off_t) (offset + *n_done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : ENOSPC;
      *n_done += (gsize) n;
    }
  return 0;
}

gboolean
tt_file_write_at (int fd, guint64 offset, const void *bytes, gsize len, GError **error)
{
  gsize n_done;
  int number = put (fd, offset, bytes, len, &n_done);

  if (number != 0 && error != NULL && *error == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                 "cannot write a temporary file: %s; set TMPDIR to a directory with more room", g_strerror (number));
  return number == 0;
}

gboolean
tt_file_write_named_at (int fd, const char *name, guint64 offset, const void *bytes, gsize len, GError **error)
{
  gsize n_done;
  int number = put (fd, offset, bytes, len, &n_done);

  if (number != 0 && error != NULL && *error == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s' at byte %" G_GUINT64_FORMAT ": %s", name,
                 offset + n_done, g_strerror (number));
  return number == 0;
}

/* -- copies ---------------------------------------------------------------------------------------------------------- */

/* How many of the @len bytes at @at are at @offset now; the rest is for who can say what is wrong. */
static gsize
copy_in_kernel (int from, guint64 at, int fd, guint64 offset, gsize len)
{
  off_t next = (off_t) at;
  gsize n_done = 0;

  if (lseek (fd, (off_t) offset, SEEK_SET) < 0)
    return 0;
  while (n_done < len)
    {
      const gssize n = sendfile (fd, from, &next, len - n_done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      n_done += (gsize) n;
    }
  return n_done;
}

gboolean
tt_file_copy_named_at (int from, int fd, const char *name, guint64 offset, guint64 len, GError **error)
{
  g_autofree guint8 *bytes = NULL;

  for (guint64 at = 0; at < len;)
    {
      const gsize n = (gsize) MIN (COPY_BYTES, len - at);

      if (tt_cancelled (error))
        return FALSE;
      const gsize n_done = bytes != NULL ? 0 : copy_in_kernel (from, at, fd, offset + at, n);
      at += n_done;
      if (n_done == n)
        continue;
      if (bytes == NULL)
        bytes = g_malloc (COPY_BYTES);
      if (!tt_file_read_at (from, at, bytes, n - n_done, error) ||
          !tt_file_write_named_at (fd, name, offset + at, bytes, n - n_done, error))
        return FALSE;
      at += n - n_done;
    }
  return TRUE;
}
