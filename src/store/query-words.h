/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of a statement in SQL, as SQLite tells them apart, of those that query-split.h understands. What is none of these (a comment, a
 * parameter, a blob, a name in brackets) is for SQLite alone.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_SQL_NAME,   /* a name or keyword, not quoted; in small letters */
  TT_SQL_QUOTED, /* "a name", without its quotes, in small letters; of letters, digits and _ only */
  TT_SQL_TEXT,   /* 'a text', with its quotes */
  TT_SQL_WHOLE,  /* a number of digits only */
  TT_SQL_REAL,   /* another number */
  TT_SQL_MARK,   /* an operator or other punctuation */
} TtSqlKind;

typedef struct
{
  TtSqlKind kind;
  char *text; /* owned by the array */
} TtSqlWord;

/* Of TtSqlWord, without a semicolon at the end. NULL: there is something else in it. Free it with g_array_unref(). */
GArray *tt_sql_words (const char *sql);
