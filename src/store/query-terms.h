/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSqlWriter: expressions of a statement, written for its parts, over events, or for what joins these (query-split.h).
 */
#pragma once

#include "src/store/query-clauses.h"

/* What rows are grouped by. */
typedef struct
{
  char *text;  /* over events */
  char *ref;   /* over parts */
  char type;   /* of TtQuerySplit */
  gint column; /* of the event; -1: it is an expression */
} TtSqlKey;

typedef struct
{
  const TtSqlClauses *clauses;
  GArray *keys;          /* of TtSqlKey */
  GPtrArray *aggregates; /* char *, of parts */
  guint depth;           /* of aliases that are written */
  /* Of what was written since they were set to 0. */
  guint n_references;
  gboolean has_real;
} TtSqlWriter;

typedef enum
{
  TT_SQL_COLUMNS = 1, /* columns of events, by their names */
  TT_SQL_GROUPS = 2,  /* keys and aggregates, by the columns of parts */
  TT_SQL_ALIASES = 4,
  TT_SQL_NO_ID = 8,
} TtSqlMay;

void tt_sql_writer_init (TtSqlWriter *self, const TtSqlClauses *clauses);
void tt_sql_writer_clear (TtSqlWriter *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSqlWriter, tt_sql_writer_clear)

/* NULL: there is something in it that is not known, or not of what @may be there. Free it. */
char *tt_sql_write (TtSqlWriter *self, TtSqlSpan span, guint may);
/* The column of events of that name; -1: none. */
gint tt_sql_find_column (const char *name);
/* The column of events that @span is; -1: it is something else. */
gint tt_sql_only_column (const TtSqlClauses *clauses, TtSqlSpan span);
/* The item of that alias; -1: none. */
gint tt_sql_find_alias (const TtSqlClauses *clauses, const char *name);
/* The name that @span is; NULL: it is something else. */
const char *tt_sql_only_name (const TtSqlClauses *clauses, TtSqlSpan span);
/* Whether it calls an aggregate function. */
gboolean tt_sql_has_aggregate (const TtSqlClauses *clauses, TtSqlSpan span);
