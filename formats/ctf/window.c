/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/window.h"

#include "src/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_ROOM ((guint64) 4096)

static gboolean
fail_file (const TtCtfWindow *self, const char *what, int number, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot %s '%s': %s", what, self->path, g_strerror (number));
  return FALSE;
}

gboolean
tt_ctf_window_open (TtCtfWindow *self, const char *path, gsize room, GError **error)
{
  struct stat facts;

  *self = (TtCtfWindow){ .path = path, .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
  if (self->fd < 0)
    return fail_file (self, "open", errno, error);
  if (fstat (self->fd, &facts) != 0)
    {
      int number = errno;

      tt_ctf_window_clear (self);
      return fail_file (self, "look at", number, error);
    }
  self->size = (guint64) facts.st_size;
  self->room = (gsize) MIN ((guint64) room, MAX (self->size, MIN_ROOM));
  return TRUE;
}

void
tt_ctf_window_clear (TtCtfWindow *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->bytes, g_free);
  self->filled = 0;
}

/* Makes room for @n bytes. */
static gboolean
make_room (TtCtfWindow *self, gsize n, GError **error)
{
  guint8 *bytes;

  if (self->bytes != NULL && n <= self->room)
    return TRUE;
  bytes = g_try_realloc (self->bytes, MAX (n, self->room));
  if (bytes == NULL)
    return fail_file (self, "read", ENOMEM, error);
  self->bytes = bytes;
  self->room = MAX (n, self->room);
  return TRUE;
}

gboolean
tt_ctf_window_hold (TtCtfWindow *self, guint64 from, gsize n, GError **error)
{
  guint64 end = self->first + self->filled;

  if (from >= self->first && from <= end && (end - from >= n || end == self->size))
    return TRUE;
  if (!make_room (self, n, error))
    return FALSE;
  gsize kept = from >= self->first && from < end ? (gsize) (end - from) : 0;
  if (kept > 0)
    memmove (self->bytes, self->bytes + (from - self->first), kept);
  self->first = from;
  self->filled = kept;
  while (self->filled < self->room && self->first + self->filled < self->size)
    {
      gsize wanted = (gsize) MIN (self->room - self->filled, self->size - self->first - self->filled);
      gssize got = pread (self->fd, self->bytes + self->filled, wanted, (off_t) (self->first + self->filled));

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return fail_file (self, "read", errno, error);
      /* It was cut while it is read. */
      if (got == 0)
        self->size = self->first + self->filled;
      self->filled += (gsize) got;
    }
  return TRUE;
}
