/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/block-reader.h"

#include "src/base/room.h"
#include "src/store/clock-maps.h"

/* Rows of a block. With arguments fewer, because the block has their text too. */
#define BLOCK_ROWS TT_ROOM (2048, 64)
#define BLOCK_ROWS_ARGS TT_ROOM (512, 64)

struct _TtBlockReader
{
  TtStore *store;
  TtBlockOrder order;
  TtTablePages *pages;     /* NULL: all is odd */
  TtArgsPages *args_pages; /* NULL: arguments are looked up */
  TtPlaces threads, names; /* the store's, but for what was found last */
  TtClockCursor *cursors;  /* NULL: times are as they are */
  guint range;             /* the current one, counted from the scan's beginning */
  guint64 next;            /* id at which the next block begins (or ends, in reverse) */
};

TtBlockReader *
tt_block_reader_new (TtStore *store, const TtBlockOrder *order)
{
  TtBlockReader *self = g_new0 (TtBlockReader, 1);

  self->store = store;
  self->order = *order;
  self->pages = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS);
  self->args_pages = order->with_args ? tt_args_pages_new (store) : NULL;
  self->threads = store->thread_places;
  self->names = store->name_places;
  self->cursors = tt_clock_cursors_new (store);
  return self;
}

void
tt_block_reader_free (TtBlockReader *self)
{
  if (self == NULL)
    return;
  tt_table_pages_free (self->pages);
  tt_args_pages_free (self->args_pages);
  g_free (self->cursors);
  g_free (self);
}

gboolean
tt_block_reader_has_pages (const TtBlockReader *self)
{
  return self->pages != NULL;
}

TtBlock *
tt_block_reader_new_block (const TtBlockReader *self)
{
  TtBlock *block = g_new0 (TtBlock, 1);

  block->max = self->order.with_args ? BLOCK_ROWS_ARGS : BLOCK_ROWS;
  block->rows = g_new (TtBlockRow, block->max);
  block->with_args = self->order.with_args;
  block->text = g_string_new (NULL);
  g_string_append_c (block->text, '\0');
  return block;
}

void
tt_block_free (TtBlock *block)
{
  if (block == NULL)
    return;
  g_free (block->rows);
  g_string_free (block->text, TRUE);
  g_free (block);
}

/* Makes room for the next piece of a range. FALSE: there is none. */
static gboolean
go_on (TtBlockReader *self, TtBlock *block)
{
  const TtBlockOrder *order = &self->order;
  guint64 n = block->max - 1, first, last;

  if (self->range == order->n_ranges)
    return FALSE;
  const TtEventRange *range = &order->ranges[order->is_reverse ? order->n_ranges - 1 - self->range : self->range];
  if (order->is_reverse)
    {
      last = self->next == 0 ? range->last : self->next;
      first = last - range->first > n ? last - n : range->first;
    }
  else
    {
      first = self->next == 0 ? range->first : self->next;
      last = range->last - first > n ? first + n : range->last;
    }
  tt_block_clear (block, first, last, range->source);
  if (order->is_reverse ? first == range->first : last == range->last)
    {
      self->range++;
      self->next = 0;
    }
  else
    self->next = order->is_reverse ? first - 1 : last + 1;
  return TRUE;
}

void
tt_block_reader_correct (TtBlockReader *self, TtBlock *block)
{
  if (self->cursors == NULL)
    return;
  for (guint i = 0; i < block->n; i++)
    {
      TtBlockRow *row = &block->rows[i];
      tt_clock_cursors_correct (self->cursors, self->store, row->thread, &row->ts_ns, &row->dur_ns);
    }
}

TtBlockAnswer
tt_block_reader_next (TtBlockReader *self, TtBlock *block)
{
  const TtBlockPlaces places = { &self->threads, &self->names };

  if (!go_on (self, block))
    {
      block->n = 0;
      return TT_BLOCK_END;
    }
  if (self->pages == NULL || !tt_block_read (block, &places, self->pages))
    {
      /* Whatever is odd: from here on as it always was read. */
      g_clear_pointer (&self->pages, tt_table_pages_free);
      tt_block_clear (block, block->first, block->last, block->source);
      return TT_BLOCK_ODD;
    }
  if (self->args_pages != NULL)
    tt_block_read_args (block, self->args_pages);
  tt_block_reader_correct (self, block);
  return TT_BLOCK_READ;
}
