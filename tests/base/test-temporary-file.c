/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/base/temporary-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Files that are copied into others, within the kernel and without. */

#define N_BYTES ((gsize) (17 << 20) + 3) /* more than two blocks */
#define BEFORE 5u

typedef struct
{
  char *path;
  int from, to; /* what is copied, and the file at @path */
  guint8 *bytes;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  self->bytes = g_malloc (N_BYTES);
  for (gsize i = 0; i < N_BYTES; i++)
    self->bytes[i] = (guint8) g_rand_int (rand);
  self->from = tt_temporary_file (NULL);
  g_assert_true (tt_file_write_at (self->from, 0, self->bytes, N_BYTES, NULL));
  self->to = g_file_open_tmp ("tracetool-copy-XXXXXX", &self->path, NULL);
  g_assert_cmpint (self->to, >=, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  close (self->from);
  close (self->to);
  g_unlink (self->path);
  g_free (self->path);
  g_free (self->bytes);
}

static void
check_contents (const Fixture *self)
{
  g_autofree guint8 *read = g_malloc (BEFORE + N_BYTES);

  g_assert_true (tt_file_read_at (self->to, 0, read, BEFORE + N_BYTES, NULL));
  g_assert_cmpmem (read, BEFORE, "first", BEFORE);
  g_assert_cmpint (memcmp (read + BEFORE, self->bytes, N_BYTES), ==, 0);
  g_assert_cmpint (lseek (self->to, 0, SEEK_END), ==, BEFORE + N_BYTES);
}

static void
test_copy (Fixture *self, gconstpointer data)
{
  g_assert_true (tt_file_write_at (self->to, 0, "first", BEFORE, NULL));
  g_assert_true (tt_file_copy_named_at (self->from, self->to, self->path, BEFORE, N_BYTES, NULL));
  check_contents (self);
}

/* sendfile() does not take a file that is appended to. */
static void
test_copy_otherwise (Fixture *self, gconstpointer data)
{
  const int to = open (self->path, O_WRONLY | O_APPEND | O_CLOEXEC);

  g_assert_true (tt_file_write_at (self->to, 0, "first", BEFORE, NULL));
  g_assert_true (tt_file_copy_named_at (self->from, to, self->path, BEFORE, N_BYTES, NULL));
  check_contents (self);
  close (to);
}

static void
test_too_short (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (tt_file_copy_named_at (self->from, self->to, self->path, 0, N_BYTES + 1, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "it has become shorter"));
}

static void
test_cannot_write (Fixture *self, gconstpointer data)
{
  const int to = open (self->path, O_RDONLY | O_CLOEXEC);
  g_autoptr (GError) error = NULL;

  g_assert_false (tt_file_copy_named_at (self->from, to, self->path, 9, N_BYTES, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, self->path));
  g_assert_nonnull (strstr (error->message, "at byte 9"));
  close (to);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/temporary-file/copy", Fixture, NULL, set_up, test_copy, tear_down);
  g_test_add ("/temporary-file/copy-otherwise", Fixture, NULL, set_up, test_copy_otherwise, tear_down);
  g_test_add ("/temporary-file/too-short", Fixture, NULL, set_up, test_too_short, tear_down);
  g_test_add ("/temporary-file/cannot-write", Fixture, NULL, set_up, test_cannot_write, tear_down);
  return g_test_run ();
}
