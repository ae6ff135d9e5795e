/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/probe.h"

#include "formats/neutrino/position.h"
#include "formats/neutrino/toml-read.h"
#include "src/base/error.h"

#include <string.h>

static void
map_free (gpointer data)
{
  TtGpuMap *self = data;

  g_free (self->name);
  g_free (self->offsets);
  g_free (self->widths);
  g_free (self);
}

static void
section_free (gpointer data)
{
  TtGpuSection *self = data;

  g_free (self->name);
  g_strfreev (self->parts);
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

void
tt_gpu_probe_free (TtGpuProbe *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->sections);
  g_ptr_array_unref (self->maps);
  g_free (self->toml);
  g_free (self);
}

static void
add_map (TtGpuProbe *self, const TtNlLayoutArea *area)
{
  TtGpuMap *map = g_new0 (TtGpuMap, 1);

  map->name = g_strdup (area->name);
  map->is_warp = area->level == TT_NL_WARP;
  map->record_bytes = area->record_bytes;
  map->cap = area->cap;
  map->n_fields = area->fields->len;
  map->offsets = g_new0 (guint, MAX (map->n_fields, 1));
  map->widths = g_new0 (guint, MAX (map->n_fields, 1));
  for (guint i = 0; i < map->n_fields; i++)
    {
      map->offsets[i] = (guint) tt_nl_layout_field (area, i)->offset;
      map->widths[i] = tt_nl_layout_field (area, i)->width;
    }
  g_ptr_array_add (self->maps, map);
}

static int
find_map (const TtGpuProbe *self, const char *name)
{
  for (guint i = 0; i < self->maps->len; i++)
    if (g_str_equal (tt_gpu_probe_map (self, i)->name, name))
      return (int) i;
  return -1;
}

static gboolean
add_section (TtGpuProbe *self, const char *file, const TtNlTomlTable *table, gboolean is_current, GError **error)
{
  const char *name = is_current ? table->path[1] : table->path[0];
  const char *position = tt_nl_toml_text (table, is_current ? "pos" : "position");
  const char *level = tt_nl_toml_text (table, "level");
  TtGpuSection *section;

  if (position == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: '%s' has no position", file, table->line, name);
      return FALSE;
    }
  section = g_new0 (TtGpuSection, 1);
  g_ptr_array_add (self->sections, section);
  section->name = g_strdup (name);
  section->map = is_current ? -1 : find_map (self, name);
  section->is_warp =
      is_current ? g_strcmp0 (level, "warp") == 0 : section->map >= 0 && tt_gpu_probe_map (self, section->map)->is_warp;
  section->is_kernel = g_str_equal (position, "kernel");
  section->is_narrow = tt_nl_position_addresses (position, TRUE) == TT_NL_ADDRESSES_32;
  section->parts = g_strsplit (position, ":", -1);
  for (char **part = section->parts; *part != NULL; part++)
    g_strstrip (*part);
  section->before = g_strdup (tt_nl_toml_text (table, "before"));
  section->after = g_strdup (tt_nl_toml_text (table, "after"));
  return TRUE;
}

static gboolean
read_tables (TtGpuProbe *self, const char *file, const TtNlToml *toml, GError **error)
{
  gboolean is_current = FALSE;

  for (guint i = 0; i < toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, i);
      guint n = g_strv_length (table->path);

      if (n == 0)
        {
          const TtNlTomlValue *value = tt_nl_toml_find (table, "regs");
          is_current = value != NULL;
          if (value != NULL && value->kind == TT_NL_TOML_INTEGER && value->number >= 0)
            self->n_registers = (guint64) value->number;
          continue;
        }
      is_current |= n == 2 && g_str_equal (table->path[0], "probe");
      if (!(is_current ? n == 2 && g_str_equal (table->path[0], "probe") : n == 1))
        continue;
      if (!add_section (self, file, table, is_current, error))
        return FALSE;
    }
  return TRUE;
}

/* An injector of the seed's dialect stores by a cursor; u64 lie at multiples of 8 then. */
TtGpuProbe *
tt_gpu_probe_new (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (name, text, len, error);
  g_autoptr (TtNlLayout) layout = toml == NULL ? NULL : tt_nl_layout_from_toml (name, text, len, error);
  g_autoptr (TtGpuProbe) self = g_new0 (TtGpuProbe, 1);

  self->toml = g_strndup (text, len);
  self->sections = g_ptr_array_new_with_free_func (section_free);
  self->maps = g_ptr_array_new_with_free_func (map_free);
  if (layout == NULL)
    return NULL;
  for (guint i = 0; i < layout->areas->len; i++)
    add_map (self, tt_nl_layout_area (layout, i));
  if (self->maps->len > TT_GPU_MAX_MAPS)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than 64 maps", name);
      return NULL;
    }
  return read_tables (self, name, toml, error) ? g_steal_pointer (&self) : NULL;
}
