/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/paths.h"
#include "src/base/look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* https://www.sqlite.org/fileformat.html, "The Database Header" */
static const char sqlite_head[16] = "SQLite format 3";
#define APPLICATION_ID_AT 68

/* Up to @len first bytes of the regular file; 0: there are none, or it cannot be read. */
static gsize
read_head (const char *path, char *head, gsize len)
{
  struct stat facts;

  /* A FIFO would block, and is no database. */
  if (tt_look_stat (path, &facts) != 0 || !S_ISREG (facts.st_mode))
    return 0;

  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read (fd, head, len);
  if (n < 0)
    tt_look_failed (path, errno);
  if (fd >= 0)
    close (fd);
  return n < 0 ? 0 : (gsize) n;
}

gboolean
tt_path_is_database (const char *path)
{
  char head[sizeof sqlite_head];

  return read_head (path, head, sizeof head) == sizeof head && memcmp (head, sqlite_head, sizeof head) == 0;
}

gboolean
tt_path_is_unsigned_database (const char *path)
{
  static const char none[4] = "";
  char head[APPLICATION_ID_AT + sizeof none];

  return read_head (path, head, sizeof head) == sizeof head && memcmp (head, sqlite_head, sizeof sqlite_head) == 0 &&
         memcmp (head + APPLICATION_ID_AT, none, sizeof none) == 0;
}

/* What a packed file is called after its suffix; as it is comes first. */
static const char *const packings[] = { "", ".gz", ".zst" };

gboolean
tt_path_has_suffix (const char *path, const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autofree char *packed = g_strconcat (suffix, packings[i], NULL);
      if (g_str_has_suffix (path, packed))
        return TRUE;
    }
  return FALSE;
}

void
tt_path_cut_suffix (char *path, const char *suffix)
{
  if (g_str_has_suffix (path, suffix) && strlen (path) > strlen (suffix))
    path[strlen (path) - strlen (suffix)] = '\0';
}

void
tt_path_cut_packing (char *path)
{
  for (guint i = 1; i < G_N_ELEMENTS (packings); i++)
    tt_path_cut_suffix (path, packings[i]);
}

char *
tt_path_find_packed (const char *path, const char *except)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autofree char *packed = g_strconcat (path, packings[i], NULL);
      if (strcmp (packed, except) != 0 && tt_look_test (packed, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&packed);
    }
  return NULL;
}

char *
tt_shell_word (const char *path)
{
  static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_./,:=@%+-";

  if (*path != '\0' && path[strspn (path, plain)] == '\0')
    return g_strdup (path);
  return g_shell_quote (path);
}

char *
tt_shell_words (char **paths)
{
  GString *text = g_string_new (NULL);

  for (char **path = paths; *path != NULL; path++)
    {
      g_autofree char *word = tt_shell_word (*path);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", word);
    }
  return g_string_free (text, FALSE);
}
