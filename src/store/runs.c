/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/runs.h"

#include <string.h>

#include "src/store/private.h"

/* Ids that a message lists. */
#define MAX_LISTED 8u

static const char run_sql[] =
    "SELECT r.id, r.command, r.imported_at,"
    " (SELECT group_concat (f.format, ', ') FROM (SELECT DISTINCT s.format FROM source_row s WHERE s.run = r.id"
    " ORDER BY s.format) f),"
    " (SELECT count (*) FROM source_row s WHERE s.run = r.id),"
    " (SELECT sum (t.count) FROM statistic_row t WHERE t.id BETWEEN r.first_name AND r.last_name)"
    " FROM run_row r ORDER BY r.id";
static const char times_sql[] = "SELECT min (first_ns), max (last_ns) FROM source_row WHERE run = ?1 AND clock = ?2";

/* The first clock that has times. */
static gboolean
find_times (TtStore *self, sqlite3_stmt *times, TtRunSummary *run, GError **error)
{
  GError *failure = NULL;

  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS && !run->has_time && failure == NULL; clock++)
    {
      sqlite3_bind_int64 (times, 1, run->id);
      tt_store_bind_text (times, 2, tt_clock_text (clock));
      if (tt_connection_step (self->connection, times, &failure) && sqlite3_column_type (times, 0) != SQLITE_NULL)
        {
          run->has_time = TRUE;
          run->clock = clock;
          run->first_ns = sqlite3_column_int64 (times, 0);
          run->last_ns = sqlite3_column_int64 (times, 1);
          if (!tt_store_check_times (self, run->first_ns, run->last_ns, &failure))
            run->has_time = FALSE;
        }
      sqlite3_reset (times);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_each_run (TtStore *self, TtRunSummaryFunc func, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, run_sql, error);
  g_autoptr (sqlite3_stmt) times = row == NULL ? NULL : tt_connection_prepare (self->connection, times_sql, error);
  GError *failure = NULL;

  if (times == NULL)
    return FALSE;
  while (failure == NULL && tt_connection_step (self->connection, row, &failure))
    {
      const char *command = (const char *) sqlite3_column_text (row, 1);
      const char *imported_at = (const char *) sqlite3_column_text (row, 2);
      TtRunSummary run = {
        .id = tt_store_column_id (row, 0),
        .command = command,
        .imported_at = imported_at,
        .formats = (const char *) sqlite3_column_text (row, 3),
        .n_sources = (guint) sqlite3_column_int64 (row, 4),
        .n_spans = tt_store_column_uint (row, 5),
      };
      if (command == NULL || imported_at == NULL)
        tt_store_set_damaged (self, &failure, "run %u lacks a text", run.id);
      else if (find_times (self, times, &run, &failure) && !func (&run, data))
        break;
    }
  return tt_store_finish (failure, error);
}

/* -- which there are ------------------------------------------------------------------------------------------ */

GArray *
tt_store_read_runs (TtStore *self, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, "SELECT id FROM run_row ORDER BY id", error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  while (tt_connection_step (self->connection, row, &failure))
    {
      guint32 id = tt_store_column_id (row, 0);
      g_array_append_val (ids, id);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&ids) : NULL;
}

char *
tt_store_runs_text (TtStore *self)
{
  g_autoptr (GArray) ids = tt_store_read_runs (self, NULL);
  GString *text = g_string_new (NULL);
  guint n = ids == NULL ? 0 : ids->len;

  for (guint i = 0; i < n; i++)
    {
      if (n > MAX_LISTED && i + 1 >= MAX_LISTED && i + 1 < n)
        continue;
      g_string_append_printf (text, "%s%u",
                              i == 0           ? ""
                              : i + 1 < n      ? ", "
                              : n > MAX_LISTED ? " ... "
                                               : " and ",
                              g_array_index (ids, guint32, i));
    }
  return g_string_free (text, FALSE);
}

static gboolean
fail_empty (TtStore *self, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "no runs yet in '%s': 'tracetool import FILE...' adds one",
               tt_store_shown (self));
  return FALSE;
}

static gboolean
add_id (TtStore *self, GArray *ids, const GArray *known, const char *word, GError **error)
{
  guint64 number;
  guint32 id = 0;
  guint place;

  if (g_ascii_string_to_unsigned (word, 10, 1, G_MAXUINT32, &number, NULL))
    for (guint i = 0; i < known->len && id == 0; i++)
      id = g_array_index (known, guint32, i) == number ? (guint32) number : 0;
  if (id == 0)
    {
      g_autofree char *there = tt_store_runs_text (self);
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   known->len == 1 ? "no run '%s' in '%s', which has run %s only"
                                   : "no run '%s' in '%s'; choose 'all' or one of %s",
                   word, tt_store_shown (self), there);
      return FALSE;
    }
  for (place = 0; place < ids->len && g_array_index (ids, guint32, place) < id;)
    place++;
  if (place == ids->len || g_array_index (ids, guint32, place) != id)
    g_array_insert_val (ids, place, id);
  return TRUE;
}

GArray *
tt_store_parse_runs (TtStore *self, const char *text, GError **error)
{
  g_autoptr (GArray) known = tt_store_read_runs (self, error), ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (known == NULL)
    return NULL;
  if (known->len == 0)
    {
      fail_empty (self, error);
      return NULL;
    }
  if (strcmp (text, "all") == 0)
    return g_steal_pointer (&known);

  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  if (words[0] == NULL)
    return add_id (self, ids, known, "", error) ? g_steal_pointer (&ids) : NULL;
  for (char **word = words; *word != NULL; word++)
    if (!add_id (self, ids, known, *word, error))
      return NULL;
  return g_steal_pointer (&ids);
}

gboolean
tt_store_select_run (TtStore *self, const char *run, GError **error)
{
  if (run == NULL)
    return tt_store_select_latest (self, error) && (!tt_store_is_empty (self) || fail_empty (self, error));

  g_autoptr (GArray) runs = tt_store_parse_runs (self, run, error);
  if (runs == NULL)
    return FALSE;
  if (runs->len > 1 && strcmp (run, "all") != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--run %s' names several runs; choose one of them, or 'all'", run);
      return FALSE;
    }
  return tt_store_select_runs (self, g_array_index (runs, guint32, 0), g_array_index (runs, guint32, runs->len - 1),
                               error);
}
