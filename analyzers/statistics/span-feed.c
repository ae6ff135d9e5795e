/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/span-feed.h"

#include "src/base/room.h"
#include "src/trace/event.h"

#define BLOCK_ROWS TT_ROOM (8192, 64)
#define N_BLOCKS 4
/* Rows ahead whose sums are fetched: a miss of the cache takes as long as adding some. */
#define FETCHED_AHEAD 8

typedef struct
{
  guint n;
  guint32 group[BLOCK_ROWS];
  guint8 is_bounded[BLOCK_ROWS];
  gint64 dur_ns[BLOCK_ROWS], self_ns[BLOCK_ROWS], total_ns[BLOCK_ROWS];
} Block;

struct _TtSpanFeed
{
  TtTally *tally;
  GThread *thread; /* NULL: none could be started; then blocks are tallied where they are filled */
  GAsyncQueue *full, *empty;
  Block *block;
};

static void
tally_block (TtTally *tally, Block *block)
{
  for (guint i = 0; i < block->n; i++)
    {
      if (i + FETCHED_AHEAD < block->n)
        tt_tally_fetch (tally, block->group[i + FETCHED_AHEAD]);
      if (G_UNLIKELY (block->is_bounded[i] != 0))
        tt_tally_add_bounded (tally, block->group[i], block->dur_ns[i], block->self_ns[i], block->total_ns[i]);
      else
        tt_tally_add (tally, block->group[i], block->dur_ns[i], block->self_ns[i], block->total_ns[i]);
    }
  block->n = 0;
}

/* A block without rows says that there will be no more. */
static gpointer
run_worker (gpointer data)
{
  TtSpanFeed *self = data;

  for (;;)
    {
      Block *block = g_async_queue_pop (self->full);
      guint n = block->n;

      tally_block (self->tally, block);
      g_async_queue_push (self->empty, block);
      if (n == 0)
        return NULL;
    }
}

TtSpanFeed *
tt_span_feed_new (TtTally *tally)
{
  TtSpanFeed *self = g_new0 (TtSpanFeed, 1);

  self->tally = tally;
  self->full = g_async_queue_new ();
  self->empty = g_async_queue_new_full (g_free);
  for (guint i = 1; i < N_BLOCKS; i++)
    g_async_queue_push (self->empty, g_new0 (Block, 1));
  self->block = g_new0 (Block, 1);
  self->thread = g_thread_try_new ("tally", run_worker, self, NULL);
  return self;
}

static void
hand_over (TtSpanFeed *self)
{
  if (self->thread == NULL)
    {
      tally_block (self->tally, self->block);
      return;
    }
  g_async_queue_push (self->full, self->block);
  self->block = g_async_queue_pop (self->empty);
}

void
tt_span_feed_add (TtSpanFeed *self, guint32 group, guint32 flags, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  Block *block = self->block;
  guint i = block->n++;

  block->group[i] = group;
  block->is_bounded[i] = tt_flags_are_bounded (flags);
  block->dur_ns[i] = dur_ns;
  block->self_ns[i] = self_ns;
  block->total_ns[i] = total_ns;
  if (G_UNLIKELY (i == BLOCK_ROWS - 1))
    hand_over (self);
}

void
tt_span_feed_finish (TtSpanFeed *self)
{
  if (self->block->n > 0)
    hand_over (self);
  if (self->thread != NULL)
    {
      g_async_queue_push (self->full, g_steal_pointer (&self->block));
      g_thread_join (self->thread);
    }
  g_free (self->block);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  g_free (self);
}
