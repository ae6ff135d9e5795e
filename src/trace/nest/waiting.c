/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/waiting.h"

#include <string.h>

#include "src/base/heap.h"
#include "src/base/tape.h"

/* An item is an Entry and its record after it. The heap holds items; a run is a heap's worth of items in order. */
typedef struct
{
  gint64 time;
  guint64 rank;
} Entry;

typedef struct
{
  guint64 at, n;     /* items of the run not read yet, on the tape */
  guint8 *block;     /* items read */
  guint first, held; /* of the block */
} Run;

#define RUN_BLOCK 64u
#define MIN_ITEMS 64u

struct _TtWaiting
{
  gsize record_size, item_size;
  guint8 *heap; /* of items */
  guint n, allocated, max;
  guint64 count;
  TtTape *tape;
  GArray *runs; /* of Run, each with an item left; NULL: none */
  guint next;   /* of runs: has the earliest item */
};

static inline Entry *
entry_at (const TtWaiting *self, guint i)
{
  return (Entry *) (gpointer) (self->heap + i * self->item_size);
}

static inline gboolean
is_before (const Entry *a, const Entry *b)
{
  return a->time < b->time || (a->time == b->time && a->rank > b->rank);
}

static gboolean
comes_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  return is_before (a, b);
}

TtWaiting *
tt_waiting_new (gsize record_size, gsize memory_bytes)
{
  TtWaiting *self = g_new0 (TtWaiting, 1);

  self->record_size = record_size;
  self->item_size = sizeof (Entry) + (record_size + 7) / 8 * 8;
  g_assert (self->item_size <= TT_HEAP_MAX_RECORD);
  self->max = (guint) MAX (memory_bytes / self->item_size, MIN_ITEMS);
  return self;
}

void
tt_waiting_free (TtWaiting *self)
{
  if (self == NULL)
    return;
  if (self->runs != NULL)
    for (guint i = 0; i < self->runs->len; i++)
      g_free (g_array_index (self->runs, Run, i).block);
  g_clear_pointer (&self->runs, g_array_unref);
  tt_tape_free (self->tape);
  g_free (self->heap);
  g_free (self);
}

guint64
tt_waiting_count (const TtWaiting *self)
{
  return self->count;
}

/* -- runs ---------------------------------------------------------------------------------------- */

static const Entry *
run_head (const TtWaiting *self, guint i)
{
  const Run *run = &g_array_index (self->runs, Run, i);

  return (const Entry *) (gconstpointer) (run->block + run->first * self->item_size);
}

static void
find_next_run (TtWaiting *self)
{
  self->next = 0;
  for (guint i = 1; i < self->runs->len; i++)
    if (is_before (run_head (self, i), run_head (self, self->next)))
      self->next = i;
}

/* FALSE: the run has ended. */
static gboolean
read_block (TtWaiting *self, Run *run)
{
  run->first = 0;
  run->held = (guint) MIN (run->n, RUN_BLOCK);
  if (run->held == 0)
    return FALSE;
  tt_tape_read (self->tape, run->at, run->block, run->held * self->item_size);
  run->at += run->held * self->item_size;
  run->n -= run->held;
  return TRUE;
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  return is_before (a, b) ? -1 : is_before (b, a);
}

static void
write_run (TtWaiting *self)
{
  Run run = { .n = self->n, .block = g_malloc (RUN_BLOCK * self->item_size) };

  if (self->tape == NULL)
    self->tape = tt_tape_new (0);
  if (self->runs == NULL)
    self->runs = g_array_new (FALSE, TRUE, sizeof (Run));
  g_qsort_with_data (self->heap, (int) self->n, self->item_size, compare_items, NULL);
  run.at = tt_tape_append (self->tape, self->heap, self->n * self->item_size);
  self->n = 0;
  read_block (self, &run);
  g_array_append_val (self->runs, run);
  find_next_run (self);
}

static void
pop_run (TtWaiting *self, gpointer record)
{
  Run *run = &g_array_index (self->runs, Run, self->next);

  memcpy (record, run->block + run->first * self->item_size + sizeof (Entry), self->record_size);
  if (++run->first == run->held && !read_block (self, run))
    {
      g_free (run->block);
      g_array_remove_index (self->runs, self->next);
    }
  if (self->runs->len > 0)
    find_next_run (self);
  else
    {
      g_clear_pointer (&self->runs, g_array_unref);
      if (tt_tape_check (self->tape, NULL))
        g_clear_pointer (&self->tape, tt_tape_free);
    }
}

/* -- heap ---------------------------------------------------------------------------------------- */

void
tt_waiting_add (TtWaiting *self, gint64 time, guint64 rank, gconstpointer record)
{
  if (self->n == self->max)
    write_run (self);
  if (self->n == self->allocated)
    {
      self->allocated = MIN (MAX (self->allocated * 2, 16), self->max);
      self->heap = g_realloc (self->heap, self->allocated * self->item_size);
    }

  guint i = self->n++;
  *entry_at (self, i) = (Entry){ .time = time, .rank = rank };
  memcpy (entry_at (self, i) + 1, record, self->record_size);
  tt_heap_raise (self->heap, self->item_size, i, comes_before, NULL);
  self->count++;
}

static void
pop_heap (TtWaiting *self, gpointer record)
{
  memcpy (record, entry_at (self, 0) + 1, self->record_size);
  if (--self->n == 0)
    return;
  memcpy (entry_at (self, 0), entry_at (self, self->n), self->item_size);
  tt_heap_lower (self->heap, self->item_size, self->n, 0, comes_before, NULL);
}

static gboolean
is_in_run (const TtWaiting *self)
{
  return self->runs != NULL && (self->n == 0 || is_before (run_head (self, self->next), entry_at (self, 0)));
}

static const Entry *
first_entry (const TtWaiting *self)
{
  return G_UNLIKELY (is_in_run (self)) ? run_head (self, self->next) : entry_at (self, 0);
}

gint64
tt_waiting_time (const TtWaiting *self)
{
  return first_entry (self)->time;
}

guint64
tt_waiting_rank (const TtWaiting *self)
{
  return first_entry (self)->rank;
}

void
tt_waiting_take (TtWaiting *self, gpointer record)
{
  if (G_UNLIKELY (is_in_run (self)))
    pop_run (self, record);
  else
    pop_heap (self, record);
  self->count--;
}

gboolean
tt_waiting_check (const TtWaiting *self, GError **error)
{
  return self->tape == NULL || tt_tape_check (self->tape, error);
}
