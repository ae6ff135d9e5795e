/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/rows-private.h"

#include "src/base/error.h"
#include "src/trace/told-times.h"

#include <string.h>

#define SORT_BYTES ((gsize) 48 << 20)

/* dur_ns of what is no span, and of one whose end lies before its begin. */
#define IS_INSTANT (-1)
#define IS_BACKWARDS (-2)

/* What is sorted: two keys, then the payload; its values are the fields that the arguments need. */
typedef struct
{
  guint64 track, time;
  gint64 dur_ns;
  guint64 index_and_map; /* the map in the lowest bits */
  guint64 value[];
} Moment;

G_STATIC_ASSERT (TT_NEUTRINO_MAX_MAPS <= 256);

static inline guint64
index_of (const Moment *moment)
{
  return moment->index_and_map >> 8;
}

static inline guint
map_of (const Moment *moment)
{
  return moment->index_and_map & 0xff;
}

TtSorter *
tt_neutrino_rows_sorter_new (guint n_values)
{
  TtSorter *self = tt_sorter_new (sizeof (Moment) + n_values * sizeof (guint64), SORT_BYTES);

  tt_sorter_sort_ahead (self);
  return self;
}

/* -- tracks
 * ----------------------------------------------------------------------------------------------------------- */

static TtNeutrinoTrack *
add_track (const RowsPass *self, guint64 number)
{
  const TtNeutrinoAreas *areas = self->result->areas;
  TtNeutrinoLanes *lanes = self->device->lanes[self->times];
  const char *word = areas->kind == TT_NEUTRINO_HIP ? "CU" : "SM";
  g_autofree char *tid = number < ODD_UNIT    ? g_strdup_printf ("%s %u", word, (guint) number)
                         : number == ODD_UNIT ? g_strdup_printf ("%s ?", word)
                         : areas->n_blocks <= MAX_BLOCK_TRACKS
                             ? g_strdup_printf ("block %u", (guint) (number - FIRST_BLOCK))
                             : g_strdup ("blocks");

  return tt_neutrino_lanes_track (lanes, tid, (guint32) number);
}

static guint64
choose_track (RowsPass *self, const RowsMap *map, const TtNeutrinoRecords *records, guint i)
{
  const TtNeutrinoArea *area = map->area;

  if (area->map->unit >= 0)
    {
      guint64 unit = records->field[area->map->unit][i];
      if (unit <= MAX_UNIT)
        return unit;
      tt_sink_repair (self->sink, TT_REPAIR_ODD_UNIT, tt_neutrino_rows_offset (area, records->index[i]));
      return ODD_UNIT;
    }
  if (self->result->areas->n_blocks > MAX_BLOCK_TRACKS)
    return FIRST_BLOCK;
  return FIRST_BLOCK + tt_neutrino_area_place (area, records->index[i] / area->slots).block;
}

/* -- records with a time
 * ----------------------------------------------------------------------------------------------- */

static gboolean
is_empty (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, guint i)
{
  for (guint k = 0; k < area->map->fields->len; k++)
    if (records->field[k][i] != 0)
      return FALSE;
  return TRUE;
}

static gboolean
to_ns (guint64 value, guint64 scale, gint64 *ns)
{
  return !__builtin_mul_overflow (value, scale, &value) && !__builtin_add_overflow (value, 0, ns);
}

/* FALSE: the time is out of range. */
static gboolean
time_record (const RowsMap *map, const TtNeutrinoRecords *records, guint i, gint64 *ts_ns, gint64 *dur_ns)
{
  const TtNeutrinoMap *layout = map->area->map;
  gint64 value, end_ns;

  *dur_ns = IS_INSTANT;
  if (!to_ns (records->field[layout->start][i], map->scale, ts_ns))
    return FALSE;
  if (layout->end < 0)
    return TRUE;
  if (!to_ns (records->field[layout->end][i], map->scale, &value))
    return FALSE;
  if (tt_neutrino_rows_field (layout, layout->end)->role == TT_NEUTRINO_ELAPSED)
    *dur_ns = value;
  else
    *dur_ns = value < *ts_ns ? IS_BACKWARDS : value - *ts_ns;
  return !__builtin_add_overflow (*ts_ns, MAX (*dur_ns, 0), &end_ns);
}

static gboolean
fail_time (RowsPass *self, const RowsMap *map, guint64 index, GError **error)
{
  guint64 offset = tt_neutrino_rows_offset (map->area, index);

  if (self->device->options->salvage || !self->device->options->strict)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, offset);
      return TRUE;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: byte %" G_GUINT64_FORMAT ": record %" G_GUINT64_FORMAT
               " of map '%s' has a time of 2^63 or more; --strict does not allow it",
               self->result->path, offset, index, map->area->map->name);
  return FALSE;
}

gboolean
tt_neutrino_rows_on_timed (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error)
{
  RowsPass *self = data;
  RowsMap *map = tt_neutrino_rows_map (self, area);

  for (guint i = 0; i < records->n; i++)
    {
      gint64 ts_ns, dur_ns;

      if (G_UNLIKELY (records->field[area->map->start][i] == 0) && is_empty (area, records, i))
        {
          tt_sink_repair (self->sink, TT_REPAIR_EMPTY_RECORD, tt_neutrino_rows_offset (area, records->index[i]));
          continue;
        }
      if (G_UNLIKELY (!time_record (map, records, i, &ts_ns, &dur_ns)))
        {
          if (!fail_time (self, map, records->index[i], error))
            return FALSE;
          continue;
        }
      tt_time_spread_add (&self->spread, ts_ns);
      tt_time_spread_add (&self->spread, ts_ns + MAX (dur_ns, 0));
      Moment *moment = tt_sorter_add (self->sorter);
      moment->track = choose_track (self, map, records, i);
      moment->time = tt_sort_key (ts_ns);
      moment->dur_ns = dur_ns;
      moment->index_and_map = records->index[i] << 8 | (guint64) (map - self->map);
      for (guint k = 0; k < map->n_fields; k++)
        moment->value[k] = records->field[map->field[k]][i];
    }
  return tt_sink_check (self->sink, tt_input_progress (self->input), error) && tt_sorter_check (self->sorter, error);
}

/* Where the times of the launch lie; where it has too few, those of the launches before it, which may be days away. */
static void
find_near (RowsPass *self)
{
  TtTimeSpread *before = &self->device->times[self->times];
  TtTimeGroup near = { 0 };

  self->patience_ns = 0;
  self->has_lone = tt_time_spread_rest (&self->spread, &self->near_first_ns, &self->near_last_ns);
  for (guint i = 0; self->has_lone && i < self->spread.n; i++)
    near.n += self->spread.groups[i].n;
  near.first_ns = self->near_first_ns;
  near.last_ns = self->near_last_ns;
  if (self->has_lone)
    self->spread = (TtTimeSpread){ .groups = { near }, .n = 1 };
  tt_time_spread_join (before, &self->spread);
  if (self->has_lone || !tt_time_spread_rest (before, &self->near_first_ns, &self->near_last_ns))
    return;
  self->has_lone = TRUE;
  self->patience_ns = tt_time_spread_patience (self->near_first_ns, self->near_last_ns);
}

static gboolean
is_far (const RowsPass *self, gint64 ns)
{
  guint64 far_ns = ns < self->near_first_ns  ? (guint64) self->near_first_ns - (guint64) ns
                   : ns > self->near_last_ns ? (guint64) ns - (guint64) self->near_last_ns
                                             : 0;

  return far_ns > self->patience_ns;
}

/* A record that begins or ends far from all others is moved to them, or has no duration. TRUE: it was. */
static gboolean
mend_times (RowsPass *self, const Moment *moment, gint64 *ts_ns, gint64 *dur_ns, guint64 *args)
{
  gboolean is_begin = self->has_lone && is_far (self, *ts_ns);
  gboolean is_span = moment->dur_ns != IS_INSTANT;

  if (!self->has_lone || (!is_begin && !is_far (self, *ts_ns + *dur_ns)))
    return FALSE;
  const TtToldTimes told = { .ts_ns = is_begin ? *ts_ns : TT_NO_TIME,
                             .dur_ns = is_span ? *dur_ns : TT_NO_TIME,
                             .longest_ns = is_begin ? TT_NO_TIME : self->near_last_ns - *ts_ns };
  *args = tt_told_times_keep (&told, self->sink, *args);
  *ts_ns = CLAMP (*ts_ns, self->near_first_ns, self->near_last_ns);
  *dur_ns = 0;
  tt_sink_repair_of (self->sink, self->device->process[self->times],
                     is_begin ? TT_REPAIR_LONE_TIME : TT_REPAIR_LONE_END,
                     tt_neutrino_rows_offset (self->map[map_of (moment)].area, index_of (moment)));
  return TRUE;
}

/* No GPU has so many cycles a nanosecond, and a clock of nanoseconds goes on in steps of at most a millisecond. */
#define MAX_PER_NS 10
#define STEP_NS 1000000

/* The log has the time that the host's driver measured for the whole kernel. */
static gboolean
is_too_long (const RowsPass *self, const Moment *moment)
{
  gint64 most_ns = self->result->kernel_ns;

  if (most_ns == TT_NO_TIME || __builtin_mul_overflow (most_ns, MAX_PER_NS, &most_ns) ||
      (self->times == TT_NEUTRINO_IN_NS && __builtin_add_overflow (most_ns, STEP_NS, &most_ns)))
    return FALSE;
  return moment->dur_ns > most_ns;
}

/* Spans of a lane follow one another: there is nothing to nest. */
static void
write_moment (RowsPass *self, TtNeutrinoTrack *track, const Moment *moment)
{
  const RowsMap *map = &self->map[map_of (moment)];
  gint64 ts_ns = tt_sort_value (moment->time), dur_ns = MAX (moment->dur_ns, 0);
  guint64 values[N_VALUES];
  gboolean crosses = FALSE, is_shared;
  guint32 flags = 0, thread;

  memcpy (values + VALUE_FIELDS, moment->value, map->n_fields * sizeof *values);
  guint64 args = tt_neutrino_rows_add_args (self, map, index_of (moment), values, &is_shared);
  gboolean is_mended = mend_times (self, moment, &ts_ns, &dur_ns, &args);
  self->latest_ns = MAX (self->latest_ns, ts_ns);
  if (moment->dur_ns == IS_INSTANT)
    {
      thread = tt_neutrino_track_thread (track);
      tt_sink_event (self->sink, thread, map->name, ts_ns, TT_NO_TIME, 0, 0, is_mended ? TT_FLAG_INFERRED : 0,
                     TT_NO_STEP, args);
      return;
    }
  if (is_mended)
    flags |= TT_FLAGS_BOUNDED;
  else if (is_too_long (self, moment))
    tt_sink_repair_of (self->sink, self->device->process[self->times], TT_REPAIR_TOO_LONG,
                       tt_neutrino_rows_offset (map->area, index_of (moment)));
  thread = tt_neutrino_track_place (track, ts_ns, ts_ns + dur_ns, &crosses);
  if (crosses)
    {
      flags |= TT_FLAG_OVERLAP;
      tt_sink_repair (self->sink, TT_REPAIR_SPANS_OVERLAP, tt_neutrino_rows_offset (map->area, index_of (moment)));
    }
  if (moment->dur_ns == IS_BACKWARDS)
    {
      flags |= TT_FLAG_END_BEFORE_START;
      tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, tt_neutrino_rows_offset (map->area, index_of (moment)));
    }
  tt_sink_event (self->sink, thread, map->name, ts_ns, dur_ns, dur_ns, 0, flags, TT_NO_STEP, args);
}

gboolean
tt_neutrino_rows_write_timed (RowsPass *self, GError **error)
{
  TtNeutrinoTrack *track = NULL;
  guint64 number = G_MAXUINT64;
  guint n = 0;
  g_autoptr (GError) fault = NULL;
  const Moment *moment;

  if (!tt_sorter_finish (self->sorter, error))
    return FALSE;
  find_near (self);
  tt_neutrino_lanes_restart (self->device->lanes[self->times]);
  while ((moment = tt_sorter_next (self->sorter, &fault)) != NULL)
    {
      if (moment->track != number)
        {
          number = moment->track;
          track = add_track (self, number);
        }
      write_moment (self, track, moment);
      if (++n % TT_BATCH_ROWS == 0 && !tt_sink_check (self->sink, 0, error))
        return FALSE;
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}
