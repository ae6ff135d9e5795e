/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/earlier.h"

#include "src/store/private.h"
#include "src/trace/span.h"

#define MIN_GAP_NS G_GINT64_CONSTANT (1000000000)
#define MIN_GAP_OF_HOSTS_NS (60 * MIN_GAP_NS)

typedef struct
{
  gint64 first_ns, last_ns; /* by its own clock */
  gint64 offset_ns;
  char *host, *pid;
} Rank;

static const char ranks_sql[] =
    "SELECT f.first_ns, f.last_ns, f.offset_ns, coalesce (p.node, (SELECT m.value FROM metadata_row m"
    " WHERE m.process = p.id AND lower (m.key) IN ('hostname', 'host_name', 'host') AND m.value <> ''"
    " ORDER BY m.thread, m.key LIMIT 1)), p.pid FROM clock_fit_row f JOIN process_row p ON p.id = f.process"
    " WHERE f.run = ?1 AND f.clock = 'epoch' AND ifnull (p.owner, p.id) = p.id ORDER BY f.first_ns, f.process";

static const char sources_sql[] = "SELECT s.id FROM source_row s JOIN event_row e ON e.id = s.first_event"
                                  " JOIN thread_row t ON t.id = e.thread JOIN process_row p ON p.id = t.process"
                                  " JOIN clock_fit_row f ON f.process = ifnull (p.owner, p.id)"
                                  " WHERE s.run = ?1 AND s.clock = 'epoch' AND s.last_ns < ?2 ORDER BY s.id";

static void
clear_rank (gpointer data)
{
  Rank *rank = data;

  g_free (rank->host);
  g_free (rank->pid);
}

static GArray *
read_ranks (TtStore *store, guint32 run, GError **error)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (Rank));
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, ranks_sql, error);
  GError *failure = NULL;

  g_array_set_clear_func (ranks, clear_rank);
  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, run);
  while (failure == NULL && tt_connection_step (store->connection, row, &failure))
    {
      const Rank rank = { sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2),
                          g_strdup ((const char *) sqlite3_column_text (row, 3)),
                          g_strdup ((const char *) sqlite3_column_text (row, 4)) };

      g_array_append_val (ranks, rank);
      tt_store_check_times (store, rank.first_ns, rank.last_ns, &failure);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&ranks) : NULL;
}

static const char *
find_host (const GArray *ranks, guint at)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ranks->len; i++)
    {
      char *host = g_array_index (ranks, Rank, i).host;

      if (host != NULL && i < at)
        g_hash_table_add (hosts, host);
      else if (host != NULL && g_hash_table_contains (hosts, host))
        return host;
    }
  return NULL;
}

/* Whether some that end before were moved past the gap, for the sake of calls. */
static gboolean
are_calling (const GArray *ranks, guint at, gint64 gap_ns)
{
  gint64 most_ns = G_MININT64, least_ns = G_MAXINT64;

  for (guint i = 0; i < ranks->len; i++)
    {
      gint64 offset_ns = g_array_index (ranks, Rank, i).offset_ns;

      if (i < at)
        most_ns = MAX (most_ns, offset_ns);
      else
        least_ns = MIN (least_ns, offset_ns);
    }
  return most_ns > least_ns && (guint64) most_ns - (guint64) least_ns >= (guint64) gap_ns;
}

static GPtrArray *
list_pids (const GArray *ranks, guint at)
{
  GPtrArray *pids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < at; i++)
    {
      const char *pid = g_array_index (ranks, Rank, i).pid;
      g_ptr_array_add (pids, g_strdup (pid != NULL ? pid : "?"));
    }
  return pids;
}

gboolean
tt_earlier_find (TtEarlier *self, TtStore *store, guint32 run, GError **error)
{
  g_autoptr (GArray) ranks = read_ranks (store, run, error);
  guint last = 0;

  *self = (TtEarlier){ 0 };
  if (ranks == NULL)
    return FALSE;
  for (guint i = 1; i < ranks->len; i++)
    {
      const Rank *before = &g_array_index (ranks, Rank, last), *after = &g_array_index (ranks, Rank, i);
      gint64 gap_ns = after->first_ns > before->last_ns ? tt_time_since (after->first_ns, before->last_ns) : 0;

      if (after->last_ns > before->last_ns)
        last = i;
      if (gap_ns < MIN_GAP_NS || gap_ns <= self->gap_ns || !are_calling (ranks, i, gap_ns))
        continue;
      const char *host = find_host (ranks, i);
      if (host == NULL && gap_ns < MIN_GAP_OF_HOSTS_NS)
        continue;
      tt_earlier_clear (self);
      *self = (TtEarlier){ gap_ns, i, ranks->len - i, after->first_ns, g_strdup (host), list_pids (ranks, i) };
    }
  return TRUE;
}

GPtrArray *
tt_earlier_sources (const TtEarlier *self, TtStore *store, guint32 run, GError **error)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, sources_sql, error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, run);
  sqlite3_bind_int64 (row, 2, self->begin_ns);
  while (tt_connection_step (store->connection, row, &failure))
    {
      const TtSource *source = tt_store_source (store, tt_store_column_id (row, 0));

      if (source != NULL)
        g_ptr_array_add (sources, (gpointer) source);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&sources) : NULL;
}

void
tt_earlier_clear (TtEarlier *self)
{
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->pids, g_ptr_array_unref);
}
