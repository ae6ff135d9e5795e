/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/create.h"

#include "src/store/schema.h"
#include "src/trace/activity.h"

static gboolean
fill_message_flags (TtConnection *self, GError **error)
{
  return tt_connection_exec (self,
                             "INSERT INTO message_flag_row VALUES (0, NULL), (1, 'onesided'), (2, 'recv_before_send'),"
                             " (3, 'onesided,recv_before_send'), (4, 'unmatched'), (5, 'onesided,unmatched'),"
                             " (6, 'recv_before_send,unmatched'), (7, 'onesided,recv_before_send,unmatched')",
                             error);
}

gboolean
tt_connection_fill_roles (TtConnection *self, GError **error)
{
  g_autoptr (sqlite3_stmt) insert =
      tt_connection_prepare (self, "INSERT INTO role_row (id, text) VALUES (?1, ?2)", error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (int role = TT_ACTIVITY_NONE + 1; role < TT_N_ACTIVITY_ROLES && failure == NULL; role++)
    {
      sqlite3_bind_int64 (insert, 1, role);
      tt_store_bind_text (insert, 2, tt_activity_role_text ((TtActivityRole) role));
      tt_connection_step (self, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_connection_create_schema (TtConnection *self, GError **error)
{
  g_autofree char *version = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d",
                                              TT_SCHEMA_APPLICATION_ID, TT_SCHEMA_VERSION);

  if (!tt_connection_exec (self, version, error))
    return FALSE;
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    if (!tt_connection_exec (self, tt_schema_sql[i], error))
      return FALSE;
  return fill_message_flags (self, error) && tt_connection_fill_roles (self, error);
}
