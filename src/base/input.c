/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/input.h"

#include <string.h>

#include "src/base/unpack-ahead.h"

#define MAGIC_BYTES 4
/* Contents that are unpacked here before a thread is worth it. */
#define AHEAD_FROM ((guint64) TT_ROOM (1 << 20, G_MAXINT64))

struct _TtInput
{
  TtRawInput raw;
  guint64 reported, offset;
  guint64 max; /* bytes of contents */

  TtUnpack unpack;      /* wrap NONE: plain */
  TtUnpackAhead *ahead; /* has `raw` and `unpack` while it is there; NULL: none */
  gboolean is_alone;    /* no thread could be had */
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

static gssize
read_packed (TtInput *self, guint8 *bytes, gsize len, GError **error)
{
  if (self->ahead == NULL && !self->is_alone && !self->raw.is_peek && self->offset >= AHEAD_FROM)
    {
      self->ahead = tt_unpack_ahead_new (&self->unpack);
      self->is_alone = self->ahead == NULL;
    }
  if (self->ahead != NULL)
    return tt_unpack_ahead_read (self->ahead, bytes, len, error);
  return tt_unpack_read (&self->unpack, bytes, len, error);
}

gssize
tt_input_read (TtInput *self, void *buffer, gsize len, GError **error)
{
  gssize n;

  len = (gsize) MIN (MIN (len, (gsize) G_MAXSSIZE), self->max - self->offset);
  if (self->unpack.wrap != TT_WRAP_NONE)
    n = read_packed (self, buffer, len, error);
  else
    n = read_plain (self, buffer, len, error);
  if (n > 0)
    self->offset += (guint64) n;
  return n;
}

/* -- opening ---------------------------------------------------------------------------------- */

/* Looks at the first bytes, which then wait in the raw buffer. */
static gboolean
find_wrap (TtInput *self, GError **error)
{
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

  TtWrap wrap = tt_unpack_wrap_of (self->raw.bytes, self->raw.filled);
  return wrap == TT_WRAP_NONE || tt_unpack_start (&self->unpack, &self->raw, wrap, error);
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
  tt_unpack_ahead_free (self->ahead);
  tt_unpack_clear (&self->unpack);
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
  return self->unpack.wrap != TT_WRAP_NONE;
}

guint64
tt_input_disk_bytes (const TtInput *self)
{
  return self->ahead != NULL ? tt_unpack_ahead_state (self->ahead).disk_bytes : self->raw.disk_bytes;
}

void
tt_input_take_cut (TtInput *self)
{
  self->unpack.takes_cut = TRUE;
}

void
tt_input_be_one_of_many (TtInput *self)
{
  self->is_alone = TRUE;
  tt_unpack_limit_window (&self->unpack);
}

gboolean
tt_input_is_damaged (const TtInput *self, gsize *n)
{
  *n = self->unpack.n_sound;
  return self->unpack.is_damaged;
}

gboolean
tt_input_is_cut (const TtInput *self)
{
  return self->ahead != NULL ? tt_unpack_ahead_state (self->ahead).is_cut : self->unpack.is_cut;
}

guint64
tt_input_progress (TtInput *self)
{
  guint64 at = self->ahead != NULL ? tt_unpack_ahead_state (self->ahead).offset : self->raw.offset;
  guint64 moved = at - self->reported;

  self->reported = at;
  return moved;
}

guint64
tt_input_offset (const TtInput *self)
{
  return self->offset;
}

void
tt_input_forgo_hash (TtInput *self)
{
  tt_raw_input_forgo_hash (&self->raw);
}

char *
tt_input_hash_until (TtInput *self, const gint *is_stopped, GError **error)
{
  if (self->ahead != NULL)
    tt_unpack_ahead_stop (self->ahead);
  /* It needs no contents. */
  return tt_raw_input_hash (&self->raw, is_stopped, error);
}

char *
tt_input_hash (TtInput *self, GError **error)
{
  static const gint is_stopped;

  return tt_input_hash_until (self, &is_stopped, error);
}

gssize
tt_input_peek (const char *path, guint8 *head, gsize len, guint64 *size, GError **error)
{
  g_autoptr (TtInput) self = input_open (path, TRUE, error);

  if (self == NULL)
    return -1;
  self->unpack.takes_cut = TRUE;
  if (size != NULL)
    *size = self->raw.is_stdin || self->unpack.wrap != TT_WRAP_NONE ? 0 : self->raw.disk_bytes;
  return tt_input_read (self, head, len, error);
}

const char *
tt_input_why_nothing (const char *path)
{
  g_autoptr (TtInput) self = input_open (path, TRUE, NULL);
  guint8 byte;

  if (self != NULL)
    self->unpack.takes_cut = TRUE;
  return self != NULL && tt_input_read (self, &byte, 1, NULL) == 0 && tt_input_is_cut (self)
             ? "the compressed file ends before anything of its contents can be read"
             : "the file is empty";
}
