/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/chrome-test.h"
#include "tests/require.h"

#include <string.h>

static guint64
complete (TtSink *sink, guint32 thread, guint32 what, gint64 begin, gint64 end, guint32 owner, guint64 with)
{
  guint64 event = tt_sink_event (sink, thread, what, T0 + begin, end - begin, end - begin, 0, 0, TT_NO_STEP, with);

  if (owner != 0)
    tt_sink_owner (sink, owner, event);
  return event;
}

static void
point (TtSink *sink, guint64 key, TtFlowPhase phase, gint64 ts_ns, guint32 owner)
{
  const TtSinkFlowPoint point = {
    .key = key,
    .kind = tt_flow_kind (key < 10 ? "ac2g" : "a \"kind\""),
    .phase = phase,
    .owner = owner,
    .ts_ns = T0 + ts_ns,
  };

  tt_sink_flow_point (sink, &point);
}

static void
fill_flows (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 p = tt_sink_process (sink, "host", NULL, NULL, -1), q = tt_sink_process (sink, "gpu", "was", NULL, -1);
  guint32 a = tt_sink_thread (sink, p, "main", NULL, 0), b = tt_sink_thread (sink, q, "7", NULL, 0);
  guint32 launch = chrome_name (sink, "launch", NULL, "RT", NULL),
          kernel = chrome_name (sink, "kernel", NULL, "COMP", NULL);
  guint32 owner[7];

  for (guint i = 0; i < G_N_ELEMENTS (owner); i++)
    owner[i] = tt_sink_new_owner (sink);
  guint64 first = chrome_args (sink, "{\"a\":1,\"b\":2}");
  point (sink, 1, TT_FLOW_START, 12, owner[0]);
  complete (sink, a, launch, 10, 20, owner[0], first);
  point (sink, 2, TT_FLOW_START, 30, owner[1]);
  complete (sink, a, launch, 30, 40, owner[1], chrome_args (sink, "{\"c\":3}"));
  tt_sink_flush (sink);
  point (sink, 1, TT_FLOW_END, 50, owner[2]);
  complete (sink, b, kernel, 50, 90, owner[2], 0);
  /* Overlaps: on a further line. Its point lies before it. */
  point (sink, 2, TT_FLOW_STEP, 55, owner[3]);
  complete (sink, b, kernel, 60, 95, owner[3], 0);
  point (sink, 2, TT_FLOW_END, 100, owner[4]);
  complete (sink, b, kernel, 97, 100, owner[4], 0);
  /* Against the time; without a partner; outside. */
  point (sink, 11, TT_FLOW_START, 5, owner[4]);
  point (sink, 11, TT_FLOW_END, 60, owner[0]);
  point (sink, 12, TT_FLOW_START, 5, owner[4]);
  point (sink, 13, TT_FLOW_START, 5, owner[5]);
  point (sink, 14, TT_FLOW_START, 15, owner[0]);
  point (sink, 14, TT_FLOW_END, 60, owner[2]);
  tt_sink_args_merge (sink, first, chrome_args (sink, "{\"c\":true,\"a\":{\"x\":[]}}"));
  tt_sink_label_process (sink, q, "is", 5);
  tt_sink_label_thread (sink, a, "first", 3);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);

  /* Another file, whose ids go on. */
  tt_sink_begin_source (sink, "tau", "b", TT_CLOCK_EPOCH);
  g_autofree char *digits = g_strnfill (3 << 20, '7');
  g_autofree char *value = g_strdup_printf ("{\"long\":\"%s\"}", digits);
  gsize len = strlen (value);
  guint64 id = 0;
  for (gsize at = 0; at < len; at += 100000)
    id = tt_sink_args_piece (sink, len, at, value + at, MIN (100000u, len - at));
  guint32 next = tt_sink_new_owner (sink), last = tt_sink_new_owner (sink);
  point (sink, 1, TT_FLOW_START, 200, next);
  point (sink, 1, TT_FLOW_END, 210, last);
  complete (sink, a, launch, 200, 205, next, id);
  complete (sink, b, kernel, 210, 215, last, chrome_args (sink, "{\"d\":4}"));
  tt_sink_args_merge (sink, id, chrome_args (sink, "[]"));
  tt_sink_end_source (sink, 1, "b", TT_CLOCK_EPOCH);
}

static const char *const flow_lines[] = {
  "\"args\":{\"name\":\"gpu: is\",\"pid\":\"gpu\",\"label\":\"is\",\"rank\":5}}",
  /* Ranks come first. */
  "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":5,\"args\":{\"sort_index\":0}}",
  "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":6,\"args\":{\"sort_index\":1}}",
  "\"args\":{\"name\":\"main: first\",\"tid\":\"main\",\"label\":\"first\"}}",
  "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":6,\"tid\":1,\"args\":{\"sort_index\":3}}",
  "\"cnt\":0,\"a\":{\"x\":[]},\"b\":2,\"c\":true}}",
  "\"cnt\":1,\"c\":3}}",
  "\"cnt\":3,\"d\":4}}",
  "{\"name\":\"ac2g\",\"cat\":\"ac2g\",\"ph\":\"s\",\"id\":3,\"ts\":0.002,\"pid\":6,\"tid\":1,\"args\":{}}",
  "{\"name\":\"ac2g\",\"cat\":\"ac2g\",\"ph\":\"f\",\"bp\":\"e\",\"id\":3,\"ts\":0.04,\"pid\":5,\"tid\":7,\"args\":{}"
  "}",
  "\"ph\":\"s\",\"id\":5,\"ts\":0.02,\"pid\":6,\"tid\":1,",
  "\"ph\":\"f\",\"bp\":\"e\",\"id\":5,\"ts\":0.05,\"pid\":5,\"tid\":8,",
  "\"ph\":\"s\",\"id\":7,\"ts\":0.05,\"pid\":5,\"tid\":8,",
  "\"ph\":\"f\",\"bp\":\"e\",\"id\":7,\"ts\":0.089,\"pid\":5,\"tid\":7,",
  "{\"name\":\"a \\\"kind\\\"\",\"cat\":\"a \\\"kind\\\"\",\"ph\":\"s\",\"id\":11,",
  "\"ph\":\"f\",\"bp\":\"e\",\"id\":13,\"ts\":0.2,",
  ",\"long\":\"7777777",
  NULL,
};

static const char *const merged_lines[] = { "\"cnt\":0,\"a\":{\"x\":[]},\"b\":2,\"c\":true}}", NULL };

static void
fill_long_args (TtSink *sink)
{
  g_autofree char *text = g_strnfill (TT_LONG_ARGS + 1, ' ');

  text[0] = '{';
  text[TT_LONG_ARGS] = '}';
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "t", NULL, 0);
  complete (sink, a, chrome_name (sink, "x", NULL, "COMP", NULL), 1, 2, 0, tt_sink_args (sink, text, TT_LONG_ARGS + 1));
  complete (sink, a, chrome_name (sink, "x", NULL, "COMP", NULL), 3, 4, 0, chrome_args (sink, "{\"a\":1}"));
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

static const char *const long_lines[] = { "\"cnt\":0}}", "\"cnt\":1,\"a\":1}}", NULL };

static void
test_long_values_are_whole (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *with_flows = chrome_write (fill_flows, &options, &report, NULL);

  g_assert_cmpuint (strlen (with_flows), >, 3 << 20);
  report = (TtExportReport){ 0 };
  g_autofree char *without_long_args = chrome_write (fill_long_args, &options, &report, NULL);
  g_assert_cmpuint (strlen (without_long_args), <, 2000);
}

static const ChromeCase cases[] = {
  {
      .path = "/chrome/flows-arguments-and-labels",
      .fill = fill_flows,
      .report = "spans 7, flows 5, flows lost 1, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .has = flow_lines,
  },
  {
      .path = "/chrome/part-of-flows/process",
      .fill = fill_flows,
      .filter = "pid=gpu",
      .check = "--part",
      .report = "spans 4, flows 1, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .counts = { { "\"ph\":\"s\"", 1 } },
  },
  {
      .path = "/chrome/part-of-flows/name",
      .fill = fill_flows,
      .filter = "name=RT.launch",
      .check = "--part",
      .report = "spans 3, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .counts = { { "\"ph\":\"s\"", 0 } },
  },
  {
      .path = "/chrome/part-of-flows/processes",
      .fill = fill_flows,
      .filter = "pid=gpu,host",
      .check = "--part",
      .report = "spans 7, flows 5, flows lost 1, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .counts = { { "\"ph\":\"s\"", 5 } },
  },
  {
      .path = "/chrome/part-of-flows/rank",
      .fill = fill_flows,
      .filter = "rank=5",
      .check = "--part",
      .report = "spans 4, flows 1, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .counts = { { "\"ph\":\"s\"", 1 } },
  },
  {
      .path = "/chrome/part-of-flows/template",
      .fill = fill_flows,
      .options.language = &tt_chrome_language_template,
      .check = "--template",
      .report = "spans 7, args_not_merged 1, flow_without_span 1, flow_unpaired 1",
      .has = merged_lines,
  },
  {
      .path = "/chrome/long-arguments",
      .fill = fill_long_args,
      .report = "spans 2, long arguments 1",
      .has = long_lines,
  },
};

/* -- flows between events ---------------------------------------------------------------------------------- */

static void
fill_flows_of_events (TtSink *sink)
{
  static const TtRawName main_name = { .raw = "main", .op_cat = "COMP" };
  const TtFlowKind *kind = tt_flow_kind ("retain");

  tt_sink_begin_source (sink, "pi", "run", TT_CLOCK_EPOCH);
  guint32 process = tt_sink_process (sink, "p", NULL, NULL, -1);
  guint32 thread = tt_sink_thread (sink, process, "t", NULL, 0), name = tt_sink_name (sink, &main_name);
  guint64 first = tt_sink_event (sink, thread, name, T0, 10, 10, 0, 0, TT_NO_STEP, 0);
  guint64 second = tt_sink_event (sink, thread, name, T0 + 20, 10, 10, 0, 0, TT_NO_STEP, 0);
  tt_sink_flow (sink, first, second, kind);
  tt_sink_flow (sink, first, second, kind);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_EPOCH);
}

/* What goes by without a database is told: the arrows between events that are written already. */
static void
test_flows_of_events (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = chrome_convert (fill_flows_of_events, &options, &report, FALSE, &error);

  require_no_error (error);
  require_nonnull (text);
  g_assert_cmpuint (report.n_spans, ==, 2);
  g_assert_cmpuint (report.n_flows, ==, 0);
  g_assert_cmpuint (report.n_flows_lost, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/chrome/flows-of-events", test_flows_of_events);
  chrome_add_cases (cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/chrome/long-values-are-whole", test_long_values_are_whole);
  return g_test_run ();
}
