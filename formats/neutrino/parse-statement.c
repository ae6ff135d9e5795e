/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

typedef struct
{
  const char *word, *name;
} Refused;

/* Keywords that begin a statement programs cannot have, and what Python calls it. */
static const Refused refused_statements[] = {
  { "for", "For" },         { "while", "While" },    { "break", "Break" },   { "continue", "Continue" },
  { "return", "Return" },   { "with", "With" },      { "try", "Try" },       { "raise", "Raise" },
  { "assert", "Assert" },   { "del", "Delete" },     { "global", "Global" }, { "nonlocal", "Nonlocal" },
  { "yield", "Yield" },     { "await", "Await" },    { "import", "Import" }, { "from", "ImportFrom" },
  { "def", "FunctionDef" }, { "class", "ClassDef" }, { "async", "Async" },   { "@", "FunctionDef" },
};

static const struct
{
  const char *text;
  TtNlOp op;
} assignments[] = {
  { "=", TT_NL_MOV },   { "+=", TT_NL_ADD },  { "-=", TT_NL_SUB }, { "*=", TT_NL_MUL },
  { "/=", TT_NL_DIV },  { "//=", TT_NL_DIV }, { "%=", TT_NL_MOD }, { "<<=", TT_NL_SHL },
  { ">>=", TT_NL_SHR }, { "&=", TT_NL_AND },  { "|=", TT_NL_OR },  { "^=", TT_NL_XOR },
};

static TtNlStatement *parse_if (TtNlParser *self);

static TtNlStatement *
new_statement (TtNlParser *self, TtNlStatementKind kind, guint32 offset)
{
  TtNlStatement *statement = tt_nl_arena_new0 (self->arena, TtNlStatement);

  statement->kind = kind;
  statement->offset = offset;
  return statement;
}

const char *
tt_nl_parser_refused_statement (const TtNlParser *self)
{
  const TtNlToken *token = tt_nl_parser_peek (self);

  for (guint i = 0; i < G_N_ELEMENTS (refused_statements); i++)
    if (tt_nl_parser_is (self, refused_statements[i].word))
      return refused_statements[i].name;
  /* "match" is a name unless a value follows. */
  if (tt_nl_parser_is (self, "match") && (token[1].kind == TT_NL_NAME || token[1].kind == TT_NL_INTEGER))
    return "Match";
  return NULL;
}

/* -- assignments ---------------------------------------------------------------------------------- */

/* Behind "TARGET =". */
static TtNlStatement *
parse_assigned (TtNlParser *self, TtNlExpr *target, TtNlOp op)
{
  TtNlStatement *statement = new_statement (self, TT_NL_STATEMENT_ASSIGN, target->offset);
  TtNlExpr *value = tt_nl_parse_values (self);

  if (value == NULL)
    return NULL;
  if (tt_nl_parser_is (self, "="))
    {
      tt_nl_error (self->messages, statement->offset, "chained assignment is not supported: write one a line");
      return NULL;
    }
  if (target->kind == TT_NL_EXPR_SUBSCRIPT && target->a->kind == TT_NL_EXPR_NAME)
    {
      statement->target = target->a->text;
      statement->index = target->b;
    }
  else if (target->kind == TT_NL_EXPR_NAME)
    statement->target = target->text;
  else
    {
      tt_nl_error (self->messages, target->offset, "only a variable can be assigned");
      return NULL;
    }
  statement->value = value;
  statement->is_augmented = op != TT_NL_MOV;
  if (op == TT_NL_MOV)
    return statement;

  /* x op= value is x = x op value, whatever the value is made of. */
  statement->value = tt_nl_arena_new0 (self->arena, TtNlExpr);
  statement->value->kind = TT_NL_EXPR_BINARY;
  statement->value->op = op;
  statement->value->offset = target->offset;
  statement->value->a = target;
  statement->value->b = value;
  statement->value->n_deep = MAX (target->n_deep, value->n_deep) + 1;
  return statement;
}

static TtNlStatement *
parse_simple (TtNlParser *self)
{
  guint32 offset = tt_nl_parser_here (self);
  TtNlExpr *first = tt_nl_parse_values (self);

  if (first == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (assignments); i++)
    if (tt_nl_parser_accept (self, assignments[i].text))
      return parse_assigned (self, first, assignments[i].op);
  if (tt_nl_parser_is (self, ":"))
    {
      tt_nl_error (self->messages, offset, "AnnAssign statement is not allowed in a probe");
      return NULL;
    }
  if (tt_nl_parser_is (self, "**=") || tt_nl_parser_is (self, "@="))
    {
      tt_nl_error (self->messages, offset, "operator %s is not supported",
                   tt_nl_parser_is (self, "@=") ? "MatMult" : "Pow");
      return NULL;
    }
  if (tt_nl_parser_is (self, ":="))
    {
      tt_nl_error (self->messages, offset, "NamedExpr is not supported");
      return NULL;
    }
  TtNlStatement *statement = new_statement (self, TT_NL_STATEMENT_CALL, offset);
  statement->value = first;
  return statement;
}

/* -- blocks ------------------------------------------------------------------------------------------- */

static gboolean
check_line_end (TtNlParser *self)
{
  if (tt_nl_parser_accept (self, ";") || tt_nl_parser_peek (self)->kind == TT_NL_NEWLINE)
    return TRUE;
  tt_nl_parser_unexpected (self, "the end of the statement");
  return FALSE;
}

/* One statement that is not compound, up to after ';' or before the end of the line. FALSE: skipped. */
static gboolean
parse_small (TtNlParser *self, TtNlStatement ***end)
{
  const char *refused = tt_nl_parser_refused_statement (self);

  if (refused != NULL)
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "%s statement is not allowed in a probe", refused);
      tt_nl_parser_skip_statement (self);
      return FALSE;
    }
  if (tt_nl_parser_accept (self, "pass"))
    return check_line_end (self);

  TtNlStatement *statement = parse_simple (self);
  if (statement == NULL || !check_line_end (self))
    {
      tt_nl_parser_skip_statement (self);
      return FALSE;
    }
  if (statement->kind == TT_NL_STATEMENT_CALL && statement->value->kind == TT_NL_EXPR_STRING)
    return TRUE;
  **end = statement;
  *end = &statement->next;
  return TRUE;
}

static void
parse_line (TtNlParser *self, TtNlStatement ***end)
{
  while (parse_small (self, end))
    if (tt_nl_parser_peek (self)->kind == TT_NL_NEWLINE)
      {
        tt_nl_parser_next (self);
        return;
      }
}

static void
parse_statement (TtNlParser *self, TtNlStatement ***end)
{
  if (tt_nl_parser_peek (self)->kind == TT_NL_INDENT)
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "unexpected indent");
      tt_nl_parser_skip_block (self);
    }
  else if (tt_nl_parser_is (self, "if"))
    {
      TtNlStatement *statement = parse_if (self);
      if (statement == NULL)
        return;
      **end = statement;
      *end = &statement->next;
    }
  else
    parse_line (self, end);
}

void
tt_nl_parse_block (TtNlParser *self, const char *owner, TtNlStatement **block)
{
  TtNlStatement **end = block;

  if (tt_nl_parser_peek (self)->kind != TT_NL_NEWLINE)
    {
      if (tt_nl_parser_is (self, "if"))
        {
          tt_nl_error (self->messages, tt_nl_parser_here (self), "'if' must begin a line of its own");
          tt_nl_parser_skip_statement (self);
        }
      else
        parse_line (self, &end);
      return;
    }
  tt_nl_parser_next (self);
  if (tt_nl_parser_peek (self)->kind != TT_NL_INDENT)
    {
      if (tt_nl_parser_peek (self)->kind != TT_NL_BAD)
        tt_nl_error (self->messages, tt_nl_parser_here (self), "expected an indented block after '%s'", owner);
      return;
    }
  tt_nl_parser_next (self);
  while (tt_nl_parser_peek (self)->kind != TT_NL_DEDENT && tt_nl_parser_peek (self)->kind != TT_NL_END)
    parse_statement (self, &end);
  if (tt_nl_parser_peek (self)->kind == TT_NL_DEDENT)
    tt_nl_parser_next (self);
}

/* -- if ------------------------------------------------------------------------------------------------- */

/* Else-branches of an 'if' that could not be read. */
static TtNlStatement *
skip_if (TtNlParser *self)
{
  tt_nl_parser_skip_statement (self);
  while (tt_nl_parser_is (self, "elif") || tt_nl_parser_is (self, "else"))
    tt_nl_parser_skip_statement (self);
  return NULL;
}

static gboolean
parse_condition (TtNlParser *self, TtNlStatement *statement)
{
  guint32 first = tt_nl_parser_here (self);

  statement->value = tt_nl_parse_value (self);
  if (statement->value == NULL)
    return FALSE;
  if (tt_nl_parser_is (self, ":="))
    {
      tt_nl_error (self->messages, first, "NamedExpr is not supported");
      return FALSE;
    }
  return tt_nl_parser_expect (self, ":");
}

/* At "if" or "elif". */
static TtNlStatement *
parse_if (TtNlParser *self)
{
  const TtNlToken *word = tt_nl_parser_next (self);
  TtNlStatement *statement = new_statement (self, TT_NL_STATEMENT_IF, word->offset);

  if (self->n_ifs == TT_NL_MAX_NESTED_IFS)
    {
      tt_nl_error (self->messages, word->offset, "more than %u nested ifs (elif counts)", TT_NL_MAX_NESTED_IFS);
      return skip_if (self);
    }
  if (!parse_condition (self, statement))
    return skip_if (self);
  self->n_ifs++;
  tt_nl_parse_block (self, word->text, &statement->then);
  if (tt_nl_parser_is (self, "elif"))
    statement->otherwise = parse_if (self);
  else if (tt_nl_parser_accept (self, "else"))
    {
      if (tt_nl_parser_expect (self, ":"))
        tt_nl_parse_block (self, "else", &statement->otherwise);
      else
        tt_nl_parser_skip_statement (self);
    }
  self->n_ifs--;
  return statement;
}
