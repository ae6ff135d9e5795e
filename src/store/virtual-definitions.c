/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/base/array.h"
#include "src/base/room.h"
#include "src/store/virtual-private.h"

/* What is kept of names and threads: beyond that they are looked up each time. */
#define MAX_KEPT TT_ROOM (48u << 20, 4096u)
#define MAX_ID TT_ROOM (1 << 22, 64)
#define MEMORY_BLOCK (64u << 10)
#define MAX_RANGES 1000000
#define MAX_PIECES 1000000

#define NAME_TEXT 4 /* cells of a name: as they follow in the view, the text at the place of `name` */
#define NAME_SUFFIX 3

static const char names_sql[] =
    "SELECT op_cat, op_name, sub_op, suffix, text, raw, native_group, file, line FROM main.name_row WHERE id = ?1";
static const char threads_sql[] = "SELECT p.pid, t.tid, t.process FROM main.thread_row t"
                                  " LEFT JOIN main.process_row p ON p.id = +t.process WHERE t.id = ?1";
static const char flags_sql[] = "SELECT text FROM main.flag_row WHERE id = ?1";

/* -- what is kept -------------------------------------------------------------------------------------------------- */

static gpointer
keep (TtVirtualEvents *self, gsize n)
{
  n = (n + 7) & ~(gsize) 7;
  if (n > self->n_free)
    {
      self->n_free = MAX (n, MEMORY_BLOCK);
      self->n_kept += self->n_free;
      self->free = g_malloc (self->n_free);
      g_ptr_array_add (self->memory, self->free);
    }
  gpointer place = self->free;
  self->free += n;
  self->n_free -= n;
  return place;
}

/* The text of @cell stays SQLite's. */
static void
read_cell (sqlite3_stmt *row, int column, TtVirtualCell *cell)
{
  cell->type = sqlite3_column_type (row, column);
  cell->len = 0;
  cell->bytes = NULL;
  if (cell->type == SQLITE_INTEGER)
    cell->integer = sqlite3_column_int64 (row, column);
  else if (cell->type == SQLITE_FLOAT)
    cell->real = sqlite3_column_double (row, column);
  else if (cell->type == SQLITE_TEXT || cell->type == SQLITE_BLOB)
    {
      cell->bytes = cell->type == SQLITE_TEXT ? (const char *) sqlite3_column_text (row, column)
                                              : sqlite3_column_blob (row, column);
      cell->len = sqlite3_column_bytes (row, column);
      if (cell->bytes == NULL)
        cell->bytes = "";
    }
}

static void
keep_text (TtVirtualEvents *self, TtVirtualCell *cell)
{
  if (cell->type != SQLITE_TEXT && cell->type != SQLITE_BLOB)
    return;
  char *copy = keep (self, (gsize) cell->len + 1);
  memcpy (copy, cell->bytes, (gsize) cell->len);
  copy[cell->len] = '\0';
  cell->bytes = copy;
}

static gboolean
rows_init (TtVirtualEvents *self, TtVirtualRows *rows, const char *sql)
{
  rows->lookup = tt_connection_prepare (self->store->connection, sql, NULL);
  if (rows->lookup == NULL)
    return FALSE;
  rows->n_cells = (guint) sqlite3_column_count (rows->lookup);
  rows->none = g_new0 (TtVirtualCell, rows->n_cells);
  rows->last = g_new0 (TtVirtualCell, rows->n_cells);
  for (guint i = 0; i < rows->n_cells; i++)
    rows->none[i].type = SQLITE_NULL;
  return TRUE;
}

static void
rows_clear (TtVirtualRows *rows)
{
  sqlite3_finalize (rows->lookup);
  g_free (rows->rows);
  g_free (rows->none);
  g_free (rows->last);
}

static TtVirtualCell **
make_place (TtVirtualRows *rows, gint64 id)
{
  if ((gsize) id >= rows->n_rows)
    {
      gsize n = MAX ((gsize) id + 1, MIN (2 * rows->n_rows, (gsize) MAX_ID));
      rows->rows = g_renew (TtVirtualCell *, rows->rows, n);
      memset (rows->rows + rows->n_rows, 0, (n - rows->n_rows) * sizeof *rows->rows);
      rows->n_rows = n;
    }
  return &rows->rows[id];
}

static const TtVirtualCell *
look_up (TtVirtualEvents *self, TtVirtualRows *rows, gint64 id, gboolean *is_kept)
{
  sqlite3_reset (rows->lookup);
  sqlite3_bind_int64 (rows->lookup, 1, id);
  int code = sqlite3_step (rows->lookup);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return NULL;

  *is_kept = id >= 0 && id < MAX_ID && self->n_kept < MAX_KEPT;
  TtVirtualCell *cells = code == SQLITE_DONE ? rows->none
                         : *is_kept          ? keep (self, rows->n_cells * sizeof *cells)
                                             : rows->last;
  for (guint i = 0; code == SQLITE_ROW && i < rows->n_cells; i++)
    {
      read_cell (rows->lookup, (int) i, &cells[i]);
      if (*is_kept)
        keep_text (self, &cells[i]);
    }
  if (*is_kept)
    {
      *make_place (rows, id) = cells;
      sqlite3_reset (rows->lookup);
    }
  else
    *is_kept = code == SQLITE_DONE;
  return cells;
}

const TtVirtualCell *
tt_virtual_find (TtVirtualEvents *self, TtVirtualRows *rows, gint64 id, gboolean is_null, gboolean *is_kept)
{
  *is_kept = TRUE;
  if (is_null)
    return rows->none;
  if (G_LIKELY ((guint64) id < rows->n_rows && rows->rows[id] != NULL))
    return rows->rows[id];
  return look_up (self, rows, id, is_kept);
}

/* -- loading ------------------------------------------------------------------------------------------------------- */

/* The view chooses by the first event of a source: asked once for each, by the words of the view. Anything but whole
 * numbers is left to it. */
static gboolean
load_ranges (TtVirtualEvents *self)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->store->connection,
      "SELECT DISTINCT r.first_event, typeof (r.first_event),"
      " (SELECT s.id FROM main.source_row s WHERE s.first_event <= r.first_event ORDER BY s.first_event DESC LIMIT 1),"
      " (SELECT s.run FROM main.source_row s WHERE s.first_event <= r.first_event ORDER BY s.first_event DESC LIMIT 1)"
      " FROM main.source_row r WHERE r.first_event IS NOT NULL ORDER BY r.first_event",
      NULL);
  GError *failure = NULL;
  gboolean is_sound = row != NULL;

  while (is_sound && tt_connection_step (self->store->connection, row, &failure))
    {
      TtVirtualRange range = { .first = sqlite3_column_int64 (row, 0) };

      is_sound =
          g_strcmp0 ((const char *) sqlite3_column_text (row, 1), "integer") == 0 && self->ranges->len < MAX_RANGES;
      read_cell (row, 2, &range.source);
      read_cell (row, 3, &range.run);
      keep_text (self, &range.source);
      keep_text (self, &range.run);
      g_array_append_val (self->ranges, range);
    }
  return tt_store_finish (failure, NULL) && is_sound;
}

static gboolean
load_pieces (TtVirtualEvents *self)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->store->connection,
      "SELECT process, from_ns, until_ns, shift_ns, gain_ns, typeof (process) = 'integer' AND typeof (kind) = 'integer'"
      " AND typeof (from_ns) = 'integer' AND typeof (until_ns) = 'integer' AND typeof (shift_ns) = 'integer'"
      " AND typeof (gain_ns) = 'integer', kind FROM main.clock_row ORDER BY process, kind, from_ns",
      NULL);
  GError *failure = NULL;
  gboolean is_sound = row != NULL;

  while (is_sound && tt_connection_step (self->store->connection, row, &failure))
    {
      const TtVirtualPiece piece = { sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1),
                                     sqlite3_column_int64 (row, 2), sqlite3_column_int64 (row, 3),
                                     sqlite3_column_int64 (row, 4) };

      is_sound = sqlite3_column_int (row, 5) == 1 && self->pieces->len < MAX_PIECES;
      if (sqlite3_column_int64 (row, 6) == 2)
        g_array_append_val (self->pieces, piece);
    }
  return tt_store_finish (failure, NULL) && is_sound;
}

gboolean
tt_virtual_definitions_load (TtVirtualEvents *self)
{
  self->memory = g_ptr_array_new_with_free_func (g_free);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (TtVirtualRange));
  self->pieces = g_array_new (FALSE, FALSE, sizeof (TtVirtualPiece));
  self->long_names = g_hash_table_new (g_int64_hash, g_int64_equal);
  return rows_init (self, &self->names, names_sql) && rows_init (self, &self->threads, threads_sql) &&
         rows_init (self, &self->flags, flags_sql) && load_ranges (self) && load_pieces (self);
}

void
tt_virtual_definitions_forget (TtVirtualEvents *self)
{
  rows_clear (&self->names);
  rows_clear (&self->threads);
  rows_clear (&self->flags);
  g_hash_table_unref (self->long_names);
  g_array_unref (self->ranges);
  g_array_unref (self->pieces);
  g_ptr_array_unref (self->memory);
}

/* -- cells --------------------------------------------------------------------------------------------------------- */

static gboolean
is_null (const TtEventValues *row, TtBlockColumn column)
{
  return (row->nulls & 1u << column) != 0;
}

static TtCellAnswer
set_int (TtVirtualCell *cell, gint64 value, gboolean is_null)
{
  cell->type = is_null ? SQLITE_NULL : SQLITE_INTEGER;
  cell->integer = value;
  return TT_CELL_KEPT;
}

static TtCellAnswer
set_cell (TtVirtualCell *cell, const TtVirtualCell *cells, guint i, gboolean is_kept)
{
  if (cells == NULL)
    return TT_CELL_FAILED;
  *cell = cells[i];
  return is_kept ? TT_CELL_KEPT : TT_CELL_PASSING;
}

guint
tt_virtual_find_range (const TtVirtualEvents *self, gint64 id)
{
  const TtVirtualRange *ranges = TT_ARRAY (self->ranges, TtVirtualRange);
  guint low = 0, high = self->ranges->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ranges[middle].first <= id)
        low = middle + 1;
      else
        high = middle;
    }
  return low == 0 ? G_MAXUINT : low - 1;
}

/* What the view adds to a time: *@shift. FALSE: it does not fit into a whole number. */
static gboolean
find_shift (const TtVirtualEvents *self, gint64 process, gint64 ns, gint64 *shift)
{
  const TtVirtualPiece *pieces = TT_ARRAY (self->pieces, TtVirtualPiece), *piece;
  guint low = 0, high = self->pieces->len;
  gint64 passed, length;

  *shift = 0;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (pieces[middle].process < process || (pieces[middle].process == process && pieces[middle].from_ns <= ns))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || pieces[low - 1].process != process)
    return TRUE;
  piece = &pieces[low - 1];
  if (__builtin_sub_overflow (MIN (ns, piece->until_ns), piece->from_ns, &passed) ||
      __builtin_sub_overflow (piece->until_ns, piece->from_ns, &length) ||
      __builtin_mul_overflow (passed, piece->gain_ns, &passed) || (passed == G_MININT64 && length == -1))
    return FALSE;
  return length == 0 || !__builtin_add_overflow (piece->shift_ns, passed / length, shift);
}

static TtCellAnswer
read_time (TtVirtualEvents *self, TtEventColumn column, const TtEventValues *row, TtVirtualCell *cell)
{
  const gboolean is_begin = column == TT_EVENT_TS_NS;
  gint64 ts_ns = row->values[TT_BLOCK_TS_NS], dur_ns = row->values[TT_BLOCK_DUR_NS], end_ns, shift, end_shift, ns;
  gboolean is_kept, has_no_begin = is_null (row, TT_BLOCK_TS_NS);

  if (self->pieces->len == 0 || has_no_begin || (!is_begin && is_null (row, TT_BLOCK_DUR_NS)))
    return set_int (cell, is_begin ? ts_ns : dur_ns, is_null (row, is_begin ? TT_BLOCK_TS_NS : TT_BLOCK_DUR_NS));

  const TtVirtualCell *thread =
      tt_virtual_find (self, &self->threads, row->values[TT_BLOCK_THREAD], is_null (row, TT_BLOCK_THREAD), &is_kept);
  if (thread == NULL)
    return TT_CELL_FAILED;
  if (thread[TT_THREAD_PROCESS].type == SQLITE_NULL)
    return set_int (cell, is_begin ? ts_ns : dur_ns, FALSE);
  if (thread[TT_THREAD_PROCESS].type != SQLITE_INTEGER)
    return TT_CELL_ODD;

  gint64 process = thread[TT_THREAD_PROCESS].integer;
  if (!find_shift (self, process, ts_ns, &shift))
    return TT_CELL_ODD;
  if (is_begin)
    return __builtin_add_overflow (ts_ns, shift, &ns) ? TT_CELL_ODD : set_int (cell, ns, FALSE);
  if (__builtin_add_overflow (ts_ns, dur_ns, &end_ns) || !find_shift (self, process, end_ns, &end_shift) ||
      __builtin_add_overflow (dur_ns, end_shift, &ns) || __builtin_sub_overflow (ns, shift, &ns))
    return TT_CELL_ODD;
  return set_int (cell, ns, FALSE);
}

static gboolean
is_text (const TtVirtualCell *cell)
{
  return cell->type == SQLITE_TEXT || cell->type == SQLITE_NULL;
}

/* pid->name~>suffix */
static void
join_long_name (TtVirtualEvents *self, const TtVirtualCell *pid, const TtVirtualCell *name, TtVirtualCell *cell)
{
  const TtVirtualCell *text = &name[NAME_TEXT], *suffix = &name[NAME_SUFFIX];

  cell->type = SQLITE_NULL;
  if (pid->type == SQLITE_NULL || text->type == SQLITE_NULL)
    return;
  gboolean has_suffix = suffix->type != SQLITE_NULL;
  gsize n = (gsize) pid->len + 2 + (gsize) text->len + (has_suffix ? 2 + (gsize) suffix->len : 0);
  char *joined = keep (self, n + 1), *at = joined;

  at = (char *) memcpy (at, pid->bytes, (gsize) pid->len) + pid->len;
  at = (char *) memcpy (at, "->", 2) + 2;
  at = (char *) memcpy (at, text->bytes, (gsize) text->len) + text->len;
  if (has_suffix)
    {
      at = (char *) memcpy (at, "~>", 2) + 2;
      at = (char *) memcpy (at, suffix->bytes, (gsize) suffix->len) + suffix->len;
    }
  *at = '\0';
  cell->type = SQLITE_TEXT;
  cell->len = (int) n;
  cell->bytes = joined;
}

static TtCellAnswer
read_long_name (TtVirtualEvents *self, const TtEventValues *row, TtVirtualCell *cell)
{
  gint64 thread = row->values[TT_BLOCK_THREAD], name = row->values[TT_BLOCK_NAME], key;
  gboolean is_thread_kept, is_name_kept;

  if (is_null (row, TT_BLOCK_THREAD) || is_null (row, TT_BLOCK_NAME))
    return set_int (cell, 0, TRUE);
  if (thread < 0 || thread >= MAX_ID || name < 0 || name >= MAX_ID)
    return TT_CELL_ODD;
  key = thread << 32 | name;
  const TtVirtualCell *kept = g_hash_table_lookup (self->long_names, &key);
  if (kept != NULL)
    {
      *cell = *kept;
      return TT_CELL_KEPT;
    }

  const TtVirtualCell *of_thread = tt_virtual_find (self, &self->threads, thread, FALSE, &is_thread_kept);
  const TtVirtualCell *of_name = tt_virtual_find (self, &self->names, name, FALSE, &is_name_kept);
  if (of_thread == NULL || of_name == NULL)
    return TT_CELL_FAILED;
  if (!is_thread_kept || !is_name_kept || self->n_kept >= MAX_KEPT || !is_text (&of_thread[TT_THREAD_PID]) ||
      !is_text (&of_name[NAME_TEXT]) || !is_text (&of_name[NAME_SUFFIX]))
    return TT_CELL_ODD;
  join_long_name (self, &of_thread[TT_THREAD_PID], of_name, cell);
  gint64 *own_key = keep (self, sizeof key + sizeof *cell);
  TtVirtualCell *own_cell = (TtVirtualCell *) (own_key + 1);
  *own_key = key;
  *own_cell = *cell;
  g_hash_table_insert (self->long_names, own_key, own_cell);
  return TT_CELL_KEPT;
}

TtCellAnswer
tt_virtual_cell (TtVirtualEvents *self, TtEventColumn column, const TtEventValues *row, TtVirtualCell *cell)
{
  gboolean is_kept = TRUE;
  const TtVirtualCell *cells;
  guint range;

  switch (column)
    {
    case TT_EVENT_ID:
      return set_int (cell, row->values[TT_BLOCK_ID], FALSE);
    case TT_EVENT_SOURCE:
    case TT_EVENT_RUN:
      range = tt_virtual_find_range (self, row->values[TT_BLOCK_ID]);
      if (range == G_MAXUINT)
        return set_int (cell, 0, TRUE);
      const TtVirtualRange *found = &g_array_index (self->ranges, TtVirtualRange, range);
      *cell = column == TT_EVENT_RUN ? found->run : found->source;
      return TT_CELL_KEPT;
    case TT_EVENT_PID:
    case TT_EVENT_TID:
      cells = tt_virtual_find (self, &self->threads, row->values[TT_BLOCK_THREAD], is_null (row, TT_BLOCK_THREAD),
                               &is_kept);
      return set_cell (cell, cells, column == TT_EVENT_PID ? TT_THREAD_PID : TT_THREAD_TID, is_kept);
    case TT_EVENT_OP_LONG_NAME:
      return read_long_name (self, row, cell);
    case TT_EVENT_TS_NS:
    case TT_EVENT_DUR_NS:
      return read_time (self, column, row, cell);
    case TT_EVENT_SELF_NS:
      return set_int (cell, row->values[TT_BLOCK_SELF_NS], is_null (row, TT_BLOCK_SELF_NS));
    case TT_EVENT_DEPTH:
      return set_int (cell, row->values[TT_BLOCK_SHAPE] >> TT_SCHEMA_SHAPE_BITS, is_null (row, TT_BLOCK_SHAPE));
    case TT_EVENT_STEP:
      return set_int (cell, row->values[TT_BLOCK_STEP], is_null (row, TT_BLOCK_STEP));
    case TT_EVENT_OWN_TS_NS:
      return set_int (cell, row->values[TT_BLOCK_TS_NS], is_null (row, TT_BLOCK_TS_NS));
    case TT_EVENT_OWN_DUR_NS:
      return set_int (cell, row->values[TT_BLOCK_DUR_NS], is_null (row, TT_BLOCK_DUR_NS));
    case TT_EVENT_FLAGS:
      cells = tt_virtual_find (self, &self->flags, row->values[TT_BLOCK_SHAPE] & ((1 << TT_SCHEMA_SHAPE_BITS) - 1),
                               is_null (row, TT_BLOCK_SHAPE), &is_kept);
      return set_cell (cell, cells, 0, is_kept);
    case TT_EVENT_ARGS:
    case TT_EVENT_N:
      return TT_CELL_ODD;
    default:
      cells = tt_virtual_find (self, &self->names, row->values[TT_BLOCK_NAME], is_null (row, TT_BLOCK_NAME), &is_kept);
      return set_cell (cell, cells, column - (column < TT_EVENT_OP_LONG_NAME ? TT_EVENT_OP_CAT : TT_EVENT_OP_CAT + 1),
                       is_kept);
    }
}
