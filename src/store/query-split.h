/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtQuerySplit: a question about the events that several can answer, each from the events of its ids, and what makes the answer of one
 * out of theirs, byte by byte.
 *
 * Rows that are chosen only follow each other in the order of ids; those of an ORDER BY with a LIMIT, of a DISTINCT, and groups, are put together by a
 * second statement, over the rows of all in the order of their parts: SQLite orders and groups them by the same rules. Values of count, min and max
 * and of sums of whole numbers come out the same whichever way they are added; everything else is not split. So is every statement with a
 * word that is not known here.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char
      *part; /* of each, over its events; columns are those of `table`, but all that are chosen where `whole` is NULL */
  char *whole; /* over the table part, which has the rows of all; NULL: they follow each other */
  char *table; /* makes that table */
  char *types; /* of its columns: 't' keeps texts only, 'i' whole numbers, '-' everything */
} TtQuerySplit;

/* The functions of a part, and those that join what they return. */
#define TT_PART_SUM "tt_part_sum"
#define TT_JOIN_SUM "tt_join_sum"
#define TT_JOIN_TOTAL "tt_join_total"
#define TT_JOIN_AVG "tt_join_avg"

/* Rows that are ordered, at most so many. */
#define TT_SPLIT_MAX_LIMIT 100000u

/* NULL: it cannot be split. Whether @sql is right is for SQLite to say. */
TtQuerySplit *tt_query_split_new (const char *sql);
void tt_query_split_free (TtQuerySplit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtQuerySplit, tt_query_split_free)
