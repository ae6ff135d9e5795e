/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/virtual-events.h"

#include <stdlib.h>
#include <string.h>

#include "src/store/virtual-private.h"

#define MODULE "tracetool_event"

/* Types give columns the affinity of the view's, which compares numbers of sums as they are: the plus takes from a column
 * the affinity that every column of a table has. min (id) is the first row's where it cannot be null. */
const TtEventColumnKind tt_event_columns[TT_EVENT_N] = {
  [TT_EVENT_ID] = { "id", "INTEGER NOT NULL", NULL },
  [TT_EVENT_SOURCE] = { "source", "INTEGER", NULL },
  [TT_EVENT_PID] = { "pid", "TEXT", NULL },
  [TT_EVENT_TID] = { "tid", "TEXT", NULL },
  [TT_EVENT_OP_CAT] = { "op_cat", "TEXT", NULL },
  [TT_EVENT_OP_NAME] = { "op_name", "TEXT", NULL },
  [TT_EVENT_SUB_OP] = { "sub_op", "TEXT", NULL },
  [TT_EVENT_SUFFIX] = { "suffix", "TEXT", NULL },
  [TT_EVENT_NAME] = { "name", "TEXT", NULL },
  [TT_EVENT_OP_LONG_NAME] = { "op_long_name", "", NULL },
  [TT_EVENT_RAW_NAME] = { "raw_name", "TEXT", NULL },
  [TT_EVENT_NATIVE_GROUP] = { "native_group", "TEXT", NULL },
  [TT_EVENT_FILE] = { "file", "TEXT", NULL },
  [TT_EVENT_LINE] = { "line", "INTEGER", NULL },
  [TT_EVENT_TS_NS] = { "ts_ns", "", "+v.ts_ns" },
  [TT_EVENT_DUR_NS] = { "dur_ns", "", "+v.dur_ns" },
  [TT_EVENT_SELF_NS] = { "self_ns", "INTEGER", NULL },
  [TT_EVENT_DEPTH] = { "depth", "", "+v.depth" },
  [TT_EVENT_STEP] = { "step", "INTEGER", NULL },
  [TT_EVENT_ARGS] = { "args", "TEXT", "CAST (v.args AS TEXT)" },
  [TT_EVENT_FLAGS] = { "flags", "TEXT", NULL },
  [TT_EVENT_OWN_TS_NS] = { "own_ts_ns", "INTEGER", NULL },
  [TT_EVENT_OWN_DUR_NS] = { "own_dur_ns", "INTEGER", NULL },
  [TT_EVENT_RUN] = { "run", "INTEGER", NULL },
};

typedef struct
{
  sqlite3_vtab base;
  TtVirtualEvents *events;
} Table;

typedef struct
{
  sqlite3_vtab_cursor base;
  TtVirtualEvents *events;
  TtVirtualScan scan;
  TtVirtualOrder order;
  guint64 used;
  TtVirtualGroups *groups; /* NULL: rows come as they lie */
  sqlite3_stmt *statement; /* of the view, which gives the rows; NULL: pages do */
  sqlite3_stmt *row_of_view, *args_of_tables;
  TtArgsPages *args_pages; /* NULL: none, or none yet */
  GString *args;
  gboolean has_asked_for_args, is_over;
  const TtEventValues *row;
} Cursor;

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* What is odd is for the view: of columns that are used, in the order that was promised. */
static char *
make_statement (const Cursor *self)
{
  GString *sql = g_string_new ("SELECT ");

  for (guint i = 0; i < TT_EVENT_N; i++)
    g_string_append_printf (
        sql, "%s%s", i > 0 ? ", " : "",
        (self->used & G_GUINT64_CONSTANT (1) << i) != 0 || i == TT_EVENT_ID ? tt_event_columns[i].name : "NULL");
  g_string_append (sql, self->order.is_distinct ? ", min (id)" : "");
  g_string_append (sql, " FROM main.event WHERE id BETWEEN ?1 AND ?2");
  for (guint i = 0; self->order.is_distinct && i < self->order.n; i++)
    g_string_append_printf (sql, "%s%s", i > 0 ? ", " : " GROUP BY ", tt_event_columns[self->order.columns[i]].name);
  g_string_append (sql, " ORDER BY ");
  for (guint i = 0; !self->order.is_distinct && i < self->order.n; i++)
    g_string_append_printf (sql, "%s%s, ", tt_event_columns[self->order.columns[i]].name,
                            self->order.is_descending[i] ? " DESC" : "");
  g_string_append (sql, self->order.is_distinct ? "min (id)" : "id");
  g_string_append (sql, self->scan.is_reverse ? " DESC" : "");
  return g_string_free (sql, FALSE);
}

static int
step (Cursor *self)
{
  int code = sqlite3_step (self->statement);

  self->is_over = code == SQLITE_DONE;
  return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : sqlite3_extended_errcode (self->events->db);
}

static int
go_on_by_view (Cursor *self)
{
  const TtVirtualScan *scan = &self->scan;
  g_autofree char *sql = make_statement (self);
  gboolean from_begin = self->groups != NULL;

  g_clear_pointer (&self->groups, tt_virtual_groups_free);
  if (sqlite3_prepare_v2 (self->events->db, sql, -1, &self->statement, NULL) != SQLITE_OK)
    return sqlite3_extended_errcode (self->events->db);
  sqlite3_bind_int64 (self->statement, 1, from_begin || scan->is_reverse ? scan->first : scan->next);
  sqlite3_bind_int64 (self->statement, 2, !from_begin && scan->is_reverse ? scan->next : scan->last);
  return step (self);
}

static int
next_row (sqlite3_vtab_cursor *base)
{
  Cursor *self = (Cursor *) base;

  if (self->statement != NULL)
    return step (self);
  int code = self->groups != NULL ? tt_virtual_groups_next (self->groups, &self->row)
                                  : tt_virtual_scan_next (&self->scan, &self->row);
  if (code == SQLITE_ROW)
    return SQLITE_OK;
  if (code == TT_SCAN_ODD)
    return go_on_by_view (self);
  self->is_over = TRUE;
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int
is_over (sqlite3_vtab_cursor *base)
{
  return ((const Cursor *) base)->is_over;
}

/* -- columns ------------------------------------------------------------------------------------------------------- */

static void
set_result (sqlite3_context *context, const TtVirtualCell *cell, gboolean is_kept)
{
  sqlite3_destructor_type stays = is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT;

  switch (cell->type)
    {
    case SQLITE_INTEGER:
      sqlite3_result_int64 (context, cell->integer);
      break;
    case SQLITE_FLOAT:
      sqlite3_result_double (context, cell->real);
      break;
    case SQLITE_TEXT:
      sqlite3_result_text (context, cell->bytes, cell->len, stays);
      break;
    case SQLITE_BLOB:
      sqlite3_result_blob (context, cell->bytes, cell->len, stays);
      break;
    default:
      sqlite3_result_null (context);
      break;
    }
}

/* The first column of the row of @sql whose parameter is @id, or @column. */
static int
ask (Cursor *self, sqlite3_stmt **statement, const char *sql, gint64 id, int column, sqlite3_context *context)
{
  if (*statement == NULL && sqlite3_prepare_v2 (self->events->db, sql, -1, statement, NULL) != SQLITE_OK)
    return sqlite3_extended_errcode (self->events->db);
  sqlite3_bind_int64 (*statement, 1, id);
  int code = sqlite3_step (*statement);
  if (code == SQLITE_ROW)
    sqlite3_result_value (context, sqlite3_column_value (*statement, column));
  code = code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : sqlite3_extended_errcode (self->events->db);
  sqlite3_reset (*statement);
  return code;
}

static int
read_args (Cursor *self, sqlite3_context *context)
{
  if ((self->row->nulls & 1u << TT_BLOCK_ARGS) != 0)
    return SQLITE_OK;
  gint64 id = self->row->values[TT_BLOCK_ARGS];
  if (!self->has_asked_for_args)
    self->args_pages = tt_args_pages_new (self->events->store);
  self->has_asked_for_args = TRUE;
  g_string_truncate (self->args, 0);
  if (self->args_pages == NULL || id < 0 || !tt_args_pages_get (self->args_pages, (guint64) id, self->args))
    return ask (
        self, &self->args_of_tables,
        "SELECT ifnull (" TT_SCHEMA_FILLED_ARGS ("?1") ", (SELECT CAST (json AS TEXT) FROM args_row WHERE id = ?1))",
        id, 0, context);
  sqlite3_result_text64 (context, self->args->str, self->args->len, SQLITE_TRANSIENT, SQLITE_UTF8);
  return SQLITE_OK;
}

static int
read_column (sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) base;
  TtVirtualCell cell;

  if (column < 0 || column >= TT_EVENT_N)
    return SQLITE_OK;
  if (self->statement != NULL)
    {
      sqlite3_result_value (context, sqlite3_column_value (self->statement, column));
      return SQLITE_OK;
    }
  if (column == TT_EVENT_ARGS)
    return read_args (self, context);
  TtCellAnswer answer = tt_virtual_cell (self->events, (TtEventColumn) column, self->row, &cell);
  if (answer == TT_CELL_FAILED)
    return sqlite3_extended_errcode (self->events->db);
  if (answer == TT_CELL_ODD)
    return ask (self, &self->row_of_view, "SELECT * FROM main.event WHERE id = ?1", self->row->values[TT_BLOCK_ID],
                column, context);
  set_result (context, &cell, answer == TT_CELL_KEPT);
  return SQLITE_OK;
}

static int
read_rowid (sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
  const Cursor *self = (const Cursor *) base;

  *id = self->statement != NULL ? sqlite3_column_int64 (self->statement, TT_EVENT_ID) : self->row->values[TT_BLOCK_ID];
  return SQLITE_OK;
}

/* -- beginning ----------------------------------------------------------------------------------------------------- */

static void
clear (Cursor *self)
{
  g_clear_pointer (&self->groups, tt_virtual_groups_free);
  g_clear_pointer (&self->statement, sqlite3_finalize);
  tt_virtual_scan_end (&self->scan);
}

/* What the id is compared with; SQLite compares again. FALSE: no row has it. */
static gboolean
bound_id (TtVirtualScan *scan, char letter, sqlite3_value *value)
{
  gint64 id = sqlite3_value_int64 (value);

  if (sqlite3_value_type (value) == SQLITE_NULL)
    return FALSE;
  if (sqlite3_value_type (value) != SQLITE_INTEGER)
    return TRUE;
  if ((letter == TT_PLAN_ID_AFTER && id == G_MAXINT64) || (letter == TT_PLAN_ID_BEFORE && id == G_MININT64))
    return FALSE;
  if (letter == TT_PLAN_ID_IS || letter == TT_PLAN_ID_FROM || letter == TT_PLAN_ID_AFTER)
    scan->first = MAX (scan->first, letter == TT_PLAN_ID_AFTER ? id + 1 : id);
  if (letter == TT_PLAN_ID_IS || letter == TT_PLAN_ID_TO || letter == TT_PLAN_ID_BEFORE)
    scan->last = MIN (scan->last, letter == TT_PLAN_ID_BEFORE ? id - 1 : id);
  return TRUE;
}

static void
bound_text (TtVirtualScan *scan, guint column, sqlite3_value *value)
{
  const char *text = sqlite3_value_type (value) != SQLITE_TEXT ? NULL : (const char *) sqlite3_value_text (value);

  if (text == NULL || scan->n_equal == TT_MAX_EQUAL)
    return;
  int len = sqlite3_value_bytes (value);
  scan->equal[scan->n_equal++] = (TtVirtualEqual){ column, g_memdup2 (text, (gsize) len + 1), len };
}

/* FALSE: there are no rows. */
static gboolean
follow_plan (Cursor *self, int number, const char *text, sqlite3_value **values)
{
  gboolean has_rows = TRUE;

  for (; *text != ' '; text++, values++)
    if (*text == TT_PLAN_TEXT_IS)
      bound_text (&self->scan, (guint) (*++text - 'A'), *values);
    else
      has_rows = bound_id (&self->scan, *text, *values) && has_rows;
  self->order.n = 0;
  for (text++; *text != ' '; text += 2)
    {
      self->order.is_descending[self->order.n] = text[0] == 'd';
      self->order.columns[self->order.n++] = (guint) (text[1] - 'A');
    }
  self->order.is_distinct = (number & TT_PLAN_DISTINCT) != 0;
  self->used = g_ascii_strtoull (text + 1, NULL, 16);
  self->scan.is_reverse = (number & TT_PLAN_REVERSE) != 0;
  tt_virtual_scan_rewind (&self->scan);
  return has_rows && self->scan.first <= self->scan.last;
}

static int
begin_rows (sqlite3_vtab_cursor *base, int number, const char *text, int n, sqlite3_value **values)
{
  Cursor *self = (Cursor *) base;

  (void) n;
  clear (self);
  tt_virtual_scan_begin (&self->scan, self->events);
  self->is_over = !follow_plan (self, number, text, values);
  if (self->is_over)
    return SQLITE_OK;
  if (self->order.n > 0)
    {
      self->groups = tt_virtual_groups_new (&self->scan, &self->order, self->used);
      int code = tt_virtual_groups_read (self->groups);
      if (code != SQLITE_OK)
        return code == TT_SCAN_ODD ? go_on_by_view (self) : code;
    }
  return next_row (base);
}

/* -- the table ----------------------------------------------------------------------------------------------------- */

static int
connect_table (sqlite3 *db, gpointer data, int n, const char *const *words, sqlite3_vtab **base, char **message)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE x (");

  (void) n;
  (void) words;
  (void) message;
  for (guint i = 0; i < TT_EVENT_N; i++)
    g_string_append_printf (sql, "%s%s %s", i > 0 ? ", " : "", tt_event_columns[i].name, tt_event_columns[i].type);
  g_string_append_c (sql, ')');
  int code = sqlite3_declare_vtab (db, sql->str);
  if (code == SQLITE_OK)
    code = sqlite3_vtab_config (db, SQLITE_VTAB_INNOCUOUS);
  if (code != SQLITE_OK)
    return code;
  Table *self = g_new0 (Table, 1);
  self->events = data;
  *base = &self->base;
  return SQLITE_OK;
}

static int
disconnect_table (sqlite3_vtab *base)
{
  g_free (base);
  return SQLITE_OK;
}

static int
plan_rows (sqlite3_vtab *base, sqlite3_index_info *info)
{
  return tt_virtual_plan (((Table *) base)->events, info);
}

static int
open_cursor (sqlite3_vtab *base, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  self->events = ((Table *) base)->events;
  self->args = g_string_new (NULL);
  *cursor = &self->base;
  return SQLITE_OK;
}

static int
close_cursor (sqlite3_vtab_cursor *base)
{
  Cursor *self = (Cursor *) base;

  if (self->scan.events != NULL)
    clear (self);
  sqlite3_finalize (self->row_of_view);
  sqlite3_finalize (self->args_of_tables);
  g_string_free (self->args, TRUE);
  tt_args_pages_free (self->args_pages);
  g_free (self);
  return SQLITE_OK;
}

/* A table of its own name, always there: no statement makes one. */
static const sqlite3_module module = {
  .xConnect = connect_table,
  .xBestIndex = plan_rows,
  .xDisconnect = disconnect_table,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = begin_rows,
  .xNext = next_row,
  .xEof = is_over,
  .xColumn = read_column,
  .xRowid = read_rowid,
};

/* -- for a query --------------------------------------------------------------------------------------------------- */

/* The connection cannot change the file in any case. */
static gboolean
change_views (sqlite3 *db, const char *sql)
{
  gboolean is_done = sqlite3_exec (db, "PRAGMA query_only = OFF", NULL, NULL, NULL) == SQLITE_OK &&
                     sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK;

  return sqlite3_exec (db, "PRAGMA query_only = ON", NULL, NULL, NULL) == SQLITE_OK && is_done;
}

static gboolean
make_view (TtVirtualEvents *self)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TEMP VIEW event AS SELECT ");

  for (guint i = 0; i < TT_EVENT_N; i++)
    if (tt_event_columns[i].view == NULL)
      g_string_append_printf (sql, "%sv.%s AS %s", i > 0 ? ", " : "", tt_event_columns[i].name,
                              tt_event_columns[i].name);
    else
      g_string_append_printf (sql, "%s%s AS %s", i > 0 ? ", " : "", tt_event_columns[i].view, tt_event_columns[i].name);
  g_string_append (sql, " FROM " MODULE " v");
  return sqlite3_create_module_v2 (self->db, MODULE, &module, self, NULL) == SQLITE_OK &&
         change_views (self->db, sql->str);
}

TtVirtualEvents *
tt_virtual_events_new (TtStore *store)
{
  g_autoptr (TtTablePages) pages = NULL;

  if (store->is_borrowed || tt_store_is_old (store, NULL) ||
      (pages = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS)) == NULL)
    return NULL;
  g_autoptr (TtVirtualEvents) self = g_new0 (TtVirtualEvents, 1);
  self->store = store;
  self->db = store->connection->db;
  self->first = G_MININT64;
  self->last = G_MAXINT64;
  self->idle_pages = g_ptr_array_new ();
  g_ptr_array_add (self->idle_pages, g_steal_pointer (&pages));
  if (!tt_virtual_definitions_load (self) ||
      !tt_connection_get_int (store->connection, "SELECT max (id) FROM main.name_row", &self->n_names, NULL) ||
      !make_view (self))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_virtual_events_free (TtVirtualEvents *self)
{
  if (self == NULL)
    return;
  change_views (self->db, "DROP VIEW IF EXISTS temp.event");
  sqlite3_create_module_v2 (self->db, MODULE, NULL, NULL, NULL);
  tt_virtual_definitions_forget (self);
  for (guint i = 0; i < self->idle_pages->len; i++)
    tt_table_pages_free (g_ptr_array_index (self->idle_pages, i));
  g_ptr_array_unref (self->idle_pages);
  g_free (self);
}

void
tt_virtual_events_limit (TtVirtualEvents *self, gint64 first, gint64 last)
{
  self->first = first;
  self->last = last;
}

gboolean
tt_virtual_events_is_declined (const TtVirtualEvents *self)
{
  return self->is_declined;
}
