/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/hash-ahead.h"

#include <glib/gstdio.h>
#include <string.h>

#include "src/base/input.h"

#include "tests/require.h"

/* Hashes and errors are the same whoever takes them. */

#define N_FILES 5u
#define MISSING 3u
#define FILE_BYTES 700001u

typedef struct
{
  char *folder;
  GPtrArray *paths;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = g_malloc (N_FILES * FILE_BYTES);

  for (guint i = 0; i < N_FILES * FILE_BYTES; i++)
    bytes[i] = (char) g_test_rand_int_range (0, 128);
  fixture->folder = g_dir_make_tmp ("test-hash-ahead-XXXXXX", NULL);
  fixture->paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < N_FILES; i++)
    {
      char *path = g_strdup_printf ("%s/%u", fixture->folder, i);
      g_ptr_array_add (fixture->paths, path);
      g_assert_true (g_file_set_contents (path, bytes, (gssize) (i * FILE_BYTES), NULL));
    }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TRACETOOL_READERS");
  for (guint i = 0; i < N_FILES; i++)
    g_unlink (fixture->paths->pdata[i]);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_ptr_array_unref (fixture->paths);
  g_free (fixture->folder);
}

static void
check_file (const Fixture *fixture, TtHashAhead *ahead, guint i)
{
  g_autoptr (GError) error = NULL;
  guint64 disk_bytes = 0;
  g_autofree char *hash = tt_hash_ahead_take (ahead, i, &disk_bytes, &error);

  if (!g_file_test (fixture->paths->pdata[i], G_FILE_TEST_EXISTS))
    {
      g_autofree char *wanted =
          g_strdup_printf ("cannot open '%s': No such file or directory", (char *) fixture->paths->pdata[i]);
      g_assert_null (hash);
      require_nonnull (error);
      g_assert_cmpstr (error->message, ==, wanted);
      return;
    }
  g_assert_no_error (error);
  g_autoptr (TtInput) input = tt_input_open (fixture->paths->pdata[i], NULL);
  require_nonnull (input);
  g_autofree char *wanted = tt_input_hash (input, NULL);
  g_assert_nonnull (wanted);
  g_assert_cmpstr (hash, ==, wanted);
  g_assert_cmpuint (disk_bytes, ==, i * FILE_BYTES);
}

static void
test_all (Fixture *fixture, gconstpointer data)
{
  static const char *const numbers[] = { "0", "1" };

  for (guint is_missing = 0; is_missing < 2; is_missing++)
    {
      if (is_missing)
        g_assert_cmpint (g_unlink (fixture->paths->pdata[MISSING]), ==, 0);
      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        for (guint is_started = 0; is_started < 2; is_started++)
          {
            g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (fixture->paths);

            g_setenv ("TRACETOOL_READERS", numbers[k], TRUE);
            if (is_started)
              tt_hash_ahead_start (ahead);
            for (guint i = 0; i < N_FILES; i++)
              check_file (fixture, ahead, i);
          }
    }
}

/* Nobody asks for more, wherever the thread is. */
static void
test_early (Fixture *fixture, gconstpointer data)
{
  g_setenv ("TRACETOOL_READERS", "1", TRUE);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (fixture->paths);

      tt_hash_ahead_start (ahead);
      g_usleep (i * 30);
      if (i % 10 == 9)
        check_file (fixture, ahead, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/hash-ahead/the-same-whoever-takes-them", Fixture, NULL, set_up, test_all, tear_down);
  g_test_add ("/hash-ahead/ends-early", Fixture, NULL, set_up, test_early, tear_down);
  return g_test_run ();
}
