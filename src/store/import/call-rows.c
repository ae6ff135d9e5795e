/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/call-rows.h"

/* More parts of one call are not kept to give them the root that one of them tells. */
#define MAX_PARTS (1u << 16)

/* Writes rows in the order of the table. */
typedef struct
{
  const TtCallRows *rows;
  sqlite3_stmt *insert;
  GArray *parts; /* of TtCallRow: of one, so far */
  gint64 n;
  guint64 *n_unsure;
} RowWriter;

static gboolean
is_sure (const RowWriter *self, const TtCallRow *call)
{
  return self->rows->n_sure == NULL || call->sequence >= 0 ||
         (guint64) call->ordinal < self->rows->n_sure[call->function];
}

static gboolean
write_row (RowWriter *self, const TtCallRow *call, guint32 root, GError **error)
{
  const TtCallFunction *function = tt_call_function_at (self->rows->ranked, call->function);
  sqlite3_stmt *insert = self->insert;
  gboolean is_known = is_sure (self, call), is_numbered = call->sequence >= 0;
  GError *failure = NULL;

  sqlite3_bind_int64 (insert, 1, self->rows->run);
  sqlite3_bind_int64 (insert, 2, function->name);
  sqlite3_bind_int64 (insert, 3, is_known ? call->ordinal : G_MAXINT32 + self->n);
  sqlite3_bind_int64 (insert, 4, call->process);
  sqlite3_bind_int64 (insert, 5, call->thread);
  sqlite3_bind_int64 (insert, 6, (gint64) call->event);
  if (is_known)
    sqlite3_bind_int64 (insert, 7, function->shown);
  else
    sqlite3_bind_null (insert, 7);
  sqlite3_bind_int64 (insert, 8, (is_known ? 0 : TT_COLLECTIVE_UNDECIDED) | (is_numbered ? TT_COLLECTIVE_NUMBERED : 0));
  if (root != TT_NO_ID)
    sqlite3_bind_int64 (insert, 9, root);
  else
    sqlite3_bind_null (insert, 9);
  *self->n_unsure += !is_known;
  tt_connection_step (self->rows->connection, insert, &failure);
  sqlite3_reset (insert);
  self->n++;
  return tt_store_finish (failure, error);
}

/* What one rank tells of a call, that it is the root (PyTorch), holds for the others. */
static gboolean
write_parts (RowWriter *self, GError **error)
{
  guint32 root = TT_NO_ID;

  for (guint i = 0; i < self->parts->len && root == TT_NO_ID; i++)
    root = g_array_index (self->parts, TtCallRow, i).root;
  for (guint i = 0; i < self->parts->len; i++)
    {
      const TtCallRow *call = &g_array_index (self->parts, TtCallRow, i);

      if (!write_row (self, call, call->root != TT_NO_ID ? call->root : root, error))
        return FALSE;
    }
  g_array_set_size (self->parts, 0);
  return TRUE;
}

static gboolean
take_row (RowWriter *self, const TtCallRow *call, GError **error)
{
  const TtCallRow *first = self->parts->len == 0 ? NULL : &g_array_index (self->parts, TtCallRow, 0);

  if (first != NULL && (first->function != call->function || first->ordinal != call->ordinal ||
                        self->parts->len >= MAX_PARTS || !is_sure (self, call)))
    if (!write_parts (self, error))
      return FALSE;
  if (!self->rows->has_roots || !is_sure (self, call))
    return write_row (self, call, call->root, error);
  g_array_append_val (self->parts, *call);
  return TRUE;
}

gboolean
tt_call_rows_write (const TtCallRows *self, TtKeySort *rows, guint64 *n_unsure, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection,
      "INSERT INTO collective_row (run, comm, name, ordinal, process, thread, event, flags, root)"
      " VALUES (?1, ?7, ?2, ?3, ?4, ?5, ?6, ?8, ?9)",
      error);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (TtCallRow));
  RowWriter writer = { .rows = self, .insert = insert, .parts = parts, .n_unsure = n_unsure };
  GError *failure = NULL;
  const TtCallRow *call;
  gint64 last;

  if (insert == NULL || !tt_connection_get_int (self->connection, "SELECT max (id) FROM collective_row", &last, error))
    return FALSE;
  while (failure == NULL && (call = tt_key_sort_next (rows, &failure)) != NULL)
    take_row (&writer, call, &failure);
  if (failure == NULL)
    write_parts (&writer, &failure);
  if (!tt_store_finish (failure, error))
    return FALSE;

  gint64 values[] = { self->run, last + 1, last + writer.n };
  return tt_connection_exec_ints (self->connection,
                                  "UPDATE run_row SET first_collective = ?2, last_collective = ?3 WHERE id = ?1",
                                  values, 3, error);
}
