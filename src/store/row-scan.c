/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/array.h"
#include "src/store/private.h"
#include "src/trace/span.h"

/* -- what rows refer to ------------------------------------------------------------------------------------ */

gboolean
tt_store_set_damaged (const TtStore *self, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is damaged: %s; import the traces again", self->connection->path,
               what);
  return FALSE;
}

gboolean
tt_store_check_times (const TtStore *self, gint64 first_ns, gint64 last_ns, GError **error)
{
  return (tt_time_is_kept (first_ns) && tt_time_is_kept (last_ns) && first_ns <= last_ns) ||
         tt_store_set_damaged (self, error, "a source is from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " ns",
                               first_ns, last_ns);
}

void
tt_row_refers_to_nothing (TtRowScan *self, const char *kind, gint64 id)
{
  if (self->fault == NULL)
    tt_store_set_damaged (self->store, &self->fault, "a %s is of %s %" G_GINT64_FORMAT ", which is not there",
                          self->what, kind, id);
}

static guint32
find_place (TtRowScan *self, TtPlaces *places, int column, const char *kind, gboolean is_optional)
{
  gint64 id = sqlite3_column_int64 (self->row, column);
  guint32 place = id == 0 && is_optional ? 0 : tt_places_find (places, id);

  if (G_UNLIKELY (place == 0 && (id != 0 || !is_optional)))
    tt_row_refers_to_nothing (self, kind, id);
  return place;
}

guint32
tt_row_process (TtRowScan *self, int column, gboolean is_optional)
{
  return find_place (self, &self->store->process_places, column, "process", is_optional);
}

guint32
tt_row_thread (TtRowScan *self, int column, gboolean is_optional)
{
  return find_place (self, &self->store->thread_places, column, "thread", is_optional);
}

guint32
tt_row_series (TtRowScan *self, int column)
{
  return find_place (self, &self->store->series_places, column, "series", FALSE);
}

guint32
tt_row_name (TtRowScan *self, int column)
{
  return find_place (self, &self->store->name_places, column, "name", FALSE);
}

gint64
tt_row_time (TtRowScan *self, int column, gboolean is_optional)
{
  gint64 ns = tt_store_column_time (self->row, column);

  if (G_LIKELY (tt_time_is_kept (ns)) || (is_optional && sqlite3_column_type (self->row, column) == SQLITE_NULL))
    return ns;
  if (self->fault == NULL)
    tt_store_set_damaged (self->store, &self->fault,
                          "a %s is at %" G_GINT64_FORMAT " ns, over 146 years from its clock's zero", self->what, ns);
  return ns;
}

const TtEventRange *
tt_store_find_range (TtStore *self, guint64 id)
{
  const TtEventRange *ranges = TT_ARRAY (self->ranges, TtEventRange);
  guint low = 0, high = self->ranges->len;

  if (self->recent_range < high && id >= ranges[self->recent_range].first && id <= ranges[self->recent_range].last)
    return &ranges[self->recent_range];
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (id < ranges[middle].first)
        high = middle;
      else if (id > ranges[middle].last)
        low = middle + 1;
      else
        {
          self->recent_range = middle;
          return &ranges[middle];
        }
    }
  return NULL;
}

guint64
tt_row_event (TtRowScan *self, int column)
{
  guint64 id = tt_store_column_uint (self->row, column);

  if (G_UNLIKELY (id != 0 && tt_store_find_range (self->store, id) == NULL))
    tt_row_refers_to_nothing (self, "event", (gint64) id);
  return id;
}

gboolean
tt_store_each_row (TtStore *self,
                   const char *what,
                   const char *sql,
                   TtRowHandler handle,
                   TtAnyFunc func,
                   gpointer data,
                   GError **error)
{
  return tt_store_each_row_from (self, what, sql, 0, handle, func, data, error);
}

static gboolean
each_row (TtStore *self,
          sqlite3_stmt *row,
          const char *what,
          TtRowHandler handle,
          TtAnyFunc func,
          gpointer data,
          GError **error)
{
  TtRowScan scan = { self, row, what, NULL };

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  while (tt_connection_step (self->connection, row, &scan.fault))
    if (!handle (&scan, func, data) || scan.fault != NULL)
      break;
  sqlite3_reset (row);
  tt_connection_leave (self->connection);
  return tt_store_finish (scan.fault, error);
}

gboolean
tt_store_each_row_from (TtStore *self,
                        const char *what,
                        const char *sql,
                        guint64 first,
                        TtRowHandler handle,
                        TtAnyFunc func,
                        gpointer data,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);

  if (row == NULL)
    return FALSE;
  if (first != 0)
    sqlite3_bind_int64 (row, 3, (gint64) first);
  return each_row (self, row, what, handle, func, data, error);
}

gboolean
tt_store_each_row_of (TtStore *self,
                      const char *what,
                      const char *sql,
                      const TtRowRange *range,
                      TtRowHandler handle,
                      TtAnyFunc func,
                      gpointer data,
                      GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 3, range->first);
  sqlite3_bind_int64 (row, 4, range->last);
  return each_row (self, row, what, handle, func, data, error);
}
