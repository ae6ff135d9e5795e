/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/deal.h"

#include "src/base/error.h"

void
tt_dealt_init (TtDealt *self, guint n, guint size)
{
  *self = (TtDealt){ g_new (GArray *, n), n };
  for (guint i = 0; i < n; i++)
    self->of[i] = g_array_new (FALSE, FALSE, size);
}

void
tt_dealt_clear (TtDealt *self)
{
  for (guint i = 0; i < self->n; i++)
    g_array_unref (self->of[i]);
  g_clear_pointer (&self->of, g_free);
  self->n = 0;
}

void
tt_dealt_give (TtDealt *self, guint own, GByteArray **bytes, GArray *kept)
{
  for (guint i = 0; i < self->n; i++)
    {
      GArray *elements = self->of[i];

      if (i != own)
        tt_dealt_pack (elements, bytes[i]);
      else if (elements->len > 0)
        g_array_append_vals (kept, elements->data, elements->len);
      g_array_set_size (elements, 0);
    }
}

/* Of what is longer than such bytes can be too few go, which who takes them refuses. */
void
tt_dealt_pack (GArray *elements, GByteArray *bytes)
{
  tt_pack_number (bytes, elements->len);
  if (elements->len > 0)
    g_byte_array_append (bytes, (const guint8 *) elements->data, elements->len * g_array_get_element_size (elements));
}

gboolean
tt_dealt_take (TtUnpack *from, GArray *elements)
{
  const guint size = g_array_get_element_size (elements);
  const guint64 n = tt_unpack_below (from, G_MAXUINT32 / size);
  const guint8 *bytes = tt_unpack_bytes (from, (gsize) n * size);

  if (n > 0 && bytes != NULL)
    g_array_append_vals (elements, bytes, (guint) n);
  return !from->is_bad;
}

gboolean
tt_dealt_refuse (GError **error)
{
  g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "what ranks say of their parts of the run cannot be right");
  return FALSE;
}
