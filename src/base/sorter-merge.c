/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sorter-merge.h"

#include <string.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/int128.h"
#include "src/base/temporary-file.h"

/* A merge of more runs than memory has buffers of this size for is done in levels. */
#define BUFFER_BYTES ((gsize) 65536)
#define MIN_FAN_IN ((gsize) 8)
#define MAX_FAN_IN ((gsize) 1024)
/* What is read at once stays in a processor's cache until it is taken. */
#define MAX_BUFFER_BYTES ((gsize) 262144)

/* Records that are packed together, at most. */
#define MAX_BLOCK ((gsize) 1024)
#define PACKED_BYTES ((gsize) 131072)

typedef struct
{
  guint64 begin, end;
} Run;

/* Stands before packed records. */
typedef struct
{
  guint32 n, n_bytes;
} BlockHead;

typedef struct
{
  guint64 offset, end; /* not yet read */
  BlockHead next;      /* that was read already; n 0: none */
  guint8 *buffer;
  gsize used, filled;
} Reader;

typedef struct
{
  tt_uint128 key;
  guint64 order; /* number of the run; above all of them when it is exhausted */
} Node;

struct _TtMerge
{
  int fd;
  guint n;
  gsize record_size, buffer_bytes;
  const TtSortPacking *packing;
  guint8 *packed; /* a block, and the head of the next */
  gsize max_block;
  guint8 *memory;
  Reader *readers;
  Node *losers; /* [0] is the winner */
  gboolean started;
};

/* -- the file --------------------------------------------------------------------------------- */

void
tt_run_file_clear (TtRunFile *self)
{
  if (self->runs != NULL)
    {
      g_array_unref (self->runs);
      close (self->fd);
    }
  self->runs = NULL;
  g_clear_pointer (&self->packed, g_free);
}

gboolean
tt_run_file_begin (TtRunFile *self, GError **error)
{
  Run run = { self->bytes, self->bytes };

  if (self->runs == NULL)
    {
      int fd = tt_temporary_file (error);

      if (fd < 0)
        return FALSE;
      self->fd = fd;
      self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
    }
  g_array_append_val (self->runs, run);
  return TRUE;
}

static gboolean
write_bytes (TtRunFile *self, const void *bytes, gsize len, GError **error)
{
  if (!tt_file_write_at (self->fd, self->bytes, bytes, len, error))
    return FALSE;
  self->bytes += len;
  g_array_index (self->runs, Run, self->runs->len - 1).end = self->bytes;
  return TRUE;
}

static gsize
most_packed (const TtRunFile *self)
{
  return sizeof (BlockHead) + self->max_block * self->packing->most_bytes;
}

/* Blocks are so large that each run of a merge has room for one. */
static void
begin_packing (TtRunFile *self)
{
  self->max_block = CLAMP (self->memory_bytes / (2 * MIN_FAN_IN) / self->record_size, 1, MAX_BLOCK);
  self->packed = g_malloc (MAX (PACKED_BYTES, most_packed (self)));
}

static gboolean
write_packed (TtRunFile *self, const guint8 *records, gsize n, GError **error)
{
  if (self->packed == NULL)
    begin_packing (self);
  const gsize most = most_packed (self), room = MAX (PACKED_BYTES, most);
  gsize used = 0;

  while (n > 0)
    {
      const gsize n_block = MIN (n, self->max_block);
      guint8 *begin = self->packed + used + sizeof (BlockHead), *end;

      end = self->packing->pack (records, n_block, begin);
      const BlockHead head = { (guint32) n_block, (guint32) (end - begin) };
      memcpy (self->packed + used, &head, sizeof head);
      used = (gsize) (end - self->packed);
      records += n_block * self->record_size;
      n -= n_block;
      if (n > 0 && room - used >= most)
        continue;
      if (!write_bytes (self, self->packed, used, error))
        return FALSE;
      used = 0;
    }
  return TRUE;
}

gboolean
tt_run_file_write (TtRunFile *self, const void *records, gsize len, GError **error)
{
  if (self->packing != NULL)
    return write_packed (self, records, len / self->record_size, error);
  return write_bytes (self, records, len, error);
}

/* -- one merge: a tree of losers ---------------------------------------------------------------- */

static inline gboolean
node_before (const Node *a, const Node *b)
{
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

static gboolean
fail_packed (GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read back a temporary file: it is not what was written");
  return FALSE;
}

static gboolean
read_packed (TtMerge *self, Reader *reader, GError **error)
{
  BlockHead head = reader->next;

  if (head.n == 0)
    {
      if (reader->end - reader->offset < sizeof head)
        return fail_packed (error);
      if (!tt_file_read_at (self->fd, reader->offset, &head, sizeof head, error))
        return FALSE;
      reader->offset += sizeof head;
    }
  const guint64 left = reader->end - reader->offset;
  const gsize n_next = head.n_bytes < left ? sizeof head : 0;

  if (head.n == 0 || head.n > self->max_block || head.n_bytes > head.n * self->packing->most_bytes ||
      head.n_bytes + n_next > left)
    return fail_packed (error);
  if (!tt_file_read_at (self->fd, reader->offset, self->packed, head.n_bytes + n_next, error))
    return FALSE;
  reader->offset += head.n_bytes + n_next;
  reader->next.n = 0;
  memcpy (&reader->next, self->packed + head.n_bytes, n_next);
  self->packing->unpack (self->packed, head.n, reader->buffer);
  reader->filled = head.n * self->record_size;
  return TRUE;
}

static gboolean
read_plain (TtMerge *self, Reader *reader, GError **error)
{
  const gsize len = (gsize) MIN (reader->end - reader->offset, self->buffer_bytes);

  if (!tt_file_read_at (self->fd, reader->offset, reader->buffer, len, error))
    return FALSE;
  reader->offset += len;
  reader->filled = len;
  return TRUE;
}

/* The first record of run @i as a node; reads on if the buffer is empty. */
static gboolean
reader_node (TtMerge *self, guint i, Node *node, GError **error)
{
  Reader *reader = &self->readers[i];

  if (reader->used == reader->filled)
    {
      if (reader->offset == reader->end && reader->next.n == 0)
        {
          *node = (Node){ ~(tt_uint128) 0, (guint64) i + self->n };
          return TRUE;
        }
      if (!(self->packing != NULL ? read_packed (self, reader, error) : read_plain (self, reader, error)))
        return FALSE;
      reader->used = 0;
    }

  const guint64 *key = (const guint64 *) (void *) (reader->buffer + reader->used);
  *node = (Node){ (tt_uint128) key[0] << 64 | key[1], i };
  return TRUE;
}

static TtMerge *
merge_begin (const TtRunFile *file, const Run *runs, guint n, gsize memory_bytes, GError **error)
{
  g_autoptr (TtMerge) self = g_new0 (TtMerge, 1);
  g_autofree Node *winners = g_new0 (Node, 2 * (gsize) n);

  self->fd = file->fd;
  self->n = n;
  self->record_size = file->record_size;
  self->buffer_bytes = MAX (MIN (memory_bytes / n, MAX_BUFFER_BYTES) / file->record_size, 1) * file->record_size;
  if (file->packing != NULL)
    {
      self->packing = file->packing;
      self->max_block = file->max_block;
      self->buffer_bytes = MAX (self->buffer_bytes, self->max_block * file->record_size);
      self->packed = g_malloc (most_packed (file) + sizeof (BlockHead));
    }
  self->memory = g_malloc (self->buffer_bytes * n);
  self->readers = g_new0 (Reader, n);
  self->losers = g_new0 (Node, n);

  for (guint i = 0; i < n; i++)
    {
      self->readers[i] =
          (Reader){ .offset = runs[i].begin, .end = runs[i].end, .buffer = self->memory + i * self->buffer_bytes };
      if (!reader_node (self, i, &winners[n + i], error))
        return NULL;
    }
  for (guint i = n - 1; i >= 1; i--)
    {
      gboolean left = node_before (&winners[2 * i], &winners[2 * i + 1]);
      winners[i] = winners[2 * i + (left ? 0 : 1)];
      self->losers[i] = winners[2 * i + (left ? 1 : 0)];
    }
  self->losers[0] = winners[1];
  return g_steal_pointer (&self);
}

void
tt_merge_free (TtMerge *self)
{
  if (self == NULL)
    return;
  g_free (self->packed);
  g_free (self->memory);
  g_free (self->readers);
  g_free (self->losers);
  g_free (self);
}

const void *
tt_merge_next (TtMerge *self, GError **error)
{
  Node *losers = self->losers;
  guint winner = (guint) losers[0].order;

  if (losers[0].order >= self->n)
    return NULL;
  /* The record of the call before is given up only now. */
  if (self->started)
    {
      Node node;

      self->readers[winner].used += self->record_size;
      if (!reader_node (self, winner, &node, error))
        return NULL;
      for (guint i = (winner + self->n) / 2; i >= 1; i /= 2)
        if (node_before (&losers[i], &node))
          {
            Node swap = losers[i];
            losers[i] = node;
            node = swap;
          }
      losers[0] = node;
      if (node.order >= self->n)
        {
          g_clear_pointer (&self->memory, g_free);
          return NULL;
        }
      winner = (guint) node.order;
    }
  self->started = TRUE;
  return self->readers[winner].buffer + self->readers[winner].used;
}

gsize
tt_merge_count_ahead (const TtMerge *self)
{
  const Reader *reader = &self->readers[0];

  return self->n > 1 ? 0 : (reader->filled - reader->used) / self->record_size - 1;
}

void
tt_merge_skip (TtMerge *self, gsize n)
{
  self->readers[0].used += n * self->record_size;
}

/* -- levels ----------------------------------------------------------------------------------- */

/* Merges runs @from .. @from + @n of @file into one more of @merged. */
static gboolean
merge_into (const TtRunFile *file, guint from, guint n, TtRunFile *merged, GError **error)
{
  gsize size = file->record_size, share = file->memory_bytes / ((gsize) n + 1);
  gsize buffer_bytes = MAX (share / size, 1) * size, used = 0;
  g_autofree guint8 *buffer = g_malloc (buffer_bytes);
  g_autoptr (GError) failed = NULL;
  g_autoptr (TtMerge) merge = merge_begin (file, &g_array_index (file->runs, Run, from), n, share * n, error);
  const void *record;

  if (merge == NULL || !tt_run_file_begin (merged, error))
    return FALSE;
  while ((record = tt_merge_next (merge, &failed)) != NULL)
    {
      memcpy (buffer + used, record, size);
      used += size;
      if (used == buffer_bytes)
        {
          if (!tt_run_file_write (merged, buffer, used, error))
            return FALSE;
          used = 0;
        }
    }
  if (failed == NULL)
    return tt_run_file_write (merged, buffer, used, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

/* Neighbouring runs become one, in a new file. */
static gboolean
merge_level (TtRunFile *file, guint fan_in, GError **error)
{
  TtRunFile merged = { .record_size = file->record_size, .memory_bytes = file->memory_bytes, .packing = file->packing };

  for (guint from = 0; from < file->runs->len; from += fan_in)
    if (!merge_into (file, from, MIN (fan_in, file->runs->len - from), &merged, error))
      {
        tt_run_file_clear (&merged);
        return FALSE;
      }
  tt_run_file_clear (file);
  *file = merged;
  return TRUE;
}

/* So that one merge is enough. */
static gboolean
merge_levels (TtRunFile *file, GError **error)
{
  guint fan_in = (guint) CLAMP (file->memory_bytes / BUFFER_BYTES, MIN_FAN_IN, MAX_FAN_IN);

  while (file->runs->len > fan_in)
    if (!merge_level (file, fan_in, error))
      return FALSE;
  return TRUE;
}

TtMerge *
tt_merge_new (TtRunFile *file, GError **error)
{
  if (!merge_levels (file, error))
    return NULL;
  return merge_begin (file, (const Run *) (gpointer) file->runs->data, file->runs->len, file->memory_bytes, error);
}
