/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/shipped.h"

#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>
#include <unistd.h>

/* The folder of the running executable; NULL: not known. Free it. */
static char *
find_own_folder (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);

  return path != NULL ? g_path_get_dirname (path) : NULL;
}

/* What is in the marker beside an executable that is not installed; NULL: there is none. Free it. */
static char *
find_source_tree (const char *build_folder)
{
  g_autofree char *marker = g_build_filename (build_folder, TT_BUILD_TREE, NULL);
  g_autofree char *text = NULL;

  if (!tt_look_contents (marker, &text, NULL, NULL))
    return NULL;
  g_strchomp (text);
  return *text != '\0' ? g_canonicalize_filename (text, build_folder) : NULL;
}

/* The build folder of an executable in @own_folder, libtool's .libs included; NULL: it is installed. Free it. */
static char *
find_build_folder (const char *own_folder, char **source_tree)
{
  g_autofree char *folder = NULL;

  if (own_folder == NULL)
    return NULL;
  folder = g_str_has_suffix (own_folder, "/.libs") ? g_path_get_dirname (own_folder) : g_strdup (own_folder);
  *source_tree = find_source_tree (folder);
  return *source_tree != NULL ? g_steal_pointer (&folder) : NULL;
}

/* The way from folder @from to folder @to, both absolute: "../share/tracetool". Free it. */
static char *
relative_path (const char *from, const char *to)
{
  g_auto (GStrv) down = g_strsplit (from, "/", -1);
  g_auto (GStrv) up = g_strsplit (to, "/", -1);
  GString *path = g_string_new (".");
  guint shared = 0;

  while (down[shared] != NULL && g_strcmp0 (down[shared], up[shared]) == 0)
    shared++;
  for (guint i = shared; down[i] != NULL; i++)
    if (*down[i] != '\0')
      g_string_append (path, "/..");
  for (guint i = shared; i < g_strv_length (up); i++)
    g_string_append_printf (path, "/%s", up[i]);
  return g_string_free (path, FALSE);
}

/* Where @name is that is installed in @folder if executables are installed in TT_BINDIR, but ours is in @own_folder. */
static char *
moved_path (const char *own_folder, const char *folder, const char *name)
{
  g_autofree char *way = relative_path (TT_BINDIR, folder);
  g_autofree char *moved = g_canonicalize_filename (way, own_folder);

  return g_build_filename (moved, name, NULL);
}

char *
tt_shipped_data_of (const char *own_folder, const char *name)
{
  g_autofree char *source = NULL, *build = find_build_folder (own_folder, &source);

  if (build != NULL)
    return g_build_filename (source, "data", name, NULL);
  if (own_folder != NULL)
    {
      g_autofree char *moved = moved_path (own_folder, TT_DATADIR, name);
      if (tt_look_test (moved, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&moved);
    }
  return g_build_filename (TT_DATADIR, name, NULL);
}

char *
tt_shipped_data (const char *name)
{
  const char *chosen = g_getenv ("TRACETOOL_DATA");
  g_autofree char *own = NULL;

  if (chosen != NULL && *chosen != '\0')
    return g_build_filename (chosen, name, NULL);
  own = find_own_folder ();
  return tt_shipped_data_of (own, name);
}

char *
tt_shipped_library_of (const char *own_folder, const char *name, GError **error)
{
  g_autofree char *source = NULL, *build = find_build_folder (own_folder, &source);
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);

  if (build != NULL)
    g_ptr_array_add (places, g_build_filename (build, ".libs", name, NULL));
  else
    {
      if (own_folder != NULL)
        g_ptr_array_add (places, moved_path (own_folder, TT_PKGLIBDIR, name));
      g_ptr_array_add (places, g_build_filename (TT_PKGLIBDIR, name, NULL));
    }

  for (guint i = 0; i < places->len; i++)
    {
      if (access (places->pdata[i], R_OK) == 0)
        return g_strdup (places->pdata[i]);
      if (i == 0 || !g_str_equal (places->pdata[i], places->pdata[i - 1]))
        g_string_append_printf (text, "%s'%s'", i > 0 ? ", " : "", (char *) places->pdata[i]);
    }
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "the library '%s' is not there (looked for %s); install tracetool with 'make install'", name, text->str);
  return NULL;
}

char *
tt_shipped_library (const char *name, GError **error)
{
  g_autofree char *own = find_own_folder ();

  return tt_shipped_library_of (own, name, error);
}
