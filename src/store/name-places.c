/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/private.h"

/* The last id of a name of this run or one before, 0 where there is none: ids and runs ascend together. */
static gboolean
last_name_until (TtStore *self, gint64 run, gint64 max, gint64 *last, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT id, run FROM name_row WHERE id <= ?1 ORDER BY id DESC LIMIT 1", error);
  gint64 low = 0, high = max;
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  *last = 0;
  while (low < high && failure == NULL)
    {
      gint64 middle = high - (high - low) / 2;

      sqlite3_reset (row);
      sqlite3_bind_int64 (row, 1, middle);
      gboolean is_found = tt_connection_step (self->connection, row, &failure);
      gint64 id = is_found ? sqlite3_column_int64 (row, 0) : 0;
      /* In a damaged tree of rows it may be any. */
      if (id > middle)
        return tt_store_set_damaged (self, error, "name %" G_GINT64_FORMAT " is not in its place", id);
      if (is_found && sqlite3_column_int64 (row, 1) > run)
        high = MAX (id, 1) - 1;
      else
        {
          low = middle;
          if (is_found)
            *last = id;
        }
    }
  return tt_store_finish (failure, error);
}

/* @last: the last id of the runs before, and then of this one. */
static gboolean
place_names_of (TtStore *self, gint64 run, gint64 max, gint64 n_most, gint64 *last, GError **error)
{
  gint64 before = *last, first;

  if (!last_name_until (self, run, max, last, error))
    return FALSE;
  if (*last <= before)
    return TRUE;
  g_autofree char *sql = g_strdup_printf ("SELECT min (id) FROM name_row WHERE id > %" G_GINT64_FORMAT, before);
  if (!tt_connection_get_int (self->connection, sql, &first, error))
    return FALSE;
  return (tt_places_add (&self->name_places, first, *last) && self->name_places.n <= n_most) ||
         tt_store_set_damaged (self, error,
                               "run %" G_GINT64_FORMAT " has names with ids %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                               run, first, *last);
}

gboolean
tt_store_place_names (TtStore *self, GError **error)
{
  enum
  {
    LEAST_BYTES = 8
  };
  gint64 max, n_bytes, last = 0;

  if (!tt_connection_get_int (self->connection, "SELECT max (id) FROM name_row", &max, error) ||
      !tt_connection_get_int (
          self->connection, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", &n_bytes, error))
    return FALSE;
  if (max < 0 || max > G_MAXINT32)
    return tt_store_set_damaged (self, error, "%" G_GINT64_FORMAT " is no id of a name", max);
  if (self->runs->len > 0 && !last_name_until (self, (gint64) self->first_run - 1, max, &last, error))
    return FALSE;
  for (guint i = 0; i < self->runs->len; i++)
    if (!place_names_of (self, g_array_index (self->runs, TtRun, i).id, max, n_bytes / LEAST_BYTES, &last, error))
      return FALSE;
  return TRUE;
}
