/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/page-rows.h"

#include "src/base/array.h"

typedef struct
{
  guint64 first, last;
} Piece;

/* NULL: they do not follow each other. */
static GArray *
read_pieces (TtStore *store, const char *ranges)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (store->connection, ranges, NULL);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  GError *failure = NULL;
  gint64 last = 0;

  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, store->first_run);
  sqlite3_bind_int64 (row, 2, store->last_run);
  while (tt_connection_step (store->connection, row, &failure))
    {
      const Piece piece = { (guint64) sqlite3_column_int64 (row, 0), (guint64) sqlite3_column_int64 (row, 1) };

      if (sqlite3_column_type (row, 0) == SQLITE_NULL || sqlite3_column_type (row, 1) == SQLITE_NULL ||
          (gint64) piece.last < (gint64) piece.first)
        continue;
      if ((gint64) piece.first <= last)
        return NULL;
      last = (gint64) piece.last;
      g_array_append_val (pieces, piece);
    }
  return tt_store_finish (failure, NULL) ? g_steal_pointer (&pieces) : NULL;
}

gboolean
tt_page_rows_read (TtStore *store,
                   TtTablePages *table,
                   const char *ranges,
                   TtPageRowFunc func,
                   gpointer data,
                   guint64 *next)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_page_rows_read_of (store, table, ranges, &all, func, data, next);
}

/* Of @piece what is in @range; FALSE: nothing. Ids are signed. */
static gboolean
clip (Piece *piece, const TtRowRange *range)
{
  piece->first = (guint64) MAX ((gint64) piece->first, range->first);
  piece->last = (guint64) MIN ((gint64) piece->last, range->last);
  return (gint64) piece->first <= (gint64) piece->last;
}

gboolean
tt_page_rows_read_of (TtStore *store,
                      TtTablePages *table,
                      const char *ranges,
                      const TtRowRange *range,
                      TtPageRowFunc func,
                      gpointer data,
                      guint64 *next)
{
  g_autoptr (GArray) pieces = table == NULL ? NULL : read_pieces (store, ranges);
  gint64 values[TT_TABLE_MAX_COLUMNS];
  guint nulls;

  *next = (guint64) G_MININT64;
  for (guint i = 0; pieces != NULL && i < pieces->len; i++)
    {
      Piece piece = g_array_index (pieces, Piece, i);

      if (!clip (&piece, range))
        continue;
      for (*next = piece.first; *next <= piece.last; ++*next)
        {
          TtPageRowAnswer answer =
              tt_table_pages_row (table, *next, values, &nulls) ? func (values, nulls, data) : TT_PAGE_ROW_ODD;

          if (answer != TT_PAGE_ROW_TAKEN)
            return answer == TT_PAGE_ROW_LAST;
        }
    }
  return pieces != NULL;
}
