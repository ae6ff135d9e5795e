#include "config.h"

#include "formats/neutrino/layout.h"

#include "formats/neutrino/save-line.h"
#include "formats/neutrino/toml-read.h"
#include "src/error.h"

#include <string.h>

typedef struct
{
  const char *name; /* of the file */
  const TtNlToml *toml;
  TtNlLayout *layout;
} Reading;

static gboolean G_GNUC_PRINTF (4, 5)
    fail (const Reading *self, const TtNlTomlTable *table, GError **error, const char *format, ...)
{
  g_autofree char *path = g_strjoinv (".", table->path);
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: [%s]: %s", self->name, table->line, path, why);
  return FALSE;
}

/* Numbers may stand in quotes, as the README of Neutrino has them. */
static gboolean
read_number (const TtNlTomlValue *value, guint64 most, guint64 *number)
{
  if (value != NULL && value->kind == TT_NL_TOML_INTEGER && value->number >= 0)
    *number = (guint64) value->number;
  else if (value == NULL || value->kind != TT_NL_TOML_STRING ||
           !g_ascii_string_to_unsigned (value->text, 10, 0, G_MAXINT64, number, NULL))
    return FALSE;
  return *number <= most;
}

static gboolean
read_level (const char *text, TtNlLevel *level)
{
  *level = g_strcmp0 (text, "warp") == 0 ? TT_NL_WARP : TT_NL_THREAD;
  return g_strcmp0 (text, "warp") == 0 || g_strcmp0 (text, "thread") == 0;
}

/* -- maps: the current dialect ------------------------------------------------------------------- */

/* u64 = ["u64", "None"], or "u64" alone. */
static guint
read_type (const TtNlTomlValue *value)
{
  const TtNlTomlValue *first = value;

  if (value->kind == TT_NL_TOML_ARRAY && value->items->len > 0)
    first = g_ptr_array_index (value->items, 0);
  if (first->kind != TT_NL_TOML_STRING)
    return 0;
  return g_str_equal (first->text, "u64") ? TT_NL_U64 : g_str_equal (first->text, "u32") ? TT_NL_U32 : 0;
}

/* Who writes a record writes its u64 fields first, whatever the order in the table. */
static gint64
add_fields (const TtNlTomlTable *regs, guint width, gint64 offset, TtNlLayoutArea *area)
{
  for (guint i = 0; i < regs->entries->len; i++)
    {
      const TtNlTomlValue *entry = g_ptr_array_index (regs->entries, i);

      if (read_type (entry) != width)
        continue;
      tt_nl_layout_add_field (area, entry->key, width, offset, FALSE);
      offset += width / 8;
    }
  return offset;
}

static const TtNlTomlTable *
find_regs (const TtNlToml *toml, const char *map)
{
  for (guint i = 0; i < toml->tables->len; i++)
    {
      char **path = tt_nl_toml_table (toml, i)->path;

      if (g_strv_length (path) == 3 && g_str_equal (path[0], "map") && g_str_equal (path[1], map) &&
          g_str_equal (path[2], "regs"))
        return tt_nl_toml_table (toml, i);
    }
  return NULL;
}

static gboolean
add_map (Reading *self, const TtNlTomlTable *map, GError **error)
{
  const TtNlTomlTable *regs = find_regs (self->toml, map->path[1]);
  const char *cap_text = tt_nl_toml_text (map, "cap");
  guint64 size, cap = 1;
  TtNlLevel level;

  if (!read_level (tt_nl_toml_text (map, "level"), &level))
    return fail (self, map, error, "level is neither \"thread\" nor \"warp\"");
  if (!read_number (tt_nl_toml_find (map, "size"), G_MAXUINT32, &size) || size == 0)
    return fail (self, map, error, "size is no number of bytes");
  if (g_strcmp0 (cap_text, "dynamic") == 0)
    cap = 0;
  else if (tt_nl_toml_find (map, "cap") != NULL &&
           (!read_number (tt_nl_toml_find (map, "cap"), G_MAXUINT32, &cap) || cap == 0))
    return fail (self, map, error, "cap is neither a number of records nor \"dynamic\"");
  if (regs == NULL)
    return fail (self, map, error, "there is no table [map.%s.regs] of its fields", map->path[1]);
  for (guint i = 0; i < regs->entries->len; i++)
    if (read_type (g_ptr_array_index (regs->entries, i)) == 0)
      return fail (self, regs, error, "'%s' is neither u32 nor u64",
                   ((const TtNlTomlValue *) g_ptr_array_index (regs->entries, i))->key);

  TtNlLayoutArea *area = tt_nl_layout_add_area (self->layout, map->path[1], level, size, cap);
  gint64 bytes = add_fields (regs, TT_NL_U32, add_fields (regs, TT_NL_U64, 0, area), area);
  if ((guint64) bytes != size)
    return fail (self, map, error, "its fields take %" G_GINT64_FORMAT " bytes, size is %" G_GUINT64_FORMAT, bytes,
                 size);
  return TRUE;
}

/* -- sections: the seed's dialect ----------------------------------------------------------------------- */

/* "warp:16", "thread:8:128", "thread:16:count" */
static gboolean
add_datamodel (Reading *self, const TtNlTomlTable *table, const char *text, TtNlLayoutArea **area, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);
  guint64 size, cap = 1;
  TtNlLevel level;
  gboolean is_counted = n == 3 && g_str_equal (parts[2], "count");

  if (n < 2 || n > 3 || !read_level (parts[0], &level) ||
      !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT32, &size, NULL) ||
      (n == 3 && !is_counted && !g_ascii_string_to_unsigned (parts[2], 10, 1, G_MAXUINT32, &cap, NULL)))
    return fail (self, table, error, "datamodel \"%s\" is not LEVEL:BYTES[:RECORDS]", text);
  *area = tt_nl_layout_add_area (self->layout, table->path[0], level, size, is_counted ? 0 : cap);
  return TRUE;
}

/* Whether the variable's 32-bit copy is called @copy: its name without the last letter, or with _u32. */
static gboolean
is_copy_of (const char *copy, const char *variable)
{
  gsize len = strlen (variable);

  return (len > 1 && strlen (copy) == len - 1 && strncmp (copy, variable, len - 1) == 0) ||
         (g_str_has_prefix (copy, variable) && g_str_has_prefix (copy + len, "_u32"));
}

/* The variable whose copy the register @name is, as the code before the save says; or @name. Free it. */
static char *
find_original (const char *code, gsize len, const char *name)
{
  g_autofree char *ptx = g_strdup_printf ("cvt.u32.u64 %%%s, %%", name);
  g_autofree char *gcn = g_strdup_printf ("v_mov_b32_e32 v[nv_%s], v[nv_", name);
  const char *patterns[] = { ptx, gcn };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      const char *found = g_strrstr_len (code, (gssize) len, patterns[i]);
      const char *start = found == NULL ? NULL : found + strlen (patterns[i]);
      g_autofree char *variable = start == NULL ? NULL : g_strndup (start, strcspn (start, ";]+ \n"));

      if (variable != NULL && is_copy_of (name, variable))
        return g_steal_pointer (&variable);
    }
  return g_strdup (name);
}

/* Temporaries have no name that says anything. */
static char *
name_item (const char *item, guint n, const char *code, gsize len)
{
  const char *name = *item == '%' ? item + 1 : g_str_has_prefix (item, "nv_") ? item + 3 : item;
  gboolean is_temporary =
      g_str_has_prefix (item, "nt_") || (name[0] == 'n' && name[1] != '\0' && strchr ("tw", name[1]) != NULL &&
                                         name[2] != '\0' && name[2 + strspn (name + 2, "0123456789")] == '\0');

  if (is_temporary || *name == '\0' || !(g_ascii_isalpha (*name) || *name == '_'))
    return g_strdup_printf ("value%u", n);
  return find_original (code, len, name);
}

/* A branch on GCN: where its save began, and where it ended for the lanes of the condition. */
typedef struct
{
  gint64 before, then;
  gboolean has_else;
} Branch;

typedef struct
{
  gint64 offset;
  guint n;          /* fields so far */
  GArray *branches; /* of Branch: those open, on GCN */
  char *guard;      /* of the save before, on PTX */
} Place;

static void
add_save (const TtNlSaveLine *save, const char *code, gsize len, Place *place, TtNlLayoutArea *area)
{
  gboolean is_conditional = save->guard != NULL || place->branches->len > 0;

  /* What was saved on another condition may be there or not. */
  if (place->guard != NULL && g_strcmp0 (place->guard, save->guard) != 0)
    place->offset = TT_NL_OFFSET_VARIES;
  g_free (place->guard);
  place->guard = g_strdup (save->guard);
  for (char **item = save->items; *item != NULL; item++)
    {
      g_autofree char *name = name_item (*item, place->n++, code, len);

      tt_nl_layout_add_field (area, name, save->width, place->offset, is_conditional);
      if (place->offset != TT_NL_OFFSET_VARIES)
        place->offset += save->width / 8;
    }
}

/* FALSE: the line does not change which lanes run. */
static gboolean
follow_branch (const char *line, Place *place)
{
  Branch *branch =
      place->branches->len == 0 ? NULL : &g_array_index (place->branches, Branch, place->branches->len - 1);
  Branch opened = { .before = place->offset };

  if (g_str_has_prefix (line, "s_and_saveexec_b64"))
    g_array_append_val (place->branches, opened);
  else if (branch != NULL && g_str_has_prefix (line, "s_xor_b64 exec"))
    {
      branch->then = place->offset;
      branch->has_else = TRUE;
      place->offset = branch->before;
    }
  else if (branch != NULL && g_str_has_prefix (line, "s_mov_b64 exec"))
    {
      if (place->offset != (branch->has_else ? branch->then : branch->before))
        place->offset = TT_NL_OFFSET_VARIES;
      g_array_set_size (place->branches, place->branches->len - 1);
    }
  else
    return FALSE;
  return TRUE;
}

static void
scan_code (const char *code, Place *place, TtNlLayoutArea *area)
{
  for (const char *line = code, *end; line != NULL && *line != '\0'; line = end == NULL ? NULL : end + 1)
    {
      gsize len = (end = strchr (line, '\n')) != NULL ? (gsize) (end - line) : strlen (line);
      g_auto (TtNlSaveLine) save = { 0 };

      if (!follow_branch (line, place) && tt_nl_save_line_read (&save, line, len) && save.width != 0)
        add_save (&save, code, (gsize) (line - code), place, area);
    }
}

static gboolean
add_section (Reading *self, const TtNlTomlTable *table, GError **error)
{
  const char *datamodel = tt_nl_toml_text (table, "datamodel");
  static const char *const keys[] = { "before", "after" };
  g_autoptr (GArray) branches = g_array_new (FALSE, FALSE, sizeof (Branch));
  TtNlLayoutArea *area = NULL;
  Place place = { .branches = branches };

  if (datamodel == NULL)
    return TRUE;
  if (!add_datamodel (self, table, datamodel, &area, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (tt_nl_toml_text (table, keys[i]) != NULL)
      scan_code (tt_nl_toml_text (table, keys[i]), &place, area);
  g_free (place.guard);
  if (area->fields->len == 0)
    return fail (self, table, error, "it saves %" G_GUINT64_FORMAT " bytes, and has no SAVE line", area->record_bytes);
  return TRUE;
}

/* -- both ------------------------------------------------------------------------------------------------- */

TtNlLayout *
tt_nl_layout_from_toml (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (name, text, len, error);
  g_autoptr (TtNlLayout) layout = tt_nl_layout_new ();
  Reading self = { .name = name, .toml = toml, .layout = layout };

  if (toml == NULL)
    return NULL;
  for (guint i = 1; i < toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, i);
      guint n = g_strv_length (table->path);

      if (n == 2 && g_str_equal (table->path[0], "map") && !add_map (&self, table, error))
        return NULL;
      if (n == 1 && !add_section (&self, table, error))
        return NULL;
    }
  if (layout->areas->len > 0)
    return g_steal_pointer (&layout);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no map and no datamodel: it says nothing of records", name);
  return NULL;
}
