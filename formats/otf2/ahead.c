/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/ahead.h"

#include "src/base/readers.h"

#define MOST_THREADS 4u
/* What they read, more of them do not read in less time than the rest takes. */
#define USEFUL_THREADS 2u
/* Blocks of a location that wait. */
#define MOST_BLOCKS 4u
/* Of each thread: one that it reads, one that is read. */
#define LOCATIONS_PER_THREAD 2u

typedef struct
{
  TtOtf2Reading *reading;
  gboolean is_begun, is_read;
  gboolean has_events;
  GQueue blocks; /* of TtOtf2Block, read and not asked for */
} Slot;

struct _TtOtf2Ahead
{
  const TtOtf2Anchor *anchor;
  const TtOtf2Definitions *definitions;
  gboolean no_align;
  guint n_locations;
  guint n_slots, n_threads;
  GThread *threads[MOST_THREADS];

  GMutex lock;
  GCond changed;
  /* With the lock: */
  Slot *slots;   /* location i is in slot i modulo their number */
  guint next;    /* the first location that nobody reads */
  guint asked;   /* locations that were asked for */
  GQueue free;   /* of TtOtf2Block */
  guint8 *spare; /* memory of a chunk; NULL: none */
  gsize spare_len;
  gboolean is_over;
};

guint
tt_otf2_ahead_threads (void)
{
  guint n;

  return tt_readers_wanted (MOST_THREADS, &n) ? n : MIN (n, USEFUL_THREADS);
}

static Slot *
slot_of (TtOtf2Ahead *self, guint place)
{
  return &self->slots[place % self->n_slots];
}

/* -- on other threads -------------------------------------------------------------------------------------------------- */

static TtOtf2Block *
take_free (TtOtf2Ahead *self, TtOtf2Reading *reading)
{
  TtOtf2Block *block = g_queue_pop_head (&self->free);

  if (reading->chunks.block == NULL && self->spare != NULL)
    {
      tt_otf2_chunks_lend (&reading->chunks, self->spare, self->spare_len);
      self->spare = NULL;
    }
  return block == NULL ? g_new (TtOtf2Block, 1) : block;
}

/* Returns with the lock. */
static void
read_slot (TtOtf2Ahead *self, Slot *slot)
{
  TtOtf2Reading *reading = slot->reading;
  gboolean has_more = tt_otf2_reading_begin (reading, self->anchor, self->definitions, self->no_align);

  g_mutex_lock (&self->lock);
  slot->has_events = has_more;
  slot->is_begun = TRUE;
  g_cond_broadcast (&self->changed);
  while (has_more)
    {
      while (g_queue_get_length (&slot->blocks) >= MOST_BLOCKS && !self->is_over)
        g_cond_wait (&self->changed, &self->lock);
      if (self->is_over)
        break;
      TtOtf2Block *block = take_free (self, reading);
      g_mutex_unlock (&self->lock);
      has_more = tt_otf2_reading_fill (reading, block);
      g_mutex_lock (&self->lock);
      g_queue_push_tail (&slot->blocks, block);
      g_cond_broadcast (&self->changed);
    }
  gboolean is_whole = !self->is_over;
  g_mutex_unlock (&self->lock);
  if (is_whole)
    tt_otf2_reading_end (reading);
  g_mutex_lock (&self->lock);
  slot->is_read = TRUE;
  g_cond_broadcast (&self->changed);
}

static gpointer
read_locations (gpointer data)
{
  TtOtf2Ahead *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_over && self->next < self->n_locations)
    {
      if (self->next >= self->asked + self->n_slots - 1)
        {
          g_cond_wait (&self->changed, &self->lock);
          continue;
        }
      Slot *slot = slot_of (self, self->next);
      slot->reading = tt_otf2_reading_new (self->next++);
      g_mutex_unlock (&self->lock);
      read_slot (self, slot);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* -- asking ------------------------------------------------------------------------------------------------------------ */

static void
clear_slot (Slot *slot, GQueue *blocks)
{
  TtOtf2Block *block;

  while ((block = g_queue_pop_head (&slot->blocks)) != NULL)
    g_queue_push_tail (blocks, block);
  tt_otf2_reading_free (slot->reading);
  *slot = (Slot){ .blocks = G_QUEUE_INIT };
}

/* The caller may not have taken all blocks, nor waited until the location is read. */
static void
end_location (TtOtf2Ahead *self, Slot *slot)
{
  TtOtf2Block *block;

  g_mutex_lock (&self->lock);
  while (self->n_threads > 0 && !slot->is_read)
    {
      while ((block = g_queue_pop_head (&slot->blocks)) != NULL)
        g_queue_push_tail (&self->free, block);
      g_cond_broadcast (&self->changed);
      g_cond_wait (&self->changed, &self->lock);
    }
  clear_slot (slot, &self->free);
  g_mutex_unlock (&self->lock);
}

const TtOtf2Reading *
tt_otf2_ahead_next (TtOtf2Ahead *self)
{
  if (self->asked > 0)
    end_location (self, slot_of (self, self->asked - 1));
  if (self->asked == self->n_locations)
    return NULL;
  g_mutex_lock (&self->lock);
  Slot *slot = slot_of (self, self->asked++);
  g_cond_broadcast (&self->changed);
  if (self->n_threads == 0)
    {
      slot->reading = tt_otf2_reading_new (self->asked - 1);
      slot->has_events = tt_otf2_reading_begin (slot->reading, self->anchor, self->definitions, self->no_align);
      slot->is_begun = TRUE;
    }
  while (!slot->is_begun)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  return slot->reading;
}

/* On this thread. */
static TtOtf2Block *
read_block (TtOtf2Ahead *self, Slot *slot)
{
  if (!slot->has_events)
    {
      if (!slot->is_read)
        tt_otf2_reading_end (slot->reading);
      slot->is_read = TRUE;
      return NULL;
    }
  TtOtf2Block *block = take_free (self, slot->reading);
  slot->has_events = tt_otf2_reading_fill (slot->reading, block);
  return block;
}

TtOtf2Block *
tt_otf2_ahead_take (TtOtf2Ahead *self)
{
  Slot *slot = slot_of (self, self->asked - 1);

  if (self->n_threads == 0)
    return read_block (self, slot);
  g_mutex_lock (&self->lock);
  while (g_queue_is_empty (&slot->blocks) && !slot->is_read)
    g_cond_wait (&self->changed, &self->lock);
  TtOtf2Block *block = g_queue_pop_head (&slot->blocks);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return block;
}

void
tt_otf2_ahead_give_back (TtOtf2Ahead *self, TtOtf2Block *block)
{
  guint8 *chunk = g_steal_pointer (&block->chunk);

  g_mutex_lock (&self->lock);
  if (self->spare == NULL && chunk != NULL)
    {
      self->spare = g_steal_pointer (&chunk);
      self->spare_len = block->chunk_allocated;
    }
  g_queue_push_tail (&self->free, block);
  g_mutex_unlock (&self->lock);
  g_free (chunk);
}

/* -- whole ------------------------------------------------------------------------------------------------------------- */

TtOtf2Ahead *
tt_otf2_ahead_new (const TtOtf2Anchor *anchor, const TtOtf2Definitions *definitions, gboolean no_align, guint n_threads)
{
  TtOtf2Ahead *self = g_new0 (TtOtf2Ahead, 1);

  self->anchor = anchor;
  self->definitions = definitions;
  self->no_align = no_align;
  self->n_locations = tt_otf2_count (definitions, TT_OTF2_LOCATION);
  n_threads = MIN (MIN (n_threads, MOST_THREADS), self->n_locations);
  self->n_slots = 1 + LOCATIONS_PER_THREAD * n_threads;
  self->slots = g_new0 (Slot, self->n_slots);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->free);
  for (guint i = 0; i < self->n_slots; i++)
    g_queue_init (&self->slots[i].blocks);
  while (self->n_threads < n_threads)
    {
      self->threads[self->n_threads] = g_thread_try_new ("reader", read_locations, self, NULL);
      if (self->threads[self->n_threads] == NULL)
        break;
      self->n_threads++;
    }
  return self;
}

static void
free_block (gpointer data)
{
  TtOtf2Block *block = data;

  g_free (block->chunk);
  g_free (block);
}

void
tt_otf2_ahead_free (TtOtf2Ahead *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n_threads; i++)
    g_thread_join (self->threads[i]);
  for (guint i = 0; i < self->n_slots; i++)
    clear_slot (&self->slots[i], &self->free);
  g_queue_clear_full (&self->free, free_block);
  g_free (self->spare);
  g_free (self->slots);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
