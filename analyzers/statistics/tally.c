/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/tally.h"

#include <math.h>
#include <string.h>

#include "src/base/sorter.h"

/* Groups below this have their sums in an array, which leaves half as much to sort. */
#define SUMMED_GROUPS 65536u
#define HELD_VALUES ((gsize) 16384)
#define HELD_CACHE_BYTES ((gsize) 1 << 20)

/* Records of the sorters: both begin with the key. Those of a group that are bounded come first: its number is doubled. */
typedef struct
{
  guint64 group, dur;
} Duration;

typedef struct
{
  guint64 group, dur;
  gint64 self_ns, total_ns;
} Addition;

struct _TtTally
{
  TtTallyRow *sums; /* by group */
  guint32 n_sums, capacity;
  TtSorter *durations; /* of groups with sums */
  TtSorter *additions; /* of the others */

  guint32 next_group; /* to be told, while below n_sums */
  Addition ahead;     /* first of the next group without sums */
  gboolean has_ahead;

  /* The durations of one group without sums, whose number is known only at its end. */
  gint64 *held;
  gsize n_held;
  TtSpill *earlier;
  guint64 n_earlier;

  TtSpill *kept; /* NULL, or where all durations go; the last few are still here */
  gint64 *to_keep;
  guint64 n_kept;
  gsize n_to_keep;
};

TtTally *
tt_tally_new (gsize memory_bytes)
{
  TtTally *self = g_new0 (TtTally, 1);

  self->durations = tt_sorter_new (sizeof (Duration), memory_bytes / 2);
  self->additions = tt_sorter_new (sizeof (Addition), memory_bytes / 2);
  return self;
}

void
tt_tally_free (TtTally *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->durations);
  tt_sorter_free (self->additions);
  tt_spill_free (self->earlier);
  g_free (self->held);
  g_free (self->to_keep);
  g_free (self->sums);
  g_free (self);
}

/* A sum of squares that no longer fits stays at the greatest value, which stands for "unknown". */
static inline tt_uint128
add_square (tt_uint128 sum_sq, gint64 dur_ns)
{
  guint64 size = dur_ns < 0 ? -(guint64) dur_ns : (guint64) dur_ns;
  tt_uint128 square = (tt_uint128) size * size;

  return sum_sq > ~(tt_uint128) 0 - square ? ~(tt_uint128) 0 : sum_sq + square;
}

void
tt_tally_row_add (TtTallyRow *self, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  self->count++;
  self->total_ns += total_ns;
  self->self_ns += self_ns;
  self->sum_ns += dur_ns;
  self->sum_sq = add_square (self->sum_sq, dur_ns);
}

void
tt_tally_row_merge (TtTallyRow *self, const TtTallyRow *other)
{
  self->count += other->count;
  self->n_bounded += other->n_bounded;
  self->total_ns += other->total_ns;
  self->self_ns += other->self_ns;
  self->sum_ns += other->sum_ns;
  self->sum_sq = self->sum_sq > ~(tt_uint128) 0 - other->sum_sq ? ~(tt_uint128) 0 : self->sum_sq + other->sum_sq;
}

static void
grow_sums (TtTally *self, guint32 group)
{
  guint32 capacity = MAX (self->capacity, 64);

  while (capacity <= group)
    capacity *= 2;
  if (capacity > self->capacity)
    {
      self->sums = g_renew (TtTallyRow, self->sums, capacity);
      memset (self->sums + self->capacity, 0, (capacity - self->capacity) * sizeof *self->sums);
      self->capacity = capacity;
    }
  self->n_sums = group + 1;
}

static inline void
add_duration (TtTally *self, guint32 group, gboolean is_bounded, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  guint64 key = (guint64) group << 1 | !is_bounded;

  if (G_LIKELY (group < SUMMED_GROUPS))
    {
      Duration *duration = tt_sorter_add (self->durations);

      if (G_UNLIKELY (group >= self->n_sums))
        grow_sums (self, group);
      tt_tally_row_add (&self->sums[group], dur_ns, self_ns, total_ns);
      self->sums[group].n_bounded += is_bounded;
      *duration = (Duration){ key, tt_sort_key (dur_ns) };
    }
  else
    *(Addition *) tt_sorter_add (self->additions) = (Addition){ key, tt_sort_key (dur_ns), self_ns, total_ns };
}

void
tt_tally_add (TtTally *self, guint32 group, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  add_duration (self, group, FALSE, dur_ns, self_ns, total_ns);
}

void
tt_tally_add_bounded (TtTally *self, guint32 group, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  add_duration (self, group, TRUE, dur_ns, self_ns, total_ns);
}

void
tt_tally_fetch (const TtTally *self, guint32 group)
{
  if (group >= self->n_sums)
    return;
  const TtTallyRow *row = &self->sums[group];

  __builtin_prefetch (&row->count, 1);
  __builtin_prefetch (&row->sum_sq, 1);
}

static gboolean
read_ahead (TtTally *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  const Addition *addition = tt_sorter_next (self->additions, &failed);

  self->has_ahead = addition != NULL;
  if (addition != NULL)
    self->ahead = *addition;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_tally_finish (TtTally *self, GError **error)
{
  return tt_sorter_finish (self->durations, error) && tt_sorter_finish (self->additions, error) &&
         read_ahead (self, error);
}

/* -- order statistics ------------------------------------------------------------------------- */

guint64
tt_tally_percentile_index (guint64 count, guint percent)
{
  return (guint64) (((tt_uint128) count * percent + 99) / 100) - 1;
}

void
tt_tally_keep (TtTally *self, TtSpill *values)
{
  self->kept = values;
  self->to_keep = g_new (gint64, HELD_VALUES);
}

static void
write_kept (TtTally *self)
{
  const gsize n = self->n_to_keep;

  if (n > 0)
    tt_spill_write (self->kept, self->n_kept * sizeof *self->to_keep, self->to_keep, n * sizeof *self->to_keep);
  self->n_kept += n;
  self->n_to_keep = 0;
}

static inline void
keep_value (TtTally *self, gint64 dur_ns)
{
  if (G_LIKELY (self->kept == NULL))
    return;
  if (G_UNLIKELY (self->n_to_keep == HELD_VALUES))
    write_kept (self);
  self->to_keep[self->n_to_keep++] = dur_ns;
}

/* The count is known, so each value is taken as it comes by. */
static gboolean
next_with_sums (TtTally *self, TtTallyRow *row, GError **error)
{
  guint64 n_left_out = tt_tally_left_out (&self->sums[self->next_group]);
  guint64 count = self->sums[self->next_group].count - n_left_out;
  guint64 p95 = tt_tally_percentile_index (count, 95), p99 = tt_tally_percentile_index (count, 99);

  *row = self->sums[self->next_group];
  row->group = self->next_group++;
  for (guint64 k = 0; k < row->count; k++)
    {
      const Duration *duration = tt_sorter_next (self->durations, error);
      guint64 i = k - n_left_out;

      if (duration == NULL)
        return FALSE;
      gint64 dur_ns = tt_sort_value (duration->dur);
      keep_value (self, dur_ns);
      if (k < n_left_out)
        continue;
      if (i == 0)
        row->min_ns = dur_ns;
      if (i == (count - 1) / 2)
        row->lower_median_ns = dur_ns;
      if (i == count / 2)
        row->median_ns = dur_ns;
      if (i == p95)
        row->p95_ns = dur_ns;
      if (i == p99)
        row->p99_ns = dur_ns;
      row->max_ns = dur_ns;
    }
  return TRUE;
}

static void
hold_value (TtTally *self, gint64 dur_ns)
{
  if (self->held == NULL)
    self->held = g_new (gint64, HELD_VALUES);
  if (self->n_held == HELD_VALUES)
    {
      if (self->earlier == NULL)
        self->earlier = tt_spill_new (HELD_CACHE_BYTES);
      tt_spill_write (self->earlier, self->n_earlier * sizeof dur_ns, self->held, HELD_VALUES * sizeof dur_ns);
      self->n_earlier += HELD_VALUES;
      self->n_held = 0;
    }
  self->held[self->n_held++] = dur_ns;
}

static gint64
held_value (TtTally *self, guint64 i)
{
  gint64 value = 0;

  if (i >= self->n_earlier)
    return self->held[i - self->n_earlier];
  tt_spill_read (self->earlier, i * sizeof value, &value, sizeof value);
  return value;
}

static gboolean
next_without_sums (TtTally *self, TtTallyRow *row, GError **error)
{
  guint64 group = self->ahead.group >> 1;

  *row = (TtTallyRow){ .group = (guint32) group };
  self->n_held = 0;
  self->n_earlier = 0;
  while (self->has_ahead && self->ahead.group >> 1 == group)
    {
      gint64 dur_ns = tt_sort_value (self->ahead.dur);

      tt_tally_row_add (row, dur_ns, self->ahead.self_ns, self->ahead.total_ns);
      row->n_bounded += (self->ahead.group & 1) == 0;
      hold_value (self, dur_ns);
      keep_value (self, dur_ns);
      if (!read_ahead (self, error))
        return FALSE;
    }

  guint64 n_left_out = tt_tally_left_out (row), count = row->count - n_left_out;
  row->min_ns = held_value (self, n_left_out);
  row->lower_median_ns = held_value (self, n_left_out + (count - 1) / 2);
  row->median_ns = held_value (self, n_left_out + count / 2);
  row->p95_ns = held_value (self, n_left_out + tt_tally_percentile_index (count, 95));
  row->p99_ns = held_value (self, n_left_out + tt_tally_percentile_index (count, 99));
  row->max_ns = held_value (self, row->count - 1);
  return self->earlier == NULL || tt_spill_check (self->earlier, error);
}

gboolean
tt_tally_next (TtTally *self, TtTallyRow *row, GError **error)
{
  while (self->next_group < self->n_sums && self->sums[self->next_group].count == 0)
    self->next_group++;
  if (self->next_group < self->n_sums)
    return next_with_sums (self, row, error);
  if (self->has_ahead)
    return next_without_sums (self, row, error);
  write_kept (self);
  return FALSE;
}

/* -- spread ----------------------------------------------------------------------------------- */

/*
 * Around the whole number nearest to the mean all sums are exact integers, and what the mean differs
 * from it by is small: nothing cancels away. Unsigned arithmetic may wrap on the way; the result fits.
 */
double
tt_tally_variance_ns2 (guint64 count, tt_int128 sum_ns, tt_uint128 sum_sq)
{
  if (count == 0)
    return 0;
  if (sum_sq == ~(tt_uint128) 0)
    return NAN;

  tt_int128 centre = sum_ns / (tt_int128) count, rest = sum_ns - centre * (tt_int128) count;

  if (rest > (tt_int128) (count / 2))
    centre++;
  else if (-rest > (tt_int128) (count / 2))
    centre--;
  rest = sum_ns - centre * (tt_int128) count;

  tt_uint128 around =
      sum_sq - (tt_uint128) centre * (tt_uint128) centre * count - 2 * (tt_uint128) centre * (tt_uint128) rest;
  double off = (double) rest;
  double variance = ((double) around - off * off / (double) count) / (double) count;

  return variance > 0 ? variance : 0;
}

double
tt_tally_stddev_ns (guint64 count, tt_int128 sum_ns, tt_uint128 sum_sq)
{
  return sqrt (tt_tally_variance_ns2 (count, sum_ns, sum_sq));
}
