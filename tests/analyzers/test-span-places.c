/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/span-places.h"

#include "src/trace/event.h"

#define N_OPS 5u
#define N_PLACES 20000u
#define N_STEPS 40

typedef struct
{
  guint32 op;
  TtSpanPlace place;
} Added;

static void
check_all (TtSpanPlaces *places, const GArray *added, guint32 op)
{
  g_autoptr (GError) error = NULL;
  TtSpanPlace place;
  guint n = 0;

  g_assert_true (tt_span_places_open (places, op, FALSE, &error));
  for (guint i = 0; i < added->len; i++)
    {
      const Added *one = &g_array_index (added, Added, i);
      if (one->op != op)
        continue;
      g_assert_true (tt_span_places_next (places, &place, &error));
      g_assert_cmpuint (place.index, ==, one->place.index);
      g_assert_cmpint (place.step, ==, TT_NO_STEP);
      n++;
    }
  g_assert_false (tt_span_places_next (places, &place, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, >, 1000);
}

/* By going through all that was added, step by step. */
static void
check_steps (TtSpanPlaces *places, const GArray *added, guint32 op)
{
  g_autoptr (GError) error = NULL;
  TtSpanPlace place;

  g_assert_true (tt_span_places_open (places, op, TRUE, &error));
  for (gint32 step = 0; step < N_STEPS; step++)
    {
      const Added *last = NULL;
      for (guint i = 0; i < added->len; i++)
        {
          const Added *one = &g_array_index (added, Added, i);
          last = one->op == op && one->place.step == step ? one : last;
        }
      if (last == NULL)
        continue;
      g_assert_true (tt_span_places_next (places, &place, &error));
      g_assert_cmpint (place.step, ==, step);
      g_assert_cmpuint (place.index, ==, last->place.index);
    }
  g_assert_false (tt_span_places_next (places, &place, &error));
  g_assert_no_error (error);
}

/* Each operation has more than its buffer holds. */
static void
test_places (gconstpointer has_steps)
{
  g_autoptr (TtSpanPlaces) places = tt_span_places_new ();
  g_autoptr (GArray) added = g_array_new (FALSE, FALSE, sizeof (Added));
  g_autoptr (GError) error = NULL;
  Added one = { 0 };

  for (guint i = 0; i < N_PLACES; i++)
    {
      one.op = i < N_OPS ? i : (guint32) g_test_rand_int_range (0, N_OPS);
      one.place.index += 1 + (guint64) g_test_rand_int_range (0, 1 << g_test_rand_int_range (0, 30));
      one.place.step = has_steps == NULL || g_test_rand_int_range (0, 9) == 0 ? TT_NO_STEP
                       : g_test_rand_int_range (0, 4) > 0                     ? (gint32) (i * N_STEPS / N_PLACES)
                                                                              : g_test_rand_int_range (0, N_STEPS);
      tt_span_places_add (places, one.op, one.place.step, one.place.index);
      g_array_append_val (added, one);
    }
  g_assert_true (tt_span_places_finish (places, &error));
  g_assert_cmpuint (tt_span_places_n_ops (places), ==, N_OPS);
  for (guint32 op = N_OPS; op-- > 0;)
    if (has_steps == NULL)
      check_all (places, added, op);
    else
      check_steps (places, added, op);
  /* Nothing was added of one that is not there. */
  g_assert_true (tt_span_places_open (places, N_OPS, has_steps != NULL, &error));
  g_assert_false (tt_span_places_next (places, &one.place, &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/span-places/all", NULL, test_places);
  g_test_add_data_func ("/span-places/last-of-each-step", "steps", test_places);
  return g_test_run ();
}
