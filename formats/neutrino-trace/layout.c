/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/layout.h"

#include "formats/neutrino-trace/layout-private.h"
#include "formats/neutrino/toml-read.h"
#include "src/base/error.h"
#include "src/base/input.h"

#include <string.h>

static void
free_map (gpointer data)
{
  tt_neutrino_map_free (data);
}

void
tt_neutrino_layout_free (TtNeutrinoLayout *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->maps);
  g_ptr_array_unref (self->notes);
  g_free (self->path);
  g_free (self);
}

TtNeutrinoLayout *
tt_neutrino_layout_parse (const char *path, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNeutrinoLayout) self = g_new0 (TtNeutrinoLayout, 1);

  self->maps = g_ptr_array_new_with_free_func (free_map);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->path = g_strdup (path);
  gboolean is_read = tt_neutrino_layout_is_text (text, len) ? tt_neutrino_layout_read_text (self, text, len, error)
                                                           : tt_neutrino_layout_read_toml (self, text, len, error);
  if (!is_read)
    return NULL;
  for (guint i = 0; i < self->maps->len; i++)
    tt_neutrino_map_guess (self->maps->pdata[i]);
  return g_steal_pointer (&self);
}

TtNeutrinoLayout *
tt_neutrino_layout_load (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n = input == NULL ? -1 : 1;

  while (n > 0 && bytes->len <= TT_NL_TOML_MAX_BYTES)
    {
      n = tt_input_read (input, block, sizeof block, error);
      if (n > 0)
        g_byte_array_append (bytes, block, (guint) n);
    }
  if (n < 0)
    return NULL;
  if (bytes->len > TT_NL_TOML_MAX_BYTES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than %u bytes are no layout of records", path,
                   TT_NL_TOML_MAX_BYTES);
      return NULL;
    }
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  return tt_neutrino_layout_parse (path, (const char *) bytes->data, bytes->len - 1, error);
}
