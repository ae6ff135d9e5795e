/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/lower.h"

#include "formats/neutrino/lower-value.h"

#include <string.h>

static void lower_block (TtNlLowering *self, const TtNlStatement *block);

/* -- saves ---------------------------------------------------------------------------------------------- */

/* A variable of 64 bits is cut in a register that has a name. */
static TtNlOperand
lower_copy (TtNlLowering *self, guint variable)
{
  TtNlOperand from = { .kind = TT_NL_VARIABLE, .index = variable };
  TtNlOperand copy = { .kind = TT_NL_COPY, .index = variable };

  tt_nl_unit_copy_name (self->unit, variable);
  if (!self->is_copied[variable])
    tt_nl_add_step (self, TT_NL_TRUNC, TT_NL_U32, copy, from, tt_nl_nowhere);
  self->is_copied[variable] = TRUE;
  return copy;
}

static TtNlOperand
lower_seed_item (TtNlLowering *self, const TtNlExpr *expr, guint width)
{
  if (width == TT_NL_U32 && expr->kind == TT_NL_EXPR_FUNCTION && expr->op == TT_NL_SMID)
    return (TtNlOperand){ .kind = TT_NL_UNIT_ID };
  if (width == TT_NL_U32 && expr->kind == TT_NL_EXPR_VARIABLE && expr->width == TT_NL_U64)
    return lower_copy (self, (guint) expr->value);
  return tt_nl_fetch (self, tt_nl_lower_value (self, expr, width, tt_nl_nowhere), width);
}

/* Who expands the save cuts what goes to a field of 32 bits. */
static TtNlOperand
lower_map_item (TtNlLowering *self, const TtNlExpr *expr, guint width)
{
  if (width == TT_NL_U32 && expr->width == TT_NL_U64)
    width = TT_NL_U64;
  return tt_nl_fetch (self, tt_nl_lower_value (self, expr, width, tt_nl_nowhere), width);
}

static void
lower_items (TtNlLowering *self, const TtNlStatement *statement, TtNlInstruction *save)
{
  const TtNlMap *map = save->map < 0 ? NULL : tt_nl_unit_map (self->unit, (guint) save->map);
  guint n = 0;

  for (const TtNlArgument *item = statement->items; item != NULL; item = item->next)
    save->n_items++;
  save->items = tt_nl_arena_alloc (self->unit->arena, save->n_items * sizeof *save->items);
  self->offset = statement->offset;
  for (const TtNlArgument *item = statement->items; item != NULL; item = item->next, n++)
    if (map == NULL)
      save->items[n] = lower_seed_item (self, item->value, save->width);
    else
      save->items[map->field_of[n]] = lower_map_item (self, item->value, map->fields[map->field_of[n]].width);
}

/* A short source can become a very long list: what follows is left out. */
static gboolean
is_too_long (TtNlLowering *self)
{
  return self->n_before + self->code->list->len > TT_NL_MAX_INSTRUCTIONS;
}

/* Saves from @first on that follow one another; returns the last. */
static const TtNlStatement *
lower_saves (TtNlLowering *self, const TtNlStatement *first)
{
  g_autoptr (GArray) saves = g_array_new (FALSE, TRUE, sizeof (TtNlInstruction));
  const TtNlStatement *last = first;
  gboolean is_seed = self->unit->dialect == TT_NL_SEED;

  memset (self->is_copied, 0, self->unit->variables->len);
  for (const TtNlStatement *statement = first; statement != NULL && statement->kind == TT_NL_STATEMENT_CALL;
       statement = statement->next)
    {
      TtNlInstruction save = {
        .op = TT_NL_SAVE,
        .width = is_seed ? statement->width : TT_NL_U64,
        .map = is_seed ? -1 : (int) statement->map,
        .offset = statement->offset,
      };

      lower_items (self, statement, &save);
      g_array_append_val (saves, save);
      last = statement;
    }
  g_array_append_vals (self->code->list, saves->data, saves->len);
  return last;
}

/* -- statements ----------------------------------------------------------------------------------------- */

/* Each element keeps its value unless it is meant. */
static void
lower_assign_element (TtNlLowering *self, const TtNlStatement *statement)
{
  guint width = tt_nl_unit_variable (self->unit, statement->variable)->width, index_width;
  TtNlOperand value = tt_nl_fetch (self, tt_nl_lower_value (self, statement->value, width, tt_nl_nowhere), width);
  TtNlOperand index = tt_nl_lower_index (self, statement->index, &index_width);

  for (guint i = 0; i < statement->n_elements; i++)
    {
      TtNlOperand element = { .kind = TT_NL_VARIABLE, .index = statement->variable + i };
      tt_nl_add_selection (self, width, element, tt_nl_compare_element (self, index_width, index, i), value, element);
    }
}

static void
lower_assign (TtNlLowering *self, const TtNlStatement *statement)
{
  TtNlOperand target = { .kind = TT_NL_VARIABLE, .index = statement->variable };
  guint width = tt_nl_unit_variable (self->unit, statement->variable)->width;
  guint before = self->code->list->len;
  TtNlOperand value = tt_nl_lower_value (self, statement->value, width, target);
  gboolean is_there = value.kind == TT_NL_VARIABLE && value.index == target.index && self->code->list->len > before;

  if (!is_there)
    tt_nl_add_step (self, TT_NL_MOV, width, target, value, tt_nl_nowhere);
}

static void
lower_if (TtNlLowering *self, const TtNlStatement *statement)
{
  TtNlOperand condition = tt_nl_lower_condition (self, statement->value);

  tt_nl_add_step (self, TT_NL_IF, TT_NL_U64, tt_nl_nowhere, condition, tt_nl_nowhere);
  lower_block (self, statement->then);
  if (statement->otherwise != NULL)
    {
      self->offset = statement->offset;
      tt_nl_add_step (self, TT_NL_ELSE, TT_NL_U64, tt_nl_nowhere, tt_nl_nowhere, tt_nl_nowhere);
      lower_block (self, statement->otherwise);
    }
  self->offset = statement->offset;
  tt_nl_add_step (self, TT_NL_ENDIF, TT_NL_U64, tt_nl_nowhere, tt_nl_nowhere, tt_nl_nowhere);
}

static void
lower_block (TtNlLowering *self, const TtNlStatement *block)
{
  for (const TtNlStatement *statement = block; statement != NULL && !is_too_long (self); statement = statement->next)
    {
      self->offset = statement->offset;
      if (statement->kind == TT_NL_STATEMENT_ASSIGN && statement->n_elements > 0)
        lower_assign_element (self, statement);
      else if (statement->kind == TT_NL_STATEMENT_ASSIGN)
        lower_assign (self, statement);
      else if (statement->kind == TT_NL_STATEMENT_IF)
        lower_if (self, statement);
      else
        statement = lower_saves (self, statement);
    }
}

void
tt_nl_lower (TtNlUnit *unit)
{
  TtNlLowering self = { .unit = unit };

  self.is_copied = tt_nl_arena_alloc (unit->arena, unit->variables->len);
  for (guint i = 0; i < unit->probes->len; i++)
    {
      TtNlProbe *probe = tt_nl_unit_probe (unit, i);

      self.code = probe->code = tt_nl_code_new ();
      lower_block (&self, probe->body);
      if (is_too_long (&self))
        {
          tt_nl_error (unit->messages, self.offset, "the probes take more than %u instructions: make them smaller",
                       TT_NL_MAX_INSTRUCTIONS);
          return;
        }
      self.n_before += self.code->list->len;
    }
}
