/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/trace/nest/nest.h"

#include "tests/formats/chrome-test.h"
#include "tests/rounds.h"

#include <string.h>

static void
fill_many (TtSink *sink)
{
  enum
  {
    N_THREADS = 5,
    N_NAMES = 70000,
    N_STEPS = 150000,
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  TtNestThread *threads[N_THREADS];
  guint32 processes[N_THREADS], ids[N_THREADS], open[N_THREADS][8];
  guint depth[N_THREADS] = { 0 };
  gint64 now = 5000;

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 series = tt_sink_series (sink, "size", NULL, FALSE);
  for (int i = 0; i < N_THREADS; i++)
    {
      g_autofree char *pid = g_strdup_printf ("node%d", i / 2);
      g_autofree char *tid = g_strdup_printf ("%d", i % 2);
      processes[i] = tt_sink_process (sink, pid, NULL, NULL, i / 2);
      ids[i] = tt_sink_thread (sink, processes[i], tid, NULL, i % 2);
      threads[i] = tt_nest_thread (nest, ids[i], processes[i]);
    }
  for (int step = 0; step < N_STEPS; step++)
    {
      int i = g_rand_int_range (rand, 0, N_THREADS);

      now += g_rand_int_range (rand, 0, 3) * 1000;
      if (depth[i] < 8 && g_rand_boolean (rand))
        {
          /* Few names often, and many once. */
          int number = g_rand_boolean (rand) ? g_rand_int_range (rand, 0, 20) : step % N_NAMES;
          g_autofree char *raw = g_strdup_printf ("function %d with a name that takes some room", number);
          open[i][depth[i]] = chrome_name (sink, raw, "G", "COMP", NULL);
          tt_nest_enter (nest, threads[i], open[i][depth[i]++], now, (guint64) step);
        }
      else if (depth[i] > 0)
        {
          if (g_rand_int_range (rand, 0, 4) == 0)
            tt_nest_half (nest, threads[i],
                          &(TtNestHalf){ .ts_ns = now,
                                         .tag = step % 3,
                                         .bytes = step,
                                         .peer = processes[g_rand_int_range (rand, 0, N_THREADS)],
                                         .is_send = step % 2 == 0 });
          if (g_rand_int_range (rand, 0, 8) == 0)
            tt_sink_counter_int (sink, series, ids[i], now, step);
          tt_nest_leave (nest, threads[i], open[i][--depth[i]], now, (guint64) step);
        }
    }
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_RELATIVE);
}

static void
test_many (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = chrome_write (fill_many, &options, &report, NULL);

  g_assert_cmpuint (report.n_spans, >, 70000);
  g_assert_cmpuint (report.n_messages, >, 5000);
  g_assert_cmpuint (chrome_count (text, "\"ph\":\"X\",\"ts\""), ==, report.n_spans);
}

static void
test_max_size (void)
{
  TtExportReport whole_report = { 0 };
  TtExportOptions whole_options = { 0 };
  g_autofree char *whole = chrome_write (fill_many, &whole_options, &whole_report, NULL);
  gsize len = strlen (whole);

  static const int percents[] = { 20, 100, 70, 1 };
  for (guint i = 0; i < MIN (G_N_ELEMENTS (percents), test_rounds (20)); i++)
    {
      TtExportOptions options = { .max_bytes = len * (guint) percents[i] / 100 };
      TtExportReport report = { 0 };
      g_autofree char *text = chrome_write (fill_many, &options, &report, "--part");

      g_assert_cmpuint (strlen (text), <=, options.max_bytes);
      g_assert_cmpuint (strlen (text) * 100, >=, options.max_bytes * 60);
      g_assert_cmpuint (chrome_count (text, "\"ph\":\"X\",\"ts\""), ==, report.n_spans);
      if (percents[i] == 100)
        g_assert_cmpstr (text, ==, whole);
      else
        {
          g_assert_cmpuint (report.n_dropped, >, 0);
          g_assert_cmpint (report.shortest_kept_ns, >, 0);
          g_assert_cmpuint (report.n_spans, <, whole_report.n_spans);
        }
    }

  TtExportOptions tiny = { .max_bytes = 100 };
  TtExportReport report = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_null (chrome_convert (fill_many, &tiny, &report, TRUE, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_USAGE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/chrome/many-names-and-events", test_many);
  g_test_add_func ("/chrome/max-size", test_max_size);
  return g_test_run ();
}
