/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/clocks.h"

#include "src/base/array.h"
#include "src/store/clock-maps.h"
#include "src/trace/span.h"

typedef struct
{
  guint32 first, n; /* pieces of the process */
} ClockMap;

struct _TtClockMaps
{
  GArray *pieces;         /* of TtClockPiece, by process */
  ClockMap *maps;         /* by process; n = 0: none */
  TtClockCursor *cursors; /* for whoever has none of their own */
  gint64 most_ns;         /* no shift is more, either way */
};

/* As they stand in clock_row.kind, of which the views of schema.c take the last. */
G_STATIC_ASSERT (TT_CORRECTION_LINEAR == 1 && TT_CORRECTION_LOGICAL == 2);

const char *
tt_correction_text (TtCorrection correction)
{
  static const char *const words[TT_N_CORRECTIONS] = {
    [TT_CORRECTION_NONE] = "original",
    [TT_CORRECTION_LINEAR] = "linear",
    [TT_CORRECTION_LOGICAL] = "logical",
  };

  g_return_val_if_fail (correction < TT_N_CORRECTIONS, NULL);

  return words[correction];
}

/* -- loading --------------------------------------------------------------------------------------------------- */

static void
clock_maps_free (TtClockMaps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pieces);
  g_free (self->maps);
  g_free (self->cursors);
  g_free (self);
}

void
tt_clock_maps_forget (TtStore *store)
{
  g_clear_pointer (&store->clock_maps, clock_maps_free);
}

static void
note_shift (TtClockMaps *self, gint64 shift_ns)
{
  self->most_ns = MAX (self->most_ns, ABS (shift_ns));
}

/* Pieces of a process come together, by time. */
static gboolean
load_piece (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  TtClockMaps *self = data;
  guint32 process = tt_row_process (scan, 0, FALSE);
  const TtClockPiece piece = {
    .from_ns = sqlite3_column_int64 (scan->row, 1),
    .until_ns = sqlite3_column_int64 (scan->row, 2),
    .shift_ns = sqlite3_column_int64 (scan->row, 3),
    .gain_ns = sqlite3_column_int64 (scan->row, 4),
  };

  if (scan->fault != NULL)
    return FALSE;
  ClockMap *map = &self->maps[process];
  const TtClockPiece *before =
      map->n == 0 ? NULL : &g_array_index (self->pieces, TtClockPiece, map->first + map->n - 1);
  if (!tt_clock_piece_is_sound (&piece) ||
      (before != NULL && (before->until_ns != piece.from_ns || before->shift_ns + before->gain_ns != piece.shift_ns)))
    return tt_store_set_damaged (scan->store, &scan->fault,
                                 "the clock of process %u at %" G_GINT64_FORMAT " ns is none", process, piece.from_ns);
  if (before == NULL)
    map->first = self->pieces->len;
  map->n++;
  note_shift (self, piece.shift_ns);
  note_shift (self, piece.shift_ns + piece.gain_ns);
  g_array_append_val (self->pieces, piece);
  return TRUE;
}

gboolean
tt_clock_maps_load (TtStore *store, GError **error)
{
  tt_clock_maps_forget (store);
  if (store->correction == TT_CORRECTION_NONE)
    return TRUE;

  TtClockMaps *self = g_new0 (TtClockMaps, 1);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (TtClockPiece));
  self->maps = g_new0 (ClockMap, (gsize) store->process_places.n + 1);
  g_autofree char *sql =
      g_strdup_printf ("SELECT c.process, c.from_ns, c.until_ns, c.shift_ns, c.gain_ns FROM process_row p"
                       " CROSS JOIN clock_row c ON c.process = p.id AND c.kind = %d WHERE p.run BETWEEN ?1 AND ?2"
                       " ORDER BY c.process, c.from_ns",
                       store->correction);
  gboolean is_loaded = tt_store_each_row (store, "clock", sql, load_piece, NULL, self, error);
  if (!is_loaded || self->pieces->len == 0)
    {
      clock_maps_free (self);
      return is_loaded;
    }
  store->clock_maps = self;
  self->cursors = tt_clock_cursors_new (store);
  return TRUE;
}

gboolean
tt_store_choose_correction (TtStore *self, TtCorrection correction, GError **error)
{
  if (self->is_loaded && self->correction == correction)
    return TRUE;
  self->correction = correction;
  return !self->is_loaded || tt_clock_maps_load (self, error);
}

/* -- applying -------------------------------------------------------------------------------------------------- */

TtClockCursor *
tt_clock_cursors_new (const TtStore *store)
{
  gsize n = (gsize) store->process_places.n + 1;

  if (store->clock_maps == NULL)
    return NULL;
  return tt_clock_cursors (n);
}

/* NULL: its times are as they should be. */
static inline const ClockMap *
map_of_process (const TtStore *store, guint32 process)
{
  if (store->clock_maps == NULL || process == TT_NO_ID || process > store->process_places.n ||
      store->clock_maps->maps[process].n == 0)
    return NULL;
  return &store->clock_maps->maps[process];
}

static inline gint64
time_by (const TtStore *store, const ClockMap *map, TtClockCursor *cursor, gint64 ns)
{
  return tt_clock_cursor_time (cursor, TT_ARRAY (store->clock_maps->pieces, TtClockPiece) + map->first, map->n, ns);
}

gint64
tt_store_corrected_time (TtStore *self, guint32 process, gint64 ns)
{
  const ClockMap *map = map_of_process (self, process);

  return map == NULL || ns == TT_NO_TIME ? ns : time_by (self, map, &self->clock_maps->cursors[process], ns);
}

gint64
tt_clock_maps_thread_time (TtStore *store, guint32 thread, gint64 ns)
{
  return store->clock_maps == NULL ? ns
                                   : tt_store_corrected_time (store, tt_store_process_of_thread (store, thread), ns);
}

/* Events come in the order of their ends, and most have begun shortly before. */
void
tt_clock_cursors_correct (TtClockCursor *cursors, TtStore *store, guint32 thread, gint64 *ts_ns, gint64 *dur_ns)
{
  guint32 process = tt_store_process_of_thread (store, thread);
  const ClockMap *map = map_of_process (store, process);
  gboolean is_instant = *dur_ns == TT_NO_TIME;

  if (map == NULL || *ts_ns == TT_NO_TIME)
    return;
  TtClockCursor *cursor = &cursors[process];
  gint64 end_ns = time_by (store, map, cursor, is_instant ? *ts_ns : tt_span_end (*ts_ns, *dur_ns));
  *ts_ns = is_instant ? end_ns : time_by (store, map, cursor, *ts_ns);
  if (!is_instant)
    *dur_ns = end_ns - *ts_ns;
}

void
tt_clock_maps_correct (TtStore *store, guint32 thread, gint64 *ts_ns, gint64 *dur_ns)
{
  if (store->clock_maps != NULL)
    tt_clock_cursors_correct (store->clock_maps->cursors, store, thread, ts_ns, dur_ns);
}

void
tt_clock_maps_widen (TtStore *store, gint64 *begin_ns, gint64 *end_ns)
{
  if (store->clock_maps == NULL)
    return;
  *begin_ns = tt_time_since (*begin_ns, store->clock_maps->most_ns);
  *end_ns = tt_span_end (*end_ns, store->clock_maps->most_ns);
}

/* -- what was found out ---------------------------------------------------------------------------------------- */

static gboolean
handle_fit (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  const char *word = (const char *) sqlite3_column_text (row, 1);
  TtClockFit fit = {
    .process = tt_row_process (scan, 0, FALSE),
    .clock = TT_CLOCK_TICKS,
    .first_ns = tt_row_time (scan, 2, FALSE),
    .last_ns = tt_row_time (scan, 3, FALSE),
    .offset_ns = tt_row_time (scan, 4, FALSE),
    .drift_ns = tt_row_time (scan, 5, FALSE),
    .n_bounds = tt_store_column_uint (row, 6),
    .n_violated = tt_store_column_uint (row, 7),
    .n_left = tt_store_column_uint (row, 8),
    .worst_ns = tt_row_time (scan, 9, FALSE),
    .worst_left_ns = tt_row_time (scan, 10, FALSE),
    .residual_ns = tt_row_time (scan, 11, TRUE),
  };

  if (g_strcmp0 (word, tt_clock_text (TT_CLOCK_EPOCH)) == 0)
    fit.clock = TT_CLOCK_EPOCH;
  else if (g_strcmp0 (word, tt_clock_text (TT_CLOCK_RELATIVE)) == 0)
    fit.clock = TT_CLOCK_RELATIVE;
  if (scan->fault == NULL && fit.first_ns > fit.last_ns)
    tt_store_set_damaged (scan->store, &scan->fault, "process %u begins after its end", fit.process);
  return scan->fault == NULL && ((TtClockFitFunc) func) (&fit, data);
}

gboolean
tt_store_each_clock_fit (TtStore *self, TtClockFitFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "clock",
                            "SELECT f.process, f.clock, f.first_ns, f.last_ns, f.offset_ns, f.drift_ns, f.n_bounds,"
                            " f.n_violated, f.n_left, f.worst_ns, f.worst_left_ns, f.residual_ns FROM process_row p"
                            " CROSS JOIN clock_fit_row f ON f.process = p.id WHERE p.run BETWEEN ?1 AND ?2"
                            " ORDER BY f.process",
                            handle_fit, (TtAnyFunc) func, data, error);
}

/* -- durations ------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store; /* corrects by offset and drift */
  gint64 stretched_ns;
} Stretch;

/* What a time is moved by beyond offset and drift. */
static gint64
moved_by (const Stretch *self, guint32 process, const TtClockPiece *piece, gint64 ns)
{
  return ns + tt_clock_piece_shift (piece, ns) - tt_store_corrected_time (self->store, process, ns);
}

static gboolean
add_stretch (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  Stretch *self = data;
  guint32 process = tt_row_process (scan, 0, FALSE);
  const TtClockPiece piece = {
    .from_ns = sqlite3_column_int64 (scan->row, 1),
    .until_ns = sqlite3_column_int64 (scan->row, 2),
    .shift_ns = sqlite3_column_int64 (scan->row, 3),
    .gain_ns = sqlite3_column_int64 (scan->row, 4),
  };
  gint64 first_ns = MAX (piece.from_ns, tt_row_time (scan, 5, FALSE));
  gint64 last_ns = MIN (piece.until_ns, tt_row_time (scan, 6, FALSE));

  if (scan->fault != NULL || first_ns >= last_ns || !tt_clock_piece_is_sound (&piece))
    return scan->fault == NULL;
  gint64 stretched_ns =
      tt_time_since (moved_by (self, process, &piece, last_ns), moved_by (self, process, &piece, first_ns));
  self->stretched_ns = tt_span_end (self->stretched_ns, MAX (stretched_ns, -stretched_ns));
  return TRUE;
}

gboolean
tt_store_clock_stretch (TtStore *self, gint64 *stretched_ns, GError **error)
{
  TtCorrection chosen = self->correction;
  Stretch stretch = { self, 0 };

  if (!tt_store_choose_correction (self, TT_CORRECTION_LINEAR, error))
    return FALSE;
  gboolean is_read = tt_store_each_row (
      self, "clock",
      "SELECT c.process, c.from_ns, c.until_ns, c.shift_ns, c.gain_ns, f.first_ns, f.last_ns FROM process_row p"
      " CROSS JOIN clock_fit_row f ON f.process = p.id CROSS JOIN clock_row c ON c.process = p.id AND c.kind = 2"
      " WHERE p.run BETWEEN ?1 AND ?2 ORDER BY c.process, c.from_ns",
      add_stretch, NULL, &stretch, error);
  *stretched_ns = stretch.stretched_ns;
  return tt_store_choose_correction (self, chosen, is_read ? error : NULL) && is_read;
}

/* -- ranges ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  const char *clock;
  gint64 first_ns, last_ns;
  gboolean is_any;
} Range;

static gboolean
widen_by_fit (const TtClockFit *fit, gpointer data)
{
  Range *self = data;

  if (self->store->clock_maps->maps[fit->process].n == 0 ||
      (self->clock != NULL && !g_str_equal (self->clock, tt_clock_text (fit->clock))))
    return TRUE;
  gint64 first_ns = tt_store_corrected_time (self->store, fit->process, fit->first_ns);
  gint64 last_ns = tt_store_corrected_time (self->store, fit->process, fit->last_ns);
  self->first_ns = self->is_any ? MIN (self->first_ns, first_ns) : first_ns;
  self->last_ns = self->is_any ? MAX (self->last_ns, last_ns) : last_ns;
  self->is_any = TRUE;
  return TRUE;
}

gboolean
tt_clock_maps_range (TtStore *store,
                     const char *clock,
                     gint64 *first_ns,
                     gint64 *last_ns,
                     gboolean *is_any,
                     GError **error)
{
  Range range = { .store = store, .clock = clock };

  if (store->clock_maps != NULL && !tt_store_each_clock_fit (store, widen_by_fit, &range, error))
    return FALSE;
  *first_ns = range.first_ns;
  *last_ns = range.last_ns;
  *is_any = range.is_any;
  return TRUE;
}
