/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/array.h"
#include "src/store/private.h"

typedef struct
{
  gint64 rank;
  gint64 run;
} RankKey;

static guint
hash_rank (gconstpointer key)
{
  const RankKey *rank = key;

  return g_int64_hash (&rank->rank) ^ (guint) rank->run;
}

static gboolean
is_same_rank (gconstpointer a, gconstpointer b)
{
  const RankKey *x = a, *y = b;

  return x->rank == y->rank && x->run == y->run;
}

/* The first process of each number leads the others, or the one that owns it: a device may come before its host.
 * @leaders: RankKey -> id. */
static void
join_numbered (const TtProcess *processes, TtProcess *process, GHashTable *leaders)
{
  const RankKey key = { process->rank, process->run };
  guint32 leader = GPOINTER_TO_UINT (g_hash_table_lookup (leaders, &key));

  if (leader == TT_NO_ID)
    {
      leader = processes[process->owner - 1].rank == process->rank ? process->owner : process->id;
      g_hash_table_insert (leaders, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (leader));
    }
  process->owner = leader;
}

gboolean
tt_store_find_ranks (TtStore *self, GError **error)
{
  g_autoptr (GHashTable) leaders = g_hash_table_new_full (hash_rank, is_same_rank, g_free, NULL);
  TtProcess *processes = TT_ARRAY (self->processes, TtProcess);

  for (guint i = 0; i < self->processes->len; i++)
    {
      TtProcess *process = &processes[i];
      guint32 row = process->owner;
      guint32 owner = row == TT_NO_ID ? process->id : tt_places_find (&self->process_places, row);

      if (owner == TT_NO_ID || processes[owner - 1].run != process->run)
        return tt_store_set_damaged (self, error, "process '%s' belongs to process %u, which is not there",
                                     process->pid, row);
      process->owner = owner;
      if (process->rank < 0)
        process->rank = processes[owner - 1].rank;
      if (process->rank >= 0)
        join_numbered (processes, process, leaders);
    }
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtProcess *process = &processes[i];
      g_autofree char *number = NULL;

      if (processes[process->owner - 1].owner != process->owner)
        return tt_store_set_damaged (self, error, "process '%s' belongs to one that belongs to another", process->pid);
      if (process->rank >= 0)
        number = g_strdup_printf ("%" G_GINT64_FORMAT, process->rank);
      process->rank_name = number != NULL ? tt_store_keep_word (self, number) : processes[process->owner - 1].pid;
    }
  return TRUE;
}
