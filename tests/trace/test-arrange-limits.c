/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"
#include "src/trace/span.h"

#include "tests/trace/row-sink.h"

/* TtArrange with the largest times and very many events. */

static TtTraceRecord
make_record (guint32 name, gint64 ts_ns, gint64 dur_ns)
{
  return (
      TtTraceRecord){ .thread = 1, .process = 1, .name = name, .step = TT_NO_STEP, .ts_ns = ts_ns, .dur_ns = dur_ns };
}

static RowSink *
finish (TtArrange *arrange, RowSink *sink)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_arrange_finish (arrange, &error));
  g_assert_no_error (error);
  g_assert_true (tt_sink_finish (sink->sink, NULL));
  tt_arrange_free (arrange);
  return sink;
}

static void
test_saturation (void)
{
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);
  const TtTraceRecord calls[] = {
    make_record (1, G_MININT64, G_MAXINT64), make_record (2, G_MAXINT64 - 5, 10), make_record (3, G_MAXINT64, 1),
    make_record (4, 0, G_MININT64),          make_record (5, 5, G_MAXINT64),      make_record (6, G_MININT64, 0),
  };
  const TtTraceRecord first = make_record (7, G_MININT64, 0), last = make_record (7, G_MAXINT64, 0);

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    tt_arrange_span (arrange, &calls[i]);
  tt_arrange_begin (arrange, &first);
  tt_arrange_end (arrange, &last);
  finish (arrange, sink);

  g_assert_cmpuint (sink->rows->len, ==, G_N_ELEMENTS (calls) + 1);
  for (guint i = 0; i < sink->rows->len; i++)
    {
      const Row *row = row_at (sink, i);
      gint64 end_ns;

      g_assert_false (__builtin_add_overflow (row->ts_ns, row->dur_ns, &end_ns));
      g_assert_true (tt_time_is_kept (row->ts_ns) && tt_time_is_kept (end_ns));
      g_assert_cmpint (row->dur_ns, >=, 0);
      g_assert_cmpint (row->self_ns, >=, 0);
      g_assert_cmpint (row->self_ns, <=, row->dur_ns);
      if (row->name == 4)
        g_assert_true (row->flags & TT_FLAG_END_BEFORE_START);
      if (row->name == 5)
        g_assert_cmpint (end_ns, ==, TT_TIME_MAX_NS);
    }
  g_assert_cmpuint (sink->sink->repairs.count[TT_REPAIR_END_BEFORE_START], ==, 1);
  g_assert_cmpuint (sink->sink->repairs.count[TT_REPAIR_TIME_TOO_FAR], ==, G_N_ELEMENTS (calls));
  tt_sink_free (sink->sink);
}

/* Self times are made of the times that rows have, not of those that were too far. */
static void
test_moved_self_times (void)
{
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);
  const TtTraceRecord outer = make_record (1, TT_TIME_MAX_NS - 1000, 3000),
                      inner = make_record (2, TT_TIME_MAX_NS - 600, 1000),
                      beyond = make_record (3, TT_TIME_MAX_NS + 500, 1000);

  tt_arrange_span (arrange, &outer);
  tt_arrange_span (arrange, &inner);
  tt_arrange_span (arrange, &beyond);
  finish (arrange, sink);

  const gint64 durations[] = { 0, 1000, 600, 0 }, self[] = { 0, 400, 600, 0 };
  g_assert_cmpuint (sink->rows->len, ==, 3);
  for (guint i = 0; i < sink->rows->len; i++)
    {
      const Row *row = row_at (sink, i);
      g_assert_cmpint (row->dur_ns, ==, durations[row->name]);
      g_assert_cmpint (row->self_ns, ==, self[row->name]);
      g_assert_cmpuint (row->flags, ==, 0);
    }
  g_assert_cmpuint (sink->sink->repairs.count[TT_REPAIR_TIME_TOO_FAR], ==, 3);
  tt_sink_free (sink->sink);
}

/* Begins that are all open at once and end first in, first out, so that each span crosses all others. */
static void
test_many_crossing (void)
{
  const guint n = 200000;
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);

  for (guint i = 0; i < n; i++)
    {
      TtTraceRecord begin = make_record (1 + i, i, 0);
      tt_arrange_begin (arrange, &begin);
    }
  for (guint i = 0; i < n; i++)
    {
      TtTraceRecord end = make_record (1 + i, (gint64) n + i, 0);
      tt_arrange_end (arrange, &end);
    }
  finish (arrange, sink);

  gboolean is_right = sink->rows->len == n;
  for (guint i = 0; i < sink->rows->len; i++)
    {
      const Row *row = row_at (sink, i);
      is_right &= row->name == 1 + i && row->ts_ns == i && row->dur_ns == n && row->self_ns == n && row->depth == 0;
      is_right &= row->flags == TT_FLAG_OVERLAP;
    }
  g_assert_true (is_right);
  g_assert_cmpuint (sink->sink->repairs.count[TT_REPAIR_SPANS_OVERLAP], ==, n);
  tt_sink_free (sink->sink);
}

/* The same, but ends in an order that no stack or queue has, of few names. */
static void
test_many_shuffled (void)
{
  const guint n = 150000;
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);
  guint64 sum = 0, by_names = 0;

  for (guint i = 0; i < n; i++)
    {
      TtTraceRecord begin = make_record (1 + i % 7, i, 0);
      tt_arrange_begin (arrange, &begin);
    }
  for (guint i = 0; i < n; i++)
    {
      TtTraceRecord end = make_record ((guint32) (((guint64) i * 48271) % n) % 7 + 1, (gint64) n + i, 0);
      tt_arrange_end (arrange, &end);
    }
  finish (arrange, sink);

  gint64 last_ns = 0;
  gboolean is_right = TRUE;
  for (guint i = 0; i < sink->rows->len; i++)
    {
      const Row *row = row_at (sink, i);
      is_right &= row->dur_ns == TT_NO_TIME || row->name == 1 + row->ts_ns % 7;
      is_right &= row->ts_ns + MAX (row->dur_ns, 0) >= last_ns;
      last_ns = row->ts_ns + MAX (row->dur_ns, 0);
      sum += row->dur_ns != TT_NO_TIME;
      by_names += row->dur_ns == TT_NO_TIME || (row->flags & TT_FLAG_UNCLOSED) != 0;
    }
  g_assert_true (is_right);
  g_assert_cmpuint (sum, ==, n);
  g_assert_cmpuint (by_names % 2, ==, 0);
  g_assert_cmpuint (sink->sink->repairs.count[TT_REPAIR_UNCLOSED], ==,
                    sink->sink->repairs.count[TT_REPAIR_END_WITHOUT_BEGIN]);
  tt_sink_free (sink->sink);
}

/* More spans of one key than are put right in memory. */
static void
test_many_equal (void)
{
  const guint n = 20000;
  const gint64 longest = ((gint64) 1 << 50) + n;
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);

  for (guint i = 0; i < n; i++)
    {
      TtTraceRecord span = make_record (1, 3, longest - (i * 7919) % n);
      span.step = (gint32) i;
      tt_arrange_span (arrange, &span);
    }
  finish (arrange, sink);

  gboolean is_right = sink->rows->len == n;
  for (guint i = 0; i < sink->rows->len; i++)
    {
      const Row *row = row_at (sink, i);
      is_right &= row->depth == n - 1 - i && row->dur_ns == longest - n + 1 + i;
      is_right &= row->self_ns == (i == 0 ? row->dur_ns : 1);
    }
  g_assert_true (is_right);
  tt_sink_free (sink->sink);
}

static void
test_many_flow_points (void)
{
  const guint n = 200000;
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);
  guint32 kind = tt_arrange_flow_kind (arrange, tt_flow_kind ("k0"));
  TtTraceRecord around = make_record (1, 0, 10), next = make_record (2, 5, 1), point = make_record (0, 4, 0);

  for (guint i = 0; i < n; i++)
    tt_arrange_flow (arrange, &point, kind, i, TT_FLOW_START, i % 2 == 0);
  tt_arrange_span (arrange, &around);
  tt_arrange_span (arrange, &next);
  finish (arrange, sink);

  gboolean is_right = sink->points->len == n && sink->rows->len == 2;
  for (guint i = 0; i < sink->points->len; i++)
    {
      const PointRow *row = &g_array_index (sink->points, PointRow, i);
      guint64 event = row->owner < sink->owners->len ? g_array_index (sink->owners, guint64, row->owner) : 0;
      is_right &= event != 0 && row_at (sink, (guint) event - 1)->name == (row->key % 2 == 0 ? 2 : 1);
    }
  g_assert_true (is_right);
  tt_sink_free (sink->sink);
}

/* The order by code is never against the order by length. */
static void
test_codes (void)
{
  gint64 before = 0;

  for (int bit = 0; bit < 63; bit++)
    for (gint64 around = -2; around <= 2; around++)
      {
        gint64 dur_ns = MAX (((gint64) 1 << bit) + around, before);

        g_assert_cmpuint (arrange_code_of_span (dur_ns), <=, arrange_code_of_span (before));
        g_assert_cmpuint (arrange_code_of_span (dur_ns), >, ARRANGE_CODE_FLOW);
        g_assert_cmpint (arrange_code_is_rounded (arrange_code_of_span (dur_ns)), ==, dur_ns >= ARRANGE_EXACT);
        before = dur_ns;
      }
  g_assert_cmpuint (arrange_code_of_span (G_MAXINT64), >, ARRANGE_CODE_FLOW);
  g_assert_cmpuint (arrange_code_of_span (0), <, ARRANGE_CODE_INSTANT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/arrange/saturation", test_saturation);
  g_test_add_func ("/arrange/moved-self-times", test_moved_self_times);
  g_test_add_func ("/arrange/many-crossing", test_many_crossing);
  g_test_add_func ("/arrange/many-shuffled", test_many_shuffled);
  g_test_add_func ("/arrange/many-equal", test_many_equal);
  g_test_add_func ("/arrange/many-flow-points", test_many_flow_points);
  g_test_add_func ("/arrange/codes", test_codes);
  return g_test_run ();
}
