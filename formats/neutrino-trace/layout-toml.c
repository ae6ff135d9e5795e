#include "config.h"

#include "formats/neutrino-trace/layout-private.h"

#include "formats/neutrino-trace/registers.h"
#include "formats/neutrino/toml-read.h"

#include <string.h>

#define MOST_CODES 1024u

/* Of one probe, or of one section of the older dialect. */
typedef struct
{
  char *name, *before, *after;
  TtNeutrinoMap *map; /* older dialect, if it saves */
  guint64 size;
  guint line;
  gboolean is_odd; /* its SAVEs are more than fields can be */
} Code;

typedef struct
{
  TtNeutrinoLayout *layout;
  GArray *codes;     /* of Code */
  GArray *lines;     /* of guint: where each map is */
  gboolean has_maps; /* [map.X]: current dialect */
} Reader;

static void
clear_code (gpointer data)
{
  Code *code = data;

  g_free (code->name);
  g_free (code->before);
  g_free (code->after);
}

/* NULL with @error: there are too many. */
static Code *
code_named (Reader *self, const char *name, guint line, GError **error)
{
  for (guint i = 0; i < self->codes->len; i++)
    if (g_str_equal (g_array_index (self->codes, Code, i).name, name))
      return &g_array_index (self->codes, Code, i);
  if (self->codes->len == MOST_CODES)
    return layout_fail (self->layout, line, error, "more than %u probes", MOST_CODES), NULL;
  const Code code = { .name = g_strdup (name), .line = line };
  g_array_append_val (self->codes, code);
  return &g_array_index (self->codes, Code, self->codes->len - 1);
}

/* -- pairs ---------------------------------------------------------------------------------------------------- */

/* A number, or a text that is one: the form that the project shows in its README. */
static gboolean
read_number (const TtNlTomlValue *value, guint64 most, guint64 *number)
{
  if (value->kind == TT_NL_TOML_STRING)
    return layout_parse_count (value->text, most, number);
  *number = (guint64) value->number;
  return value->kind == TT_NL_TOML_INTEGER && value->number > 0 && *number <= most;
}

static gboolean
read_map_pair (Reader *self,
               TtNeutrinoMap *map,
               const char *key,
               const TtNlTomlValue *value,
               guint line,
               GError **error)
{
  const char *text = value->kind == TT_NL_TOML_STRING ? value->text : "";
  guint64 number = 0;

  if (g_str_equal (key, "level"))
    return layout_parse_level (text, &map->is_warp) ||
           layout_fail (self->layout, line, error, "map '%s': level is neither \"thread\" nor \"warp\"", map->name);
  if (g_str_equal (key, "size"))
    {
      if (!read_number (value, 8 * TT_NEUTRINO_MOST_FIELDS, &number) || number % 4 != 0)
        return layout_fail (self->layout, line, error, "map '%s': size is not a multiple of 4 from 4 to %u", map->name,
                            8 * TT_NEUTRINO_MOST_FIELDS);
      map->record_bytes = (guint) number;
    }
  else if (g_str_equal (key, "cap"))
    {
      map->is_dynamic = g_str_equal (text, "dynamic");
      if (!map->is_dynamic && !read_number (value, G_MAXUINT32, &number))
        return layout_fail (self->layout, line, error, "map '%s': cap is neither a count nor \"dynamic\"", map->name);
      map->cap = number;
    }
  return TRUE;
}

/* start = ["u64", "None"] */
static gboolean
read_field (Reader *self, TtNeutrinoMap *map, const char *name, const TtNlTomlValue *value, guint line, GError **error)
{
  const TtNlTomlValue *type = value->kind == TT_NL_TOML_ARRAY && value->items->len > 0 ? value->items->pdata[0] : value;
  gboolean is_u64 = type->kind == TT_NL_TOML_STRING && g_str_equal (type->text, "u64");

  if (type->kind != TT_NL_TOML_STRING || (!is_u64 && !g_str_equal (type->text, "u32")))
    return layout_fail (self->layout, line, error, "map '%s': field '%s' is neither u64 nor u32", map->name, name);
  for (guint i = 0; i < map->fields->len; i++)
    if (g_str_equal (g_array_index (map->fields, TtNeutrinoField, i).name, name))
      return layout_fail (self->layout, line, error, "map '%s': field '%s' is there twice", map->name, name);
  return tt_neutrino_map_add (map, name, is_u64) ||
         layout_fail (self->layout, line, error, "map '%s' has more than %u fields", map->name,
                      TT_NEUTRINO_MOST_FIELDS);
}

static void
keep_code (Code *code, const char *key, const TtNlTomlValue *value)
{
  char **text = g_str_equal (key, "before") ? &code->before : g_str_equal (key, "after") ? &code->after : NULL;

  if (text == NULL || value->kind != TT_NL_TOML_STRING)
    return;
  g_free (*text);
  *text = g_strdup (value->text);
}

/* "warp:16", "thread:8:128", "thread:16:count". */
static gboolean
read_datamodel (Reader *self, Code *code, const TtNlTomlValue *value, guint line, GError **error)
{
  g_auto (GStrv) part = g_strsplit (value->kind == TT_NL_TOML_STRING ? value->text : "", ":", 4);
  guint n = g_strv_length (part);
  gboolean is_warp = FALSE, is_dynamic = n == 3 && g_str_equal (part[2], "count");
  guint64 cap = 1;

  if (n < 2 || n > 3 || !layout_parse_level (part[0], &is_warp) ||
      !layout_parse_count (part[1], 8 * TT_NEUTRINO_MOST_FIELDS, &code->size) || code->size % 4 != 0 ||
      (n == 3 && !is_dynamic && !layout_parse_count (part[2], G_MAXUINT32, &cap)))
    return layout_fail (self->layout, line, error, "section '%s': datamodel is not LEVEL:BYTES or LEVEL:BYTES:RECORDS",
                        code->name);
  code->map = layout_add_map (self->layout, code->name, line, error);
  if (code->map == NULL)
    return FALSE;
  code->map->is_warp = is_warp;
  code->map->is_dynamic = is_dynamic;
  code->map->cap = is_dynamic ? 0 : cap;
  code->map->record_bytes = (guint) code->size;
  g_array_append_val (self->lines, line);
  return TRUE;
}

static TtNeutrinoMap *
map_named (Reader *self, const char *name, guint line, GError **error)
{
  TtNeutrinoMap *map = layout_find_map (self->layout, name);

  if (map != NULL)
    return map;
  map = layout_add_map (self->layout, name, line, error);
  if (map != NULL)
    g_array_append_val (self->lines, line);
  self->has_maps = TRUE;
  return map;
}

/* @path: the table's name and the key's. */
static gboolean
read_pair (Reader *self, char *const *path, guint n, const TtNlTomlValue *value, GError **error)
{
  if (n > 2 && g_str_equal (path[0], "map"))
    {
      TtNeutrinoMap *map = map_named (self, path[1], value->line, error);
      if (map == NULL)
        return FALSE;
      if (n == 3)
        return read_map_pair (self, map, path[2], value, value->line, error);
      return n != 4 || !g_str_equal (path[2], "regs") || read_field (self, map, path[3], value, value->line, error);
    }
  gboolean is_probe = n == 3 && g_str_equal (path[0], "probe");
  if (!is_probe && n != 2)
    return TRUE;
  Code *code = code_named (self, path[is_probe], value->line, error);
  if (code == NULL)
    return FALSE;
  if (!is_probe && g_str_equal (path[1], "datamodel"))
    return read_datamodel (self, code, value, value->line, error);
  keep_code (code, path[n - 1], value);
  return TRUE;
}

/* -- code ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  Reader *reader;
  TtNeutrinoRegisters *registers;
  Code *code;
} Saving;

static void
note_meaning (TtNeutrinoField *field, const TtNeutrinoRegisters *registers, const char *name)
{
  tt_neutrino_registers_get (registers, name, &field->role, &field->clock);
}

/* Arguments of a SAVE are the fields of its map, in the order of the file. */
static void
save_to_map (const Saving *saving, const char *name, char **registers)
{
  TtNeutrinoMap *map = layout_find_map (saving->reader->layout, name);

  for (guint i = 0; map != NULL && registers[i] != NULL && i < map->fields->len; i++)
    note_meaning (&g_array_index (map->fields, TtNeutrinoField, i), saving->registers, registers[i]);
}

/* In the older dialect they are the fields. */
static void
save_to_section (const Saving *saving, gboolean is_u64, char **registers)
{
  Code *code = saving->code;

  for (guint i = 0; code->map != NULL && registers[i] != NULL; i++)
    {
      const char *name = registers[i];
      name += *name == '%' ? 1 : g_str_has_prefix (name, "nv_") ? 3 : 0;
      if (code->map->fields->len == TT_NEUTRINO_MOST_FIELDS || *name == '\0')
        {
          code->is_odd = TRUE;
          return;
        }
      tt_neutrino_map_add (code->map, name, is_u64);
      note_meaning (&g_array_index (code->map->fields, TtNeutrinoField, code->map->fields->len - 1), saving->registers,
                    registers[i]);
    }
}

static void
note_save (const char *map, gboolean is_u64, char **registers, gpointer data)
{
  const Saving *saving = data;

  if (map != NULL)
    save_to_map (saving, map, registers);
  else
    save_to_section (saving, is_u64, registers);
}

static void
ignore_save (const char *map, gboolean is_u64, char **registers, gpointer data)
{
}

/* What a kernel's begin leaves, its instructions and its end find; a second time round knows what they leave, too. */
static void
run_codes (Reader *self)
{
  g_autoptr (TtNeutrinoRegisters) registers = tt_neutrino_registers_new ();

  for (guint pass = 0; pass < 4; pass++)
    for (guint i = 0; i < self->codes->len; i++)
      {
        Code *code = &g_array_index (self->codes, Code, i);
        Saving saving = { .reader = self, .registers = registers, .code = code };
        const char *text = pass % 2 == 0 ? code->before : code->after;
        if (text != NULL)
          tt_neutrino_registers_run (registers, text, pass < 2 ? ignore_save : note_save, &saving);
      }
}

/* -- the file ------------------------------------------------------------------------------------------------- */

static guint
bytes_of (const TtNeutrinoMap *map)
{
  guint bytes = 0;

  for (guint i = 0; i < map->fields->len; i++)
    bytes += g_array_index (map->fields, TtNeutrinoField, i).is_u64 ? 8 : 4;
  return bytes;
}

static gboolean
finish (Reader *self, GError **error)
{
  TtNeutrinoLayout *layout = self->layout;

  if (layout->maps->len == 0)
    return layout_fail (layout, 1, error, "no map: neither [map.NAME] nor a section with datamodel");
  run_codes (self);
  for (guint i = 0; i < self->codes->len; i++)
    if (g_array_index (self->codes, Code, i).is_odd)
      g_array_set_size (g_array_index (self->codes, Code, i).map->fields, 0);
  for (guint i = 0; i < layout->maps->len; i++)
    {
      TtNeutrinoMap *map = layout->maps->pdata[i];
      guint line = g_array_index (self->lines, guint, i);

      if (map->record_bytes > 0 && map->fields->len == 0)
        layout_set_words (layout, i, "names no fields");
      else if (!self->has_maps && bytes_of (map) != map->record_bytes)
        layout_set_words (layout, i, "saves another number of bytes than its datamodel has");
      else if (!layout_finish_map (layout, map, self->has_maps, line, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_entry (Reader *self, const TtNlTomlTable *table, const TtNlTomlValue *entry, GError **error)
{
  g_auto (GStrv) keys = g_strsplit (entry->key, ".", -1);
  g_autoptr (GPtrArray) path = g_ptr_array_new ();

  for (char **name = table->path; *name != NULL; name++)
    g_ptr_array_add (path, *name);
  for (char **key = keys; *key != NULL; key++)
    g_ptr_array_add (path, *key);
  return read_pair (self, (char *const *) path->pdata, path->len, entry, error);
}

static gboolean
read_tables (Reader *self, const TtNlToml *toml, GError **error)
{
  for (guint i = 0; i < toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, i);
      for (guint k = 0; k < table->entries->len; k++)
        if (!read_entry (self, table, table->entries->pdata[k], error))
          return FALSE;
    }
  return TRUE;
}

gboolean
layout_read_toml (TtNeutrinoLayout *layout, const char *text, gsize len, GError **error)
{
  Reader self = { .layout = layout };
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (layout->path, text, len, error);

  if (toml == NULL)
    return FALSE;
  self.codes = g_array_new (FALSE, TRUE, sizeof (Code));
  g_array_set_clear_func (self.codes, clear_code);
  self.lines = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean is_good = read_tables (&self, toml, error) && finish (&self, error);
  g_array_unref (self.codes);
  g_array_unref (self.lines);
  return is_good;
}
