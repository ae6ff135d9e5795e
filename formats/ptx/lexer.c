/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/lexer.h"

#include "src/base/error.h"

#include <string.h>

#define MAX_TOLD 40 /* bytes of a token in a message */

static gboolean
is_first_of_word (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$' || c == '%';
}

static gboolean
is_in_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

static char
char_at (const TtPtxLexer *self, gsize at)
{
  return at < self->len ? self->text[at] : '\0';
}

static gboolean
fail_here (const TtPtxLexer *self, GError **error, const char *fault)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", self->name, self->line, fault);
  return FALSE;
}

gboolean
tt_ptx_lexer_fail (const TtPtxLexer *self, GError **error, const char *fault)
{
  const TtPtxToken *token = &self->token;

  if (token->kind == TT_PTX_TOKEN_END)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s, but the text ends", self->name, token->line,
                 fault);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s, not '%.*s'", self->name, token->line, fault,
                 (int) MIN (token->end - token->start, MAX_TOLD), self->text + token->start);
  return FALSE;
}

/* Blanks and comments. */
static gboolean
skip (TtPtxLexer *self, GError **error)
{
  for (;;)
    {
      char c = char_at (self, self->at);

      if (c == '\n')
        self->line++;
      if (self->at < self->len && g_ascii_isspace (c))
        self->at++;
      else if (c == '/' && char_at (self, self->at + 1) == '/')
        {
          const char *end = memchr (self->text + self->at, '\n', self->len - self->at);
          self->at = end == NULL ? self->len : (gsize) (end - self->text);
        }
      else if (c == '/' && char_at (self, self->at + 1) == '*')
        {
          for (self->at += 2; !(char_at (self, self->at) == '*' && char_at (self, self->at + 1) == '/'); self->at++)
            {
              if (self->at >= self->len)
                return fail_here (self, error, "a comment does not end");
              if (self->text[self->at] == '\n')
                self->line++;
            }
          self->at += 2;
        }
      else
        return TRUE;
    }
}

static gboolean
read_digits (TtPtxLexer *self, guint base, GError **error)
{
  guint64 value = 0;
  guint n = 0;

  for (int digit; (digit = g_ascii_xdigit_value (char_at (self, self->at))) >= 0 && digit < (int) base; self->at++, n++)
    if (__builtin_mul_overflow (value, base, &value) || __builtin_add_overflow (value, (guint64) digit, &value))
      return fail_here (self, error, "a number is greater than 2^64 - 1");
  if (n == 0)
    return fail_here (self, error, "a number has no digits");
  self->token.value = value;
  return TRUE;
}

/* 0f3F800000: the bits. */
static gboolean
read_float_bits (TtPtxLexer *self, guint n_digits, GError **error)
{
  gsize start = self->at += 2;

  if (!read_digits (self, 16, error))
    return FALSE;
  if (self->at - start != n_digits)
    return fail_here (self, error, "0f takes 8 digits, and 0d takes 16");
  self->token.kind = n_digits == 8 ? TT_PTX_TOKEN_FLOAT32 : TT_PTX_TOKEN_FLOAT64;
  return TRUE;
}

static gboolean
read_decimal (TtPtxLexer *self, GError **error)
{
  gsize start = self->at, end = start;

  while (end < self->len && (g_ascii_isdigit (self->text[end]) || self->text[end] == '.' || self->text[end] == 'e' ||
                             self->text[end] == 'E' ||
                             ((self->text[end] == '-' || self->text[end] == '+') &&
                              (self->text[end - 1] == 'e' || self->text[end - 1] == 'E'))))
    end++;
  g_autofree char *copy = g_strndup (self->text + start, end - start);
  char *stop;
  double value = g_ascii_strtod (copy, &stop);
  if (*stop != '\0')
    return fail_here (self, error, "this is no number");
  memcpy (&self->token.value, &value, sizeof value);
  self->token.kind = TT_PTX_TOKEN_FLOAT64;
  self->at = end;
  return TRUE;
}

static gboolean
read_number (TtPtxLexer *self, GError **error)
{
  char second = char_at (self, self->at + 1);
  gsize end = self->at;
  gboolean ok;

  self->token.kind = TT_PTX_TOKEN_INTEGER;
  while (end < self->len && g_ascii_isdigit (self->text[end]))
    end++;
  if (char_at (self, end) == '.' && g_ascii_isdigit (char_at (self, end + 1)))
    return read_decimal (self, error);
  if (self->text[self->at] != '0')
    ok = read_digits (self, 10, error);
  else if (second == 'f' || second == 'F')
    return read_float_bits (self, 8, error);
  else if (second == 'd' || second == 'D')
    return read_float_bits (self, 16, error);
  else if (second == 'x' || second == 'X')
    self->at += 2, ok = read_digits (self, 16, error);
  else if (second == 'b' || second == 'B')
    self->at += 2, ok = read_digits (self, 2, error);
  else
    ok = read_digits (self, 8, error);
  if (ok && char_at (self, self->at) == 'U')
    self->at++;
  if (ok && is_in_word (char_at (self, self->at)))
    return fail_here (self, error, "letters follow a number");
  return ok;
}

static gboolean
read_string (TtPtxLexer *self, GError **error)
{
  for (self->at++; char_at (self, self->at) != '"'; self->at++)
    if (self->at >= self->len || self->text[self->at] == '\n')
      return fail_here (self, error, "a string does not end");
  self->at++;
  self->token.kind = TT_PTX_TOKEN_STRING;
  return TRUE;
}

gboolean
tt_ptx_lexer_next (TtPtxLexer *self, GError **error)
{
  gboolean ok = TRUE;

  self->last_end = self->token.end;
  if (!skip (self, error))
    return FALSE;
  self->token = (TtPtxToken){ .line = self->line, .start = (guint32) self->at };
  char c = char_at (self, self->at), second = char_at (self, self->at + 1);
  if (self->at >= self->len)
    self->token.kind = TT_PTX_TOKEN_END;
  else if (is_first_of_word (c))
    {
      self->token.kind = TT_PTX_TOKEN_WORD;
      for (self->at++; is_in_word (char_at (self, self->at)); self->at++)
        ;
    }
  else if (c == '.' && is_in_word (second))
    {
      self->token.kind = TT_PTX_TOKEN_DOT_WORD;
      for (self->at++; is_in_word (char_at (self, self->at)) ||
                       (char_at (self, self->at) == ':' && char_at (self, self->at + 1) == ':');)
        self->at += char_at (self, self->at) == ':' ? 2 : 1;
    }
  else if (g_ascii_isdigit (c))
    ok = read_number (self, error);
  else if (c == '"')
    ok = read_string (self, error);
  else if (strchr (",;:()[]{}<>@!|+-=", c) != NULL && c != '\0')
    {
      self->token.kind = TT_PTX_TOKEN_MARK;
      self->token.value = (guchar) c;
      self->at++;
    }
  else
    return fail_here (self, error, "a character that PTX does not have");
  self->token.end = (guint32) self->at;
  return ok;
}

gboolean
tt_ptx_lexer_init (TtPtxLexer *self, const char *name, const char *text, gsize len, GError **error)
{
  *self = (TtPtxLexer){ .name = name, .text = text, .len = len, .line = 1 };
  return tt_ptx_lexer_next (self, error);
}

gboolean
tt_ptx_lexer_is_mark (const TtPtxLexer *self, char mark)
{
  return self->token.kind == TT_PTX_TOKEN_MARK && self->token.value == (guchar) mark;
}

gboolean
tt_ptx_lexer_is (const TtPtxLexer *self, const char *text)
{
  gsize len = strlen (text);

  return self->token.kind != TT_PTX_TOKEN_END && self->token.end - self->token.start == len &&
         memcmp (self->text + self->token.start, text, len) == 0;
}
