/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/toml.h"

static const char *const levels[] = { [TT_NL_THREAD] = "thread", [TT_NL_WARP] = "warp" };

static void
append_string (GString *toml, const char *text)
{
  g_string_append_c (toml, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (toml, "\\%c", *c);
    else if ((guchar) *c < ' ' || *c == '\177')
      g_string_append_printf (toml, "\\u%04X", (guchar) *c);
    else
      g_string_append_c (toml, *c);
  g_string_append_c (toml, '"');
}

static void
append_key (GString *toml, const char *key, const char *value)
{
  g_string_append_printf (toml, "%s = ", key);
  append_string (toml, value);
  g_string_append_c (toml, '\n');
}

static void
append_code (GString *toml, const char *key, const GString *code)
{
  if (code->len > 0)
    g_string_append_printf (toml, "%s = \"\"\"%s\"\"\"\n", key, code->str);
}

static gboolean
is_empty (const TtNlSectionText *text)
{
  return text->before->len == 0 && text->after->len == 0;
}

/* A blank line before a table, unless it is the first thing of the file. */
static void
append_table (GString *toml, gboolean is_first, const char *prefix, const char *name)
{
  g_string_append_printf (toml, "%s[%s%s]\n", is_first ? "" : "\n", prefix, name);
}

static void
append_datamodel (const TtNlSection *section, GString *toml)
{
  g_string_append_printf (toml, "datamodel = \"%s:%" G_GUINT64_FORMAT, levels[section->level], section->size);
  if (section->cap > 1)
    g_string_append_printf (toml, ":%" G_GUINT64_FORMAT, section->cap);
  g_string_append (toml, section->cap == 0 ? ":count\"\n" : "\"\n");
}

static void
append_section (const TtNlUnit *unit, guint index, const TtNlOutput *output, gboolean is_first, GString *toml)
{
  const TtNlSection *section = tt_nl_unit_section (unit, index);

  if (unit->dialect == TT_NL_SEED)
    {
      append_table (toml, is_first, "", section->name);
      append_key (toml, "position", section->position);
      if (section->size > 0)
        append_datamodel (section, toml);
    }
  else
    {
      append_table (toml, is_first, "probe.", section->name);
      append_key (toml, "level", levels[section->level]);
      append_key (toml, "pos", section->position);
    }
  append_code (toml, "before", output->sections[index].before);
  append_code (toml, "after", output->sections[index].after);
}

static void
append_map (const TtNlMap *map, GString *toml)
{
  append_table (toml, FALSE, "map.", map->name);
  append_key (toml, "level", levels[map->level]);
  append_key (toml, "type", "array");
  g_string_append_printf (toml, "size = %" G_GUINT64_FORMAT "\n", map->size);
  if (map->cap > 0)
    g_string_append_printf (toml, "cap = %" G_GUINT64_FORMAT "\n", map->cap);
  else
    append_key (toml, "cap", "dynamic");
  g_string_append_printf (toml, "\n[map.%s.regs]\n", map->name);
  for (guint i = 0; i < map->n_fields; i++)
    g_string_append_printf (toml, "%s = [\"u%u\", \"None\"]\n", map->fields[i].name, (guint) map->fields[i].width);
}

static gboolean
is_dynamic (const TtNlUnit *unit)
{
  for (guint i = 0; i < unit->maps->len; i++)
    if (tt_nl_unit_map (unit, i)->cap == 0)
      return TRUE;
  for (guint i = 0; i < unit->sections->len; i++)
    if (tt_nl_unit_section (unit, i)->size > 0 && tt_nl_unit_section (unit, i)->cap == 0)
      return TRUE;
  return FALSE;
}

void
tt_nl_toml_write (const TtNlUnit *unit, const TtNlOutput *output, GString *toml)
{
  gsize start;

  if (output->comment->len > 0)
    g_string_append_printf (toml, "# %s\n", output->comment->str);
  start = toml->len;
  if (unit->dialect == TT_NL_CURRENT)
    g_string_append_printf (toml, "regs = %u\n", output->n_registers);
  if (unit->callback != NULL)
    append_key (toml, "CALLBACK", unit->callback);
  if (is_dynamic (unit))
    g_string_append (toml, "dynamic = true\n");
  for (guint i = 0; i < unit->sections->len; i++)
    if (!is_empty (&output->sections[i]))
      append_section (unit, i, output, toml->len == start, toml);
  for (guint i = 0; i < unit->maps->len; i++)
    append_map (tt_nl_unit_map (unit, i), toml);
}
