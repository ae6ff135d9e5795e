/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/doubts.h"

#include "src/store/import/private.h"
#include "src/store/private.h"

/* The row of a kind that was seen is there; a file has one only where something else is known of it. */
static gboolean
add_doubt (TtStoreImport *self, const TtDoubt *doubt, GError **error)
{
  static const char *const statements[] = {
    "INSERT INTO trust_row (run, source, process, kind, seen, mended, skipped, bounded, inferred, lost, doubtful)"
    " SELECT ?1, ?2, ?3, ?4, 0, 0, 0, 0, 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM trust_row"
    " WHERE run = ?1 AND source = ?2 AND process IS ?3 AND kind = ?4)",
    "UPDATE trust_row SET doubtful = doubtful + 1 WHERE id = (SELECT min (id) FROM trust_row"
    " WHERE run = ?1 AND source = ?2 AND process IS ?3 AND kind = ?4)",
  };
  GError *failure = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statements) && failure == NULL; i++)
    {
      g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, statements[i], error);

      if (row == NULL)
        return FALSE;
      sqlite3_bind_int64 (row, 1, self->run);
      sqlite3_bind_int64 (row, 2, (gint64) doubt->source);
      if (doubt->process == TT_NO_ID)
        sqlite3_bind_null (row, 3);
      else
        sqlite3_bind_int64 (row, 3, tt_places_id (&self->store->process_places, doubt->process));
      tt_store_bind_text (row, 4, tt_trust_kind_text (doubt->kind));
      tt_connection_step (self->connection, row, &failure);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_import_doubts (TtStoreImport *self, const TtDoubt *doubts, guint n, GError **error)
{
  gint64 run = self->run;

  /* Doubtful records are of the repairs of their sources. */
  if (!tt_connection_exec_ints (
          self->connection, "UPDATE trust_row SET doubtful = 0 WHERE run = ?1 AND doubtful <> 0 AND kind <> 'record'",
          &run, 1, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!add_doubt (self, &doubts[i], error))
      return FALSE;
  return TRUE;
}
