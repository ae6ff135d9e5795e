/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/files.h"

#include "formats/otf2/anchor.h"
#include "formats/otf2/chunks.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/paths.h"

#include <stdlib.h>

static const char *const member_suffixes[] = { ".def", ".evt", ".marker", ".snap", ".thumb" };

static gboolean
is_member (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (member_suffixes); i++)
    if (g_str_has_suffix (path, member_suffixes[i]))
      return TRUE;
  return FALSE;
}

guint
tt_otf2_probe (const TtProbe *file)
{
  if (tt_otf2_is_anchor (file->head, file->len))
    return TT_PROBE_CERTAIN;
  if (file->len >= 18 && file->head[0] == TT_OTF2_CHUNK_HEADER && (file->head[1] == 0x42 || file->head[1] == 0x23) &&
      is_member (file->path))
    return 80;
  return g_str_has_suffix (file->path, ".otf2") ? 20 : 0;
}

/* -- the files of an archive ---------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 location;
  gboolean is_events;
  char *path;
} Part;

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *one = a, *other = b;

  if (one->location != other->location)
    return one->location < other->location ? -1 : 1;
  return one->is_events - other->is_events;
}

static void
clear_part (gpointer data)
{
  g_free (((Part *) data)->path);
}

/* "12.evt"; FALSE: it is no part. */
static gboolean
read_part_name (const char *name, Part *part)
{
  const char *suffix = strchr (name, '.');

  part->is_events = g_strcmp0 (suffix, ".evt") == 0;
  if (!part->is_events && g_strcmp0 (suffix, ".def") != 0)
    return FALSE;
  g_autofree char *number = g_strndup (name, (gsize) (suffix - name));
  return g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT64, &part->location, NULL);
}

/* Files of locations in the folder beside the anchor. */
static void
add_parts (GPtrArray *paths, const char *stem)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GDir) folder = tt_look_test (stem, G_FILE_TEST_IS_DIR) ? tt_look_folder (stem, NULL) : NULL;
  const char *name;

  g_array_set_clear_func (parts, clear_part);
  while (folder != NULL && (name = tt_look_next (folder, stem)) != NULL)
    {
      Part part;
      if (!read_part_name (name, &part))
        continue;
      part.path = g_build_filename (stem, name, NULL);
      g_array_append_val (parts, part);
    }
  g_array_sort (parts, compare_parts);
  for (guint i = 0; i < parts->len; i++)
    g_ptr_array_add (paths, g_strdup (g_array_index (parts, Part, i).path));
}

static TtInputSet *
make_set (const char *anchor)
{
  TtInputSet *set = tt_input_set_new ();
  g_autofree char *stem =
      g_str_has_suffix (anchor, ".otf2") ? g_strndup (anchor, strlen (anchor) - 5) : g_strdup (anchor);
  char *definitions = g_strconcat (stem, ".def", NULL), *markers = g_strconcat (stem, ".marker", NULL);

  g_ptr_array_add (set->paths, g_strdup (anchor));
  g_ptr_array_add (set->paths, definitions);
  add_parts (set->paths, stem);
  if (tt_look_test (markers, G_FILE_TEST_IS_REGULAR))
    g_ptr_array_add (set->paths, markers);
  else
    g_free (markers);
  return set;
}

/* "traces" of "traces.def"; of thumbnails "traces" of "traces.0.thumb". */
static char *
find_stem (const char *path)
{
  char *stem = g_strndup (path, (gsize) (strrchr (path, '.') - path)), *number = strrchr (stem, '.');

  if (g_str_has_suffix (path, ".thumb") && number != NULL &&
      g_ascii_string_to_unsigned (number + 1, 10, 0, G_MAXUINT32, NULL, NULL))
    *number = '\0';
  return stem;
}

/* The anchor of the archive that the file @path is a part of; free it. NULL: there is none. */
static char *
find_anchor (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *stem = find_stem (path);
  g_autofree char *beside = g_strconcat (stem, ".otf2", NULL);
  g_autofree char *above = g_strconcat (directory, ".otf2", NULL);

  if (tt_look_test (beside, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&beside);
  return tt_look_test (above, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&above) : NULL;
}

gboolean
tt_otf2_group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      g_autofree char *anchor = is_member (path) ? find_anchor (path) : NULL;

      if (!is_member (path))
        g_ptr_array_add (inputs, make_set (path));
      else if (from_directory && anchor == NULL)
        g_ptr_array_add (notes, g_strdup_printf ("'%s' left aside: a part of an OTF2 archive whose anchor (.otf2) is "
                                                 "not there",
                                                 path));
      else if (!from_directory)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: a part of an OTF2 archive, no trace alone; %s%s%s", path,
                       anchor != NULL ? "give its anchor, '" : "its anchor (.otf2) is not beside it",
                       anchor != NULL ? anchor : "", anchor != NULL ? "'" : "");
          return FALSE;
        }
    }
  return TRUE;
}

/* -- by which it is known again ----------------------------------------------------------------------------------- */

char *
tt_otf2_join_digests (const TtInputSet *input, GHashTable *digests)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  for (guint i = 0; i < input->paths->len; i++)
    {
      const char *digest = g_hash_table_lookup (digests, input->paths->pdata[i]);
      g_checksum_update (sum, (const guchar *) (digest == NULL ? "-" : digest), -1);
    }
  return g_strdup (g_checksum_get_string (sum));
}

gboolean
tt_otf2_fingerprint (const TtInputSet *input, guint64 *bytes, char **hash, GError **error)
{
  g_autoptr (GHashTable) digests = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  *bytes = 0;
  for (guint i = 0; i < input->paths->len; i++)
    {
      char *path = input->paths->pdata[i];
      if (!tt_look_test (path, G_FILE_TEST_EXISTS))
        continue;
      g_autoptr (TtInput) file = tt_input_open (path, error);
      char *digest = file == NULL || hash == NULL ? NULL : tt_input_hash (file, error);
      if (file == NULL || (hash != NULL && digest == NULL))
        return FALSE;
      *bytes += tt_input_disk_bytes (file);
      if (digest != NULL)
        g_hash_table_insert (digests, path, digest);
    }
  if (hash != NULL)
    *hash = tt_otf2_join_digests (input, digests);
  return TRUE;
}
