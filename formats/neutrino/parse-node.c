/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/parser.h"

TtNlExpr *
tt_nl_parser_expr (TtNlParser *self, TtNlExprKind kind, guint32 offset)
{
  TtNlExpr *expr = tt_nl_arena_new0 (self->arena, TtNlExpr);

  expr->kind = kind;
  expr->offset = offset;
  expr->n_deep = 1;
  return expr;
}

TtNlExpr *
tt_nl_parser_refuse (TtNlParser *self, guint32 offset, const char *what)
{
  TtNlExpr *expr = tt_nl_parser_expr (self, TT_NL_EXPR_REFUSED, offset);

  expr->text = what;
  return expr;
}

/* @a and @b become parts of @expr, which is NULL if they make it too deep. */
TtNlExpr *
tt_nl_parser_join (TtNlParser *self, TtNlExpr *expr, TtNlExpr *a, TtNlExpr *b)
{
  expr->a = a;
  expr->b = b;
  expr->n_deep = 1 + MAX (a->n_deep, b != NULL ? b->n_deep : 0);
  if (expr->n_deep <= TT_NL_MAX_OPERANDS)
    return expr;
  tt_nl_error (self->messages, expr->offset, "this expression has more than %u operands within each other",
               TT_NL_MAX_OPERANDS);
  return NULL;
}

/* FALSE: too deep. Goes with n_nested--. */
gboolean
tt_nl_parser_go_in (TtNlParser *self)
{
  if (self->n_nested++ < TT_NL_MAX_NESTED_VALUES)
    return TRUE;
  self->n_nested--;
  tt_nl_error (self->messages, tt_nl_parser_here (self), "more than %u values are nested", TT_NL_MAX_NESTED_VALUES);
  return FALSE;
}

TtNlArgument *
tt_nl_parser_append (TtNlParser *self, TtNlArgument ***end, const char *name, guint32 offset, TtNlExpr *value)
{
  TtNlArgument *argument = tt_nl_arena_new0 (self->arena, TtNlArgument);

  argument->name = name;
  argument->offset = offset;
  argument->value = value;
  **end = argument;
  *end = &argument->next;
  return argument;
}
