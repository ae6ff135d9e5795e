/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/read-ahead.h"

#include "src/base/readers.h"
#include "src/base/turns.h"

#include <string.h>

#define N_BLOCKS 4u

typedef struct
{
  guint8 *room; /* most_left, then block_bytes; NULL: not used yet */
  gssize n;     /* -1: error */
  GError *error;
  guint64 progress;
} Block;

struct _TtReadAhead
{
  gsize block_bytes, most_left;
  Block first;            /* of an input */
  Block blocks[N_BLOCKS]; /* of the thread */
  guint8 *left;           /* most_left: of the block before */

  TtInput *input;   /* borrowed; NULL: none */
  Block *current;   /* that the caller has; NULL: none yet */
  guint64 progress; /* not told yet */
  TtTurns *turns;   /* of the blocks; NULL: they are read when they are asked for */
  GThread *thread;
};

TtReadAhead *
tt_read_ahead_new (gsize block_bytes, gsize most_left)
{
  TtReadAhead *self = g_new0 (TtReadAhead, 1);

  self->block_bytes = block_bytes;
  self->most_left = most_left;
  self->left = g_malloc (most_left);
  return self;
}

void
tt_read_ahead_free (TtReadAhead *self)
{
  if (self == NULL)
    return;
  tt_read_ahead_end (self);
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (self->blocks[i].room);
  g_free (self->first.room);
  g_free (self->left);
  g_free (self);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

static void
fill (const TtReadAhead *self, Block *block)
{
  if (block->room == NULL)
    block->room = g_malloc (self->most_left + self->block_bytes);
  block->n = tt_input_read (self->input, block->room + self->most_left, self->block_bytes, &block->error);
  block->progress = tt_input_progress (self->input);
}

static gpointer
read_ahead (gpointer data)
{
  TtReadAhead *self = data;
  gboolean is_last = FALSE;
  guint place;

  while (!is_last && tt_turns_next_empty (self->turns, &place))
    {
      fill (self, &self->blocks[place]);
      is_last = self->blocks[place].n <= 0;
      tt_turns_fill (self->turns, is_last);
    }
  return NULL;
}

/* The first block is the caller's; a thread for one more would come too late. */
static gboolean
is_worth_a_thread (const TtReadAhead *self)
{
  guint n_threads;

  tt_readers_wanted (1, &n_threads);
  return n_threads > 0 && !tt_input_is_compressed (self->input) &&
         tt_input_disk_bytes (self->input) / 3 >= self->block_bytes;
}

/* -- asking --------------------------------------------------------------------------------------------------- */

void
tt_read_ahead_begin (TtReadAhead *self, TtInput *input)
{
  tt_read_ahead_end (self);
  self->input = input;
}

static Block *
take_first (TtReadAhead *self)
{
  fill (self, &self->first);
  if (self->first.n > 0 && is_worth_a_thread (self))
    {
      self->turns = tt_turns_new (N_BLOCKS);
      self->thread = g_thread_try_new ("reader", read_ahead, self, NULL);
    }
  return &self->first;
}

static Block *
take_next (TtReadAhead *self)
{
  if (self->thread == NULL)
    {
      fill (self, &self->first);
      return &self->first;
    }
  if (self->current != &self->first)
    tt_turns_empty (self->turns);
  return &self->blocks[tt_turns_next_full (self->turns)];
}

gssize
tt_read_ahead_next (TtReadAhead *self, gsize left, const guint8 **bytes, GError **error)
{
  const Block *before = self->current;

  g_return_val_if_fail (left <= self->most_left && (left == 0 || before != NULL), -1);
  if (left > 0)
    memcpy (self->left, before->room + self->most_left + before->n - left, left);
  self->current = before == NULL ? take_first (self) : take_next (self);
  guint8 *block = self->current->room + self->most_left;
  memcpy (block - left, self->left, left);
  *bytes = block - left;
  self->progress += self->current->progress;
  if (self->current->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->current->error));
  return self->current->n;
}

guint64
tt_read_ahead_progress (TtReadAhead *self)
{
  const guint64 progress = self->progress;

  self->progress = 0;
  return progress;
}

void
tt_read_ahead_end (TtReadAhead *self)
{
  if (self->thread != NULL)
    {
      tt_turns_stop (self->turns);
      g_thread_join (g_steal_pointer (&self->thread));
    }
  g_clear_pointer (&self->turns, tt_turns_free);
  for (guint i = 0; i < N_BLOCKS; i++)
    g_clear_error (&self->blocks[i].error);
  g_clear_error (&self->first.error);
  self->current = NULL;
  self->input = NULL;
  self->progress = 0;
}
