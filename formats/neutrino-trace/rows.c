/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/rows.h"

#include "formats/neutrino-trace/rows-private.h"
#include "src/trace/span.h"

#include <string.h>

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

/* -- maps
 * ------------------------------------------------------------------------------------------------------------ */

static TtNeutrinoTimes
choose_times (const TtNeutrinoMap *map)
{
  return map->start < 0                                                          ? TT_NEUTRINO_AT_LAUNCH
         : tt_neutrino_rows_field (map, map->start)->clock == TT_NEUTRINO_CYCLES ? TT_NEUTRINO_IN_CYCLES
                                                                                 : TT_NEUTRINO_IN_NS;
}

/* By its name alone a field's clock is in ns; of AMD's programs it is not. */
static guint64
choose_scale (const RowsPass *self, const TtNeutrinoMap *map)
{
  gboolean is_hip = self->result->areas->kind == TT_NEUTRINO_HIP;
  TtNeutrinoClock clock = map->start < 0 ? TT_NEUTRINO_NO_CLOCK : tt_neutrino_rows_field (map, map->start)->clock;

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
prepare_args (RowsPass *self, RowsMap *map)
{
  const TtNeutrinoArea *area = map->area;

  map->args = tt_neutrino_args_new (self->device->options->args, tt_sink_takes_forms (self->sink));
  tt_neutrino_args_add (map->args, "block", VALUE_BLOCK, 3);
  tt_neutrino_args_add (map->args, area->warp > 1 ? "warp" : "thread", VALUE_UNIT, 1);
  if (area->map->cap != 1)
    tt_neutrino_args_add (map->args, "slot", VALUE_SLOT, 1);
  for (guint i = 0; i < area->map->fields->len; i++)
    if ((map->scale != 1 || !is_in_row (area->map, i)) &&
        tt_neutrino_args_add (map->args, tt_neutrino_rows_field (area->map, (int) i)->name,
                              VALUE_FIELDS + map->n_fields, 1))
      map->field[map->n_fields++] = i;
}

/* Returns how many values a moment needs. */
static guint
prepare_maps (RowsPass *self)
{
  GArray *areas = self->result->areas->areas;
  guint most = 0;

  for (guint i = 0; i < areas->len; i++)
    {
      RowsMap *map = &self->map[i];
      const TtNeutrinoArea *area = &g_array_index (areas, TtNeutrinoArea, i);
      const TtRawName raw = {
        .raw = self->result->kernel, .group = "neutrino", .op_cat = "COMP", .sub_op = area->map->name
      };

      if (choose_times (area->map) != self->times)
        continue;
      *map =
          (RowsMap){ .area = area, .name = tt_sink_name (self->sink, &raw), .scale = choose_scale (self, area->map) };
      prepare_args (self, map);
      most = MAX (most, map->n_fields);
    }
  return most;
}

/* -- passes
 * ------------------------------------------------------------------------------------------------------------ */

static gboolean
wants_area (const TtNeutrinoArea *area, gpointer data)
{
  return choose_times (area->map) == ((const RowsPass *) data)->times;
}

static void
count_lost (RowsPass *self)
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
choose_clock (const RowsPass *self)
{
  if (self->times == TT_NEUTRINO_IN_CYCLES)
    return TT_CLOCK_TICKS;
  gint64 some_ns = self->times == TT_NEUTRINO_AT_LAUNCH ? self->result->launch_ns : self->latest_ns;
  return tt_time_is_epoch (some_ns) ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE;
}

static gboolean
write_records (RowsPass *self, guint n_values, GError **error)
{
  gboolean is_timed = self->times != TT_NEUTRINO_AT_LAUNCH;
  g_autoptr (TtSorter) sorter = is_timed ? tt_neutrino_rows_sorter_new (n_values) : NULL;

  self->sorter = sorter;
  count_lost (self);
  if (!tt_neutrino_decode (self->input, self->result->areas, wants_area,
                           is_timed ? tt_neutrino_rows_on_timed : tt_neutrino_rows_on_untimed, self, error))
    return FALSE;
  if (is_timed)
    return tt_neutrino_rows_write_timed (self, error);
  tt_neutrino_rows_write_sums (self);
  return TRUE;
}

static gboolean
run_pass (RowsPass *self, gboolean is_first, GError **error)
{
  const char *path = self->result->path;
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  if (self->sink->takes_no_hash)
    tt_input_forgo_hash (input);
  self->input = input;
  self->latest_ns = TT_NO_TIME;
  self->spread = (TtTimeSpread){ .is_brief = TRUE };
  tt_sink_begin_source (self->sink, "neutrino", path, TT_CLOCK_RELATIVE);
  if (is_first)
    tt_repairs_merge (&self->sink->repairs, &self->result->repairs);
  use_clock (self->device, self->times);
  guint n_values = prepare_maps (self);
  if (!write_records (self, n_values, error) ||
      (self->device->options->strict && !tt_repairs_check_none (&self->sink->repairs, path, error)))
    return FALSE;
  g_autofree char *hash = tt_input_hash (input, error);
  if (hash == NULL || !tt_sink_check (self->sink, tt_input_progress (input), error))
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, choose_clock (self));
  return TRUE;
}

static gboolean
has_times (const TtNeutrinoAreas *areas, TtNeutrinoTimes times)
{
  for (guint i = 0; i < areas->areas->len; i++)
    if (choose_times (g_array_index (areas->areas, TtNeutrinoArea, i).map) == times)
      return TRUE;
  return FALSE;
}

gboolean
tt_neutrino_rows (TtNeutrinoDevice *device, const TtNeutrinoResult *result, GError **error)
{
  g_autofree RowsPass *self = g_new0 (RowsPass, 1);
  gboolean is_first = TRUE, is_good = TRUE;

  self->device = device;
  self->sink = device->sink;
  self->result = result;
  for (self->times = 0; is_good && self->times < TT_N_NEUTRINO_CLOCKS; self->times++)
    {
      if (!has_times (result->areas, self->times))
        continue;
      is_good = run_pass (self, is_first, error);
      is_first = FALSE;
      for (guint i = 0; i < TT_NEUTRINO_MAX_MAPS; i++)
        g_clear_pointer (&self->map[i].args, tt_neutrino_args_free);
      memset (self->map, 0, sizeof self->map);
    }
  return is_good;
}
