#include "config.h"

#include "src/sorter.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/error.h"
#include "src/int128.h"
#include "src/spill.h"

#define RADIX 256
#define FIRST_RECORDS ((gsize) 1024)
#define LEAST_RECORDS ((gsize) 64)
/* A merge of more runs than memory has buffers of this size for is done in levels. */
#define MERGE_BUFFER_BYTES ((gsize) 65536)
#define LEAST_FAN_IN ((gsize) 8)
#define WRITE_BUFFER_BYTES ((gsize) 262144)
#define PREFETCH_AHEAD 16

typedef struct
{
  guint64 high, low;
} Key;

/* What is moved instead of a record with payload: the part of its key that varies, and its place. */
typedef struct
{
  guint64 key;
  guint64 index;
} Entry;

/* A sorted stretch of the temporary file. */
typedef struct
{
  guint64 begin, end;
} Run;

typedef struct
{
  guint64 offset, end; /* not yet read */
  guint8 *buffer;
  gsize used, filled;
} Reader;

typedef struct
{
  tt_uint128 key;
  guint64 order; /* number of the run; above all of them when it is exhausted */
} Node;

typedef struct
{
  int fd;
  guint n;
  gsize record_size, buffer_bytes;
  guint8 *memory;
  Reader *readers;
  Node *losers; /* [0] is the winner */
  gboolean started;
} Merge;

struct _TtSorter
{
  gsize record_size, memory_bytes;
  guint8 *records;
  gsize n, capacity, max_records;
  guint64 count;
  int fd; /* -1 until the first run */
  guint64 file_bytes;
  GArray *runs;
  GError *error;
  Entry *order; /* sorted places; NULL when the records themselves were moved */
  gsize next;
  Merge *merge;
};

/* -- sorting in memory ------------------------------------------------------------------------ */

static inline const Key *
key_at (const TtSorter *self, gsize i)
{
  return (const Key *) (const void *) (self->records + i * self->record_size);
}

/* Bits that differ between any two keys; TRUE if the records are in order as they are. */
static gboolean
look_over (const TtSorter *self, Key *differing)
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

/* Records that are nothing but their key are moved themselves. */
static void
sort_keys (TtSorter *self, Key differing)
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

static inline guint64
mask_of_bits (guint n)
{
  return n >= 64 ? G_MAXUINT64 : ((guint64) 1 << n) - 1;
}

/* Sorts places. The varying bits of both key halves go into one word where they fit. */
static void
sort_places (TtSorter *self, Key differing)
{
  Entry *from = g_new (Entry, self->n), *spare = g_new (Entry, self->n), *sorted;
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
      sorted = sort_entries (from,
                             spare,
                             self->n,
                             ((differing.low >> low_from) & low_mask) |
                                 ((differing.high >> high_from) & high_mask) << low_bits);
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
  g_free (sorted == from ? spare : from);
}

static void
sort_memory (TtSorter *self)
{
  Key differing;

  if (self->n < 2 || look_over (self, &differing))
    return;
  if (self->record_size == sizeof (Key))
    sort_keys (self, differing);
  else
    sort_places (self, differing);
}

/* -- runs ------------------------------------------------------------------------------------- */

static gboolean
write_all (int fd, const guint8 *bytes, gsize len, guint64 offset, GError **error)
{
  while (len > 0)
    {
      gssize n = pwrite (fd, bytes, len, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error,
                       TT_ERROR,
                       TT_ERROR_INPUT,
                       "cannot write a temporary file: %s; set TMPDIR to a directory with more room",
                       g_strerror (n < 0 ? errno : ENOSPC));
          return FALSE;
        }
      bytes += n;
      len -= (gsize) n;
      offset += (guint64) n;
    }
  return TRUE;
}

static gboolean
read_all (int fd, guint8 *bytes, gsize len, guint64 offset, GError **error)
{
  while (len > 0)
    {
      gssize n = pread (fd, bytes, len, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error,
                       TT_ERROR,
                       TT_ERROR_INPUT,
                       "cannot read back a temporary file: %s",
                       n < 0 ? g_strerror (errno) : "it has become shorter");
          return FALSE;
        }
      bytes += n;
      len -= (gsize) n;
      offset += (guint64) n;
    }
  return TRUE;
}

static gboolean
write_in_order (TtSorter *self, GError **error)
{
  gsize size = self->record_size;

  if (self->order == NULL)
    return write_all (self->fd, self->records, self->n * size, self->file_bytes, error);

  gsize per_buffer = MAX (WRITE_BUFFER_BYTES / size, 1);
  g_autofree guint8 *buffer = g_malloc (per_buffer * size);
  guint64 offset = self->file_bytes;

  for (gsize i = 0; i < self->n;)
    {
      gsize n = MIN (per_buffer, self->n - i);

      for (gsize j = 0; j < n; j++, i++)
        {
          if (i + PREFETCH_AHEAD < self->n)
            __builtin_prefetch (key_at (self, self->order[i + PREFETCH_AHEAD].index));
          memcpy (buffer + j * size, key_at (self, self->order[i].index), size);
        }
      if (!write_all (self->fd, buffer, n * size, offset, error))
        return FALSE;
      offset += n * size;
    }
  return TRUE;
}

/* Sorts what is in memory and appends it to the file as a run. */
static gboolean
spill_run (TtSorter *self, GError **error)
{
  if (self->fd < 0 && (self->fd = tt_temporary_file (error)) < 0)
    return FALSE;

  sort_memory (self);
  gboolean ok = write_in_order (self, error);
  g_clear_pointer (&self->order, g_free);
  if (!ok)
    return FALSE;

  Run run = { self->file_bytes, self->file_bytes + self->n * self->record_size };
  g_array_append_val (self->runs, run);
  self->file_bytes = run.end;
  self->n = 0;
  return TRUE;
}

/* -- merging ---------------------------------------------------------------------------------- */

static inline gboolean
node_before (const Node *a, const Node *b)
{
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

/* The first record of run @i as a node; reads on if the buffer is empty. */
static gboolean
reader_node (Merge *merge, guint i, Node *node, GError **error)
{
  Reader *reader = &merge->readers[i];

  if (reader->used == reader->filled)
    {
      gsize len = (gsize) MIN (reader->end - reader->offset, merge->buffer_bytes);

      if (len == 0)
        {
          *node = (Node){ ~(tt_uint128) 0, (guint64) i + merge->n };
          return TRUE;
        }
      if (!read_all (merge->fd, reader->buffer, len, reader->offset, error))
        return FALSE;
      reader->offset += len;
      reader->filled = len;
      reader->used = 0;
    }

  const Key *key = (const Key *) (const void *) (reader->buffer + reader->used);
  *node = (Node){ (tt_uint128) key->high << 64 | key->low, i };
  return TRUE;
}

static void
merge_free (Merge *merge)
{
  if (merge == NULL)
    return;
  g_free (merge->memory);
  g_free (merge->readers);
  g_free (merge->losers);
  g_free (merge);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Merge, merge_free)

static Merge *
merge_new (int fd, gsize record_size, const Run *runs, guint n, gsize memory_bytes, GError **error)
{
  g_autoptr (Merge) merge = g_new0 (Merge, 1);
  g_autofree Node *winners = g_new0 (Node, 2 * (gsize) n);

  merge->fd = fd;
  merge->n = n;
  merge->record_size = record_size;
  merge->buffer_bytes = MAX (memory_bytes / n / record_size, 1) * record_size;
  merge->memory = g_malloc (merge->buffer_bytes * n);
  merge->readers = g_new0 (Reader, n);
  merge->losers = g_new0 (Node, n);

  for (guint i = 0; i < n; i++)
    {
      merge->readers[i].offset = runs[i].begin;
      merge->readers[i].end = runs[i].end;
      merge->readers[i].buffer = merge->memory + i * merge->buffer_bytes;
      if (!reader_node (merge, i, &winners[n + i], error))
        return NULL;
    }
  for (guint i = n - 1; i >= 1; i--)
    {
      gboolean left = node_before (&winners[2 * i], &winners[2 * i + 1]);
      winners[i] = winners[2 * i + (left ? 0 : 1)];
      merge->losers[i] = winners[2 * i + (left ? 1 : 0)];
    }
  merge->losers[0] = winners[1];
  return g_steal_pointer (&merge);
}

/* NULL at the end or with @error. The record of the call before is given up only now. */
static const void *
merge_next (Merge *merge, GError **error)
{
  Node *losers = merge->losers;
  guint winner = (guint) losers[0].order;

  if (losers[0].order >= merge->n)
    return NULL;
  if (merge->started)
    {
      Node node;

      merge->readers[winner].used += merge->record_size;
      if (!reader_node (merge, winner, &node, error))
        return NULL;
      for (guint i = (winner + merge->n) / 2; i >= 1; i /= 2)
        if (node_before (&losers[i], &node))
          {
            Node swap = losers[i];
            losers[i] = node;
            node = swap;
          }
      losers[0] = node;
      if (node.order >= merge->n)
        return NULL;
      winner = (guint) node.order;
    }
  merge->started = TRUE;
  return merge->readers[winner].buffer + merge->readers[winner].used;
}

/* Merges runs @from .. @from + @n into one at @offset of file @fd. */
static gboolean
merge_runs (TtSorter *self, guint from, guint n, int fd, guint64 *offset, GError **error)
{
  gsize size = self->record_size, share = self->memory_bytes / ((gsize) n + 1);
  gsize buffer_bytes = MAX (share / size, 1) * size, used = 0;
  g_autofree guint8 *buffer = g_malloc (buffer_bytes);
  g_autoptr (GError) failed = NULL;
  g_autoptr (Merge) merge =
      merge_new (self->fd, size, &g_array_index (self->runs, Run, from), n, share * n, error);
  const void *record;

  if (merge == NULL)
    return FALSE;
  while ((record = merge_next (merge, &failed)) != NULL)
    {
      memcpy (buffer + used, record, size);
      used += size;
      if (used == buffer_bytes)
        {
          if (!write_all (fd, buffer, used, *offset, error))
            return FALSE;
          *offset += used;
          used = 0;
        }
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (!write_all (fd, buffer, used, *offset, error))
    return FALSE;
  *offset += used;
  return TRUE;
}

/* One level: neighbouring runs become one, in a new file. */
static gboolean
merge_level (TtSorter *self, guint fan_in, GError **error)
{
  g_autoptr (GArray) merged = g_array_new (FALSE, FALSE, sizeof (Run));
  guint64 offset = 0;
  int fd = tt_temporary_file (error);

  if (fd < 0)
    return FALSE;
  for (guint from = 0; from < self->runs->len; from += fan_in)
    {
      Run run = { offset, offset };

      if (!merge_runs (self, from, MIN (fan_in, self->runs->len - from), fd, &offset, error))
        {
          close (fd);
          return FALSE;
        }
      run.end = offset;
      g_array_append_val (merged, run);
    }

  close (self->fd);
  self->fd = fd;
  g_array_unref (self->runs);
  self->runs = g_steal_pointer (&merged);
  return TRUE;
}

static gboolean
begin_merge (TtSorter *self, GError **error)
{
  guint fan_in = (guint) CLAMP (self->memory_bytes / MERGE_BUFFER_BYTES, LEAST_FAN_IN, 1024);

  if (self->n > 0 && !spill_run (self, error))
    return FALSE;
  g_clear_pointer (&self->records, g_free);
  while (self->runs->len > fan_in)
    if (!merge_level (self, fan_in, error))
      return FALSE;

  self->merge = merge_new (self->fd,
                           self->record_size,
                           (const Run *) (void *) self->runs->data,
                           self->runs->len,
                           self->memory_bytes,
                           error);
  return self->merge != NULL;
}

/* -- public ----------------------------------------------------------------------------------- */

TtSorter *
tt_sorter_new (gsize record_size, gsize memory_bytes)
{
  g_return_val_if_fail (record_size >= sizeof (Key) && record_size % 8 == 0, NULL);

  TtSorter *self = g_new0 (TtSorter, 1);
  gsize scratch = record_size == sizeof (Key) ? sizeof (Key) : 2 * sizeof (Entry);

  self->record_size = record_size;
  self->max_records = MAX (memory_bytes / (record_size + scratch), LEAST_RECORDS);
  self->memory_bytes = self->max_records * (record_size + scratch);
  self->capacity = MIN (FIRST_RECORDS, self->max_records);
  self->records = g_malloc (self->capacity * record_size);
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->fd = -1;
  return self;
}

void
tt_sorter_free (TtSorter *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  merge_free (self->merge);
  g_clear_error (&self->error);
  g_array_unref (self->runs);
  g_free (self->order);
  g_free (self->records);
  g_free (self);
}

static void
make_room (TtSorter *self)
{
  if (self->capacity < self->max_records)
    {
      self->capacity = MIN (self->capacity * 2, self->max_records);
      self->records = g_realloc (self->records, self->capacity * self->record_size);
    }
  else if (self->error != NULL || !spill_run (self, &self->error))
    self->n = 0;
}

void *
tt_sorter_add (TtSorter *self)
{
  if (G_UNLIKELY (self->n == self->capacity))
    make_room (self);
  self->count++;
  return self->records + self->n++ * self->record_size;
}

guint64
tt_sorter_count (const TtSorter *self)
{
  return self->count;
}

gboolean
tt_sorter_finish (TtSorter *self, GError **error)
{
  if (self->error == NULL && self->runs->len == 0)
    sort_memory (self);
  else if (self->error == NULL)
    begin_merge (self, &self->error);

  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

const void *
tt_sorter_next (TtSorter *self, GError **error)
{
  if (G_UNLIKELY (self->error != NULL))
    {
      g_propagate_error (error, g_error_copy (self->error));
      return NULL;
    }
  if (self->merge != NULL)
    {
      const void *record = merge_next (self->merge, &self->error);

      if (G_UNLIKELY (self->error != NULL))
        g_propagate_error (error, g_error_copy (self->error));
      return record;
    }
  if (self->next == self->n)
    return NULL;
  if (self->order == NULL)
    return key_at (self, self->next++);
  if (self->next + PREFETCH_AHEAD < self->n)
    __builtin_prefetch (key_at (self, self->order[self->next + PREFETCH_AHEAD].index));
  return key_at (self, self->order[self->next++].index);
}
