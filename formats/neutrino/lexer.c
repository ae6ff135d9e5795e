/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/lexer.h"

#include "formats/neutrino/literal.h"

#include <string.h>

/* Digits of a number that is too large. */
#define LONGEST_SHOWN 60u

typedef struct
{
  const char *text;
  gsize len, at;
  TtNlArena *arena;
  TtNlMessages *messages;
  GHashTable *texts; /* text -> itself: names are few */
  GArray *tokens;
  /* Columns of the open levels: with tabs to multiples of 8, and with tabs as one column. */
  guint columns[TT_NL_MAX_INDENTS + 1], narrow[TT_NL_MAX_INDENTS + 1];
  guint n_levels;
  gsize brackets[TT_NL_MAX_BRACKETS];
  guint n_brackets;
  gboolean given_up;
} Lexer;

/* The longest first. */
static const char *const operators[] = {
  "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=", "-=",
  "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "@=", ":=", "(",  ")",  "[",  "]",  "{",  "}",  "+",  "-",
  "*",   "/",   "%",   "<",   ">",   "=",  "&",  "|",  "^",  "~",  "@",  ",",  ":",  ".",  ";",
};

static guchar
peek_char (const Lexer *self, gsize ahead)
{
  return self->at + ahead < self->len ? (guchar) self->text[self->at + ahead] : 0;
}

static TtNlToken *
push (Lexer *self, TtNlTokenKind kind, gsize offset, gsize len)
{
  TtNlToken token = { .kind = kind, .offset = (guint32) offset, .len = (guint32) len };

  g_array_append_val (self->tokens, token);
  return &g_array_index (self->tokens, TtNlToken, self->tokens->len - 1);
}

static const char *
intern (Lexer *self, const char *text, gsize len)
{
  g_autofree char *key = g_strndup (text, len);
  const char *known = g_hash_table_lookup (self->texts, key);

  if (known == NULL)
    {
      known = tt_nl_arena_text (self->arena, text, len);
      g_hash_table_add (self->texts, (gpointer) known);
    }
  return known;
}

/* From here on the rest of the source would be misread. */
static void
give_up (Lexer *self)
{
  self->given_up = TRUE;
  self->at = self->len;
  self->n_brackets = 0;
  push (self, TT_NL_BAD, self->at, 0);
}

/* -- lines ------------------------------------------------------------------------------------------ */

/* Moves past the white space that begins a line. */
static void
measure (Lexer *self, guint *column, guint *narrow)
{
  *column = *narrow = 0;
  for (;; self->at++)
    switch (peek_char (self, 0))
      {
      case ' ':
        (*column)++;
        (*narrow)++;
        break;
      case '\t':
        *column = (*column / 8 + 1) * 8;
        (*narrow)++;
        break;
      case '\f':
        *column = *narrow = 0;
        break;
      default:
        return;
      }
}

static gboolean
is_line_end (const Lexer *self)
{
  guchar c = peek_char (self, 0);

  return self->at >= self->len || c == '\n' ||
         (c == '\r' && (peek_char (self, 1) == '\n' || self->at + 1 == self->len));
}

static void
open_level (Lexer *self, guint column, guint narrow)
{
  if (self->n_levels == TT_NL_MAX_INDENTS)
    {
      tt_nl_error (self->messages, self->at, "more than %u levels of indentation", TT_NL_MAX_INDENTS);
      give_up (self);
      return;
    }
  self->n_levels++;
  self->columns[self->n_levels] = column;
  self->narrow[self->n_levels] = narrow;
  push (self, TT_NL_INDENT, self->at, 0);
}

static void
set_inconsistent (Lexer *self, gsize line)
{
  tt_nl_error (self->messages, line, "inconsistent use of tabs and spaces in indentation");
  give_up (self);
}

/* The first code of a line stands at @column. */
static void
indent (Lexer *self, gsize line, guint column, guint narrow)
{
  if (column > self->columns[self->n_levels])
    {
      if (narrow <= self->narrow[self->n_levels])
        set_inconsistent (self, line);
      else
        open_level (self, column, narrow);
      return;
    }
  while (column < self->columns[self->n_levels])
    {
      self->n_levels--;
      push (self, TT_NL_DEDENT, self->at, 0);
    }
  if (column != self->columns[self->n_levels])
    {
      tt_nl_error (self->messages, self->at, "unindent does not match any outer indentation level");
      give_up (self);
    }
  else if (narrow != self->narrow[self->n_levels])
    set_inconsistent (self, line);
}

static void
skip_comment (Lexer *self)
{
  while (self->at < self->len && peek_char (self, 0) != '\n')
    self->at++;
}

/* At the beginning of a line, outside brackets. */
static void
begin_line (Lexer *self)
{
  gsize line = self->at;
  guint column, narrow;

  measure (self, &column, &narrow);
  if (peek_char (self, 0) == '#')
    skip_comment (self);
  if (!is_line_end (self))
    indent (self, line, column, narrow);
}

static gboolean
is_code_before (const Lexer *self)
{
  if (self->tokens->len == 0)
    return FALSE;
  TtNlTokenKind last = g_array_index (self->tokens, TtNlToken, self->tokens->len - 1).kind;
  return last != TT_NL_NEWLINE && last != TT_NL_DEDENT;
}

/* -- tokens ------------------------------------------------------------------------------------------- */

static void
lex_name (Lexer *self)
{
  gsize start = self->at;

  while (g_ascii_isalnum (peek_char (self, 0)) || peek_char (self, 0) == '_')
    self->at++;
  push (self, TT_NL_NAME, start, self->at - start)->text = intern (self, self->text + start, self->at - start);
}

static void
lex_number (Lexer *self)
{
  TtNlNumber number;
  gsize start = self->at;
  const char *why = tt_nl_number_read (self->text + start, self->len - start, &number);

  self->at += number.len;
  if (why != NULL)
    {
      tt_nl_error (self->messages, start, "%s", why);
      push (self, TT_NL_BAD, start, number.len);
      return;
    }
  TtNlToken *token = push (self, number.type != NULL ? TT_NL_CONSTANT : TT_NL_INTEGER, start, number.len);
  token->text = number.type;
  token->value = number.value;
  token->narrow = number.narrow;
  token->is_huge = number.is_huge;
  if (number.is_huge)
    token->text = tt_nl_arena_text (self->arena, self->text + start, MIN (number.len, LONGEST_SHOWN));
}

static void
lex_string (Lexer *self, gsize prefix)
{
  TtNlString string;
  gsize start = self->at;
  const TtNlStringAt at = { .source = self->text, .len = self->len, .start = start, .n_prefix = prefix };

  if (!tt_nl_string_read (&at, self->arena, &string, self->messages))
    {
      push (self, TT_NL_BAD, start, string.len);
      self->at = start + string.len;
      if (!string.is_terminated && string.is_triple)
        give_up (self);
      return;
    }
  TtNlToken *token = push (self, string.type != NULL ? TT_NL_CONSTANT : TT_NL_STRING, start, string.len);
  token->text = string.type != NULL ? string.type : string.text;
  self->at = start + string.len;
}

static gboolean
is_string_prefix (const Lexer *self, gsize *prefix)
{
  gsize n = 0;

  while (n < 2 && strchr ("rRbBfFuU", peek_char (self, n)) != NULL && peek_char (self, n) != 0)
    n++;
  *prefix = n;
  return peek_char (self, n) == '"' || peek_char (self, n) == '\'';
}

static void
open_bracket (Lexer *self)
{
  if (self->n_brackets == TT_NL_MAX_BRACKETS)
    {
      tt_nl_error (self->messages, self->at, "more than %u brackets are open", TT_NL_MAX_BRACKETS);
      give_up (self);
      return;
    }
  self->brackets[self->n_brackets++] = self->at;
}

static void
close_bracket (Lexer *self)
{
  char closing = (char) peek_char (self, 0);
  char opening = closing == ')' ? '(' : closing == ']' ? '[' : '{';

  if (self->n_brackets == 0)
    tt_nl_error (self->messages, self->at, "unmatched '%c'", closing);
  else if (self->text[self->brackets[--self->n_brackets]] != opening)
    tt_nl_error (self->messages, self->at, "'%c' does not close '%c'", closing,
                 self->text[self->brackets[self->n_brackets]]);
  else
    return;
  push (self, TT_NL_BAD, self->at, 0);
}

static void
lex_operator (Lexer *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    {
      gsize len = strlen (operators[i]);

      if (len > self->len - self->at || memcmp (self->text + self->at, operators[i], len) != 0)
        continue;
      if (strchr ("([{", *operators[i]) != NULL)
        open_bracket (self);
      else if (strchr (")]}", *operators[i]) != NULL)
        close_bracket (self);
      if (self->given_up)
        return;
      push (self, TT_NL_OPERATOR, self->at, len)->text = operators[i];
      self->at += len;
      return;
    }

  gunichar stray = g_utf8_get_char (self->text + self->at);
  if (stray < 128 && !g_ascii_isprint ((char) stray))
    tt_nl_error (self->messages, self->at, "stray character with code %u", stray);
  else if (stray < 128)
    tt_nl_error (self->messages, self->at, "stray character '%c'", (char) stray);
  else
    tt_nl_error (self->messages, self->at, "only ASCII letters, digits and '_' are allowed here");
  push (self, TT_NL_BAD, self->at, 1);
  for (self->at++; (peek_char (self, 0) & 0xc0) == 0x80; self->at++)
    ;
}

/* A backslash that ends its line joins the next. */
static gboolean
join_lines (Lexer *self)
{
  gsize skip = peek_char (self, 0) != '\\' ? 0 : peek_char (self, 1) == '\n' ? 2 : peek_char (self, 1) == '\r' ? 3 : 0;

  if (skip == 0 || (skip == 3 && peek_char (self, 2) != '\n'))
    return FALSE;
  self->at += skip;
  return TRUE;
}

static void
lex_token (Lexer *self)
{
  guchar c = peek_char (self, 0);
  gsize prefix;

  if (is_string_prefix (self, &prefix))
    lex_string (self, prefix);
  else if (g_ascii_isalpha (c) || c == '_')
    lex_name (self);
  else if (g_ascii_isdigit (c) || (c == '.' && g_ascii_isdigit (peek_char (self, 1))))
    lex_number (self);
  else
    lex_operator (self);
}

static void
end_line (Lexer *self)
{
  if (self->n_brackets == 0 && is_code_before (self))
    push (self, TT_NL_NEWLINE, self->at, 0);
  self->at += peek_char (self, 0) == '\r' ? 2 : 1;
  if (self->n_brackets == 0 && self->at < self->len)
    begin_line (self);
}

static void
lex_all (Lexer *self)
{
  begin_line (self);
  while (self->at < self->len)
    {
      guchar c = peek_char (self, 0);

      if (c == ' ' || c == '\t' || c == '\f')
        self->at++;
      else if (c == '#')
        skip_comment (self);
      else if (is_line_end (self))
        end_line (self);
      else if (!join_lines (self))
        lex_token (self);
    }
  if (self->n_brackets > 0)
    {
      gsize open = self->brackets[self->n_brackets - 1];
      tt_nl_error (self->messages, open, "'%c' is never closed", self->text[open]);
      push (self, TT_NL_BAD, self->len, 0);
    }
}

/* FALSE: the text is not one. */
static gboolean
check_text (Lexer *self)
{
  const char *end, *nul = memchr (self->text, 0, self->len);

  if (!g_utf8_validate_len (self->text, nul != NULL ? (gsize) (nul - self->text) : self->len, &end))
    tt_nl_error (self->messages, (gsize) (end - self->text), "invalid UTF-8");
  else if (nul != NULL)
    tt_nl_error (self->messages, (gsize) (nul - self->text), "NUL byte");
  else
    return TRUE;
  return FALSE;
}

GArray *
tt_nl_lex (const char *text, gsize len, TtNlArena *arena, TtNlMessages *messages)
{
  Lexer self = { .text = text, .len = len, .arena = arena, .messages = messages };
  gsize bom = len >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  self.tokens = g_array_new (FALSE, FALSE, sizeof (TtNlToken));
  self.texts = g_hash_table_new (g_str_hash, g_str_equal);
  self.at = bom;
  if (check_text (&self))
    lex_all (&self);
  if (is_code_before (&self))
    push (&self, TT_NL_NEWLINE, len, 0);
  for (; self.n_levels > 0; self.n_levels--)
    push (&self, TT_NL_DEDENT, len, 0);
  push (&self, TT_NL_END, len, 0);
  g_hash_table_unref (self.texts);
  return self.tokens;
}
