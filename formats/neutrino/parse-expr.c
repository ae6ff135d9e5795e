/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: atoms, calls and attributes, then operators by their strength. The grammar is recursive, so it is one
 * file.
 */
#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

/* -- atoms ---------------------------------------------------------------------------------------- */

/* From after an opening bracket to after the one that closes it. */
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

/* Refuses what may follow a value in brackets in Python only: a walrus, a comprehension. */
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

/* After '('. */
static TtNlExpr *
parse_group (TtNlParser *self, guint32 bracket)
{
  guint32 first = tt_nl_parser_here (self);
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
      first = tt_nl_parser_here (self);
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
  TtNlExpr *expr = tt_nl_parser_expr (self, TT_NL_EXPR_STRING, tt_nl_parser_here (self));
  g_autoptr (GString) text = g_string_new (NULL);

  while (tt_nl_parser_peek (self)->kind == TT_NL_STRING)
    g_string_append (text, tt_nl_parser_next (self)->text);
  expr->text = tt_nl_arena_text (self->arena, text->str, text->len);
  return expr;
}

static TtNlExpr *
parse_operator_atom (TtNlParser *self)
{
  guint32 offset = tt_nl_parser_here (self);

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
      expr->most = token->narrow;
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

/* After '('. */
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

/* Whether a single value is in the brackets: no slice, no tuple. */
static gboolean
is_plain_subscript (const TtNlParser *self)
{
  guint depth = 0;

  for (const TtNlToken *token = tt_nl_parser_peek (self); token->kind != TT_NL_END; token++)
    {
      if (token->kind != TT_NL_OPERATOR)
        continue;
      if (depth == 0 && strchr ("],:", *token->text) != NULL)
        return *token->text == ']' && token != tt_nl_parser_peek (self);
      if (strchr ("([{", *token->text) != NULL)
        depth++;
      else if (strchr (")]}", *token->text) != NULL && depth-- == 0)
        return FALSE;
    }
  return FALSE;
}

/* After '['. Of what is no name the brackets are passed over. */
static TtNlExpr *
parse_subscript (TtNlParser *self, TtNlExpr *inner, guint32 start)
{
  if ((inner->kind != TT_NL_EXPR_NAME && inner->kind != TT_NL_EXPR_ATTRIBUTE) || !is_plain_subscript (self))
    return skip_brackets (self) ? tt_nl_parser_refuse (self, start, "Subscript") : NULL;
  if (!tt_nl_parser_go_in (self))
    return NULL;
  TtNlExpr *index = tt_nl_parse_value (self);
  self->n_nested--;
  if (index == NULL || !tt_nl_parser_expect (self, "]"))
    return NULL;
  return tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_SUBSCRIPT, start), inner, index);
}

static TtNlExpr *
parse_trailer (TtNlParser *self, TtNlExpr *inner, guint32 start)
{
  guint32 bracket = tt_nl_parser_here (self);
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
    return parse_subscript (self, inner, start);

  tt_nl_parser_next (self);
  expr = tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_CALL, start), inner, NULL);
  if (expr == NULL || !tt_nl_parser_go_in (self))
    return NULL;
  gboolean ok = parse_arguments (self, bracket, &expr->arguments);
  self->n_nested--;
  return ok ? expr : NULL;
}

/* An atom with the calls and attributes after it. */
static TtNlExpr *
parse_primary (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *expr = parse_atom (self);

  while (expr != NULL && (tt_nl_parser_is (self, ".") || tt_nl_parser_is (self, "(") || tt_nl_parser_is (self, "[")))
    expr = parse_trailer (self, expr, start);
  return expr;
}

/* -- operators -------------------------------------------------------------------------------------- */

typedef struct
{
  const char *text;
  guint strength; /* what binds tighter is stronger */
  TtNlOp op;
  const char *refused; /* programs cannot have it */
} Operator;

static const Operator binary_operators[] = {
  { "|", 1, TT_NL_OR, NULL },   { "^", 2, TT_NL_XOR, NULL },  { "&", 3, TT_NL_AND, NULL },
  { "<<", 4, TT_NL_SHL, NULL }, { ">>", 4, TT_NL_SHR, NULL }, { "+", 5, TT_NL_ADD, NULL },
  { "-", 5, TT_NL_SUB, NULL },  { "*", 6, TT_NL_MUL, NULL },  { "/", 6, TT_NL_DIV, NULL },
  { "//", 6, TT_NL_DIV, NULL }, { "%", 6, TT_NL_MOD, NULL },  { "@", 6, TT_NL_MUL, "operator MatMult" },
};

static const Operator comparisons[] = {
  { "==", 0, TT_NL_CMP_EQ, NULL }, { "!=", 0, TT_NL_CMP_NE, NULL }, { "<", 0, TT_NL_CMP_LT, NULL },
  { "<=", 0, TT_NL_CMP_LE, NULL }, { ">", 0, TT_NL_CMP_GT, NULL },  { ">=", 0, TT_NL_CMP_GE, NULL },
};

static TtNlExpr *
parse_unary (TtNlParser *self)
{
  static const Operator unary[] = {
    { "-", 0, TT_NL_NEG, NULL },
    { "~", 0, TT_NL_NOT, NULL },
    { "+", 0, TT_NL_MOV, "UnaryOp" },
    { "*", 0, TT_NL_MOV, "Starred" },
  };
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *expr;

  for (guint i = 0; i < G_N_ELEMENTS (unary); i++)
    if (tt_nl_parser_accept (self, unary[i].text))
      {
        if (!tt_nl_parser_go_in (self))
          return NULL;
        TtNlExpr *operand = parse_unary (self);
        self->n_nested--;
        if (operand == NULL || unary[i].refused != NULL)
          return operand == NULL ? NULL : tt_nl_parser_refuse (self, start, unary[i].refused);
        expr = tt_nl_parser_expr (self, TT_NL_EXPR_UNARY, start);
        expr->op = unary[i].op;
        return tt_nl_parser_join (self, expr, operand, NULL);
      }
  expr = parse_primary (self);
  if (expr == NULL || !tt_nl_parser_accept (self, "**"))
    return expr;
  if (!tt_nl_parser_go_in (self))
    return NULL;
  expr = parse_unary (self);
  self->n_nested--;
  return expr == NULL ? NULL : tt_nl_parser_refuse (self, start, "operator Pow");
}

static const Operator *
find_binary (const TtNlParser *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (binary_operators); i++)
    if (tt_nl_parser_is (self, binary_operators[i].text))
      return &binary_operators[i];
  return NULL;
}

/* Operators of at least @strength. */
static TtNlExpr *
parse_binary (TtNlParser *self, guint strength)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *left = parse_unary (self);
  const Operator *found;

  while (left != NULL && (found = find_binary (self)) != NULL && found->strength >= strength)
    {
      tt_nl_parser_next (self);
      TtNlExpr *right = parse_binary (self, found->strength + 1);
      if (right == NULL)
        return NULL;
      TtNlExpr *expr = found->refused != NULL ? tt_nl_parser_refuse (self, start, found->refused)
                                              : tt_nl_parser_expr (self, TT_NL_EXPR_BINARY, start);
      expr->op = found->op;
      left = tt_nl_parser_join (self, expr, left, right);
    }
  return left;
}

/* Consumes a comparison; NULL: there is none. @refused is set if programs cannot have it. */
static const Operator *
accept_comparison (TtNlParser *self, const char **refused)
{
  *refused = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (tt_nl_parser_accept (self, comparisons[i].text))
      return &comparisons[i];
  if (tt_nl_parser_accept (self, "is"))
    *refused = tt_nl_parser_accept (self, "not") ? "comparison IsNot" : "comparison Is";
  else if (tt_nl_parser_accept (self, "in"))
    *refused = "comparison In";
  else if (tt_nl_parser_is (self, "not"))
    {
      tt_nl_parser_next (self);
      if (tt_nl_parser_accept (self, "in"))
        *refused = "comparison NotIn";
      else
        self->at--;
    }
  return *refused != NULL ? &comparisons[0] : NULL;
}

static TtNlExpr *
parse_comparison (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *left = parse_binary (self, 0), *compared = NULL;
  const Operator *found;
  const char *refused;

  while (left != NULL && (found = accept_comparison (self, &refused)) != NULL)
    {
      TtNlExpr *right = parse_binary (self, 0);
      if (right == NULL)
        return NULL;
      if (compared != NULL)
        refused = "chained comparison";
      compared = refused != NULL ? tt_nl_parser_refuse (self, start, refused)
                                 : tt_nl_parser_expr (self, TT_NL_EXPR_COMPARE, start);
      compared->op = found->op;
      left = tt_nl_parser_join (self, compared, left, right);
    }
  return left;
}

static TtNlExpr *
parse_not (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);

  if (!tt_nl_parser_accept (self, "not"))
    return parse_comparison (self);
  if (!tt_nl_parser_go_in (self))
    return NULL;
  TtNlExpr *operand = parse_not (self);
  self->n_nested--;
  return operand == NULL ? NULL
                         : tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_NOT, start), operand, NULL);
}

static TtNlExpr *
parse_and (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *left = parse_not (self);

  while (left != NULL && tt_nl_parser_accept (self, "and"))
    {
      TtNlExpr *right = parse_not (self);
      left =
          right == NULL ? NULL : tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_AND, start), left, right);
    }
  return left;
}

static TtNlExpr *
parse_or (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *left = parse_and (self);

  while (left != NULL && tt_nl_parser_accept (self, "or"))
    {
      TtNlExpr *right = parse_and (self);
      left =
          right == NULL ? NULL : tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_OR, start), left, right);
    }
  return left;
}

TtNlExpr *
tt_nl_parse_value (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *value = parse_or (self), *condition, *otherwise, *choice;

  if (value == NULL || !tt_nl_parser_accept (self, "if"))
    return value;
  if ((condition = parse_or (self)) == NULL || !tt_nl_parser_expect (self, "else") || !tt_nl_parser_go_in (self))
    return NULL;
  otherwise = tt_nl_parse_value (self);
  self->n_nested--;
  if (otherwise == NULL)
    return NULL;
  choice = tt_nl_parser_join (self, tt_nl_parser_expr (self, TT_NL_EXPR_CHOICE, start), value, otherwise);
  if (choice == NULL)
    return NULL;
  choice->c = condition;
  choice->n_deep = MAX (choice->n_deep, condition->n_deep + 1);
  return choice;
}

TtNlExpr *
tt_nl_parse_values (TtNlParser *self)
{
  guint32 start = tt_nl_parser_here (self);
  TtNlExpr *value = tt_nl_parse_value (self), *tuple;
  TtNlArgument **end;

  if (value == NULL || !tt_nl_parser_is (self, ","))
    return value;
  tuple = tt_nl_parser_expr (self, TT_NL_EXPR_TUPLE, start);
  end = &tuple->arguments;
  tt_nl_parser_append (self, &end, NULL, start, value);
  while (tt_nl_parser_accept (self, ","))
    {
      const TtNlToken *token = tt_nl_parser_peek (self);
      if (token->kind == TT_NL_NEWLINE || token->kind == TT_NL_OPERATOR)
        if (!tt_nl_parser_is (self, "(") && !tt_nl_parser_is (self, "-") && !tt_nl_parser_is (self, "~"))
          break;
      if ((value = tt_nl_parse_value (self)) == NULL)
        return NULL;
      tt_nl_parser_append (self, &end, NULL, token->offset, value);
    }
  return tuple;
}
