/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/side-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/paths.h"

static const char *const suffixes[] = { "-wal", "-shm", "-journal" };

/* Free it. */
static char *
side_path (const char *path, const char *suffix)
{
  char *real = realpath (path, NULL);
  char *side = g_strconcat (real != NULL ? real : path, suffix, NULL);

  free (real);
  return side;
}

/* FALSE: it is not there, or empty. */
static gboolean
side_facts (const char *path, struct stat *facts)
{
  return stat (path, facts) == 0 && S_ISREG (facts->st_mode) && facts->st_size > 0;
}

gboolean
tt_side_files_check_new (const char *path, GError **error)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *side = side_path (path, suffixes[i]);
      struct stat facts;

      if (lstat (side, &facts) != 0 || (S_ISREG (facts.st_mode) && facts.st_size == 0 && unlink (side) == 0))
        continue;
      g_ptr_array_add (left, g_steal_pointer (&side));
    }
  if (left->len == 0)
    return TRUE;
  g_ptr_array_add (left, NULL);
  g_autofree char *words = tt_shell_words ((char **) left->pdata);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "cannot make '%s': files of a database that is no longer there would change it; put that back, or remove"
               " them: rm %s",
               path, words);
  return FALSE;
}

/* -- the log of another database --------------------------------------------------------------------------------- */

/* Byte 18 of the head of an SQLite file: 2 where a write-ahead log goes with it. */
#define WRITE_VERSION_AT 18

gboolean
tt_side_files_are_marked (const char *path)
{
  char head[WRITE_VERSION_AT + 1];
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  gboolean is_known = fd >= 0 && read (fd, head, sizeof head) == (ssize_t) sizeof head;

  if (fd >= 0)
    close (fd);
  return !is_known || head[WRITE_VERSION_AT] != 1;
}

/* A writer marks the head first, and then makes the log; at the end it removes the log first. So a log that was there
 * before the head was read and is there afterwards, with a head that knows of none, belongs to another database. */
gboolean
tt_side_files_check_own (const char *path, GError **error)
{
  g_autofree char *wal = side_path (path, "-wal");
  struct stat before, after;

  if (!side_facts (wal, &before) || tt_side_files_are_marked (path) || !side_facts (wal, &after) || before.st_ino != after.st_ino)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "'%s' is the log of another database, which would change '%s'; move it away", wal, path);
  return FALSE;
}

char *
tt_side_files_find_left (const char *path)
{
  static const char *const holders[] = { "-wal", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (holders); i++)
    {
      g_autofree char *side = side_path (path, holders[i]);
      struct stat facts;
      if (side_facts (side, &facts))
        return g_steal_pointer (&side);
    }
  return NULL;
}

void
tt_side_files_remove (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *side = side_path (path, suffixes[i]);
      g_unlink (side);
    }
}
