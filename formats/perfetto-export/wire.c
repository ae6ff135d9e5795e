/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/wire.h"

gsize
tt_wire_open (WireBytes *self, guint field)
{
  guint8 *to = tt_wire_reserve (self, WIRE_MAX_VARINT + 1);

  to = tt_wire_put_varint (to, WIRE_TAG (field, WIRE_LENGTH));
  tt_wire_end (self, to + 1);
  return self->len;
}

void
tt_wire_close (WireBytes *self, gsize begin)
{
  gsize len = self->len - begin;
  guint more = tt_wire_varint_len (len) - 1;

  if (G_UNLIKELY (more > 0))
    {
      tt_wire_reserve (self, more);
      memmove (self->bytes + begin + more, self->bytes + begin, len);
      self->len += more;
    }
  tt_wire_put_varint (self->bytes + begin - 1, len);
}

void
tt_wire_add_text (WireBytes *self, guint field, const char *text, gsize len)
{
  if (G_LIKELY (g_utf8_validate_len (text, len, NULL)))
    tt_wire_add_bytes (self, field, text, len);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, (gssize) len);
      tt_wire_add_bytes (self, field, valid, strlen (valid));
    }
}
