/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/nest.h"

#include "tests/formats/chrome-test.h"

static void
fill_small (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 p0 = tt_sink_process (sink, "node0", NULL, NULL, 0);
  guint32 p1 = tt_sink_process (sink, "node1", "the \"second\"", NULL, 1);
  guint32 p2 = tt_sink_process (sink, "other\n", NULL, NULL, -1);
  guint32 a = tt_sink_thread (sink, p0, "0", NULL, 0);
  guint32 b = tt_sink_thread (sink, p1, "0", NULL, 0);
  guint32 c = tt_sink_thread (sink, p1, "gpu stream", "Stream", 7);
  guint32 d = tt_sink_thread (sink, p2, "1", NULL, 0);
  guint32 main_name = chrome_name (sink, "main", "TAU_USER", "COMP", NULL);
  guint32 main_again = chrome_name (sink, "main", "TAU_DEFAULT", "COMP", NULL);
  guint32 send =
      tt_sink_name (sink, &(TtRawName){ .raw = "MPI_Send()", .group = "MPI", .op_cat = "Comm", .sub_op = "SEND" });
  guint32 recv =
      tt_sink_name (sink, &(TtRawName){ .raw = "MPI_Recv()", .group = "MPI", .op_cat = "Comm", .sub_op = "RECV" });
  guint32 chunk = chrome_name (sink, "3+4", NULL, "Comm", "0_1_6_0");
  guint32 mark = chrome_name (sink, "mark \\ \"x\"", NULL, "COMP", NULL);
  guint32 bytes = tt_sink_series (sink, "bytes", "B", FALSE);
  guint32 load = tt_sink_series (sink, "load", NULL, FALSE);
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  TtNestThread *na = tt_nest_thread (nest, a, p0), *nb = tt_nest_thread (nest, b, p1);
  TtNestThread *nc = tt_nest_thread (nest, c, p1), *nd = tt_nest_thread (nest, d, p2);

  tt_nest_enter (nest, na, main_name, T0, 0);
  tt_nest_enter (nest, na, send, T0 + 1500, 1);
  tt_nest_half (nest, na, &(TtNestHalf){ .ts_ns = T0 + 1500, .tag = 5, .bytes = 100, .peer = p1, .is_send = TRUE });
  tt_nest_leave (nest, na, send, T0 + 3000, 2);
  tt_nest_enter (nest, na, main_again, T0 + 4000, 3);
  tt_nest_leave (nest, na, main_again, T0 + 4001, 4);
  tt_nest_half (nest, na, &(TtNestHalf){ .ts_ns = T0 + 5000, .tag = 6, .bytes = 1, .peer = p1, .is_send = TRUE });
  tt_nest_leave (nest, na, main_name, T0 + 10000, 5);

  tt_nest_enter (nest, nb, main_name, T0 + 100, 6);
  tt_nest_enter (nest, nb, recv, T0 + 200, 7);
  tt_nest_half (nest, nb, &(TtNestHalf){ .ts_ns = T0 + 6000, .tag = 5, .bytes = 4096, .peer = p0 });
  tt_nest_leave (nest, nb, recv, T0 + 6000, 8);
  tt_nest_leave (nest, nb, main_name, T0 + 9000, 9);

  const TtNestSpan first = {
    .ts_ns = T0 + 50,
    .end_ns = T0 + 60,
    .args = chrome_args (sink, "{\"size\": 12, \"size\": 13, \"name\": \"no\",\n \"list\": [1, {}]}"),
    .offset = 10,
    .name = chunk,
    .step = 3,
  };
  tt_nest_span (nest, nc, &first);
  const TtNestSpan instant = {
    .ts_ns = T0 + 70, .args = chrome_args (sink, "{\"cnt\":4}"), .offset = 11, .name = mark, .step = TT_NO_STEP
  };
  tt_nest_moment (nest, nc, &instant);
  const TtNestSpan second = {
    .ts_ns = T0 + 80,
    .end_ns = T0 + 95,
    .args = chrome_args (sink, "{\"broken\": tru}"),
    .offset = 12,
    .name = chunk,
    .flags = TT_FLAG_INFERRED,
    .step = 4,
  };
  tt_nest_span (nest, nc, &second);
  tt_nest_half (nest, nd, &(TtNestHalf){ .ts_ns = T0 + 77, .tag = 9, .bytes = 3, .peer = p0 });

  tt_sink_counter_int (sink, bytes, a, T0 + 10, 7);
  tt_sink_counter_int (sink, bytes, b, T0 + 10, -7);
  tt_sink_counter_int (sink, bytes, c, T0 + 10, 8);
  tt_sink_counter_real (sink, load, a, T0 + 10, 0.1);
  tt_sink_counter_real (sink, load, a, T0 + 11, g_ascii_strtod ("inf", NULL));
  tt_sink_counter_real (sink, load, a, T0 + 12, 9.95);
  tt_sink_counter_real (sink, load, a, T0 + 13, 1.0 / 3);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_EPOCH);
}

static const char *const small_lines[] = {
  "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"node1: the "
  "\\\"second\\\"\",\"pid\":\"node1\",\"label\":\"the \\\"second\\\"\",\"rank\":1}}",
  "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"other\\n\",\"pid\":\"other\\n\"}}",
  /* Perfetto makes a tid 0 the pid, so it is that. */
  "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"thread 0\",\"tid\":\"0\"}}",
  "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"gpu stream: Stream\","
  "\"tid\":\"gpu stream\",\"label\":\"Stream\"}}",
  "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":2,\"args\":{\"sort_index\":7}}",
  "{\"name\":\"COMP.main\",\"cat\":\"COMP,TAU_USER\",\"ph\":\"X\",\"ts\":0,\"dur\":10,\"pid\":0,\"tid\":0,"
  "\"args\":{\"name\":\"COMP.main\",\"op_long_name\":\"node0->COMP.main\",\"cnt\":0}}",
  /* One long name, though its group differs. */
  "{\"name\":\"COMP.main\",\"cat\":\"COMP,TAU_DEFAULT\",\"ph\":\"X\",\"ts\":4,\"dur\":0.001,\"pid\":0,\"tid\":0,"
  "\"args\":{\"name\":\"COMP.main\",\"op_long_name\":\"node0->COMP.main\",\"cnt\":1}}",
  "\"raw_name\":\"MPI_Send()\",\"cnt\":0}}",
  "{\"name\":\"Comm.3+4\",\"cat\":\"Comm\",\"ph\":\"X\",\"ts\":0.05,\"dur\":0.01,\"pid\":1,\"tid\":2,"
  "\"args\":{\"name\":\"Comm.3+4~>0_1_6_0\",\"op_long_name\":\"node1->Comm.3+4~>0_1_6_0\",\"cnt\":0,\"step\":3,"
  "\"size\": 12,\"source_name\": \"no\",\"list\": [1, {}]}}",
  "\"cnt\":1,\"step\":4,\"flags\":\"inferred\"}}",
  "\"cat\":\"COMP\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.07,\"pid\":1,\"tid\":2,\"args\":{",
  ",\"source_cnt\":4}}",
  "{\"name\":\"bytes\",\"ph\":\"C\",\"id\":\"gpu stream\",\"ts\":0.01,\"pid\":1,\"tid\":2,\"args\":{\"B\":8}}",
  "{\"name\":\"load\",\"ph\":\"C\",\"ts\":0.01,\"pid\":0,\"tid\":0,\"args\":{\"value\":0.1}}",
  /* The shortest text that reads back as the same number, with 15 to 17 digits: 9.95 is 9.949999999999999 with 16. */
  "\"ts\":0.012,\"pid\":0,\"tid\":0,\"args\":{\"value\":9.95}}",
  "\"ts\":0.013,\"pid\":0,\"tid\":0,\"args\":{\"value\":0.3333333333333333}}",
  "{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\",\"id\":2,\"ts\":1.5,\"pid\":0,\"tid\":0,"
  "\"args\":{\"bytes\":100,\"tag\":5,\"comm\":0,\"src\":\"node0\",\"src_tid\":\"0\",\"dst\":\"node1\",\"dst_tid\":"
  "\"0\"}}",
  /* Received when its span ends: a viewer would not bind it there. */
  "\"ph\":\"f\",\"bp\":\"e\",\"id\":2,\"ts\":5.999,",
  "{\"name\":\"unmatched send\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":5,\"pid\":0,\"tid\":0,"
  "\"args\":{\"bytes\":1,\"tag\":6,\"comm\":0,\"src\":\"node0\",\"src_tid\":\"0\",\"dst\":\"node1\"}}",
  "{\"name\":\"unmatched recv\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.077,\"pid\":2,\"tid\":1,",
  "{\"otherData\":{\"tool\":\"tracetool\",\"version\":\"" PACKAGE_VERSION
  "\",\"clocks\":{\"epoch\":{\"first_ns\":1700000000000000000}}},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n",
  NULL,
};

static const char *const template_lines[] = {
  "{\"name\":\"Comm.3+4\",\"cat\":\"Comm\",\"ph\":\"X\",\"ts\":0.05,\"dur\":0.01,\"pid\":\"node1\",\"tid\":\"gpu "
  "stream\","
  "\"args\":{\"name\":\"Comm.3+4~>0_1_6_0\",\"cnt\":0,\"step\":3,\"size\": 12,\"source_name\": \"no\",\"list\": [1, "
  "{}]}}",
  NULL,
};

static const char *const absolute_lines[] = {
  "\"ts\":1700000000000004,\"dur\":0.001,",
  "{\"epoch\":{\"first_ns\":0}}",
  NULL,
};

static const char *const highlight_lines[] = {
  "\"raw_name\":\"MPI_Send()\",\"cnt\":0,\"critical_path\":true}}",
  "\"raw_name\":\"MPI_Recv()\",\"cnt\":0,\"critical_path\":true}}",
  NULL,
};

/* What overlaps the window stays whole, and cnt is that of the whole run. */
static const char *const window_lines[] = {
  "\"ts\":4,\"dur\":0.001,\"pid\":0,\"tid\":0,\"args\":{\"name\":\"COMP.main\","
  "\"op_long_name\":\"node0->COMP.main\",\"cnt\":1",
  "\"ts\":0,\"dur\":10,",
  NULL,
};

static const char *const flag_lines[] = { "\"cnt\":1,\"step\":4", NULL };

static void
fill_clocks (TtSink *sink)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 p0 = tt_sink_process (sink, "host", NULL, NULL, -1);
  guint32 a = tt_sink_thread (sink, p0, "0", NULL, 0);
  guint32 main_name = chrome_name (sink, "main", NULL, "COMP", NULL);
  TtNestThread *na = tt_nest_thread (nest, a, p0);
  tt_nest_enter (nest, na, main_name, T0, 0);
  tt_nest_leave (nest, na, main_name, T0 + 1500, 1);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_EPOCH);

  tt_sink_begin_source (sink, "other", "b", TT_CLOCK_TICKS);
  guint32 p1 = tt_sink_process (sink, "gpu", NULL, NULL, -1);
  guint32 b = tt_sink_thread (sink, p1, "0", NULL, 0);
  guint32 kernel = chrome_name (sink, "kernel", NULL, "COMP", NULL);
  guint32 cache = tt_sink_series (sink, "cache", NULL, FALSE);
  TtNestThread *nb = tt_nest_thread (nest, b, p1);
  tt_nest_enter (nest, nb, kernel, 1000, 0);
  tt_nest_leave (nest, nb, kernel, 1234, 1);
  tt_sink_counter_int (sink, cache, b, 1001, 5);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "i", TT_CLOCK_TICKS);
}

static const char *const clock_lines[] = {
  "\"ts\":0,\"dur\":1.5,\"pid\":1,",
  "\"ts\":0,\"dur\":234,\"pid\":2,",
  "\"ph\":\"C\",\"ts\":1,\"pid\":2,",
  "\"clocks\":{\"epoch\":{\"first_ns\":1700000000000000000},\"ticks\":{\"first_ticks\":1000}}",
  NULL,
};

/* A clock that steps back. */
static void
fill_overlap (TtSink *sink)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 p = tt_sink_process (sink, "node0", NULL, NULL, 0);
  guint32 a = tt_sink_thread (sink, p, "0", NULL, 0);
  guint32 q = tt_sink_process (sink, "node1", NULL, NULL, 1);
  guint32 b = tt_sink_thread (sink, q, "0", NULL, 0);
  guint32 outer = chrome_name (sink, "outer", NULL, "COMP", NULL),
          inner = chrome_name (sink, "inner", NULL, "COMP", NULL);
  TtNestThread *na = tt_nest_thread (nest, a, p), *nb = tt_nest_thread (nest, b, q);

  tt_nest_enter (nest, na, outer, 100, 0);
  tt_nest_enter (nest, na, inner, 90, 1);
  tt_nest_half (nest, na, &(TtNestHalf){ .ts_ns = 95, .tag = 1, .bytes = 1, .peer = q, .is_send = TRUE });
  tt_nest_leave (nest, na, inner, 120, 2);
  tt_nest_half (nest, na, &(TtNestHalf){ .ts_ns = 130, .tag = 2, .bytes = 1, .peer = q, .is_send = TRUE });
  tt_nest_leave (nest, na, outer, 150, 3);
  tt_nest_enter (nest, nb, inner, 80, 4);
  tt_nest_half (nest, nb, &(TtNestHalf){ .ts_ns = 85, .tag = 1, .bytes = 1, .peer = p });
  tt_nest_leave (nest, nb, inner, 99, 5);
  tt_nest_enter (nest, nb, inner, 99, 6);
  tt_nest_half (nest, nb, &(TtNestHalf){ .ts_ns = 100, .tag = 2, .bytes = 1, .peer = p });
  tt_nest_leave (nest, nb, inner, 100, 7);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_RELATIVE);
}

static const char *const overlap_lines[] = {
  /* inner begins before outer: outer moves to a further line of the same name */
  "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":1,\"args\":{\"name\":\"thread 0\",\"tid\":\"0\"}}",
  "\"ts\":0.02,\"dur\":0.05,\"pid\":0,\"tid\":1,",
  /* received before it was sent, but the spans overlap */
  "\"ph\":\"s\",\"id\":2,\"ts\":0.015,",
  "\"ph\":\"f\",\"bp\":\"e\",\"id\":2,\"ts\":0.015,",
  /* and here they do not: no arrow can show it; the span around the send is on the further line */
  "{\"name\":\"send\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.05,\"pid\":0,\"tid\":1,",
  "{\"name\":\"recv\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.02,\"pid\":1,",
  NULL,
};

static void
fill_nothing (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  tt_sink_end_source (sink, 0, "h", TT_CLOCK_RELATIVE);
}

static const char *const empty_lines[] = { "\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]", NULL };

static const ChromeCase cases[] = {
  {
      .path = "/chrome/lines-are-as-specified",
      .fill = fill_small,
      .report = "spans 7, instants 1, counters 6, messages 3, dropped 1", /* the dropped one is infinite */
      .has = small_lines,
  },
  {
      .path = "/chrome/template",
      .fill = fill_small,
      .options.language = &tt_chrome_language_template,
      .check = "--template",
      .report = "spans 7",
      .starts = "{\"traceEvents\":[\n{\"name\":\"COMP.main\",\"cat\":\"operator\",\"ph\":\"X\",\"ts\":0,\"dur\":10,"
                "\"pid\":\"node0\",\"tid\":\"0\",\"args\":{\"name\":\"COMP.main\",\"cnt\":0}},\n",
      .ends = "\n],\"all_prefix\":[\"node0\",\"node1\"],\"metadata\":{\"tool\":\"tracetool\"}}\n",
      .has = template_lines,
      .counts = { { "\"ph\":", 7 } },
  },
  {
      .path = "/chrome/absolute-times",
      .fill = fill_small,
      .options.absolute = TRUE,
      .report = "spans 7, instants 1, counters 6, messages 3, dropped 1",
      .has = absolute_lines,
  },
  {
      .path = "/chrome/highlight",
      .fill = fill_small,
      .highlight = (const guint64[]){ 1, 4, 0 },
      .report = "spans 7, instants 1, counters 6, messages 3, dropped 1",
      .has = highlight_lines,
      .counts = { { "\"cname\":\"terrible\",\"ph\":\"X\"", 2 } },
  },
  {
      .path = "/chrome/selection/name",
      .fill = fill_small,
      .filter = "name=COMP.main",
      .check = "--part",
      .report = "spans 3, counters 6, messages 2, dropped 1",
      .counts = { { "\"ph\":\"s\"", 0 }, { "\"ph\":\"X\"", 3 } },
  },
  {
      .path = "/chrome/selection/process",
      .fill = fill_small,
      .filter = "pid=node1",
      .check = "--part",
      .report = "spans 4, instants 1, counters 2",
      .counts = { { "process_name", 1 }, { "\"ph\":\"f\"", 0 } },
  },
  {
      .path = "/chrome/selection/window",
      .fill = fill_small,
      .window = "3500:5000",
      .check = "--part",
      .report = "spans 4, messages 1",
      .has = window_lines,
      .counts = { { "\"ph\":\"C\"", 0 } },
  },
  {
      .path = "/chrome/selection/flags",
      .fill = fill_small,
      .filter = "flags=inferred",
      .check = "--part",
      .report = "spans 1, counters 6, messages 1, dropped 1",
      .has = flag_lines,
  },
  {
      .path = "/chrome/selection/nothing",
      .fill = fill_small,
      .filter = "pid=nobody",
      .check = "--part",
      .report = "",
      .counts = { { "\"ph\":", 0 } },
  },
  {
      .path = "/chrome/clocks-are-apart",
      .fill = fill_clocks,
      .report = "spans 2, counters 1, mixed clocks 1",
      .has = clock_lines,
  },
  {
      .path = "/chrome/overlapping-spans-get-a-line",
      .fill = fill_overlap,
      .report = "spans 4, messages 2",
      .has = overlap_lines,
      .counts = { { "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,", 2 } },
  },
  {
      /* What is measured first for a limit leaves no line behind. */
      .path = "/chrome/overlapping-spans-below-a-limit",
      .fill = fill_overlap,
      .options = { .max_bytes = 1 << 20 },
      .check = "--part",
      .report = "spans 4, messages 2, shortest kept ns 1",
      .has = overlap_lines,
      .counts = { { "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,", 2 } },
  },
  {
      .path = "/chrome/empty",
      .fill = fill_nothing,
      .check = "--part",
      .report = "",
      .has = empty_lines,
  },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  chrome_add_cases (cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
