/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/join.h"

/* Each round halves the longest chain. */
#define MAX_ROUNDS 32

/* Processes whose owner belongs to another. */
#define OWNED "(SELECT o.id FROM process_row o WHERE o.run = ?1 AND o.owner <> o.id)"

static gboolean
has_chains (TtConnection *connection, guint32 run, gboolean *is_any, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT count (*) FROM process_row p JOIN process_row o ON o.id = p.owner WHERE p.run = %u AND o.owner <> o.id", run);
  gint64 n = 0;

  if (!tt_connection_get_int (connection, sql, &n, error))
    return FALSE;
  *is_any = n > 0;
  return TRUE;
}

gboolean
tt_ranks_join (TtConnection *connection, guint32 run, GError **error)
{
  static const char shorten[] = "UPDATE process_row SET owner = (SELECT o.owner FROM process_row o"
                                " WHERE o.id = process_row.owner) WHERE run = ?1 AND owner IN " OWNED;
  static const char cut[] = "UPDATE process_row SET owner = NULL WHERE run = ?1 AND owner IN " OWNED;
  const gint64 values[] = { run };
  gboolean is_any = FALSE;

  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      if (!has_chains (connection, run, &is_any, error))
        return FALSE;
      if (!is_any)
        return TRUE;
      if (!tt_connection_exec_ints (connection, shorten, values, 1, error))
        return FALSE;
    }
  return tt_connection_exec_ints (connection, cut, values, 1, error);
}
