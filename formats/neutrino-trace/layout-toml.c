/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/layout-private.h"

/* Whether all fields have a fixed place: those that depend on conditions have none. */
static gboolean
is_fixed (const TtNlLayoutArea *area)
{
  gint64 bytes = 0;

  for (guint i = 0; i < area->fields->len; i++)
    {
      const TtNlLayoutField *field = tt_nl_layout_field (area, i);

      if (field->offset != bytes)
        return FALSE;
      bytes += field->width / 8;
    }
  return bytes == (gint64) area->record_bytes;
}

static void
add_map (TtNeutrinoLayout *layout, const TtNlLayoutArea *area)
{
  TtNeutrinoMap *map = tt_neutrino_map_new (area->name);

  map->is_warp = area->level == TT_NL_WARP;
  map->record_bytes = (guint) area->record_bytes;
  map->cap = area->cap;
  map->is_dynamic = area->cap == 0;
  g_ptr_array_add (layout->maps, map);
  const char *reason = area->reason;
  if (reason == NULL && !is_fixed (area))
    reason = "saves another number of bytes than its datamodel has";
  if (reason != NULL)
    {
      tt_neutrino_layout_set_words (layout, layout->maps->len - 1, reason);
      return;
    }
  for (guint i = 0; i < area->fields->len; i++)
    {
      const TtNlLayoutField *field = tt_nl_layout_field (area, i);

      tt_neutrino_map_add (map, field->name, field->width == TT_NL_U64);
      TtNeutrinoField *added = &g_array_index (map->fields, TtNeutrinoField, i);
      added->role = field->role;
      added->clock = field->clock;
    }
  tt_neutrino_map_arrange (map);
}

gboolean
tt_neutrino_layout_read_toml (TtNeutrinoLayout *self, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNlLayout) layout = tt_nl_layout_from_toml (self->path, text, len, error);

  for (guint i = 0; layout != NULL && i < layout->areas->len; i++)
    add_map (self, tt_nl_layout_area (layout, i));
  return layout != NULL;
}
