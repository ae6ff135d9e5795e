#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

static guint32
here (const TtNlParser *self)
{
  return tt_nl_parser_peek (self)->offset;
}

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
  if (expr->n_deep <= TT_NL_MOST_OPERANDS)
    return expr;
  tt_nl_error (self->messages, expr->offset, "this expression has more than %u operands within each other",
               TT_NL_MOST_OPERANDS);
  return NULL;
}

/* FALSE: too deep. Goes with n_nested--. */
gboolean
tt_nl_parser_go_in (TtNlParser *self)
{
  if (self->n_nested++ < TT_NL_MOST_NESTED_VALUES)
    return TRUE;
  self->n_nested--;
  tt_nl_error (self->messages, here (self), "more than %u values are nested", TT_NL_MOST_NESTED_VALUES);
  return FALSE;
}

/* -- atoms ---------------------------------------------------------------------------------------- */

/* Behind an opening bracket, to behind the one that closes it. */
static gboolean
skip_brackets (TtNlParser *self)
{
  for (guint n_open = 1; n_open > 0;)
    {
      const TtNlToken *token = tt_nl_parser_peek (self);

      if (token->kind == TT_NL_END || token->kind == TT_NL_NEWLINE || token->kind == TT_NL_BAD)
        return FALSE;
      if (token->kind == TT_NL_OPERATOR && strchr ("([{", *token->text) != NULL)
        n_open++;
      else if (token->kind == TT_NL_OPERATOR && strchr (")]}", *token->text) != NULL)
        n_open--;
      tt_nl_parser_next (self);
    }
  return TRUE;
}

/* What follows a value in brackets and is not for programs: a walrus, a comprehension. */
static gboolean
check_end (TtNlParser *self, guint32 value, guint32 bracket)
{
  if (tt_nl_parser_is (self, ":="))
    tt_nl_error (self->messages, value, "NamedExpr is not supported");
  else if (tt_nl_parser_is (self, "for"))
    tt_nl_error (self->messages, bracket, "GeneratorExp is not supported");
  else
    return TRUE;
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

/* Behind '('. */
static TtNlExpr *
parse_group (TtNlParser *self, guint32 bracket)
{
  guint32 first = here (self);
  TtNlExpr *value, *tuple;
  TtNlArgument **end;

  if (tt_nl_parser_accept (self, ")"))
    return tt_nl_parser_expr (self, TT_NL_EXPR_TUPLE, bracket);
  value = tt_nl_parse_value (self);
  if (value == NULL || !check_end (self, first, bracket))
    return NULL;
  if (!tt_nl_parser_is (self, ","))
    return tt_nl_parser_expect (self, ")") ? value : NULL;

  tuple = tt_nl_parser_expr (self, TT_NL_EXPR_TUPLE, bracket);
  end = &tuple->arguments;
  tt_nl_parser_append (self, &end, NULL, first, value);
  while (tt_nl_parser_accept (self, ",") && !tt_nl_parser_is (self, ")"))
    {
      first = here (self);
      if ((value = tt_nl_parse_value (self)) == NULL || !check_end (self, first, bracket))
        return NULL;
      tt_nl_parser_append (self, &end, NULL, first, value);
    }
  return tt_nl_parser_expect (self, ")") ? tuple : NULL;
}

static TtNlExpr *
parse_name (TtNlParser *self)
{
  static const struct
  {
    const char *text, *type;
  } constants[] = { { "True", "bool" }, { "False", "bool" }, { "None", "None" } };
  static const struct
  {
    const char *text, *refused;
  } beginnings[] = { { "lambda", "Lambda" }, { "await", "Await" }, { "yield", "Yield" } };
  const TtNlToken *token = tt_nl_parser_peek (self);
  TtNlExpr *expr;

  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (g_str_equal (token->text, constants[i].text))
      {
        expr = tt_nl_parser_expr (self, TT_NL_EXPR_CONSTANT, tt_nl_parser_next (self)->offset);
        expr->text = constants[i].type;
        expr->value = i == 0; /* True, as an argument of a decorator */
        return expr;
      }
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_equal (token->text, beginnings[i].text))
      {
        tt_nl_error (self->messages, token->offset, "%s is not supported", beginnings[i].refused);
        return NULL;
      }
  if ((token = tt_nl_parser_name (self, "a value")) == NULL)
    return NULL;
  expr = tt_nl_parser_expr (self, TT_NL_EXPR_NAME, token->offset);
  expr->text = token->text;
  return expr;
}

/* Adjacent strings are one. */
static TtNlExpr *
parse_string (TtNlParser *self)
{
  TtNlExpr *expr = tt_nl_parser_expr (self, TT_NL_EXPR_STRING, here (self));
  g_autoptr (GString) text = g_string_new (NULL);

  while (tt_nl_parser_peek (self)->kind == TT_NL_STRING)
    g_string_append (text, tt_nl_parser_next (self)->text);
  expr->text = tt_nl_arena_text (self->arena, text->str, text->len);
  return expr;
}

static TtNlExpr *
parse_operator_atom (TtNlParser *self)
{
  guint32 offset = here (self);

  if (tt_nl_parser_accept (self, "("))
    {
      if (!tt_nl_parser_go_in (self))
        return NULL;
      TtNlExpr *expr = parse_group (self, offset);
      self->n_nested--;
      return expr;
    }
  if (tt_nl_parser_accept (self, "["))
    return skip_brackets (self) ? tt_nl_parser_refuse (self, offset, "List") : NULL;
  if (tt_nl_parser_accept (self, "{"))
    return skip_brackets (self) ? tt_nl_parser_refuse (self, offset, "Dict or Set") : NULL;
  if (tt_nl_parser_accept (self, "..."))
    {
      TtNlExpr *expr = tt_nl_parser_expr (self, TT_NL_EXPR_CONSTANT, offset);
      expr->text = "Ellipsis";
      return expr;
    }
  tt_nl_parser_unexpected (self, "a value");
  return NULL;
}

static TtNlExpr *
parse_atom (TtNlParser *self)
{
  const TtNlToken *token = tt_nl_parser_peek (self);
  TtNlExpr *expr;

  switch (token->kind)
    {
    case TT_NL_INTEGER:
    case TT_NL_CONSTANT:
      tt_nl_parser_next (self);
      expr = tt_nl_parser_expr (self, token->kind == TT_NL_INTEGER ? TT_NL_EXPR_INTEGER : TT_NL_EXPR_CONSTANT,
                                token->offset);
      expr->value = token->value;
      expr->is_huge = token->is_huge;
      /* A number too large for 64 bits is shown as it is written. */
      expr->text = token->text;
      return expr;
    case TT_NL_STRING:
      return parse_string (self);
    case TT_NL_NAME:
      return parse_name (self);
    default:
      return parse_operator_atom (self);
    }
}

/* -- calls and attributes ----------------------------------------------------------------------------- */

/* Behind '('. */
static gboolean
parse_arguments (TtNlParser *self, guint32 bracket, TtNlArgument **arguments)
{
  TtNlArgument **end = arguments;

  while (!tt_nl_parser_accept (self, ")"))
    {
      const TtNlToken *token = tt_nl_parser_peek (self), *after = token->kind == TT_NL_END ? token : token + 1;
      const char *name = NULL;

      if (token->kind == TT_NL_NAME && after->kind == TT_NL_OPERATOR && g_str_equal (after->text, "="))
        {
          if (tt_nl_parser_name (self, "the name of an argument") == NULL)
            return FALSE;
          name = token->text;
          tt_nl_parser_next (self);
        }
      TtNlExpr *value = tt_nl_parse_value (self);
      if (value == NULL || !check_end (self, token->offset, bracket))
        return FALSE;
      tt_nl_parser_append (self, &end, name, token->offset, value);
      if (!tt_nl_parser_accept (self, ",") && !tt_nl_parser_is (self, ")"))
        return tt_nl_parser_expect (self, ")");
    }
  return TRUE;
}

static TtNlExpr *
parse_trailer (TtNlParser *self, TtNlExpr *inner, guint32 start)
{
  guint32 bracket = here (self);
  TtNlExpr *expr;

  if (tt_nl_parser_accept (self, "."))
    {
      const TtNlToken *name = tt_nl_parser_peek (self);
      if (name->kind != TT_NL_NAME)
        {
          tt_nl_parser_unexpected (self, "a name after '.'");
          return NULL;
        }
      tt_nl_parser_next (self);
      expr = tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_ATTRIBUTE, start), inner, NULL);
      if (expr != NULL)
        expr->text = name->text;
      return expr;
    }
  if (tt_nl_parser_accept (self, "["))
    return skip_brackets (self) ? tt_nl_parser_refuse (self, start, "Subscript") : NULL;

  tt_nl_parser_next (self);
  expr = tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_CALL, start), inner, NULL);
  if (expr == NULL || !tt_nl_parser_go_in (self))
    return NULL;
  gboolean ok = parse_arguments (self, bracket, &expr->arguments);
  self->n_nested--;
  return ok ? expr : NULL;
}

TtNlExpr *
tt_nl_parse_primary (TtNlParser *self)
{
  guint32 start = here (self);
  TtNlExpr *expr = parse_atom (self);

  while (expr != NULL && (tt_nl_parser_is (self, ".") || tt_nl_parser_is (self, "(") || tt_nl_parser_is (self, "[")))
    expr = parse_trailer (self, expr, start);
  return expr;
}
