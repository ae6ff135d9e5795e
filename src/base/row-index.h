/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRowIndex: finds rows of an array by what is in them: a hash table of row numbers with open addressing.
 *
 * The rows stay the caller's: it hashes their keys, compares them, and adds the number of each row that it appends,
 * from 0 without gaps, so that a larger table is filled by reading the rows in order.
 * Four bytes a slot, at most three quarters of the slots taken. A zeroed index is an empty one.
 *
 *     for (slot = tt_row_index_first (&index, hash); index.slots[slot] != 0; slot = tt_row_index_next (&index, slot))
 *       if (is_the_key (&rows[index.slots[slot] - 1]))
 *         return index.slots[slot] - 1;
 *     tt_row_index_add (&index, slot, n_rows - 1, hash_row, rows);
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint32 *slots; /* number of the row + 1; 0: free */
  guint64 mask;   /* number of slots - 1; both are 0 before the first row */
  guint64 n_rows;
} TtRowIndex;

/* The hash of row @row of @rows: well mixed, its low bits are used. */
typedef guint64 (*TtRowHash) (gconstpointer rows, guint32 row);

#define TT_ROW_INDEX_FIRST_SLOTS 1024u

static inline void
tt_row_index_clear (TtRowIndex *self)
{
  g_free (self->slots);
  *self = (TtRowIndex){ 0 };
}

/* Where a search for @hash begins. */
static inline guint64
tt_row_index_first (TtRowIndex *self, guint64 hash)
{
  if (G_UNLIKELY (self->slots == NULL))
    {
      self->slots = g_new0 (guint32, TT_ROW_INDEX_FIRST_SLOTS);
      self->mask = TT_ROW_INDEX_FIRST_SLOTS - 1;
    }
  return hash & self->mask;
}

static inline guint64
tt_row_index_next (const TtRowIndex *self, guint64 slot)
{
  return (slot + 1) & self->mask;
}

/* Puts row @row, the next one and below 2^32 - 1, into the free @slot that its search ended at. */
static inline void
tt_row_index_add (TtRowIndex *self, guint64 slot, guint32 row, TtRowHash hash, gconstpointer rows)
{
  self->slots[slot] = row + 1;
  if (G_LIKELY (++self->n_rows * 4 <= self->mask * 3))
    return;

  self->mask = 2 * self->mask + 1;
  g_free (self->slots);
  self->slots = g_new0 (guint32, self->mask + 1);
  for (guint32 i = 0; i <= row; i++)
    {
      guint64 place = hash (rows, i) & self->mask;
      while (self->slots[place] != 0)
        place = (place + 1) & self->mask;
      self->slots[place] = i + 1;
    }
}
