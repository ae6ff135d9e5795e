/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/chrome-test.h"

/* What viewers demand: where lines, lanes and the ends of arrows lie. That they show it so: tests/cli/viewers.sh. */

typedef struct
{
  TtSink *sink;
  guint32 name, process, thread;
} Trace;

static Trace
begin (TtSink *sink, const char *pid, const char *tid)
{
  Trace self = { .sink = sink };

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  self.process = tt_sink_process (sink, pid, NULL, NULL, -1);
  self.thread = tt_sink_thread (sink, self.process, tid, NULL, 0);
  self.name = chrome_name (sink, "call", NULL, "COMP", NULL);
  return self;
}

static guint64
add (const Trace *self, guint32 thread, gint64 ts_ns, gint64 dur_ns, guint32 depth, guint32 flags)
{
  gint64 self_ns = dur_ns == TT_NO_TIME ? 0 : dur_ns;

  return tt_sink_event (self->sink, thread, self->name, ts_ns, dur_ns, self_ns, depth, flags, TT_NO_STEP, 0);
}

static void
end (const Trace *self)
{
  tt_sink_end_source (self->sink, 1, "h", TT_CLOCK_RELATIVE);
}

/* -- lines --------------------------------------------------------------------------------------------------- */

/* 16 on the thread's own line, then 100 on each further one, anew at each time. */
static void
fill_crowd (TtSink *sink)
{
  Trace trace = begin (sink, "1", "0");

  for (int i = 0; i < 216; i++)
    add (&trace, trace.thread, 5, i % 2 == 0 ? TT_NO_TIME : 0, 0, 0);
  for (int i = 0; i < 17; i++)
    add (&trace, trace.thread, 6, TT_NO_TIME, 0, 0);
  end (&trace);
}

/* 900 spans in each other, each 1 ns shorter. */
static void
fill_deep (TtSink *sink)
{
  Trace trace = begin (sink, "p", "7");

  for (guint i = 0; i < 900; i++)
    add (&trace, trace.thread, i, 2000 - 2 * (gint64) i, i, 0);
  end (&trace);
}

/* 300 spans of which each begins in the one before and ends after it: more than lines are tried for. */
static void
fill_crossing (TtSink *sink)
{
  Trace trace = begin (sink, "p", "7");

  for (int i = 0; i < 300; i++)
    add (&trace, trace.thread, i, 1000, 0, TT_FLAG_OVERLAP);
  end (&trace);
}

/* -- lanes --------------------------------------------------------------------------------------------------- */

static void
fill_lanes (TtSink *sink)
{
  Trace trace = begin (sink, "p", "7");

  add (&trace, trace.thread, 0, 100, 0, TT_FLAG_ASYNC);
  add (&trace, trace.thread, 10, 20, 1, TT_FLAG_ASYNC);   /* in the first */
  add (&trace, trace.thread, 20, 30, 1, TT_FLAG_ASYNC);   /* not in the first: crosses the one before */
  add (&trace, trace.thread, 40, 100, 0, TT_FLAG_ASYNC);  /* beside the first */
  add (&trace, trace.thread, 100, 10, 0, TT_FLAG_ASYNC);  /* where the second was */
  add (&trace, trace.thread, 200, TT_NO_TIME, 0, TT_FLAG_ASYNC);
  end (&trace);
}

static const char *const lane_lines[] = {
  "\"ph\":\"b\",\"id2\":{\"local\":1},\"ts\":0,\"pid\":1,\"tid\":7,",
  "\"ph\":\"e\",\"id2\":{\"local\":1},\"ts\":0.1,\"pid\":1,\"tid\":7,\"args\":{\"name\":",
  "\"ph\":\"b\",\"id2\":{\"local\":1},\"ts\":0.01,",
  "\"ph\":\"b\",\"id2\":{\"local\":2},\"ts\":0.02,",
  "\"ph\":\"b\",\"id2\":{\"local\":3},\"ts\":0.04,",
  "\"ph\":\"b\",\"id2\":{\"local\":2},\"ts\":0.1,",
  "\"ph\":\"n\",\"id2\":{\"local\":1},\"ts\":0.2,",
  NULL,
};

/* -- arrows -------------------------------------------------------------------------------------------------- */

static guint32
owned (const Trace *self, guint32 thread, gint64 ts_ns, gint64 dur_ns, guint32 depth, guint32 flags)
{
  guint32 owner = tt_sink_new_owner (self->sink);

  tt_sink_owner (self->sink, owner, add (self, thread, ts_ns, dur_ns, depth, flags));
  return owner;
}

static void
arrow (const Trace *self, guint64 key, guint32 from, gint64 from_ns, guint32 to, gint64 to_ns)
{
  const TtFlowKind *kind = tt_flow_kind ("go");
  const TtSinkFlowPoint first = { .key = key, .kind = kind, .phase = TT_FLOW_START, .owner = from, .ts_ns = from_ns };
  const TtSinkFlowPoint second = { .key = key, .kind = kind, .phase = TT_FLOW_END, .owner = to, .ts_ns = to_ns };

  tt_sink_flow_point (self->sink, &first);
  tt_sink_flow_point (self->sink, &second);
}

static void
fill_arrows (TtSink *sink)
{
  Trace trace = begin (sink, "p", "1");
  guint32 other = tt_sink_thread (sink, trace.process, "2", NULL, 0);
  guint32 receiver = owned (&trace, other, 0, 1000, 0, 0);
  guint32 sender = owned (&trace, trace.thread, 100, 800, 0, 0);

  add (&trace, trace.thread, 150, 50, 1, 0);
  add (&trace, trace.thread, 300, 100, 1, 0);
  guint32 next = owned (&trace, other, 1100, 100, 0, 0);
  guint32 async = owned (&trace, other, 1200, 100, 0, TT_FLAG_ASYNC);
  /* The receiver began first, and the sender is not what began last; at 300 another begins in it. */
  arrow (&trace, 1, sender, 250, receiver, 500);
  arrow (&trace, 2, sender, 300, next, 1150);
  arrow (&trace, 3, sender, 110, next, 1100);
  arrow (&trace, 4, sender, 110, async, 1250);
  end (&trace);
}

static const char *const arrow_lines[] = {
  "{\"name\":\"go\",\"cat\":\"arrow\",\"ph\":\"X\",\"dur\":0,\"ts\":0.25,\"pid\":1,\"tid\":1,\"args\":{}},\n"
  "{\"name\":\"go\",\"cat\":\"go\",\"ph\":\"s\",\"id\":3,\"ts\":0.25,\"pid\":1,\"tid\":1,\"args\":{}}",
  "{\"name\":\"go\",\"cat\":\"arrow\",\"ph\":\"X\",\"dur\":0,\"ts\":0.5,\"pid\":1,\"tid\":2,\"args\":{}},\n"
  "{\"name\":\"go\",\"cat\":\"go\",\"ph\":\"f\",\"bp\":\"e\",\"id\":3,\"ts\":0.5,\"pid\":1,\"tid\":2,\"args\":{}}",
  /* Tied to their spans. */
  "\"cnt\":1}},\n{\"name\":\"go\",\"cat\":\"go\",\"ph\":\"s\",\"id\":7,\"ts\":0.11,",
  "{\"name\":\"go\",\"cat\":\"go\",\"ph\":\"f\",\"bp\":\"e\",\"id\":7,\"ts\":1.1,",
  "{\"name\":\"go\",\"cat\":\"go\",\"ph\":\"f\",\"bp\":\"e\",\"id\":5,\"ts\":1.15,",
  "{\"name\":\"go\",\"cat\":\"arrow\",\"ph\":\"X\",\"dur\":0,\"ts\":1.25,\"pid\":1,\"tid\":2,\"args\":{}},\n",
  NULL,
};

static const ChromeCase cases[] = {
  {
      .path = "/chrome/viewers/events-of-one-time",
      .fill = fill_crowd,
      .report = "spans 108, instants 125, aside 201",
      .counts = { { "\"name\":\"thread_name\"", 3 },
                  { "\"ts\":0,\"pid\":1,\"tid\":1,", 8 },
                  { "\"ts\":0,\"dur\":0,\"pid\":1,\"tid\":1,", 8 },
                  { "\"ts\":0.001,\"pid\":1,\"tid\":1,", 16 } },
  },
  {
      .path = "/chrome/viewers/deep-spans",
      .fill = fill_deep,
      .report = "spans 900, aside 500",
      .counts = { { "\"name\":\"thread_name\"", 3 }, { "\"tid\":8,\"args\":{\"name\":\"COMP.call\"", 400 },
                  { "\"tid\":9,\"args\":{\"name\":\"COMP.call\"", 100 } },
  },
  {
      .path = "/chrome/viewers/crossing-spans",
      .fill = fill_crossing,
      .report = "spans 300, unnested 43",
      .counts = { { "\"name\":\"thread_name\"", 257 }, { "\"ph\":\"X\"", 257 }, { "\"ph\":\"b\"", 43 },
                  { "\"ph\":\"e\"", 43 } },
  },
  {
      .path = "/chrome/viewers/lanes",
      .fill = fill_lanes,
      .report = "spans 5, instants 1",
      .has = lane_lines,
  },
  {
      .path = "/chrome/viewers/arrows",
      .fill = fill_arrows,
      .report = "spans 6, flows 4",
      .has = arrow_lines,
      .counts = { { "\"cat\":\"arrow\"", 4 } },
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
