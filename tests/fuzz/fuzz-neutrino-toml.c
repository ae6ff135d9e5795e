/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/layout.h"

/* A probe.toml of either dialect, or the text of --layout. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtNeutrinoLayout) layout = tt_neutrino_layout_parse ("fuzz", (const char *) bytes, len, &error);

  g_assert ((layout == NULL) == (error != NULL));
  for (guint i = 0; layout != NULL && i < layout->maps->len; i++)
    {
      const TtNeutrinoMap *map = layout->maps->pdata[i];
      guint at = 0;

      g_assert (map->record_bytes > 0 && map->record_bytes % 4 == 0 && map->is_dynamic == (map->cap == 0));
      g_assert (map->fields->len > 0 && map->fields->len <= TT_NEUTRINO_MAX_FIELDS);
      g_assert (map->start < (int) map->fields->len && map->end < (int) map->fields->len &&
                map->unit < (int) map->fields->len && (map->end < 0 || map->start >= 0));
      for (guint k = 0; k < map->fields->len; k++)
        {
          const TtNeutrinoField *field = &g_array_index (map->fields, TtNeutrinoField, k);
          g_assert (field->offset == at && g_utf8_validate (field->name, -1, NULL));
          at += field->is_u64 ? 8 : 4;
        }
      g_assert (at == map->record_bytes);
    }
  return 0;
}
