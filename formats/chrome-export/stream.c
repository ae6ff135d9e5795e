/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/stream.h"

#include "src/base/readers.h"
#include "src/base/room.h"

#include <string.h>

#define BLOCK_RECORDS TT_ROOM (4096, 64)
#define N_BLOCKS 6
/* Records that the ends of arrows look ahead. */
#define MAX_FOLLOWING 64u

/* -- reading ahead ------------------------------------------------------------------------------------- */

typedef struct
{
  guint n;       /* 0: the end */
  guint n_ahead; /* after these: the first of the next block, and at the end one that is later than all */
  GError *error; /* only at the end */
  ChromeRecord records[BLOCK_RECORDS + MAX_FOLLOWING + 1];
} Block;

/* One thread merges the sorted runs, this one formats; where there is no processor for it, this one does both. */
typedef struct
{
  TtSorter *sorter;
  ChromeRecord ahead[MAX_FOLLOWING]; /* of the block before */
  guint n_ahead;
  gboolean is_read, is_end; /* the sorter is; all is in blocks */
  GError *error;            /* of the sorter, until all before it are in blocks */

  GThread *thread;           /* has all of the above; NULL: there is none */
  GAsyncQueue *full, *empty; /* of Block */
  int stop;
  Block *block; /* without a thread: the only one */
} Reader;

static void
fill_block (Reader *reader, Block *block)
{
  const guint most = BLOCK_RECORDS + MAX_FOLLOWING;
  guint n = reader->n_ahead;

  memcpy (block->records, reader->ahead, n * sizeof *reader->ahead);
  if (!reader->is_read)
    n += (guint) tt_sorter_take (reader->sorter, &block->records[n], most - n, &reader->error);
  reader->is_read = n < most;
  block->n = MIN (n, BLOCK_RECORDS);
  block->n_ahead = reader->n_ahead = n - block->n;
  memcpy (reader->ahead, block->records + block->n, reader->n_ahead * sizeof *reader->ahead);
  if (reader->is_read)
    block->records[block->n + block->n_ahead++] = (ChromeRecord){ .ts = G_MAXUINT64 };
  reader->is_end = reader->is_read && reader->n_ahead == 0;
}

/* The last one is empty and has the error. */
static void
read_block (Reader *reader, Block *block)
{
  block->n = 0;
  if (!reader->is_end)
    fill_block (reader, block);
  if (block->n == 0)
    block->error = g_steal_pointer (&reader->error);
}

static gpointer
read_blocks (gpointer data)
{
  Reader *reader = data;
  gboolean is_last = FALSE;

  while (!is_last)
    {
      Block *block = g_async_queue_pop (reader->empty);

      if (g_atomic_int_get (&reader->stop))
        block->n = 0;
      else
        read_block (reader, block);
      is_last = block->n == 0;
      g_async_queue_push (reader->full, block);
    }
  return NULL;
}

static void
free_block (gpointer data)
{
  Block *block = data;

  g_clear_error (&block->error);
  g_free (block);
}

static gboolean
reader_start (Reader *reader, TtSorter *sorter, GError **error)
{
  *reader = (Reader){ .sorter = sorter };
  if (tt_count_processors () == 1)
    {
      reader->block = g_new0 (Block, 1);
      return TRUE;
    }
  reader->full = g_async_queue_new_full (free_block);
  reader->empty = g_async_queue_new_full (free_block);
  for (int i = 0; i < N_BLOCKS; i++)
    g_async_queue_push (reader->empty, g_new0 (Block, 1));
  reader->thread = g_thread_try_new ("merge", read_blocks, reader, error);
  if (reader->thread != NULL)
    return TRUE;
  g_async_queue_unref (reader->full);
  g_async_queue_unref (reader->empty);
  return FALSE;
}

static Block *
reader_next (Reader *reader)
{
  if (reader->thread != NULL)
    return g_async_queue_pop (reader->full);
  read_block (reader, reader->block);
  return reader->block;
}

/* @block: what reader_next() gave. */
static void
reader_give_back (Reader *reader, Block *block)
{
  if (reader->thread != NULL)
    g_async_queue_push (reader->empty, block);
}

/* @at_end: the empty block was seen. */
static void
reader_stop (Reader *reader, gboolean at_end)
{
  if (reader->thread != NULL)
    {
      g_atomic_int_set (&reader->stop, TRUE);
      while (!at_end)
        {
          Block *block = g_async_queue_pop (reader->full);
          at_end = block->n == 0;
          g_async_queue_push (reader->empty, block);
        }
      g_thread_join (reader->thread);
      g_async_queue_unref (reader->full);
      g_async_queue_unref (reader->empty);
    }
  g_clear_pointer (&reader->block, free_block);
  g_clear_error (&reader->error);
}

/* -- all that was collected, in order ---------------------------------------------------------------- */

static inline gboolean
is_before (const ChromeMessage *message, const ChromeRecord *record, gboolean ties_to_spans)
{
  return message->ts < record->ts ||
         (message->ts == record->ts &&
          (message->order < record->order || (ties_to_spans && message->order == record->order)));
}

static const ChromeMessage *
next_message (TtChrome *self, GError **error)
{
  return self->messages == NULL ? NULL : tt_sorter_next (self->messages, error);
}

/* How many records of the block from number @from on are earlier than @message. */
static guint
count_earlier (const Block *block, guint from, const ChromeMessage *message)
{
  guint least = from, end = block->n;

  if (message == NULL || block->records[block->n - 1].ts < message->ts)
    return block->n - from;
  while (least < end)
    {
      guint middle = least + (end - least) / 2;
      if (block->records[middle].ts < message->ts)
        least = middle + 1;
      else
        end = middle;
    }
  return least - from;
}

static gboolean
each_of_block (TtChrome *self,
               const Block *block,
               const ChromeVisitor *visitor,
               const ChromeMessage **message,
               GError **error)
{
  g_autoptr (GError) failed = NULL;
  gboolean ties_to_spans = self->language->ties_to_spans;

  for (guint i = 0; i < block->n; i++)
    {
      if (visitor->records != NULL)
        i += visitor->records (self, &block->records[i], count_earlier (block, i, *message));
      if (i == block->n)
        break;

      const ChromeRecord *record = &block->records[i];

      self->following = record;
      self->n_following = MIN (block->n + block->n_ahead - i, MAX_FOLLOWING);
      while (G_UNLIKELY (*message != NULL && is_before (*message, record, ties_to_spans)))
        {
          visitor->message (self, *message, visitor->data);
          *message = next_message (self, &failed);
        }
      visitor->record (self, record, visitor->data);
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return tt_spill_check (self->extras, error) && tt_chrome_args_check (self->args, error) &&
         (self->fragments == NULL || tt_chrome_fragments_check (self->fragments, error)) && !tt_cancelled (error);
}

static gboolean
each_message_left (TtChrome *self, const ChromeVisitor *visitor, const ChromeMessage *message, GError **error)
{
  g_autoptr (GError) failed = NULL;
  const ChromeRecord never = { .ts = G_MAXUINT64 };

  self->following = &never;
  self->n_following = 1;
  for (; message != NULL; message = next_message (self, &failed))
    visitor->message (self, message, visitor->data);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_chrome_each (TtChrome *self, const ChromeVisitor *visitor, const char *label, GError **error)
{
  TtProgress *progress = tt_progress_new (label, self->n_collected, "events");
  g_autoptr (GError) failed = NULL;
  const ChromeMessage *message = next_message (self, &failed);
  Reader reader;
  gboolean at_end = FALSE;

  gboolean is_started = failed == NULL && reader_start (&reader, self->sorter, &failed);
  while (failed == NULL && !at_end)
    {
      Block *block = reader_next (&reader);

      at_end = block->n == 0;
      if (block->error != NULL)
        failed = g_steal_pointer (&block->error);
      else
        each_of_block (self, block, visitor, &message, &failed);
      tt_progress_add (progress, block->n);
      reader_give_back (&reader, block);
    }
  if (is_started)
    reader_stop (&reader, at_end);
  tt_progress_free (progress);
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return each_message_left (self, visitor, message, error);
}
