/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/window.h"

#include "src/base/error.h"
#include "src/base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_ROOM ((guint64) 4096)

static const char cut_short[] = "its compressed file is cut short";
static const char damaged[] = "its compressed file is damaged, or is one of zstd with a window of more than 8 MiB";

static gboolean
fail_file (const TtCtfWindow *self, const char *what, int number, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot %s '%s': %s", what, self->path, g_strerror (number));
  return FALSE;
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

/* -- compressed files ------------------------------------------------------------------------------------------------ */

static gboolean
open_packed (TtCtfWindow *self, GError **error)
{
  g_clear_pointer (&self->packed, tt_input_free);
  self->packed = tt_input_open (self->path, error);
  if (self->packed == NULL)
    return FALSE;
  tt_input_take_cut (self->packed);
  tt_input_be_one_of_many (self->packed);
  return TRUE;
}

/* Contents from where the last ones ended. Damage is an end, with a fault. -1: the file cannot be read. */
static gssize
read_packed (TtCtfWindow *self, guint8 *bytes, gsize n, GError **error)
{
  GError *fault = NULL;
  gsize n_sound;

  if (tt_input_is_damaged (self->packed, &n_sound))
    return 0;
  gssize got = tt_input_read (self->packed, bytes, n, &fault);
  gboolean is_damaged = got < 0 && tt_input_is_damaged (self->packed, &n_sound);
  if (got < 0 && !is_damaged)
    {
      g_propagate_error (error, fault);
      return -1;
    }
  g_clear_error (&fault);
  if (is_damaged)
    self->fault = damaged;
  else if (tt_input_is_cut (self->packed))
    self->fault = cut_short;
  return is_damaged ? (gssize) n_sound : got;
}

/* Unpacks all to see how much there is. */
static gboolean
measure (TtCtfWindow *self, GError **error)
{
  gssize n;

  if (!make_room (self, self->room, error))
    return FALSE;
  self->size = 0;
  while ((n = read_packed (self, self->bytes, self->room, error)) > 0)
    self->size += (guint64) n;
  return n == 0 && open_packed (self, error);
}

/* Goes to the place @at of the contents; uses @room bytes at @bytes. FALSE with @error. */
static gboolean
go_to (TtCtfWindow *self, guint64 at, guint8 *bytes, gsize room, GError **error)
{
  if (tt_input_offset (self->packed) > at && !open_packed (self, error))
    return FALSE;
  while (tt_input_offset (self->packed) < at)
    {
      gssize n = read_packed (self, bytes, (gsize) MIN ((guint64) room, at - tt_input_offset (self->packed)), error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
    }
  return TRUE;
}

/* -- begin and end --------------------------------------------------------------------------------------------------- */

static gboolean
find_wrap (TtCtfWindow *self, TtWrap *wrap, GError **error)
{
  guint8 head[4];
  gssize n;

  while ((n = pread (self->fd, head, sizeof head, 0)) < 0 && errno == EINTR)
    ;
  if (n < 0)
    return fail_file (self, "read", errno, error);
  *wrap = tt_unpack_wrap_of (head, (gsize) n);
  return TRUE;
}

static gboolean
begin (TtCtfWindow *self, gsize room, guint64 known, GError **error)
{
  struct stat facts;
  TtWrap wrap = TT_WRAP_NONE;

  if (fstat (self->fd, &facts) != 0)
    return fail_file (self, "look at", errno, error);
  self->size = (guint64) facts.st_size;
  self->room = (gsize) MIN ((guint64) room, MAX (self->size, MIN_ROOM));
  if (!find_wrap (self, &wrap, error))
    return FALSE;
  if (wrap == TT_WRAP_NONE)
    return TRUE;
  self->room = room;
  self->size = known;
  return open_packed (self, error) && (known > 0 || measure (self, error));
}

gboolean
tt_ctf_window_open (TtCtfWindow *self, const char *path, gsize room, guint64 known, GError **error)
{
  *self = (TtCtfWindow){ .path = path, .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
  if (self->fd < 0)
    return fail_file (self, "open", errno, error);
  if (begin (self, room, known, error))
    return TRUE;
  tt_ctf_window_clear (self);
  return FALSE;
}

void
tt_ctf_window_clear (TtCtfWindow *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->packed, tt_input_free);
  g_clear_pointer (&self->bytes, g_free);
  self->filled = 0;
}

/* -- moving ---------------------------------------------------------------------------------------------------------- */

/* Up to @n bytes of the contents after those that are held; -1: an error. */
static gssize
read_more (TtCtfWindow *self, gsize n, GError **error)
{
  guint64 at = self->first + self->filled;
  guint8 *bytes = self->bytes + self->filled;
  gssize got;

  if (self->packed != NULL)
    return !go_to (self, at, bytes, n, error)    ? -1
           : tt_input_offset (self->packed) < at ? 0
                                                 : read_packed (self, bytes, n, error);
  while ((got = pread (self->fd, bytes, n, (off_t) at)) < 0 && errno == EINTR)
    ;
  if (got < 0)
    fail_file (self, "read", errno, error);
  return got;
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
      gssize got = read_more (self, wanted, error);

      if (got < 0)
        return FALSE;
      /* It was cut while it is read. */
      if (got == 0)
        self->size = self->first + self->filled;
      self->filled += (gsize) got;
    }
  return TRUE;
}
