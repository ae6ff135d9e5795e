/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of TtSorter for records that know their places in an order that is nearly that of their keys.
 *
 * Two pages of places are in memory, and records are put where they belong in them. What is behind a page pushes it out:
 * its records, mostly in order as they are, go on with the run before them where their keys allow it, else they begin
 * another. So what is nearly in order makes few runs, and little work.
 */
#pragma once

#include "src/base/sorter-block.h"

typedef struct _TtSortWindow TtSortWindow;

typedef struct
{
  guint8 *records; /* the room for all of them; before them is room for what was held back */
  guint8 *is_filled;
  gsize n_places, n_filled;
} TtSortPage;

/* For what is in line only. */
struct _TtSortWindow
{
  gsize record_size, max_places; /* of a page */
  gsize n_places;                /* of the next page: few while they are nearly in order, so that caches hold them */
  guint64 from;                  /* the first place of the first page */
  TtSortPage pages[2];
  gsize n_held;       /* records before the first page */
  gsize n_passed;     /* records that came too late since a page was pushed out; counted by the sorter */
  TtSortBlock digits; /* sorts pages that are not nearly in order; its scratch is kept */
  guint8 *sorted;     /* for these; NULL: not needed yet */
  TtRunFile file;
  guint64 last_high, last_low; /* key of the last record of the last run */
};

/* Of records larger than their keys. */
TtSortWindow *tt_sort_window_new (gsize record_size, gsize memory_bytes);
void tt_sort_window_free (TtSortWindow *self);

/* Pushes pages out until @place, which is not before the window, is in it. FALSE: the file failed. */
gboolean tt_sort_window_move (TtSortWindow *self, guint64 place, GError **error);

static inline gboolean
tt_sort_window_has_passed (const TtSortWindow *self, guint64 place)
{
  return place < self->from;
}

/* Whether tt_sort_window_at() is allowed. */
static inline gboolean
tt_sort_window_reaches (const TtSortWindow *self, guint64 place)
{
  return place - self->from < self->pages[0].n_places + self->pages[1].n_places;
}

/* A place of the window that is not taken yet. */
static inline void *
tt_sort_window_at (TtSortWindow *self, guint64 place)
{
  gsize at = (gsize) (place - self->from);
  TtSortPage *page = &self->pages[0];

  if (at >= page->n_places)
    {
      at -= page->n_places;
      page++;
    }
  page->is_filled[at] = TRUE;
  page->n_filled++;
  return page->records + at * self->record_size;
}

/* How many records are in memory. */
gsize tt_sort_window_count (const TtSortWindow *self);
/* Copies them there in the order of their places; the window is then empty. */
void tt_sort_window_take (TtSortWindow *self, guint8 *records);
/* All of them become part of runs; the memory is given back. */
gboolean tt_sort_window_finish (TtSortWindow *self, GError **error);
