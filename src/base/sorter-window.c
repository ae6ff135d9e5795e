/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sorter-window.h"

#include <string.h>

#include "src/base/room.h"

#define MIN_PLACES ((gsize) 64)
/* Of a page at first: more where pages are not nearly in order, or one record in so many comes too late. */
#define FIRST_PLACES ((gsize) TT_ROOM (16384, 64))
#define SHARE_PASSED 16
/* Records with the key of the last one that wait for more of them, at most this share of a page. */
#define SHARE_HELD 16
/* How far a record may be behind its place in the order. One that is farther begins another piece. */
#define MAX_MOVES ((gsize) 256)
/* A page of more pieces, or that takes more moves for each record, is sorted as if it were in no order. */
#define MAX_PIECES 4
#define MANY_MOVES 4

typedef struct
{
  guint64 high, low;
} Key;

static inline const Key *
key_at (const guint8 *records, gsize record_size, gsize i)
{
  return (const Key *) (const void *) (records + i * record_size);
}

static gsize
most_held (const TtSortWindow *self)
{
  return self->max_places / SHARE_HELD;
}

TtSortWindow *
tt_sort_window_new (gsize record_size, gsize memory_bytes)
{
  TtSortWindow *self = g_new0 (TtSortWindow, 1);

  /* A page that is not nearly in order is sorted beside itself. */
  self->record_size = record_size;
  self->max_places = MAX (memory_bytes / (3 * record_size + 2 + tt_sort_block_scratch (record_size)), MIN_PLACES);
  self->n_places = MIN (self->max_places, FIRST_PLACES);
  self->file.record_size = record_size;
  self->file.memory_bytes = memory_bytes;
  for (guint i = 0; i < 2; i++)
    {
      TtSortPage *page = &self->pages[i];
      page->records =
          (guint8 *) g_malloc ((most_held (self) + self->max_places) * record_size) + most_held (self) * record_size;
      page->is_filled = g_malloc0 (self->max_places);
      page->n_places = self->n_places;
    }
  return self;
}

static void
free_pages (TtSortWindow *self)
{
  for (guint i = 0; i < 2; i++)
    {
      TtSortPage *page = &self->pages[i];
      if (page->records != NULL)
        g_free (page->records - most_held (self) * self->record_size);
      g_free (page->is_filled);
      *page = (TtSortPage){ 0 };
    }
  tt_sort_block_clear (&self->digits);
  g_clear_pointer (&self->sorted, g_free);
}

void
tt_sort_window_free (TtSortWindow *self)
{
  if (self == NULL)
    return;
  tt_run_file_clear (&self->file);
  free_pages (self);
  g_free (self);
}

/* -- one page -------------------------------------------------------------------------------------------- */

/* Closes the gaps of the first page; how many records there are, those held back included. */
static gsize
close_gaps (TtSortWindow *self)
{
  const TtSortPage *page = &self->pages[0];
  const gsize size = self->record_size;
  gsize n = 0;

  for (gsize i = 0; n < page->n_filled;)
    {
      const guint8 *from = memchr (page->is_filled + i, TRUE, page->n_places - i);
      i = (gsize) (from - page->is_filled);
      const guint8 *gap = memchr (from, FALSE, page->n_places - i);
      gsize n_between = (gap == NULL ? page->n_places : (gsize) (gap - page->is_filled)) - i;
      if (n != i)
        memmove (page->records + n * size, page->records + i * size, n_between * size);
      n += n_between;
      i += n_between;
    }
  return self->n_held + n;
}

/* Moves record @i to where it belongs among those before it, which are in order. How far; 0: it is too far, nothing is
 * done. */
static gsize
insert (guint8 *records, gsize size, gsize i, guint8 *spare)
{
  const gsize first = i > MAX_MOVES ? i - MAX_MOVES : 0;
  const Key key = *key_at (records, size, i);
  gsize to = i;

  if (first > 0 && tt_sort_record_is_before (&key, key_at (records, size, first - 1)))
    return 0;
  while (to > first && tt_sort_record_is_before (&key, key_at (records, size, to - 1)))
    to--;
  memcpy (spare, records + i * size, size);
  memmove (records + (to + 1) * size, records + to * size, (i - to) * size);
  memcpy (records + to * size, spare, size);
  return i - to;
}

/* How many records from the first on are in order now; equal keys are as they were. Takes what it moves from @n_moves, and
 * ends where that is used up. */
static gsize
order_piece (guint8 *records, gsize size, gsize n, gsize *n_moves)
{
  g_autofree guint8 *spare = g_malloc (size);

  for (gsize i = 1; i < n; i++)
    if (tt_sort_record_is_before (key_at (records, size, i), key_at (records, size, i - 1)))
      {
        gsize moved = insert (records, size, i, spare);
        if (moved == 0 || moved > *n_moves)
          return i;
        *n_moves -= moved;
      }
  return n;
}

static void
order_by_digits (TtSortWindow *self, guint8 *records, gsize n)
{
  TtSortBlock *block = &self->digits;
  const gsize size = self->record_size;

  block->record_size = size;
  block->records = records;
  block->n = block->capacity = n;
  tt_sort_block_sort (block);
  if (block->order != NULL)
    {
      if (self->sorted == NULL)
        self->sorted = g_malloc ((most_held (self) + self->max_places) * size);
      for (gsize i = 0; i < n; i++)
        memcpy (self->sorted + i * size, tt_sort_block_record (block, i), size);
      memcpy (records, self->sorted, n * size);
    }
  block->records = NULL;
  block->order = NULL;
}

static void
grow (TtSortWindow *self)
{
  self->n_places = MIN (2 * self->n_places, self->max_places);
}

static gboolean
write_records (TtSortWindow *self, const guint8 *records, gsize n, GError **error)
{
  const gsize size = self->record_size;
  const Key last = { self->last_high, self->last_low };

  if (n == 0)
    return TRUE;
  if ((self->file.runs == NULL || tt_sort_record_is_before (key_at (records, size, 0), &last)) &&
      !tt_run_file_begin (&self->file, error))
    return FALSE;
  self->last_high = key_at (records, size, n - 1)->high;
  self->last_low = key_at (records, size, n - 1)->low;
  return tt_run_file_write (&self->file, records, n * size, error);
}

/* Of @n in order: how many at the end share the first half of their key. What comes next may lie between them. */
static gsize
count_last (const TtSortWindow *self, const guint8 *records, gsize n)
{
  const gsize size = self->record_size;
  gsize n_last = 1;

  while (n_last < n && n_last <= most_held (self) &&
         key_at (records, size, n - n_last - 1)->high == key_at (records, size, n - 1)->high)
    n_last++;
  return n_last <= most_held (self) ? n_last : 0;
}

/* Puts @n records in order, in as many pieces as @ends has of their ends; returns how many. */
static guint
order_pieces (TtSortWindow *self, guint8 *records, gsize n, gsize ends[MAX_PIECES])
{
  const gsize size = self->record_size;
  gsize n_moves = MANY_MOVES * n;
  guint n_pieces = 0;

  for (gsize at = 0; at < n && n_pieces < MAX_PIECES; n_pieces++)
    ends[n_pieces] = at += order_piece (records + at * size, size, n - at, &n_moves);
  if (n_pieces == 0 || ends[n_pieces - 1] == n)
    return n_pieces;
  order_by_digits (self, records, n);
  grow (self);
  ends[0] = n;
  return 1;
}

/* The first page goes to the file, and becomes the second. */
static gboolean
push_out (TtSortWindow *self, gboolean is_last, GError **error)
{
  const gsize size = self->record_size, n = close_gaps (self);
  guint8 *records = self->pages[0].records - self->n_held * size;
  TtSortPage page = self->pages[0];
  gsize ends[MAX_PIECES], at = 0;
  const guint n_pieces = order_pieces (self, records, n, ends);

  for (guint i = 0; i + 1 < n_pieces; at = ends[i++])
    if (!write_records (self, records + at * size, ends[i] - at, error))
      return FALSE;
  const gsize n_held = n == 0 || is_last ? 0 : count_last (self, records + at * size, n - at);
  if (!write_records (self, records + at * size, n - n_held - at, error))
    return FALSE;
  memcpy (self->pages[1].records - n_held * size, records + (n - n_held) * size, n_held * size);
  self->n_held = n_held;
  if (self->n_passed > page.n_places / SHARE_PASSED)
    grow (self);
  self->n_passed = 0;
  memset (page.is_filled, 0, page.n_places);
  self->from += page.n_places;
  page.n_places = self->n_places;
  page.n_filled = 0;
  self->pages[0] = self->pages[1];
  self->pages[1] = page;
  return TRUE;
}

/* -- the window ------------------------------------------------------------------------------------------ */

gboolean
tt_sort_window_move (TtSortWindow *self, guint64 place, GError **error)
{
  while (!tt_sort_window_reaches (self, place))
    {
      if (self->pages[0].n_filled == 0 && self->pages[1].n_filled == 0)
        self->from = place; /* what is held back stays before it */
      else if (!push_out (self, FALSE, error))
        return FALSE;
    }
  return TRUE;
}

gsize
tt_sort_window_count (const TtSortWindow *self)
{
  return self->n_held + self->pages[0].n_filled + self->pages[1].n_filled;
}

void
tt_sort_window_take (TtSortWindow *self, guint8 *records)
{
  const gsize size = self->record_size;

  memcpy (records, self->pages[0].records - self->n_held * size, self->n_held * size);
  records += self->n_held * size;
  for (guint k = 0; k < 2; k++)
    for (gsize i = 0; i < self->pages[k].n_places; i++)
      if (self->pages[k].is_filled[i])
        {
          memcpy (records, self->pages[k].records + i * size, size);
          records += size;
        }
  self->n_held = 0;
  free_pages (self);
}

gboolean
tt_sort_window_finish (TtSortWindow *self, GError **error)
{
  gboolean ok = push_out (self, FALSE, error) && push_out (self, TRUE, error);

  free_pages (self);
  return ok;
}
