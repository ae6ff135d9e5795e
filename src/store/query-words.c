/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-words.h"

#include <string.h>

/* What an alias stands for is written wherever it is used, brackets are looked for in each: more words would take seconds. */
#define MAX_WORDS 1024u

static gboolean
is_name_begin (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static gboolean
is_name_part (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* What a name of other letters or of signs may go on with. */
static gboolean
is_odd_part (char c)
{
  return is_name_part (c) || c == '$' || (c & 0x80) != 0;
}

/* Each returns the length of what stands at @at; 0: it is none. */

static gsize
measure_name (const char *at)
{
  gsize len = 0;

  while (is_name_part (at[len]))
    len++;
  /* x'00' is a blob. */
  return is_odd_part (at[len]) || at[len] == '\'' ? 0 : len;
}

/* With quotes; a doubled one is in the text. */
static gsize
measure_text (const char *at)
{
  for (gsize len = 1; at[len] != '\0'; len++)
    if (at[len] == '\'' && at[len + 1] != '\'')
      return len + 1;
    else if (at[len] == '\'')
      len++;
  return 0;
}

static gsize
measure_quoted (const char *at)
{
  gsize len = 1;

  while (is_name_part (at[len]))
    len++;
  return len > 1 && at[len] == '"' && at[len + 1] != '"' ? len + 1 : 0;
}

static gsize
measure_number (const char *at, TtSqlKind *kind)
{
  gsize len = strspn (at, G_CSET_DIGITS);

  *kind = TT_SQL_WHOLE;
  if (at[len] == '.')
    {
      *kind = TT_SQL_REAL;
      len += 1 + strspn (at + len + 1, G_CSET_DIGITS);
    }
  if (at[len] == 'e' || at[len] == 'E')
    {
      const gsize sign = at[len + 1] == '+' || at[len + 1] == '-';
      *kind = TT_SQL_REAL;
      len += 1 + sign;
      if (!g_ascii_isdigit (at[len]))
        return 0;
      len += strspn (at + len, G_CSET_DIGITS);
    }
  /* SQLite reads a whole number that does not fit as a real one. */
  if (*kind == TT_SQL_WHOLE && len > 18)
    *kind = TT_SQL_REAL;
  return is_odd_part (at[len]) || at[len] == '.' ? 0 : len;
}

static gsize
measure_mark (const char *at)
{
  static const char *const marks[] = { "->>", "->", "||", "<<", "<=", "<>", ">>", ">=", "==", "!=" };

  if (g_str_has_prefix (at, "--") || g_str_has_prefix (at, "/*"))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_str_has_prefix (at, marks[i]))
      return strlen (marks[i]);
  return strchr ("<>=+-*/%&|~(),.", *at) != NULL;
}

static gsize
measure (const char *at, TtSqlKind *kind)
{
  if (is_name_begin (*at))
    {
      *kind = TT_SQL_NAME;
      return measure_name (at);
    }
  if (*at == '\'')
    {
      *kind = TT_SQL_TEXT;
      return measure_text (at);
    }
  if (*at == '"')
    {
      *kind = TT_SQL_QUOTED;
      return measure_quoted (at);
    }
  if (g_ascii_isdigit (*at))
    return measure_number (at, kind);
  *kind = TT_SQL_MARK;
  return measure_mark (at);
}

static void
clear_word (gpointer data)
{
  g_free (((TtSqlWord *) data)->text);
}

static char *
text_of (const char *at, gsize len, TtSqlKind kind)
{
  if (kind == TT_SQL_QUOTED)
    return g_ascii_strdown (at + 1, (gssize) len - 2);
  return kind == TT_SQL_NAME ? g_ascii_strdown (at, (gssize) len) : g_strndup (at, len);
}

GArray *
tt_sql_words (const char *sql)
{
  static const char spaces[] = " \t\n\f\r";
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (TtSqlWord));

  g_array_set_clear_func (words, clear_word);
  for (const char *at = sql + strspn (sql, spaces); *at != '\0'; at += strspn (at, spaces))
    {
      TtSqlWord word;
      if (*at == ';')
        return at[1 + strspn (at + 1, " \t\n\f\r;")] == '\0' ? g_steal_pointer (&words) : NULL;
      const gsize len = measure (at, &word.kind);
      if (len == 0 || words->len == MAX_WORDS)
        return NULL;
      word.text = text_of (at, len, word.kind);
      g_array_append_val (words, word);
      at += len;
    }
  return g_steal_pointer (&words);
}
