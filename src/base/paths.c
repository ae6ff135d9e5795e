#include "config.h"

#include "src/base/paths.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sqlite_head[16] = "SQLite format 3";

gboolean
tt_path_is_database (const char *path)
{
  char head[sizeof sqlite_head];
  struct stat facts;

  /* A FIFO would block, and is no database. */
  if (stat (path, &facts) != 0 || !S_ISREG (facts.st_mode))
    return FALSE;

  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  ssize_t len = read (fd, head, sizeof head);
  close (fd);
  return len == (ssize_t) sizeof head && memcmp (head, sqlite_head, sizeof head) == 0;
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
