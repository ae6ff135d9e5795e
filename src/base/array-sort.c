/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/array-sort.h"

#include <string.h>

#define RADIX 256u
#define RADIX_BITS 8u
#define FEW 48u     /* so many are sorted by comparison */
#define NEAR 65536u /* so many stay in the processor's cache */

/* Elements of so many bytes and more are parted by their first digit before they are sorted, for places are reached one
 * after the other: part by part they stay in the processor's cache. */
#define MANY_BYTES ((gsize) 4 << 20)

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

/* What is sorted. */
typedef struct
{
  char *data;
  gsize n, size;
  TtArrayKeyFunc key;
} Elements;

static inline TtArrayKey
key_at (const Elements *self, gsize i)
{
  return self->key (self->data + i * self->size);
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
look_over (const Elements *self, KeyBits *bits)
{
  TtArrayKey first = key_at (self, 0), last = first, diff = { 0, 0 };
  gboolean is_backward = FALSE;

  for (gsize i = 1; i < self->n; i++)
    {
      TtArrayKey own = key_at (self, i);

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
sort_places (const Elements *self, const KeyBits *bits)
{
  gsize n = self->n;
  Entry *entries = g_new (Entry, n), *spare = g_new (Entry, n);
  gboolean is_packed = bits->low_bits + bits->high_bits <= 64;

  for (gsize i = 0; i < n; i++)
    {
      TtArrayKey own = key_at (self, i);
      guint64 word = bits_of (own.low, bits->low_from, bits->low_bits);

      if (is_packed && bits->high_bits > 0)
        word |= bits_of (own.high, bits->high_from, bits->high_bits) << bits->low_bits;
      entries[i] = (Entry){ word, i };
    }
  sort_entries (entries, spare, n, is_packed ? bits->low_bits + bits->high_bits : bits->low_bits);
  if (!is_packed)
    {
      for (gsize i = 0; i < n; i++)
        entries[i].key = bits_of (key_at (self, entries[i].index).high, bits->high_from, bits->high_bits);
      sort_entries (entries, spare, n, bits->high_bits);
    }
  g_free (spare);
  return entries;
}

/* Along the cycles of places, each element once: what stands where another belongs follows. */
static void
move_elements (const Elements *self, Entry *sorted)
{
  gsize size = self->size;
  g_autofree char *first = g_malloc (size);
  char *data = self->data;

  for (gsize start = 0; start < self->n; start++)
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
sort_equals (const Elements *self, GCompareFunc compare)
{
  for (gsize first = 0, end; first < self->n; first = end)
    {
      TtArrayKey own = key_at (self, first);

      for (end = first + 1; end < self->n; end++)
        {
          TtArrayKey next = key_at (self, end);
          if (!is_same_key (&own, &next))
            break;
        }
      if (end - first > 1)
        g_qsort_with_data (self->data + first * self->size, (int) (end - first), self->size, call_compare, &compare);
    }
}

/* -- many ----------------------------------------------------------------------------------------------------------- */

/* The first bits that differ: of the higher word, if any do there. */
static guint
first_digit (const KeyBits *bits, const TtArrayKey *key)
{
  gboolean is_high = bits->high_bits > 0;
  guint n = is_high ? bits->high_bits : bits->low_bits, from = is_high ? bits->high_from : bits->low_from;
  guint of = MIN (n, RADIX_BITS);

  return (guint) ((is_high ? key->high : key->low) >> (from + n - of)) % (1u << of);
}

/* In place; elements of one digit change their order. @ends: gets the end of each digit's. */
static void
part (const Elements *self, const KeyBits *bits, gsize ends[RADIX])
{
  g_autofree char *held = g_malloc (self->size), *spare = g_malloc (self->size);
  gsize heads[RADIX], n = 0;

  memset (ends, 0, RADIX * sizeof *ends);
  for (gsize i = 0; i < self->n; i++)
    {
      TtArrayKey key = key_at (self, i);
      ends[first_digit (bits, &key)]++;
    }
  for (guint digit = 0; digit < RADIX; digit++)
    {
      heads[digit] = n;
      n += ends[digit];
      ends[digit] = n;
    }
  for (guint digit = 0; digit < RADIX; digit++)
    while (heads[digit] < ends[digit])
      {
        TtArrayKey key = key_at (self, heads[digit]);
        guint to = first_digit (bits, &key);
        char *home = self->data + heads[digit]++ * self->size;

        if (to == digit)
          continue;
        /* What stands where this belongs goes on, until one belongs here. */
        memcpy (held, home, self->size);
        while (to != digit)
          {
            char *place = self->data + heads[to]++ * self->size;

            memcpy (spare, place, self->size);
            memcpy (place, held, self->size);
            memcpy (held, spare, self->size);
            key = self->key (held);
            to = first_digit (bits, &key);
          }
        memcpy (home, held, self->size);
      }
}

static void
sort (const Elements *self, GCompareFunc compare)
{
  KeyBits bits;

  if (self->n > 1 && look_over (self, &bits))
    {
      if (compare != NULL && self->n > MANY_BYTES / self->size)
        {
          gsize ends[RADIX];

          part (self, &bits, ends);
          for (guint digit = 0; digit < RADIX; digit++)
            {
              gsize first = digit == 0 ? 0 : ends[digit - 1];
              sort (&(Elements){ self->data + first * self->size, ends[digit] - first, self->size, self->key },
                    compare);
            }
          return;
        }
      g_autofree Entry *sorted = sort_places (self, &bits);
      move_elements (self, sorted);
    }
  if (compare != NULL)
    sort_equals (self, compare);
}

void
tt_sort_by_key (gpointer elements, gsize n, gsize size, TtArrayKeyFunc key, GCompareFunc compare)
{
  sort (&(Elements){ elements, n, size, key }, compare);
}

void
tt_array_sort_by_key (GArray *array, TtArrayKeyFunc key, GCompareFunc compare)
{
  tt_sort_by_key (array->data, array->len, g_array_get_element_size (array), key, compare);
}

guint32 *
tt_order_by_key (gconstpointer elements, guint32 n, gsize size, TtArrayKeyFunc key)
{
  const Elements self = { (char *) elements, n, size, key };
  KeyBits bits;

  if (n < 2 || !look_over (&self, &bits))
    {
      guint32 *numbers = g_new (guint32, (gsize) n + 1);

      for (guint32 i = 0; i < n; i++)
        numbers[i] = i;
      return numbers;
    }
  Entry *sorted = sort_places (&self, &bits);
  guint32 *numbers = g_new (guint32, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++)
    numbers[i] = (guint32) sorted[i].index;
  g_free (sorted);
  return numbers;
}
