/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sorter.h"

#include "src/base/readers.h"
#include "src/base/sorter-block.h"
#include "src/base/sorter-window.h"

#include <string.h>

#define FIRST_RECORDS ((gsize) 1024)
#define MIN_RECORDS ((gsize) 64)
#define KEY_BYTES (2 * sizeof (guint64))
/* Of the memory, what is left for records without places as soon as there are any with. */
#define BLOCK_SHARE 4

struct _TtSorter
{
  TtSortBlock block; /* takes what is added */
  gsize memory_bytes, max_records;
  guint64 count;
  TtRunFile file;
  TtMerge *merge;
  GError *error;
  gsize next;

  TtSortWindow *window; /* NULL: no record had a place */
  TtMerge *placed;      /* what comes of it; NULL: all is in the block */
  const void
      *heads[2]; /* while both are read: what comes next of `placed` and of the others; NULL: they are at an end */
  int taken;     /* index of the head that was returned last, -1: none yet */

  gboolean is_ahead;
  GThread *thread; /* NULL: none is at work. Until it is joined it has `full`, `file` and `thread_error` */
  TtSortBlock full;
  GError *thread_error;
};

/* -- runs ------------------------------------------------------------------------------------- */

/* Makes a run of @block, which is empty then. */
static gboolean
spill (TtSorter *self, TtSortBlock *block, GError **error)
{
  tt_sort_block_sort (block);
  gboolean ok = tt_sort_block_write (block, &self->file, error);

  block->order = NULL;
  block->n = 0;
  return ok;
}

static gpointer
spill_full (gpointer data)
{
  TtSorter *self = data;

  spill (self, &self->full, &self->thread_error);
  return NULL;
}

static void
join (TtSorter *self)
{
  if (self->thread == NULL)
    return;
  g_thread_join (g_steal_pointer (&self->thread));
  if (self->error == NULL)
    self->error = g_steal_pointer (&self->thread_error);
  g_clear_error (&self->thread_error);
}

/* Leaves the full block to a thread. */
static void
spill_ahead (TtSorter *self)
{
  join (self);
  if (self->error != NULL)
    {
      self->block.n = 0;
      return;
    }

  TtSortBlock empty = self->full;
  self->full = self->block;
  tt_sort_block_take_scratch (&self->full, &empty);
  self->block = empty;
  self->thread = g_thread_try_new ("sorter", spill_full, self, NULL);
  if (self->thread == NULL)
    spill (self, &self->full, &self->error);
  if (self->block.records == NULL)
    {
      self->block = (TtSortBlock){ .record_size = self->full.record_size, .capacity = self->max_records };
      self->block.records = g_malloc (self->block.capacity * self->block.record_size);
    }
}

/* All that is in memory becomes the last run. */
static gboolean
spill_last (TtSorter *self, GError **error)
{
  tt_sort_block_take_scratch (&self->block, &self->full);
  if (self->block.n > 0 && !spill (self, &self->block, error))
    return FALSE;
  tt_sort_block_clear (&self->block);
  tt_sort_block_clear (&self->full);
  return TRUE;
}

/* -- public ----------------------------------------------------------------------------------- */

TtSorter *
tt_sorter_new (gsize record_size, gsize memory_bytes)
{
  g_return_val_if_fail (record_size >= KEY_BYTES && record_size % 8 == 0, NULL);

  TtSorter *self = g_new0 (TtSorter, 1);
  gsize scratch = tt_sort_block_scratch (record_size);

  self->memory_bytes = memory_bytes;
  self->max_records = MAX (memory_bytes / (record_size + scratch), MIN_RECORDS);
  self->file.record_size = record_size;
  self->file.memory_bytes = self->max_records * (record_size + scratch);
  self->block.record_size = record_size;
  self->block.capacity = MIN (FIRST_RECORDS, self->max_records);
  self->block.records = g_malloc (self->block.capacity * record_size);
  return self;
}

void
tt_sorter_sort_ahead (TtSorter *self)
{
  const gsize record_size = self->block.record_size;
  guint n_readers;

  g_return_if_fail (self->count == 0);
  tt_readers_wanted (1, &n_readers);
  if (n_readers == 0)
    return;
  self->is_ahead = TRUE;
  self->max_records = MAX (self->memory_bytes / (2 * record_size + tt_sort_block_scratch (record_size)), MIN_RECORDS);
  self->block.capacity = MIN (self->block.capacity, self->max_records);
}

void
tt_sorter_pack (TtSorter *self, const TtSortPacking *packing)
{
  g_return_if_fail (self->count == 0);
  self->file.packing = packing;
}

void
tt_sorter_free (TtSorter *self)
{
  if (self == NULL)
    return;
  join (self);
  tt_merge_free (self->merge);
  tt_merge_free (self->placed);
  tt_sort_window_free (self->window);
  tt_run_file_clear (&self->file);
  g_clear_error (&self->error);
  tt_sort_block_clear (&self->block);
  tt_sort_block_clear (&self->full);
  g_free (self);
}

static void
make_room (TtSorter *self)
{
  TtSortBlock *block = &self->block;

  if (block->capacity < self->max_records)
    {
      block->capacity = MIN (block->capacity * 2, self->max_records);
      block->records = g_realloc (block->records, block->capacity * block->record_size);
    }
  else if (self->error != NULL)
    block->n = 0;
  else if (self->is_ahead)
    spill_ahead (self);
  else
    spill (self, block, &self->error);
}

void *
tt_sorter_add (TtSorter *self)
{
  TtSortBlock *block = &self->block;

  if (G_UNLIKELY (block->n == block->capacity))
    make_room (self);
  self->count++;
  return block->records + block->n++ * block->record_size;
}

/* -- records with places ---------------------------------------------------------------------- */

/* The others get by with less from now on. */
static void
make_window (TtSorter *self, guint64 place)
{
  const gsize block_bytes = self->memory_bytes / BLOCK_SHARE;
  TtSortBlock *block = &self->block;

  self->window = tt_sort_window_new (block->record_size, self->memory_bytes - block_bytes);
  self->window->from = place;
  self->window->file.packing = self->file.packing;
  join (self);
  self->max_records = MAX (self->max_records / BLOCK_SHARE, MIN_RECORDS);
  self->file.memory_bytes = block_bytes;
  tt_sort_block_clear (&self->full);
  if (block->capacity <= self->max_records)
    return;
  if (block->n > 0 && self->error == NULL)
    spill (self, block, &self->error);
  block->n = 0;
  tt_sort_block_clear (block);
  block->capacity = self->max_records;
  block->records = g_malloc (block->capacity * block->record_size);
}

static G_GNUC_NO_INLINE void *
add_beyond (TtSorter *self, guint64 place)
{
  if (self->window == NULL)
    make_window (self, place);
  if (tt_sort_window_has_passed (self->window, place))
    {
      self->window->n_passed++;
      return NULL;
    }
  if (self->error != NULL || !tt_sort_window_move (self->window, place, &self->error))
    return tt_sorter_add (self);
  self->count++;
  return tt_sort_window_at (self->window, place);
}

void *
tt_sorter_add_at (TtSorter *self, guint64 place)
{
  if (G_UNLIKELY (self->window == NULL || !tt_sort_window_reaches (self->window, place)))
    return add_beyond (self, place);
  self->count++;
  return tt_sort_window_at (self->window, place);
}

/* Where nothing is on disk, those with places lead the block. */
static void
move_to_block (TtSorter *self)
{
  TtSortBlock *block = &self->block;
  const gsize n_placed = tt_sort_window_count (self->window), n = n_placed + block->n;
  guint8 *records = g_malloc (n * block->record_size);

  tt_sort_window_take (self->window, records);
  memcpy (records + n_placed * block->record_size, block->records, block->n * block->record_size);
  g_free (block->records);
  block->records = records;
  block->n = block->capacity = n;
}

static gboolean
finish_window (TtSorter *self, GError **error)
{
  TtSortWindow *window = self->window;

  if (self->file.runs == NULL && window->file.runs == NULL)
    {
      move_to_block (self);
      return TRUE;
    }
  if (!tt_sort_window_finish (window, error))
    return FALSE;
  self->taken = -1;
  self->placed = tt_merge_new (&window->file, error);
  return self->placed != NULL;
}

/* -- at the end ------------------------------------------------------------------------------- */

guint64
tt_sorter_count (const TtSorter *self)
{
  return self->count;
}

gboolean
tt_sorter_check (const TtSorter *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

gboolean
tt_sorter_finish (TtSorter *self, GError **error)
{
  join (self);
  if (self->error == NULL && self->window != NULL)
    finish_window (self, &self->error);
  if (self->error == NULL && self->file.runs == NULL)
    {
      tt_sort_block_sort (&self->block);
      tt_sort_block_trim (&self->block);
    }
  else if (self->error == NULL && spill_last (self, &self->error))
    self->merge = tt_merge_new (&self->file, &self->error);

  return tt_sorter_check (self, error);
}

/* Of those without places. */
static inline const void *
next_of_block (TtSorter *self)
{
  if (self->merge != NULL)
    return tt_merge_next (self->merge, &self->error);
  if (self->next == self->block.n)
    {
      /* Who is read to its end often lives on beside others. */
      tt_sort_block_clear (&self->block);
      self->next = 0;
      return NULL;
    }
  return tt_sort_block_record (&self->block, self->next++);
}

static inline const void *
next_of_both (TtSorter *self)
{
  if (G_LIKELY (self->taken == 0))
    self->heads[0] = tt_merge_next (self->placed, &self->error);
  else if (self->taken == 1)
    self->heads[1] = next_of_block (self);
  else
    {
      self->heads[0] = tt_merge_next (self->placed, &self->error);
      if (self->error == NULL)
        self->heads[1] = next_of_block (self);
    }
  if (G_UNLIKELY (self->error != NULL))
    return NULL;
  self->taken =
      self->heads[1] != NULL && (self->heads[0] == NULL || tt_sort_record_is_before (self->heads[1], self->heads[0]));
  return self->heads[self->taken];
}

const void *
tt_sorter_next (TtSorter *self, GError **error)
{
  const void *record = NULL;

  if (G_LIKELY (self->error == NULL))
    record = self->placed != NULL ? next_of_both (self) : next_of_block (self);
  if (G_UNLIKELY (self->error != NULL))
    g_propagate_error (error, g_error_copy (self->error));
  return record;
}

/* How many of the @n records behind the head come before @other, or with it. */
static gsize
count_before (const guint8 *head, gsize record_size, gsize n, const void *other)
{
  gsize least = 0;

  while (least < n)
    {
      gsize middle = least + (n - least) / 2;
      if (tt_sort_record_is_before (other, head + (middle + 1) * record_size))
        n = middle;
      else
        least = middle + 1;
    }
  return least;
}

/* Of records with places, those that follow the last one and are not parted by others; up to @n. */
static gsize
take_run (TtSorter *self, guint8 *records, gsize n)
{
  const gsize size = self->block.record_size;
  const guint8 *head = self->heads[0];
  gsize n_ahead = MIN (n, tt_merge_count_ahead (self->placed));

  if (n_ahead > 0 && self->heads[1] != NULL)
    n_ahead = count_before (head, size, n_ahead, self->heads[1]);
  memcpy (records, head + size, n_ahead * size);
  tt_merge_skip (self->placed, n_ahead);
  self->heads[0] = head + n_ahead * size;
  return n_ahead;
}

gsize
tt_sorter_take (TtSorter *self, void *records, gsize n, GError **error)
{
  const gsize size = self->block.record_size;
  gsize n_taken = 0;

  while (n_taken < n)
    {
      const void *record = tt_sorter_next (self, error);
      if (record == NULL)
        break;
      memcpy ((guint8 *) records + n_taken * size, record, size);
      n_taken++;
      if (self->placed != NULL && self->taken == 0)
        n_taken += take_run (self, (guint8 *) records + n_taken * size, n - n_taken);
    }
  return n_taken;
}
