/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/tar.h"
#include "tests/fuzz/memory-file.h"

#include <ftw.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Any bytes as an archive that is unpacked. What holds: it is unpacked or there is a reason; there are files and folders
 * below the folder, no links, and nothing beside it.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static char *outer, *folder, *archive;
static guint n_beside;

static int
look_and_remove (const char *path, const struct stat *facts, int type, struct FTW *where)
{
  g_assert (S_ISREG (facts->st_mode) || S_ISDIR (facts->st_mode));
  n_beside += where->level == 1 && strcmp (path, folder) != 0 && strcmp (path, archive) != 0;
  return where->level == 0 || strcmp (path, archive) == 0 ? 0 : remove (path);
}

static void
remove_all (void)
{
  g_unlink (archive);
  g_rmdir (outer);
}

static void
prepare (void)
{
  if (outer != NULL)
    return;
  outer = g_dir_make_tmp ("fuzz-tar-XXXXXX", NULL);
  g_assert (outer != NULL);
  folder = g_build_filename (outer, "in", NULL);
  archive = g_build_filename (outer, "a.tar", NULL);
  atexit (remove_all);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  guint n_left_out;

  prepare ();
  fuzz_named_file (archive, bytes, len);
  g_assert (g_mkdir (folder, 0700) == 0);
  gboolean is_good = tt_tar_unpack (archive, folder, &n_left_out, &error);
  g_assert (is_good == (error == NULL));
  g_assert (is_good || strstr (error->message, archive) != NULL);
  n_beside = 0;
  g_assert (nftw (outer, look_and_remove, 16, FTW_DEPTH | FTW_PHYS) == 0);
  g_assert (n_beside == 0 && !g_file_test (folder, G_FILE_TEST_EXISTS));
  return 0;
}
