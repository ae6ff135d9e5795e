/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/frames.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_ABOVE (1u << 18)

/* -- writing ------------------------------------------------------------------------------------------------- */

void
tt_ctf_writer_flush (TtCtfWriter *self)
{
  gsize done = 0;

  while (!self->has_failed && done < self->bytes->len)
    {
      gssize n = write (self->fd, self->bytes->data + done, self->bytes->len - done);
      if (n > 0)
        done += (gsize) n;
      else if (n == 0 || errno != EINTR)
        self->has_failed = TRUE;
    }
  g_byte_array_set_size (self->bytes, 0);
}

void
tt_ctf_frame_begin (TtCtfWriter *self, TtCtfFrameKind kind)
{
  self->frame = self->bytes->len;
  tt_ctf_write_u32 (self, 0);
  tt_ctf_write_u32 (self, kind);
}

void
tt_ctf_frame_end (TtCtfWriter *self)
{
  guint32 len = self->bytes->len - self->frame - TT_CTF_FRAME_HEADER;

  memcpy (self->bytes->data + self->frame, &len, sizeof len);
  if (self->bytes->len > FLUSH_ABOVE)
    tt_ctf_writer_flush (self);
}

void
tt_ctf_write_u32 (TtCtfWriter *self, guint32 value)
{
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

void
tt_ctf_write_i64 (TtCtfWriter *self, gint64 value)
{
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

void
tt_ctf_write_text (TtCtfWriter *self, const char *text)
{
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

/* -- reading ------------------------------------------------------------------------------------------------- */

static void
read_bytes (TtCtfCursor *self, void *value, gsize len)
{
  memset (value, 0, len);
  if ((gsize) (self->end - self->at) < len)
    {
      self->has_failed = TRUE;
      return;
    }
  memcpy (value, self->at, len);
  self->at += len;
}

guint32
tt_ctf_read_u32 (TtCtfCursor *self)
{
  guint32 value;

  read_bytes (self, &value, sizeof value);
  return value;
}

gint64
tt_ctf_read_i64 (TtCtfCursor *self)
{
  gint64 value;

  read_bytes (self, &value, sizeof value);
  return value;
}

const char *
tt_ctf_read_text (TtCtfCursor *self)
{
  const char *text = (const char *) self->at;
  const guint8 *nul = self->at == self->end ? NULL : memchr (self->at, '\0', (gsize) (self->end - self->at));

  if (nul == NULL)
    {
      self->has_failed = TRUE;
      return "";
    }
  self->at = nul + 1;
  return text;
}
