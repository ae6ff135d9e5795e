/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/read-ahead.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/require.h"

/* The blocks of inputs are the same whether a thread reads them ahead or not. */

#define BLOCK 1000u
#define MOST_LEFT 70u
#define CONTENT_BYTES 25300u

typedef struct
{
  char *folder, *path;
  guint8 *content;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("test-read-ahead-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
  fixture->content = g_malloc (CONTENT_BYTES);
  for (guint i = 0; i < CONTENT_BYTES; i++)
    fixture->content[i] = (guint8) g_test_rand_int_range (0, 256);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TRACETOOL_READERS");
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->path);
  g_free (fixture->folder);
  g_free (fixture->content);
}

static void
write_content (const Fixture *fixture, gsize len)
{
  g_assert_true (g_file_set_contents (fixture->path, (const char *) fixture->content, (gssize) len, NULL));
}

/* Asks for up to @most blocks, each with a few bytes of the one before, and returns how many bytes were got. */
static gsize
check_blocks (const Fixture *fixture, TtReadAhead *ahead, TtInput *input, guint most, GError **error)
{
  gsize done = 0, left = 0, len = 0;
  guint64 progress = 0;
  const guint8 *bytes;
  gssize n = 1;

  tt_read_ahead_begin (ahead, input);
  for (guint i = 0; i < most && (n = tt_read_ahead_next (ahead, left, &bytes, error)) > 0; i++)
    {
      len = left + (gsize) n;
      g_assert_cmpmem (bytes, len, fixture->content + done - left, len);
      done += (gsize) n;
      progress += tt_read_ahead_progress (ahead);
      left = MIN (i * 7 % (MOST_LEFT + 1), len);
      if (i % 5 == 4)
        g_usleep (200);
    }
  if (n == 0)
    {
      g_assert_cmpmem (bytes, left, fixture->content + done - left, left);
      g_assert_cmpuint (progress + tt_read_ahead_progress (ahead), ==, tt_input_disk_bytes (input));
    }
  tt_read_ahead_end (ahead);
  return done;
}

/* By one of the two, inputs of all sizes one after the other; some are not read to their end. */
static void
check_sizes (const Fixture *fixture, const char *n_readers)
{
  static const gsize sizes[] = {
    0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK - 1, 3 * BLOCK, 4 * BLOCK, CONTENT_BYTES
  };
  g_autoptr (TtReadAhead) ahead = tt_read_ahead_new (BLOCK, MOST_LEFT);

  g_setenv ("TRACETOOL_READERS", n_readers, TRUE);
  for (guint most = 1; most < 40; most += 3)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autoptr (GError) error = NULL;

        write_content (fixture, sizes[i]);
        g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
        require_nonnull (input);
        g_assert_cmpuint (check_blocks (fixture, ahead, input, most, &error), ==, MIN (sizes[i], most * BLOCK));
        g_assert_no_error (error);
        g_autofree char *hash = tt_input_hash (input, &error);
        g_assert_nonnull (hash);
        g_assert_cmpuint (tt_input_offset (input), >=, MIN (sizes[i], most * BLOCK));
      }
}

static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  check_sizes (fixture, "0");
  check_sizes (fixture, "1");
}

/* A file becomes shorter: all that it still has comes, then the error; or nobody asks for it. */
static void
test_errors (Fixture *fixture, gconstpointer data)
{
  static const char *const numbers[] = { "0", "1" };

  for (guint most = 2; most < 40; most += 18)
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        g_autoptr (TtReadAhead) ahead = tt_read_ahead_new (BLOCK, MOST_LEFT);
        g_autoptr (GError) error = NULL;

        g_setenv ("TRACETOOL_READERS", numbers[i], TRUE);
        write_content (fixture, CONTENT_BYTES);
        g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
        require_nonnull (input);
        g_assert_cmpint (truncate (fixture->path, 21 * BLOCK), ==, 0);
        g_assert_cmpuint (check_blocks (fixture, ahead, input, most, &error), ==, MIN (most, 21u) * BLOCK);
        if (most <= 21)
          {
            g_assert_no_error (error);
            continue;
          }
        require_nonnull (error);
        g_assert_nonnull (strstr (error->message, "at byte 21000: the file has become shorter"));
      }
}

static void
test_compressed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TtReadAhead) ahead = tt_read_ahead_new (BLOCK, MOST_LEFT);
  g_autoptr (GError) error = NULL;

  g_setenv ("TRACETOOL_READERS", "1", TRUE);
  gzFile file = gzopen (fixture->path, "wb");
  g_assert_cmpint (gzwrite (file, fixture->content, CONTENT_BYTES), ==, CONTENT_BYTES);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
  require_nonnull (input);
  g_assert_cmpuint (check_blocks (fixture, ahead, input, G_MAXUINT, &error), ==, CONTENT_BYTES);
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/read-ahead/blocks-are-the-same-whoever-reads", Fixture, NULL, set_up, test_sizes, tear_down);
  g_test_add ("/read-ahead/error-comes-after-the-blocks", Fixture, NULL, set_up, test_errors, tear_down);
  g_test_add ("/read-ahead/compressed", Fixture, NULL, set_up, test_compressed, tear_down);
  return g_test_run ();
}
