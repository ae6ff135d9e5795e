/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/array-sort.h"

#include <string.h>

#define RADIX 256u
#define RADIX_BITS 8u
#define FEW 48u     /* so many are sorted by comparison */
#define NEAR 65536u /* so many stay in the processor's cache */

/* What is moved instead of an element: a part of its key, and its place. */
typedef struct
{
  guint64 key;
  guint64 index;
} Entry;

typedef struct
{
  TtArrayKey differing; /* bits that differ between any two keys */
  guint low_from, low_bits, high_from, high_bits;
} KeyBits;

static inline TtArrayKey
key_at (const GArray *array, gsize size, TtArrayKeyFunc key, guint64 i)
{
  return key (array->data + i * size);
}

/* -- by the digits of one word, stable ------------------------------------------------------------------------- */

static void
sort_few (Entry *entries, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      Entry entry = entries[i];
      gsize at = i;

      for (; at > 0 && entries[at - 1].key > entry.key; at--)
        entries[at] = entries[at - 1];
      entries[at] = entry;
    }
}

/* @ends: gets the end of each digit's entries in @to. */
static void
scatter (const Entry *from, Entry *to, gsize n, guint shift, gsize ends[RADIX])
{
  gsize start = 0;

  memset (ends, 0, RADIX * sizeof *ends);
  for (gsize i = 0; i < n; i++)
    ends[(from[i].key >> shift) % RADIX]++;
  for (guint digit = 0; digit < RADIX; digit++)
    {
      gsize count = ends[digit];
      ends[digit] = start;
      start += count;
    }
  for (gsize i = 0; i < n; i++)
    to[ends[(from[i].key >> shift) % RADIX]++] = from[i];
}

/* Sorts @entries by the lowest @bits; @spare has room for as many. */
static void
sort_entries (Entry *entries, Entry *spare, gsize n, guint bits)
{
  gsize ends[RADIX];

  if (n <= FEW)
    {
      sort_few (entries, n);
      return;
    }
  /* Many: by the first digit, so that what is left lies near each other. */
  if (n > NEAR && bits > RADIX_BITS)
    {
      guint shift = bits - RADIX_BITS;

      scatter (entries, spare, n, shift, ends);
      memcpy (entries, spare, n * sizeof *entries);
      for (guint digit = 0; digit < RADIX; digit++)
        {
          gsize first = digit == 0 ? 0 : ends[digit - 1];
          sort_entries (entries + first, spare + first, ends[digit] - first, shift);
        }
      return;
    }
  Entry *from = entries, *to = spare;
  for (guint shift = 0; shift < bits; shift += RADIX_BITS)
    {
      scatter (from, to, n, shift, ends);
      Entry *swap = from;
      from = to;
      to = swap;
    }
  if (from != entries)
    memcpy (entries, from, n * sizeof *entries);
}

/* -- keys of two words ---------------------------------------------------------------------------------------------- */

/* FALSE: the elements are in order as they are. */
static gboolean
look_over (const GArray *array, gsize size, TtArrayKeyFunc key, KeyBits *bits)
{
  TtArrayKey first = key_at (array, size, key, 0), last = first, diff = { 0, 0 };
  gboolean is_backward = FALSE;

  for (guint i = 1; i < array->len; i++)
    {
      TtArrayKey own = key_at (array, size, key, i);

      diff.high |= own.high ^ first.high;
      diff.low |= own.low ^ first.low;
      is_backward |= own.high < last.high || (own.high == last.high && own.low < last.low);
      last = own;
    }
  bits->differing = diff;
  bits->low_from = diff.low == 0 ? 0 : (guint) __builtin_ctzll (diff.low);
  bits->low_bits = diff.low == 0 ? 0 : 64 - bits->low_from - (guint) __builtin_clzll (diff.low);
  bits->high_from = diff.high == 0 ? 0 : (guint) __builtin_ctzll (diff.high);
  bits->high_bits = diff.high == 0 ? 0 : 64 - bits->high_from - (guint) __builtin_clzll (diff.high);
  return is_backward;
}

static inline guint64
bits_of (guint64 word, guint from, guint n)
{
  return n == 0 ? 0 : word >> from & (G_MAXUINT64 >> (64 - n));
}

/* The bits that differ go into one word where they fit; otherwise the lower word is sorted by first. */
static Entry *
sort_places (const GArray *array, gsize size, TtArrayKeyFunc key, const KeyBits *bits)
{
  gsize n = array->len;
  Entry *entries = g_new (Entry, n), *spare = g_new (Entry, n);
  gboolean is_packed = bits->low_bits + bits->high_bits <= 64;

  for (gsize i = 0; i < n; i++)
    {
      TtArrayKey own = key_at (array, size, key, i);
      guint64 word = bits_of (own.low, bits->low_from, bits->low_bits);

      if (is_packed && bits->high_bits > 0)
        word |= bits_of (own.high, bits->high_from, bits->high_bits) << bits->low_bits;
      entries[i] = (Entry){ word, i };
    }
  sort_entries (entries, spare, n, is_packed ? bits->low_bits + bits->high_bits : bits->low_bits);
  if (!is_packed)
    {
      for (gsize i = 0; i < n; i++)
        entries[i].key = bits_of (key_at (array, size, key, entries[i].index).high, bits->high_from, bits->high_bits);
      sort_entries (entries, spare, n, bits->high_bits);
    }
  g_free (spare);
  return entries;
}

/* Along the cycles of places, each element once: what stands where another belongs follows. */
static void
move_elements (GArray *array, gsize size, Entry *sorted)
{
  g_autofree char *first = g_malloc (size);
  char *data = array->data;

  for (gsize start = 0; start < array->len; start++)
    {
      gsize at = start, from = sorted[start].index;

      if (from == start)
        continue;
      memcpy (first, data + start * size, size);
      for (; from != start; from = sorted[at].index)
        {
          __builtin_prefetch (&sorted[sorted[from].index]);
          __builtin_prefetch (data + sorted[from].index * size);
          memcpy (data + at * size, data + from * size, size);
          sorted[at].index = at;
          at = from;
        }
      memcpy (data + at * size, first, size);
      sorted[at].index = at;
    }
}

/* -- equals --------------------------------------------------------------------------------------------------------- */

static gboolean
is_same_key (const TtArrayKey *a, const TtArrayKey *b)
{
  return a->high == b->high && a->low == b->low;
}

static int
call_compare (gconstpointer a, gconstpointer b, gpointer compare)
{
  return (*(GCompareFunc *) compare) (a, b);
}

static void
sort_equals (GArray *array, gsize size, TtArrayKeyFunc key, GCompareFunc compare)
{
  for (guint first = 0, end; first < array->len; first = end)
    {
      TtArrayKey own = key_at (array, size, key, first);

      for (end = first + 1; end < array->len; end++)
        {
          TtArrayKey next = key_at (array, size, key, end);
          if (!is_same_key (&own, &next))
            break;
        }
      if (end - first > 1)
        g_qsort_with_data (array->data + first * size, (int) (end - first), size, call_compare, &compare);
    }
}

void
tt_array_sort_by_key (GArray *array, TtArrayKeyFunc key, GCompareFunc compare)
{
  gsize size = g_array_get_element_size (array);
  KeyBits bits;

  if (array->len > 1 && look_over (array, size, key, &bits))
    {
      Entry *sorted = sort_places (array, size, key, &bits);

      move_elements (array, size, sorted);
      g_free (sorted);
    }
  if (compare != NULL)
    sort_equals (array, size, key, compare);
}
