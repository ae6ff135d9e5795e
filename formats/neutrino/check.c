/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"

#include <string.h>

#define LONGEST_NAME 200u
#define MOST_VARIABLES 1000u
#define MOST_PROBES 1000u

/* Registers of the machine, and those that injectors and compilers declare beside a probe's. */
static const char *const reserved_words[] = {
  "clock64", "globaltimer", "smid", "laneid", "tid", "ntid", "ctaid", "nctaid", "nwarpid", "leader", "joint_pred",
};
static const struct
{
  const char *prefix;
  gboolean with_digits; /* only digits may follow; otherwise anything may */
} reserved_prefixes[] = {
  { "nt", TRUE },    { "nw", TRUE },    { "np", TRUE },    { "NR", TRUE }, { "buf", FALSE }, { "warpbuf", FALSE },
  { "map_", FALSE }, { "wcur", FALSE }, { "wtmp", FALSE }, { "r", TRUE },  { "rd", TRUE },   { "rs", TRUE },
  { "rh", TRUE },    { "rc", TRUE },    { "f", TRUE },     { "fd", TRUE }, { "p", TRUE },    { "h", TRUE },
  { "hh", TRUE },    { "b", TRUE },     { "s", TRUE },     { "q", TRUE },
};
/* An injector replaces them wherever they stand. */
static const char *const replaced_words[] = { "SAVE", "ADDR", "OUT", "IN1", "IN2", "IN3", "IN4", "BYTES" };

/* -- names ---------------------------------------------------------------------------------------- */

/* Why @name cannot be the name of a register in the kernel that it is injected into, or NULL. */
static const char *
find_reason (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (replaced_words); i++)
    if (strstr (name, replaced_words[i]) != NULL)
      return "has a word in it that an injector replaces";
  for (guint i = 0; i < G_N_ELEMENTS (reserved_words); i++)
    if (g_str_equal (name, reserved_words[i]))
      return "is a register of the machine or of an injector";
  for (guint i = 0; i < G_N_ELEMENTS (reserved_prefixes); i++)
    {
      const char *rest = name + strlen (reserved_prefixes[i].prefix);

      if (g_str_has_prefix (name, reserved_prefixes[i].prefix) &&
          (!reserved_prefixes[i].with_digits || (*rest != '\0' && rest[strspn (rest, "0123456789")] == '\0')))
        return "looks like a register that a compiler or an injector declares";
    }
  return NULL;
}

static gboolean
check_length (TtNlCheck *self, const TtNlItem *item)
{
  if (strlen (item->name) <= LONGEST_NAME)
    return TRUE;
  tt_nl_error (self->messages, item->offset, "this name is longer than %u characters", LONGEST_NAME);
  return FALSE;
}

/* FALSE: there is one already. */
static gboolean
add_name (TtNlCheck *self, GHashTable *names, const TtNlItem *item, guint index, const char *what)
{
  if (g_hash_table_contains (names, item->name))
    {
      tt_nl_error (self->messages, item->offset, "%s '%s' is there already", what, item->name);
      return FALSE;
    }
  g_hash_table_insert (names, (gpointer) item->name, GUINT_TO_POINTER (index + 1));
  return TRUE;
}

/* -- imports, declarations -------------------------------------------------------------------------- */

static void
check_import (TtNlCheck *self, const TtNlItem *item)
{
  gboolean is_language = g_str_equal (item->text, "neutrino.language");

  if (is_language && item->name == NULL)
    tt_nl_error (self->messages, item->offset, "write 'import neutrino.language as nl'");
  else if (is_language)
    self->space = item->name;
  else if (!g_str_equal (item->text, "neutrino"))
    tt_nl_error (self->messages, item->offset, "only neutrino and neutrino.language can be imported");
}

static void
check_from (TtNlCheck *self, const TtNlItem *item)
{
  if (!g_str_equal (item->text, "neutrino"))
    tt_nl_error (self->messages, item->offset, "names can be imported only from neutrino");
  else if (g_str_equal (item->original, "probe"))
    self->probe_word = item->name;
  else if (g_str_equal (item->original, "Map"))
    self->map_word = item->name;
  else if (g_str_equal (item->original, "language"))
    self->space = item->name;
  else
    tt_nl_error (self->messages, item->offset, "neutrino has no '%s': import probe, Map or language", item->original);
}

static gboolean
check_initial (TtNlCheck *self, const TtNlItem *item, TtNlVariable *variable)
{
  if (item->value == NULL || item->value->kind != TT_NL_EXPR_INTEGER)
    {
      tt_nl_error (self->messages, item->value != NULL ? item->value->offset : item->offset,
                   "a declaration needs an integer initial value");
      return FALSE;
    }
  variable->initial = item->value->value;
  return tt_nl_check_value (self, item->value) &&
         tt_nl_check_fits (self, item->value, variable->width, item->value->offset);
}

/* The registers of an array, or the one of a variable. */
static void
add_variables (TtNlCheck *self, TtNlItem *item, const TtNlVariable *model, guint n)
{
  const char *name = item->name;

  for (guint i = 0; i < n; i++)
    {
      TtNlVariable variable = *model;

      if (n > 1)
        {
          variable.name = item->name = tt_nl_arena_printf (self->unit->arena, "%s_%u", name, i);
          if (!add_name (self, self->names, item, self->unit->variables->len, "variable"))
            return;
        }
      if (self->unit->variables->len == MOST_VARIABLES)
        tt_nl_error (self->messages, item->offset, "more than %u variables", MOST_VARIABLES);
      g_array_append_val (self->unit->variables, variable);
    }
}

static void
check_declaration (TtNlCheck *self, TtNlItem *item)
{
  TtNlVariable variable = { .name = item->name, .offset = item->offset };
  const TtNlExpr *annotation = item->annotation;
  guint n = 1;

  if (!check_length (self, item) || !add_name (self, self->names, item, self->unit->variables->len, "variable"))
    return;
  variable.is_bad = annotation == NULL;
  if (annotation != NULL)
    {
      n = tt_nl_check_array_size (self, annotation);
      variable.width = tt_nl_check_width (self, n != 1 ? annotation->a : annotation);
    }
  if (variable.width == 0 && !variable.is_bad)
    {
      tt_nl_error (self->messages, item->offset, "a variable must be declared nl.u32 or nl.u64");
      variable.is_bad = TRUE;
    }
  variable.width = variable.width != 0 ? variable.width : TT_NL_U64;
  variable.is_bad = variable.is_bad || n == 0 || !check_initial (self, item, &variable);
  if (n > 1)
    g_hash_table_insert (self->arrays, (gpointer) variable.name, GUINT_TO_POINTER (n));
  add_variables (self, item, &variable, MAX (n, 1));
}

/* -- maps ------------------------------------------------------------------------------------------- */

static guint
count_fields (const TtNlItem *item)
{
  guint n = 0;

  for (const TtNlField *field = item->fields; field != NULL; field = field->next)
    n++;
  return n;
}

static gboolean
check_field (TtNlCheck *self, const TtNlItem *item, const TtNlField *field, guint *width)
{
  if ((*width = tt_nl_check_width (self, field->annotation)) == 0)
    {
      tt_nl_error (self->messages, field->offset, "a field of a map must be nl.u32 or nl.u64");
      return FALSE;
    }
  for (const TtNlField *other = item->fields; other != field; other = other->next)
    if (g_str_equal (other->name, field->name))
      {
        tt_nl_error (self->messages, field->offset, "map '%s' has two fields '%s'", item->name, field->name);
        return FALSE;
      }
  return TRUE;
}

/* Appends the fields of @width after the first @n. */
static guint
add_fields (TtNlCheck *self, const TtNlItem *item, TtNlMap *map, guint width, guint n)
{
  guint argument = 0;

  for (const TtNlField *field = item->fields; field != NULL; field = field->next, argument++)
    if (tt_nl_check_width (self, field->annotation) == width)
      {
        map->fields[n].name = field->name;
        map->fields[n].width = width;
        map->field_of[argument] = n++;
      }
  return n;
}

static gboolean
check_fields (TtNlCheck *self, const TtNlItem *item, TtNlMap *map)
{
  guint n_wide, n = count_fields (item), width;
  gboolean ok = !item->lacks_fields, is_ordered = TRUE;

  if (n > TT_NL_MAX_OPERANDS)
    {
      tt_nl_error (self->messages, item->offset, "map '%s' has more than %u fields", map->name, TT_NL_MAX_OPERANDS);
      return FALSE;
    }
  for (const TtNlField *field = item->fields; field != NULL; field = field->next)
    ok = check_field (self, item, field, &width) && ok;
  if (!ok)
    return FALSE;
  map->fields = tt_nl_arena_alloc (self->unit->arena, (n + 1) * sizeof *map->fields);
  map->field_of = tt_nl_arena_alloc (self->unit->arena, (n + 1) * sizeof *map->field_of);
  n_wide = add_fields (self, item, map, TT_NL_U64, 0);
  map->n_fields = add_fields (self, item, map, TT_NL_U32, n_wide);
  for (guint i = 0; i < n; i++)
    is_ordered = is_ordered && map->field_of[i] == i;

  guint64 bytes = 8 * (guint64) n_wide + 4 * (guint64) (n - n_wide);
  if (bytes != map->size)
    tt_nl_error (self->messages, item->offset,
                 "map '%s': fields take %" G_GUINT64_FORMAT " bytes, size=%" G_GUINT64_FORMAT, map->name, bytes,
                 map->size);
  else if (!is_ordered)
    tt_nl_warning (self->messages, item->offset, "map contents reordered: in '%s' the u64 fields come first",
                   map->name);
  return bytes == map->size;
}

static void
check_map (TtNlCheck *self, const TtNlItem *item)
{
  TtNlMap *map = tt_nl_arena_new0 (self->unit->arena, TtNlMap);

  map->name = item->name;
  map->offset = item->offset;
  for (guint i = 0; i < G_N_ELEMENTS (replaced_words); i++)
    if (strstr (item->name, replaced_words[i]) != NULL)
      {
        tt_nl_error (self->messages, item->offset,
                     "map '%s' has %s in its name, which an injector replaces: choose another name", item->name,
                     replaced_words[i]);
        break;
      }
  if (!check_length (self, item) || !add_name (self, self->maps, item, self->unit->maps->len, "map"))
    return;
  g_ptr_array_add (self->unit->maps, map);
  map->is_bad = !tt_nl_check_map_decorator (self, item, map) || !check_fields (self, item, map);
  for (guint i = 0; i + 1 < self->unit->maps->len && map->cap == 0 && !map->is_bad; i++)
    if (tt_nl_unit_map (self->unit, i)->cap == 0 && !tt_nl_unit_map (self->unit, i)->is_bad)
      tt_nl_error (self->messages, item->offset, "only one map may have cap=\"dynamic\"");
}

/* -- probes ------------------------------------------------------------------------------------------- */

static void
check_probe (TtNlCheck *self, const TtNlItem *item)
{
  TtNlProbe *probe = tt_nl_arena_new0 (self->unit->arena, TtNlProbe);

  probe->name = item->name;
  probe->offset = item->offset;
  probe->body = item->body;
  if (!check_length (self, item) || !add_name (self, self->probes, item, self->unit->probes->len, "probe"))
    return;
  if (self->unit->probes->len == MOST_PROBES)
    tt_nl_error (self->messages, item->offset, "more than %u probes", MOST_PROBES);
  g_ptr_array_add (self->unit->probes, probe);
  if (!tt_nl_check_probe_decorator (self, item, probe))
    return;
  self->probe = probe;
  tt_nl_check_body (self, probe->body);
}

/* The seed's output writes "%NAME" into a kernel that has registers of its own. */
static void
check_reserved (TtNlCheck *self)
{
  for (guint i = 0; i < self->unit->variables->len && self->unit->dialect == TT_NL_SEED; i++)
    {
      const TtNlVariable *variable = tt_nl_unit_variable (self->unit, i);
      const char *why = find_reason (variable->name);

      if (why != NULL)
        tt_nl_error (self->messages, variable->offset, "variable '%s' %s: choose another name", variable->name, why);
    }
}

/* -- copies of variables ------------------------------------------------------------------------------ */

static gboolean
is_taken (TtNlUnit *unit, const char *name)
{
  for (guint i = 0; i < unit->variables->len; i++)
    {
      const TtNlVariable *variable = tt_nl_unit_variable (unit, i);

      if (g_str_equal (variable->name, name) || g_strcmp0 (variable->copy, name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* As the seed names it: without the last letter. */
const char *
tt_nl_unit_copy_name (TtNlUnit *unit, guint index)
{
  TtNlVariable *variable = tt_nl_unit_variable (unit, index);
  gsize len = strlen (variable->name);
  char *name = tt_nl_arena_text (unit->arena, variable->name, len - 1);

  if (variable->copy != NULL)
    return variable->copy;
  if (len == 1 || is_taken (unit, name) || find_reason (name) != NULL)
    name = tt_nl_arena_printf (unit->arena, "%s_u32", variable->name);
  while (is_taken (unit, name) || find_reason (name) != NULL)
    name = tt_nl_arena_printf (unit->arena, "%s_", name);
  return variable->copy = name;
}

/* -- all ------------------------------------------------------------------------------------------------ */

static void
check_item (TtNlCheck *self, TtNlItem *item)
{
  switch (item->kind)
    {
    case TT_NL_ITEM_IMPORT:
      check_import (self, item);
      break;
    case TT_NL_ITEM_FROM:
      check_from (self, item);
      break;
    case TT_NL_ITEM_DECLARE:
      check_declaration (self, item);
      break;
    case TT_NL_ITEM_CALLBACK:
      if (self->unit->callback != NULL)
        tt_nl_error (self->messages, item->offset, "CALLBACK is given twice");
      self->unit->callback = item->text;
      break;
    case TT_NL_ITEM_MAP:
      check_map (self, item);
      break;
    case TT_NL_ITEM_PROBE:
      check_probe (self, item);
      break;
    }
}

void
tt_nl_check (TtNlUnit *unit, TtNlItem *items)
{
  TtNlCheck self = { .unit = unit, .messages = unit->messages };

  self.names = g_hash_table_new (g_str_hash, g_str_equal);
  self.arrays = g_hash_table_new (g_str_hash, g_str_equal);
  self.maps = g_hash_table_new (g_str_hash, g_str_equal);
  self.probes = g_hash_table_new (g_str_hash, g_str_equal);
  self.unknown = g_hash_table_new (g_str_hash, g_str_equal);
  for (TtNlItem *item = items; item != NULL; item = item->next)
    check_item (&self, item);
  check_reserved (&self);
  if (unit->probes->len == 0 && tt_nl_messages_n_errors (unit->messages) == 0)
    tt_nl_error (unit->messages, 0, "no probe defined");
  else if (unit->dialect == TT_NL_CURRENT && unit->maps->len == 0 && tt_nl_messages_n_errors (unit->messages) == 0)
    tt_nl_error (unit->messages, tt_nl_unit_probe (unit, 0)->offset, "no map defined: nothing could be saved");
  g_hash_table_unref (self.names);
  g_hash_table_unref (self.arrays);
  g_hash_table_unref (self.maps);
  g_hash_table_unref (self.probes);
  g_hash_table_unref (self.unknown);
}
