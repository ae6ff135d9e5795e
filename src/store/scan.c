/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/scan.h"

#include <string.h>

#include "src/base/array.h"
#include "src/base/room.h"
#include "src/store/block.h"
#include "src/store/clock-maps.h"
#include "src/store/event-blocks.h"
#include "src/store/private.h"
#include "src/trace/span.h"

/* Rows of a block. With arguments fewer, because the block has their text too, up to a size: arguments beyond
 * that are looked up when their row is handed out. */
#define BLOCK_ROWS TT_ROOM (4096, 64)
#define BLOCK_ROWS_ARGS 512

struct _TtEventScan
{
  TtStore *store;
  sqlite3_stmt *statement;
  TtTablePages *pages;      /* NULL: the statement reads */
  TtTablePages *args_pages; /* NULL: look-ups read */
  TtBlock block;
  gboolean is_reverse;
  const TtEventRange *ranges;
  GArray *own_ranges;    /* NULL: they are the store's */
  guint n_ranges, range; /* range: the current one, counted from the scan's beginning */
  guint64 next;          /* id at which the next block begins (or ends, in reverse) */
  guint at;              /* rows of the block handed out */
  gint64 begin_ns, end_ns;
  gboolean is_cut; /* to what touches begin_ns to end_ns */
  guint32 source;
  sqlite3_stmt *get_args; /* NULL until needed; its row holds what was handed out last */
  GError *error;
};

/* -- events --------------------------------------------------------------------------------------- */

TtEventScan *
tt_event_scan_new (TtStore *self, TtScanFlags flags, GError **error)
{
  gboolean with_args = (flags & TT_SCAN_ARGS) != 0;
  sqlite3_stmt *statement = tt_connection_prepare (
      self->connection,
      with_args ? "SELECT tt_collect (e.id, thread, name, ts_ns, dur_ns, self_ns, shape, step, args,"
                  " CASE typeof (a.json) WHEN 'text' THEN a.json END)"
                  " FROM event_row e LEFT JOIN args_row a ON a.id = e.args WHERE e.id BETWEEN ?1 AND ?2"
                : "SELECT tt_collect (id, thread, name, ts_ns, dur_ns, self_ns, shape, step)"
                  " FROM event_row WHERE id BETWEEN ?1 AND ?2",
      error);

  if (statement == NULL)
    return NULL;
  if (!tt_connection_enter (self->connection, error))
    {
      sqlite3_finalize (statement);
      return NULL;
    }

  TtEventScan *scan = g_new0 (TtEventScan, 1);
  scan->store = self;
  scan->statement = statement;
  scan->is_reverse = (flags & TT_SCAN_REVERSE) != 0;
  scan->ranges = TT_ARRAY (self->ranges, TtEventRange);
  scan->n_ranges = self->ranges->len;
  scan->block.max = with_args ? BLOCK_ROWS_ARGS : BLOCK_ROWS;
  scan->block.rows = g_new (TtBlockRow, scan->block.max);
  scan->block.with_args = with_args;
  scan->block.text = g_string_new (NULL);
  g_string_append_c (scan->block.text, '\0');
  scan->pages = tt_table_pages_new (self, "event_row", TT_EVENT_COLUMNS);
  scan->args_pages = with_args ? tt_table_pages_new (self, "args_row", TT_ARGS_COLUMNS) : NULL;
  return scan;
}

TtEventScan *
tt_event_scan_new_between (TtStore *self, TtScanFlags flags, gint64 begin_ns, gint64 end_ns, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self, flags, error);

  if (scan == NULL || (begin_ns == G_MININT64 && end_ns == G_MAXINT64))
    return scan;
  scan->is_cut = TRUE;
  scan->begin_ns = begin_ns;
  scan->end_ns = end_ns;
  tt_clock_maps_widen (self, &begin_ns, &end_ns);
  /* In the snapshot of the scan. */
  scan->own_ranges = tt_event_blocks_ranges (self, begin_ns, end_ns, &scan->error);
  scan->ranges = scan->own_ranges == NULL ? NULL : TT_ARRAY (scan->own_ranges, TtEventRange);
  scan->n_ranges = scan->own_ranges == NULL ? 0 : scan->own_ranges->len;
  return scan;
}

gboolean
tt_event_scan_reads (const TtEventScan *scan, guint64 event)
{
  guint low = 0, high = scan->n_ranges;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (scan->ranges[middle].last < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low < scan->n_ranges && scan->ranges[low].first <= event;
}

static gboolean
fail_row (const TtStore *self, const TtBlockRow *row, GError **error)
{
  if (row->thread == 0 || row->name == 0)
    return tt_store_set_damaged (self, error, "event %" G_GUINT64_FORMAT " is of a thread or name that is not there",
                                 row->id);
  if (!tt_time_is_kept (row->ts_ns) || !tt_time_is_kept (tt_span_end (row->ts_ns, MAX (row->dur_ns, 0))))
    return tt_store_set_damaged (
        self, error, "event %" G_GUINT64_FORMAT " begins or ends over 146 years from its clock's zero", row->id);
  return tt_store_set_damaged (
      self, error, "event %" G_GUINT64_FORMAT " lasts %" G_GINT64_FORMAT " ns, %" G_GINT64_FORMAT " of its own",
      row->id, row->dur_ns, row->self_ns);
}

static void
check_block (TtEventScan *scan, guint64 first, guint64 last)
{
  const TtBlock *block = &scan->block;

  if (block->n != last - first + 1)
    tt_store_set_damaged (scan->store, &scan->error,
                          "%" G_GUINT64_FORMAT " events are missing among %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                          last - first + 1 - block->n, first, last);
  for (guint i = 0; block->is_damaged && scan->error == NULL && i < block->n; i++)
    if (block->rows[i].id != first + i)
      tt_store_set_damaged (scan->store, &scan->error,
                            "event %" G_GUINT64_FORMAT " stands in the place of %" G_GUINT64_FORMAT, block->rows[i].id,
                            first + i);
    else if (!tt_block_row_is_sound (&block->rows[i]))
      fail_row (scan->store, &block->rows[i], &scan->error);
}

static void
empty_block (TtBlock *block, guint64 first)
{
  block->n = 0;
  block->first = first;
  block->is_damaged = FALSE;
  g_string_truncate (block->text, 1);
}

static void
read_block (TtEventScan *scan, guint64 first, guint64 last)
{
  TtBlock *block = &scan->block;

  scan->at = 0;
  empty_block (block, first);
  if (scan->pages != NULL && tt_block_read (block, scan->store, scan->pages, first, last))
    {
      if (scan->args_pages != NULL)
        tt_block_read_args (block, scan->args_pages);
      return;
    }
  /* Whatever is odd: from here on as it always was read. */
  g_clear_pointer (&scan->pages, tt_table_pages_free);
  empty_block (block, first);
  scan->store->block = block;
  sqlite3_bind_int64 (scan->statement, 1, (gint64) first);
  sqlite3_bind_int64 (scan->statement, 2, (gint64) last);
  tt_connection_step (scan->store->connection, scan->statement, &scan->error);
  sqlite3_reset (scan->statement);
  scan->store->block = NULL;
  if (scan->error == NULL)
    check_block (scan, first, last);
}

/* Moves to the next piece of a range that holds rows. FALSE: there is none. */
static gboolean
next_block (TtEventScan *scan)
{
  guint64 n = scan->block.max - 1;

  while (scan->range < scan->n_ranges && scan->error == NULL)
    {
      guint index = scan->is_reverse ? scan->n_ranges - 1 - scan->range : scan->range;
      const TtEventRange *range = &scan->ranges[index];
      guint64 first, last;

      if (scan->is_reverse)
        {
          last = scan->next == 0 ? range->last : scan->next;
          first = last - range->first > n ? last - n : range->first;
        }
      else
        {
          first = scan->next == 0 ? range->first : scan->next;
          last = range->last - first > n ? first + n : range->last;
        }
      scan->source = range->source;
      read_block (scan, first, last);
      if (scan->is_reverse ? first == range->first : last == range->last)
        {
          scan->range++;
          scan->next = 0;
        }
      else
        scan->next = scan->is_reverse ? first - 1 : last + 1;
      if (scan->block.n > 0 && scan->error == NULL)
        return TRUE;
    }
  return FALSE;
}

static inline void
fill_event (TtStore *store, TtEvent *event, const TtBlockRow *row, const TtBlock *block, guint32 source)
{
  event->id = row->id;
  event->source = source;
  event->thread = row->thread;
  event->name = row->name;
  event->depth = row->depth;
  event->flags = row->flags;
  event->step = row->step;
  event->ts_ns = row->ts_ns;
  event->dur_ns = row->dur_ns;
  event->self_ns = row->self_ns;
  event->own_ns = row->dur_ns;
  event->args = row->args == 0 ? NULL : block->text->str + row->args;
  event->args_len = event->args == NULL ? 0 : row->args_len;
  if (G_UNLIKELY (store->clock_maps != NULL))
    tt_clock_maps_correct (store, event->thread, &event->ts_ns, &event->dur_ns);
}

/* Arguments that came in pieces are blobs, whose length is known without reading them. The row of
 * *@statement holds what @event gets. */
static void
look_up_args (TtStore *self, sqlite3_stmt **statement, TtEvent *event, guint64 id, GError **error)
{
  if (*statement == NULL)
    *statement =
        tt_connection_prepare (self->connection,
                               "SELECT CASE WHEN typeof (json) = 'text' OR length (json) <= ?2 THEN json END,"
                               " CASE typeof (json) WHEN 'blob' THEN length (json) END FROM args_row WHERE id = ?1",
                               error);
  if (*statement == NULL)
    return;
  sqlite3_reset (*statement);
  sqlite3_bind_int64 (*statement, 1, (gint64) id);
  sqlite3_bind_int64 (*statement, 2, TT_LONG_ARGS);
  if (!tt_connection_step (self->connection, *statement, error))
    return;
  event->args = (const char *) sqlite3_column_text (*statement, 0);
  event->args_len =
      event->args != NULL ? (gsize) sqlite3_column_bytes (*statement, 0) : (gsize) sqlite3_column_int64 (*statement, 1);
}

static gboolean
next_event (TtEventScan *scan, TtEvent *event)
{
  if (G_UNLIKELY (scan->at == scan->block.n) && !next_block (scan))
    return FALSE;

  guint index = scan->is_reverse ? scan->block.n - 1 - scan->at : scan->at;
  const TtBlockRow *row = &scan->block.rows[index];
  scan->at++;
  fill_event (scan->store, event, row, &scan->block, scan->source);
  if (G_UNLIKELY (row->args_id != 0 && row->args == 0))
    {
      look_up_args (scan->store, &scan->get_args, event, row->args_id, &scan->error);
      return scan->error == NULL;
    }
  return TRUE;
}

static gboolean
touches (const TtEventScan *scan, const TtEvent *event)
{
  return event->ts_ns <= scan->end_ns && tt_span_end (event->ts_ns, MAX (event->dur_ns, 0)) >= scan->begin_ns;
}

gboolean
tt_event_scan_next (TtEventScan *scan, TtEvent *event)
{
  while (next_event (scan, event))
    if (G_LIKELY (!scan->is_cut) || touches (scan, event))
      return TRUE;
  return FALSE;
}

gboolean
tt_event_scan_finish (TtEventScan *scan, GError **error)
{
  if (scan == NULL)
    return TRUE;

  GError *failure = g_steal_pointer (&scan->error);
  sqlite3_finalize (scan->statement);
  sqlite3_finalize (scan->get_args);
  tt_table_pages_free (scan->pages);
  tt_table_pages_free (scan->args_pages);
  tt_connection_leave (scan->store->connection);
  g_free (scan->block.rows);
  g_string_free (scan->block.text, TRUE);
  g_clear_pointer (&scan->own_ranges, g_array_unref);
  g_free (scan);
  return tt_store_finish (failure, error);
}

gboolean
tt_store_event (TtStore *self, guint64 id, TtEvent *event, GError **error)
{
  const TtEventRange *range = tt_store_find_range (self, id);
  TtBlockRow row;
  TtBlock block = { .rows = &row, .max = 1, .first = id };
  GError *failure = NULL;

  memset (event, 0, sizeof *event);
  g_autoptr (sqlite3_stmt) statement = tt_connection_prepare (
      self->connection,
      "SELECT tt_collect (id, thread, name, ts_ns, dur_ns, self_ns, shape, step) FROM event_row WHERE id = ?1", error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  self->block = &block;
  if (range != NULL)
    tt_connection_step (self->connection, statement, &failure);
  self->block = NULL;
  if (failure != NULL)
    return tt_store_finish (failure, error);
  if (block.n == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "no event %" G_GUINT64_FORMAT " in the selected runs of '%s'", id,
                   self->connection->path);
      return FALSE;
    }
  if (!tt_block_row_is_sound (&row))
    return fail_row (self, &row, error);
  fill_event (self, event, &row, &block, range->source);
  return TRUE;
}

/* -- times ---------------------------------------------------------------------------------------- */

/* Sources of the runs whose clocks are as they are. */
static gboolean
own_range (TtStore *self, const char *clock, gint64 *first_ns, gint64 *last_ns, gboolean *is_any, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (self->connection,
                             "SELECT min (first_ns), max (last_ns) FROM source_row WHERE run BETWEEN ?1 AND ?2"
                             " AND (?3 IS NULL OR clock = ?3) AND NOT (?4 AND run IN (SELECT p.run FROM process_row p"
                             " JOIN clock_row k ON k.process = p.id))",
                             error);
  GError *failure = NULL;

  *is_any = FALSE;
  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  tt_store_bind_text (row, 3, clock);
  sqlite3_bind_int (row, 4, self->clock_maps != NULL);
  if (!tt_connection_step (self->connection, row, &failure) || sqlite3_column_type (row, 0) == SQLITE_NULL)
    return tt_store_finish (failure, error);
  *first_ns = sqlite3_column_int64 (row, 0);
  *last_ns = sqlite3_column_int64 (row, 1);
  *is_any = TRUE;
  return tt_store_check_times (self, *first_ns, *last_ns, error);
}

gboolean
tt_store_clock_range (TtStore *self, const char *clock, gint64 *first_ns, gint64 *last_ns, GError **error)
{
  gint64 mapped_first_ns, mapped_last_ns;
  gboolean is_mapped, is_own;

  *first_ns = *last_ns = 0;
  if (!own_range (self, clock, first_ns, last_ns, &is_own, error) ||
      !tt_clock_maps_range (self, clock, &mapped_first_ns, &mapped_last_ns, &is_mapped, error))
    return FALSE;
  if (is_mapped)
    {
      *first_ns = is_own ? MIN (*first_ns, mapped_first_ns) : mapped_first_ns;
      *last_ns = is_own ? MAX (*last_ns, mapped_last_ns) : mapped_last_ns;
    }
  return is_own || is_mapped;
}

gboolean
tt_store_time_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error)
{
  return tt_store_clock_range (self, NULL, first_ns, last_ns, error);
}

gboolean
tt_store_main_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error)
{
  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS; clock++)
    {
      g_autoptr (GError) fault = NULL;

      if (tt_store_clock_range (self, tt_clock_text (clock), first_ns, last_ns, &fault))
        return TRUE;
      if (fault != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&fault));
          return FALSE;
        }
    }
  return FALSE;
}

char **
tt_store_ticks_pids (TtStore *self, GError **error)
{
  g_autoptr (GPtrArray) pids = g_ptr_array_new_with_free_func (g_free);
  guint n, n_ticks = 0;
  const TtSource *sources = tt_store_sources (self, &n);

  for (guint i = 0; i < n; i++)
    {
      TtEvent event;

      if (g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) != 0)
        continue;
      n_ticks++;
      if (sources[i].n_events == 0)
        continue;
      if (!tt_store_event (self, sources[i].first_event, &event, error))
        return NULL;
      const TtThread *thread = tt_store_thread (self, event.thread);
      const TtProcess *process = thread == NULL ? NULL : tt_store_process (self, thread->process);
      if (process != NULL && !g_ptr_array_find_with_equal_func (pids, process->pid, g_str_equal, NULL))
        g_ptr_array_add (pids, g_strdup (process->pid));
    }
  if (n_ticks == n)
    g_ptr_array_set_size (pids, 0);
  g_ptr_array_add (pids, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&pids), FALSE);
}
