/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/trust.h"

#include "src/store/private.h"

/* -- rows ------------------------------------------------------------------------------------------------------ */

static gboolean
is_selected (const TtStore *self, guint64 run)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (g_array_index (self->runs, TtRun, i).id == run)
      return TRUE;
  return FALSE;
}

static TtTrustRow
read_row (TtStore *self, sqlite3_stmt *row)
{
  TtTrustRow result = {
    .path = (const char *) sqlite3_column_text (row, 1),
    .pid = (const char *) sqlite3_column_text (row, 2),
    .kind = (const char *) sqlite3_column_text (row, 3),
    .has_rank = sqlite3_column_type (row, 4) != SQLITE_NULL,
    .rank = sqlite3_column_int64 (row, 4),
    .is_left_out = sqlite3_column_type (row, 5) == SQLITE_NULL,
    .source = tt_store_column_uint (row, 5),
    .seen = tt_store_column_uint (row, 6),
    .process = sqlite3_column_type (row, 13) == SQLITE_NULL
                   ? TT_NO_ID
                   : tt_places_find (&self->process_places, sqlite3_column_int64 (row, 13)),
  };

  for (int fate = 0; fate < TT_N_TRUST_FATES; fate++)
    result.fate[fate] = tt_store_column_uint (row, 7 + fate);
  return result;
}

gboolean
tt_store_each_trust (TtStore *self, TtTrustFunc func, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection,
      "SELECT run, path, pid, kind, rank, source, seen, mended, skipped, bounded, inferred, lost,"
      " doubtful, process FROM trust",
      error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  while (tt_connection_step (self->connection, row, &failure))
    {
      TtTrustRow found = read_row (self, row);
      if (is_selected (self, tt_store_column_uint (row, 0)) && !func (&found, data))
        break;
    }
  return tt_store_finish (failure, error);
}

/* -- in short --------------------------------------------------------------------------------------------------- */

void
tt_trust_brief_clear (TtTrustBrief *self)
{
  g_clear_pointer (&self->damaged, g_hash_table_unref);
  g_clear_pointer (&self->marked, g_hash_table_unref);
}

static void
add_process (GHashTable *processes, guint32 process)
{
  if (process != TT_NO_ID)
    g_hash_table_add (processes, GUINT_TO_POINTER (process));
}

static void
count_files (TtTrustBrief *brief, guint64 source, guint64 n)
{
  if (n == 0 || (source != 0 && source == brief->last_source))
    return;
  brief->last_source = source;
  brief->n_files += n;
}

static gboolean
add_row (const TtTrustRow *row, gpointer data)
{
  TtTrustBrief *brief = data;
  guint64 n = 0;

  for (guint fate = 0; fate < TT_N_TRUST_FATES; fate++)
    n += fate == TT_TRUST_DOUBTFUL ? 0 : row->fate[fate];
  if (g_strcmp0 (row->kind, tt_trust_kind_text (TT_TRUST_FILE)) == 0)
    brief->n_doubtful_files += row->fate[TT_TRUST_DOUBTFUL];
  else
    brief->n_doubtful += row->fate[TT_TRUST_DOUBTFUL];
  if (g_strcmp0 (row->kind, tt_trust_kind_text (TT_TRUST_SPAN)) == 0)
    {
      brief->n_spans += row->seen;
      brief->n_marked += n;
      if (n > 0)
        add_process (brief->marked, row->process);
    }
  else if (g_strcmp0 (row->kind, tt_trust_kind_text (TT_TRUST_RECORD)) == 0)
    brief->n_records += n;
  else if (g_strcmp0 (row->kind, tt_trust_kind_text (TT_TRUST_FILE)) == 0)
    count_files (brief, row->source, n);
  return TRUE;
}

/* Where it is not known of which process the records were, all of the source's are. */
#define DAMAGED_SQL                                                                                     \
  "SELECT DISTINCT o.process, o.run FROM trust_row t JOIN trust_row o ON o.source = t.source"           \
  " WHERE t.kind IN ('record', 'file') AND t.mended + t.skipped + t.lost > 0 AND o.process IS NOT NULL" \
  " AND (t.process IS NULL OR t.process = o.process)"

gboolean
tt_store_trust_brief (TtStore *self, TtTrustBrief *brief, GError **error)
{
  g_autoptr (sqlite3_stmt) row = NULL;
  GError *failure = NULL;

  *brief = (TtTrustBrief){ .damaged = g_hash_table_new (NULL, NULL), .marked = g_hash_table_new (NULL, NULL) };
  if (!tt_store_each_trust (self, add_row, brief, error))
    return FALSE;
  if (brief->n_records == 0 && brief->n_files == 0)
    return TRUE;
  row = tt_connection_prepare (self->connection, DAMAGED_SQL, error);
  if (row == NULL)
    return FALSE;
  while (tt_connection_step (self->connection, row, &failure))
    if (is_selected (self, tt_store_column_uint (row, 1)))
      add_process (brief->damaged, tt_places_find (&self->process_places, sqlite3_column_int64 (row, 0)));
  return tt_store_finish (failure, error);
}
