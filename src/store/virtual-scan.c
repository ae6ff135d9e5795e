/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/base/progress.h"
#include "src/store/virtual-private.h"

void
tt_virtual_scan_begin (TtVirtualScan *self, TtVirtualEvents *events)
{
  self->events = events;
  if (self->pages == NULL && events->idle_pages->len > 0)
    self->pages = g_ptr_array_steal_index_fast (events->idle_pages, events->idle_pages->len - 1);
  if (self->pages == NULL)
    self->pages = tt_table_pages_new (events->store, "event_row", TT_EVENT_COLUMNS);
  self->first = events->first;
  self->last = events->last;
  self->is_reverse = FALSE;
  self->n_equal = 0;
  tt_virtual_scan_rewind (self);
}

void
tt_virtual_scan_rewind (TtVirtualScan *self)
{
  self->next = self->is_reverse ? self->last : self->first;
  self->is_over = self->first > self->last;
  self->at = self->end = 0;
}

void
tt_virtual_scan_end (TtVirtualScan *self)
{
  for (guint i = 0; i < self->n_equal; i++)
    g_free (self->equal[i].text);
  self->n_equal = 0;
  if (self->pages != NULL)
    g_ptr_array_add (self->events->idle_pages, g_steal_pointer (&self->pages));
  g_clear_pointer (&self->leaf.rows, g_free);
  self->leaf.max = 0;
}

/* The first of its rows that is not before @id. */
static guint
find_row (const TtEventLeaf *leaf, gint64 id)
{
  guint low = 0, high = leaf->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (leaf->rows[middle].values[TT_BLOCK_ID] < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Goes on to the next page. */
static int
read_leaf (TtVirtualScan *self)
{
  TtEventLeaf *leaf = &self->leaf;

  if (tt_cancelled (NULL))
    return SQLITE_INTERRUPT;
  if (self->pages == NULL || !tt_table_pages_leaf (self->pages, self->next, leaf))
    return TT_SCAN_ODD;

  guint begin = find_row (leaf, self->first);
  guint end = self->last == G_MAXINT64 ? leaf->n : find_row (leaf, self->last + 1);
  self->at = self->is_reverse ? leaf->n - end : begin;
  self->end = self->is_reverse ? leaf->n - begin : end;
  if (self->is_reverse)
    {
      self->is_over = !leaf->has_below || leaf->below < self->first;
      self->next = leaf->below;
    }
  else
    {
      self->is_over = !leaf->has_above || leaf->above >= self->last;
      self->next = leaf->above + (self->is_over ? 0 : 1);
    }
  return SQLITE_ROW;
}

/* 1: it has all that is asked for; 0: not; else TT_SCAN_ODD or an error. What is no text is for SQLite to compare. */
static int
is_equal (TtVirtualScan *self, const TtEventValues *row)
{
  TtVirtualCell cell;

  for (guint i = 0; i < self->n_equal; i++)
    {
      const TtVirtualEqual *equal = &self->equal[i];
      TtCellAnswer answer = tt_virtual_cell (self->events, equal->column, row, &cell);

      if (answer == TT_CELL_FAILED)
        return sqlite3_extended_errcode (self->events->db);
      if (answer == TT_CELL_ODD)
        continue;
      if (cell.type == SQLITE_NULL ||
          (cell.type == SQLITE_TEXT &&
           (cell.len != equal->len || memcmp (cell.bytes, equal->text, (gsize) cell.len) != 0)))
        return 0;
    }
  return 1;
}

int
tt_virtual_scan_next (TtVirtualScan *self, const TtEventValues **row)
{
  for (;;)
    {
      while (G_LIKELY (self->at < self->end))
        {
          guint i = self->is_reverse ? self->leaf.n - 1 - self->at : self->at;

          self->at++;
          *row = &self->leaf.rows[i];
          if (G_LIKELY (self->n_equal == 0))
            return SQLITE_ROW;
          int answer = is_equal (self, *row);
          if (answer != 0)
            return answer == 1 ? SQLITE_ROW : answer;
        }
      if (self->is_over)
        return SQLITE_DONE;
      int code = read_leaf (self);
      if (code != SQLITE_ROW)
        return code;
    }
}
