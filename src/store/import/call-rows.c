/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/call-rows.h"

#include "src/store/import/table-writer.h"

/* More parts of one call are not kept to give them the root that one of them tells. */
#define MAX_PARTS (1u << 16)

/* Columns of collective_row. */
enum
{
  CALL_RUN = 1,
  CALL_COMM,
  CALL_NAME,
  CALL_ORDINAL,
  CALL_PROCESS,
  CALL_THREAD,
  CALL_EVENT,
  CALL_ROOT,
  CALL_FLAGS,
  CALL_COLUMNS,
};

#define COLUMNS "run, comm, name, ordinal, process, thread, event, root, flags"

/* Writes rows in the order of the table. */
typedef struct
{
  const TtCallRows *rows;
  TtTableWriter *table;
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
  gboolean is_known = is_sure (self, call), is_numbered = call->sequence >= 0;
  const TtRowValue values[CALL_COLUMNS] = {
    [CALL_RUN] = tt_row_int (self->rows->run),
    [CALL_COMM] = { .type = is_known ? TT_ROW_INT : TT_ROW_NULL, .integer = function->shown },
    [CALL_NAME] = tt_row_int (function->name),
    [CALL_ORDINAL] = tt_row_int (is_known ? call->ordinal : G_MAXINT32 + self->n),
    [CALL_PROCESS] = tt_row_int (call->process),
    [CALL_THREAD] = tt_row_int (call->thread),
    [CALL_EVENT] = tt_row_int ((gint64) call->event),
    [CALL_ROOT] = tt_row_int_or_null (root, TT_NO_ID),
    [CALL_FLAGS] = tt_row_int ((is_known ? 0 : TT_COLLECTIVE_UNDECIDED) | (is_numbered ? TT_COLLECTIVE_NUMBERED : 0)),
  };

  *self->n_unsure += !is_known;
  self->n++;
  return tt_table_writer_add (self->table, values, error);
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
  g_autoptr (TtTableWriter) table =
      tt_table_writer_new (self->connection, "collective_row", COLUMNS, CALL_COLUMNS, error);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (TtCallRow));
  RowWriter writer = { .rows = self, .table = table, .parts = parts, .n_unsure = n_unsure };
  GError *failure = NULL;
  const TtCallRow *call;
  guint64 first, last;

  if (table == NULL)
    return FALSE;
  while (failure == NULL && (call = tt_key_sort_next (rows, &failure)) != NULL)
    take_row (&writer, call, &failure);
  if (failure == NULL)
    write_parts (&writer, &failure);
  if (!tt_store_finish (failure, error) || !tt_table_writer_finish (table, &first, &last, error))
    return FALSE;

  gint64 values[] = { self->run, (gint64) first, (gint64) last };
  return tt_connection_exec_ints (self->connection,
                                  "UPDATE run_row SET first_collective = ?2, last_collective = ?3 WHERE id = ?1",
                                  values, 3, error);
}
