/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/block.h"
#include "src/store/page-rows.h"
#include "src/store/rows.h"

/* Columns of activity_row. */
enum
{
  ACTIVITY_EVENT = 1,
  ACTIVITY_ROLE,
  ACTIVITY_LAUNCH,
  ACTIVITY_COLUMNS = 8,
};

static TtActivityRole
role_of (gint64 bits)
{
  gint64 role = bits & ~(gint64) TT_SCHEMA_ROLE_BLOCKS;

  return role > TT_ACTIVITY_NONE && role < TT_N_ACTIVITY_ROLES ? (TtActivityRole) role : TT_ACTIVITY_NONE;
}

static guint32
flags_of (gint64 shape)
{
  return (guint32) (shape & ((1 << TT_SCHEMA_SHAPE_BITS) - 1));
}

/* -- by statement ------------------------------------------------------------------------------------------------ */

static gboolean
handle_work (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  TtWorkRow work = {
    .event = tt_row_event (scan, 0),
    .role = role_of (sqlite3_column_int64 (row, 1)),
    .name = tt_row_name (scan, 2),
    .flags = flags_of (sqlite3_column_int64 (row, 3)),
    .dur_ns = sqlite3_column_type (row, 4) == SQLITE_NULL ? TT_NO_TIME : sqlite3_column_int64 (row, 4),
    .is_short = sqlite3_column_int64 (row, 5) != 0,
  };

  if (G_UNLIKELY (work.dur_ns < 0 && work.dur_ns != TT_NO_TIME) && scan->fault == NULL)
    tt_store_set_damaged (scan->store, &scan->fault, "event %" G_GUINT64_FORMAT " lasts %" G_GINT64_FORMAT " ns",
                          work.event, work.dur_ns);
  return scan->fault == NULL && ((TtWorkFunc) func) (&work, data);
}

#define WORK_SCAN(is_short, join)                                                     \
  "SELECT a.event, a.role, e.name, e.shape, e.dur_ns, " is_short " FROM source_row s" \
  " CROSS JOIN activity_row a ON a.id BETWEEN s.first_activity AND s.last_activity"   \
  " CROSS JOIN event_row e ON e.id = a.event" join " WHERE s.run BETWEEN ?1 AND ?2 AND a.id >= ?3"

/* -- from pages ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtTablePages *events, *launches; /* launches: of events, which lie elsewhere */
  gboolean with_short;
  TtWorkFunc func;
  gpointer data;
} PageScan;

/* FALSE: it is for the statement to read. */
static gboolean
read_work (PageScan *self, const gint64 *activity, TtWorkRow *work)
{
  gint64 event[TT_EVENT_COLUMNS], launch[TT_EVENT_COLUMNS];
  guint of_event, of_launch;

  if (tt_store_find_range (self->store, (guint64) activity[ACTIVITY_EVENT]) == NULL ||
      !tt_table_pages_row (self->events, (guint64) activity[ACTIVITY_EVENT], event, &of_event))
    return FALSE;
  gboolean is_span = (of_event & 1u << TT_BLOCK_DUR_NS) == 0;
  *work = (TtWorkRow){
    .event = (guint64) activity[ACTIVITY_EVENT],
    .role = role_of (activity[ACTIVITY_ROLE]),
    .name = tt_places_find (&self->store->name_places, event[TT_BLOCK_NAME]),
    .flags = flags_of (event[TT_BLOCK_SHAPE]),
    .dur_ns = is_span ? event[TT_BLOCK_DUR_NS] : TT_NO_TIME,
  };
  if (work->name == 0 || (is_span && work->dur_ns < 0))
    return FALSE;
  if (!self->with_short || activity[ACTIVITY_LAUNCH] == 0 || !is_span)
    return TRUE;
  if (!tt_table_pages_row (self->launches, (guint64) activity[ACTIVITY_LAUNCH], launch, &of_launch))
    return FALSE;
  work->is_short = (of_launch & 1u << TT_BLOCK_DUR_NS) == 0 && launch[TT_BLOCK_DUR_NS] > work->dur_ns;
  return TRUE;
}

static TtPageRowAnswer
take_work (const gint64 *activity, guint nulls, gpointer data)
{
  PageScan *self = data;
  TtWorkRow work;

  if (!read_work (self, activity, &work))
    return TT_PAGE_ROW_ODD;
  return self->func (&work, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

gboolean
tt_store_each_work (TtStore *self, gboolean with_short, TtWorkFunc func, gpointer data, GError **error)
{
  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (TtTablePages) activities = tt_table_pages_new (self, "activity_row", ACTIVITY_COLUMNS);
  g_autoptr (TtTablePages) events = tt_table_pages_new (self, "event_row", TT_EVENT_COLUMNS);
  g_autoptr (TtTablePages) launches = with_short ? tt_table_pages_new (self, "event_row", TT_EVENT_COLUMNS) : NULL;
  PageScan scan = { self, events, launches, with_short, func, data };
  gboolean has_pages = events != NULL && (!with_short || launches != NULL);
  guint64 next;
  gboolean is_ok = tt_page_rows_read (self, has_pages ? activities : NULL,
                                      "SELECT first_activity, last_activity FROM source_row"
                                      " WHERE run BETWEEN ?1 AND ?2 AND first_activity > 0",
                                      take_work, &scan, &next) ||
                   tt_store_each_row_from (
                       self, "activity",
                       with_short ? WORK_SCAN ("l.dur_ns > e.dur_ns", " LEFT JOIN event_row l ON l.id = a.launch")
                                  : WORK_SCAN ("0", ""),
                       next, handle_work, (TtAnyFunc) func, data, error);
  tt_connection_leave (self->connection);
  return is_ok;
}
