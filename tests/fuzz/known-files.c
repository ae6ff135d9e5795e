/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* All but two functions are as ever. */
#define tt_look_stat stat_on_disk
#define tt_look_lstat lstat_on_disk
#include "src/base/look.c"
#undef tt_look_stat
#undef tt_look_lstat

#include "tests/fuzz/known-files.h"

int tt_look_stat (const char *path, struct stat *facts);
int tt_look_lstat (const char *path, struct stat *facts);

/* Stays when it is forgotten: memory that an input leaves behind makes libFuzzer run it again. */
typedef struct
{
  struct stat facts;
  int result, number;
  gboolean is_known;
} Answer;

typedef int (*Look) (const char *path, struct stat *facts);

static GHashTable *followed, *links; /* path -> Answer */

static int
answer (GHashTable **known, Look look, const char *path, struct stat *facts)
{
  if (*known == NULL)
    *known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Answer *said = g_hash_table_lookup (*known, path);

  if (said == NULL)
    {
      said = g_new0 (Answer, 1);
      g_hash_table_insert (*known, g_strdup (path), said);
    }
  if (!said->is_known)
    {
      said->result = look (path, &said->facts);
      said->number = errno;
      said->is_known = TRUE;
    }
  if (said->result == 0)
    *facts = said->facts;
  errno = said->number;
  return said->result;
}

int
tt_look_stat (const char *path, struct stat *facts)
{
  return answer (&followed, stat_on_disk, path, facts);
}

int
tt_look_lstat (const char *path, struct stat *facts)
{
  return answer (&links, lstat_on_disk, path, facts);
}

static void
forget_all (GHashTable *known)
{
  GHashTableIter iter;
  gpointer said;

  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, NULL, &said))
    ((Answer *) said)->is_known = FALSE;
}

void
fuzz_known_files_forget (const char *path)
{
  GHashTable *const both[] = { followed, links };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      Answer *said = both[i] == NULL || path == NULL ? NULL : g_hash_table_lookup (both[i], path);

      if (said != NULL)
        said->is_known = FALSE;
      if (both[i] != NULL && path == NULL)
        forget_all (both[i]);
    }
}
