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

typedef struct
{
  struct stat facts;
  int result, number;
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
      said->result = look (path, &said->facts);
      said->number = errno;
      g_hash_table_insert (*known, g_strdup (path), said);
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

void
fuzz_known_files_forget (const char *path)
{
  GHashTable *const both[] = { followed, links };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    if (both[i] != NULL && path == NULL)
      g_hash_table_remove_all (both[i]);
    else if (both[i] != NULL)
      g_hash_table_remove (both[i], path);
}
