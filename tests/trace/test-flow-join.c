/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/flow-join.h"

#include "tests/require.h"

#include <string.h>

typedef struct
{
  guint64 key;
  gint64 ts_ns;
  guint32 owner;
  guint8 phase;
} Point;

/* From and to are points by their time and owner, which tell points of the tests apart. */
typedef struct
{
  GArray *pairs; /* of TtFlowPoint, two each */
  guint32 max_owner;
} Result;

static gboolean
has_span (guint32 owner, gpointer data)
{
  return owner % 7 != 0 && owner <= ((Result *) data)->max_owner;
}

/* Numbers that tell which owner they were asked for. */
static gboolean
find_span (guint32 owner, gpointer span, gpointer data)
{
  g_assert_cmpuint (owner, !=, 0);
  *(guint64 *) span = ~(guint64) owner;
  return has_span (owner, data);
}

static gboolean
take_pair (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error)
{
  Result *result = data;

  g_assert_cmpuint (from->key, ==, to->key);
  g_assert_cmpuint (from->ts, <=, to->ts);
  g_assert_cmpuint (*(const guint64 *) tt_flow_point_span (from), ==, ~(guint64) from->owner);
  g_assert_cmpuint (*(const guint64 *) tt_flow_point_span (to), ==, ~(guint64) to->owner);
  g_array_append_vals (result->pairs, from, 1);
  g_array_append_vals (result->pairs, to, 1);
  return TRUE;
}

static void
add_all (TtFlowJoin *join, const Point *points, guint n)
{
  g_autoptr (TtBatch) batch = tt_batch_new ();

  for (guint i = 0; i < n; i++)
    {
      guint k = batch->points.n++;

      batch->points.key[k] = points[i].key;
      batch->points.kind[k] = tt_flow_kind ("test");
      batch->points.phase[k] = points[i].phase;
      batch->points.ts_ns[k] = points[i].ts_ns;
      batch->points.owner[k] = points[i].owner;
      if (batch->points.n == TT_BATCH_ROWS || i == n - 1)
        {
          tt_flow_join_add (join, &batch->points);
          tt_batch_clear (batch);
        }
    }
}

/* -- the oracle: looks at every point of a key by itself -------------------------------------------------- */

static int
compare (gconstpointer a, gconstpointer b, gpointer points)
{
  guint i = *(const guint *) a, k = *(const guint *) b;
  const Point *x = (const Point *) points + i, *y = (const Point *) points + k;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return i < k ? -1 : i > k;
}

static GArray *
in_order (const Point *points, guint n, Result *result, guint64 *n_without_span)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n; i++)
    if (points[i].owner != 0 && has_span (points[i].owner, result))
      g_array_append_val (order, i);
  *n_without_span = n - order->len;
  g_array_sort_with_data (order, compare, (gpointer) points);
  return order;
}

static void
check (const Point *points, guint n)
{
  g_autoptr (TtFlowJoin) join = tt_flow_join_new (sizeof (guint64));
  Result result = { g_array_new (FALSE, FALSE, sizeof (TtFlowPoint)), n / 2 + 3 };
  g_autoptr (GError) error = NULL;
  TtRepairs repairs = { 0 };
  guint64 n_without_span, n_unpaired = 0;
  guint n_pairs = 0;

  add_all (join, points, n);
  g_assert_true (tt_flow_join_finish (join, find_span, take_pair, &result, &repairs, &error));
  require_no_error (error);

  g_autoptr (GArray) order = in_order (points, n, &result, &n_without_span);
  gboolean has_start = FALSE;
  for (guint i = 0; i < order->len; i++)
    {
      const Point *point = &points[g_array_index (order, guint, i)];
      const Point *before = i == 0 ? NULL : &points[g_array_index (order, guint, i - 1)];
      const Point *after = i + 1 == order->len ? NULL : &points[g_array_index (order, guint, i + 1)];

      if (before == NULL || before->key != point->key)
        has_start = FALSE;
      if (point->phase == TT_FLOW_START)
        {
          has_start = TRUE;
          n_unpaired += after == NULL || after->key != point->key || after->phase == TT_FLOW_START;
          continue;
        }
      if (!has_start)
        {
          n_unpaired++;
          continue;
        }
      if (2 * n_pairs + 1 < result.pairs->len)
        {
          const TtFlowPoint *from = &g_array_index (result.pairs, TtFlowPoint, 2 * n_pairs), *to = from + 1;
          g_assert_cmpuint (from->owner, ==, before->owner);
          g_assert_cmpuint (to->owner, ==, point->owner);
          g_assert_cmpint (tt_flow_point_ns (from), ==, before->ts_ns);
          g_assert_cmpint (tt_flow_point_ns (to), ==, point->ts_ns);
          g_assert_cmpuint (to->phase, ==, point->phase);
        }
      n_pairs++;
    }
  g_assert_cmpuint (result.pairs->len, ==, 2 * n_pairs);
  g_assert_cmpuint (repairs.count[TT_REPAIR_FLOW_UNPAIRED], ==, n_unpaired);
  g_assert_cmpuint (repairs.count[TT_REPAIR_FLOW_WITHOUT_SPAN], ==, n_without_span);
  g_array_unref (result.pairs);
}

static void
check_random (guint n, guint n_keys, gint64 n_times)
{
  g_autofree Point *points = g_new (Point, n + 1);

  for (guint i = 0; i < n; i++)
    points[i] = (Point){
      .key = (guint64) g_test_rand_int_range (0, (gint) n_keys) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15),
      .ts_ns = g_test_rand_int_range (0, (gint) n_times) - n_times / 2,
      .owner = (guint32) g_test_rand_int_range (0, (gint) n / 2 + 8),
      .phase = (guint8) g_test_rand_int_range (0, 3),
    };
  check (points, n);
}

/* -- tests ------------------------------------------------------------------------------------------------- */

static void
test_random (void)
{
  for (guint i = 0; i < 3000; i++)
    check_random ((guint) g_test_rand_int_range (0, 40), 1 + i % 7, 1 + i % 50);
}

/* More than is sorted in memory. */
static void
test_many (void)
{
  check_random (400000, 50000, 1000000);
}

static void
test_rule (void)
{
  static const Point points[] = {
    /* Two chains of one key, the first through three spans; ends go on from ends. */
    { 5, 30, 3, TT_FLOW_END },
    { 5, 10, 1, TT_FLOW_START },
    { 5, 20, 2, TT_FLOW_STEP },
    { 5, 40, 4, TT_FLOW_END },
    { 5, 50, 5, TT_FLOW_START },
    { 5, 50, 6, TT_FLOW_END },
    /* Nothing before it; nothing behind it. */
    { 6, 10, 8, TT_FLOW_STEP },
    { 6, 20, 9, TT_FLOW_START },
    /* Nothing around it: the chain goes on behind it. */
    { 4, G_MININT64 + 1, 1, TT_FLOW_START },
    { 4, 0, 0, TT_FLOW_STEP },
    { 4, G_MAXINT64, 2, TT_FLOW_END },
  };
  static const guint32 expected[][2] = { { 1, 2 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 5, 6 } };
  g_autoptr (TtFlowJoin) join = tt_flow_join_new (sizeof (guint64));
  Result result = { g_array_new (FALSE, FALSE, sizeof (TtFlowPoint)), 100 };
  g_autoptr (GError) error = NULL;
  TtRepairs repairs = { 0 };

  /* A second source begins anew. */
  for (guint round = 1; round <= 2; round++)
    {
      add_all (join, points, G_N_ELEMENTS (points));
      g_assert_true (tt_flow_join_finish (join, find_span, take_pair, &result, &repairs, &error));
      g_assert_cmpuint (result.pairs->len, ==, round * 2 * G_N_ELEMENTS (expected));
      g_assert_cmpuint (repairs.count[TT_REPAIR_FLOW_UNPAIRED], ==, round * 2);
      g_assert_cmpuint (repairs.count[TT_REPAIR_FLOW_WITHOUT_SPAN], ==, round);
    }
  for (guint i = 0; i < result.pairs->len; i++)
    g_assert_cmpuint (g_array_index (result.pairs, TtFlowPoint, i).owner, ==,
                      expected[i / 2 % G_N_ELEMENTS (expected)][i % 2]);
  g_array_unref (result.pairs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/flow-join/rule", test_rule);
  g_test_add_func ("/flow-join/random", test_random);
  g_test_add_func ("/flow-join/many", test_many);
  return g_test_run ();
}
