/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/layout.h"

#include "formats/neutrino/save-line.h"
#include "formats/neutrino/toml-read.h"
#include "src/base/error.h"

#include <string.h>

#define MOST_CODES 1024u
#define MOST_RECORD_BYTES (8 * TT_NL_LAYOUT_MAX_FIELDS)

/* A branch on GCN: where its save began, and where it ended for the lanes of the condition. */
typedef struct
{
  gint64 before, then;
  gboolean has_else;
} Branch;

/* Of one probe, or of one section of the seed's dialect. */
typedef struct
{
  const char *texts[2]; /* before, after; NULL: none */
  TtNlLayoutArea *area; /* seed's dialect, if it saves */
  gint64 offset;        /* of its next save */
  GArray *branches;     /* of Branch: those open, on GCN */
  char *guard;          /* of the save before, on PTX */
  char *jump;           /* "@%np0": the predicate without which a jump goes around what follows; NULL: none */
} Code;

typedef struct
{
  const char *name; /* of the file */
  TtNlLayout *layout;
  GPtrArray *codes; /* of Code */
  GHashTable *code_by_name;
  GHashTable *area_by_name; /* borrows names */
  GHashTable *line_of;      /* area -> its line */
  TtNeutrinoRegisters *registers;
} Reading;

static gboolean G_GNUC_PRINTF (4, 5) fail (const Reading *self, guint line, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", self->name, line, why);
  return FALSE;
}

static void
free_code (gpointer data)
{
  Code *code = data;

  g_array_unref (code->branches);
  g_free (code->guard);
  g_free (code->jump);
  g_free (code);
}

/* NULL with @error: there are too many. */
static Code *
code_named (Reading *self, const char *name, guint line, GError **error)
{
  Code *code = g_hash_table_lookup (self->code_by_name, name);

  if (code != NULL)
    return code;
  if (self->codes->len == MOST_CODES)
    return fail (self, line, error, "more than %u probes", MOST_CODES), NULL;
  code = g_new0 (Code, 1);
  code->branches = g_array_new (FALSE, FALSE, sizeof (Branch));
  g_ptr_array_add (self->codes, code);
  g_hash_table_insert (self->code_by_name, g_strdup (name), code);
  return code;
}

static TtNlLayoutArea *
new_area (Reading *self, const char *name, guint line, GError **error)
{
  TtNlLayoutArea *area;

  if (g_hash_table_contains (self->area_by_name, name))
    return fail (self, line, error, "map '%s' is there twice", name), NULL;
  if (self->layout->areas->len == TT_NL_LAYOUT_MAX_AREAS)
    return fail (self, line, error, "more than %u maps", TT_NL_LAYOUT_MAX_AREAS), NULL;
  area = tt_nl_layout_add_area (self->layout, name, TT_NL_THREAD, 0, 1);
  g_hash_table_insert (self->area_by_name, area->name, area);
  g_hash_table_insert (self->line_of, area, GUINT_TO_POINTER (line));
  return area;
}

static gboolean
read_level (const char *text, TtNlLevel *level)
{
  *level = g_str_equal (text, "warp") ? TT_NL_WARP : TT_NL_THREAD;
  return *level == TT_NL_WARP || g_str_equal (text, "thread");
}

static gboolean
read_count (const char *text, guint64 most, guint64 *count)
{
  return g_ascii_string_to_unsigned (text, 10, 1, most, count, NULL);
}

/* A number, or a text that is one: the form that the project shows in its README. */
static gboolean
read_number (const TtNlTomlValue *value, guint64 most, guint64 *number)
{
  if (value->kind == TT_NL_TOML_STRING)
    return read_count (value->text, most, number);
  *number = (guint64) value->number;
  return value->kind == TT_NL_TOML_INTEGER && value->number > 0 && *number <= most;
}

/* -- maps: the current dialect ----------------------------------------------------------------------------- */

static gboolean
read_map_pair (Reading *self, TtNlLayoutArea *area, const char *key, const TtNlTomlValue *value, GError **error)
{
  const char *text = value->kind == TT_NL_TOML_STRING ? value->text : "";
  guint64 number = 0;

  if (g_str_equal (key, "level"))
    return read_level (text, &area->level) ||
           fail (self, value->line, error, "map '%s': level is neither \"thread\" nor \"warp\"", area->name);
  if (g_str_equal (key, "size"))
    {
      if (!read_number (value, MOST_RECORD_BYTES, &number) || number % 4 != 0)
        return fail (self, value->line, error, "map '%s': size is not a multiple of 4 from 4 to %u", area->name,
                     MOST_RECORD_BYTES);
      area->record_bytes = number;
    }
  else if (g_str_equal (key, "cap"))
    {
      if (!g_str_equal (text, "dynamic") && !read_number (value, G_MAXUINT32, &number))
        return fail (self, value->line, error, "map '%s': cap is neither a count nor \"dynamic\"", area->name);
      area->cap = number;
    }
  return TRUE;
}

/* start = ["u64", "None"], or "u64" alone */
static gboolean
read_field (Reading *self, TtNlLayoutArea *area, const char *name, const TtNlTomlValue *value, GError **error)
{
  const TtNlTomlValue *type = value->kind == TT_NL_TOML_ARRAY && value->items->len > 0 ? value->items->pdata[0] : value;
  gboolean is_wide = type->kind == TT_NL_TOML_STRING && g_str_equal (type->text, "u64");

  if (type->kind != TT_NL_TOML_STRING || (!is_wide && !g_str_equal (type->text, "u32")))
    return fail (self, value->line, error, "map '%s': field '%s' is neither u64 nor u32", area->name, name);
  for (guint i = 0; i < area->fields->len; i++)
    if (g_str_equal (tt_nl_layout_field (area, i)->name, name))
      return fail (self, value->line, error, "map '%s': field '%s' is there twice", area->name, name);
  if (area->fields->len == TT_NL_LAYOUT_MAX_FIELDS)
    return fail (self, value->line, error, "map '%s' has more than %u fields", area->name, TT_NL_LAYOUT_MAX_FIELDS);
  tt_nl_layout_add_field (area, name, is_wide ? TT_NL_U64 : TT_NL_U32, area->fields->len, FALSE);
  return TRUE;
}

/* Wide ones first, else as they are: until then the offset is the place in the table. */
static int
by_width (gconstpointer a, gconstpointer b)
{
  const TtNlLayoutField *x = a, *y = b;

  return x->width != y->width ? (x->width == TT_NL_U64 ? -1 : 1) : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Who writes a record writes its u64 fields first, whatever the order in the table. */
static gboolean
finish_map (Reading *self, TtNlLayoutArea *area, GError **error)
{
  guint line = GPOINTER_TO_UINT (g_hash_table_lookup (self->line_of, area)), bytes = 0;

  if (area->fields->len == 0 && area->record_bytes == 0)
    return fail (self, line, error, "map '%s' has neither size nor fields", area->name);
  g_array_sort (area->fields, by_width);
  for (guint i = 0; i < area->fields->len; i++)
    {
      tt_nl_layout_field (area, i)->offset = bytes;
      bytes += tt_nl_layout_field (area, i)->width / 8;
    }
  if (area->fields->len == 0)
    area->reason = "names no fields";
  else if (area->record_bytes == 0)
    area->record_bytes = bytes;
  return area->fields->len == 0 || bytes == area->record_bytes ||
         fail (self, line, error, "map '%s': fields take %u bytes, size is %" G_GUINT64_FORMAT, area->name, bytes,
               area->record_bytes);
}

/* -- sections: the seed's dialect -------------------------------------------------------------------------- */

/* "warp:16", "thread:8:128", "thread:16:count" */
static gboolean
read_datamodel (Reading *self, Code *code, const char *name, const TtNlTomlValue *value, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (value->kind == TT_NL_TOML_STRING ? value->text : "", ":", 4);
  guint n = g_strv_length (parts);
  gboolean is_dynamic = n == 3 && g_str_equal (parts[2], "count");
  TtNlLevel level;
  guint64 size = 0, cap = 1;

  if (n < 2 || n > 3 || !read_level (parts[0], &level) || !read_count (parts[1], MOST_RECORD_BYTES, &size) ||
      size % 4 != 0 || (n == 3 && !is_dynamic && !read_count (parts[2], G_MAXUINT32, &cap)))
    return fail (self, value->line, error,
                 "section '%s': datamodel is not LEVEL:BYTES or LEVEL:BYTES:RECORDS, of up to %u bytes", name,
                 MOST_RECORD_BYTES);
  if ((code->area = new_area (self, name, value->line, error)) == NULL)
    return FALSE;
  code->area->level = level;
  code->area->record_bytes = size;
  code->area->cap = is_dynamic ? 0 : cap;
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

static const char *
bare_name (const char *item)
{
  return *item == '%' ? item + 1 : g_str_has_prefix (item, "nv_") ? item + 3 : item;
}

static gboolean
is_temporary (const char *item)
{
  const char *name = bare_name (item);

  return g_str_has_prefix (item, "nt_") || (name[0] == 'n' && name[1] != '\0' && strchr ("tw", name[1]) != NULL &&
                                            name[2] != '\0' && name[2 + strspn (name + 2, "0123456789")] == '\0');
}

/* A temporary has no name of its own: it gets that of the function whose value it holds. */
static char *
name_item (const Reading *self, const char *item, guint n, guint width)
{
  const char *name = bare_name (item), *original = tt_neutrino_registers_original (self->registers, item);
  TtNeutrinoRole role;
  TtNeutrinoClock clock;

  if (!is_temporary (item) && (g_ascii_isalpha (*name) || *name == '_'))
    return g_strdup (width == TT_NL_U32 && original != NULL && is_copy_of (name, bare_name (original))
                         ? bare_name (original)
                         : name);
  tt_neutrino_registers_get (self->registers, item, &role, &clock);
  if (role == TT_NEUTRINO_UNIT)
    return g_strdup ("smid");
  if (role == TT_NEUTRINO_START)
    return g_strdup (clock == TT_NEUTRINO_CYCLES ? "clock" : "time");
  return g_strdup_printf ("value%u", n);
}

static void
add_fields (const Reading *self, Code *code, const TtNlSaveLine *save)
{
  TtNlLayoutArea *area = code->area;
  const char *guard = save->guard != NULL ? save->guard : code->jump;
  gboolean is_conditional = guard != NULL || code->branches->len > 0;

  /* What was saved on another condition may be there or not. */
  if (code->guard != NULL && g_strcmp0 (code->guard, guard) != 0)
    code->offset = TT_NL_OFFSET_VARIES;
  g_free (code->guard);
  code->guard = g_strdup (guard);
  for (char **item = save->items; *item != NULL; item++)
    {
      if (area->fields->len == TT_NL_LAYOUT_MAX_FIELDS)
        {
          area->reason = "saves more than 64 fields";
          return;
        }
      g_autofree char *name = name_item (self, *item, area->fields->len, save->width);
      TtNlLayoutField *field =
          tt_nl_layout_add_field (area, name, (TtNlWidth) save->width, code->offset, is_conditional);
      tt_neutrino_registers_get (self->registers, *item, &field->role, &field->clock);
      if (code->offset != TT_NL_OFFSET_VARIES)
        code->offset += save->width / 8;
    }
}

/* "@!%np0 bra NSKIP;" somewhere in a line, and "NSKIP:" in a later one. */
static void
follow_jump (Code *code, const char *line, gsize len)
{
  const char *jump = g_strstr_len (line, (gssize) len, "@!%"), *label = memchr (line, ':', len);

  if (jump != NULL && g_strstr_len (jump, (gssize) (len - (gsize) (jump - line)), " bra ") != NULL)
    {
      g_free (code->jump);
      code->jump = g_strdup_printf ("@%.*s", (int) strcspn (jump + 2, " \t\n"), jump + 2);
    }
  else if (label != NULL)
    g_clear_pointer (&code->jump, g_free);
}

static void
follow_branch (Code *code, const char *line)
{
  GArray *branches = code->branches;
  Branch *branch = branches->len == 0 ? NULL : &g_array_index (branches, Branch, branches->len - 1);
  Branch opened = { .before = code->offset };

  if (g_str_has_prefix (line, "s_and_saveexec_b64"))
    g_array_append_val (branches, opened);
  else if (branch != NULL && g_str_has_prefix (line, "s_xor_b64 exec"))
    {
      branch->then = code->offset;
      branch->has_else = TRUE;
      code->offset = branch->before;
    }
  else if (branch != NULL && g_str_has_prefix (line, "s_mov_b64 exec"))
    {
      if (code->offset != (branch->has_else ? branch->then : branch->before))
        code->offset = TT_NL_OFFSET_VARIES;
      g_array_set_size (branches, branches->len - 1);
    }
}

/* -- code -------------------------------------------------------------------------------------------------------- */

/* Arguments of a SAVE are the fields of its map, in their order. */
static void
note_meanings (const Reading *self, const TtNlSaveLine *save)
{
  TtNlLayoutArea *area = g_hash_table_lookup (self->area_by_name, save->map);

  for (guint i = 0; area != NULL && save->items[i] != NULL && i < area->fields->len; i++)
    tt_neutrino_registers_get (self->registers, save->items[i], &tt_nl_layout_field (area, i)->role,
                               &tt_nl_layout_field (area, i)->clock);
}

static void
run_code (Reading *self, Code *code, const char *text, gboolean adds)
{
  for (const char *line = text, *end; line != NULL && *line != '\0'; line = end == NULL ? NULL : end + 1)
    {
      gsize len = (end = strchr (line, '\n')) != NULL ? (gsize) (end - line) : strlen (line);
      g_auto (TtNlSaveLine) save = { 0 };

      if (!tt_nl_save_line_read (&save, line, len))
        {
          tt_neutrino_registers_run (self->registers, line, len);
          if (adds)
            {
              follow_jump (code, line, len);
              follow_branch (code, line);
            }
        }
      else if (adds && save.map != NULL)
        note_meanings (self, &save);
      else if (adds && save.width != 0 && code->area != NULL && code->area->reason == NULL)
        add_fields (self, code, &save);
    }
}

/* What a kernel's begin leaves, its instructions and its end find; a second time round knows what they leave, too. */
static void
run_codes (Reading *self)
{
  for (guint pass = 0; pass < 4; pass++)
    for (guint i = 0; i < self->codes->len; i++)
      {
        Code *code = g_ptr_array_index (self->codes, i);
        run_code (self, code, code->texts[pass % 2], pass >= 2);
      }
  for (guint i = 0; i < self->codes->len; i++)
    {
      TtNlLayoutArea *area = ((const Code *) g_ptr_array_index (self->codes, i))->area;

      if (area != NULL && area->reason != NULL)
        g_array_set_size (area->fields, 0);
      else if (area != NULL && area->fields->len == 0)
        area->reason = "has no SAVE line that names its fields";
    }
}

/* -- the file ---------------------------------------------------------------------------------------------------- */

/* @path: the table's name and the key's. */
static gboolean
read_pair (Reading *self, char *const *path, guint n, const TtNlTomlValue *value, GError **error)
{
  if (n > 2 && g_str_equal (path[0], "map"))
    {
      TtNlLayoutArea *area = g_hash_table_lookup (self->area_by_name, path[1]);
      if (area == NULL && (area = new_area (self, path[1], value->line, error)) == NULL)
        return FALSE;
      if (n == 3)
        return read_map_pair (self, area, path[2], value, error);
      return n != 4 || !g_str_equal (path[2], "regs") || read_field (self, area, path[3], value, error);
    }
  gboolean is_probe = n == 3 && g_str_equal (path[0], "probe");
  if (!is_probe && n != 2)
    return TRUE;
  Code *code = code_named (self, path[is_probe], value->line, error);
  if (code == NULL)
    return FALSE;
  if (!is_probe && g_str_equal (path[1], "datamodel"))
    return read_datamodel (self, code, path[0], value, error);
  if (value->kind == TT_NL_TOML_STRING && g_str_equal (path[n - 1], "before"))
    code->texts[0] = value->text;
  else if (value->kind == TT_NL_TOML_STRING && g_str_equal (path[n - 1], "after"))
    code->texts[1] = value->text;
  return TRUE;
}

static gboolean
read_entry (Reading *self, const TtNlTomlTable *table, const TtNlTomlValue *entry, GError **error)
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
read_tables (Reading *self, const TtNlToml *toml, GError **error)
{
  for (guint i = 0; i < toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, i);
      for (guint k = 0; k < table->entries->len; k++)
        if (!read_entry (self, table, table->entries->pdata[k], error))
          return FALSE;
    }
  if (self->layout->areas->len == 0)
    return fail (self, 1, error, "no map: neither [map.NAME] nor a section with datamodel");
  return TRUE;
}

static gboolean
finish_maps (Reading *self, GError **error)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->codes->len; i++)
    g_hash_table_add (sections, ((const Code *) g_ptr_array_index (self->codes, i))->area);
  for (guint i = 0; i < self->layout->areas->len; i++)
    if (!g_hash_table_contains (sections, tt_nl_layout_area (self->layout, i)) &&
        !finish_map (self, tt_nl_layout_area (self->layout, i), error))
      return FALSE;
  run_codes (self);
  return TRUE;
}

TtNlLayout *
tt_nl_layout_from_toml (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (name, text, len, error);
  g_autoptr (TtNlLayout) layout = tt_nl_layout_new ();
  g_autoptr (GPtrArray) codes = g_ptr_array_new_with_free_func (free_code);
  g_autoptr (GHashTable) code_by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) area_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) line_of = g_hash_table_new (NULL, NULL);
  g_autoptr (TtNeutrinoRegisters) registers = tt_neutrino_registers_new ();
  Reading self = {
    .name = name,
    .layout = layout,
    .codes = codes,
    .code_by_name = code_by_name,
    .area_by_name = area_by_name,
    .line_of = line_of,
    .registers = registers,
  };

  if (toml == NULL || !read_tables (&self, toml, error) || !finish_maps (&self, error))
    return NULL;
  return g_steal_pointer (&layout);
}
