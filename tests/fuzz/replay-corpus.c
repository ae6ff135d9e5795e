/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/rounds.h"

#include <glib.h>

#include <string.h>

/* Runs a fuzz target over its saved corpus, so that a machine without clang checks it too. Linked once
 * with each tests/fuzz-NAME.c; CORPUS is NAME. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
test_corpus (void)
{
  const char *srcdir = g_getenv ("SRCDIR");
  g_autofree char *folder = g_build_filename (srcdir != NULL ? srcdir : ".", "tests", "corpus", CORPUS, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) directory = g_dir_open (folder, 0, &error);
  const char *name;
  guint n_files = 0;

  g_assert_no_error (error);
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *contents = NULL;
      gsize len;

      g_assert_true (g_file_get_contents (path, &contents, &len, NULL));
      g_test_message ("%s", name);
      /* An exact copy, so that a sanitizer sees reads beyond the end. */
      g_autofree guint8 *bytes = g_memdup2 (contents, len);
      LLVMFuzzerTestOneInput (bytes, len);
      /* Cut all over the file: most parsers are past its head after a few bytes. */
      const gsize step = MAX (len / test_rounds (200), 1);
      for (gsize cut = 0; cut < len; cut += step)
        LLVMFuzzerTestOneInput (bytes, cut);
      n_files++;
    }
  g_assert_cmpuint (n_files, >, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/corpus/" CORPUS, test_corpus);
  return g_test_run ();
}
