/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/rank-presence.h"

#include "src/store/statistics.h"

struct _TtRankPresence
{
  TtStore *store;
  gboolean by_pid;
  GHashTable *selected;   /* text of a rank or process that the selection leaves in */
  GHashTable *categories; /* op_cat -> GHashTable of such texts; "" for all of them */
};

static const char *
rank_text (const TtRankPresence *self, guint32 process)
{
  const TtProcess *found = tt_store_process (self->store, process);

  return found == NULL ? NULL : self->by_pid ? found->pid : found->rank_name;
}

static void
find_selected (TtRankPresence *self, const TtSelection *selection)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);
  gint64 begin_ns = 0, end_ns = 0;

  if (selection != NULL)
    tt_selection_window (selection, &begin_ns, &end_ns);
  for (guint i = 0; i < n; i++)
    if (selection == NULL || tt_selection_matches_point (selection, threads[i].id, begin_ns))
      {
        const char *rank = rank_text (self, threads[i].process);

        if (rank != NULL)
          g_hash_table_add (self->selected, (gpointer) rank);
      }
}

static void
note (TtRankPresence *self, const char *op_cat, const char *rank)
{
  GHashTable *ranks = g_hash_table_lookup (self->categories, op_cat);

  if (ranks == NULL)
    {
      ranks = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (self->categories, g_strdup (op_cat), ranks);
    }
  g_hash_table_add (ranks, (gpointer) rank);
}

static gboolean
take_statistic (const TtStatistic *statistic, gpointer data)
{
  TtRankPresence *self = data;
  const char *rank = rank_text (self, statistic->process);
  const TtStoredName *name = tt_store_peek_name (self->store, statistic->name);

  if (rank == NULL || statistic->self_ns == 0 || !g_hash_table_contains (self->selected, rank))
    return TRUE;
  note (self, "", rank);
  if (name != NULL && name->op_cat != NULL)
    note (self, name->op_cat, rank);
  return TRUE;
}

TtRankPresence *
tt_rank_presence_new (TtStore *store, const TtSelection *selection, gboolean by_pid, GError **error)
{
  g_autoptr (TtRankPresence) self = g_new0 (TtRankPresence, 1);

  self->store = store;
  self->by_pid = by_pid;
  self->selected = g_hash_table_new (g_str_hash, g_str_equal);
  self->categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref);
  find_selected (self, selection);
  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, take_statistic, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_rank_presence_free (TtRankPresence *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->selected);
  g_hash_table_unref (self->categories);
  g_free (self);
}

guint
tt_rank_presence_count (const TtRankPresence *self, const char *op_cat)
{
  GHashTable *ranks = g_hash_table_lookup (self->categories, op_cat != NULL ? op_cat : "");

  return ranks == NULL ? 0 : g_hash_table_size (ranks);
}
