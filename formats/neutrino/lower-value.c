/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/lower-value.h"

const TtNlOperand tt_nl_nowhere = { .kind = TT_NL_NONE };

/* -- instructions --------------------------------------------------------------------------------- */

void
tt_nl_add_step (TtNlLowering *self, TtNlOp op, guint width, TtNlOperand d, TtNlOperand a, TtNlOperand b)
{
  TtNlInstruction instruction = { .op = op, .width = width, .d = d, .a = a, .b = b, .map = -1, .offset = self->offset };

  g_array_append_val (self->code->list, instruction);
}

static TtNlOperand
new_temporary (TtNlLowering *self, guint width)
{
  TtNlOperand operand = { .kind = width == TT_NL_U32 ? TT_NL_NARROW : TT_NL_WIDE };

  operand.index = width == TT_NL_U32 ? self->code->n_narrow++ : self->code->n_wide++;
  return operand;
}

static TtNlOperand
new_predicate (TtNlLowering *self)
{
  return (TtNlOperand){ .kind = TT_NL_PREDICATE, .index = self->code->n_predicates++ };
}

/* @wanted, or a temporary when there is none. */
static TtNlOperand
place (TtNlLowering *self, TtNlOperand wanted, guint width)
{
  return wanted.kind != TT_NL_NONE ? wanted : new_temporary (self, width);
}

static TtNlOperand
constant (guint64 value)
{
  return (TtNlOperand){ .kind = TT_NL_VALUE, .value = value };
}

TtNlOperand
tt_nl_fetch (TtNlLowering *self, TtNlOperand operand, guint width)
{
  if (operand.kind != TT_NL_OPERAND || operand.index == TT_NL_BYTES)
    return operand;
  TtNlOperand copy = new_temporary (self, width);
  tt_nl_add_step (self, TT_NL_MOV, width, copy, operand, tt_nl_nowhere);
  return copy;
}

static TtNlOperand
in_register (TtNlLowering *self, TtNlOperand operand, guint width)
{
  if (tt_nl_operand_is_register (&operand))
    return operand;
  TtNlOperand copy = new_temporary (self, width);
  tt_nl_add_step (self, TT_NL_MOV, width, copy, operand, tt_nl_nowhere);
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
convert (TtNlLowering *self, TtNlOperand operand, guint from, guint to, TtNlOperand destination)
{
  operand.value &= tt_nl_mask (to);
  if (from == to || operand.kind == TT_NL_VALUE)
    return operand;
  if (operand.kind == TT_NL_OPERAND && operand.index == TT_NL_BYTES)
    return operand;
  operand = tt_nl_fetch (self, operand, from);
  TtNlOperand converted = place (self, destination, to);
  tt_nl_add_step (self, from == TT_NL_U32 ? TT_NL_ZEXT : TT_NL_TRUNC, to, converted, operand, tt_nl_nowhere);
  return converted;
}

/* Both in @width bits, computed before either is converted. */
static void
lower_pair (TtNlLowering *self,
            const TtNlExpr *left,
            const TtNlExpr *right,
            guint width,
            TtNlOperand *a,
            TtNlOperand *b)
{
  guint left_width = own_width (left, width), right_width = own_width (right, width);

  *a = tt_nl_fetch (self, tt_nl_lower_value (self, left, left_width, tt_nl_nowhere), left_width);
  *b = tt_nl_fetch (self, tt_nl_lower_value (self, right, right_width, tt_nl_nowhere), right_width);
  *a = convert (self, *a, left_width, width, tt_nl_nowhere);
  *b = convert (self, *b, right_width, width, tt_nl_nowhere);
}

static TtNlOperand
lower_binary (TtNlLowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  gboolean is_shift = expr->op == TT_NL_SHL || expr->op == TT_NL_SHR;
  TtNlOperand a, b;

  if (is_shift)
    {
      guint count_width = own_width (expr->b, TT_NL_U32);

      a = tt_nl_fetch (self, tt_nl_lower_value (self, expr->a, width, tt_nl_nowhere), width);
      b = tt_nl_fetch (self, tt_nl_lower_value (self, expr->b, count_width, tt_nl_nowhere), count_width);
      b = convert (self, b, count_width, TT_NL_U32, tt_nl_nowhere);
      /* Of a constant that has become one of 32 bits. */
      if (b.kind == TT_NL_VALUE && b.value >= width)
        return constant (0);
    }
  else
    lower_pair (self, expr->a, expr->b, width, &a, &b);
  if (!tt_nl_operand_is_register (&a) && !tt_nl_operand_is_register (&b))
    a = in_register (self, a, width);
  TtNlOperand d = place (self, destination, width);
  tt_nl_add_step (self, expr->op, width, d, a, b);
  return d;
}

void
tt_nl_add_selection (TtNlLowering *self,
                     guint width,
                     TtNlOperand d,
                     TtNlOperand condition,
                     TtNlOperand b,
                     TtNlOperand c)
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
lower_choice (TtNlLowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  TtNlOperand condition = tt_nl_lower_condition (self, expr->c), a, b;

  lower_pair (self, expr->a, expr->b, width, &a, &b);
  TtNlOperand d = place (self, destination, width);
  tt_nl_add_selection (self, width, d, condition, a, b);
  return d;
}

static TtNlOperand
lower_cast (TtNlLowering *self, const TtNlExpr *expr, TtNlOperand destination)
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
      tt_nl_add_step (self, TT_NL_MOV, TT_NL_U32, d, register_read, tt_nl_nowhere);
      return d;
    }
  TtNlOperand operand = tt_nl_lower_value (self, inner, from, from == expr->width ? destination : tt_nl_nowhere);
  operand.is_float |= expr->reads_float;
  return convert (self, operand, from, expr->width, destination);
}

TtNlOperand
tt_nl_compare_element (TtNlLowering *self, guint width, TtNlOperand index, guint element)
{
  TtNlOperand d = new_predicate (self);

  tt_nl_add_step (self, TT_NL_CMP_EQ, width, d, index, constant (element));
  return d;
}

TtNlOperand
tt_nl_lower_index (TtNlLowering *self, const TtNlExpr *index, guint *width)
{
  *width = own_width (index, TT_NL_U64);
  TtNlOperand value = tt_nl_fetch (self, tt_nl_lower_value (self, index, *width, tt_nl_nowhere), *width);

  if (value.kind == TT_NL_WIDE || value.kind == TT_NL_NARROW)
    return value;
  TtNlOperand copy = new_temporary (self, *width);
  tt_nl_add_step (self, TT_NL_MOV, *width, copy, value, tt_nl_nowhere);
  return copy;
}

/* Each is asked; what is none of them is 0. */
static TtNlOperand
lower_element (TtNlLowering *self, const TtNlExpr *expr)
{
  guint width;
  TtNlOperand index = tt_nl_lower_index (self, expr->b, &width), found = constant (0);

  for (guint i = 0; i < expr->most; i++)
    {
      TtNlOperand element = { .kind = TT_NL_VARIABLE, .index = (guint) expr->value + i };
      TtNlOperand condition = tt_nl_compare_element (self, width, index, i), d = new_temporary (self, expr->width);

      tt_nl_add_selection (self, expr->width, d, condition, element, found);
      found = d;
    }
  return found;
}

static TtNlOperand
lower_apply (TtNlLowering *self, const TtNlExpr *expr, TtNlOperand destination)
{
  guint own = own_width (expr->a, TT_NL_U64);
  TtNlOperand a, d;

  if (expr->op == TT_NL_BALLOT)
    a = tt_nl_lower_condition (self, expr->a);
  else if (expr->op == TT_NL_SEXT && expr->a->kind == TT_NL_EXPR_HELPER && expr->a->value != TT_NL_BYTES &&
           expr->a->value != TT_NL_ADDR)
    a = tt_nl_fetch (self, (TtNlOperand){ .kind = TT_NL_OPERAND, .index = (guint) expr->a->value }, own = TT_NL_U32);
  else
    a = in_register (self, tt_nl_fetch (self, tt_nl_lower_value (self, expr->a, own, tt_nl_nowhere), own), own);
  if (expr->op == TT_NL_SEXT)
    a = convert (self, a, own, TT_NL_U32, tt_nl_nowhere);
  d = place (self, destination, expr->width);
  gboolean has_own = expr->op == TT_NL_POPC || tt_nl_ops[expr->op].is_float;
  tt_nl_add_step (self, expr->op, has_own ? own : expr->width, d, a, tt_nl_nowhere);
  return d;
}

/* In its own width, which is @width if it has none. A plain value is returned as it is, whatever the destination. */
static TtNlOperand
lower_own (TtNlLowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
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
      tt_nl_add_step (self, expr->op, width, d, tt_nl_nowhere, tt_nl_nowhere);
      return d;
    case TT_NL_EXPR_APPLY:
      return lower_apply (self, expr, destination);
    case TT_NL_EXPR_ELEMENT:
      return lower_element (self, expr);
    case TT_NL_EXPR_CAST:
      return lower_cast (self, expr, destination);
    case TT_NL_EXPR_UNARY:
      a = tt_nl_fetch (self, tt_nl_lower_value (self, expr->a, width, tt_nl_nowhere), width);
      a = in_register (self, a, width);
      d = place (self, destination, width);
      tt_nl_add_step (self, expr->op, width, d, a, tt_nl_nowhere);
      return d;
    case TT_NL_EXPR_BINARY:
      return lower_binary (self, expr, width, destination);
    case TT_NL_EXPR_CHOICE:
      return lower_choice (self, expr, width, destination);
    default:
      g_assert_not_reached ();
    }
}

TtNlOperand
tt_nl_lower_value (TtNlLowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination)
{
  guint own = own_width (expr, width);
  TtNlOperand operand = lower_own (self, expr, own, own == width ? destination : tt_nl_nowhere);

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
compare (TtNlLowering *self, TtNlOp op, guint width, TtNlOperand a, TtNlOperand b)
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
  tt_nl_add_step (self, op, width, d, a, b);
  return d;
}

/* Of floats, whose constants are in registers, too. */
static TtNlOperand
compare_floats (TtNlLowering *self, TtNlOp op, guint width, TtNlOperand a, TtNlOperand b)
{
  a = in_register (self, a, width);
  b = in_register (self, b, width);
  TtNlOperand d = new_predicate (self);
  tt_nl_add_step (self, op, width, d, a, b);
  return d;
}

TtNlOperand
tt_nl_lower_condition (TtNlLowering *self, const TtNlExpr *expr)
{
  TtNlOperand a, b, d;
  guint width;

  switch (expr->kind)
    {
    case TT_NL_EXPR_AND:
    case TT_NL_EXPR_OR:
      a = tt_nl_lower_condition (self, expr->a);
      b = tt_nl_lower_condition (self, expr->b);
      d = new_predicate (self);
      tt_nl_add_step (self, expr->kind == TT_NL_EXPR_AND ? TT_NL_PAND : TT_NL_POR, TT_NL_U64, d, a, b);
      return d;
    case TT_NL_EXPR_NOT:
      a = tt_nl_lower_condition (self, expr->a);
      d = new_predicate (self);
      tt_nl_add_step (self, TT_NL_PNOT, TT_NL_U64, d, a, tt_nl_nowhere);
      return d;
    case TT_NL_EXPR_COMPARE:
      lower_pair (self, expr->a, expr->b, expr->width, &a, &b);
      return expr->is_float ? compare_floats (self, TT_NL_FLOAT_EQ + (expr->op - TT_NL_CMP_EQ), expr->width, a, b)
                            : compare (self, expr->op, expr->width, a, b);
    default:
      width = own_width (expr, TT_NL_U64);
      a = tt_nl_fetch (self, tt_nl_lower_value (self, expr, width, tt_nl_nowhere), width);
      return expr->is_float ? compare_floats (self, TT_NL_FLOAT_NE, width, a, constant (0))
                            : compare (self, TT_NL_CMP_NE, width, a, constant (0));
    }
}
