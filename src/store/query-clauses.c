/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-clauses.h"

#include <string.h>

#define MAX_TERMS 64u
#define MAX_LIMIT G_GUINT64_CONSTANT (1000000000)

typedef struct
{
  TtSqlClauses *clauses;
  guint at;
} Reader;

gboolean
tt_sql_is (const TtSqlClauses *self, guint i, const char *text)
{
  if (i >= self->words->len)
    return FALSE;
  const TtSqlWord *word = tt_sql_word (self, i);
  return (word->kind == TT_SQL_NAME || word->kind == TT_SQL_MARK) && g_str_equal (word->text, text);
}

guint
tt_sql_find_close (const TtSqlClauses *self, guint i, guint to)
{
  guint depth = 0;

  for (; i < to; i++)
    {
      depth += tt_sql_is (self, i, "(");
      if (tt_sql_is (self, i, ")") && --depth == 0)
        return i;
    }
  return G_MAXUINT;
}

static const char *const ends[] = { "from", "where", "group", "having", "order", "limit", "offset", NULL };
static const char *const keywords[] = {
  "select", "distinct", "all",     "as",      "asc",     "desc",   "nulls",  "by",        "and",     "or",
  "not",    "in",       "like",    "glob",    "between", "is",     "null",   "isnull",    "notnull", "case",
  "when",   "then",     "else",    "end",     "cast",    "escape", "event",  "true",      "false",   "rowid",
  "oid",    "_rowid_",  "first",   "last",    "collate", "over",   "filter", "union",     "join",    "left",
  "cross",  "inner",    "natural", "using",   "on",      "window", "except", "intersect", "values",  "with",
  "exists", "regexp",   "match",   "indexed", "raise",   NULL,
};
/* Keywords, too, but an alias may be called so: elsewhere the same word is the time. */
static const char *const times[] = { "current_date", "current_time", "current_timestamp", NULL };

gboolean
tt_sql_is_keyword (const char *word)
{
  return g_strv_contains (ends, word) || g_strv_contains (keywords, word) || g_strv_contains (times, word);
}

/* -- reading ---------------------------------------------------------------------------------------------------------- */

static gboolean
take (Reader *self, const char *text)
{
  const gboolean is_there = tt_sql_is (self->clauses, self->at, text);

  self->at += is_there;
  return is_there;
}

/* NULL: there is none. */
static const char *
take_name (Reader *self)
{
  if (self->at >= self->clauses->words->len)
    return NULL;
  const TtSqlWord *word = tt_sql_word (self->clauses, self->at);
  if ((word->kind != TT_SQL_NAME && word->kind != TT_SQL_QUOTED) || tt_sql_is_keyword (word->text))
    return NULL;
  self->at++;
  return word->text;
}

/* Goes on to the end of a clause, or to a comma outside of brackets if @to_comma. FALSE: there is nothing, or brackets do not close. */
static gboolean
take_span (Reader *self, gboolean to_comma, TtSqlSpan *span)
{
  const TtSqlClauses *clauses = self->clauses;

  span->from = self->at;
  while (self->at < clauses->words->len)
    {
      const TtSqlWord *word = tt_sql_word (clauses, self->at);
      if ((word->kind == TT_SQL_NAME && g_strv_contains (ends, word->text)) ||
          (to_comma && tt_sql_is (clauses, self->at, ",")))
        break;
      if (tt_sql_is (clauses, self->at, ")"))
        return FALSE;
      if (tt_sql_is (clauses, self->at, "("))
        self->at = tt_sql_find_close (clauses, self->at, clauses->words->len);
      if (self->at == G_MAXUINT)
        return FALSE;
      self->at++;
    }
  span->to = self->at;
  return span->to > span->from;
}

/* After a comma another one follows. */
static gboolean
take_terms (Reader *self, GArray *terms)
{
  do
    {
      TtSqlTerm term = { 0 };
      if (terms->len == MAX_TERMS || !take_span (self, TRUE, &term.span))
        return FALSE;
      g_array_append_val (terms, term);
    }
  while (take (self, ","));
  return TRUE;
}

/* -- items ------------------------------------------------------------------------------------------------------------ */

static gboolean
ends_operand (const TtSqlClauses *self, guint i)
{
  const TtSqlWord *word = tt_sql_word (self, i);

  if (word->kind == TT_SQL_MARK)
    return g_str_equal (word->text, ")");
  return word->kind != TT_SQL_NAME || !tt_sql_is_keyword (word->text) || g_str_equal (word->text, "end") ||
         g_str_equal (word->text, "null") || g_str_equal (word->text, "isnull") || g_str_equal (word->text, "notnull");
}

/* "ITEM AS NAME", "ITEM NAME", "*". FALSE: the name is a text. */
static gboolean
read_item (const TtSqlClauses *self, TtSqlTerm *item)
{
  TtSqlSpan *span = &item->span;
  const guint n = span->to - span->from;
  const TtSqlWord *last = tt_sql_word (self, span->to - 1);

  item->is_star = n == 1 && tt_sql_is (self, span->from, "*");
  if (n < 2 || last->kind == TT_SQL_TEXT)
    return n < 2 || !ends_operand (self, span->to - 2);
  if ((last->kind != TT_SQL_NAME && last->kind != TT_SQL_QUOTED) || tt_sql_is_keyword (last->text))
    return TRUE;
  const gboolean has_as = n > 2 && tt_sql_is (self, span->to - 2, "as");
  if (!has_as && !ends_operand (self, span->to - 2))
    return TRUE;
  item->alias = last->text;
  span->to -= has_as ? 2 : 1;
  return TRUE;
}

/* "TERM [ASC|DESC] [NULLS FIRST|LAST]" */
static gboolean
read_order_term (const TtSqlClauses *self, TtSqlTerm *term)
{
  TtSqlSpan *span = &term->span;

  if (span->to - span->from > 2 && tt_sql_is (self, span->to - 2, "nulls"))
    {
      term->nulls = tt_sql_word (self, span->to - 1)->text;
      span->to -= 2;
      if (!g_str_equal (term->nulls, "first") && !g_str_equal (term->nulls, "last"))
        return FALSE;
    }
  term->is_descending = tt_sql_is (self, span->to - 1, "desc");
  span->to -= term->is_descending || tt_sql_is (self, span->to - 1, "asc");
  return span->to > span->from;
}

/* -- clauses ---------------------------------------------------------------------------------------------------------- */

static gboolean
take_number (Reader *self, guint64 *number)
{
  if (self->at >= self->clauses->words->len)
    return FALSE;
  const TtSqlWord *word = tt_sql_word (self->clauses, self->at++);
  *number = word->kind == TT_SQL_WHOLE ? g_ascii_strtoull (word->text, NULL, 10) : G_MAXUINT64;
  return *number <= MAX_LIMIT;
}

static gboolean
take_limit (Reader *self)
{
  TtSqlClauses *clauses = self->clauses;

  if (!take (self, "limit"))
    return TRUE;
  clauses->has_limit = TRUE;
  if (!take_number (self, &clauses->limit))
    return FALSE;
  if (take (self, "offset"))
    return take_number (self, &clauses->offset);
  if (!take (self, ","))
    return TRUE;
  clauses->offset = clauses->limit;
  return take_number (self, &clauses->limit);
}

static gboolean
take_table (Reader *self)
{
  if (!take (self, "from") || !take (self, "event"))
    return FALSE;
  if (take (self, "as"))
    return (self->clauses->alias = take_name (self)) != NULL;
  self->clauses->alias = take_name (self);
  return TRUE;
}

static gboolean
take_order (Reader *self)
{
  const TtSqlClauses *clauses = self->clauses;

  if (!take (self, "order"))
    return TRUE;
  if (!take (self, "by") || !take_terms (self, clauses->order))
    return FALSE;
  for (guint i = 0; i < clauses->order->len; i++)
    if (!read_order_term (clauses, &g_array_index (clauses->order, TtSqlTerm, i)))
      return FALSE;
  return TRUE;
}

static gboolean
take_all (Reader *self)
{
  TtSqlClauses *clauses = self->clauses;

  if (!take (self, "select"))
    return FALSE;
  clauses->is_distinct = take (self, "distinct");
  if (!take_terms (self, clauses->items) || !take_table (self) ||
      (take (self, "where") && !take_span (self, FALSE, &clauses->where)) ||
      (take (self, "group") && !(take (self, "by") && take_terms (self, clauses->keys))) ||
      (take (self, "having") && !take_span (self, FALSE, &clauses->having)) || !take_order (self) || !take_limit (self))
    return FALSE;
  for (guint i = 0; i < clauses->items->len; i++)
    if (!read_item (clauses, &g_array_index (clauses->items, TtSqlTerm, i)))
      return FALSE;
  return self->at == clauses->words->len;
}

TtSqlClauses *
tt_sql_clauses_new (const char *sql)
{
  GArray *words = tt_sql_words (sql);

  if (words == NULL)
    return NULL;
  g_autoptr (TtSqlClauses) self = g_new0 (TtSqlClauses, 1);
  Reader reader = { .clauses = self };
  self->words = words;
  self->items = g_array_new (FALSE, FALSE, sizeof (TtSqlTerm));
  self->keys = g_array_new (FALSE, FALSE, sizeof (TtSqlTerm));
  self->order = g_array_new (FALSE, FALSE, sizeof (TtSqlTerm));
  return take_all (&reader) ? g_steal_pointer (&self) : NULL;
}

void
tt_sql_clauses_free (TtSqlClauses *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->words);
  g_array_unref (self->items);
  g_array_unref (self->keys);
  g_array_unref (self->order);
  g_free (self);
}
