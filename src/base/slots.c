/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/slots.h"

#include "src/base/error.h"
#include "src/base/temporary-file.h"

#include <string.h>
#include <unistd.h>

/*
 * The upper bits of a key are its home, so that a table doubles in order. It is cut into parts of at
 * most 1 MB, and probing wraps round inside a part: the file's table is merged and doubled part by
 * part, in memory, with large reads and writes.
 */
#define BUCKET 4u
#define FIRST_BITS 6u
#define PART_BITS 16u
#define MEMORY_BITS 18u
#define FILE_FIRST_BITS 20u
#define FILE_MAX_BITS 34u

/* Bits that say which keys are surely not in the file: most searches are for new keys. */
#define FILTER_BITS 25u
#define FILTER_PROBES 3u

typedef struct
{
  guint64 key;
  guint64 value; /* 0: free */
} Slot;

struct _TtSlots
{
  Slot *young;
  guint young_bits;
  guint64 n_young;
  int fd; /* -1: everything is young */
  guint old_bits;
  guint64 n_old;
  guint64 *filter;     /* of the keys in the file */
  Slot bucket[BUCKET]; /* the one read last from the file */
  GError *error;
};

TtSlots *
tt_slots_new (void)
{
  TtSlots *self = g_new0 (TtSlots, 1);

  self->young_bits = FIRST_BITS;
  self->young = g_new0 (Slot, (gsize) 1 << FIRST_BITS);
  self->fd = -1;
  return self;
}

void
tt_slots_free (TtSlots *self)
{
  if (self == NULL)
    return;
  g_free (self->young);
  g_free (self->filter);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_error (&self->error);
  g_free (self);
}

static inline guint64
home_bucket (guint64 key, guint bits)
{
  return (key >> (64 - bits)) / BUCKET;
}

static inline guint64
buckets_per_part (guint bits)
{
  return ((guint64) 1 << MIN (bits, PART_BITS)) / BUCKET;
}

static inline guint64
next_bucket (guint64 bucket, guint bits)
{
  guint64 mask = buckets_per_part (bits) - 1;

  return (bucket & ~mask) | ((bucket + 1) & mask);
}

static const Slot *
load_bucket (TtSlots *self, const TtSlotCursor *cursor)
{
  if (!cursor->is_in_file)
    return self->young + cursor->bucket * BUCKET;
  if (self->error != NULL)
    memset (self->bucket, 0, sizeof self->bucket);
  else
    tt_file_read_at (self->fd, cursor->bucket * sizeof self->bucket, self->bucket, sizeof self->bucket, &self->error);
  return self->bucket;
}

/* Goes on in the table that @cursor is in. */
static guint64
find_in_one (TtSlots *self, guint64 key, TtSlotCursor *cursor, guint bits)
{
  guint slot = cursor->slot + 1;

  if (cursor->n_buckets_seen == 0)
    {
      cursor->bucket = home_bucket (key, bits);
      cursor->n_buckets_seen = 1;
      slot = 0;
    }
  while (TRUE)
    {
      const Slot *slots = load_bucket (self, cursor);

      for (; slot < BUCKET; slot++)
        {
          if (slots[slot].value == 0)
            return 0;
          if (slots[slot].key == key)
            {
              cursor->slot = slot;
              return slots[slot].value;
            }
        }
      if (cursor->n_buckets_seen++ == buckets_per_part (bits))
        return 0;
      cursor->bucket = next_bucket (cursor->bucket, bits);
      slot = 0;
    }
}

static inline guint64
filter_bit (guint64 key, guint probe)
{
  return (key * 0x9e3779b97f4a7c15u) >> (64 - FILTER_BITS - 7 * probe) & (((guint64) 1 << FILTER_BITS) - 1);
}

static void
filter_add (TtSlots *self, guint64 key)
{
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      guint64 bit = filter_bit (key, probe);
      self->filter[bit / 64] |= (guint64) 1 << (bit % 64);
    }
}

static gboolean
may_be_in_file (const TtSlots *self, guint64 key)
{
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      guint64 bit = filter_bit (key, probe);
      if ((self->filter[bit / 64] >> (bit % 64) & 1) == 0)
        return FALSE;
    }
  return TRUE;
}

guint64
tt_slots_find (TtSlots *self, guint64 key, TtSlotCursor *cursor)
{
  if (!cursor->is_in_file)
    {
      guint64 value = find_in_one (self, key, cursor, self->young_bits);
      if (value != 0 || self->fd < 0 || !may_be_in_file (self, key))
        return value;
      *cursor = (TtSlotCursor){ .is_in_file = TRUE };
    }
  return find_in_one (self, key, cursor, self->old_bits);
}

void
tt_slots_replace (TtSlots *self, const TtSlotCursor *cursor, guint64 value)
{
  guint64 index = cursor->bucket * BUCKET + cursor->slot;

  g_return_if_fail (value != 0);
  if (!cursor->is_in_file)
    self->young[index].value = value;
  else if (self->error == NULL)
    tt_file_write_at (self->fd, index * sizeof (Slot) + G_STRUCT_OFFSET (Slot, value), &value, sizeof value,
                      &self->error);
}

/* Into @slots, which begin at slot @base of a table of @bits. FALSE: the part is full. */
static gboolean
put (Slot *slots, guint64 base, guint bits, guint64 key, guint64 value)
{
  guint64 bucket = home_bucket (key, bits);

  for (guint64 seen = buckets_per_part (bits); seen > 0; seen--)
    {
      Slot *at = slots + (bucket * BUCKET - base);
      for (guint i = 0; i < BUCKET; i++)
        if (at[i].value == 0)
          {
            at[i] = (Slot){ key, value };
            return TRUE;
          }
      bucket = next_bucket (bucket, bits);
    }
  return FALSE;
}

/* Those of @from whose home lies in the @n_to slots from @base. */
static gboolean
put_all (Slot *to, guint64 base, guint64 n_to, guint bits, const Slot *from, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    if (from[i].value != 0 && (from[i].key >> (64 - bits)) - base < n_to &&
        !put (to, base, bits, from[i].key, from[i].value))
      return FALSE;
  return TRUE;
}

/*
 * Those of the young whose home lies in the @n_to slots from @base of a table of @bits: from their home
 * in the young one they are no further than the next free slot. That table is not the smaller one.
 */
static gboolean
put_young (const TtSlots *self, Slot *to, guint64 base, guint64 n_to, guint bits)
{
  guint shift = bits - self->young_bits;
  guint64 bucket = (base >> shift) / BUCKET, last = ((base + n_to - 1) >> shift) / BUCKET;
  gboolean is_past = FALSE, is_end = FALSE;

  for (guint64 seen = buckets_per_part (self->young_bits); seen > 0 && !is_end; seen--)
    {
      const Slot *at = self->young + bucket * BUCKET;

      if (!put_all (to, base, n_to, bits, at, BUCKET))
        return FALSE;
      is_past |= bucket == last;
      is_end = is_past && at[BUCKET - 1].value == 0;
      bucket = next_bucket (bucket, self->young_bits);
    }
  return TRUE;
}

/* Merges the old table (bits @from_bits, 0 = none) and the young one into @to, of @bits. */
static gboolean
merge (TtSlots *self, int to, guint from_bits, guint bits)
{
  const guint64 n_part = (guint64) 1 << PART_BITS;
  const gsize part_size = n_part * sizeof (Slot);
  guint64 n_to = n_part << (from_bits == 0 ? 0 : bits - from_bits);
  g_autofree Slot *part = g_malloc (part_size);
  g_autofree Slot *target = g_malloc (n_to * sizeof (Slot));

  for (guint64 base = 0; base < (guint64) 1 << bits; base += n_to)
    {
      memset (target, 0, n_to * sizeof (Slot));
      if (from_bits != 0)
        {
          guint64 from = base >> (bits - from_bits);
          if (!tt_file_read_at (self->fd, from * sizeof (Slot), part, part_size, &self->error))
            return FALSE;
        }
      if ((from_bits != 0 && !put_all (target, base, n_to, bits, part, n_part)) ||
          !put_young (self, target, base, n_to, bits))
        {
          g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT, "a table overflows: too many keys of one kind");
          return FALSE;
        }
      if (!tt_file_write_at (to, base * sizeof (Slot), target, n_to * sizeof (Slot), &self->error))
        return FALSE;
    }
  return TRUE;
}

/* Moves the young into the file. */
static void
age (TtSlots *self)
{
  guint64 n = self->n_old + self->n_young;
  guint bits = MAX (self->old_bits, FILE_FIRST_BITS);

  if (n > ((guint64) 1 << bits) * 7 / 10)
    bits++;
  if (bits > FILE_MAX_BITS)
    {
      g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT, "a table overflows: too many keys");
      return;
    }

  int fd = bits == self->old_bits ? self->fd : tt_temporary_file (&self->error);
  if (fd < 0)
    return;
  gboolean is_merged = merge (self, fd, self->old_bits, bits);
  if (fd != self->fd)
    {
      int unneeded = is_merged ? self->fd : fd;
      if (unneeded >= 0)
        close (unneeded);
    }
  if (!is_merged)
    return;
  if (self->filter == NULL)
    self->filter = g_new0 (guint64, ((gsize) 1 << FILTER_BITS) / 64);
  for (guint64 i = 0; i < (guint64) 1 << self->young_bits; i++)
    if (self->young[i].value != 0)
      filter_add (self, self->young[i].key);
  self->fd = fd;
  self->old_bits = bits;
  self->n_old = n;
  self->n_young = 0;
  memset (self->young, 0, sizeof (Slot) << self->young_bits);
}

static void
make_room (TtSlots *self)
{
  if (self->young_bits == MEMORY_BITS)
    {
      age (self);
      return;
    }

  guint bits = self->young_bits + 1;
  guint64 n = (guint64) 1 << bits;
  Slot *larger = g_new0 (Slot, n);
  gboolean fits = put_all (larger, 0, n, bits, self->young, n / 2);

  g_assert (fits);
  g_free (self->young);
  self->young = larger;
  self->young_bits = bits;
}

void
tt_slots_add (TtSlots *self, guint64 key, guint64 value)
{
  g_return_if_fail (value != 0);

  if (self->error == NULL && self->n_young >= ((guint64) 1 << self->young_bits) * 7 / 10)
    make_room (self);
  while (self->error == NULL && !put (self->young, 0, self->young_bits, key, value))
    make_room (self);
  self->n_young++;
}

guint64
tt_slots_count (const TtSlots *self)
{
  return self->n_old + self->n_young;
}

gboolean
tt_slots_check (const TtSlots *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}
