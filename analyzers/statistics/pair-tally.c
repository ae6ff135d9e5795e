/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/pair-tally.h"

#include "analyzers/statistics/quantile-search.h"
#include "src/trace/event.h"

#define LEAST_BLOCK 64u
#define MOST_BLOCK 32768u
#define BLOCK_SHARE 256u /* of the memory, in bytes, a duration of the block */

/* Of its durations in the block: how many, and where they end when they stand by part. */
typedef struct
{
  guint32 whole, n, end;
} Part;

/* The durations that came last, as they came and then by part: what has to be done for each is done for many of one part. */
typedef struct
{
  guint32 *part;
  guint64 *key, *sorted_key;
  gint64 *self_ns, *sorted_self_ns;
  guint n, size;
  guint32 *parts; /* that are in it */
  guint n_parts;
} Block;

struct _TtPairTally
{
  Block block;
  TtTape *log; /* of the durations of all blocks, a group for each part */
  gsize memory_bytes;
  GArray *parts, *wholes; /* of TtTallyRow */
  GArray *of_parts;       /* of Part */
};

TtPairTally *
tt_pair_tally_new (gsize memory_bytes)
{
  TtPairTally *self = g_new0 (TtPairTally, 1);
  const guint size = (guint) CLAMP (memory_bytes / BLOCK_SHARE, LEAST_BLOCK, MOST_BLOCK);

  self->block = (Block){
    .part = g_new (guint32, size),
    .key = g_new (guint64, size),
    .sorted_key = g_new (guint64, size),
    .self_ns = g_new (gint64, size),
    .sorted_self_ns = g_new (gint64, size),
    .size = size,
    .parts = g_new (guint32, size),
  };
  self->log = tt_tape_new (memory_bytes / 4);
  self->memory_bytes = memory_bytes;
  self->parts = g_array_new (FALSE, TRUE, sizeof (TtTallyRow));
  self->wholes = g_array_new (FALSE, TRUE, sizeof (TtTallyRow));
  self->of_parts = g_array_new (FALSE, TRUE, sizeof (Part));
  return self;
}

static void
block_clear (Block *self)
{
  g_free (self->part);
  g_free (self->key);
  g_free (self->sorted_key);
  g_free (self->self_ns);
  g_free (self->sorted_self_ns);
  g_free (self->parts);
  *self = (Block){ 0 };
}

void
tt_pair_tally_free (TtPairTally *self)
{
  if (self == NULL)
    return;
  block_clear (&self->block);
  tt_tape_free (self->log);
  g_array_unref (self->parts);
  g_array_unref (self->wholes);
  g_array_unref (self->of_parts);
  g_free (self);
}

static TtTallyRow *
row_of (GArray *rows, guint32 group)
{
  if (G_UNLIKELY (group >= rows->len))
    {
      guint n = rows->len;

      g_array_set_size (rows, group + 1);
      for (; n <= group; n++)
        g_array_index (rows, TtTallyRow, n).group = n;
    }
  return &g_array_index (rows, TtTallyRow, group);
}

/* -- blocks ------------------------------------------------------------------------------------------ */

/* Durations have 63 bits; of a row those that are bounded come first. */
#define IS_EXACT (G_GUINT64_CONSTANT (1) << 63)

/* Of so many durations that are below these, sums are within 64 bits, and those of squares within 128. */
#define PLAIN_DURATION (G_GUINT64_CONSTANT (1) << 48)
G_STATIC_ASSERT (G_MAXUINT64 / PLAIN_DURATION >= MOST_BLOCK);

/* Extremes are those of exact durations, where there are any. */
static void
merge_row (TtTallyRow *row, const TtTallyRow *more)
{
  const gboolean is_exact = row->count > row->n_bounded, more_is_exact = more->count > more->n_bounded;

  if (row->count == 0 || (more_is_exact && !is_exact))
    {
      row->min_ns = more->min_ns;
      row->max_ns = more->max_ns;
    }
  else if (is_exact == more_is_exact)
    {
      row->min_ns = MIN (row->min_ns, more->min_ns);
      row->max_ns = MAX (row->max_ns, more->max_ns);
    }
  tt_tally_row_merge (row, more);
}

/* Some of the @n keys are bounded: *@min becomes the least of the exact ones, if there are any. */
static guint64
count_bounded (const guint64 *keys, guint n, guint64 *min)
{
  guint64 n_bounded = 0, least = G_MAXUINT64;

  for (guint i = 0; i < n; i++)
    if ((keys[i] & IS_EXACT) == 0)
      n_bounded++;
    else
      least = MIN (least, keys[i]);
  if (n_bounded < n)
    *min = least;
  return n_bounded;
}

static void
sum_up_long (const guint64 *keys, const gint64 *self_ns, guint n, TtTallyRow *sums)
{
  for (guint i = 0; i < n; i++)
    {
      const gint64 dur_ns = (gint64) (keys[i] & ~IS_EXACT);

      tt_tally_row_add (sums, dur_ns, self_ns[i], dur_ns);
    }
}

static void
sum_up (const guint64 *keys, const gint64 *self_ns, guint n, TtTallyRow *sums)
{
  tt_uint128 sum_sq = 0;
  tt_int128 sum_self_ns = 0;
  guint64 sum_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      const guint64 dur_ns = keys[i] & ~IS_EXACT;

      sum_ns += dur_ns;
      sum_sq += (tt_uint128) dur_ns * dur_ns;
      sum_self_ns += self_ns[i];
    }
  sums->count = n;
  sums->sum_ns = sums->total_ns = sum_ns;
  sums->self_ns = sum_self_ns;
  sums->sum_sq = sum_sq;
}

/* Durations of one part, of which there are some. */
static void
take_run (TtPairTally *self, guint32 part, const guint64 *keys, const gint64 *self_ns, guint n)
{
  guint64 all = 0, min = G_MAXUINT64, max = 0;
  TtTallyRow sums = { .count = 0 };

  for (guint i = 0; i < n; i++)
    {
      all |= keys[i];
      min = MIN (min, keys[i]);
      max = MAX (max, keys[i]);
    }
  tt_duration_log_add (self->log, part, keys, n, min, max);
  if ((all & ~IS_EXACT) < PLAIN_DURATION)
    sum_up (keys, self_ns, n, &sums);
  else
    sum_up_long (keys, self_ns, n, &sums);
  if (G_UNLIKELY ((min & IS_EXACT) == 0))
    sums.n_bounded = count_bounded (keys, n, &min);
  sums.min_ns = (gint64) (min & ~IS_EXACT);
  sums.max_ns = (gint64) (max & ~IS_EXACT);
  merge_row (&g_array_index (self->parts, TtTallyRow, part), &sums);
}

static void
empty_block (TtPairTally *self)
{
  Block *block = &self->block;
  Part *parts = (Part *) (gpointer) self->of_parts->data;
  guint32 end = 0;

  for (guint i = 0; i < block->n_parts; i++)
    {
      Part *part = &parts[block->parts[i]];

      part->end = end;
      end += part->n;
    }
  for (guint i = 0; i < block->n; i++)
    {
      const guint32 to = parts[block->part[i]].end++;

      block->sorted_key[to] = block->key[i];
      block->sorted_self_ns[to] = block->self_ns[i];
    }
  for (guint i = 0; i < block->n_parts; i++)
    {
      Part *part = &parts[block->parts[i]];
      const guint32 begin = part->end - part->n;

      take_run (self, block->parts[i], block->sorted_key + begin, block->sorted_self_ns + begin, part->n);
      part->n = 0;
    }
  block->n = 0;
  block->n_parts = 0;
}

static Part *
new_part (TtPairTally *self, guint32 part)
{
  row_of (self->parts, part);
  g_array_set_size (self->of_parts, self->parts->len);
  return &g_array_index (self->of_parts, Part, part);
}

void
tt_pair_tally_add (TtPairTally *self, const TtPairColumns *columns, guint n)
{
  Block *block = &self->block;

  for (guint i = 0; i < n; i++)
    {
      const guint32 part = columns->part[i], flags = columns->flags[i];
      const guint64 exact = tt_flags_are_bounded (flags) ? 0 : IS_EXACT;

      if (part == TT_NO_PART)
        continue;
      Part *of_part =
          G_LIKELY (part < self->of_parts->len) ? &g_array_index (self->of_parts, Part, part) : new_part (self, part);
      if (of_part->n++ == 0)
        {
          of_part->whole = columns->whole[i];
          block->parts[block->n_parts++] = part;
        }
      block->part[block->n] = part;
      block->key[block->n] = (guint64) columns->dur_ns[i] | exact;
      block->self_ns[block->n] = columns->self_ns[i];
      if ((flags & TT_FLAG_RECURSIVE) != 0)
        g_array_index (self->parts, TtTallyRow, part).total_ns -= columns->dur_ns[i];
      if (G_UNLIKELY (++block->n == block->size))
        empty_block (self);
    }
}

/* -- counting up ------------------------------------------------------------------------------------ */

/* Returns how many parts each whole has. */
static guint32 *
sum_up_wholes (TtPairTally *self)
{
  const Part *parts = (const Part *) (gpointer) self->of_parts->data;

  for (guint i = 0; i < self->parts->len; i++)
    row_of (self->wholes, parts[i].whole);

  guint32 *n_parts = g_new0 (guint32, MAX (self->wholes->len, 1));
  for (guint i = 0; i < self->parts->len; i++)
    {
      const TtTallyRow *row = &g_array_index (self->parts, TtTallyRow, i);

      if (row->count == 0)
        continue;
      merge_row (&g_array_index (self->wholes, TtTallyRow, parts[i].whole), row);
      n_parts[parts[i].whole]++;
    }
  return n_parts;
}

static TtQuantileRow
question_of (const TtTallyRow *row)
{
  const guint64 n = row->count - tt_tally_left_out (row);
  const guint64 bit = row->count > row->n_bounded ? IS_EXACT : 0;

  if (n == 0)
    return (TtQuantileRow){ .n = 0 };
  return (TtQuantileRow){
    .min = (guint64) row->min_ns | bit,
    .max = (guint64) row->max_ns | bit,
    .n = n,
    .quantile = { n / 2, tt_tally_percentile_index (n, 95), tt_tally_percentile_index (n, 99) },
  };
}

static void
take_answer (TtTallyRow *row, const TtQuantileRow *found)
{
  if (row->count == 0)
    return;
  row->median_ns = (gint64) (found->quantile[0] & ~IS_EXACT);
  row->p95_ns = (gint64) (found->quantile[1] & ~IS_EXACT);
  row->p99_ns = (gint64) (found->quantile[2] & ~IS_EXACT);
}

/* A whole of one part is asked for once. The block has given its memory back. */
static gboolean
find_quantiles (TtPairTally *self, const guint32 *n_parts, GError **error)
{
  const Part *parts = (const Part *) (gpointer) self->of_parts->data;
  guint32 n_rows = self->wholes->len;
  g_autofree TtQuantileRow *rows = g_new (TtQuantileRow, (gsize) n_rows + self->parts->len);
  g_autofree guint32 (*rows_of_part)[2] = g_malloc_n (self->parts->len, sizeof *rows_of_part);

  for (guint i = 0; i < self->wholes->len; i++)
    rows[i] = question_of (&g_array_index (self->wholes, TtTallyRow, i));
  for (guint i = 0; i < self->parts->len; i++)
    {
      const gboolean is_alone = n_parts[parts[i].whole] <= 1;

      rows_of_part[i][0] = parts[i].whole;
      rows_of_part[i][1] = is_alone ? TT_NO_QUANTILE_ROW : n_rows;
      if (!is_alone)
        rows[n_rows++] = question_of (&g_array_index (self->parts, TtTallyRow, i));
    }
  if (!tt_quantiles_find (self->log, rows, n_rows, (const guint32 (*)[2]) rows_of_part, self->memory_bytes, error))
    return FALSE;
  for (guint i = 0; i < self->wholes->len; i++)
    take_answer (&g_array_index (self->wholes, TtTallyRow, i), &rows[i]);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const guint32 row = rows_of_part[i][1] == TT_NO_QUANTILE_ROW ? rows_of_part[i][0] : rows_of_part[i][1];

      take_answer (&g_array_index (self->parts, TtTallyRow, i), &rows[row]);
    }
  return TRUE;
}

gboolean
tt_pair_tally_finish (TtPairTally *self, GError **error)
{
  empty_block (self);
  block_clear (&self->block);
  if (!tt_tape_check (self->log, error))
    return FALSE;

  g_autofree guint32 *n_parts = sum_up_wholes (self);
  const gboolean done = find_quantiles (self, n_parts, error);
  g_clear_pointer (&self->log, tt_tape_free);
  return done;
}

const GArray *
tt_pair_tally_parts (const TtPairTally *self)
{
  return self->parts;
}

const GArray *
tt_pair_tally_wholes (const TtPairTally *self)
{
  return self->wholes;
}
