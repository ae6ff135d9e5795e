/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/stretches.h"
#include "tests/rounds.h"

#define N_PATHS 300

/* Ascending. */
static GArray *
random_stretches (guint n, gint64 max_ns)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (TtStretch));
  gint64 now = g_test_rand_int_range (-1000, 1000);

  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = now + (g_test_rand_bit () ? 0 : g_test_rand_int_range (0, (gint32) max_ns));
      now = begin_ns + g_test_rand_int_range (1, (gint32) max_ns);
      const TtStretch stretch = { begin_ns, now, (guint32) g_test_rand_int_range (0, N_PATHS) };
      g_array_append_val (stretches, stretch);
    }
  return stretches;
}

static gint64
weigh (const TtStretch *stretch, gint64 begin_ns, gint64 end_ns)
{
  gint64 ns = MIN (stretch->end_ns, end_ns) - MAX (stretch->begin_ns, begin_ns);

  return ns > 0 ? ns * (stretch->path + 1) : 0;
}

/* What lies between two moments, each nanosecond as heavy as its path's number, against a look at all of them. */
static void
compare_between (const TtStretches *packed, const GArray *all, gint64 begin_ns, gint64 end_ns)
{
  TtStretchCursor cursor = tt_stretches_before (packed, end_ns);
  gint64 expected = 0, found = 0;
  TtStretch stretch;

  for (guint i = 0; i < all->len; i++)
    expected += weigh (&g_array_index (all, TtStretch, i), begin_ns, end_ns);
  while (tt_stretch_cursor_next (&cursor, &stretch) && stretch.end_ns > begin_ns)
    found += weigh (&stretch, begin_ns, end_ns);
  g_assert_cmpint (found, ==, expected);
}

static void
pack (TtStretches *packed, const GArray *all, gboolean is_mixed)
{
  guint n = all->len;

  /* Neighbours changed places, as crossing spans have it. */
  for (guint i = 0; i < n; i++)
    tt_stretches_add (packed, &g_array_index (all, TtStretch, n - 1 - (is_mixed && (i ^ 1) < n ? i ^ 1 : i)));
  tt_stretches_finish (packed);
}

static void
test_between (gconstpointer data)
{
  gboolean is_mixed = GPOINTER_TO_INT (data);

  for (guint round = 0; round < test_rounds (400); round++)
    {
      guint n = (guint) g_test_rand_int_range (0, 300);
      g_autoptr (GArray) all = random_stretches (n, g_test_rand_bit () ? 5 : 1000000);
      TtStretches packed = { NULL };

      pack (&packed, all, is_mixed);
      for (guint i = 0; i < 50; i++)
        {
          const TtStretch *a = n == 0 ? NULL : &g_array_index (all, TtStretch, g_test_rand_int_range (0, (gint32) n));
          const TtStretch *b = n == 0 ? NULL : &g_array_index (all, TtStretch, g_test_rand_int_range (0, (gint32) n));
          gint64 begin_ns = a == NULL ? -5 : a->begin_ns + g_test_rand_int_range (-2, 3);
          gint64 end_ns = b == NULL ? 5 : b->end_ns + g_test_rand_int_range (-2, 3);
          compare_between (&packed, all, begin_ns, end_ns);
        }
      compare_between (&packed, all, G_MININT64, G_MAXINT64 / 4);
      tt_stretches_clear (&packed);
    }
}

/* Times of any size come back as they were. */
static void
test_extremes (void)
{
  const TtStretch stretches[] = {
    { G_MAXINT64 - 1, G_MAXINT64, G_MAXUINT32 },
    { G_MININT64 + 1, G_MAXINT64 - 1, 7 },
    { G_MININT64, G_MININT64 + 1, 0 },
  };
  TtStretches packed = { NULL };
  TtStretchCursor cursor;
  TtStretch stretch;

  for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
    tt_stretches_add (&packed, &stretches[i]);
  tt_stretches_finish (&packed);
  cursor = tt_stretches_before (&packed, G_MAXINT64);
  for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
    {
      g_assert_true (tt_stretch_cursor_next (&cursor, &stretch));
      g_assert_cmpint (stretch.begin_ns, ==, stretches[i].begin_ns);
      g_assert_cmpint (stretch.end_ns, ==, stretches[i].end_ns);
      g_assert_cmpuint (stretch.path, ==, stretches[i].path);
    }
  g_assert_false (tt_stretch_cursor_next (&cursor, &stretch));
  tt_stretches_clear (&packed);
}

/* Of microseconds each and in hundreds of paths they take 9 bytes at most. */
static void
test_bytes (void)
{
  g_autoptr (GArray) all = random_stretches (10000, 100000);
  TtStretches packed = { NULL };

  pack (&packed, all, FALSE);
  g_assert_cmpuint (packed.n, ==, all->len);
  g_assert_cmpuint (packed.bytes->len + packed.places->len * sizeof (TtStretchPlace), <=, 9 * all->len);
  tt_stretches_clear (&packed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stretches/between", GINT_TO_POINTER (FALSE), test_between);
  g_test_add_data_func ("/stretches/between-mixed", GINT_TO_POINTER (TRUE), test_between);
  g_test_add_func ("/stretches/extremes", test_extremes);
  g_test_add_func ("/stretches/bytes", test_bytes);
  return g_test_run ();
}
