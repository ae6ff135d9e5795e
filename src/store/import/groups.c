/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/groups.h"

#include "src/store/import/private.h"
#include "src/store/private.h"

static gboolean
insert_calls (TtStoreImport *self, const TtGroupedCall *calls, guint n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection, "INSERT OR REPLACE INTO temp.grouped VALUES (?1, ?2, ?3, ?4, ?5)", error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (guint i = 0; i < n && failure == NULL; i++)
    {
      sqlite3_bind_int64 (insert, 1, (gint64) calls[i].event);
      if (calls[i].flags & TT_COLLECTIVE_UNDECIDED)
        sqlite3_bind_null (insert, 2);
      else
        sqlite3_bind_int64 (insert, 2, calls[i].comm);
      sqlite3_bind_int64 (insert, 3, calls[i].ordinal);
      if (calls[i].root == TT_NO_ID)
        sqlite3_bind_null (insert, 4);
      else
        sqlite3_bind_int64 (insert, 4, tt_places_id (&self->store->process_places, calls[i].root));
      sqlite3_bind_int64 (insert, 5, calls[i].flags);
      tt_connection_step (self->connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_import_groups (TtStoreImport *self, const TtGroupedCall *calls, guint n, GError **error)
{
  gint64 run = self->run;

  return tt_connection_exec (self->connection,
                             "CREATE TEMP TABLE grouped (event INTEGER PRIMARY KEY, comm INTEGER, ordinal INTEGER,"
                             " root INTEGER, flags INTEGER);"
                             "CREATE TEMP TABLE regrouped (place INTEGER PRIMARY KEY, run INTEGER, comm INTEGER,"
                             " name INTEGER, ordinal INTEGER, process INTEGER, thread INTEGER, event INTEGER,"
                             " root INTEGER, flags INTEGER)",
                             error) &&
         insert_calls (self, calls, n, error) &&
         tt_connection_exec_ints (
             self->connection,
             "INSERT INTO temp.regrouped (run, comm, name, ordinal, process, thread, event, root, flags)"
             " SELECT c.run, CASE WHEN g.event IS NULL THEN c.comm ELSE g.comm END AS in_comm, c.name,"
             " ifnull (g.ordinal, c.ordinal) AS at, c.process, c.thread, c.event,"
             " CASE WHEN g.event IS NULL THEN c.root ELSE g.root END, ifnull (g.flags, c.flags)"
             " FROM collective_row c JOIN name_row n ON n.id = +c.name"
             " LEFT JOIN temp.grouped g ON g.event = c.event WHERE c.run = ?1"
             " ORDER BY n.op_name, in_comm, at, c.process, c.thread, c.event",
             &run, 1, error) &&
         tt_connection_exec_ints (self->connection, "DELETE FROM collective_row WHERE run = ?1", &run, 1, error) &&
         tt_connection_exec_ints (
             self->connection,
             "INSERT INTO collective_row"
             " (id, run, comm, name, ordinal, process, thread, event, root, flags)"
             " SELECT (SELECT first_collective FROM run_row WHERE id = ?1) + place - 1, run, comm,"
             " name, ordinal, process, thread, event, root, flags FROM temp.regrouped ORDER BY place",
             &run, 1, error) &&
         tt_connection_exec (self->connection, "DROP TABLE temp.grouped; DROP TABLE temp.regrouped", error);
}
