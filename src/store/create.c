/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/create.h"

#include "src/store/words.h"
#include "src/trace/activity.h"

static gboolean
fill_words (
    TtConnection *self, const char *sql, const char *(*word) (gint64 id), gint64 first, gint64 n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (self, sql, error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (gint64 id = first; id < n && failure == NULL; id++)
    {
      sqlite3_bind_int64 (insert, 1, id);
      tt_store_bind_text (insert, 2, word (id));
      tt_connection_step (self, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_connection_fill_roles (TtConnection *self, GError **error)
{
  return fill_words (self, "INSERT INTO role_row (id, text) VALUES (?1, ?2)", tt_word_of_role, TT_ACTIVITY_NONE + 1,
                     TT_N_ACTIVITY_ROLES, error);
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
  return fill_words (self, "INSERT INTO message_flag_row (id, text) VALUES (?1, ?2)", tt_word_of_message_flags, 0,
                     TT_MESSAGE_FLAGS, error) &&
         tt_connection_fill_roles (self, error);
}
