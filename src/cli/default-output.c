/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/default-output.h"

#include <unistd.h>

#include "src/cli/session.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/screen.h"

gboolean
tt_default_output_is_due (const char *path)
{
  return path == NULL && tt_screen_is (STDOUT_FILENO);
}

gboolean
tt_default_output_is_stdout (const char *path)
{
  return path == NULL || g_str_equal (path, "-");
}

/* Free it. */
static char *
folder_of (const char *path)
{
  g_autofree char *whole = tt_look_test (path, G_FILE_TEST_IS_DIR) ? g_canonicalize_filename (path, NULL) : NULL;

  return g_path_get_dirname (whole != NULL ? whole : path);
}

static char *
find_folder (const TtStore *store, const char *source)
{
  g_autofree char *caches = tt_command_cache_folder ();
  g_autofree char *folder = NULL;

  if (store != NULL)
    folder = g_path_get_dirname (tt_store_shown (store));
  if (source != NULL && (folder == NULL || g_str_equal (folder, caches)))
    {
      g_free (folder);
      folder = folder_of (source);
    }
  if (folder == NULL || !tt_look_access (folder, W_OK))
    return g_strdup (".");
  return g_steal_pointer (&folder);
}

TtOutput *
tt_default_output_open (const TtStore *store, const char *source, const char *name, GError **error)
{
  g_autofree char *folder = find_folder (store, source);
  g_autofree char *path = g_str_equal (folder, ".") ? g_strdup (name) : g_build_filename (folder, name, NULL);

  return tt_failure_check (error) ? tt_output_open_new (path, error) : NULL;
}
