/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the selected runs that are not events, from the pages of their tables (table-pages.h), as far as they are what
 * an import leaves: the rest is for a statement. Used by src/store only.
 */
#pragma once

#include "src/store/rows.h"
#include "src/store/table-pages.h"

typedef enum
{
  TT_PAGE_ROW_TAKEN,
  TT_PAGE_ROW_LAST, /* taken; no more are wanted */
  TT_PAGE_ROW_ODD,  /* not taken: a statement says what is wrong with it */
} TtPageRowAnswer;

/* A column of @nulls, a bit set, is 0 in @values. */
typedef TtPageRowAnswer (*TtPageRowFunc) (const gint64 *values, guint nulls, gpointer data);

/* In a snapshot. @ranges selects the first and the last id of each piece of @table, its parameters are the first and the
 * last run. TRUE: all is done. FALSE: the rows from @next on are left. */
gboolean tt_page_rows_read (TtStore *store,
                            TtTablePages *table,
                            const char *ranges,
                            TtPageRowFunc func,
                            gpointer data,
                            guint64 *next);
/* Only those of @range. */
gboolean tt_page_rows_read_of (TtStore *store,
                               TtTablePages *table,
                               const char *ranges,
                               const TtRowRange *range,
                               TtPageRowFunc func,
                               gpointer data,
                               guint64 *next);
