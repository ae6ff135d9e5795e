/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/lexer.h"

#include <errno.h>
#include <string.h>

#define MAX_SHOWN 40

static gboolean fail_at (TtTsdlLexer *self, guint line, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail_in_line (TtTsdlLexer *self, guint line, const char *format, va_list arguments)
{
  if (self->fault == NULL)
    {
      g_autofree char *what = g_strdup_vprintf (format, arguments);
      self->fault = g_strdup_printf ("line %u: %s", line, what);
    }
  self->token = TT_TSDL_END;
  return FALSE;
}

static gboolean
fail_at (TtTsdlLexer *self, guint line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail_in_line (self, line, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
tt_tsdl_fail (TtTsdlLexer *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail_in_line (self, self->line_before, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
tt_tsdl_fail_syntax (TtTsdlLexer *self)
{
  g_autofree char *shown = NULL;

  switch (self->token)
    {
    case TT_TSDL_END:
      return fail_at (self, self->line, "syntax error: the text ends here");
    case TT_TSDL_WORD:
    case TT_TSDL_TEXT:
      return fail_at (self, self->line, "syntax error at '%.*s'", MAX_SHOWN, self->text->str);
    default:
      shown = g_strndup (self->begin, (gsize) MIN (self->at - self->begin, MAX_SHOWN));
      return fail_at (self, self->line, "syntax error at '%s'", shown);
    }
}

/* -- blanks --------------------------------------------------------------------------------------------------- */

static void
skip_comment (TtTsdlLexer *self)
{
  const char *end = strstr (self->at + 2, "*/");
  guint line = self->line;

  if (end == NULL)
    {
      fail_at (self, self->line, "a comment that does not end");
      self->at += strlen (self->at);
      return;
    }
  for (const char *p = self->at; p < end; p++)
    line += *p == '\n';
  self->line = line;
  self->at = end + 2;
}

static void
skip_blanks (TtTsdlLexer *self)
{
  for (;;)
    {
      if (*self->at == ' ' || *self->at == '\t' || *self->at == '\r')
        self->at++;
      else if (*self->at == '\n')
        {
          self->line++;
          self->at++;
        }
      else if (self->at[0] == '/' && self->at[1] == '*')
        skip_comment (self);
      else if (self->at[0] == '/' && self->at[1] == '/')
        self->at += strcspn (self->at, "\n");
      else
        return;
    }
}

/* -- tokens ----------------------------------------------------------------------------------------------------- */

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static void
read_word (TtTsdlLexer *self)
{
  const char *begin = self->at;

  while (is_name_character (*self->at))
    self->at++;
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, begin, self->at - begin);
  self->token = TT_TSDL_WORD;
}

static void
read_number (TtTsdlLexer *self)
{
  int base = self->at[0] != '0' ? 10 : (self->at[1] | 0x20) == 'x' ? 16 : 8;
  char *end;

  errno = 0;
  self->number = g_ascii_strtoull (self->at, &end, base);
  if (errno != 0)
    {
      fail_at (self, self->line, "a number of more than 64 bits");
      return;
    }
  end += strspn (end, "uUlL");
  if (is_name_character (*end))
    {
      fail_at (self, self->line, "not a number: '%.*s'", (int) MIN (end + 1 - self->at, MAX_SHOWN), self->at);
      return;
    }
  self->at = end;
  self->token = TT_TSDL_NUMBER;
}

/* Appends what the escape at @p, after its backslash, stands for; returns where it ends. */
static const char *
read_escape (GString *text, const char *p)
{
  static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
  const char *letter = *p == '\0' ? NULL : strchr (letters, *p);
  guint value = 0, n = 0;

  if (letter != NULL)
    {
      g_string_append_c (text, values[letter - letters]);
      return p + 1;
    }
  if (*p >= '0' && *p <= '7')
    {
      while (n++ < 3 && *p >= '0' && *p <= '7')
        value = value * 8 + (guint) (*p++ - '0');
      g_string_append_c (text, (char) value);
      return p;
    }
  if (*p == 'x' && g_ascii_isxdigit (p[1]))
    {
      for (p++; n++ < 2 && g_ascii_isxdigit (*p); p++)
        value = value * 16 + (guint) g_ascii_xdigit_value (*p);
      g_string_append_c (text, (char) value);
      return p;
    }
  if (*p != '\0')
    g_string_append_c (text, *p);
  return *p == '\0' ? p : p + 1;
}

static void
read_text (TtTsdlLexer *self)
{
  char quote = *self->at;
  const char *p = self->at + 1;
  guint lines = 0;

  g_string_truncate (self->text, 0);
  while (*p != '\0' && *p != quote)
    {
      lines += *p == '\n';
      if (*p == '\\')
        p = read_escape (self->text, p + 1);
      else
        g_string_append_c (self->text, *p++);
    }
  if (*p == '\0')
    {
      fail_at (self, self->line, "a text that does not end");
      return;
    }
  self->line += lines;
  self->at = p + 1;
  self->token = TT_TSDL_TEXT;
}

static void
read_sign (TtTsdlLexer *self)
{
  static const struct
  {
    const char *sign;
    int token;
  } signs[] = { { "...", TT_TSDL_DOTS }, { ":=", TT_TSDL_ASSIGN }, { "->", TT_TSDL_ARROW } };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (self->at, signs[i].sign))
      {
        self->token = signs[i].token;
        self->at += strlen (signs[i].sign);
        return;
      }
  if (strchr ("[](){}*+-<>:;.=,", *self->at) == NULL)
    {
      fail_at (self, self->line, "syntax error: a character that means nothing, 0x%02x", (guint) (guchar) *self->at);
      return;
    }
  self->token = *self->at++;
}

void
tt_tsdl_next (TtTsdlLexer *self)
{
  self->line_before = self->line;
  skip_blanks (self);
  self->begin = self->at;
  if (self->fault != NULL || *self->at == '\0')
    self->token = TT_TSDL_END;
  else if (*self->at == '"' || *self->at == '\'')
    read_text (self);
  else if (self->at[0] == 'L' && (self->at[1] == '"' || self->at[1] == '\''))
    {
      self->at++;
      read_text (self);
    }
  else if (g_ascii_isdigit (*self->at))
    read_number (self);
  else if (is_name_character (*self->at))
    read_word (self);
  else
    read_sign (self);
}

void
tt_tsdl_go_to (TtTsdlLexer *self, const char *at, guint line)
{
  self->at = at;
  self->line = line;
  tt_tsdl_next (self);
}

void
tt_tsdl_lexer_init (TtTsdlLexer *self, const char *text)
{
  *self = (TtTsdlLexer){ .at = text, .line = 1, .text = g_string_new (NULL) };
  tt_tsdl_next (self);
}

void
tt_tsdl_lexer_clear (TtTsdlLexer *self)
{
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
  g_clear_pointer (&self->fault, g_free);
}

gboolean
tt_tsdl_is_word (const TtTsdlLexer *self, const char *word)
{
  return self->token == TT_TSDL_WORD && strcmp (self->text->str, word) == 0;
}

gboolean
tt_tsdl_skip (TtTsdlLexer *self, int token)
{
  if (self->token != token)
    return FALSE;
  tt_tsdl_next (self);
  return TRUE;
}

gboolean
tt_tsdl_skip_word (TtTsdlLexer *self, const char *word)
{
  if (!tt_tsdl_is_word (self, word))
    return FALSE;
  tt_tsdl_next (self);
  return TRUE;
}

gboolean
tt_tsdl_expect (TtTsdlLexer *self, int token)
{
  return tt_tsdl_skip (self, token) || tt_tsdl_fail_syntax (self);
}
