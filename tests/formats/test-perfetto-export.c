/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/perfetto-export.h"

#include "tests/formats/chrome-test.h"

#include <string.h>

static guint64
span (TtSink *sink, guint32 thread, guint32 name, gint64 begin, gint64 end, guint32 depth, guint32 flags)
{
  return tt_sink_event (sink, thread, name, T0 + begin, end - begin, end - begin, depth, flags, TT_NO_STEP, 0);
}

/* -- all there is ---------------------------------------------------------------------------------------- */

static void
fill_all (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 p = tt_sink_process (sink, "node0", NULL, NULL, 0), q = tt_sink_process (sink, "node1", "second", NULL, 1);
  guint32 a = tt_sink_thread (sink, p, "0", NULL, 0), b = tt_sink_thread (sink, q, "gpu", "stream", -7);
  guint32 main_name = chrome_name (sink, "main", "TAU_USER", "COMP", NULL);
  guint32 chunk = chrome_name (sink, "3+4", NULL, "Comm", "0_1");
  guint32 call = tt_sink_name (sink, &(TtRawName){ .raw = "MPI_Send()", .op_cat = "Comm", .sub_op = "SEND" });
  guint32 bytes = tt_sink_series (sink, "memory", "B", FALSE), load = tt_sink_series (sink, "load", NULL, FALSE);
  guint64 args = chrome_args (sink, "{\"size\": 12, \"name\": \"no\", \"list\": [1, {\"x\": 0.5}]}");

  span (sink, a, call, 2, 4, 1, 0);
  span (sink, a, main_name, 0, 10, 0, TT_FLAG_UNCLOSED);
  tt_sink_event (sink, b, chunk, T0 + 5, 3, 3, 0, 0, 4, args);
  tt_sink_event (sink, b, main_name, T0 + 6, TT_NO_TIME, 0, 1, 0, TT_NO_STEP, 0);
  span (sink, b, chunk, 8, 8, 0, 0);
  tt_sink_counter_int (sink, bytes, a, T0 + 1, G_MAXINT64);
  tt_sink_counter_int (sink, bytes, b, T0 + 1, -7);
  tt_sink_counter_real (sink, load, b, T0 + 9, 0.1);
  tt_sink_counter_real (sink, load, b, T0 + 9, g_ascii_strtod ("inf", NULL));
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

/* Number 0 becomes one that readers show; the order is that of the ranks. */
#define ALL_BEGINS                                        \
  "root processes explicit threads explicit cleared first\n" \
  "attribute 'tool' 'tracetool'\n"                        \
  "attribute 'version' '" PACKAGE_VERSION "'\n"

static const char *const all_lines[] = {
  "\nattribute 'epoch.first_ns' 1700000000000000000\n"
  "process 10: pid 2 'node0' rank 0\n"
  "process 18: pid 1 'node1: second' label 'second' rank 1\n"
  "thread 9: pid 2 tid 2 'thread 0' rank 0\n"
  "thread 17: pid 1 tid 1 'gpu: stream' rank -7\n"
  "begin 0 on 9: 'COMP.main' [COMP,TAU_USER] name=#'COMP.main' op_long_name=#'node0->COMP.main' cnt=0 "
  "flags='unclosed'\n"
  "end 10 on 9:\n"
  "counter 13 in 10: 'memory' unit 'B'\n"
  "count 1 on 13: 9223372036854775807\n"
  "counter 21 in 18: 'memory' unit 'B'\n"
  "count 1 on 21: -7\n"
  "begin 2 on 9: 'Comm.MPI_Send.SEND' [Comm] name=#'Comm.MPI_Send.SEND' op_long_name=#'node0->Comm.MPI_Send.SEND' "
  "raw_name=#'MPI_Send()' cnt=0\n"
  "end 4 on 9:\n"
  "begin 5 on 17: 'Comm.3+4' [Comm] name=#'Comm.3+4~>0_1' op_long_name=#'node1->Comm.3+4~>0_1' cnt=0 step=4 size=12 "
  "source_name='no' list=[1 {x=0.5d}]\n"
  "end 8 on 17:\n"
  "instant 6 on 17: 'COMP.main' [COMP,TAU_USER] name=#'COMP.main' op_long_name=#'node1->COMP.main'\n"
  "begin 8 on 17: 'Comm.3+4' [Comm] name=#'Comm.3+4~>0_1' op_long_name=#'node1->Comm.3+4~>0_1' cnt=1\n"
  "end 8 on 17:\n"
  "counter 29 in 18: 'load'\n"
  "count 9 on 29: 0.10000000000000001d\n",
  NULL,
};

static const char *const absolute_lines[] = {
  "attribute 'epoch.first_ns' 0\n",
  "begin 1700000000000000000 on 9: 'COMP.main'",
  "end 1700000000000000010 on 9:\n",
  NULL,
};

/* Of names that are not shown nothing is written. */
static const char *const filtered_lines[] = {
  "begin 5 on 17: 'Comm.3+4' [Comm] name=#'Comm.3+4~>0_1'",
  "begin 8 on 17: 'Comm.3+4' [Comm] name=#'Comm.3+4~>0_1'",
  NULL,
};

static const guint64 highlighted[] = { 1, 0 };
static const char *const highlighted_lines[] = { "raw_name=#'MPI_Send()' cnt=0 critical_path=true\n", NULL };

/* -- arrows ---------------------------------------------------------------------------------------------- */

static void
message (TtSink *sink, guint32 from, guint32 to, gint64 tag, gint64 send, gint64 recv, guint64 sender, guint64 receiver)
{
  guint32 own = 1, peer = 2;

  if (sender != 0)
    {
      guint32 owner = tt_sink_new_owner (sink);
      tt_sink_half (sink, TRUE, FALSE, from, own, peer, tag, 0, T0 + send, 64, owner);
      tt_sink_owner (sink, owner, sender);
    }
  if (receiver != 0)
    {
      guint32 owner = tt_sink_new_owner (sink);
      tt_sink_half (sink, FALSE, FALSE, to, peer, own, tag, 0, T0 + recv, 64, owner);
      tt_sink_owner (sink, owner, receiver);
    }
}

static void
fill_arrows (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 p = tt_sink_process (sink, "p", NULL, NULL, -1), q = tt_sink_process (sink, "q", NULL, NULL, -1);
  guint32 a = tt_sink_thread (sink, p, "a", NULL, 0), b = tt_sink_thread (sink, q, "b", NULL, 0);
  guint32 send = chrome_name (sink, "send", NULL, "Comm", NULL), recv = chrome_name (sink, "recv", NULL, "Comm", NULL);

  guint64 s = span (sink, a, send, 0, 10, 0, 0);
  guint64 early = span (sink, b, recv, 2, 12, 0, 0);
  message (sink, a, b, 1, 1, 11, s, early);
  /* Its receiver began first: an arrow from span to span would point backwards. */
  guint64 late = span (sink, a, send, 30, 35, 0, 0);
  guint64 waiting = span (sink, b, recv, 20, 40, 0, 0);
  message (sink, a, b, 2, 31, 39, late, waiting);
  message (sink, a, b, 3, 32, 0, late, 0);
  /* Two that begin together. */
  span (sink, a, send, 50, 50, 0, 0);
  guint64 longer = span (sink, a, send, 50, 60, 0, 0);
  guint64 last = span (sink, b, recv, 55, 70, 0, 0);
  message (sink, a, b, 4, 52, 65, longer, last);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

#define FACTS(tag) "bytes=64 tag=" #tag " comm=0 src='p' src_tid='a' dst='q' dst_tid='b'"

static const char *const arrow_lines[] = {
  "begin 0 on 9: 'Comm.send' [Comm] name=#'Comm.send' op_long_name=#'p->Comm.send' cnt=0 message_sent=[{" FACTS (
      1) "}] flow 2\n",
  "begin 2 on 17: 'Comm.recv' [Comm] name=#'Comm.recv' op_long_name=#'q->Comm.recv' cnt=0 message_received=[{" FACTS (
      1) "}] flow 2\n",
  "begin 20 on 17: 'Comm.recv' [Comm] name=#'Comm.recv' op_long_name=#'q->Comm.recv' cnt=1\n",
  "instant 32 on 9: [message] 'unmatched send' ",
  "instant 39 on 17: [arrow] 'recv' ",
  " flow 4\n",
  "begin 50 on 9: 'Comm.send' [Comm] name=#'Comm.send' op_long_name=#'p->Comm.send' cnt=2\nend 50 on 9:\n",
  "cnt=3 message_sent=[{" FACTS (4) "}] flow ",
  NULL,
};

/* -- lines ----------------------------------------------------------------------------------------------- */

/* A clock that stepped back; spans that do not lie on the stack. */
static void
fill_lines (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "a", NULL, 0);
  guint32 x = chrome_name (sink, "x", NULL, "COMP", NULL), y = chrome_name (sink, "y", NULL, "COMP", NULL);

  span (sink, a, x, 0, 10, 0, 0);
  span (sink, a, x, 5, 15, 0, 0);
  span (sink, a, y, 20, 30, 0, TT_FLAG_ASYNC);
  span (sink, a, y, 25, 35, 0, TT_FLAG_ASYNC);
  span (sink, a, y, 31, 40, 0, TT_FLAG_ASYNC);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

static const char *const lines_lines[] = {
  " in 9: 'a' rank 2 explicit unmerged\n",
  "track 11 in 10: 'COMP.y' rank 1 explicit unmerged\nbegin 20 on 11: 'COMP.y'",
  "track 19 in 10: 'COMP.y' rank 2 explicit unmerged\nbegin 25 on 19: 'COMP.y'",
  "begin 31 on 11: 'COMP.y'",
  NULL,
};

/* -- times ------------------------------------------------------------------------------------------------ */

static void
fill_negative (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "a", NULL, 0);
  guint32 x = chrome_name (sink, "x", NULL, "COMP", NULL);

  tt_sink_event (sink, a, x, -100, 10, 10, 0, 0, TT_NO_STEP, 0);
  tt_sink_event (sink, a, x, 5, 10, 10, 0, 0, TT_NO_STEP, 0);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_RELATIVE);
}

static const char *const negative_lines[] = {
  "attribute 'relative.first_ns' -100\n", "begin 0 on 9: 'COMP.x'", "begin 105 on 9: 'COMP.x'", NULL,
};

static void
fill_ticks (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_TICKS);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "a", NULL, 0);

  tt_sink_event (sink, a, chrome_name (sink, "x", NULL, "COMP", NULL), 7, 1000, 10, 0, 0, TT_NO_STEP, 0);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_TICKS);
}

static const char *const ticks_lines[] = {
  "attribute 'ticks.first_ticks' 7\n", " 'p [ticks]' ", "begin 0 on 9: 'COMP.x'", "end 1000 on 9:\n", NULL,
};

/* -- --max-size ------------------------------------------------------------------------------------------ */

static void
fill_many (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "a", NULL, 0);

  for (gint64 i = 0; i < 2000; i++)
    {
      g_autofree char *raw = g_strdup_printf ("x%d", (int) (i % 50));
      guint64 args = chrome_args (sink, i % 3 == 0 ? "{\"text\":\"repeated text\",\"n\":1}" : "{\"other\":[1,2]}");

      tt_sink_event (sink, a, chrome_name (sink, raw, NULL, "COMP", NULL), T0 + 1000 * i, i % 500, 0, 0, 0, TT_NO_STEP,
                     args);
    }
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

static void
test_size_is_kept (void)
{
  static const guint64 limits[] = { 20000, 60000, 100000, 1000000 };
  guint64 before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (TtOutput) out = tt_output_open_memory ();
      g_autoptr (GError) error = NULL;
      TtExportOptions options = { .language = &tt_perfetto_language, .max_bytes = limits[i] };
      TtExportReport report = { 0 };
      TtNameRules *rules = tt_name_rules_load (NULL, &error);
      TtSink *sink = tt_chrome_sink_new (out, tt_names_new (rules), &options, &report);

      fill_many (sink);
      tt_sink_finish (sink, &error);
      tt_sink_free (sink);
      g_assert_no_error (error);
      g_assert_cmpuint (tt_output_total (out), <=, limits[i]);
      g_assert_cmpuint (report.n_spans + report.n_dropped, ==, 2000);
      g_assert_cmpuint (report.n_spans, >, before);
      before = report.n_spans;
    }
  g_assert_cmpuint (before, ==, 2000);
}

/* -- the tests ------------------------------------------------------------------------------------------- */

#define PERFETTO .language = &tt_perfetto_language

static const ChromeCase cases[] = {
  {
      .path = "/perfetto-export/all",
      .fill = fill_all,
      .options = { PERFETTO },
      .report = "spans 4, instants 1, counters 3, dropped 1", /* the dropped one is infinite */
      .starts = ALL_BEGINS,
      .has = all_lines,
      .counts = { { "?", 0 }, { "unknown", 0 } },
  },
  {
      .path = "/perfetto-export/absolute",
      .fill = fill_all,
      .options = { PERFETTO, .absolute = TRUE },
      .report = "spans 4, instants 1, counters 3, dropped 1",
      .has = absolute_lines,
  },
  {
      .path = "/perfetto-export/filtered",
      .fill = fill_all,
      .options = { PERFETTO },
      .filter = "suffix=0_1",
      .report = "spans 2, counters 3, dropped 1",
      .has = filtered_lines,
      .counts = { { "main", 0 }, { "MPI_Send", 0 }, { "?", 0 } },
  },
  {
      .path = "/perfetto-export/highlighted",
      .fill = fill_all,
      .options = { PERFETTO },
      .highlight = highlighted,
      .report = "spans 4, instants 1, counters 3, dropped 1",
      .has = highlighted_lines,
      .counts = { { "critical_path", 1 } },
  },
  {
      .path = "/perfetto-export/arrows",
      .fill = fill_arrows,
      .options = { PERFETTO },
      .report = "spans 7, messages 4",
      .has = arrow_lines,
      .counts = { { " flow 2\n", 2 }, { " flow 4\n", 2 }, { "?", 0 } },
  },
  {
      .path = "/perfetto-export/lines",
      .fill = fill_lines,
      .options = { PERFETTO },
      .report = "spans 5",
      .has = lines_lines,
      .counts = { { "track ", 3 } },
  },
  {
      .path = "/perfetto-export/negative-times",
      .fill = fill_negative,
      .options = { PERFETTO, .absolute = TRUE },
      .report = "spans 2",
      .has = negative_lines,
  },
  {
      .path = "/perfetto-export/ticks",
      .fill = fill_ticks,
      .options = { PERFETTO },
      .report = "spans 1",
      .has = ticks_lines,
  },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  chrome_add_cases (cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/perfetto-export/size-is-kept", test_size_is_kept);
  return g_test_run ();
}
