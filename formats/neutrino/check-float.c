/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of f32 and f64: bits of a register that are compared, converted and saved, never computed with.
 */
#include "config.h"

#include "formats/neutrino/check.h"

#include <string.h>

static guint64
bits_of_f32 (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static guint64
bits_of_f64 (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static const TtNlExpr *
without_sign (const TtNlExpr *expr)
{
  return expr->kind == TT_NL_EXPR_UNARY && expr->op == TT_NL_NEG ? expr->a : expr;
}

gboolean
tt_nl_is_decimal (const TtNlExpr *expr)
{
  const TtNlExpr *plain = without_sign (expr);

  return plain->kind == TT_NL_EXPR_CONSTANT && g_strcmp0 (plain->text, "float") == 0;
}

/* A number as it is written, that can become a float: 1.5, -1.5, 3. */
gboolean
tt_nl_is_number (const TtNlExpr *expr)
{
  const TtNlExpr *plain = without_sign (expr);

  return tt_nl_is_decimal (plain) || (plain->kind == TT_NL_EXPR_INTEGER && !plain->is_huge);
}

/* The nearest float; FALSE: there is none. */
gboolean
tt_nl_make_float (TtNlCheck *self, TtNlExpr *expr, guint width)
{
  const TtNlExpr *plain = without_sign (expr);
  gboolean is_negative = plain != expr, is_narrow = width == TT_NL_U32;
  guint64 value = tt_nl_is_decimal (plain) ? (is_narrow ? plain->most : plain->value)
                  : is_narrow              ? bits_of_f32 ((float) plain->value)
                                           : bits_of_f64 ((double) plain->value);
  guint64 infinity = is_narrow ? G_GUINT64_CONSTANT (0x7f800000) : G_GUINT64_CONSTANT (0x7ff0000000000000);

  if (value == infinity)
    {
      tt_nl_error (self->messages, expr->offset, "this number is too large for f%u", width);
      return FALSE;
    }
  expr->kind = TT_NL_EXPR_INTEGER;
  expr->value = expr->most = is_negative ? value | G_GUINT64_CONSTANT (1) << (width - 1) : value;
  expr->width = width;
  expr->is_float = TRUE;
  expr->n_deep = 1;
  return TRUE;
}

gboolean
tt_nl_check_float_width (TtNlCheck *self, const TtNlExpr *expr, guint width)
{
  if (!expr->is_float || expr->width == width)
    return TRUE;
  tt_nl_error (self->messages, expr->offset, "an f%u has %u bits, and goes to %u: write %s.u%u(%s.bits(...))",
               expr->width, expr->width, width, self->space, width, self->space);
  return FALSE;
}

/* An operation on the float that is the argument of @expr. */
static void
apply (TtNlExpr *expr, TtNlOp op, TtNlExpr *value, guint width)
{
  expr->kind = TT_NL_EXPR_APPLY;
  expr->op = op;
  expr->a = value;
  expr->width = width;
}

void
tt_nl_check_from_float (TtNlCheck *self, TtNlExpr *expr, TtNlExpr *value, TtNlOp op)
{
  if (op == TT_NL_ZEXT)
    apply (expr, TT_NL_FLOAT_TO_U64, value, TT_NL_U64);
  else if (op == TT_NL_TRUNC)
    apply (expr, TT_NL_FLOAT_TO_U32, value, TT_NL_U32);
  else
    {
      TtNlExpr *narrow = tt_nl_arena_new0 (self->unit->arena, TtNlExpr);

      *narrow = *value;
      apply (narrow, TT_NL_FLOAT_TO_S32, value, TT_NL_U32);
      narrow->is_float = FALSE;
      apply (expr, TT_NL_SEXT, narrow, TT_NL_U64);
    }
}

gboolean
tt_nl_check_no_float (TtNlCheck *self, const TtNlExpr *expr)
{
  if (!expr->is_float)
    return TRUE;
  tt_nl_error (
      self->messages, expr->offset,
      "nothing is computed with an f%u: compare it, save it, or make an integer of it with %s.u32(), %s.u64(), "
      "%s.s32() or %s.bits()",
      expr->width, self->space, self->space, self->space, self->space);
  return FALSE;
}

static const char *
type_of (const TtNlExpr *expr)
{
  return !expr->is_float ? "an integer" : expr->width == TT_NL_U32 ? "f32" : "f64";
}

gboolean
tt_nl_join_floats (TtNlCheck *self, TtNlExpr *expr)
{
  const TtNlExpr *a = expr->a, *b = expr->b;

  expr->is_float = a->is_float;
  if (a->is_float == b->is_float && (!a->is_float || a->width == b->width))
    return TRUE;
  tt_nl_error (self->messages, expr->offset, "%s and %s do not go together", type_of (a), type_of (b));
  return FALSE;
}

gboolean
tt_nl_float_bits (TtNlCheck *self, TtNlExpr *expr, const TtNlExpr *value)
{
  if (!value->is_float)
    {
      tt_nl_error (self->messages, expr->offset, "bits() takes an f32 or f64, and this is an integer already");
      return FALSE;
    }
  *expr = *value;
  expr->is_float = FALSE;
  return TRUE;
}

gboolean
tt_nl_float_read (TtNlCheck *self, TtNlExpr *expr, TtNlExpr *value, guint width)
{
  gboolean is_register = value->kind == TT_NL_EXPR_HELPER && value->value != TT_NL_ADDR && value->value != TT_NL_BYTES;

  if (value->kind == TT_NL_EXPR_HELPER && !is_register)
    tt_nl_error (self->messages, expr->offset, "this operand is an integer, no f%u", width);
  else if (value->kind == TT_NL_EXPR_INTEGER || value->width == 0)
    tt_nl_error (self->messages, expr->offset, "f%u() reads a register: write a constant with a point, as 3.0", width);
  else if (!is_register && value->width != width)
    tt_nl_error (self->messages, expr->offset, "f%u() takes %u bits, and this value has %u", width, width,
                 value->width);
  else
    {
      expr->kind = TT_NL_EXPR_CAST;
      expr->a = value;
      expr->width = width;
      expr->is_float = TRUE;
      expr->reads_float = is_register;
      return TRUE;
    }
  return FALSE;
}
