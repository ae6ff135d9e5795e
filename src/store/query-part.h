/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What parts of a split question answer, and the answer that is made of them. One part, or what comes of all, may not be answerable this way
 * (a sum that is no whole number, too many groups): then one has to answer alone, and is_odd is set.
 */
#pragma once

#include "src/store/query-private.h"
#include "src/store/query-split.h"

/* What a part has in memory, at most, before it is handed on; of groups and ordered rows, in all. */
#define TT_PART_BYTES (64u << 20)

/* Rows that are packed: of what tt_part_rows_unpack() gives. FALSE: no more are wanted. */
typedef gboolean (*TtPartRowsFunc) (GByteArray *rows, gpointer data);

/* Rows of the events with ids from @first to @last, in pieces of about TT_PART_BYTES, which @take empties; the last one may be empty. In a snapshot. */
gboolean tt_query_part_run (TtStore *store,
                            const TtQuerySplit *split,
                            gint64 first,
                            gint64 last,
                            TtPartRowsFunc take,
                            gpointer data,
                            gboolean *is_odd,
                            GError **error);

/* Hands on rows that follow each other. FALSE: they are not what tt_query_part_run() packs; *@go_on: whether @row did not end it. */
gboolean
tt_part_rows_each (const GByteArray *rows, guint n_columns, TtQueryRowFunc row, gpointer data, gboolean *go_on);

typedef struct _TtPartJoin TtPartJoin;

/* @split->whole is there. */
TtPartJoin *tt_part_join_new (const TtQuerySplit *split, GError **error);
void tt_part_join_free (TtPartJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPartJoin, tt_part_join_free)

/* In the order of parts. FALSE: they are not what tt_query_part_run() packs. */
gboolean tt_part_join_add (TtPartJoin *self, const GByteArray *rows);
/* Whether it goes on; of the last row and what comes of all, too. */
gboolean tt_part_join_is_odd (const TtPartJoin *self);
gboolean tt_part_join_run (TtPartJoin *self, TtQueryRowFunc row, gpointer data, GError **error);
