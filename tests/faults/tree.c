/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/faults/tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

GBytes *
tree_read_file (const char *path)
{
  char *text = NULL;
  gsize len = 0;

  return g_file_get_contents (path, &text, &len, NULL) ? g_bytes_new_take (text, len) : g_bytes_new (NULL, 0);
}

static void
add_files (GHashTable *files, const char *root, const char *inside)
{
  g_autofree char *folder = g_build_filename (root, inside, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = *inside == '\0' ? g_strdup (name) : g_build_filename (inside, name, NULL);
      g_autofree char *whole = g_build_filename (root, path, NULL);
      gboolean is_folder = g_file_test (whole, G_FILE_TEST_IS_DIR);

      g_hash_table_insert (files, path, is_folder ? NULL : tree_read_file (whole));
      if (is_folder)
        add_files (files, root, path);
    }
}

static void
free_bytes (gpointer bytes)
{
  if (bytes != NULL)
    g_bytes_unref (bytes);
}

GHashTable *
tree_read (const char *root)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_bytes);

  add_files (files, root, "");
  return files;
}

void
tree_remove (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inside = g_build_filename (path, name, NULL);
      tree_remove (inside);
    }
  g_remove (path);
}

void
tree_restore (const char *root, GHashTable *files)
{
  g_autoptr (GList) paths = g_list_sort (g_hash_table_get_keys (files), (GCompareFunc) strcmp);

  tree_remove (root);
  g_mkdir (root, 0700);
  for (GList *path = paths; path != NULL; path = path->next)
    {
      GBytes *bytes = g_hash_table_lookup (files, path->data);
      g_autofree char *whole = g_build_filename (root, path->data, NULL);
      gsize len = 0;
      const char *text = bytes == NULL ? NULL : g_bytes_get_data (bytes, &len);
      int fd = bytes == NULL ? -1 : g_creat (whole, 0700);

      if (bytes == NULL)
        g_mkdir (whole, 0700);
      else if (fd < 0 || (len > 0 && write (fd, text, len) != (gssize) len) || close (fd) != 0)
        g_error ("cannot write %s", whole);
      /* Caches go by it. */
      const struct utimbuf times = { 1700000000, 1700000000 };
      g_utime (whole, (struct utimbuf *) &times);
    }
}

gboolean
tree_same_bytes (GBytes *a, GBytes *b)
{
  return a == b || (a != NULL && b != NULL && g_bytes_equal (a, b));
}

gboolean
tree_has (GHashTable *files, const char *text)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    if (strstr (path, text) != NULL)
      return TRUE;
  return FALSE;
}
