#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

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

static guint32
here (const TtNlParser *self)
{
  return tt_nl_parser_peek (self)->offset;
}

static TtNlExpr *
parse_unary (TtNlParser *self)
{
  static const Operator unary[] = {
    { "-", 0, TT_NL_NEG, NULL },
    { "~", 0, TT_NL_NOT, NULL },
    { "+", 0, TT_NL_MOV, "UnaryOp" },
    { "*", 0, TT_NL_MOV, "Starred" },
  };
  guint32 start = here (self);
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
  expr = tt_nl_parse_primary (self);
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
  guint32 start = here (self);
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

/* Takes the comparison that stands here; NULL: none. @refused is set if programs cannot have it. */
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
  guint32 start = here (self);
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
  guint32 start = here (self);

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
  guint32 start = here (self);
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
  guint32 start = here (self);
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
  guint32 start = here (self);
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
  guint32 start = here (self);
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
