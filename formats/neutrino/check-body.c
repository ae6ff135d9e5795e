/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"

#include <string.h>

static void check_block (TtNlCheck *self, TtNlStatement *block);

/* Index + 1 of what is assigned, of which @statement knows then how many there are. 0: an error was reported. */
static guint
find_element (TtNlCheck *self, TtNlStatement *statement)
{
  guint first;

  if (!tt_nl_check_is_array (self, statement->target))
    {
      tt_nl_error (self->messages, statement->offset, "only a variable can be assigned");
      return 0;
    }
  if ((!statement->is_augmented && !tt_nl_check_value (self, statement->index)) ||
      !tt_nl_check_element (self, statement->target, statement->index, &first, &statement->n_elements))
    return 0;
  return first + 1;
}

static void
check_assign (TtNlCheck *self, TtNlStatement *statement)
{
  guint index = statement->index != NULL ? 0 : tt_nl_check_variable (self, statement->target, statement->offset);
  TtNlExpr *value = statement->value;
  gboolean is_good = tt_nl_check_any (self, value);

  if (statement->index != NULL && (is_good || !statement->is_augmented))
    index = find_element (self, statement);
  const TtNlVariable *variable = index == 0 ? NULL : tt_nl_unit_variable (self->unit, index - 1);
  if (!is_good || variable == NULL || variable->is_bad ||
      !tt_nl_check_fits (self, value, variable->width, statement->offset) ||
      !tt_nl_check_float_width (self, value, variable->width))
    return;
  statement->variable = index - 1;
  if (variable->width == TT_NL_U32 && value->width == TT_NL_U64)
    tt_nl_error (self->messages, statement->offset, "u64 value assigned to u32 variable '%s': write %s.u32(...)",
                 variable->name, self->space);
}

/* -- save ----------------------------------------------------------------------------------------- */

/* nl.save (VALUES, dtype=nl.u32) */
static void
check_seed_save (TtNlCheck *self, TtNlStatement *statement)
{
  TtNlArgument *values = statement->value->arguments, *dtype = values == NULL ? NULL : values->next;

  if (self->unit->dialect == TT_NL_CURRENT)
    {
      tt_nl_error (self->messages, statement->offset, "%s.save() goes with @%s.probe; here write MAP.save(...)",
                   self->space, self->space);
      return;
    }
  if (values == NULL || values->name != NULL || dtype == NULL || g_strcmp0 (dtype->name, "dtype") != 0 ||
      dtype->next != NULL || (statement->width = tt_nl_check_width (self, dtype->value)) == 0)
    {
      guint32 offset = dtype != NULL ? dtype->offset : statement->offset;
      tt_nl_error (self->messages, offset, "save() takes a value or several in brackets, and dtype=%s.u32 or %s.u64",
                   self->space, self->space);
      return;
    }
  statement->items = values->value->kind == TT_NL_EXPR_TUPLE ? values->value->arguments : values;
  if (values->value->kind == TT_NL_EXPR_TUPLE && statement->items == NULL)
    tt_nl_error (self->messages, values->offset, "nothing to save");
  for (TtNlArgument *item = statement->items; item != NULL; item = item == values ? NULL : item->next)
    if (tt_nl_check_any (self, item->value) && tt_nl_check_float_width (self, item->value, statement->width))
      tt_nl_check_fits (self, item->value, statement->width, item->value->offset);
  /* Behind a single value stands the width. */
  if (statement->items == values)
    values->next = NULL;
}

static gboolean
check_map_use (TtNlCheck *self, const TtNlStatement *statement, const TtNlMap *map)
{
  if (map->level != TT_NL_WARP || self->probe->level != TT_NL_THREAD)
    return TRUE;
  tt_nl_error (self->messages, statement->offset,
               "map '%s' has one buffer a warp, and probe '%s' runs in every thread: give both the same level",
               map->name, self->probe->name);
  return FALSE;
}

/* MAP.save (VALUES...) */
static void
check_map_save (TtNlCheck *self, TtNlStatement *statement, guint index)
{
  const TtNlMap *map = tt_nl_unit_map (self->unit, index);
  guint n = 0;

  if (map->is_bad || !check_map_use (self, statement, map))
    return;
  statement->map = index;
  statement->items = statement->value->arguments;
  for (TtNlArgument *item = statement->items; item != NULL; item = item->next, n++)
    {
      if (item->name != NULL)
        tt_nl_error (self->messages, item->offset, "save() of a map takes its values in the order of the fields");
      else if (tt_nl_check_any (self, item->value) && n < map->n_fields &&
               tt_nl_check_float_width (self, item->value, map->fields[map->field_of[n]].width))
        tt_nl_check_fits (self, item->value, map->fields[map->field_of[n]].width, item->value->offset);
    }
  if (n != map->n_fields)
    tt_nl_error (self->messages, statement->offset, "map '%s' has %u fields, and save() has %u values", map->name,
                 map->n_fields, n);
}

static void
check_call (TtNlCheck *self, TtNlStatement *statement)
{
  const TtNlExpr *callee = statement->value->kind == TT_NL_EXPR_CALL ? statement->value->a : NULL;
  guint index;

  if (callee == NULL)
    {
      if (tt_nl_check_condition (self, statement->value))
        tt_nl_error (self->messages, statement->offset, "Expr statement is not allowed in a probe");
      return;
    }
  if (g_strcmp0 (tt_nl_check_space_name (self, callee), "save") == 0)
    {
      check_seed_save (self, statement);
      return;
    }
  if (callee->kind == TT_NL_EXPR_ATTRIBUTE && callee->a->kind == TT_NL_EXPR_NAME && g_str_equal (callee->text, "save"))
    {
      index = GPOINTER_TO_UINT (g_hash_table_lookup (self->maps, callee->a->text));
      if (index != 0)
        check_map_save (self, statement, index - 1);
      else
        tt_nl_error (self->messages, statement->offset, "map '%s' is not declared", callee->a->text);
      return;
    }
  if (tt_nl_check_any (self, statement->value))
    tt_nl_error (self->messages, statement->offset, "Expr statement is not allowed in a probe");
}

/* -- blocks ------------------------------------------------------------------------------------------- */

static void
check_statement (TtNlCheck *self, TtNlStatement *statement)
{
  switch (statement->kind)
    {
    case TT_NL_STATEMENT_ASSIGN:
      check_assign (self, statement);
      break;
    case TT_NL_STATEMENT_CALL:
      check_call (self, statement);
      break;
    case TT_NL_STATEMENT_IF:
      tt_nl_check_condition (self, statement->value);
      check_block (self, statement->then);
      check_block (self, statement->otherwise);
      break;
    }
}

static void
check_block (TtNlCheck *self, TtNlStatement *block)
{
  for (TtNlStatement *statement = block; statement != NULL; statement = statement->next)
    check_statement (self, statement);
}

void
tt_nl_check_body (TtNlCheck *self, TtNlStatement *body)
{
  check_block (self, body);
}
