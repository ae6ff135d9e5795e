/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

static const char *const keywords[] = {
  "False",  "None",     "True", "and",    "as",   "assert",  "async",  "await",  "break", "class",  "continue", "def",
  "del",    "elif",     "else", "except", "for",  "finally", "from",   "global", "if",    "import", "in",       "is",
  "lambda", "nonlocal", "not",  "or",     "pass", "raise",   "return", "try",    "while", "with",   "yield",
};

gboolean
tt_nl_is_keyword (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (g_str_equal (text, keywords[i]))
      return TRUE;
  return FALSE;
}

const TtNlToken *
tt_nl_parser_peek (const TtNlParser *self)
{
  return &self->tokens[self->at];
}

const TtNlToken *
tt_nl_parser_next (TtNlParser *self)
{
  const TtNlToken *token = &self->tokens[self->at];

  self->at += token->kind != TT_NL_END;
  return token;
}

gboolean
tt_nl_parser_is (const TtNlParser *self, const char *text)
{
  const TtNlToken *token = tt_nl_parser_peek (self);

  return (token->kind == TT_NL_NAME || token->kind == TT_NL_OPERATOR) && g_str_equal (token->text, text);
}

gboolean
tt_nl_parser_accept (TtNlParser *self, const char *text)
{
  if (!tt_nl_parser_is (self, text))
    return FALSE;
  tt_nl_parser_next (self);
  return TRUE;
}

void
tt_nl_parser_unexpected (TtNlParser *self, const char *what)
{
  static const char *const kinds[] = {
    [TT_NL_END] = "the end of the file", [TT_NL_NEWLINE] = "the end of the line",
    [TT_NL_INDENT] = "an indented line", [TT_NL_DEDENT] = "the end of the block",
    [TT_NL_INTEGER] = "a number",        [TT_NL_CONSTANT] = "a constant",
    [TT_NL_STRING] = "a string",
  };
  const TtNlToken *token = tt_nl_parser_peek (self);

  if (token->kind == TT_NL_BAD)
    return;
  if (token->kind == TT_NL_NAME || token->kind == TT_NL_OPERATOR)
    tt_nl_error (self->messages, token->offset, "expected %s, found '%.40s'", what, token->text);
  else
    tt_nl_error (self->messages, token->offset, "expected %s, found %s", what, kinds[token->kind]);
}

gboolean
tt_nl_parser_expect (TtNlParser *self, const char *text)
{
  if (tt_nl_parser_accept (self, text))
    return TRUE;
  g_autofree char *quoted = g_strdup_printf ("'%s'", text);
  tt_nl_parser_unexpected (self, quoted);
  return FALSE;
}

const TtNlToken *
tt_nl_parser_name (TtNlParser *self, const char *what)
{
  const TtNlToken *token = tt_nl_parser_peek (self);

  if (token->kind == TT_NL_NAME && !tt_nl_is_keyword (token->text))
    return tt_nl_parser_next (self);
  tt_nl_parser_unexpected (self, what);
  return NULL;
}

void
tt_nl_parser_skip_block (TtNlParser *self)
{
  guint n_open = 0;

  if (tt_nl_parser_peek (self)->kind != TT_NL_INDENT)
    return;
  do
    {
      TtNlTokenKind kind = tt_nl_parser_next (self)->kind;

      n_open += kind == TT_NL_INDENT;
      n_open -= kind == TT_NL_DEDENT;
    }
  while (n_open > 0 && tt_nl_parser_peek (self)->kind != TT_NL_END);
}

void
tt_nl_parser_skip_statement (TtNlParser *self)
{
  for (;;)
    {
      TtNlTokenKind kind = tt_nl_parser_peek (self)->kind;

      if (kind == TT_NL_END || kind == TT_NL_DEDENT || kind == TT_NL_INDENT)
        break;
      tt_nl_parser_next (self);
      if (kind == TT_NL_NEWLINE)
        break;
    }
  tt_nl_parser_skip_block (self);
}
