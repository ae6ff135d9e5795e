/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/lower.h"

#include "formats/neutrino/syntax.h"

#include <string.h>

typedef struct
{
  TtNlUnit *unit;
  TtNlCode *code;
  guint n_before;    /* instructions of the probes before */
  guint32 offset;    /* of the statement */
  guint8 *is_copied; /* variables whose copy is made in this run of saves */
} Lowering;

static TtNlOperand lower_value (Lowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination);
static TtNlOperand lower_condition (Lowering *self, const TtNlExpr *expr);
static void lower_block (Lowering *self, const TtNlStatement *block);

static const TtNlOperand nowhere = { .kind = TT_NL_NONE };

/* -- instructions --------------------------------------------------------------------------------- */

static void
add_step (Lowering *self, TtNlOp op, guint width, TtNlOperand d, TtNlOperand a, TtNlOperand b)
{
  TtNlInstruction instruction = { .op = op, .width = width, .d = d, .a = a, .b = b, .map = -1, .offset = self->offset };

  g_array_append_val (self->code->list, instruction);
}

static TtNlOperand
new_temporary (Lowering *self, guint width)
{
  TtNlOperand operand = { .kind = width == TT_NL_U32 ? TT_NL_NARROW : TT_NL_WIDE };

  operand.index = width == TT_NL_U32 ? self->code->n_narrow++ : self->code->n_wide++;
  return operand;
}

static TtNlOperand
new_predicate (Lowering *self)
{
  return (TtNlOperand){ .kind = TT_NL_PREDICATE, .index = self->code->n_predicates++ };
}

/* @wanted, or a temporary when there is none. */
static TtNlOperand
place (Lowering *self, TtNlOperand wanted, guint width)
{
  return wanted.kind != TT_NL_NONE ? wanted : new_temporary (self, width);
}

static TtNlOperand
constant (guint64 value)
{
  return (TtNlOperand){ .kind = TT_NL_VALUE, .value = value };
}

/* Registers of the instruction that was found may be of any type: they are read by a move alone. */
static TtNlOperand
fetch (Lowering *self, TtNlOperand operand, guint width)
{
  if (operand.kind != TT_NL_OPERAND || operand.index == TT_NL_BYTES)
    return operand;
  TtNlOperand copy = new_temporary (self, width);
  add_step (self, TT_NL_MOV, width, copy, operand, nowhere);
  return copy;
}

static TtNlOperand
in_register (Lowering *self, TtNlOperand operand, guint width)
{
  if (tt_nl_operand_is_register (&operand))
    return operand;
  TtNlOperand copy = new_temporary (self, width);
  add_step (self, TT_NL_MOV, width, copy, operand, nowhere);
  return copy;
}

/* -- values ------------------------------------------------------------------------------------------- */

/* The width in which @expr is computed when @width is asked for. */
static guint
own_width (const TtNlExpr *expr, guint width)
{
  return expr->width != 0 ? expr->width : width;
}

/* @operand of @from bits as one of @to bits. */
static TtNlOperand
convert (Lowering *self, TtNlOperand operand, guint from, guint to, TtNlOperand destination)
{
  operand.value &= tt_nl_mask (to);
  if (from == to || operand.kind == TT_NL_VALUE)
    return operand;
  if (operand.kind == TT_NL_OPERAND && operand.index == TT_NL_BYTES)
    return operand;
  operand = fetch (self, operand, from);
  TtNlOperand converted = place (self, destination, to);
  add_step (self, from == TT_NL_U32 ? TT_NL_ZEXT : TT_NL_TRUNC, to, converted, operand, nowhere);
  return converted;
}

/* Both in @width bits, computed before either is converted. */
static void
lower_pair (Lowering *self, const TtNlExpr *left, const TtNlExpr *right, guint width, TtNlOperand *a, TtNlOperand *b)
{
  guint left_width = own_width (left, width), right_width = own_width (right, width);

  *a = fetch (self, lower_value (self, left, left_width, nowhere), left_width);
  *b = fetch (self, lower_value (self, right, right_width, nowhere), right_width);
  *a = convert (self, *a, left_width, width, nowhere);
  *b = convert (self, *b, right_width, width, nowhere);
}

static TtNlOperand
lower_binary (Lowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  gboolean is_shift = expr->op == TT_NL_SHL || expr->op == TT_NL_SHR;
  TtNlOperand a, b;

  if (is_shift)
    {
      guint count_width = own_width (expr->b, TT_NL_U32);

      a = fetch (self, lower_value (self, expr->a, width, nowhere), width);
      b = fetch (self, lower_value (self, expr->b, count_width, nowhere), count_width);
      b = convert (self, b, count_width, TT_NL_U32, nowhere);
      /* Of a constant that has become one of 32 bits. */
      if (b.kind == TT_NL_VALUE && b.value >= width)
        return constant (0);
    }
  else
    lower_pair (self, expr->a, expr->b, width, &a, &b);
  if (!tt_nl_operand_is_register (&a) && !tt_nl_operand_is_register (&b))
    a = in_register (self, a, width);
  TtNlOperand d = place (self, destination, width);
  add_step (self, expr->op, width, d, a, b);
  return d;
}

static void
add_selection (Lowering *self, guint width, TtNlOperand d, TtNlOperand condition, TtNlOperand b, TtNlOperand c)
{
  TtNlInstruction instruction = {
    .op = TT_NL_SEL,
    .width = width,
    .d = d,
    .a = condition,
    .b = b,
    .c = c,
    .map = -1,
    .offset = self->offset,
  };

  g_array_append_val (self->code->list, instruction);
}

static TtNlOperand
lower_choice (Lowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  TtNlOperand condition = lower_condition (self, expr->c), a, b;

  lower_pair (self, expr->a, expr->b, width, &a, &b);
  TtNlOperand d = place (self, destination, width);
  add_selection (self, width, d, condition, a, b);
  return d;
}

static TtNlOperand
lower_cast (Lowering *self, const TtNlExpr *expr, TtNlOperand destination)
{
  const TtNlExpr *inner = expr->a;
  guint from = own_width (inner, expr->width);

  /* A register of the instruction is read in the width that is asked for, an address in its own. */
  if (inner->kind == TT_NL_EXPR_HELPER && inner->value != TT_NL_BYTES && inner->value != TT_NL_ADDR &&
      expr->width == TT_NL_U32)
    {
      TtNlOperand d = place (self, destination, TT_NL_U32), register_read = { .kind = TT_NL_OPERAND };
      register_read.index = (guint) inner->value;
      register_read.is_float = expr->reads_float;
      add_step (self, TT_NL_MOV, TT_NL_U32, d, register_read, nowhere);
      return d;
    }
  TtNlOperand operand = lower_value (self, inner, from, from == expr->width ? destination : nowhere);
  operand.is_float |= expr->reads_float;
  return convert (self, operand, from, expr->width, destination);
}

static TtNlOperand
compare_element (Lowering *self, guint width, TtNlOperand index, guint element)
{
  TtNlOperand d = new_predicate (self);

  add_step (self, TT_NL_CMP_EQ, width, d, index, constant (element));
  return d;
}

/* In a temporary, for an element may be what says which. */
static TtNlOperand
lower_index (Lowering *self, const TtNlExpr *index, guint *width)
{
  *width = own_width (index, TT_NL_U64);
  TtNlOperand value = fetch (self, lower_value (self, index, *width, nowhere), *width);

  if (value.kind == TT_NL_WIDE || value.kind == TT_NL_NARROW)
    return value;
  TtNlOperand copy = new_temporary (self, *width);
  add_step (self, TT_NL_MOV, *width, copy, value, nowhere);
  return copy;
}

/* Each is asked; what is none of them is 0. */
static TtNlOperand
lower_element (Lowering *self, const TtNlExpr *expr)
{
  guint width;
  TtNlOperand index = lower_index (self, expr->b, &width), found = constant (0);

  for (guint i = 0; i < expr->most; i++)
    {
      TtNlOperand element = { .kind = TT_NL_VARIABLE, .index = (guint) expr->value + i };
      TtNlOperand condition = compare_element (self, width, index, i), d = new_temporary (self, expr->width);

      add_selection (self, expr->width, d, condition, element, found);
      found = d;
    }
  return found;
}

static TtNlOperand
lower_apply (Lowering *self, const TtNlExpr *expr, TtNlOperand destination)
{
  guint own = own_width (expr->a, TT_NL_U64);
  TtNlOperand a, d;

  if (expr->op == TT_NL_BALLOT)
    a = lower_condition (self, expr->a);
  else if (expr->op == TT_NL_SEXT && expr->a->kind == TT_NL_EXPR_HELPER && expr->a->value != TT_NL_BYTES &&
           expr->a->value != TT_NL_ADDR)
    a = fetch (self, (TtNlOperand){ .kind = TT_NL_OPERAND, .index = (guint) expr->a->value }, own = TT_NL_U32);
  else
    a = in_register (self, fetch (self, lower_value (self, expr->a, own, nowhere), own), own);
  if (expr->op == TT_NL_SEXT)
    a = convert (self, a, own, TT_NL_U32, nowhere);
  d = place (self, destination, expr->width);
  gboolean has_own = expr->op == TT_NL_POPC || tt_nl_ops[expr->op].is_float;
  add_step (self, expr->op, has_own ? own : expr->width, d, a, nowhere);
  return d;
}

/* In its own width, which is @width if it has none. A plain value is returned as it is, whatever the destination. */
static TtNlOperand
lower_own (Lowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  TtNlOperand d, a;

  switch (expr->kind)
    {
    case TT_NL_EXPR_INTEGER:
      return constant (expr->value);
    case TT_NL_EXPR_VARIABLE:
      return (TtNlOperand){ .kind = TT_NL_VARIABLE, .index = (guint) expr->value };
    case TT_NL_EXPR_HELPER:
      return (TtNlOperand){ .kind = TT_NL_OPERAND, .index = (guint) expr->value };
    case TT_NL_EXPR_FUNCTION:
      d = place (self, destination, width);
      add_step (self, expr->op, width, d, nowhere, nowhere);
      return d;
    case TT_NL_EXPR_APPLY:
      return lower_apply (self, expr, destination);
    case TT_NL_EXPR_ELEMENT:
      return lower_element (self, expr);
    case TT_NL_EXPR_CAST:
      return lower_cast (self, expr, destination);
    case TT_NL_EXPR_UNARY:
      a = fetch (self, lower_value (self, expr->a, width, nowhere), width);
      a = in_register (self, a, width);
      d = place (self, destination, width);
      add_step (self, expr->op, width, d, a, nowhere);
      return d;
    case TT_NL_EXPR_BINARY:
      return lower_binary (self, expr, width, destination);
    case TT_NL_EXPR_CHOICE:
      return lower_choice (self, expr, width, destination);
    default:
      g_assert_not_reached ();
    }
}

/* In @width bits. The result is in @destination only if something had to be computed. */
static TtNlOperand
lower_value (Lowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  guint own = own_width (expr, width);
  TtNlOperand operand = lower_own (self, expr, own, own == width ? destination : nowhere);

  return convert (self, operand, own, width, destination);
}

/* -- conditions --------------------------------------------------------------------------------------- */

static TtNlOp
swap_sides (TtNlOp op)
{
  switch (op)
    {
    case TT_NL_CMP_LT:
      return TT_NL_CMP_GT;
    case TT_NL_CMP_LE:
      return TT_NL_CMP_GE;
    case TT_NL_CMP_GT:
      return TT_NL_CMP_LT;
    case TT_NL_CMP_GE:
      return TT_NL_CMP_LE;
    default:
      return op;
    }
}

static TtNlOperand
compare (Lowering *self, TtNlOp op, guint width, TtNlOperand a, TtNlOperand b)
{
  if (!tt_nl_operand_is_register (&a) && tt_nl_operand_is_register (&b))
    {
      TtNlOperand left = a;

      a = b;
      b = left;
      op = swap_sides (op);
    }
  a = in_register (self, a, width);
  TtNlOperand d = new_predicate (self);
  add_step (self, op, width, d, a, b);
  return d;
}

/* Of floats, whose constants are in registers, too. */
static TtNlOperand
compare_floats (Lowering *self, TtNlOp op, guint width, TtNlOperand a, TtNlOperand b)
{
  a = in_register (self, a, width);
  b = in_register (self, b, width);
  TtNlOperand d = new_predicate (self);
  add_step (self, op, width, d, a, b);
  return d;
}

static TtNlOperand
lower_condition (Lowering *self, const TtNlExpr *expr)
{
  TtNlOperand a, b, d;
  guint width;

  switch (expr->kind)
    {
    case TT_NL_EXPR_AND:
    case TT_NL_EXPR_OR:
      a = lower_condition (self, expr->a);
      b = lower_condition (self, expr->b);
      d = new_predicate (self);
      add_step (self, expr->kind == TT_NL_EXPR_AND ? TT_NL_PAND : TT_NL_POR, TT_NL_U64, d, a, b);
      return d;
    case TT_NL_EXPR_NOT:
      a = lower_condition (self, expr->a);
      d = new_predicate (self);
      add_step (self, TT_NL_PNOT, TT_NL_U64, d, a, nowhere);
      return d;
    case TT_NL_EXPR_COMPARE:
      lower_pair (self, expr->a, expr->b, expr->width, &a, &b);
      return expr->is_float ? compare_floats (self, TT_NL_FLOAT_EQ + (expr->op - TT_NL_CMP_EQ), expr->width, a, b)
                            : compare (self, expr->op, expr->width, a, b);
    default:
      width = own_width (expr, TT_NL_U64);
      a = fetch (self, lower_value (self, expr, width, nowhere), width);
      return expr->is_float ? compare_floats (self, TT_NL_FLOAT_NE, width, a, constant (0))
                            : compare (self, TT_NL_CMP_NE, width, a, constant (0));
    }
}

/* -- saves ---------------------------------------------------------------------------------------------- */

/* A variable of 64 bits is cut in a register that has a name. */
static TtNlOperand
lower_copy (Lowering *self, guint variable)
{
  TtNlOperand from = { .kind = TT_NL_VARIABLE, .index = variable };
  TtNlOperand copy = { .kind = TT_NL_COPY, .index = variable };

  tt_nl_unit_copy_name (self->unit, variable);
  if (!self->is_copied[variable])
    add_step (self, TT_NL_TRUNC, TT_NL_U32, copy, from, nowhere);
  self->is_copied[variable] = TRUE;
  return copy;
}

static TtNlOperand
lower_seed_item (Lowering *self, const TtNlExpr *expr, guint width)
{
  if (width == TT_NL_U32 && expr->kind == TT_NL_EXPR_FUNCTION && expr->op == TT_NL_SMID)
    return (TtNlOperand){ .kind = TT_NL_UNIT_ID };
  if (width == TT_NL_U32 && expr->kind == TT_NL_EXPR_VARIABLE && expr->width == TT_NL_U64)
    return lower_copy (self, (guint) expr->value);
  return fetch (self, lower_value (self, expr, width, nowhere), width);
}

/* Who expands the save cuts what goes to a field of 32 bits. */
static TtNlOperand
lower_map_item (Lowering *self, const TtNlExpr *expr, guint width)
{
  if (width == TT_NL_U32 && expr->width == TT_NL_U64)
    width = TT_NL_U64;
  return fetch (self, lower_value (self, expr, width, nowhere), width);
}

static void
lower_items (Lowering *self, const TtNlStatement *statement, TtNlInstruction *save)
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
is_too_long (Lowering *self)
{
  return self->n_before + self->code->list->len > TT_NL_MAX_INSTRUCTIONS;
}

/* Saves from @first on that follow one another; returns the last. */
static const TtNlStatement *
lower_saves (Lowering *self, const TtNlStatement *first)
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
lower_assign_element (Lowering *self, const TtNlStatement *statement)
{
  guint width = tt_nl_unit_variable (self->unit, statement->variable)->width, index_width;
  TtNlOperand value = fetch (self, lower_value (self, statement->value, width, nowhere), width);
  TtNlOperand index = lower_index (self, statement->index, &index_width);

  for (guint i = 0; i < statement->n_elements; i++)
    {
      TtNlOperand element = { .kind = TT_NL_VARIABLE, .index = statement->variable + i };
      add_selection (self, width, element, compare_element (self, index_width, index, i), value, element);
    }
}

static void
lower_assign (Lowering *self, const TtNlStatement *statement)
{
  TtNlOperand target = { .kind = TT_NL_VARIABLE, .index = statement->variable };
  guint width = tt_nl_unit_variable (self->unit, statement->variable)->width;
  guint before = self->code->list->len;
  TtNlOperand value = lower_value (self, statement->value, width, target);
  gboolean is_there = value.kind == TT_NL_VARIABLE && value.index == target.index && self->code->list->len > before;

  if (!is_there)
    add_step (self, TT_NL_MOV, width, target, value, nowhere);
}

static void
lower_if (Lowering *self, const TtNlStatement *statement)
{
  TtNlOperand condition = lower_condition (self, statement->value);

  add_step (self, TT_NL_IF, TT_NL_U64, nowhere, condition, nowhere);
  lower_block (self, statement->then);
  if (statement->otherwise != NULL)
    {
      self->offset = statement->offset;
      add_step (self, TT_NL_ELSE, TT_NL_U64, nowhere, nowhere, nowhere);
      lower_block (self, statement->otherwise);
    }
  self->offset = statement->offset;
  add_step (self, TT_NL_ENDIF, TT_NL_U64, nowhere, nowhere, nowhere);
}

static void
lower_block (Lowering *self, const TtNlStatement *block)
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
  Lowering self = { .unit = unit };

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
