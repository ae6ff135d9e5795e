/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"
#include "formats/neutrino/functions.h"

#include <string.h>

/* BYTES becomes a number, the others registers of the instruction. */
static const struct
{
  const char *name;
  TtNlHelper helper;
} helpers[] = {
  { "addr", TT_NL_ADDR }, { "out", TT_NL_OUT }, { "dst", TT_NL_OUT }, { "in1", TT_NL_IN1 },     { "src", TT_NL_IN1 },
  { "in2", TT_NL_IN2 },   { "in3", TT_NL_IN3 }, { "in4", TT_NL_IN4 }, { "bytes", TT_NL_BYTES },
};

const char *
tt_nl_check_space_name (const TtNlCheck *self, const TtNlExpr *expr)
{
  if (expr->kind != TT_NL_EXPR_ATTRIBUTE || expr->a->kind != TT_NL_EXPR_NAME || self->space == NULL ||
      !g_str_equal (expr->a->text, self->space))
    return NULL;
  return expr->text;
}

guint
tt_nl_check_width (const TtNlCheck *self, const TtNlExpr *expr)
{
  const char *name = tt_nl_check_space_name (self, expr);

  if (g_strcmp0 (name, "u32") == 0)
    return TT_NL_U32;
  return g_strcmp0 (name, "u64") == 0 ? TT_NL_U64 : 0;
}

guint
tt_nl_check_variable (TtNlCheck *self, const char *name, guint32 offset)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));

  /* Said once a name: the unit has errors from then on. */
  if (g_hash_table_contains (self->arrays, name))
    {
      tt_nl_error (self->messages, offset, "'%s' is an array: write %s[...]", name, name);
      return 0;
    }
  if (index == 0 && g_hash_table_add (self->unknown, (gpointer) name))
    tt_nl_error (self->messages, offset, "variable '%s' is not declared", name);
  return index;
}

gboolean
tt_nl_check_fits (TtNlCheck *self, const TtNlExpr *expr, guint width, guint32 offset)
{
  if (expr->width == 0 && expr->most > tt_nl_mask (width))
    {
      tt_nl_error (self->messages, offset, "constant %" G_GUINT64_FORMAT " does not fit u%u", expr->most, width);
      return FALSE;
    }
  return TRUE;
}

/* -- names ---------------------------------------------------------------------------------------- */

static gboolean
check_name (TtNlCheck *self, TtNlExpr *expr)
{
  guint index = tt_nl_check_variable (self, expr->text, expr->offset);

  if (index == 0)
    return FALSE;
  expr->kind = TT_NL_EXPR_VARIABLE;
  expr->value = index - 1;
  expr->width = tt_nl_unit_variable (self->unit, index - 1)->width;
  return !tt_nl_unit_variable (self->unit, index - 1)->is_bad;
}

static gboolean
check_attribute (TtNlCheck *self, TtNlExpr *expr)
{
  const char *name = tt_nl_check_space_name (self, expr);

  if (name == NULL)
    {
      tt_nl_error (self->messages, expr->offset, "only names of neutrino.language may be referred to");
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (helpers); i++)
    if (g_str_equal (name, helpers[i].name))
      {
        if (self->probe->is_kernel)
          {
            tt_nl_error (self->messages, expr->offset, "%s.%s needs an instruction position, not \"kernel\"",
                         self->space, name);
            return FALSE;
          }
        if (helpers[i].helper == TT_NL_IN4)
          {
            tt_nl_error (self->messages, expr->offset,
                         "no injector fills in %s.in4: it reads the first three operands behind the result",
                         self->space);
            return FALSE;
          }
        expr->kind = TT_NL_EXPR_HELPER;
        expr->value = helpers[i].helper;
        expr->width = helpers[i].helper == TT_NL_BYTES ? 0 : TT_NL_U64;
        return TRUE;
      }
  if (tt_nl_function_is_name (name))
    tt_nl_error (self->messages, expr->offset, "%s.%s is a function: write %s.%s()", self->space, name, self->space,
                 name);
  else
    tt_nl_error (self->messages, expr->offset, "unknown name %s.%s", self->space, name);
  return FALSE;
}

/* Both sides of @expr: integers, or floats of one width; a number beside a float is one, too. */
static gboolean
check_pair (TtNlCheck *self, TtNlExpr *expr)
{
  TtNlExpr *a = expr->a, *b = expr->b;
  gboolean is_first = tt_nl_is_number (a) && !tt_nl_is_number (b);
  TtNlExpr *number = is_first ? a : b, *other = is_first ? b : a;
  gboolean ok = tt_nl_check_any (self, other);

  if (ok && other->is_float && tt_nl_is_number (number))
    ok = tt_nl_make_float (self, number, other->width);
  else
    ok = tt_nl_check_any (self, number) && ok;
  return ok && tt_nl_join_floats (self, expr);
}

/* -- calls ------------------------------------------------------------------------------------------ */

static void
fold (TtNlExpr *expr, guint width, guint64 value)
{
  expr->kind = TT_NL_EXPR_INTEGER;
  expr->is_huge = FALSE;
  expr->width = width;
  expr->value = expr->most = width == 0 ? value : value & tt_nl_mask (width);
}

static gboolean
check_cast (TtNlCheck *self, TtNlExpr *expr, guint width)
{
  TtNlArgument *argument = expr->arguments;

  if (argument == NULL || argument->next != NULL || argument->name != NULL)
    {
      tt_nl_error (self->messages, expr->offset, "u%u() takes one value", width);
      return FALSE;
    }
  if (!tt_nl_check_any (self, argument->value))
    return FALSE;
  if (argument->value->is_float)
    {
      tt_nl_check_from_float (self, expr, argument->value, width == TT_NL_U32 ? TT_NL_TRUNC : TT_NL_ZEXT);
      return TRUE;
    }
  expr->kind = TT_NL_EXPR_CAST;
  expr->a = argument->value;
  expr->width = width;
  if (expr->a->kind == TT_NL_EXPR_INTEGER)
    fold (expr, width, expr->a->value);
  return TRUE;
}

static TtNlExpr *
only_argument (TtNlCheck *self, const TtNlExpr *expr, const char *name, const char *what)
{
  const TtNlArgument *argument = expr->arguments;

  if (argument != NULL && argument->next == NULL && argument->name == NULL)
    return argument->value;
  tt_nl_error (self->messages, expr->offset, "%s() takes one %s", name, what);
  return NULL;
}

/* A function of a value. */
static gboolean
check_apply (TtNlCheck *self, TtNlExpr *expr, const TtNlFunction *function)
{
  TtNlExpr *value = only_argument (self, expr, function->name, "value");

  if (value == NULL || !(function->op == TT_NL_SEXT ? tt_nl_check_any (self, value) : tt_nl_check_value (self, value)))
    return FALSE;
  if (value->is_float)
    {
      tt_nl_check_from_float (self, expr, value, TT_NL_SEXT);
      return TRUE;
    }
  if (value->kind == TT_NL_EXPR_INTEGER)
    {
      fold (expr, function->width,
            function->op == TT_NL_POPC ? (guint64) __builtin_popcountll (value->value)
                                       : (guint64) (gint64) (gint32) value->value);
      return TRUE;
    }
  expr->kind = TT_NL_EXPR_APPLY;
  expr->op = function->op;
  expr->a = value;
  expr->width = function->width;
  return TRUE;
}

/* Of which threads of the warp a condition holds. */
static gboolean
check_ballot (TtNlCheck *self, TtNlExpr *expr)
{
  TtNlExpr *condition = only_argument (self, expr, "ballot", "condition");

  if (condition == NULL || !tt_nl_check_condition (self, condition))
    return FALSE;
  if (self->probe->level == TT_NL_WARP)
    {
      tt_nl_error (self->messages, expr->offset,
                   "ballot() in a probe of warps asks the first thread alone: use level=\"thread\"");
      return FALSE;
    }
  expr->kind = TT_NL_EXPR_APPLY;
  expr->op = TT_NL_BALLOT;
  expr->a = condition;
  expr->width = TT_NL_U32;
  return TRUE;
}

/* An early form of clock() is time (local=True). */
static gboolean
is_local_time (const TtNlExpr *expr, const TtNlFunction *function)
{
  const TtNlArgument *argument = expr->arguments;

  return function->op == TT_NL_TIME && argument != NULL && argument->next == NULL &&
         g_strcmp0 (argument->name, "local") == 0 && argument->value->kind == TT_NL_EXPR_CONSTANT &&
         argument->value->value != 0;
}

/* A function without an argument. */
static gboolean
check_plain_call (TtNlCheck *self, TtNlExpr *expr, const TtNlFunction *function)
{
  gboolean is_local = is_local_time (expr, function);

  if (expr->arguments != NULL && !is_local)
    {
      tt_nl_error (self->messages, expr->offset, "%s() takes no argument", function->name);
      return FALSE;
    }
  if (function->op == TT_NL_ACTIVEMASK && self->probe->level == TT_NL_WARP)
    {
      tt_nl_error (self->messages, expr->offset,
                   "activemask() in a probe of warps is always 1, for the first thread runs it alone: use "
                   "level=\"thread\"");
      return FALSE;
    }
  expr->kind = TT_NL_EXPR_FUNCTION;
  expr->op = is_local ? TT_NL_CLOCK : function->op;
  expr->width = function->width;
  return TRUE;
}

/* nl.f32(), nl.f64(), nl.bits() */
static gboolean
check_float (TtNlCheck *self, TtNlExpr *expr, const char *name)
{
  TtNlExpr *value = only_argument (self, expr, name, "value");
  guint width = g_str_equal (name, "f32") ? TT_NL_U32 : TT_NL_U64;
  guint32 offset = expr->offset;

  if (value == NULL)
    return FALSE;
  if (g_str_equal (name, "bits"))
    return tt_nl_check_any (self, value) && tt_nl_float_bits (self, expr, value);
  if (!tt_nl_is_decimal (value))
    return tt_nl_check_value (self, value) && tt_nl_float_read (self, expr, value, width);
  *expr = *value;
  expr->offset = offset;
  return tt_nl_make_float (self, expr, width);
}

static gboolean
check_call (TtNlCheck *self, TtNlExpr *expr)
{
  const char *name = tt_nl_check_space_name (self, expr->a);
  guint width = tt_nl_check_width (self, expr->a);

  if (name == NULL)
    {
      tt_nl_error (self->messages, expr->offset, "only functions of neutrino.language can be called");
      return FALSE;
    }
  if (width != 0)
    return check_cast (self, expr, width);
  if (tt_nl_function_is_float (name))
    return check_float (self, expr, name);
  const TtNlFunction *function = tt_nl_function_find (name);
  if (function != NULL && function->is_of_condition)
    return check_ballot (self, expr);
  if (function != NULL && function->is_of_value)
    return check_apply (self, expr, function);
  if (function != NULL)
    return check_plain_call (self, expr, function);
  const char *instead = tt_nl_function_instead (name);
  if (instead != NULL)
    {
      tt_nl_error (self->messages, expr->offset, "there is no %s(): %s", name, instead);
      return FALSE;
    }
  if (g_str_equal (name, "save"))
    tt_nl_error (self->messages, expr->offset, "save() has no value: write it as a statement of its own");
  else
    tt_nl_error (self->messages, expr->offset, "unknown function %s.%s()", self->space, name);
  return FALSE;
}

/* -- operators ---------------------------------------------------------------------------------------- */

/* Of an operation on both. */
static guint
join_widths (const TtNlExpr *a, const TtNlExpr *b)
{
  if (a->width == TT_NL_U64 || b->width == TT_NL_U64)
    return TT_NL_U64;
  if (a->width == 0 && b->width == 0)
    return 0;
  return (a->width == 0 ? a->most : b->width == 0 ? b->most : 0) > G_MAXUINT32 ? TT_NL_U64 : TT_NL_U32;
}

static gboolean
is_constant (const TtNlExpr *expr)
{
  return expr->kind == TT_NL_EXPR_INTEGER;
}

/* Made of a shifted constant, whose width is that of where it goes. */
static gboolean
is_open (const TtNlExpr *expr)
{
  return expr->width == 0 && (expr->kind == TT_NL_EXPR_BINARY || expr->kind == TT_NL_EXPR_UNARY);
}

static gboolean
check_unary (TtNlCheck *self, TtNlExpr *expr)
{
  if (!tt_nl_check_value (self, expr->a))
    return FALSE;
  expr->width = expr->a->width;
  expr->most = expr->a->most;
  if (is_constant (expr->a))
    fold (expr, expr->width, expr->op == TT_NL_NEG ? -expr->a->value : ~expr->a->value);
  else if (expr->width == 0 && !is_open (expr->a))
    expr->width = TT_NL_U64;
  return TRUE;
}

/* The width of a shift is that of what is shifted; a constant takes that of where the result goes. */
static gboolean
check_shift (TtNlCheck *self, TtNlExpr *expr)
{
  guint width = expr->a->width, in_effect = width != 0 ? width : TT_NL_U64;

  if (is_constant (expr->b) && expr->b->value >= in_effect)
    {
      tt_nl_error (self->messages, expr->offset, "shift count %" G_GUINT64_FORMAT " is out of range for u%u",
                   expr->b->value, in_effect);
      return FALSE;
    }
  expr->width = width;
  expr->most = expr->a->most;
  return TRUE;
}

static gboolean
check_binary (TtNlCheck *self, TtNlExpr *expr)
{
  gboolean ok = tt_nl_check_value (self, expr->a), is_shift = expr->op == TT_NL_SHL || expr->op == TT_NL_SHR;

  if (!tt_nl_check_value (self, expr->b) || !ok)
    return FALSE;
  if ((expr->op == TT_NL_DIV || expr->op == TT_NL_MOD) && is_constant (expr->b) && expr->b->value == 0)
    {
      tt_nl_error (self->messages, expr->offset, "division by zero");
      return FALSE;
    }
  if (is_shift)
    {
      if (!check_shift (self, expr))
        return FALSE;
    }
  else
    {
      expr->width = join_widths (expr->a, expr->b);
      expr->most = MAX (expr->a->most, expr->b->most);
    }
  if (is_constant (expr->a) && is_constant (expr->b))
    fold (expr, expr->width, tt_nl_compute (expr->op, expr->a->value, expr->b->value));
  else if (expr->width == 0 && !is_shift && !is_open (expr->a) && !is_open (expr->b))
    expr->width = TT_NL_U64;
  return TRUE;
}

static gboolean
check_choice (TtNlCheck *self, TtNlExpr *expr)
{
  gboolean ok = tt_nl_check_condition (self, expr->c);

  if (!check_pair (self, expr) || !ok)
    return FALSE;
  expr->width = join_widths (expr->a, expr->b);
  expr->most = MAX (expr->a->most, expr->b->most);
  return TRUE;
}

static gboolean
check_subscript (TtNlCheck *self, TtNlExpr *expr)
{
  guint first, n;

  if (expr->a->kind != TT_NL_EXPR_NAME || !tt_nl_check_is_array (self, expr->a->text))
    {
      tt_nl_error (self->messages, expr->offset, "Subscript is not supported");
      return FALSE;
    }
  if (!tt_nl_check_value (self, expr->b) || !tt_nl_check_element (self, expr->a->text, expr->b, &first, &n))
    return FALSE;
  expr->kind = n == 0 ? TT_NL_EXPR_VARIABLE : TT_NL_EXPR_ELEMENT;
  expr->value = first;
  expr->most = n;
  expr->width = tt_nl_unit_variable (self->unit, first)->width;
  return !tt_nl_unit_variable (self->unit, first)->is_bad;
}

static gboolean
refuse (TtNlCheck *self, const TtNlExpr *expr, const char *what)
{
  tt_nl_error (self->messages, expr->offset, "%s", what);
  return FALSE;
}

static gboolean
check_integer (TtNlCheck *self, TtNlExpr *expr)
{
  expr->most = expr->value;
  if (expr->is_huge)
    tt_nl_error (self->messages, expr->offset, "constant %s does not fit u64", expr->text);
  return !expr->is_huge;
}

gboolean
tt_nl_check_any (TtNlCheck *self, TtNlExpr *expr)
{
  switch (expr->kind)
    {
    case TT_NL_EXPR_INTEGER:
      return check_integer (self, expr);
    case TT_NL_EXPR_STRING:
      return refuse (self, expr, "str constant is not allowed");
    case TT_NL_EXPR_CONSTANT:
      tt_nl_error (self->messages, expr->offset, "%s constant is not allowed", expr->text);
      return FALSE;
    case TT_NL_EXPR_NAME:
      return check_name (self, expr);
    case TT_NL_EXPR_ATTRIBUTE:
      return check_attribute (self, expr);
    case TT_NL_EXPR_CALL:
      return check_call (self, expr);
    case TT_NL_EXPR_UNARY:
      return check_unary (self, expr);
    case TT_NL_EXPR_BINARY:
      return check_binary (self, expr);
    case TT_NL_EXPR_CHOICE:
      return check_choice (self, expr);
    case TT_NL_EXPR_COMPARE:
      return refuse (self, expr, "a comparison is allowed only in an if condition");
    case TT_NL_EXPR_AND:
    case TT_NL_EXPR_OR:
    case TT_NL_EXPR_NOT:
      return refuse (self, expr, "and, or, not are allowed only in an if condition");
    case TT_NL_EXPR_SUBSCRIPT:
      return check_subscript (self, expr);
    case TT_NL_EXPR_TUPLE:
      return refuse (self, expr, "Tuple is not supported");
    case TT_NL_EXPR_REFUSED:
      tt_nl_error (self->messages, expr->offset, "%s is not supported", expr->text);
      return FALSE;
    default:
      g_assert_not_reached ();
    }
}

gboolean
tt_nl_check_value (TtNlCheck *self, TtNlExpr *expr)
{
  return tt_nl_check_any (self, expr) && tt_nl_check_no_float (self, expr);
}

gboolean
tt_nl_check_condition (TtNlCheck *self, TtNlExpr *expr)
{
  gboolean ok;

  switch (expr->kind)
    {
    case TT_NL_EXPR_AND:
    case TT_NL_EXPR_OR:
      ok = tt_nl_check_condition (self, expr->a);
      return tt_nl_check_condition (self, expr->b) && ok;
    case TT_NL_EXPR_NOT:
      return tt_nl_check_condition (self, expr->a);
    case TT_NL_EXPR_COMPARE:
      if (!check_pair (self, expr))
        return FALSE;
      expr->width = join_widths (expr->a, expr->b);
      expr->width = expr->width != 0 ? expr->width : TT_NL_U64;
      return TRUE;
    default:
      return tt_nl_check_any (self, expr);
    }
}
