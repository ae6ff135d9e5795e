/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/tape.h"

#include "src/base/temporary-file.h"

#include <string.h>
#include <unistd.h>

#define FIRST_ALLOCATION 4096u
#define TEXT_GUESS 64u /* most texts are shorter: one read gets them */

struct _TtTape
{
  guint8 *tail; /* bytes from flushed on */
  gsize n_tail, allocated, cap;
  guint64 flushed; /* bytes in the file */
  int fd;          /* -1 until the first flush */
  GError *error;
};

TtTape *
tt_tape_new (gsize memory_bytes)
{
  TtTape *self = g_new0 (TtTape, 1);

  self->cap = MAX (memory_bytes, FIRST_ALLOCATION);
  self->fd = -1;
  return self;
}

void
tt_tape_free (TtTape *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->tail);
  g_clear_error (&self->error);
  g_free (self);
}

static void
flush (TtTape *self)
{
  if (self->fd < 0 && self->error == NULL)
    self->fd = tt_temporary_file (&self->error);
  if (self->error == NULL)
    tt_file_write_at (self->fd, self->flushed, self->tail, self->n_tail, &self->error);
  self->flushed += self->n_tail;
  self->n_tail = 0;
}

guint64
tt_tape_append (TtTape *self, const void *bytes, gsize len)
{
  guint64 offset = tt_tape_size (self);
  const guint8 *from = bytes;

  while (len > 0)
    {
      if (self->n_tail == self->allocated)
        {
          if (self->allocated == self->cap)
            flush (self);
          else
            {
              self->allocated = MIN (MAX (self->allocated * 2, FIRST_ALLOCATION), self->cap);
              self->tail = g_realloc (self->tail, self->allocated);
            }
        }
      gsize n = MIN (len, self->allocated - self->n_tail);
      memcpy (self->tail + self->n_tail, from, n);
      self->n_tail += n;
      from += n;
      len -= n;
    }
  return offset;
}

guint64
tt_tape_size (const TtTape *self)
{
  return self->flushed + self->n_tail;
}

/* Others may read, too. */
static void
read_file (TtTape *self, guint64 offset, guint8 *to, gsize n)
{
  GError *error = NULL;

  if (g_atomic_pointer_get (&self->error) != NULL)
    memset (to, 0, n);
  else if (!tt_file_read_at (self->fd, offset, to, n, &error) &&
           !g_atomic_pointer_compare_and_exchange (&self->error, NULL, error))
    g_error_free (error);
}

void
tt_tape_read (TtTape *self, guint64 offset, void *bytes, gsize len)
{
  guint8 *to = bytes;

  if (offset < self->flushed)
    {
      gsize n = (gsize) MIN (len, self->flushed - offset);
      read_file (self, offset, to, n);
      to += n;
      offset += n;
      len -= n;
    }
  if (len == 0)
    return;

  guint64 at = offset - self->flushed;
  gsize there = at >= self->n_tail ? 0 : (gsize) MIN (len, self->n_tail - at);
  if (there > 0)
    memcpy (to, self->tail + at, there);
  memset (to + there, 0, len - there);
}

guint64
tt_tape_append_text (TtTape *self, const char *text, gsize len)
{
  const guint64 stored_len = len;
  guint64 offset = tt_tape_append (self, &stored_len, sizeof stored_len);

  tt_tape_append (self, text, len);
  return offset;
}

const char *
tt_tape_read_text (TtTape *self, guint64 offset, GString *into)
{
  guint8 guess[TEXT_GUESS];
  guint64 len;

  tt_tape_read (self, offset, guess, sizeof guess);
  memcpy (&len, guess, sizeof len);
  g_string_set_size (into, (gsize) MIN (len, tt_tape_size (self)));
  if (into->len <= sizeof guess - sizeof len)
    memcpy (into->str, guess + sizeof len, into->len);
  else
    tt_tape_read (self, offset + sizeof len, into->str, into->len);
  return into->str;
}

gboolean
tt_tape_check (TtTape *self, GError **error)
{
  if (g_atomic_pointer_get (&self->error) == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}
