/* SPDX-License-Identifier: Apache-2.0 */
/* Where shipped files are looked for; tests/cli/installed.sh tries it with real installations. */
#include "config.h"

#include "src/base/error.h"
#include "src/base/shipped.h"

#include <glib/gstdio.h>
#include <string.h>

/* A folder with a marker, if @marker is not NULL, and an empty file @file in it, if that is not NULL. Free it. */
static char *
make_folder (const char *marker, const char *file)
{
  char *folder = g_dir_make_tmp ("shipped-XXXXXX", NULL);

  g_assert_nonnull (folder);
  if (marker != NULL)
    {
      g_autofree char *path = g_build_filename (folder, TT_BUILD_TREE, NULL);
      g_assert_true (g_file_set_contents (path, marker, -1, NULL));
    }
  if (file != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *parent = g_path_get_dirname (path);
      g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
      g_assert_true (g_file_set_contents (path, "", -1, NULL));
    }
  return folder;
}

static void
remove_folder (const char *folder)
{
  const char *argv[] = { "rm", "-rf", folder, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void
test_build_tree (void)
{
  g_autofree char *folder = make_folder ("../sources\n", ".libs/libx.so");
  g_autofree char *inner = g_build_filename (folder, ".libs", NULL);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *wanted = g_build_filename (parent, "sources", "data", "x.ini", NULL);
  g_autofree char *wanted_library = g_build_filename (folder, ".libs", "libx.so", NULL);
  const char *places[] = { folder, inner };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *data = tt_shipped_data_of (places[i], "x.ini");
      g_autofree char *library = tt_shipped_library_of (places[i], "libx.so", &error);
      g_assert_cmpstr (data, ==, wanted);
      g_assert_no_error (error);
      g_assert_cmpstr (library, ==, wanted_library);
    }
  g_assert_null (tt_shipped_library_of (folder, "liby.so", &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, folder));
  remove_folder (folder);
}

static void
test_absolute_marker (void)
{
  g_autofree char *folder = make_folder ("/some/where\n", NULL);
  g_autofree char *data = tt_shipped_data_of (folder, "x.ini");

  g_assert_cmpstr (data, ==, "/some/where/data/x.ini");
  remove_folder (folder);
}

static void
test_installed (void)
{
  g_autofree char *folder = make_folder (NULL, NULL);
  g_autofree char *data = tt_shipped_data_of (folder, "no-such-file");
  g_autofree char *unknown = tt_shipped_data_of (NULL, "no-such-file");
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (data, ==, TT_DATADIR "/no-such-file");
  g_assert_cmpstr (unknown, ==, TT_DATADIR "/no-such-file");
  g_assert_null (tt_shipped_library_of (folder, "no-such-library.so", &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, TT_PKGLIBDIR "/no-such-library.so"));
  remove_folder (folder);
}

/* An empty marker is none: half of a configure that was stopped. */
static void
test_empty_marker (void)
{
  g_autofree char *folder = make_folder ("\n", NULL);
  g_autofree char *data = tt_shipped_data_of (folder, "no-such-file");

  g_assert_cmpstr (data, ==, TT_DATADIR "/no-such-file");
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shipped/build-tree", test_build_tree);
  g_test_add_func ("/shipped/absolute-marker", test_absolute_marker);
  g_test_add_func ("/shipped/installed", test_installed);
  g_test_add_func ("/shipped/empty-marker", test_empty_marker);
  return g_test_run ();
}
