/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/blocks-ahead.h"

#define N_BLOCKS 8u
/* So many at once go back to be filled: being woken for each takes longer than filling it. */
#define N_BACK 4u

typedef struct
{
  TtBlock *block;
  TtBlockAnswer answer;
} Filled;

struct _TtBlocksAhead
{
  TtBlockReader *reader;
  GThread *thread;
  GAsyncQueue *full, *empty; /* of Filled */
  Filled filled[N_BLOCKS];
  Filled *back[N_BACK]; /* that the caller had */
  guint n_back;
  Filled *current; /* with the caller; NULL: none yet */
  gint is_stopped;
};

static gpointer
read_blocks (gpointer data)
{
  TtBlocksAhead *self = data;
  TtBlockAnswer answer = TT_BLOCK_READ;

  while (answer == TT_BLOCK_READ)
    {
      Filled *filled = g_async_queue_pop (self->empty);

      if (g_atomic_int_get (&self->is_stopped))
        break;
      answer = filled->answer = tt_block_reader_next (self->reader, filled->block);
      g_async_queue_push (self->full, filled);
    }
  return NULL;
}

TtBlocksAhead *
tt_blocks_ahead_new (TtBlockReader *reader)
{
  TtBlocksAhead *self = g_new0 (TtBlocksAhead, 1);

  self->reader = reader;
  self->full = g_async_queue_new ();
  self->empty = g_async_queue_new ();
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      self->filled[i].block = tt_block_reader_new_block (reader);
      g_async_queue_push (self->empty, &self->filled[i]);
    }
  self->thread = g_thread_try_new ("scan", read_blocks, self, NULL);
  if (self->thread != NULL)
    return self;
  tt_blocks_ahead_free (self);
  return NULL;
}

void
tt_blocks_ahead_free (TtBlocksAhead *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      g_atomic_int_set (&self->is_stopped, TRUE);
      /* So that there is one to wake up for. */
      g_async_queue_push (self->empty, &self->filled[0]);
      g_thread_join (self->thread);
    }
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  for (guint i = 0; i < N_BLOCKS; i++)
    tt_block_free (self->filled[i].block);
  g_free (self);
}

static void
give_back (TtBlocksAhead *self)
{
  g_async_queue_lock (self->empty);
  while (self->n_back > 0)
    g_async_queue_push_unlocked (self->empty, self->back[--self->n_back]);
  g_async_queue_unlock (self->empty);
}

TtBlockAnswer
tt_blocks_ahead_next (TtBlocksAhead *self, TtBlock **block)
{
  if (self->current != NULL)
    self->back[self->n_back++] = self->current;
  if (self->n_back == N_BACK)
    give_back (self);
  self->current = g_async_queue_pop (self->full);
  *block = self->current->block;
  return self->current->answer;
}
