/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/quantile-search.h"

#include "src/base/beside.h"
#include "src/base/readers.h"
#include "src/base/room.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BITS 8u
#define LEAST_BUCKETS ((gsize) 65) /* enough for any range, with no bits */
#define ROW_BUCKETS ((gsize) 256)  /* enough for LEAST_BUCKETS in each of its ranges */
#define MOST_BATCHES 3u            /* each takes two or three passes over all keys: for more, to sort them is quicker */

/* A log of so much is read by a thread for each processor, each for its part of the rows. */
#define PARTS_FROM_BYTES ((guint64) TT_ROOM (1 << 20, 4096))
#define MOST_PARTS 4u

/* Keys of a row that have some of its places among them. */
typedef struct
{
  guint64 low, high; /* inclusive */
  guint64 n, below;  /* how many keys are in it, and how many of the row come before it */
  guint first, end;  /* of the quantiles */

  /* For one pass: */
  gboolean is_gathered;
  guint bits;    /* of buckets: how finely keys are told apart */
  guint64 *data; /* gathered keys, or counts of buckets: within the search's memory */
  gsize n_gathered;
  guint64 least, greatest; /* of the counted */
} Range;

typedef struct
{
  guint32 row;
  guint n_ranges;
  Range range[TT_QUANTILES];
} Work;

typedef struct
{
  TtTape *log;
  TtQuantileRow *rows;
  const guint32 (*rows_of_group)[2];
  guint32 *work_of_row; /* + 1; 0: none */
  Work *work;
  guint n_work, n_allocated;
  guint64 *memory;
  gsize n_memory; /* words of it for ranges */
  guint n_parts;  /* of the work */
} Search;

/* -- selection ------------------------------------------------------------------------------------ */

static int
compare_keys (const void *a, const void *b)
{
  const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static guint64
middle_of (guint64 a, guint64 b, guint64 c)
{
  return MAX (MIN (a, b), MIN (MAX (a, b), c));
}

guint64
tt_quantile_select (guint64 *keys, gsize from, gsize n, gsize rank)
{
  gsize end = n;

  /* So many cuts only where the keys were laid out against them. */
  for (guint n_cuts = 0; end - from > 16; n_cuts++)
    {
      const guint64 pivot = middle_of (keys[from], keys[from + (end - from) / 2], keys[end - 1]);
      gsize i = from, j = end - 1;

      if (n_cuts == 64)
        break;
      for (;; i++, j--)
        {
          while (keys[i] < pivot)
            i++;
          while (keys[j] > pivot)
            j--;
          if (i >= j)
            break;
          const guint64 swap = keys[i];
          keys[i] = keys[j];
          keys[j] = swap;
        }
      /* Up to j none is greater than the pivot, behind it none smaller. */
      if (rank <= j)
        end = j + 1;
      else
        from = j + 1;
    }
  qsort (keys + from, end - from, sizeof *keys, compare_keys);
  return keys[rank];
}

/* -- buckets -------------------------------------------------------------------------------------- */

/* Of what a key has more than the least: the place of its first bit and the @bits behind it. */
static inline gsize
bucket_of (guint64 more, guint bits)
{
  const int shift = MAX (63 - __builtin_clzll (more | 1) - (int) bits, 0);

  return ((gsize) shift << bits) + (gsize) (more >> shift);
}

static guint64
least_of_bucket (gsize bucket, guint bits)
{
  const gsize first = (gsize) 1 << bits;
  const gsize shift = bucket < 2 * first ? 0 : bucket / first - 1;

  return (guint64) (bucket - shift * first) << shift;
}

/* -- a pass --------------------------------------------------------------------------------------- */

static void
count_all (Range *range, const guint64 *keys, guint n)
{
  const guint64 low = range->low;
  const guint bits = range->bits;
  guint64 *counts = range->data;

  for (guint i = 0; i < n; i++)
    counts[bucket_of (keys[i] - low, bits)]++;
}

static void
count_keys (Range *range, const guint64 *keys, guint n)
{
  const guint64 low = range->low, span = range->high - low;
  const guint bits = range->bits;
  guint64 *counts = range->data, least = range->least, greatest = range->greatest;

  for (guint i = 0; i < n; i++)
    if (keys[i] - low <= span)
      {
        counts[bucket_of (keys[i] - low, bits)]++;
        least = MIN (least, keys[i]);
        greatest = MAX (greatest, keys[i]);
      }
  range->least = least;
  range->greatest = greatest;
}

/* One more word than the range has keys is there. */
static void
gather_keys (Range *range, const guint64 *keys, guint n)
{
  const guint64 low = range->low, span = range->high - low;
  guint64 *data = range->data;
  gsize n_gathered = range->n_gathered;

  for (guint i = 0; i < n; i++)
    {
      data[n_gathered] = keys[i];
      n_gathered += keys[i] - low <= span;
    }
  range->n_gathered = n_gathered;
}

static void
feed_range (Range *range, const TtDurationRun *run, const guint64 *keys)
{
  if (range->is_gathered)
    gather_keys (range, keys, run->n);
  else if (run->min >= range->low && run->max <= range->high)
    {
      count_all (range, keys, run->n);
      range->least = MIN (range->least, run->min);
      range->greatest = MAX (range->greatest, run->max);
    }
  else
    count_keys (range, keys, run->n);
}

/* To those of the work that are @part's. */
static void
feed_run (Search *self, const TtDurationRun *run, guint part)
{
  guint64 keys[TT_DURATION_RUN];
  gboolean has_keys = FALSE;

  for (guint k = 0; k < 2; k++)
    {
      const guint32 row = self->rows_of_group[run->group][k];

      if (row == TT_NO_QUANTILE_ROW || self->work_of_row[row] == 0 || self->work_of_row[row] % self->n_parts != part)
        continue;
      Work *work = &self->work[self->work_of_row[row] - 1];
      for (guint i = 0; i < work->n_ranges; i++)
        {
          Range *range = &work->range[i];

          if (run->max < range->low || run->min > range->high)
            continue;
          if (!has_keys)
            tt_duration_run_keys (run, keys);
          has_keys = TRUE;
          feed_range (range, run, keys);
        }
    }
}

/* A TtBesideFunc. Who has a part reads all of the log. */
static void
read_part (guint part, gpointer data)
{
  Search *self = data;
  TtDurationReader reader;
  TtDurationRun run;

  tt_duration_reader_init (&reader, self->log);
  while (tt_duration_reader_next (&reader, &run))
    feed_run (self, &run, part);
  tt_duration_reader_clear (&reader);
}

static gboolean
read_log (Search *self, GError **error)
{
  const gboolean is_long = tt_tape_size (self->log) >= PARTS_FROM_BYTES;

  self->n_parts = is_long ? MIN (tt_count_processors (), MOST_PARTS) : 1;
  tt_each_beside (self->n_parts, read_part, self);
  return tt_tape_check (self->log, error);
}

/* -- between passes -------------------------------------------------------------------------------- */

static gsize
words_to_gather (const Range *range)
{
  return range->n < G_MAXUINT32 ? (gsize) range->n + 1 : G_MAXUINT32;
}

/* How many words each range may take so that all have room: those that need less leave the others more. */
static gsize
share_of_memory (const Search *self)
{
  gsize share = LEAST_BUCKETS, last = 0;

  while (share > last)
    {
      gsize taken = 0, n_others = 0;

      for (guint i = 0; i < self->n_work; i++)
        for (guint k = 0; k < self->work[i].n_ranges; k++)
          {
            const gsize words = words_to_gather (&self->work[i].range[k]);

            taken += words <= share ? words : 0;
            n_others += words > share;
          }
      last = share;
      if (n_others > 0)
        share = MAX (share, (self->n_memory - taken) / n_others);
    }
  return share;
}

static guint
bits_that_fit (guint64 span, gsize n_words)
{
  guint bits = MOST_BITS;

  while (bits > 0 && bucket_of (span, bits) >= n_words)
    bits--;
  return bits;
}

/* Each range has room for its keys, or for buckets. */
static void
allot_memory (Search *self)
{
  const gsize share = share_of_memory (self);
  gsize used = 0;

  for (guint i = 0; i < self->n_work; i++)
    for (guint k = 0; k < self->work[i].n_ranges; k++)
      {
        Range *range = &self->work[i].range[k];
        const guint64 span = range->high - range->low;
        gsize n_words = words_to_gather (range);

        range->is_gathered = n_words <= share;
        range->n_gathered = 0;
        range->data = self->memory + used;
        if (!range->is_gathered)
          {
            range->bits = (guint8) bits_that_fit (span, share);
            range->least = G_MAXUINT64;
            range->greatest = 0;
            n_words = bucket_of (span, range->bits) + 1;
            memset (range->data, 0, n_words * sizeof *range->data);
          }
        used += n_words;
      }
}

static void
settle_gathered (const Range *range, TtQuantileRow *row)
{
  gsize from = 0;

  for (guint k = range->first; k < range->end; k++)
    {
      const gsize rank = (gsize) (row->quantile[k] - range->below);

      row->quantile[k] = tt_quantile_select (range->data, from, range->n_gathered, rank);
      from = rank;
    }
}

/* The places in @range, of which there are any, stay for another pass, unless they have one key only. */
static void
keep_range (Work *work, TtQuantileRow *row, const Range *range)
{
  if (range->low < range->high)
    work->range[work->n_ranges++] = *range;
  else
    for (guint k = range->first; k < range->end; k++)
      row->quantile[k] = range->low;
}

/* Of a counted range those buckets stay that have places in them. */
static void
settle_counted (const Range *range, TtQuantileRow *row, Work *rest)
{
  const gsize last = bucket_of (range->high - range->low, range->bits);
  guint64 below = range->below;
  guint k = range->first;

  for (gsize bucket = 0; bucket <= last && k < range->end; below += range->data[bucket++])
    {
      Range part = { .n = range->data[bucket], .below = below, .first = k };

      while (k < range->end && row->quantile[k] < below + part.n)
        k++;
      if (k == part.first)
        continue;
      part.end = k;
      part.low = MAX (range->low + least_of_bucket (bucket, range->bits), range->least);
      part.high = bucket == last ? range->greatest
                                 : MIN (range->low + least_of_bucket (bucket + 1, range->bits) - 1, range->greatest);
      keep_range (rest, row, &part);
    }
}

/* Those rows stay that need another pass. */
static void
settle (Search *self)
{
  guint n_left = 0;

  for (guint i = 0; i < self->n_work; i++)
    {
      const Work work = self->work[i];
      TtQuantileRow *row = &self->rows[work.row];
      Work rest = { .row = work.row };

      for (guint k = 0; k < work.n_ranges; k++)
        if (work.range[k].is_gathered)
          settle_gathered (&work.range[k], row);
        else
          settle_counted (&work.range[k], row, &rest);
      if (rest.n_ranges > 0)
        self->work[n_left++] = rest;
      self->work_of_row[work.row] = rest.n_ranges > 0 ? n_left : 0;
    }
  self->n_work = n_left;
}

/* -- batches of rows -------------------------------------------------------------------------------- */

/* TRUE: there are places in @work other than those of its least and greatest key. */
static gboolean
begin_row (TtQuantileRow *row, Work *work)
{
  Range range = { .low = row->min, .high = row->max, .n = row->n, .end = TT_QUANTILES };

  if (row->n == 0)
    return FALSE;
  while (range.first < range.end && row->quantile[range.first] == 0)
    row->quantile[range.first++] = row->min;
  while (range.end > range.first && row->quantile[range.end - 1] == row->n - 1)
    row->quantile[--range.end] = row->max;
  if (range.first < range.end)
    keep_range (work, row, &range);
  return work->n_ranges > 0;
}

static gsize
words_of_row (const TtQuantileRow *row)
{
  return sizeof (Work) / sizeof (guint64) + (row->n < ROW_BUCKETS ? (gsize) row->n + TT_QUANTILES : ROW_BUCKETS);
}

static gboolean
are_few (const TtQuantileRow *rows, guint32 n_rows, gsize n_words)
{
  gsize wanted = 0;

  for (guint32 i = 0; i < n_rows; i++)
    wanted += rows[i].n > 0 ? words_of_row (&rows[i]) : 0;
  return wanted / MOST_BATCHES <= n_words;
}

/* As many rows from @*row on as have room together, or one. */
static void
begin_batch (Search *self, guint32 *row, guint32 n_rows, gsize n_words)
{
  const gsize per_work = sizeof (Work) / sizeof *self->memory;
  gsize wanted = 0;

  self->n_work = 0;
  for (; *row < n_rows; (*row)++)
    {
      TtQuantileRow *at = &self->rows[*row];
      const gsize words = words_of_row (at);
      Work work = { .row = *row };

      if (self->n_work > 0 && wanted + words > n_words)
        break;
      if (!begin_row (at, &work))
        continue;
      wanted += words;
      if (self->n_work == self->n_allocated)
        {
          self->n_allocated = MAX (2 * self->n_allocated, 64);
          self->work = g_renew (Work, self->work, self->n_allocated);
        }
      self->work[self->n_work++] = work;
      self->work_of_row[*row] = self->n_work;
    }
  self->n_memory = n_words - MIN (per_work * self->n_work, n_words - ROW_BUCKETS);
}

gboolean
tt_quantiles_find (TtTape *log,
                   TtQuantileRow *rows,
                   guint32 n_rows,
                   const guint32 (*rows_of_group)[2],
                   gsize memory_bytes,
                   GError **error)
{
  const gsize n_words = MAX (memory_bytes / sizeof (guint64), ROW_BUCKETS);
  Search self = { .log = log, .rows = rows, .rows_of_group = rows_of_group };
  guint n_passes = 0;
  gboolean done = TRUE;

  if (!are_few (rows, n_rows, n_words))
    return tt_quantiles_sort (log, rows, rows_of_group, memory_bytes, error);
  self.work_of_row = g_new0 (guint32, MAX (n_rows, 1));
  self.memory = g_new (guint64, n_words);
  for (guint32 row = 0; done && row < n_rows;)
    for (begin_batch (&self, &row, n_rows, n_words); done && self.n_work > 0; n_passes++)
      {
        allot_memory (&self);
        done = read_log (&self, error);
        if (done)
          settle (&self);
      }
  g_debug ("quantiles: %u passes over %" G_GUINT64_FORMAT " bytes", n_passes, tt_tape_size (log));
  g_free (self.work_of_row);
  g_free (self.work);
  g_free (self.memory);
  return done;
}
