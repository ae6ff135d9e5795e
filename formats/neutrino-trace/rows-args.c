/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/rows-private.h"

guint64
tt_neutrino_rows_add_args (const RowsPass *self,
                           const RowsMap *map,
                           guint64 index,
                           guint64 values[N_VALUES],
                           gboolean *is_shared)
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
