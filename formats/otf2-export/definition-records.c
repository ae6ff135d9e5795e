/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/definitions-private.h"

#include <string.h>

enum
{
  TYPE_STRING = 11,
};

void
tt_otf2_export_end_record (TtOtf2ExportDefinitions *self, guint8 kind)
{
  tt_chunk_file_record (&self->file, kind, &self->body);
  self->n++;
  g_byte_array_set_size (self->body.bytes, 0);
}

guint64
tt_otf2_export_use_string (TtOtf2ExportDefinitions *self, const char *text)
{
  gpointer id;

  if (text == NULL)
    return TT_OTF2_NONE;
  /* g_strndup() takes as much room as it is allowed to. */
  g_autofree char *cut = g_strndup (text, strnlen (text, TT_OTF2_EXPORT_MOST_TEXT));
  if (g_hash_table_lookup_extended (self->strings, cut, NULL, &id))
    return GPOINTER_TO_UINT (id);
  guint new_id = self->n_texts + g_hash_table_size (self->strings);
  tt_record_packed (&self->body, new_id);
  tt_record_string (&self->body, cut);
  tt_otf2_export_end_record (self, TT_OTF2_EXPORT_STRING);
  g_hash_table_insert (self->strings, g_steal_pointer (&cut), GUINT_TO_POINTER (new_id));
  return new_id;
}

void
tt_otf2_export_property (TtOtf2ExportDefinitions *self, guint8 kind, guint32 id, const char *key, const char *text)
{
  if (text == NULL)
    return;
  guint64 key_id = tt_otf2_export_use_string (self, key), value = tt_otf2_export_use_string (self, text);
  tt_record_packed (&self->body, id);
  tt_record_packed (&self->body, key_id);
  tt_record_packed (&self->body, value); /* as before 2.0 */
  tt_record_u8 (&self->body, TYPE_STRING);
  tt_record_packed (&self->body, value);
  tt_otf2_export_end_record (self, kind);
}
