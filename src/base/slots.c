/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/slots.h"

#include "src/base/error.h"
#include "src/base/large.h"
#include "src/base/temporary-file.h"

#include <string.h>
#include <unistd.h>

/*
 * The upper bits of a key are its home, so that a table doubles in order. It is cut into parts of at
 * most 1 MB, and probing wraps round inside a part: the old table is merged and doubled part by
 * part, in memory, with large reads and writes.
 *
 * A young table that is full goes to a file as it is, a run. Only when there are N_RUNS are they merged into the old one,
 * so that it is written a fourth as often. Then the memory of the young one holds a part of each.
 */
#define BUCKET 4u
#define FIRST_BITS 6u
#define PART_BITS 16u
#define MEMORY_BITS 18u
#define N_RUNS (1u << (MEMORY_BITS - PART_BITS))
#define FILE_FIRST_BITS 20u
#define FILE_MAX_BITS 34u
#define PART_SIZE (sizeof (Slot) << PART_BITS)

/* Bits that say which keys are surely not in the old table, and which in none of the runs: most searches are for new
 * keys. */
#define FILTER_BITS 25u /* at most; at first fewer, BITS_A_KEY */
#define FILTER_FIRST_BITS 22u
#define BITS_A_KEY 5u
#define RUN_FILTER_BITS 21u
#define RUN_FILTER_BYTES (((gsize) 1 << RUN_FILTER_BITS) / 2)
#define FILTER_PROBES 3u

/* What TtSlotCursor calls tables; runs follow. */
enum
{
  YOUNG,
  OLD,
  FIRST_RUN,
};

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
  int runs_fd; /* -1: everything is young */
  guint n_runs;
  guint64 n_in_runs;
  guint8 *run_filter; /* half a byte a hash: bit i is of run i */
  int old_fd;         /* -1: nothing is old */
  guint old_bits;
  guint64 n_old;
  guint64 *filter; /* of the keys that are old */
  guint filter_bits;
  gboolean is_filter_new; /* the old keys have to be added, too */
  Slot bucket[BUCKET];    /* the one read last from a file */
  GError *error;
};

/* A bucket is a line of the processor's cache. */
static Slot *
new_table (guint bits)
{
  return tt_large_new0 (sizeof (Slot) << bits);
}

TtSlots *
tt_slots_new (void)
{
  TtSlots *self = g_new0 (TtSlots, 1);

  self->young_bits = FIRST_BITS;
  self->young = new_table (FIRST_BITS);
  self->runs_fd = -1;
  self->old_fd = -1;
  return self;
}

void
tt_slots_free (TtSlots *self)
{
  if (self == NULL)
    return;
  tt_large_free (self->young, sizeof (Slot) << self->young_bits);
  tt_large_free (self->run_filter, RUN_FILTER_BYTES);
  tt_large_free (self->filter, ((gsize) 1 << self->filter_bits) / 8);
  if (self->runs_fd >= 0)
    close (self->runs_fd);
  if (self->old_fd >= 0)
    close (self->old_fd);
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
  if (cursor->table == YOUNG)
    return self->young + cursor->bucket * BUCKET;
  if (self->error != NULL)
    memset (self->bucket, 0, sizeof self->bucket);
  else if (cursor->table == OLD)
    tt_file_read_at (self->old_fd, cursor->bucket * sizeof self->bucket, self->bucket, sizeof self->bucket,
                     &self->error);
  else
    tt_file_read_at (self->runs_fd,
                     (guint64) (cursor->table - FIRST_RUN) * N_RUNS * PART_SIZE + cursor->bucket * sizeof self->bucket,
                     self->bucket, sizeof self->bucket, &self->error);
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
filter_bit (guint64 key, guint probe, guint bits)
{
  return (key * 0x9e3779b97f4a7c15u) >> (64 - bits - 7 * probe) & (((guint64) 1 << bits) - 1);
}

static void
filter_add (TtSlots *self, guint64 key)
{
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      guint64 bit = filter_bit (key, probe, self->filter_bits);
      self->filter[bit / 64] |= (guint64) 1 << (bit % 64);
    }
}

static void
run_filter_add (TtSlots *self, guint64 key, guint run)
{
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      guint64 hash = filter_bit (key, probe, RUN_FILTER_BITS);
      self->run_filter[hash / 2] |= (guint8) (1u << (run + N_RUNS * (hash & 1)));
    }
}

/* What a new key will be looked for in, one after the other. */
static inline void
prefetch (const TtSlots *self, guint64 key)
{
  __builtin_prefetch (self->young + home_bucket (key, self->young_bits) * BUCKET);
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      if (self->run_filter != NULL)
        __builtin_prefetch (&self->run_filter[filter_bit (key, probe, RUN_FILTER_BITS) / 2]);
      if (self->filter != NULL)
        __builtin_prefetch (&self->filter[filter_bit (key, probe, self->filter_bits) / 64]);
    }
}

static gboolean
may_be_old (const TtSlots *self, guint64 key)
{
  for (guint probe = 0; probe < FILTER_PROBES; probe++)
    {
      guint64 bit = filter_bit (key, probe, self->filter_bits);
      if ((self->filter[bit / 64] >> (bit % 64) & 1) == 0)
        return FALSE;
    }
  return TRUE;
}

/* Bit i: table i may have @key. */
static guint
tables_of (const TtSlots *self, guint64 key)
{
  guint runs = self->run_filter == NULL ? 0 : (1u << self->n_runs) - 1;

  for (guint probe = 0; probe < FILTER_PROBES && runs != 0; probe++)
    {
      guint64 hash = filter_bit (key, probe, RUN_FILTER_BITS);
      runs &= (guint) self->run_filter[hash / 2] >> N_RUNS * (hash & 1);
    }
  return 1u << YOUNG | (guint) (self->old_fd >= 0 && may_be_old (self, key)) << OLD | runs << FIRST_RUN;
}

/* The values of a key come as they were added, but for those in memory, which come first. */
guint64
tt_slots_find (TtSlots *self, guint64 key, TtSlotCursor *cursor)
{
  if (cursor->table == YOUNG)
    {
      if (self->runs_fd >= 0 && cursor->n_buckets_seen == 0)
        prefetch (self, key);
      guint64 value = find_in_one (self, key, cursor, self->young_bits);
      if (value != 0 || self->runs_fd < 0)
        return value;
    }
  for (guint left = tables_of (self, key) >> cursor->table; left != 0; left >>= 1)
    {
      if (cursor->table != YOUNG && (left & 1) != 0)
        {
          guint64 value = find_in_one (self, key, cursor, cursor->table == OLD ? self->old_bits : MEMORY_BITS);
          if (value != 0)
            return value;
        }
      *cursor = (TtSlotCursor){ .table = cursor->table + 1 };
    }
  return 0;
}

void
tt_slots_replace (TtSlots *self, const TtSlotCursor *cursor, guint64 value)
{
  guint64 at = (cursor->bucket * BUCKET + cursor->slot) * sizeof (Slot) + G_STRUCT_OFFSET (Slot, value);

  g_return_if_fail (value != 0);
  if (cursor->table == YOUNG)
    self->young[cursor->bucket * BUCKET + cursor->slot].value = value;
  else if (self->error == NULL && cursor->table == OLD)
    tt_file_write_at (self->old_fd, at, &value, sizeof value, &self->error);
  else if (self->error == NULL)
    tt_file_write_at (self->runs_fd, (guint64) (cursor->table - FIRST_RUN) * N_RUNS * PART_SIZE + at, &value,
                      sizeof value, &self->error);
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
 * Those of @part of a run whose home lies in the @n_to slots from @base of a table of @bits, which lie inside it: from
 * their home in the run they are no further than the next free slot. That table is not the smaller one.
 */
static gboolean
put_run (TtSlots *self, Slot *to, guint64 base, guint64 n_to, guint bits, const Slot *part)
{
  const guint64 n_buckets = ((guint64) 1 << PART_BITS) / BUCKET;
  guint shift = bits - MEMORY_BITS;
  guint64 bucket = (base >> shift) / BUCKET % n_buckets, last = ((base + n_to - 1) >> shift) / BUCKET % n_buckets;
  gboolean is_past = FALSE, is_end = FALSE;

  for (guint64 seen = n_buckets; seen > 0 && !is_end; seen--)
    {
      const Slot *at = part + bucket * BUCKET;

      for (guint i = 0; i < BUCKET; i++)
        if (at[i].value != 0 && (at[i].key >> (64 - bits)) - base < n_to)
          {
            if (!put (to, base, bits, at[i].key, at[i].value))
              return FALSE;
            filter_add (self, at[i].key);
          }
      is_past |= bucket == last;
      is_end = is_past && at[BUCKET - 1].value == 0;
      bucket = (bucket + 1) % n_buckets;
    }
  return TRUE;
}

/* One part of each run, into the young table, which is empty. */
static gboolean
read_parts (TtSlots *self, guint64 part)
{
  for (guint i = 0; i < N_RUNS; i++)
    if (!tt_file_read_at (self->runs_fd, (i * (guint64) N_RUNS + part) * PART_SIZE, self->young + (i << PART_BITS),
                          PART_SIZE, &self->error))
      return FALSE;
  return TRUE;
}

/* What lies in the @n_to slots from @base of the new table. @part: scratch. */
static gboolean
merge_part (TtSlots *self, Slot *target, guint64 base, guint64 n_to, guint bits, Slot *part)
{
  memset (target, 0, n_to * sizeof (Slot));
  if (self->old_bits != 0)
    {
      guint64 from = base >> (bits - self->old_bits);
      if (!tt_file_read_at (self->old_fd, from * sizeof (Slot), part, PART_SIZE, &self->error))
        return FALSE;
      for (guint64 i = 0; i < (guint64) 1 << PART_BITS && self->is_filter_new; i++)
        if (part[i].value != 0)
          filter_add (self, part[i].key);
    }
  gboolean fits = self->old_bits == 0 || put_all (target, base, n_to, bits, part, (guint64) 1 << PART_BITS);
  for (guint i = 0; i < N_RUNS && fits; i++)
    fits = put_run (self, target, base, n_to, bits, self->young + (i << PART_BITS));
  if (!fits)
    g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT, "a table overflows: too many keys of one kind");
  return fits;
}

/* Merges the old table, if there is one, and all runs into @to, of @bits. */
static gboolean
merge (TtSlots *self, int to, guint bits)
{
  const guint64 n_slots = (guint64) 1 << bits, n_of_part = n_slots / N_RUNS;
  guint64 n_to = ((guint64) 1 << PART_BITS) << (self->old_bits == 0 ? 0 : bits - self->old_bits);
  g_autofree Slot *part = g_malloc (PART_SIZE);
  g_autofree Slot *target = g_malloc (n_to * sizeof (Slot));

  for (guint64 base = 0; base < n_slots; base += n_to)
    if ((base % n_of_part == 0 && !read_parts (self, base / n_of_part)) ||
        !merge_part (self, target, base, n_to, bits, part) ||
        !tt_file_write_at (to, base * sizeof (Slot), target, n_to * sizeof (Slot), &self->error))
      return FALSE;
  return TRUE;
}

/* Makes it as large as @n keys need; a new one is for all of them to be added. */
static void
size_filter (TtSlots *self, guint64 n)
{
  guint bits = MAX (self->filter_bits, FILTER_FIRST_BITS);

  while (bits < FILTER_BITS && ((guint64) 1 << bits) < n * BITS_A_KEY)
    bits++;
  self->is_filter_new = bits != self->filter_bits;
  if (!self->is_filter_new)
    return;
  tt_large_free (self->filter, ((gsize) 1 << self->filter_bits) / 8);
  self->filter = tt_large_new0 (((gsize) 1 << bits) / 8);
  self->filter_bits = bits;
}

/* Moves the runs into the old table. The young one is empty. */
static void
merge_runs (TtSlots *self)
{
  guint64 n = self->n_old + self->n_in_runs;
  guint bits = MAX (self->old_bits, FILE_FIRST_BITS);

  if (n > ((guint64) 1 << bits) * 7 / 10)
    bits++;
  if (bits > FILE_MAX_BITS)
    {
      g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT, "a table overflows: too many keys");
      return;
    }

  int fd = bits == self->old_bits ? self->old_fd : tt_temporary_file (&self->error);
  if (fd < 0)
    return;
  size_filter (self, n);
  gboolean is_merged = merge (self, fd, bits);
  if (fd != self->old_fd)
    {
      int unneeded = is_merged ? self->old_fd : fd;
      if (unneeded >= 0)
        close (unneeded);
    }
  if (!is_merged)
    return;
  self->old_fd = fd;
  self->old_bits = bits;
  self->n_old = n;
  self->n_in_runs = 0;
  self->n_runs = 0;
  memset (self->run_filter, 0, RUN_FILTER_BYTES);
}

/* Moves the young into a run. */
static void
age (TtSlots *self)
{
  const gsize size = sizeof (Slot) << MEMORY_BITS;

  if (self->runs_fd < 0)
    self->runs_fd = tt_temporary_file (&self->error);
  if (self->runs_fd < 0 || !tt_file_write_at (self->runs_fd, self->n_runs * size, self->young, size, &self->error))
    return;
  if (self->run_filter == NULL)
    self->run_filter = tt_large_new0 (RUN_FILTER_BYTES);
  for (guint64 i = 0; i < (guint64) 1 << MEMORY_BITS; i++)
    if (self->young[i].value != 0)
      run_filter_add (self, self->young[i].key, self->n_runs);
  self->n_runs++;
  self->n_in_runs += self->n_young;
  self->n_young = 0;
  if (self->n_runs == N_RUNS)
    merge_runs (self);
  memset (self->young, 0, size);
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
  Slot *larger = new_table (bits);
  gboolean fits = put_all (larger, 0, n, bits, self->young, n / 2);

  g_assert (fits);
  tt_large_free (self->young, sizeof (Slot) << self->young_bits);
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
  return self->n_old + self->n_in_runs + self->n_young;
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
