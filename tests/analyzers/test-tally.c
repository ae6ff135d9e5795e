/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/tally.h"

#include "tests/require.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  guint32 group;
  gint64 dur, self, total;
} Sample;

static int
compare_samples (const void *a, const void *b)
{
  const Sample *x = a, *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->dur < y->dur ? -1 : x->dur > y->dur;
}

/* The definitions, word by word, over sorted samples of one group. */
static TtTallyRow
expected_row (const Sample *samples, guint64 n)
{
  TtTallyRow row = { .group = samples[0].group, .count = n };

  for (guint64 i = 0; i < n; i++)
    {
      row.total_ns += samples[i].total;
      row.self_ns += samples[i].self;
      row.sum_ns += samples[i].dur;
      row.sum_sq += (tt_uint128) samples[i].dur * (tt_uint128) samples[i].dur;
    }
  row.min_ns = samples[0].dur;
  row.max_ns = samples[n - 1].dur;
  row.median_ns = samples[n / 2].dur;
  row.p95_ns = samples[(95 * n + 99) / 100 - 1].dur;
  row.p99_ns = samples[(99 * n + 99) / 100 - 1].dur;
  return row;
}

static gboolean
rows_equal (const TtTallyRow *a, const TtTallyRow *b)
{
  return a->group == b->group && a->count == b->count && a->total_ns == b->total_ns && a->self_ns == b->self_ns &&
         a->sum_ns == b->sum_ns && a->sum_sq == b->sum_sq && a->min_ns == b->min_ns && a->max_ns == b->max_ns &&
         a->median_ns == b->median_ns && a->p95_ns == b->p95_ns && a->p99_ns == b->p99_ns;
}

static gint64
random_duration (guint bits)
{
  guint64 word = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return bits == 0 ? 0 : (gint64) (word >> (64 - bits));
}

static void
check (guint n, guint32 first_group, guint n_groups, guint bits, gsize memory_bytes)
{
  g_autofree Sample *samples = g_new (Sample, n + 1);
  g_autoptr (TtTally) tally = tt_tally_new (memory_bytes);
  g_autoptr (GError) error = NULL;
  TtTallyRow row = { 0 };

  for (guint i = 0; i < n; i++)
    {
      Sample *sample = &samples[i];

      sample->group = first_group + (guint32) g_test_rand_int_range (0, (gint32) n_groups) * 3;
      sample->dur = random_duration (bits);
      sample->self = random_duration (bits);
      sample->total = g_test_rand_int_range (0, 3) == 0 ? 0 : sample->dur;
      tt_tally_add (tally, sample->group, sample->dur, sample->self, sample->total);
    }
  qsort (samples, n, sizeof *samples, compare_samples);

  g_assert_true (tt_tally_finish (tally, &error));
  for (guint begin = 0, end; begin < n; begin = end)
    {
      for (end = begin; end < n && samples[end].group == samples[begin].group;)
        end++;

      TtTallyRow expected = expected_row (samples + begin, end - begin);
      if (!tt_tally_next (tally, &row, &error) || !rows_equal (&row, &expected))
        {
          g_test_fail_printf ("row of group %u is wrong", samples[begin].group);
          return;
        }
    }
  g_assert_false (tt_tally_next (tally, &row, &error));
  g_assert_no_error (error);
}

static void
test_few (void)
{
  for (guint n = 0; n < 130; n++)
    {
      check (n, 0, 1, 20, 1 << 20);
      check (n, 70000, 1, 20, 1 << 20);
    }
}

static void
test_random (void)
{
  for (guint i = 0; i < 40; i++)
    {
      guint bits = (guint) g_test_rand_int_range (0, 58);
      guint n = (guint) g_test_rand_int_range (1, 20000);

      check (n,
             i % 4 == 0   ? 0
             : i % 4 == 1 ? 65500
             : i % 4 == 2 ? 100000
                          : 4000000000u,
             1u << (i % 14), bits, 1 << (i % 22));
    }
}

/* Groups of both kinds that are larger than what is held in memory. */
static void
test_large_groups (void)
{
  check (200000, 0, 2, 40, 1 << 16);
  check (200000, 1000000, 2, 40, 1 << 16);
}

/* Sums of durations near 2^61 leave 64 bits at the ninth. */
static void
test_huge (void)
{
  check (60, 0, 1, 61, 1 << 20);
  check (60, 65536, 1, 61, 1 << 20);
}

static void
test_saturation (void)
{
  static const guint32 groups[] = { 0, 70000 };
  g_autoptr (TtTally) tally = tt_tally_new (1 << 20);
  TtTallyRow row;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (guint j = 0; j < 10; j++)
      tt_tally_add (tally, groups[i], G_MAXINT64, G_MAXINT64, G_MAXINT64);
  g_assert_true (tt_tally_finish (tally, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_assert_true (tt_tally_next (tally, &row, NULL));
      g_assert_true (row.sum_ns == (tt_int128) G_MAXINT64 * 10);
      g_assert_true (row.sum_sq == ~(tt_uint128) 0);
      g_assert_true (isnan (tt_tally_stddev_ns (row.count, row.sum_ns, row.sum_sq)));
    }
}

static double
stddev_of (const gint64 *values, guint n)
{
  tt_int128 sum = 0;
  tt_uint128 sum_sq = 0;

  for (guint i = 0; i < n; i++)
    {
      sum += values[i];
      sum_sq += (tt_uint128) ((tt_int128) values[i] * values[i]);
    }
  return tt_tally_stddev_ns (n, sum, sum_sq);
}

static void
test_stddev (void)
{
  static const gint64 small[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
  static const gint64 same[] = { 77, 77, 77 };
  static const gint64 two[] = { 3, 4 };
  static const gint64 negative[] = { -3, -4 };
  gint64 far[8];

  g_assert_cmpfloat (stddev_of (NULL, 0), ==, 0);
  g_assert_cmpfloat (stddev_of (small, 8), ==, 2);
  g_assert_cmpfloat (stddev_of (same, 3), ==, 0);
  g_assert_cmpfloat (stddev_of (two, 2), ==, 0.5);
  g_assert_cmpfloat (stddev_of (negative, 2), ==, 0.5);

  /* Far from zero a sum of squares in doubles would lose all of it. */
  for (guint i = 0; i < 8; i++)
    far[i] = small[i] + G_GINT64_CONSTANT (1700000000000000000);
  g_assert_cmpfloat (stddev_of (far, 8), ==, 2);
}

static void
bench (void)
{
  static const struct
  {
    guint32 first, groups;
  } cases[] = { { 0, 1000 }, { 0, 60000 }, { 65536, 1000 }, { 0, 5000000 } };
  const guint n = 10000000;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtTally) tally = tt_tally_new ((gsize) 32 << 20);
      guint64 state = 1, count = 0;
      TtTallyRow row;

      g_test_timer_start ();
      for (guint j = 0; j < n; j++)
        {
          state ^= state << 13;
          state ^= state >> 7;
          state ^= state << 17;
          tt_tally_add (tally, cases[i].first + (guint32) (state >> 40) % cases[i].groups, (gint64) (state & 0xffffff),
                        100, 1000);
        }
      double added = g_test_timer_elapsed ();
      tt_tally_finish (tally, NULL);
      while (tt_tally_next (tally, &row, NULL))
        count += row.count;
      g_test_message ("%u groups from %u: add %.2f s, finish and rows %.2f s (%" G_GUINT64_FORMAT ")", cases[i].groups,
                      cases[i].first, added, g_test_timer_elapsed () - added, count);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tally/few-durations", test_few);
  g_test_add_func ("/tally/agrees-with-brute-force", test_random);
  g_test_add_func ("/tally/large-groups", test_large_groups);
  g_test_add_func ("/tally/sums-beyond-64-bits", test_huge);
  g_test_add_func ("/tally/squares-beyond-128-bits-are-unknown", test_saturation);
  g_test_add_func ("/tally/standard-deviation-is-exact", test_stddev);
  if (g_test_perf ())
    g_test_add_func ("/tally/speed", bench);
  return g_test_run ();
}
