/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

#include "src/base/error.h"

static void
set_size (TtJson *self, gsize size)
{
  self->bytes = g_realloc (self->bytes, size + TT_SCAN_PADDING);
  self->size = size;
}

static void
end_at (TtJson *self, gsize at)
{
  self->filled = at;
  memset (self->bytes + at, 0, TT_SCAN_PADDING);
}

TtJson *
tt_json_new_sized (TtInput *input, TtRepairs *repairs, gsize size)
{
  TtJson *self = g_new0 (TtJson, 1);

  self->input = input;
  self->repairs = repairs;
  self->index_depth = self->inner_depth = G_MAXUINT;
  self->most = self->unlike_at = G_MAXSIZE;
  set_size (self, MAX (size, 1));
  end_at (self, 0);
  return self;
}

TtJson *
tt_json_new (TtInput *input, TtRepairs *repairs)
{
  return tt_json_new_sized (input, repairs, TT_JSON_BUFFER);
}

void
tt_json_free (TtJson *self)
{
  if (self == NULL)
    return;
  if (self->whole == NULL)
    g_free (self->bytes);
  g_clear_error (&self->failed);
  g_free (self->shapes);
  g_free (self);
}

static gboolean
make_room (TtJson *self, GError **error)
{
  if (self->at > 0)
    {
      self->unlike_at = G_MAXSIZE;
      memmove (self->bytes, self->bytes + self->at, self->filled - self->at);
      self->base += self->at;
      self->filled -= self->at;
      self->at = 0;
    }
  if (self->filled < self->size)
    return TRUE;
  if (self->size >= TT_JSON_LONGEST)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: byte %" G_GUINT64_FORMAT ": the value that begins here is longer than %u MiB",
                   tt_input_path (self->input), self->base, (guint) (TT_JSON_LONGEST >> 20));
      return FALSE;
    }
  set_size (self, MIN (2 * self->size, TT_JSON_LONGEST));
  return TRUE;
}

gboolean
tt_json_more (TtJson *self, GError **error)
{
  if (G_UNLIKELY (self->whole != NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": a part of the file ends here",
                   tt_input_path (self->input), tt_json_offset_of (self, self->filled));
      return FALSE;
    }
  if (G_UNLIKELY (self->failed != NULL))
    {
      g_propagate_error (error, g_steal_pointer (&self->failed));
      return FALSE;
    }
  if (!make_room (self, error))
    return FALSE;

  gsize room = self->size - self->filled;
  gssize n = tt_input_read (self->input, self->bytes + self->filled, room, error);
  if (n < 0)
    {
      end_at (self, self->filled);
      return FALSE;
    }
  self->is_whole = (gsize) n < room;
  end_at (self, self->filled + (gsize) n);
  return TRUE;
}

void
tt_json_put_back (TtJson *self, TtSlice bytes)
{
  gsize n_unread = self->filled - self->at;

  if (bytes.len > self->at)
    {
      gsize size = bytes.len + n_unread;

      if (size > self->size)
        set_size (self, size);
      memmove (self->bytes + bytes.len, self->bytes + self->at, n_unread);
      self->base += self->at;
      self->base -= bytes.len;
      self->at = bytes.len;
      end_at (self, size);
    }
  self->at -= bytes.len;
  memcpy (self->bytes + self->at, bytes.bytes, bytes.len);
  self->unlike_at = G_MAXSIZE;
}

void
tt_json_close_at (TtJson *self, gsize at, guint n_closers)
{
  guint depth = self->depth;

  if (at + n_closers > self->size)
    set_size (self, at + n_closers);
  for (guint i = 0; i < n_closers; i++, self->depth--)
    self->bytes[at + i] = tt_json_in_object (self) ? '}' : ']';
  self->depth = depth;
  end_at (self, at + n_closers);
}

guint64
tt_json_offset (const TtJson *self)
{
  return MIN (tt_json_offset_of (self, self->at), tt_input_offset (self->input));
}

guint64
tt_json_progress (TtJson *self)
{
  return tt_input_progress (self->input);
}
