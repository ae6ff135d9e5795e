/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPageMap: how often each page of memory was used, over time, as shades: the lowest page below.
 *
 * More than TT_PAGE_MAP_ROWS pages are folded: neighbours in the list of those that were used are added up, and the picture
 * says so. A cell is a rect with data-page (the first of its row, counted from 0), data-time (where its column begins),
 * data-count, all exact.
 */
#pragma once

#include "pictures/frame.h"

#define TT_PAGE_MAP_ROWS 96u
#define TT_PAGE_MAP_COLUMNS 120u
#define TT_PAGE_MAP_LINES 32u

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity; /* of times */
  const char *x_title;
  gint64 begin;     /* the first time */
  tt_int128 length; /* from there past the last */
  guint n_columns;
  guint n_pages, fold, n_rows;
  guint64 *counts;   /* a row after the other */
  GPtrArray *labels; /* by row, char *; NULL: none */
  gboolean *has_gap; /* by row: between it and the one below lies memory that was not used */
} TtPageMap;

/* Times from @first to @last. */
void tt_page_map_init (TtPageMap *self, const char *title, guint n_pages, gint64 first, gint64 last);
void tt_page_map_clear (TtPageMap *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPageMap, tt_page_map_clear)

/* Of the row of @page: where a piece of memory begins. */
void tt_page_map_label (TtPageMap *self, guint page, const char *label, gboolean has_gap);
/* @page: its number among those that were used. */
void tt_page_map_add (TtPageMap *self, guint page, gint64 time);
void tt_page_map_write (TtPageMap *self, TtOutput *out);
/* With letters, in lines of @width; at most TT_PAGE_MAP_LINES rows, of as many neighbours as it takes. */
void tt_page_map_write_text (TtPageMap *self, TtOutput *out, guint width);
