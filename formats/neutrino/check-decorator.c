/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"

#include <string.h>

#define MOST_CAP G_MAXUINT32
#define MOST_RECORD_BYTES (1024u * 1024u)

typedef enum
{
  ARGUMENT_STRING,
  ARGUMENT_BOOL,
  ARGUMENT_INTEGER,
  ARGUMENT_CAP, /* an integer or a string */
} ArgumentKind;

typedef struct
{
  const char *name;
  ArgumentKind kind;
  gboolean is_required;
  const TtNlExpr *value; /* as found; NULL: not given */
} Argument;

static gboolean
has_kind (const TtNlExpr *value, ArgumentKind kind)
{
  gboolean is_integer = value->kind == TT_NL_EXPR_INTEGER && !value->is_huge;

  switch (kind)
    {
    case ARGUMENT_STRING:
      return value->kind == TT_NL_EXPR_STRING;
    case ARGUMENT_BOOL:
      return value->kind == TT_NL_EXPR_CONSTANT && g_str_equal (value->text, "bool");
    case ARGUMENT_INTEGER:
      return is_integer;
    default:
      return is_integer || value->kind == TT_NL_EXPR_STRING;
    }
}

static char *
list_arguments (const Argument *arguments, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", arguments[i].name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static Argument *
find_argument (Argument *arguments, guint n, const char *name)
{
  for (guint i = 0; i < n && name != NULL; i++)
    if (g_str_equal (arguments[i].name, name))
      return &arguments[i];
  return NULL;
}

static gboolean
read_argument (TtNlCheck *self, const TtNlArgument *given, const char *decorator, Argument *arguments, guint n)
{
  static const char *const kinds[] = {
    [ARGUMENT_STRING] = "a string",
    [ARGUMENT_BOOL] = "True or False",
    [ARGUMENT_INTEGER] = "a number",
    [ARGUMENT_CAP] = "a number or \"dynamic\"",
  };
  Argument *argument = find_argument (arguments, n, given->name);
  g_autofree char *list = list_arguments (arguments, n);

  if (given->name == NULL)
    tt_nl_error (self->messages, given->offset, "@%s takes its arguments by name: %s", decorator, list);
  else if (argument == NULL)
    tt_nl_error (self->messages, given->offset, "@%s has no argument '%s', only %s", decorator, given->name, list);
  else if (argument->value != NULL)
    tt_nl_error (self->messages, given->offset, "'%s' is given twice", given->name);
  else if (!has_kind (given->value, argument->kind))
    tt_nl_error (self->messages, given->value->offset, "'%s' must be %s", given->name, kinds[argument->kind]);
  else
    {
      argument->value = given->value;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_arguments (TtNlCheck *self, const TtNlItem *item, const char *decorator, Argument *arguments, guint n)
{
  gboolean ok = TRUE;

  for (const TtNlArgument *given = item->decorator->arguments; given != NULL; given = given->next)
    ok = read_argument (self, given, decorator, arguments, n) && ok;
  for (guint i = 0; i < n && ok; i++)
    if (arguments[i].is_required && arguments[i].value == NULL)
      {
        tt_nl_error (self->messages, item->decorator->offset, "@%s needs %s=", decorator, arguments[i].name);
        ok = FALSE;
      }
  return ok;
}

static gboolean
read_level (TtNlCheck *self, const TtNlExpr *value, TtNlLevel *level)
{
  *level = TT_NL_THREAD;
  if (value == NULL || g_str_equal (value->text, "thread"))
    return TRUE;
  *level = TT_NL_WARP;
  if (g_str_equal (value->text, "warp"))
    return TRUE;
  tt_nl_error (self->messages, value->offset, "'level' must be \"thread\" or \"warp\"");
  return FALSE;
}

/* 0: as many as a first launch counts. */
static gboolean
read_cap (TtNlCheck *self, const TtNlExpr *value, TtNlLevel level, guint64 *cap)
{
  *cap = 1;
  if (value == NULL)
    return TRUE;
  *cap = value->kind == TT_NL_EXPR_INTEGER ? value->value : 0;
  if (value->kind == TT_NL_EXPR_INTEGER && *cap >= 1 && *cap <= MOST_CAP)
    return TRUE;
  if (value->kind != TT_NL_EXPR_STRING || !g_str_equal (value->text, "dynamic"))
    tt_nl_error (self->messages, value->offset, "'cap' must be \"dynamic\" or a number from 1 to %u", MOST_CAP);
  else if (level == TT_NL_WARP)
    tt_nl_error (self->messages, value->offset, "cap=\"dynamic\" needs level=\"thread\"");
  else
    return TRUE;
  return FALSE;
}

/* -- probes --------------------------------------------------------------------------------------- */

/* Injectors look for each part as it stands: a blank around it would never be found, one within it hardly ever. */
static const char *
find_mistake (const char *part, gboolean is_alone)
{
  if (*part == '\0')
    return is_alone ? "is blank" : "has an empty part";
  if (g_str_equal (part, "kernel") && !is_alone)
    return "mixes \"kernel\" with instructions; write one probe for each";
  for (const char *c = part; *c != '\0'; c++)
    {
      if ((guchar) *c < ' ' || *c == '\177')
        return "has a control character";
      if (*c == ' ')
        return "has a blank within the name of an instruction, where none is found";
    }
  return NULL;
}

/* "kernel", or beginnings of instructions with ':' between. */
static gboolean
read_position (TtNlCheck *self, const TtNlExpr *value, TtNlProbe *probe)
{
  g_auto (GStrv) parts = g_strsplit (value->text, ":", -1);
  const char *why = parts[0] == NULL ? "is empty" : NULL;

  for (guint i = 0; parts[i] != NULL && why == NULL; i++)
    why = find_mistake (g_strstrip (parts[i]), parts[1] == NULL);
  g_autofree char *joined = g_strjoinv (":", parts);
  probe->position = tt_nl_arena_text (self->unit->arena, joined, strlen (joined));
  probe->is_kernel = g_str_equal (joined, "kernel");
  if (why != NULL)
    tt_nl_error (self->messages, value->offset, "'pos' %s", why);
  return why == NULL;
}

static gboolean
read_seed_probe (TtNlCheck *self, const TtNlItem *item, TtNlProbe *probe)
{
  Argument arguments[] = {
    { "pos", ARGUMENT_STRING, TRUE, NULL },  { "level", ARGUMENT_STRING, FALSE, NULL },
    { "after", ARGUMENT_BOOL, FALSE, NULL }, { "size", ARGUMENT_INTEGER, FALSE, NULL },
    { "cap", ARGUMENT_CAP, FALSE, NULL },
  };
  g_autofree char *decorator = g_strdup_printf ("%s.probe", self->space);

  if (!read_arguments (self, item, decorator, arguments, G_N_ELEMENTS (arguments)) ||
      !read_position (self, arguments[0].value, probe) || !read_level (self, arguments[1].value, &probe->level))
    return FALSE;
  probe->is_before = arguments[2].value == NULL || arguments[2].value->value == 0;
  probe->size = arguments[3].value == NULL ? 0 : arguments[3].value->value;
  if (probe->size > MOST_RECORD_BYTES)
    tt_nl_error (self->messages, arguments[3].value->offset, "'size' is more than %u bytes", MOST_RECORD_BYTES);
  else if (arguments[4].value != NULL && probe->size == 0)
    tt_nl_error (self->messages, arguments[4].value->offset, "'cap' says how many records of 'size' bytes there are");
  else if (read_cap (self, arguments[4].value, probe->level, &probe->cap))
    {
      if (probe->cap > 0 || !probe->is_kernel)
        return TRUE;
      tt_nl_error (self->messages, arguments[4].value->offset,
                   "cap=\"dynamic\" counts instructions: it needs a position that is not \"kernel\"");
    }
  return FALSE;
}

static gboolean
read_current_probe (TtNlCheck *self, const TtNlItem *item, TtNlProbe *probe)
{
  Argument arguments[] = {
    { "pos", ARGUMENT_STRING, TRUE, NULL },
    { "level", ARGUMENT_STRING, FALSE, NULL },
    { "before", ARGUMENT_BOOL, FALSE, NULL },
  };

  if (!read_arguments (self, item, self->probe_word, arguments, G_N_ELEMENTS (arguments)) ||
      !read_position (self, arguments[0].value, probe) || !read_level (self, arguments[1].value, &probe->level))
    return FALSE;
  probe->is_before = arguments[2].value != NULL && arguments[2].value->value != 0;
  return TRUE;
}

/* Which dialect @callee is the decorator of. */
static gboolean
find_dialect (const TtNlCheck *self, const TtNlExpr *callee, TtNlDialect *dialect)
{
  *dialect = TT_NL_SEED;
  if (g_strcmp0 (tt_nl_check_space_name (self, callee), "probe") == 0)
    return TRUE;
  *dialect = TT_NL_CURRENT;
  return callee->kind == TT_NL_EXPR_NAME && g_strcmp0 (callee->text, self->probe_word) == 0;
}

/* The first decorator of the file decides. */
static gboolean
agree_on_dialect (TtNlCheck *self, guint32 offset, TtNlDialect dialect)
{
  if (!self->has_dialect)
    {
      self->has_dialect = TRUE;
      self->unit->dialect = dialect;
    }
  if (self->unit->dialect == dialect)
    return TRUE;
  tt_nl_error (self->messages, offset,
               "the decorators of two dialects are mixed: use either @%s.probe, or @probe and @Map",
               self->space != NULL ? self->space : "nl");
  return FALSE;
}

static void
set_unknown_decorator (TtNlCheck *self, const TtNlExpr *decorator)
{
  const TtNlExpr *callee = decorator->kind == TT_NL_EXPR_CALL ? decorator->a : decorator;

  if (callee->kind == TT_NL_EXPR_NAME && (g_str_equal (callee->text, "probe") || g_str_equal (callee->text, "Map")))
    tt_nl_error (self->messages, decorator->offset, "'%s' is not imported: write 'from neutrino import probe, Map'",
                 callee->text);
  else if (callee->kind == TT_NL_EXPR_ATTRIBUTE && self->space == NULL)
    tt_nl_error (self->messages, decorator->offset,
                 "neutrino.language is not imported: write 'import neutrino.language as nl'");
  else
    tt_nl_error (self->messages, decorator->offset, "the decorator must be @%s.probe(...), @probe(...) or @Map(...)",
                 self->space != NULL ? self->space : "nl");
}

gboolean
tt_nl_check_probe_decorator (TtNlCheck *self, const TtNlItem *item, TtNlProbe *probe)
{
  const TtNlExpr *decorator = item->decorator;
  gboolean is_call = decorator->kind == TT_NL_EXPR_CALL;
  TtNlDialect dialect;

  if (!find_dialect (self, is_call ? decorator->a : decorator, &dialect))
    set_unknown_decorator (self, decorator);
  else if (!is_call)
    tt_nl_error (self->messages, decorator->offset, "the decorator needs arguments: (pos=..., level=...)");
  else if (agree_on_dialect (self, decorator->offset, dialect))
    return dialect == TT_NL_SEED ? read_seed_probe (self, item, probe) : read_current_probe (self, item, probe);
  return FALSE;
}

/* -- maps ------------------------------------------------------------------------------------------- */

gboolean
tt_nl_check_map_decorator (TtNlCheck *self, const TtNlItem *item, TtNlMap *map)
{
  Argument arguments[] = {
    { "level", ARGUMENT_STRING, TRUE, NULL },
    { "type", ARGUMENT_STRING, TRUE, NULL },
    { "size", ARGUMENT_INTEGER, TRUE, NULL },
    { "cap", ARGUMENT_CAP, FALSE, NULL },
  };
  const TtNlExpr *decorator = item->decorator, *callee = decorator;

  if (decorator->kind == TT_NL_EXPR_CALL)
    callee = decorator->a;
  if (callee->kind != TT_NL_EXPR_NAME || g_strcmp0 (callee->text, self->map_word) != 0)
    {
      set_unknown_decorator (self, decorator);
      return FALSE;
    }
  if (decorator->kind != TT_NL_EXPR_CALL)
    {
      tt_nl_error (self->messages, decorator->offset, "the decorator needs arguments: (level=..., type=..., size=...)");
      return FALSE;
    }
  if (!agree_on_dialect (self, decorator->offset, TT_NL_CURRENT) ||
      !read_arguments (self, item, self->map_word, arguments, G_N_ELEMENTS (arguments)) ||
      !read_level (self, arguments[0].value, &map->level))
    return FALSE;
  if (!g_str_equal (arguments[1].value->text, "array"))
    tt_nl_error (self->messages, arguments[1].value->offset, "'type' must be \"array\"");
  else if ((map->size = arguments[2].value->value) == 0 || map->size % 8 != 0 || map->size > MOST_RECORD_BYTES)
    tt_nl_error (self->messages, arguments[2].value->offset, "'size' must be a multiple of 8, up to %u",
                 MOST_RECORD_BYTES);
  else
    return read_cap (self, arguments[3].value, map->level, &map->cap);
  return FALSE;
}
