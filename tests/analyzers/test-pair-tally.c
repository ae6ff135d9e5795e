/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/pair-tally.h"
#include "analyzers/statistics/quantile-search.h"

#include "src/trace/event.h"
#include "tests/require.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct
{
  guint32 part, whole;
  gboolean is_exact;
  gint64 dur_ns, self_ns, total_ns;
} Sample;

/* -- the definitions, word by word, over sorted samples -------------------------------------------- */

static gboolean by_whole; /* what is compared; else by part */

static guint32
group_of (const Sample *sample)
{
  return by_whole ? sample->whole : sample->part;
}

static int
compare_samples (const void *a, const void *b)
{
  const Sample *x = a, *y = b;

  if (group_of (x) != group_of (y))
    return group_of (x) < group_of (y) ? -1 : 1;
  if (x->is_exact != y->is_exact)
    return x->is_exact ? 1 : -1;
  return (x->dur_ns > y->dur_ns) - (x->dur_ns < y->dur_ns);
}

static TtTallyRow
expected_row (const Sample *samples, guint64 n)
{
  TtTallyRow row = { .group = group_of (samples), .count = n };

  for (guint64 i = 0; i < n; i++)
    {
      tt_tally_row_add (&row, 0, samples[i].self_ns, samples[i].total_ns);
      row.count--;
      row.sum_ns += samples[i].dur_ns;
      tt_uint128 square = (tt_uint128) samples[i].dur_ns * (tt_uint128) samples[i].dur_ns;
      row.sum_sq = square > ~row.sum_sq ? ~(tt_uint128) 0 : row.sum_sq + square;
      row.n_bounded += !samples[i].is_exact;
    }
  if (row.n_bounded < n)
    {
      samples += row.n_bounded;
      n -= row.n_bounded;
    }
  row.min_ns = samples[0].dur_ns;
  row.max_ns = samples[n - 1].dur_ns;
  row.median_ns = samples[n / 2].dur_ns;
  row.p95_ns = samples[(95 * n + 99) / 100 - 1].dur_ns;
  row.p99_ns = samples[(99 * n + 99) / 100 - 1].dur_ns;
  return row;
}

static gboolean
rows_equal (const TtTallyRow *a, const TtTallyRow *b)
{
  return a->group == b->group && a->count == b->count && a->n_bounded == b->n_bounded && a->total_ns == b->total_ns &&
         a->self_ns == b->self_ns && a->sum_ns == b->sum_ns && a->sum_sq == b->sum_sq && a->min_ns == b->min_ns &&
         a->max_ns == b->max_ns && a->median_ns == b->median_ns && a->p95_ns == b->p95_ns && a->p99_ns == b->p99_ns;
}

static void
check_rows (const Sample *samples, guint n, gboolean wholes, const GArray *rows)
{
  g_autofree Sample *sorted = g_memdup2 (samples, n * sizeof *samples);
  guint n_expected = 0;

  by_whole = wholes;
  if (n > 0)
    qsort (sorted, n, sizeof *sorted, compare_samples);
  for (guint begin = 0, end; begin < n; begin = end, n_expected++)
    {
      for (end = begin; end < n && group_of (&sorted[end]) == group_of (&sorted[begin]);)
        end++;

      const TtTallyRow expected = expected_row (sorted + begin, end - begin);
      const TtTallyRow *row = &g_array_index (rows, TtTallyRow, expected.group);
      if (expected.group >= rows->len || !rows_equal (row, &expected))
        g_test_fail_printf ("the row of %s %u, of %" G_GUINT64_FORMAT ", is wrong", wholes ? "whole" : "part",
                            expected.group, expected.count);
    }
  for (guint i = 0; i < rows->len; i++)
    n_expected -= g_array_index (rows, TtTallyRow, i).count > 0;
  g_assert_cmpuint (n_expected, ==, 0);
}

/* In pieces, with what is no span between. */
static void
add_samples (TtPairTally *tally, const Sample *samples, guint n)
{
  guint32 part[100], whole[100], flags[100];
  gint64 dur_ns[100], self_ns[100];
  guint k = 0;

  for (guint i = 0; i <= n; i++)
    {
      if (i == n || k == 100)
        {
          tt_pair_tally_add (tally, &(TtPairColumns){ part, whole, flags, dur_ns, self_ns }, k);
          k = 0;
        }
      if (i == n)
        break;
      const gboolean is_span = k % 7 != 6;
      part[k] = is_span ? samples[i].part : TT_NO_PART;
      whole[k] = samples[i].whole;
      flags[k] = (samples[i].is_exact ? 0 : TT_FLAGS_BOUNDED) | (samples[i].total_ns == 0 ? TT_FLAG_RECURSIVE : 0);
      dur_ns[k] = samples[i].dur_ns;
      self_ns[k] = samples[i].self_ns;
      i -= !is_span;
      k++;
    }
}

static void
check (const Sample *samples, guint n, gsize memory_bytes)
{
  g_autoptr (TtPairTally) tally = tt_pair_tally_new (memory_bytes);
  g_autoptr (GError) error = NULL;

  add_samples (tally, samples, n);
  g_assert_true (tt_pair_tally_finish (tally, &error));
  require_no_error (error);
  check_rows (samples, n, FALSE, tt_pair_tally_parts (tally));
  check_rows (samples, n, TRUE, tt_pair_tally_wholes (tally));
}

/* -- durations of many kinds ----------------------------------------------------------------------- */

static gint64
random_bits (guint bits)
{
  const guint64 word = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return bits == 0 ? 0 : (gint64) (word >> (64 - bits));
}

typedef gint64 (*DurationOf) (guint i, guint n, guint32 part);

static gint64
wide (guint i, guint n, guint32 part)
{
  return random_bits ((guint) g_test_rand_int_range (0, 64));
}

static gint64
even (guint i, guint n, guint32 part)
{
  return 1000 + random_bits (17);
}

static gint64
equal (guint i, guint n, guint32 part)
{
  return 5000 + part;
}

static gint64
all_but_one_equal (guint i, guint n, guint32 part)
{
  return i == n / 3 ? G_MAXINT64 : 77;
}

static gint64
two_far_apart (guint i, guint n, guint32 part)
{
  return g_test_rand_int_range (0, 20) == 0 ? G_MAXINT64 - 1 : 3;
}

static gint64
whole_microseconds (guint i, guint n, guint32 part)
{
  return 1000 * (gint64) g_test_rand_int_range (1, 300);
}

/* Nearly all of them are close to each other, far from the least. */
static gint64
narrow_and_far (guint i, guint n, guint32 part)
{
  return i % 1000 == 0 ? part : (G_GINT64_CONSTANT (1) << 55) + random_bits (9);
}

static gint64
ascending (guint i, guint n, guint32 part)
{
  return i;
}

static gint64
descending (guint i, guint n, guint32 part)
{
  return n - i;
}

/* Doubles again and again: each power of two has as many. */
static gint64
powers (guint i, guint n, guint32 part)
{
  return (G_GINT64_CONSTANT (1) << (i % 63)) - (i % 2);
}

static const DurationOf kinds[] = {
  wide, even, equal, all_but_one_equal, two_far_apart, whole_microseconds, narrow_and_far, ascending, descending, powers
};

static Sample *
random_samples (guint n, guint n_parts, guint per_whole, DurationOf duration_of, guint percent_bounded)
{
  Sample *samples = g_new (Sample, n);

  for (guint i = 0; i < n; i++)
    {
      const guint32 part = (guint32) g_test_rand_int_range (0, (gint32) n_parts);
      const gint64 dur_ns = duration_of (i, n, part);

      samples[i] = (Sample){ .part = part,
                             .whole = part / per_whole,
                             .is_exact = g_test_rand_int_range (0, 100) >= (gint32) percent_bounded,
                             .dur_ns = dur_ns,
                             .self_ns = random_bits (40) - (1 << 20),
                             .total_ns = g_test_rand_int_range (0, 3) == 0 ? 0 : dur_ns };
    }
  return samples;
}

static void
test_kinds (void)
{
  static const guint ns[] = { 1, 2, 3, 21, 100, 101, 4097, 30000 };
  static const guint n_parts[] = { 1, 7, 500 };
  static const gsize memory_bytes[] = { 4096, 1 << 17, 8 << 20 };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
      for (guint j = 0; j < G_N_ELEMENTS (n_parts); j++)
        for (guint k = 0; k < G_N_ELEMENTS (memory_bytes); k++)
          {
            static const guint percents[] = { 0, 0, 30, 100 };
            g_autofree Sample *samples =
                random_samples (ns[i], n_parts[j], (guint) g_test_rand_int_range (1, 9), kinds[kind],
                                percents[g_test_rand_int_range (0, G_N_ELEMENTS (percents))]);

            check (samples, ns[i], memory_bytes[k]);
            if (g_test_failed ())
              {
                g_test_message ("kind %u, %u durations of %u parts, %" G_GSIZE_FORMAT " bytes", kind, ns[i], n_parts[j],
                                memory_bytes[k]);
                return;
              }
          }
}

/* More rows, and more durations of one row, than memory has room for. */
static void
test_many (void)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_autofree Sample *many_parts = random_samples (100000, 30000, 3, kinds[kind], 1);
      g_autofree Sample *few_parts = random_samples (300000, 3, 2, kinds[kind], 1);

      check (many_parts, 100000, 1 << 18);
      check (few_parts, 300000, 1 << 16);
    }
}

static void
test_nothing (void)
{
  check (NULL, 0, 4096);
}

static void
test_squares_that_do_not_fit (void)
{
  Sample samples[40];

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = (Sample){ i % 2, 0, TRUE, G_MAXINT64, G_MAXINT64, G_MAXINT64 };
  check (samples, G_N_ELEMENTS (samples), 4096);
}

/* A limit on file size stands for a full disk. */
static void
test_full_disk (void)
{
  if (g_test_subprocess ())
    {
      g_autofree Sample *samples = random_samples (20000, 50, 2, wide, 0);
      g_autoptr (TtPairTally) tally = tt_pair_tally_new (4096);
      g_autoptr (GError) error = NULL;
      const struct rlimit limit = { 8192, 8192 };

      signal (SIGXFSZ, SIG_IGN);
      setrlimit (RLIMIT_FSIZE, &limit);
      add_samples (tally, samples, 20000);
      g_assert_false (tt_pair_tally_finish (tally, &error));
      g_printerr ("%s\n", error == NULL ? "" : error->message);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*cannot write a temporary file*TMPDIR*");
}

/* -- selection ------------------------------------------------------------------------------------- */

static int
compare_keys (const void *a, const void *b)
{
  const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* An organ pipe is against the middle of three; so is what one gets by moving the middle of three to the ends. */
static void
fill_keys (guint64 *keys, guint n, guint layout)
{
  for (guint i = 0; i < n; i++)
    keys[i] = layout == 0   ? (guint64) random_bits (63)
              : layout == 1 ? (guint64) random_bits (3)
              : layout == 2 ? i
              : layout == 3 ? n - i
              : layout == 4 ? MIN (i, n - i)
              : layout == 5 ? 9
                            : (i % 2 == 0 ? i : n + i / 2);
}

static void
test_select (void)
{
  for (guint round = 0; round < 3000; round++)
    {
      const guint n = (guint) g_test_rand_int_range (1, round % 100 == 0 ? 20000 : 200);
      const guint rank = (guint) g_test_rand_int_range (0, (gint32) n);
      const guint from = (guint) g_test_rand_int_range (0, (gint32) rank + 1);
      g_autofree guint64 *keys = g_new (guint64, n);

      fill_keys (keys, n, round % 7);
      if (from > 0)
        tt_quantile_select (keys, 0, n, from);
      g_autofree guint64 *sorted = g_memdup2 (keys, n * sizeof *keys);
      qsort (sorted, n, sizeof *sorted, compare_keys);
      g_assert_cmpuint (tt_quantile_select (keys, from, n, rank), ==, sorted[rank]);
      for (guint i = 0; i < n; i++)
        if (i < rank ? keys[i] > keys[rank] : keys[i] < keys[rank])
          g_test_fail_printf ("layout %u: key %u of %u is on the wrong side of %u", round % 7, i, n, rank);
      qsort (keys, n, sizeof *keys, compare_keys);
      g_assert_cmpmem (keys, n * sizeof *keys, sorted, n * sizeof *sorted);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/pair-tally/nothing", test_nothing);
  g_test_add_func ("/pair-tally/agrees-with-sorting", test_kinds);
  g_test_add_func ("/pair-tally/more-than-memory", test_many);
  g_test_add_func ("/pair-tally/squares-beyond-128-bits-are-unknown", test_squares_that_do_not_fit);
  g_test_add_func ("/pair-tally/tells-of-a-full-disk", test_full_disk);
  g_test_add_func ("/pair-tally/selection-agrees-with-sorting", test_select);
  return g_test_run ();
}
