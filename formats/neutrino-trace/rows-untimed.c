/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/rows-private.h"

/* -- records without a time
 * ------------------------------------------------------------------------------------------ */

static guint32
map_thread (RowsPass *self, const TtNeutrinoMap *map)
{
  return tt_sink_thread (self->sink, self->device->process[self->times], map->name, NULL,
                         (gint64) (FIRST_BLOCK + MAX_BLOCK_TRACKS) * TT_NEUTRINO_MAX_LANES);
}

static gint64
launch_time (const RowsPass *self)
{
  return self->result->launch_ns == TT_NO_TIME ? 0 : self->result->launch_ns;
}

gboolean
tt_neutrino_rows_on_untimed (const TtNeutrinoArea *area,
                             const TtNeutrinoRecords *records,
                             gpointer data,
                             GError **error)
{
  RowsPass *self = data;
  RowsMap *map = tt_neutrino_rows_map (self, area);
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
      guint64 args = tt_neutrino_rows_add_args (self, map, records->index[i], values, &is_shared);
      tt_sink_event (self->sink, thread, map->name, ts_ns, TT_NO_TIME, 0, 0, 0, TT_NO_STEP, args);
    }
  return tt_sink_check (self->sink, tt_input_progress (self->input), error);
}

void
tt_neutrino_rows_write_sums (RowsPass *self)
{
  for (guint i = 0; i < self->result->areas->areas->len; i++)
    {
      const RowsMap *map = &self->map[i];
      const TtNeutrinoMap *layout = map->area == NULL ? NULL : map->area->map;

      for (guint k = 0; layout != NULL && k < layout->fields->len; k++)
        {
          if ((int) k == layout->unit)
            continue;
          g_autofree char *name = g_strdup_printf ("%s/%s", layout->name,
                                                   tt_neutrino_rows_field (layout, (int) k)->name);
          guint32 series = tt_sink_series (self->sink, name, NULL, FALSE), thread = map_thread (self, layout);
          if (map->sum[k] <= (tt_uint128) G_MAXINT64)
            tt_sink_counter_int (self->sink, series, thread, launch_time (self), (gint64) map->sum[k]);
          else
            tt_sink_counter_real (self->sink, series, thread, launch_time (self), (double) map->sum[k]);
        }
    }
}
