/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTablePages: rows of a table read from its pages, a fifth of the time that a statement takes.
 *
 * Only of a file as an import leaves it: no log, pages with checksums, a connection that cannot write, or that of an
 * import into a new file before it changes anything more; a table that today's schema makes so, whatever the version of the
 * file; rows of whole numbers, or one text, that fit into their pages. Anything else, damage too, is for a statement to
 * read, which knows what to say. The pages are SQLite's, in the snapshot of the scan, which nobody can change meanwhile.
 *
 * Source of the layout: https://www.sqlite.org/fileformat2.html, 1.6 and 2.1. Used by src/store only.
 */
#pragma once

#include "src/store/private.h"

#define TT_TABLE_MAX_COLUMNS 32u
#define TT_EVENT_COLUMNS 9u /* of event_row, with that of arguments */
#define TT_ARGS_COLUMNS 2u
#define TT_FILLED_ARGS_COLUMNS 32u

typedef struct
{
  gint64 values[TT_EVENT_COLUMNS];
  guint nulls; /* a column, a bit set, is 0 in `values` */
} TtEventValues;

/* The rows of a page, ascending by id, and between which ids they lie: after `below`, up to `above`. */
typedef struct
{
  TtEventValues *rows; /* its owner's, to be freed with g_free() */
  guint n, max;
  gint64 below, above;           /* the last ids that others before it may have, and it itself */
  gboolean has_below, has_above; /* whether there are others, before and after it */
} TtEventLeaf;

typedef struct _TtTablePages TtTablePages;

/* A table of ours whose first column is its id. In a snapshot; the pages are good for that one. NULL: they cannot be
 * read so. */
TtTablePages *tt_table_pages_new (TtStore *store, const char *table, guint n_columns);
void tt_table_pages_free (TtTablePages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTablePages, tt_table_pages_free)

/* Columns, a bit set, that may hold real numbers, which nobody wants: such a one is 0. */
void tt_table_pages_pass_reals (TtTablePages *self, guint columns);

/* The row with this id; quickest are rows one after the other. A column of @nulls, a bit set, is 0 in @values. FALSE: it
 * is not as it should be, or not there. */
gboolean tt_table_pages_row (TtTablePages *self, guint64 id, gint64 *values, guint *nulls);
/* The same of a row that may end early, after *@n columns with the id: none of these is null, those behind it are. */
gboolean tt_table_pages_short_row (TtTablePages *self, guint64 id, gint64 *values, guint *n);
/* The same of a table of two columns, whose second is a text that lies in the page whole. It stays until the next call,
 * and no zero follows it. */
gboolean tt_table_pages_text (TtTablePages *self, guint64 id, const char **text, gsize *len);

/* All rows of the page of event_row that has row @id, or would have it. FALSE: one is not as it should be. */
gboolean tt_table_pages_leaf (TtTablePages *self, gint64 id, TtEventLeaf *leaf);
