/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sorter-block.h"

#include <string.h>

#define RADIX 256
#define WRITE_BUFFER_BYTES ((gsize) 262144)
#define PREFETCH_AHEAD 16

typedef struct
{
  guint64 high, low;
} Key;

/* What is moved instead of a record with payload: the part of its key that varies, and its place. */
typedef struct _TtSortEntry
{
  guint64 key;
  guint64 index;
} Entry;

static inline const Key *
key_at (const TtSortBlock *self, gsize i)
{
  return (const Key *) (const void *) (self->records + i * self->record_size);
}

/* Bits that differ between any two keys; TRUE if the records are in order as they are. */
static gboolean
look_over (const TtSortBlock *self, Key *differing)
{
  Key first = *key_at (self, 0), last = first, diff = { 0, 0 };
  guint64 backwards = 0;

  for (gsize i = 1; i < self->n; i++)
    {
      Key key = *key_at (self, i);

      diff.high |= key.high ^ first.high;
      diff.low |= key.low ^ first.low;
      backwards |= key.high < last.high || (key.high == last.high && key.low < last.low);
      last = key;
    }
  *differing = diff;
  return backwards == 0;
}

/* Turns counts into the place of each digit's first element. */
static void
counts_to_starts (gsize counts[RADIX])
{
  gsize start = 0;

  for (int digit = 0; digit < RADIX; digit++)
    {
      gsize count = counts[digit];
      counts[digit] = start;
      start += count;
    }
}

static inline guint64
mask_of_bits (guint n)
{
  return n >= 64 ? G_MAXUINT64 : ((guint64) 1 << n) - 1;
}

/* Records that are nothing but their key are moved themselves. */
static void
scatter_keys (const Key *from, Key *to, gsize n, gboolean by_high, guint shift)
{
  gsize starts[RADIX] = { 0 };

  for (gsize i = 0; i < n; i++)
    starts[((by_high ? from[i].high : from[i].low) >> shift) & 0xff]++;
  counts_to_starts (starts);
  for (gsize i = 0; i < n; i++)
    to[starts[((by_high ? from[i].high : from[i].low) >> shift) & 0xff]++] = from[i];
}

static void
sort_wide_keys (TtSortBlock *self, Key differing)
{
  Key *from = (Key *) (void *) self->records, *spare = g_new (Key, self->capacity), *to = spare;

  for (guint byte = 0; byte < 16; byte++)
    {
      guint shift = 8 * (byte % 8);

      if ((((byte < 8 ? differing.low : differing.high) >> shift) & 0xff) == 0)
        continue;
      if (byte < 8)
        scatter_keys (from, to, self->n, FALSE, shift);
      else
        scatter_keys (from, to, self->n, TRUE, shift);
      Key *swap = from;
      from = to;
      to = swap;
    }
  self->records = (guint8 *) from;
  g_free (to);
}

/* -- keys that differ in few bits, in one word each ------------------------------------------- */

#define MAX_FIELDS 8u
#define MIN_GAP 4u
#define WORD_DIGIT 11u
#define WORD_RADIX ((gsize) 1 << WORD_DIGIT)

/* Neighbouring bits in which keys differ, and where they are in a word. */
typedef struct
{
  guint from, to;
  guint64 mask; /* in the word, before it is shifted */
} Field;

typedef struct
{
  Field low[MAX_FIELDS], high[MAX_FIELDS];
  guint n_low, n_high;
  guint n_bits;
} Packing;

/* FALSE: there are too many. A few equal bits between others are taken as if they differed. */
static gboolean
find_fields (guint64 differing, Field *fields, guint *n_fields, guint *n_bits)
{
  guint n = 0, at = 0;

  while (at < 64 && differing >> at != 0)
    {
      guint from = at + (guint) __builtin_ctzll (differing >> at), end = from;

      while (end < 64 && (differing >> end & mask_of_bits (MIN_GAP)) != 0)
        end++;
      if (n == MAX_FIELDS)
        return FALSE;
      fields[n++] = (Field){ from, *n_bits, mask_of_bits (end - from) };
      *n_bits += end - from;
      at = end;
    }
  *n_fields = n;
  return TRUE;
}

static gboolean
find_packing (Packing *self, Key differing)
{
  self->n_bits = 0;
  return find_fields (differing.low, self->low, &self->n_low, &self->n_bits) &&
         find_fields (differing.high, self->high, &self->n_high, &self->n_bits) && self->n_bits <= 64;
}

static void
pack_keys (const Packing *self, const Key *keys, guint64 *words, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 word = 0;

      for (guint k = 0; k < self->n_low; k++)
        word |= (keys[i].low >> self->low[k].from & self->low[k].mask) << self->low[k].to;
      for (guint k = 0; k < self->n_high; k++)
        word |= (keys[i].high >> self->high[k].from & self->high[k].mask) << self->high[k].to;
      words[i] = word;
    }
}

/* What is the same in all keys stands in @common. */
static void
unpack_keys (const Packing *self, const guint64 *words, Key *keys, gsize n, Key common)
{
  for (gsize i = 0; i < n; i++)
    {
      Key key = common;

      for (guint k = 0; k < self->n_low; k++)
        key.low |= (words[i] >> self->low[k].to & self->low[k].mask) << self->low[k].from;
      for (guint k = 0; k < self->n_high; k++)
        key.high |= (words[i] >> self->high[k].to & self->high[k].mask) << self->high[k].from;
      keys[i] = key;
    }
}

static void
scatter_words (const guint64 *from, guint64 *to, gsize n, guint shift)
{
  gsize starts[WORD_RADIX] = { 0 }, start = 0;

  for (gsize i = 0; i < n; i++)
    starts[from[i] >> shift & (WORD_RADIX - 1)]++;
  for (gsize digit = 0; digit < WORD_RADIX; digit++)
    {
      gsize count = starts[digit];
      starts[digit] = start;
      start += count;
    }
  for (gsize i = 0; i < n; i++)
    to[starts[from[i] >> shift & (WORD_RADIX - 1)]++] = from[i];
}

static guint64
without_fields (guint64 key, const Field *fields, guint n)
{
  for (guint i = 0; i < n; i++)
    key &= ~(fields[i].mask << fields[i].from);
  return key;
}

static void
sort_packed_keys (TtSortBlock *self, const Packing *packing)
{
  Key *keys = (Key *) (void *) self->records;
  const Key common = { without_fields (keys[0].high, packing->high, packing->n_high),
                       without_fields (keys[0].low, packing->low, packing->n_low) };
  g_autofree guint64 *words = g_new (guint64, 2 * self->n);
  guint64 *from = words, *to = words + self->n;

  pack_keys (packing, keys, from, self->n);
  for (guint shift = 0; shift < packing->n_bits; shift += WORD_DIGIT)
    {
      scatter_words (from, to, self->n, shift);
      guint64 *swap = from;
      from = to;
      to = swap;
    }
  unpack_keys (packing, from, keys, self->n, common);
}

static void
sort_keys (TtSortBlock *self, Key differing)
{
  Packing packing;

  if (self->n >= WORD_RADIX && find_packing (&packing, differing))
    sort_packed_keys (self, &packing);
  else
    sort_wide_keys (self, differing);
}

static Entry *
sort_entries (Entry *from, Entry *to, gsize n, guint64 differing)
{
  for (guint shift = 0; shift < 64; shift += 8)
    {
      if (((differing >> shift) & 0xff) == 0)
        continue;

      gsize starts[RADIX] = { 0 };
      for (gsize i = 0; i < n; i++)
        starts[(from[i].key >> shift) & 0xff]++;
      counts_to_starts (starts);
      for (gsize i = 0; i < n; i++)
        to[starts[(from[i].key >> shift) & 0xff]++] = from[i];

      Entry *swap = from;
      from = to;
      to = swap;
    }
  return from;
}

static void
free_scratch (TtSortBlock *self)
{
  g_clear_pointer (&self->scratch[0], g_free);
  g_clear_pointer (&self->scratch[1], g_free);
  self->n_scratch = 0;
}

static void
make_scratch (TtSortBlock *self)
{
  if (self->n_scratch >= self->n)
    return;
  free_scratch (self);
  self->scratch[0] = g_new (Entry, self->n);
  self->scratch[1] = g_new (Entry, self->n);
  self->n_scratch = self->n;
}

/* Sorts places. The varying bits of both key halves go into one word where they fit. */
static void
sort_places (TtSortBlock *self, Key differing)
{
  make_scratch (self);
  Entry *from = self->scratch[0], *spare = self->scratch[1], *sorted;
  guint low_from = differing.low == 0 ? 0 : (guint) __builtin_ctzll (differing.low);
  guint low_bits = differing.low == 0 ? 0 : 64 - low_from - (guint) __builtin_clzll (differing.low);
  guint high_from = differing.high == 0 ? 0 : (guint) __builtin_ctzll (differing.high);
  guint high_bits = differing.high == 0 ? 0 : 64 - high_from - (guint) __builtin_clzll (differing.high);

  if (low_bits + high_bits < 64)
    {
      guint64 low_mask = mask_of_bits (low_bits), high_mask = mask_of_bits (high_bits);

      for (gsize i = 0; i < self->n; i++)
        {
          const Key *key = key_at (self, i);
          from[i].key = ((key->low >> low_from) & low_mask) | ((key->high >> high_from) & high_mask) << low_bits;
          from[i].index = i;
        }
      sorted = sort_entries (from, spare, self->n,
                             ((differing.low >> low_from) & low_mask) | ((differing.high >> high_from) & high_mask)
                                                                            << low_bits);
    }
  else
    {
      for (gsize i = 0; i < self->n; i++)
        from[i] = (Entry){ key_at (self, i)->low, i };
      sorted = sort_entries (from, spare, self->n, differing.low);
      for (gsize i = 0; i < self->n; i++)
        sorted[i].key = key_at (self, sorted[i].index)->high;
      sorted = sort_entries (sorted, sorted == from ? spare : from, self->n, differing.high);
    }

  self->order = sorted;
}

void
tt_sort_block_sort (TtSortBlock *self)
{
  Key differing;

  if (self->n < 2 || look_over (self, &differing))
    return;
  if (self->record_size == sizeof (Key))
    sort_keys (self, differing);
  else
    sort_places (self, differing);
}

gboolean
tt_sort_block_write (const TtSortBlock *self, TtRunFile *file, GError **error)
{
  gsize size = self->record_size;

  if (!tt_run_file_begin (file, error))
    return FALSE;
  if (self->order == NULL)
    return tt_run_file_write (file, self->records, self->n * size, error);

  gsize per_buffer = MAX (WRITE_BUFFER_BYTES / size, 1);
  g_autofree guint8 *buffer = g_malloc (per_buffer * size);

  for (gsize i = 0; i < self->n;)
    {
      gsize n = MIN (per_buffer, self->n - i);

      for (gsize j = 0; j < n; j++, i++)
        {
          if (i + PREFETCH_AHEAD < self->n)
            __builtin_prefetch (key_at (self, self->order[i + PREFETCH_AHEAD].index));
          memcpy (buffer + j * size, key_at (self, self->order[i].index), size);
        }
      if (!tt_run_file_write (file, buffer, n * size, error))
        return FALSE;
    }
  return TRUE;
}

const void *
tt_sort_block_record (const TtSortBlock *self, gsize i)
{
  if (self->order == NULL)
    return key_at (self, i);
  if (i + PREFETCH_AHEAD < self->n)
    __builtin_prefetch (key_at (self, self->order[i + PREFETCH_AHEAD].index));
  return key_at (self, self->order[i].index);
}

gsize
tt_sort_block_scratch (gsize record_size)
{
  return record_size == sizeof (Key) ? sizeof (Key) : 2 * sizeof (Entry);
}

void
tt_sort_block_clear (TtSortBlock *self)
{
  self->n = 0;
  g_clear_pointer (&self->records, g_free);
  self->order = NULL;
  free_scratch (self);
}

void
tt_sort_block_trim (TtSortBlock *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->scratch); i++)
    if (self->scratch[i] != self->order)
      g_clear_pointer (&self->scratch[i], g_free);
  self->n_scratch = 0;
}

void
tt_sort_block_take_scratch (TtSortBlock *self, TtSortBlock *from)
{
  if (from->n_scratch == 0)
    return;
  memcpy (self->scratch, from->scratch, sizeof self->scratch);
  self->n_scratch = from->n_scratch;
  memset (from->scratch, 0, sizeof from->scratch);
  from->n_scratch = 0;
}
