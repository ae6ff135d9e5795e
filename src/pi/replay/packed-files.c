/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/replay/packed-files.h"

#include <string.h>

#include "formats/json/scanner.h"

/* What belongs to the loader that the system starts programs with; ours runs with it, not with a copy. */
static gboolean
is_of_the_loader (const char *path)
{
  static const char *const names[] = { "libc.so.",  "libm.so.",      "libpthread.so.",   "libdl.so.",
                                       "librt.so.", "libresolv.so.", "libtracetool-pi-", "ld-linux" };
  g_autofree char *base = g_path_get_basename (path);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (base, names[i]))
      return TRUE;
  return FALSE;
}

void
tt_pi_packed_files_clear (TtPiPackedFiles *self)
{
  g_clear_pointer (&self->libraries, g_hash_table_unref);
  g_clear_pointer (&self->paths, g_hash_table_unref);
}

gboolean
tt_pi_packed_files_read (TtPiPackedFiles *self, const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "replay_file_map.json", NULL);
  g_autoptr (TtInput) input = tt_input_open (path, error);
  TtRepairs repairs = { 0 };
  g_autoptr (TtJson) json = input != NULL ? tt_json_new (input, &repairs) : NULL;
  GError *fault = NULL;
  TtJsonValue key;

  if (json == NULL || !tt_json_begin_object (json, error))
    return FALSE;
  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->libraries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while (tt_json_next_key (json, &key, &fault))
    {
      g_autofree char *original = tt_json_text (&key);
      TtJsonValue value;
      if (!tt_json_value (json, &value, &fault))
        break;
      g_autofree char *name = value.kind == TT_JSON_STRING ? tt_json_text (&value) : NULL;
      if (name == NULL || strchr (name, '/') != NULL || name[0] == '.' || is_of_the_loader (original))
        continue;
      char *copy = g_build_filename (directory, "pack", name, NULL);
      const char *base = strrchr (original, '/') != NULL ? strrchr (original, '/') + 1 : original;
      if (strstr (base, ".so") != NULL)
        g_hash_table_insert (self->libraries, g_strdup (base), g_strdup (copy));
      g_hash_table_insert (self->paths, g_strdup (original), copy);
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}
