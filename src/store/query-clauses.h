/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clauses of a statement of the form
 *   SELECT [DISTINCT] ITEM, ... FROM event [[AS] NAME] [WHERE ...] [GROUP BY ..., ...] [HAVING ...] [ORDER BY ..., ...] [LIMIT n [OFFSET n]]
 * What stands in them is not looked at: a keyword that ends a clause of a statement that SQLite takes ends it here, too.
 */
#pragma once

#include "src/store/query-words.h"

/* Words from @from to before @to. */
typedef struct
{
  guint from, to;
} TtSqlSpan;

typedef struct
{
  TtSqlSpan span;
  const char *alias; /* of an item, or NULL */
  gboolean is_star;  /* of an item: all columns */
  /* Of a term of an order. */
  gboolean is_descending;
  const char *nulls; /* "first", "last" or NULL */
} TtSqlTerm;

typedef struct
{
  GArray *words; /* of TtSqlWord */
  gboolean is_distinct;
  const char *alias;            /* of the table, or NULL */
  GArray *items, *keys, *order; /* of TtSqlTerm */
  TtSqlSpan where, having;      /* empty: none */
  gboolean has_limit;
  guint64 limit, offset;
} TtSqlClauses;

/* NULL: it has another form. */
TtSqlClauses *tt_sql_clauses_new (const char *sql);
void tt_sql_clauses_free (TtSqlClauses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSqlClauses, tt_sql_clauses_free)

static inline const TtSqlWord *
tt_sql_word (const TtSqlClauses *self, guint i)
{
  return &g_array_index (self->words, TtSqlWord, i);
}

/* Whether word @i is there and is the keyword or mark @text. */
gboolean tt_sql_is (const TtSqlClauses *self, guint i, const char *text);
/* The place of the mark that closes what the '(' at @i opens, before @to; G_MAXUINT: none. */
guint tt_sql_find_close (const TtSqlClauses *self, guint i, guint to);
/* Whether words say anything by themselves, so that they are no names. */
gboolean tt_sql_is_keyword (const char *word);
