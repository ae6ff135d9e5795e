/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/arg-keys.h"

void
tt_chrome_arg_keys_clear (ChromeArgKeys *self)
{
  g_clear_pointer (&self->more, g_hash_table_unref);
  g_clear_pointer (&self->texts, g_string_chunk_free);
}

static TtSlice
unescaped (ChromeArgKeys *self, TtSlice raw)
{
  const TtJsonValue string = { .kind = TT_JSON_STRING, .has_escapes = TRUE, .raw = raw };
  g_autoptr (GString) text = g_string_new (NULL);

  tt_json_unescape (&string, text, NULL);
  if (self->texts == NULL)
    self->texts = g_string_chunk_new (256);
  return (TtSlice){ g_string_chunk_insert_len (self->texts, text->str, (gssize) text->len), text->len };
}

static gboolean
add_to_many (ChromeArgKeys *self, TtSlice text)
{
  if (self->more == NULL)
    self->more = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  return g_hash_table_add (self->more, g_bytes_new_static (text.bytes, text.len));
}

gboolean
tt_chrome_arg_keys_add (ChromeArgKeys *self, TtSlice raw, TtSlice *text)
{
  *text = raw;
  if (G_UNLIKELY (raw.len > 0 && memchr (raw.bytes, '\\', raw.len) != NULL))
    *text = unescaped (self, raw);
  for (guint i = 0; i < self->n_few; i++)
    if (tt_slice_is (self->few[i], text->bytes, text->len))
      return FALSE;
  if (G_UNLIKELY (self->n_few == CHROME_FEW_KEYS))
    return add_to_many (self, *text);
  self->few[self->n_few++] = *text;
  return TRUE;
}
