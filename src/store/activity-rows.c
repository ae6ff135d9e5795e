/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/page-rows.h"
#include "src/store/rows.h"

/* Columns of activity_row, behind its id. */
enum
{
  ACTIVITY_EVENT = 1,
  ACTIVITY_ROLE,
  ACTIVITY_LAUNCH,
  ACTIVITY_QUEUE,
  ACTIVITY_CORRELATION,
  ACTIVITY_WAITS_FOR,
  ACTIVITY_WAITS_ON,
  ACTIVITY_COLUMNS,
};

static void
set_role (TtActivityRow *activity, gint64 bits)
{
  gint64 role = bits & ~(gint64) TT_SCHEMA_ROLE_BLOCKS;

  activity->what.role =
      role > TT_ACTIVITY_NONE && role < TT_N_ACTIVITY_ROLES ? (TtActivityRole) role : TT_ACTIVITY_NONE;
  activity->what.blocks = (bits & TT_SCHEMA_ROLE_BLOCKS) != 0;
}

/* -- by statement ------------------------------------------------------------------------------------------------ */

static gboolean
handle_activity (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  TtActivityRow activity = {
    .event = tt_row_event (scan, 0),
    .launch = tt_row_event (scan, 2),
    .what = {
      .queue = tt_row_thread (scan, 3, TRUE),
      .correlation = (guint64) sqlite3_column_int64 (row, 4),
      .waits_for = (guint64) sqlite3_column_int64 (row, 5),
      .waits_on = tt_row_thread (scan, 6, TRUE),
    },
  };

  set_role (&activity, sqlite3_column_int64 (row, 1));
  return scan->fault == NULL && ((TtActivityFunc) func) (&activity, data);
}

/* -- from pages ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtActivityFunc func;
  gpointer data;
} PageScan;

/* FALSE: there is no such event; 0 is none. */
static gboolean
find_event (TtStore *store, gint64 id, guint64 *event)
{
  *event = (guint64) id;
  return id == 0 || (id > 0 && tt_store_find_range (store, *event) != NULL);
}

/* FALSE: there is no such thread; 0 is none. */
static gboolean
find_thread (TtStore *store, gint64 id, guint32 *thread)
{
  *thread = id == 0 ? TT_NO_ID : tt_places_find (&store->thread_places, id);
  return id == 0 || *thread != 0;
}

static TtPageRowAnswer
take_activity (const gint64 *values, guint nulls, gpointer data)
{
  PageScan *self = data;
  TtActivityRow activity = {
    .what = { .correlation = (guint64) values[ACTIVITY_CORRELATION],
              .waits_for = (guint64) values[ACTIVITY_WAITS_FOR] },
  };

  if (!find_event (self->store, values[ACTIVITY_EVENT], &activity.event) ||
      !find_event (self->store, values[ACTIVITY_LAUNCH], &activity.launch) ||
      !find_thread (self->store, values[ACTIVITY_QUEUE], &activity.what.queue) ||
      !find_thread (self->store, values[ACTIVITY_WAITS_ON], &activity.what.waits_on))
    return TT_PAGE_ROW_ODD;
  set_role (&activity, values[ACTIVITY_ROLE]);
  return self->func (&activity, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

/* -- both -------------------------------------------------------------------------------------------------------------- */

gboolean
tt_store_each_activity (TtStore *self, TtActivityFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_store_each_activity_of (self, &all, func, data, error);
}

/* Of a source without events there is none. */
gboolean
tt_store_each_activity_of (TtStore *self, const TtRowRange *events, TtActivityFunc func, gpointer data, GError **error)
{
  g_autofree char *pieces =
      g_strdup_printf ("SELECT first_activity, last_activity FROM source_row WHERE run BETWEEN ?1 AND ?2 AND"
                       " ifnull (first_event, 0) BETWEEN %" G_GINT64_FORMAT " AND %" G_GINT64_FORMAT,
                       events->first, events->last);
  PageScan scan = { self, func, data };
  guint64 next;

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (TtTablePages) pages = tt_table_pages_new (self, "activity_row", ACTIVITY_COLUMNS);
  gboolean is_ok = tt_page_rows_read (self, pages, pieces, take_activity, &scan, &next);
  if (!is_ok)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT a.event, a.role, a.launch, a.queue, a.correlation, a.waits_for, a.waits_on FROM source_row s"
          " CROSS JOIN activity_row a ON a.id BETWEEN s.first_activity AND s.last_activity"
          " WHERE s.run BETWEEN ?1 AND ?2 AND ifnull (s.first_event, 0) BETWEEN ?3 AND ?4 AND a.id >= "
          "%" G_GINT64_FORMAT,
          (gint64) next);

      is_ok = tt_store_each_row_of (self, "activity", sql, events, handle_activity, (TtAnyFunc) func, data, error);
    }
  tt_connection_leave (self->connection);
  return is_ok;
}
