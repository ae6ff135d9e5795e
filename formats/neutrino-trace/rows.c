#include "config.h"

#include "formats/neutrino-trace/rows.h"

#include "formats/neutrino-trace/args.h"
#include "formats/neutrino-trace/decode.h"
#include "src/error.h"
#include "src/int128.h"
#include "src/sorter.h"

#include <string.h>

#define SORT_BYTES ((gsize) 256 << 20)

/* No SM or CU has a greater number (a die and a CU of AMD take 12 bits). */
#define MOST_UNIT 65535u
/* Up to so many blocks have a track each. */
#define MOST_BLOCK_TRACKS 65536u

/* Tracks in their order: units, the odd one, blocks. */
#define ODD_UNIT (MOST_UNIT + 1)
#define FIRST_BLOCK (ODD_UNIT + 1)

#define EPOCH_FROM G_GINT64_CONSTANT (1000000000000000000)
#define EPOCH_TO G_GINT64_CONSTANT (2000000000000000000)

/* Values for the arguments of a record: its place, then its fields. */
enum
{
  VALUE_BLOCK,
  VALUE_UNIT = 3,
  VALUE_SLOT,
  VALUE_FIELDS,
  N_VALUES = VALUE_FIELDS + TT_NEUTRINO_MOST_FIELDS,
};

/* dur_ns of what is no span, and of one whose end lies before its begin. */
#define IS_INSTANT (-1)
#define IS_BACKWARDS (-2)

/* What is sorted: to the sorter two keys and a payload, whose values are the fields that its arguments need. */
typedef struct
{
  guint64 track, time;
  gint64 dur_ns;
  guint64 index;
  guint64 map;
  guint64 value[];
} Moment;

/* How the rows of one map are made. */
typedef struct
{
  const TtNeutrinoArea *area;
  guint32 name;
  TtNeutrinoArgs *args;
  guint field[TT_NEUTRINO_MOST_FIELDS]; /* in the arguments */
  guint n_fields;
  guint64 scale, end_scale; /* ns, or ticks, per unit of its times */
  tt_uint128 sum[TT_NEUTRINO_MOST_FIELDS];
} Map;

typedef struct
{
  TtNeutrinoDevice *device;
  TtSink *sink;
  const TtNeutrinoResult *result;
  TtNeutrinoTimes times;
  Map map[TT_NEUTRINO_MOST_MAPS];
  TtInput *input;
  TtSorter *sorter; /* NULL: times of the launch */
  gint64 latest_ns; /* begin; TT_NO_TIME: none yet */
} Pass;

void
tt_neutrino_device_init (TtNeutrinoDevice *self, TtSink *sink, const TtImportOptions *options, const char *pid)
{
  *self = (TtNeutrinoDevice){ .sink = sink, .options = options, .pid = pid };
}

static void
use_clock (TtNeutrinoDevice *self, TtNeutrinoTimes times)
{
  gboolean is_ticks = times == TT_NEUTRINO_IN_CYCLES;
  g_autofree char *pid = g_strconcat (self->pid, is_ticks ? ".gpu.cycles" : ".gpu", NULL);

  if (self->lanes[times] != NULL)
    return;
  self->process[times] =
      tt_sink_process (self->sink, pid, is_ticks ? "GPU (cycles)" : "GPU", NULL, self->options->rank);
  self->lanes[times] = tt_neutrino_lanes_new (self->sink, self->process[times]);
}

void
tt_neutrino_device_clear (TtNeutrinoDevice *self)
{
  for (guint i = 0; i < TT_N_NEUTRINO_CLOCKS; i++)
    g_clear_pointer (&self->lanes[i], tt_neutrino_lanes_free);
}

/* -- maps ------------------------------------------------------------------------------------------------------------ */

static const TtNeutrinoField *
field_of (const TtNeutrinoMap *map, int i)
{
  return &g_array_index (map->fields, TtNeutrinoField, i);
}

static TtNeutrinoTimes
times_of (const TtNeutrinoMap *map)
{
  return map->start < 0                                            ? TT_NEUTRINO_AT_LAUNCH
         : field_of (map, map->start)->clock == TT_NEUTRINO_CYCLES ? TT_NEUTRINO_IN_CYCLES
                                                                   : TT_NEUTRINO_IN_NS;
}

/* By its name alone a field's clock is in ns; of AMD's programs it is not. */
static guint64
scale_of (const Pass *self, const TtNeutrinoMap *map)
{
  gboolean is_hip = self->result->areas->kind == TT_NEUTRINO_HIP;
  TtNeutrinoClock clock = map->start < 0 ? TT_NEUTRINO_NO_CLOCK : field_of (map, map->start)->clock;

  return clock == TT_NEUTRINO_TEN_NS || (clock == TT_NEUTRINO_NS && is_hip) ? 10 : 1;
}

/* Fields that make the row itself need no argument. */
static gboolean
is_in_row (const TtNeutrinoMap *map, guint i)
{
  if ((int) i == map->unit && map->start >= 0)
    return TRUE;
  return (int) i == map->start || (int) i == map->end;
}

static void
prepare_args (Pass *self, Map *map)
{
  const TtNeutrinoArea *area = map->area;

  map->args = tt_neutrino_args_new (self->device->options->args);
  tt_neutrino_args_add (map->args, "block", VALUE_BLOCK, 3);
  tt_neutrino_args_add (map->args, area->warp > 1 ? "warp" : "thread", VALUE_UNIT, 1);
  if (area->map->cap != 1)
    tt_neutrino_args_add (map->args, "slot", VALUE_SLOT, 1);
  for (guint i = 0; i < area->map->fields->len; i++)
    if ((map->scale != 1 || !is_in_row (area->map, i)) &&
        tt_neutrino_args_add (map->args, field_of (area->map, (int) i)->name, VALUE_FIELDS + map->n_fields, 1))
      map->field[map->n_fields++] = i;
}

/* Returns how many values a moment needs. */
static guint
prepare_maps (Pass *self)
{
  GArray *areas = self->result->areas->areas;
  guint most = 0;

  for (guint i = 0; i < areas->len; i++)
    {
      Map *map = &self->map[i];
      const TtNeutrinoArea *area = &g_array_index (areas, TtNeutrinoArea, i);
      const TtRawName raw = {
        .raw = self->result->kernel, .group = "neutrino", .op_cat = "COMP", .sub_op = area->map->name
      };

      if (times_of (area->map) != self->times)
        continue;
      *map = (Map){ .area = area, .name = tt_sink_name (self->sink, &raw), .scale = scale_of (self, area->map) };
      prepare_args (self, map);
      most = MAX (most, map->n_fields);
    }
  return most;
}

static Map *
map_of (Pass *self, const TtNeutrinoArea *area)
{
  return &self->map[area - &g_array_index (self->result->areas->areas, TtNeutrinoArea, 0)];
}

static guint64
offset_of (const TtNeutrinoArea *area, guint64 index)
{
  return area->offset + index * area->map->record_bytes;
}

static guint64
put_args (const Pass *self, const Map *map, guint64 index, guint64 values[N_VALUES], gboolean *is_shared)
{
  const guint32 *grid = self->result->areas->grid;
  guint64 slots = map->area->slots;
  TtNeutrinoPlace place = tt_neutrino_area_place (map->area, slots == 1 ? index : index / slots);

  *is_shared = place.is_shared;
  if (tt_neutrino_args_is_empty (map->args))
    return 0;
  values[VALUE_BLOCK] = place.block % grid[0];
  values[VALUE_BLOCK + 1] = place.block / grid[0] % grid[1];
  values[VALUE_BLOCK + 2] = place.block / grid[0] / grid[1];
  values[VALUE_UNIT] = place.unit;
  values[VALUE_SLOT] = slots == 1 ? 0 : index % slots;
  return tt_neutrino_args_put (map->args, self->sink, values, place.is_shared);
}

/* -- tracks ----------------------------------------------------------------------------------------------------------- */

static TtNeutrinoTrack *
track_at (const Pass *self, guint64 number)
{
  const TtNeutrinoAreas *areas = self->result->areas;
  TtNeutrinoLanes *lanes = self->device->lanes[self->times];
  const char *word = areas->kind == TT_NEUTRINO_HIP ? "CU" : "SM";
  g_autofree char *tid = number < ODD_UNIT    ? g_strdup_printf ("%s %u", word, (guint) number)
                         : number == ODD_UNIT ? g_strdup_printf ("%s ?", word)
                         : areas->n_blocks <= MOST_BLOCK_TRACKS
                             ? g_strdup_printf ("block %u", (guint) (number - FIRST_BLOCK))
                             : g_strdup ("blocks");

  return tt_neutrino_lanes_track (lanes, tid, (guint32) number);
}

static guint64
track_of (Pass *self, const Map *map, const TtNeutrinoRecords *records, guint i)
{
  const TtNeutrinoArea *area = map->area;

  if (area->map->unit >= 0)
    {
      guint64 unit = records->field[area->map->unit][i];
      if (unit <= MOST_UNIT)
        return unit;
      tt_sink_repair (self->sink, TT_REPAIR_ODD_UNIT, offset_of (area, records->index[i]));
      return ODD_UNIT;
    }
  if (self->result->areas->n_blocks > MOST_BLOCK_TRACKS)
    return FIRST_BLOCK;
  return FIRST_BLOCK + tt_neutrino_area_place (area, records->index[i] / area->slots).block;
}

/* -- records with a time ----------------------------------------------------------------------------------------------- */

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
time_record (const Map *map, const TtNeutrinoRecords *records, guint i, gint64 *ts_ns, gint64 *dur_ns)
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
  if (field_of (layout, layout->end)->role == TT_NEUTRINO_ELAPSED)
    *dur_ns = value;
  else
    *dur_ns = value < *ts_ns ? IS_BACKWARDS : value - *ts_ns;
  return !__builtin_add_overflow (*ts_ns, MAX (*dur_ns, 0), &end_ns);
}

static gboolean
fail_time (Pass *self, const Map *map, guint64 index, GError **error)
{
  guint64 offset = offset_of (map->area, index);

  if (self->device->options->salvage)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, offset);
      return TRUE;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: byte %" G_GUINT64_FORMAT ": record %" G_GUINT64_FORMAT
               " of map '%s' has a time of 2^63 or more; --salvage leaves it out",
               self->result->path, offset, index, map->area->map->name);
  return FALSE;
}

static gboolean
take_timed (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error)
{
  Pass *self = data;
  Map *map = map_of (self, area);

  for (guint i = 0; i < records->n; i++)
    {
      gint64 ts_ns, dur_ns;

      if (G_UNLIKELY (records->field[area->map->start][i] == 0) && is_empty (area, records, i))
        {
          tt_sink_repair (self->sink, TT_REPAIR_EMPTY_RECORD, offset_of (area, records->index[i]));
          continue;
        }
      if (G_UNLIKELY (!time_record (map, records, i, &ts_ns, &dur_ns)))
        {
          if (!fail_time (self, map, records->index[i], error))
            return FALSE;
          continue;
        }
      Moment *moment = tt_sorter_add (self->sorter);
      moment->track = track_of (self, map, records, i);
      moment->time = tt_sort_key (ts_ns);
      moment->dur_ns = dur_ns;
      moment->index = records->index[i];
      moment->map = (guint64) (map - self->map);
      for (guint k = 0; k < map->n_fields; k++)
        moment->value[k] = records->field[map->field[k]][i];
    }
  return tt_sink_check (self->sink, tt_input_progress (self->input), error) && tt_sorter_check (self->sorter, error);
}

/* Spans of a lane lie one behind the other: there is nothing to nest. */
static void
put_moment (Pass *self, TtNeutrinoTrack *track, const Moment *moment)
{
  const Map *map = &self->map[moment->map];
  gint64 ts_ns = tt_sort_value (moment->time), dur_ns = MAX (moment->dur_ns, 0);
  guint64 values[N_VALUES];
  gboolean crosses = FALSE, is_shared;
  guint32 flags = 0, thread;

  memcpy (values + VALUE_FIELDS, moment->value, map->n_fields * sizeof *values);
  guint64 args = put_args (self, map, moment->index, values, &is_shared);
  if (moment->dur_ns == IS_INSTANT)
    {
      thread = tt_neutrino_track_thread (track);
      tt_sink_event (self->sink, thread, map->name, ts_ns, TT_NO_TIME, 0, 0, 0, TT_NO_STEP, args);
      return;
    }
  thread = tt_neutrino_track_place (track, ts_ns, ts_ns + dur_ns, &crosses);
  if (crosses)
    {
      flags |= TT_FLAG_OVERLAP;
      tt_sink_repair (self->sink, TT_REPAIR_SPANS_OVERLAP, offset_of (map->area, moment->index));
    }
  if (moment->dur_ns == IS_BACKWARDS)
    {
      flags |= TT_FLAG_END_BEFORE_START;
      tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, offset_of (map->area, moment->index));
    }
  tt_sink_event (self->sink, thread, map->name, ts_ns, dur_ns, dur_ns, 0, flags, TT_NO_STEP, args);
}

static gboolean
put_timed (Pass *self, GError **error)
{
  TtNeutrinoTrack *track = NULL;
  guint64 number = G_MAXUINT64;
  guint n = 0;
  g_autoptr (GError) fault = NULL;
  const Moment *moment;

  if (!tt_sorter_finish (self->sorter, error))
    return FALSE;
  tt_neutrino_lanes_restart (self->device->lanes[self->times]);
  while ((moment = tt_sorter_next (self->sorter, &fault)) != NULL)
    {
      if (moment->track != number)
        {
          number = moment->track;
          track = track_at (self, number);
        }
      self->latest_ns = MAX (self->latest_ns, tt_sort_value (moment->time));
      put_moment (self, track, moment);
      if (++n % TT_BATCH_ROWS == 0 && !tt_sink_check (self->sink, 0, error))
        return FALSE;
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

/* -- records without a time ------------------------------------------------------------------------------------------ */

static guint32
map_thread (Pass *self, const TtNeutrinoMap *map)
{
  return tt_sink_thread (self->sink, self->device->process[self->times], map->name, NULL,
                         (gint64) (FIRST_BLOCK + MOST_BLOCK_TRACKS) * TT_NEUTRINO_MOST_LANES);
}

static gint64
launch_time (const Pass *self)
{
  return self->result->launch_ns == TT_NO_TIME ? 0 : self->result->launch_ns;
}

static gboolean
take_untimed (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error)
{
  Pass *self = data;
  Map *map = map_of (self, area);
  gint64 ts_ns = launch_time (self);
  guint32 thread = map_thread (self, area->map);
  guint64 values[N_VALUES];

  for (guint k = 0; k < area->map->fields->len; k++)
    for (guint i = 0; i < records->n; i++)
      map->sum[k] += records->field[k][i];
  for (guint i = 0; i < records->n; i++)
    {
      gboolean is_shared;

      for (guint k = 0; k < map->n_fields; k++)
        values[VALUE_FIELDS + k] = records->field[map->field[k]][i];
      guint64 args = put_args (self, map, records->index[i], values, &is_shared);
      tt_sink_event (self->sink, thread, map->name, ts_ns, TT_NO_TIME, 0, 0, 0, TT_NO_STEP, args);
    }
  return tt_sink_check (self->sink, tt_input_progress (self->input), error);
}

static void
put_sums (Pass *self)
{
  for (guint i = 0; i < self->result->areas->areas->len; i++)
    {
      const Map *map = &self->map[i];
      const TtNeutrinoMap *layout = map->area == NULL ? NULL : map->area->map;

      for (guint k = 0; layout != NULL && k < layout->fields->len; k++)
        {
          if ((int) k == layout->unit)
            continue;
          g_autofree char *name = g_strdup_printf ("%s/%s", layout->name, field_of (layout, (int) k)->name);
          guint32 series = tt_sink_series (self->sink, name, NULL, FALSE), thread = map_thread (self, layout);
          if (map->sum[k] <= (tt_uint128) G_MAXINT64)
            tt_sink_counter_int (self->sink, series, thread, launch_time (self), (gint64) map->sum[k]);
          else
            tt_sink_counter_real (self->sink, series, thread, launch_time (self), (double) map->sum[k]);
        }
    }
}

/* -- passes ------------------------------------------------------------------------------------------------------------ */

static gboolean
wants_area (const TtNeutrinoArea *area, gpointer data)
{
  return times_of (area->map) == ((const Pass *) data)->times;
}

static void
count_lost (Pass *self)
{
  for (guint i = 0; i < self->result->areas->areas->len; i++)
    {
      const TtNeutrinoArea *area = self->map[i].area;
      guint64 n_lost = area == NULL ? 0 : tt_neutrino_area_lost (area);

      if (n_lost > 0)
        tt_repairs_add_many (&self->sink->repairs, TT_REPAIR_SHARED_RECORD, area->offset, n_lost);
    }
}

static TtClock
clock_of (const Pass *self)
{
  if (self->times == TT_NEUTRINO_IN_CYCLES)
    return TT_CLOCK_TICKS;
  gint64 some_ns = self->times == TT_NEUTRINO_AT_LAUNCH ? self->result->launch_ns : self->latest_ns;
  return some_ns >= EPOCH_FROM && some_ns <= EPOCH_TO ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE;
}

static gboolean
put_records (Pass *self, guint n_values, GError **error)
{
  gboolean is_timed = self->times != TT_NEUTRINO_AT_LAUNCH;
  g_autoptr (TtSorter) sorter =
      is_timed ? tt_sorter_new (sizeof (Moment) + n_values * sizeof (guint64), SORT_BYTES) : NULL;

  self->sorter = sorter;
  count_lost (self);
  if (!tt_neutrino_decode (self->input, self->result->areas, wants_area, is_timed ? take_timed : take_untimed, self,
                           error))
    return FALSE;
  if (is_timed)
    return put_timed (self, error);
  put_sums (self);
  return TRUE;
}

static gboolean
run_pass (Pass *self, gboolean is_first, GError **error)
{
  const char *path = self->result->path;
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  self->input = input;
  self->latest_ns = TT_NO_TIME;
  tt_sink_begin_source (self->sink, "neutrino", path, TT_CLOCK_RELATIVE);
  if (is_first)
    tt_repairs_merge (&self->sink->repairs, &self->result->repairs);
  use_clock (self->device, self->times);
  guint n_values = prepare_maps (self);
  if (!put_records (self, n_values, error) ||
      (self->device->options->strict && !tt_repairs_check_none (&self->sink->repairs, path, error)))
    return FALSE;
  g_autofree char *hash = tt_input_hash (input, error);
  if (hash == NULL || !tt_sink_check (self->sink, tt_input_progress (input), error))
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, clock_of (self));
  return TRUE;
}

static gboolean
uses (const TtNeutrinoAreas *areas, TtNeutrinoTimes times)
{
  for (guint i = 0; i < areas->areas->len; i++)
    if (times_of (g_array_index (areas->areas, TtNeutrinoArea, i).map) == times)
      return TRUE;
  return FALSE;
}

gboolean
tt_neutrino_rows (TtNeutrinoDevice *device, const TtNeutrinoResult *result, GError **error)
{
  g_autofree Pass *self = g_new0 (Pass, 1);
  gboolean is_first = TRUE, is_good = TRUE;

  self->device = device;
  self->sink = device->sink;
  self->result = result;
  for (self->times = 0; is_good && self->times < TT_N_NEUTRINO_CLOCKS; self->times++)
    {
      if (!uses (result->areas, self->times))
        continue;
      is_good = run_pass (self, is_first, error);
      is_first = FALSE;
      for (guint i = 0; i < TT_NEUTRINO_MOST_MAPS; i++)
        g_clear_pointer (&self->map[i].args, tt_neutrino_args_free);
      memset (self->map, 0, sizeof self->map);
    }
  return is_good;
}
