/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A binary heap in an array of records of one size: the first record is the one that comes before all others.
 *
 * The caller owns the array and its length, and says by @before which record comes first; where several are equal,
 * @before decides by something that no two share, else the order among them is not defined. Everything is inline: with
 * a constant size and a static function as @before the compiler makes code as good as one written by hand.
 *
 *     static gboolean comes_before (gconstpointer a, gconstpointer b, gconstpointer data);
 *     tt_heap_push (array, &item, sizeof item, comes_before, NULL);
 *     tt_heap_pop (array, &item, sizeof item, comes_before, NULL);
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Largest record, in bytes. */
#define TT_HEAP_MAX_RECORD 512u

typedef gboolean (*TtHeapBefore) (gconstpointer a, gconstpointer b, gconstpointer data);

#define TT_HEAP_INLINE static inline __attribute__ ((always_inline))

/* Moves the record at @at up to where it belongs. */
TT_HEAP_INLINE void
tt_heap_raise (gpointer records, gsize size, gsize at, TtHeapBefore before, gconstpointer data)
{
  char *base = records, moved[TT_HEAP_MAX_RECORD];

  memcpy (moved, base + at * size, size);
  for (; at > 0 && before (moved, base + (at - 1) / 2 * size, data); at = (at - 1) / 2)
    memcpy (base + at * size, base + (at - 1) / 2 * size, size);
  memcpy (base + at * size, moved, size);
}

/* Moves the record at @at, of @n, down to where it belongs: after the first was replaced, or to make a heap. */
TT_HEAP_INLINE void
tt_heap_lower (gpointer records, gsize size, gsize n, gsize at, TtHeapBefore before, gconstpointer data)
{
  char *base = records, moved[TT_HEAP_MAX_RECORD];

  memcpy (moved, base + at * size, size);
  for (gsize child = 2 * at + 1; child < n; child = 2 * at + 1)
    {
      if (child + 1 < n && before (base + (child + 1) * size, base + child * size, data))
        child++;
      if (!before (base + child * size, moved, data))
        break;
      memcpy (base + at * size, base + child * size, size);
      at = child;
    }
  memcpy (base + at * size, moved, size);
}

/* Makes a heap of @n records in any order. */
TT_HEAP_INLINE void
tt_heap_make (gpointer records, gsize size, gsize n, TtHeapBefore before, gconstpointer data)
{
  for (gsize at = n / 2; at > 0; at--)
    tt_heap_lower (records, size, n, at - 1, before, data);
}

TT_HEAP_INLINE void
tt_heap_push (GArray *heap, gconstpointer record, gsize size, TtHeapBefore before, gconstpointer data)
{
  g_array_append_vals (heap, record, 1);
  tt_heap_raise (heap->data, size, heap->len - 1, before, data);
}

/* Takes the first record out of a heap that is not empty. */
TT_HEAP_INLINE void
tt_heap_pop (GArray *heap, gpointer record, gsize size, TtHeapBefore before, gconstpointer data)
{
  guint n = heap->len - 1;

  memcpy (record, heap->data, size);
  if (n > 0)
    {
      memcpy (heap->data, heap->data + n * size, size);
      tt_heap_lower (heap->data, size, n, 0, before, data);
    }
  g_array_set_size (heap, n);
}
