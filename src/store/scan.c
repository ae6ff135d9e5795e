/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/scan.h"

#include <string.h>

#include "src/base/array.h"
#include "src/base/readers.h"
#include "src/store/blocks-ahead.h"
#include "src/store/clock-maps.h"
#include "src/store/event-blocks.h"
#include "src/store/private.h"
#include "src/trace/span.h"

struct _TtEventScan
{
  TtStore *store;
  sqlite3_stmt *statement;
  TtBlockOrder order;
  GArray *own_ranges;    /* NULL: they are the store's */
  TtBlockReader *reader; /* NULL until the first event is asked for */
  TtBlocksAhead *ahead;  /* NULL: this thread reads, into own_block */
  TtBlock *block, *own_block;
  guint at; /* rows of the block handed out */
  gint64 begin_ns, end_ns;
  gboolean is_cut;        /* to what touches begin_ns to end_ns */
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
                  " ifnull (" TT_SCHEMA_FILLED_ARGS (
                      "e.args") ", CASE typeof (a.json) WHEN 'text' THEN a.json END))"
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
  scan->order = (TtBlockOrder){ .ranges = TT_ARRAY (self->ranges, TtEventRange),
                                .n_ranges = self->ranges->len,
                                .is_reverse = (flags & TT_SCAN_REVERSE) != 0,
                                .with_args = with_args };
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
  scan->order.ranges = scan->own_ranges == NULL ? NULL : TT_ARRAY (scan->own_ranges, TtEventRange);
  scan->order.n_ranges = scan->own_ranges == NULL ? 0 : scan->own_ranges->len;
  return scan;
}

void
tt_event_scan_limit (TtEventScan *scan, guint64 first, guint64 last)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TtEventRange));

  for (guint i = 0; i < scan->order.n_ranges; i++)
    {
      TtEventRange range = scan->order.ranges[i];

      range.first = MAX (range.first, first);
      range.last = MIN (range.last, last);
      if (range.first <= range.last)
        g_array_append_val (ranges, range);
    }
  g_clear_pointer (&scan->own_ranges, g_array_unref);
  scan->own_ranges = g_steal_pointer (&ranges);
  scan->order.ranges = TT_ARRAY (scan->own_ranges, TtEventRange);
  scan->order.n_ranges = scan->own_ranges->len;
}

gboolean
tt_event_scan_reads (const TtEventScan *scan, guint64 event)
{
  const TtEventRange *ranges = scan->order.ranges;
  guint low = 0, high = scan->order.n_ranges;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ranges[middle].last < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low < scan->order.n_ranges && ranges[low].first <= event;
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
check_block (TtEventScan *scan)
{
  const TtBlock *block = scan->block;
  guint64 first = block->first, last = block->last;

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
read_by_statement (TtEventScan *scan)
{
  scan->store->block = scan->block;
  sqlite3_bind_int64 (scan->statement, 1, (gint64) scan->block->first);
  sqlite3_bind_int64 (scan->statement, 2, (gint64) scan->block->last);
  tt_connection_step (scan->store->connection, scan->statement, &scan->error);
  sqlite3_reset (scan->statement);
  scan->store->block = NULL;
  if (scan->error == NULL)
    check_block (scan);
  if (scan->error == NULL)
    tt_block_reader_correct (scan->reader, scan->block);
}

static gboolean
is_for_two (const TtEventScan *scan)
{
  guint64 n = 0;

  for (guint i = 0; i < scan->order.n_ranges; i++)
    n += scan->order.ranges[i].last - scan->order.ranges[i].first + 1;
  return tt_readers_pay (n);
}

static void
begin (TtEventScan *scan)
{
  scan->reader = tt_block_reader_new (scan->store, &scan->order);
  if (tt_block_reader_has_pages (scan->reader) && is_for_two (scan))
    scan->ahead = tt_blocks_ahead_new (scan->reader);
  scan->own_block = scan->block = tt_block_reader_new_block (scan->reader);
}

/* Pages are read no more: what only a statement reads, does this thread. */
static void
go_on_alone (TtEventScan *scan)
{
  const TtBlock *block = scan->block;

  tt_block_clear (scan->own_block, block->first, block->last, block->source);
  scan->block = scan->own_block;
  g_clear_pointer (&scan->ahead, tt_blocks_ahead_free);
}

/* FALSE: there are no more rows, or there is an error. */
static gboolean
next_block (TtEventScan *scan)
{
  TtBlockAnswer answer;

  if (scan->error != NULL)
    return FALSE;
  if (scan->reader == NULL)
    begin (scan);
  scan->at = 0;
  answer = scan->ahead != NULL ? tt_blocks_ahead_next (scan->ahead, &scan->block)
                               : tt_block_reader_next (scan->reader, scan->block);
  if (answer != TT_BLOCK_READ && scan->ahead != NULL)
    go_on_alone (scan);
  if (answer == TT_BLOCK_ODD)
    read_by_statement (scan);
  return answer != TT_BLOCK_END && scan->error == NULL;
}

static inline void
fill_event (TtEvent *event, const TtBlockRow *row, const TtBlock *block, guint32 source)
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
  event->own_ns = row->own_ns;
  event->args = row->args == 0 ? NULL : block->text->str + row->args;
  event->args_len = event->args == NULL ? 0 : row->args_len;
}

/* Arguments that came in pieces are blobs, whose length is known without reading them. The row of
 * *@statement holds what @event gets. */
static void
look_up_args (TtStore *self, sqlite3_stmt **statement, TtEvent *event, guint64 id, GError **error)
{
  if (*statement == NULL)
    *statement = tt_connection_prepare (
        self->connection,
        "SELECT " TT_SCHEMA_FILLED_ARGS ("?1") ", NULL WHERE " TT_SCHEMA_FILLED_ARGS (
            "?1") " IS NOT NULL UNION ALL"
                  " SELECT CASE WHEN typeof (json) = 'text' OR length (json) <= ?2 THEN json END,"
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
  if (G_UNLIKELY (scan->block == NULL || scan->at == scan->block->n) && !next_block (scan))
    return FALSE;

  const TtBlock *block = scan->block;
  const TtBlockRow *row = &block->rows[scan->order.is_reverse ? block->n - 1 - scan->at : scan->at];
  scan->at++;
  fill_event (event, row, block, block->source);
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
  tt_blocks_ahead_free (scan->ahead);
  tt_block_reader_free (scan->reader);
  tt_block_free (scan->own_block);
  tt_connection_leave (scan->store->connection);
  g_clear_pointer (&scan->own_ranges, g_array_unref);
  g_free (scan);
  return tt_store_finish (failure, error);
}

gboolean
tt_store_event (TtStore *self, guint64 id, TtEvent *event, GError **error)
{
  const TtEventRange *range = tt_store_find_range (self, id);
  TtBlockRow row;
  TtBlock block = { .rows = &row, .max = 1, .first = id, .last = id };
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
  fill_event (event, &row, &block, range->source);
  tt_clock_maps_correct (self, event->thread, &event->ts_ns, &event->dur_ns);
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
