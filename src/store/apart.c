/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/apart.h"

#include "src/store/private.h"

#include <string.h>

#define MIN_GAP_NS (G_GINT64_CONSTANT (3600) * 1000000000)
#define MIN_GAP_OF_HOSTS_NS (G_GINT64_CONSTANT (60) * 1000000000)
#define MIN_TIMES_LONGEST 10

/* Of one run and clock, in order of their begins. */
typedef struct
{
  const TtSource *source;
  gint64 first_ns, last_ns;
  guint32 thread;  /* of the source's first event; 0: that says nothing */
  guint32 process; /* likewise */
} Stretch;

/* TAU writes one file for each thread of a run. */
static const char stretches_sql[] =
    "SELECT s.id, s.first_ns, s.last_ns, CASE s.format WHEN 'tau' THEN e.thread ELSE 0 END,"
    " CASE WHEN s.format IN ('tau', 'otf2', 'kineto') THEN t.process END FROM source_row s"
    " LEFT JOIN event_row e ON e.id = s.first_event LEFT JOIN thread_row t ON t.id = e.thread WHERE s.run = ?1 AND "
    "s.clock = ?2 AND s.first_ns IS NOT NULL"
    " ORDER BY s.first_ns, s.id";

/* The machine of the process that has the first event. */
static const char host_sql[] =
    "SELECT coalesce (p.node, (SELECT m.value FROM metadata_row m WHERE m.process IN (p.id, p.owner)"
    " AND lower (m.key) IN ('hostname', 'host_name', 'host') AND m.value <> '' ORDER BY m.process, m.thread, m.key "
    "LIMIT 1))"
    " FROM event_row e JOIN thread_row t ON t.id = e.thread JOIN process_row p ON p.id = t.process WHERE e.id = ?1";

static gboolean
read_host (TtStore *store, const TtSource *source, char **host, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, host_sql, error);
  GError *failure = NULL;

  *host = NULL;
  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, (gint64) source->first_event);
  if (tt_connection_step (store->connection, row, &failure))
    *host = g_strdup ((const char *) sqlite3_column_text (row, 0));
  return tt_store_finish (failure, error);
}

static GArray *
read_stretches (TtStore *store, guint32 run, TtClock clock, GError **error)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, stretches_sql, error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, run);
  tt_store_bind_text (row, 2, tt_clock_text (clock));
  while (failure == NULL && tt_connection_step (store->connection, row, &failure))
    {
      const Stretch stretch = { tt_store_source (store, tt_store_column_id (row, 0)), sqlite3_column_int64 (row, 1),
                                sqlite3_column_int64 (row, 2), (guint32) sqlite3_column_int64 (row, 3),
                                (guint32) sqlite3_column_int64 (row, 4) };

      if (tt_store_check_times (store, stretch.first_ns, stretch.last_ns, &failure) && stretch.source != NULL)
        g_array_append_val (stretches, stretch);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&stretches) : NULL;
}

/* Takes the gap if it is wide enough for what is known of the machines. */
static gboolean
take_gap (TtApart *self, TtStore *store, const TtApart *gap, GError **error)
{
  g_autofree char *before = NULL, *after = NULL;

  if (!read_host (store, gap->before, &before, error) || !read_host (store, gap->after, &after, error))
    return FALSE;
  gboolean are_others = before != NULL && after != NULL && g_strcmp0 (before, after) != 0;
  if (gap->gap_ns < MIN_GAP_NS && !are_others)
    return TRUE;
  tt_apart_clear (self);
  *self = *gap;
  if (are_others)
    {
      self->host_before = g_steal_pointer (&before);
      self->host_after = g_steal_pointer (&after);
    }
  return TRUE;
}

/* For each stretch, whether a thread has one before it and one from it on. Free it. */
static guint8 *
find_threads_twice (const GArray *stretches)
{
  g_autoptr (GHashTable) latest = g_hash_table_new (NULL, NULL); /* thread -> index of its latest + 1 */
  guint8 *is_twice = g_new0 (guint8, (gsize) stretches->len + 1);

  for (guint i = 0; i < stretches->len; i++)
    {
      gpointer thread = GUINT_TO_POINTER (g_array_index (stretches, Stretch, i).thread);
      if (thread != NULL)
        g_hash_table_insert (latest, thread, GUINT_TO_POINTER (i + 1));
    }
  /* From the first stretch of a thread to its latest. */
  for (guint i = 0, until = 0; i < stretches->len; i++)
    {
      gpointer thread = GUINT_TO_POINTER (g_array_index (stretches, Stretch, i).thread);
      is_twice[i] = i < until;
      if (thread != NULL)
        until = MAX (until, GPOINTER_TO_UINT (g_hash_table_lookup (latest, thread)));
    }
  return is_twice;
}

static gboolean
find_gaps (TtApart *self, TtStore *store, const GArray *stretches, GError **error)
{
  gint64 longest_ns = 0;
  g_autofree guint8 *is_twice = find_threads_twice (stretches);
  guint last = 0; /* to end so far */

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);
      longest_ns = MAX (longest_ns, stretch->last_ns - stretch->first_ns);
    }
  for (guint i = 1; i < stretches->len; i++)
    {
      const Stretch *before = &g_array_index (stretches, Stretch, last),
                    *after = &g_array_index (stretches, Stretch, i);
      const TtApart gap = { .before = before->source,
                            .after = after->source,
                            .gap_ns = after->first_ns - before->last_ns };

      if (after->last_ns > before->last_ns)
        last = i;
      if (gap.gap_ns > self->gap_ns && is_twice[i])
        {
          tt_apart_clear (self);
          *self = gap;
        }
      else if (gap.gap_ns > MAX (self->gap_ns, MIN_GAP_OF_HOSTS_NS - 1) &&
               gap.gap_ns / MIN_TIMES_LONGEST > longest_ns && !take_gap (self, store, &gap, error))
        return FALSE;
    }
  return TRUE;
}

/* -- what only two runs have --------------------------------------------------------------------------------- */

#define MAX_MESSAGES 100000
#define MIN_CROSSING 4u

static const char worlds_sql[] = "SELECT m.value, m.source FROM metadata_row m JOIN process_row p ON p.id = m.process"
                                 " WHERE p.run = ?1 AND m.key = 'distributedInfo/world_size' ORDER BY m.source";
static const char messages_sql[] =
    "SELECT src_process, dst_process, send_ns IS NOT NULL AND recv_ns IS NOT NULL FROM message_row"
    " WHERE run = ?1 AND src_process <> dst_process ORDER BY id LIMIT ?2";

static char *
folder_of (const TtSource *source)
{
  return g_path_get_dirname (source->path != NULL ? source->path : "");
}

static gboolean
are_in_one_folder (const TtSource *a, const TtSource *b)
{
  g_autofree char *first = folder_of (a), *second = folder_of (b);

  return strcmp (first, second) == 0;
}

/* Whether no run writes both, which have a process in common. */
static gboolean
are_of_two_runs (const Stretch *a, const Stretch *b)
{
  if (g_strcmp0 (a->source->format, b->source->format) != 0)
    return FALSE;
  if (strcmp (a->source->format, "tau") == 0)
    return !are_in_one_folder (a->source, b->source);
  return strcmp (a->source->format, "otf2") == 0 || (a->first_ns < b->last_ns && b->first_ns < a->last_ns);
}

/* Definitions need not be in memory. */
static gboolean
read_pid (TtStore *store, guint32 process, char **pid, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (store->connection, "SELECT pid FROM process_row WHERE id = ?1", error);
  GError *failure = NULL;

  *pid = NULL;
  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, process);
  if (tt_connection_step (store->connection, row, &failure))
    *pid = g_strdup ((const char *) sqlite3_column_text (row, 0));
  return tt_store_finish (failure, error);
}

static gboolean
find_both (TtApart *self, TtStore *store, const GArray *stretches, GError **error)
{
  g_autoptr (GHashTable) latest = g_hash_table_new (NULL, NULL); /* process -> index of its latest + 1 */

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);
      guint before = GPOINTER_TO_UINT (g_hash_table_lookup (latest, GUINT_TO_POINTER (stretch->process)));
      char *pid = NULL;

      if (stretch->process == 0)
        continue;
      if (before > 0 && are_of_two_runs (&g_array_index (stretches, Stretch, before - 1), stretch))
        {
          if (!read_pid (store, stretch->process, &pid, error))
            return FALSE;
          tt_apart_clear (self);
          *self = (TtApart){ .before = g_array_index (stretches, Stretch, before - 1).source,
                             .after = stretch->source,
                             .both = pid != NULL ? pid : g_strdup ("?") };
          return TRUE;
        }
      g_hash_table_insert (latest, GUINT_TO_POINTER (stretch->process), GUINT_TO_POINTER (i + 1));
    }
  return TRUE;
}

static gboolean
find_worlds (TtApart *self, TtStore *store, guint32 run, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, worlds_sql, error);
  g_autofree char *first = NULL;
  const TtSource *before = NULL;
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  while (self->both == NULL && self->worlds[0] == NULL && tt_connection_step (store->connection, row, &failure))
    {
      const char *text = (const char *) sqlite3_column_text (row, 0);
      const TtSource *source = tt_store_source (store, tt_store_column_id (row, 1));

      if (text == NULL || source == NULL)
        continue;
      if (first == NULL)
        {
          first = g_strdup (text);
          before = source;
        }
      else if (strcmp (first, text) != 0)
        {
          tt_apart_clear (self);
          *self =
              (TtApart){ .before = before, .after = source, .worlds = { g_steal_pointer (&first), g_strdup (text) } };
        }
    }
  return tt_store_finish (failure, error);
}

/* Of processes of TAU, the stretch that each is known from. */
static gboolean
find_crossing (TtApart *self, TtStore *store, guint32 run, const GArray *stretches, GError **error)
{
  g_autoptr (GHashTable) of = g_hash_table_new (NULL, NULL);
  const Stretch *one = NULL, *other = NULL;
  guint64 n_crossing = 0;
  gboolean is_one = FALSE;
  GError *failure = NULL;

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);
      if (stretch->thread != 0 && stretch->process != 0)
        g_hash_table_insert (of, GUINT_TO_POINTER (stretch->process), (gpointer) stretch);
      is_one |=
          stretch->thread != 0 && !are_in_one_folder (stretch->source, g_array_index (stretches, Stretch, 0).source);
    }
  if (!is_one || self->both != NULL || self->worlds[0] != NULL)
    return TRUE;
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, messages_sql, error);
  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  sqlite3_bind_int64 (row, 2, MAX_MESSAGES);
  for (is_one = FALSE; !is_one && tt_connection_step (store->connection, row, &failure);)
    {
      const Stretch *from = g_hash_table_lookup (of, GUINT_TO_POINTER (tt_store_column_id (row, 0)));
      const Stretch *to = g_hash_table_lookup (of, GUINT_TO_POINTER (tt_store_column_id (row, 1)));
      if (from == NULL || to == NULL || are_in_one_folder (from->source, to->source))
        continue;
      is_one = sqlite3_column_int (row, 2) != 0;
      one = n_crossing == 0 ? from : one;
      other = n_crossing == 0 ? to : other;
      n_crossing++;
    }
  if (failure == NULL && !is_one && n_crossing >= MIN_CROSSING)
    {
      tt_apart_clear (self);
      *self = (TtApart){ .before = one->source, .after = other->source, .n_crossing = n_crossing };
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_apart_is (const TtApart *self)
{
  return self->gap_ns != 0 || self->both != NULL || self->worlds[0] != NULL || self->n_crossing > 0;
}

/* -- what no clocks explain ---------------------------------------------------------------------------------- */

/* One source may have all ranks. */
static void
name_sides (TtApart *self, const GArray *stretches)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      if (g_ptr_array_find (self->earlier_sources, stretch->source, NULL))
        self->before = stretch->source;
      else if (self->after == NULL && stretch->first_ns >= self->earlier.begin_ns)
        self->after = stretch->source;
    }
  self->before = self->before != NULL ? self->before : g_array_index (stretches, Stretch, 0).source;
  self->after = self->after != NULL ? self->after : self->before;
}

/* Takes it if it is wider than what is known. */
static gboolean
find_earlier (TtApart *self, TtStore *store, guint32 run, const GArray *stretches, GError **error)
{
  g_auto (TtEarlier) earlier = { 0 };

  if (!tt_earlier_find (&earlier, store, run, error))
    return FALSE;
  if (earlier.gap_ns <= self->gap_ns || stretches->len == 0)
    return TRUE;
  g_autoptr (GPtrArray) sources = tt_earlier_sources (&earlier, store, run, error);
  if (sources == NULL)
    return FALSE;
  tt_apart_clear (self);
  *self = (TtApart){ .gap_ns = earlier.gap_ns, .earlier = earlier, .earlier_sources = g_steal_pointer (&sources) };
  earlier = (TtEarlier){ 0 };
  name_sides (self, stretches);
  return TRUE;
}

gboolean
tt_apart_find (TtApart *self, TtStore *store, GError **error)
{
  guint n;
  const TtRun *runs = tt_store_runs (store, &n);

  *self = (TtApart){ 0 };
  for (guint i = 0; i < n; i++)
    for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_RELATIVE; clock++)
      {
        g_autoptr (GArray) stretches = read_stretches (store, runs[i].id, clock, error);

        if (stretches == NULL ||
            (clock == TT_CLOCK_EPOCH && !find_earlier (self, store, runs[i].id, stretches, error)) ||
            !find_gaps (self, store, stretches, error))
          return FALSE;
        if (self->gap_ns == 0 && !find_both (self, store, stretches, error))
          return FALSE;
        if (self->gap_ns == 0 && !find_crossing (self, store, runs[i].id, stretches, error))
          return FALSE;
        if (self->gap_ns == 0 && clock == TT_CLOCK_EPOCH && !find_worlds (self, store, runs[i].id, error))
          return FALSE;
      }
  return TRUE;
}

void
tt_apart_clear (TtApart *self)
{
  tt_earlier_clear (&self->earlier);
  g_clear_pointer (&self->earlier_sources, g_ptr_array_unref);
  g_clear_pointer (&self->host_before, g_free);
  g_clear_pointer (&self->host_after, g_free);
  g_clear_pointer (&self->both, g_free);
  g_clear_pointer (&self->worlds[0], g_free);
  g_clear_pointer (&self->worlds[1], g_free);
}
