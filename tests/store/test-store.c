/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/clocks.h"
#include "src/store/graph.h"
#include "src/store/statistics.h"
#include "src/store/store.h"

#include <glib/gstdio.h>
#include <string.h>

#include "src/base/error.h"
#include "tests/require.h"
#include "tests/store/store-example.h"

static char *directory;

static char *
fresh_path (void)
{
  static int n;

  return g_strdup_printf ("%s/%d.db", directory, ++n);
}

static TtStore *
import_and_open (const char *path, const ExampleOptions *options, guint n_ranks)
{
  g_autoptr (GError) error = NULL;

  example_import (path, options, example_all_ranks, GUINT_TO_POINTER (n_ranks), &error);
  g_assert_no_error (error);
  TtStore *store = tt_store_open (path, &error);
  g_assert_no_error (error);
  return store;
}

static void
assert_query (TtStore *store, const char *sql, const char *expected)
{
  g_autofree char *text = example_query (store, sql);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_definitions (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 2);
  guint n;

  g_assert_cmpuint (tt_store_runs (store, &n)[0].id, ==, 1);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (tt_store_runs (store, &n)[0].command, ==, "tracetool import example");
  const TtSource *sources = tt_store_sources (store, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (sources[1].path, ==, "tautrace.1.0.0.trc");
  g_assert_cmpstr (sources[1].clock, ==, "epoch");
  g_assert_cmpuint (sources[1].bytes, ==, 24001);
  g_assert_cmpuint (sources[1].n_events, ==, 2 * (EXAMPLE_EVENTS));
  g_assert_cmpuint (sources[1].first_event, ==, sources[0].last_event + 1);
  g_assert_cmpstr (sources[1].repairs, ==, "{\"no_close\":{\"count\":1,\"first_offset\":480}}");
  g_assert_cmpuint (tt_store_n_events (store), ==, 4 * EXAMPLE_EVENTS);
  tt_store_processes (store, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (tt_store_process (store, 2)->rank, ==, 1);
  g_assert_cmpstr (tt_store_process (store, 2)->pid, ==, "node1");
  g_assert_null (tt_store_process (store, 3));
  g_assert_cmpstr (tt_store_thread (store, 2)->tid, ==, "0");
  g_assert_cmpuint (tt_store_thread (store, 2)->process, ==, 2);
  tt_store_series (store, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (tt_store_name (store, 1)->op_cat, ==, "COMP");
  g_autofree char *long_name = tt_store_long_name (store, 2, 1);
  g_assert_cmpstr (long_name, ==, "node1->COMP.compute");

  gint64 first_ns, last_ns;
  g_autoptr (GError) error = NULL;
  g_assert_true (tt_store_time_range (store, &first_ns, &last_ns, &error));
  g_assert_cmpint (first_ns, ==, 1700000000000000000);
  g_assert_cmpint (last_ns, ==, 1700000000001000000 + 100 + 4300);
  g_assert_false (tt_store_clock_range (store, "ticks", &first_ns, &last_ns, &error));
  require_no_error (error);

  TtStoreCounts counts;
  g_assert_true (tt_store_counts (store, &counts, &error));
  g_assert_cmpuint (counts.n_counters, ==, 4);
  g_assert_cmpuint (counts.n_metrics, ==, 4);
  g_assert_cmpuint (counts.n_flows, ==, 4);
  g_assert_cmpuint (counts.n_messages, ==, 4);
  g_assert_cmpuint (counts.n_matched, ==, 4);
  g_assert_cmpuint (counts.message_bytes, ==, 2 * (64 + 65));
  g_assert_cmpuint (counts.n_collectives, ==, 8);
}

static void
test_scan (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ .threaded = TRUE }, 3);

  for (int flags = 0; flags < 4; flags++)
    {
      TtEventScan *scan = tt_event_scan_new (store, (TtScanFlags) flags, &error);
      guint64 n = 0, last = flags & TT_SCAN_REVERSE ? G_MAXUINT64 : 0;
      TtEvent event, again;

      require_no_error (error);
      while (tt_event_scan_next (scan, &event))
        {
          g_assert_true (flags & TT_SCAN_REVERSE ? event.id < last : event.id > last);
          last = event.id;
          n++;
          g_assert_cmpuint (event.source, ==, 1 + (event.id - 1) / (2 * EXAMPLE_EVENTS));
          if (event.step == 3 && event.depth == 1)
            g_assert_cmpstr (event.args, ==, flags & TT_SCAN_ARGS ? "{\"n\":1}" : NULL);
          else
            g_assert_null (event.args);
          g_assert_true (tt_store_event (store, event.id, &again, &error));
          again.args = event.args;
          g_assert_cmpuint (again.depth, ==, event.depth);
          g_assert_cmpuint (again.flags, ==, event.flags);
          g_assert_cmpint (again.dur_ns, ==, event.dur_ns);
          g_assert_cmpint (again.self_ns, ==, event.self_ns);
          g_assert_cmpint (again.ts_ns, ==, event.ts_ns);
          g_assert_cmpuint (again.source, ==, event.source);
        }
      g_assert_cmpuint (n, ==, 6 * EXAMPLE_EVENTS);
      g_assert_true (tt_event_scan_finish (scan, &error));
    }
}

static void
test_views (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 2);

  assert_query (store,
                "SELECT id, source, pid, tid, op_cat, op_name, sub_op, suffix, name, op_long_name, raw_name,"
                " native_group, file, line, ts_ns, dur_ns, self_ns, depth, step, args, flags, run FROM event"
                " WHERE id IN (1, 3, 5)",
                "1|1|node0|0|Comm|MPI_Send|SEND|-|Comm.MPI_Send.SEND|node0->Comm.MPI_Send.SEND|MPI_Send()|MPI|-|-|"
                "1700000000000000900|300|300|1|-|-|-|1\n"
                "3|1|node0|0|COMP|compute|-|-|COMP.compute|node0->COMP.compute|compute [{a.c} {3,1}]|TAU_USER|-|-|"
                "1700000000000003100|100|100|2|3|-|recursive|1\n"
                "5|1|node0|0|COMP|mark|-|-|COMP.mark|node0->COMP.mark|mark|TAU_USER|-|-|"
                "1700000000000003600|-|-|1|-|-|-|1\n");
  assert_query (store, "SELECT * FROM counter WHERE pid = 'node1'",
                "memory|node1|0|KB|0|1700000000000000000|13|1700000000000000000|1\nmemory|node1|0|KB|0|"
                "1700000000000001000|12.5000|1700000000000001000|1\n");
  assert_query (store, "SELECT * FROM metric WHERE event < 7", "4|PAPI_TOT_INS|1000|900|1\n");
  assert_query (store, "SELECT * FROM flow WHERE to_event < 7", "3|4|async|1\n");
  assert_query (store, "SELECT * FROM metadata WHERE process = 1 ORDER BY key",
                "1|-|Executable|a.out|1\n1|1|Hostname|alpha|1\n");
  assert_query (store, "SELECT * FROM process", "1|node0|-|-|0|1|1\n2|node1|-|-|1|2|1\n");
  assert_query (store, "SELECT * FROM thread", "1|1|0|-|1\n2|2|0|-|1\n");
  assert_query (store, "SELECT * FROM collective WHERE ordinal = 1",
                "0|MPI_Allreduce|1|node0|0|7|-|-|1\n0|MPI_Allreduce|1|node1|0|21|-|-|1\n");
}

static void
test_messages (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 3);

  assert_query (store,
                "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, comm, ordinal, recv_ns - send_ns, bytes, send_event,"
                " recv_event, flags FROM message",
                "node0|0|node1|0|7|0|0|1600|64|1|16|-\n"
                "node0|0|node1|0|7|0|1|1600|65|8|23|-\n"
                "node1|0|node2|0|7|0|0|1600|64|15|30|-\n"
                "node1|0|node2|0|7|0|1|1600|65|22|37|-\n"
                "node2|0|node0|0|7|0|0|1300|64|29|2|-\n"
                "node2|0|node0|0|7|0|1|1300|65|36|9|-\n");
}

static void
fill_odd_messages (TtSink *sink, gpointer data)
{
  tt_sink_begin_source (sink, "tau", "x", TT_CLOCK_RELATIVE);
  guint32 p = tt_sink_process (sink, "node0", NULL, NULL, 0), q = tt_sink_process (sink, "node1", NULL, NULL, 1);
  guint32 a = tt_sink_thread (sink, p, "0", NULL, 0), b = tt_sink_thread (sink, p, "1", NULL, 1);
  guint32 c = tt_sink_thread (sink, q, "0", NULL, 0);

  /* Two threads of one sender: by time, but file order on each, where one steps back. */
  tt_sink_half (sink, TRUE, FALSE, a, p, q, 1, 0, 100, 1, 0);
  tt_sink_half (sink, TRUE, FALSE, a, p, q, 1, 0, 90, 2, 0);
  tt_sink_half (sink, TRUE, FALSE, b, p, q, 1, 0, 95, 3, 0);
  for (int i = 0; i < 3; i++)
    tt_sink_half (sink, FALSE, FALSE, c, q, p, 1, 0, 200 + i, 999, 0);
  /* A receive before its send; a wide tag and communicator. */
  tt_sink_half (sink, FALSE, FALSE, c, q, p, G_MAXINT64, -5, 50, 999, 0);
  tt_sink_half (sink, TRUE, FALSE, a, p, q, G_MAXINT64, -5, 300, 4, 0);
  /* One-sided: by id, and the other side may know the length. */
  tt_sink_half (sink, TRUE, TRUE, a, p, p, 77, 1, 400, -1, 0);
  tt_sink_half (sink, TRUE, TRUE, a, p, p, 78, 1, 401, 6, 0);
  tt_sink_half (sink, FALSE, TRUE, b, p, p, 78, 1, 402, 6, 0);
  tt_sink_half (sink, FALSE, TRUE, b, p, p, 77, 1, 403, 5, 0);
  tt_sink_half (sink, FALSE, FALSE, b, p, q, 5, 0, 404, 8, 0);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_RELATIVE);
}

static void
test_odd_messages (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;

  example_import (path, &(ExampleOptions){ 0 }, fill_odd_messages, NULL, &error);
  require_no_error (error);
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  require_no_error (error);
  assert_query (store,
                "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, ordinal, send_ns, recv_ns, bytes, flags FROM message",
                "node0|0|node0|1|77|0|400|403|5|onesided\n"
                "node0|0|node0|1|78|0|401|402|6|onesided\n"
                "node0|1|node1|0|1|0|95|200|3|-\n"
                "node0|0|node1|0|1|1|100|201|1|-\n"
                "node0|0|node1|0|1|2|90|202|2|-\n"
                "node0|0|node1|0|9223372036854775807|0|300|50|4|recv_before_send\n"
                "node1|-|node0|1|5|0|-|404|8|unmatched\n");
}

static gboolean
statistic_row (const TtStatistic *row, gpointer data)
{
  GString *text = data;
  char total[TT_INT128_TEXT], sum[TT_INT128_TEXT];

  g_string_append_printf (text, "%u %u: %" G_GUINT64_FORMAT " total %s sum %s min %d max %d med %d p95 %d\n",
                          row->process, row->name, row->count, tt_int128_text (total, row->total_ns),
                          tt_int128_text (sum, row->sum_ns), (int) row->min_ns, (int) row->max_ns, (int) row->median_ns,
                          (int) row->p95_ns);
  return TRUE;
}

static void
add_statistic (GString *text, TtStore *store, TtStatisticTable table)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_store_each_statistic (store, table, statistic_row, text, &error));
  g_assert_no_error (error);
}

static void
test_statistics (void)
{
  g_autofree char *observed_path = fresh_path (), *scanned_path = fresh_path ();
  g_autoptr (TtStore) observed = import_and_open (observed_path, &(ExampleOptions){ 0 }, 2);
  g_autoptr (TtStore) scanned = import_and_open (scanned_path, &(ExampleOptions){ .scan = TRUE }, 2);
  g_autoptr (GString) one = g_string_new (NULL), two = g_string_new (NULL);

  for (int table = 0; table < 2; table++)
    {
      add_statistic (one, observed, (TtStatisticTable) table);
      add_statistic (two, scanned, (TtStatisticTable) table);
    }
  g_assert_cmpstr (one->str, ==, two->str);
  g_assert_nonnull (strstr (one->str, "1 1: 4 total 1000 sum 1200 min 100 max 500 med 500 p95 500\n"));
  g_assert_nonnull (strstr (one->str, "2 1: 4 total 1000 sum 1202 min 101 max 500 med 500 p95 500\n"));
  g_assert_nonnull (strstr (one->str, "0 1: 8 total 2000 sum 2402 min 100 max 500 med 500 p95 500\n"));
  assert_query (observed, "SELECT * FROM statistic WHERE op_long_name = 'node0->COMP.compute'",
                "node0->COMP.compute|COMP.compute|node0|4|1000|1000|300.0000|100|500|500|500|500|200.0000|1\n");
}

/* Two names with one text, one inside the other: their group is counted once. */
static void
fill_shared_text (TtSink *sink, gpointer data)
{
  tt_sink_begin_source (sink, "tau", "x", TT_CLOCK_RELATIVE);
  guint32 process = tt_sink_process (sink, "node0", NULL, NULL, 0);
  guint32 thread = tt_sink_thread (sink, process, "0", NULL, 0);
  guint32 one = tt_sink_name (sink, &(TtRawName){ .raw = "f", .group = "TAU_USER" });
  guint32 two = tt_sink_name (sink, &(TtRawName){ .raw = "f", .group = "TAU_DEFAULT" });

  g_assert_cmpuint (one, !=, two);
  tt_sink_event (sink, thread, two, 10, 20, 20, 1, 0, TT_NO_STEP, 0);
  tt_sink_event (sink, thread, one, 5, 50, 30, 0, 0, TT_NO_STEP, 0);
  tt_sink_event (sink, thread, two, 60, 10, 10, 0, 0, TT_NO_STEP, 0);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_RELATIVE);
}

static void
test_shared_text (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  example_import (path, &(ExampleOptions){ 0 }, fill_shared_text, NULL, &error);
  require_no_error (error);
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  require_no_error (error);
  add_statistic (text, store, TT_STATISTIC_BY_LONG_NAME);
  g_assert_cmpstr (text->str, ==, "1 1: 3 total 60 sum 80 min 10 max 50 med 20 p95 50\n");
  g_autofree guint32 *first = tt_store_first_names (store, &error);
  g_assert_cmpuint (first[2], ==, 1);
}

/* Another handle has the same runs and clock, or there is none. */
static void
test_open_again (void)
{
  g_autofree char *path = fresh_path (), *other = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 2);
  g_autoptr (GError) error = NULL;
  guint n;

  g_assert_true (tt_store_choose_correction (store, TT_CORRECTION_NONE, &error));
  {
    g_autoptr (TtStore) again = tt_store_open_again (store, &error);

    require_no_error (error);
    g_assert_cmpuint (tt_store_runs (again, &n)[0].id, ==, 1);
    g_assert_cmpuint (tt_store_n_events (again), ==, tt_store_n_events (store));
    g_assert_cmpuint (tt_store_max_thread (again), ==, tt_store_max_thread (store));
  }
  g_autoptr (TtStore) changed = import_and_open (other, &(ExampleOptions){ .command = "tracetool import other" }, 2);
  g_assert_cmpint (g_rename (other, path), ==, 0);
  g_assert_null (tt_store_open_again (store, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "was changed while it was read"));
}

static void
test_query (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 2);

  assert_query (store, "SELECT median (dur_ns), percentile (dur_ns, 95) FROM event", "300|600\n");
  assert_query (store, "SELECT stddev (x) FROM (SELECT 2 AS x UNION ALL SELECT 4)", "1.0000\n");
  assert_query (store, "SELECT x'00ff' ; -- done", "00ff\n");
  assert_query (store, "DELETE FROM event_row",
                "error: query: only statements that read are allowed; the database is not changed\n");
  assert_query (store, "BEGIN", "error: query: only statements that read are allowed; the database is not changed\n");
  assert_query (store, "SELECT 1; SELECT 2", "error: query: more than one statement; give one at a time\n");
  assert_query (store, " ; ", "error: query: there is no statement in it\n");
  assert_query (store, "SELECT tt_collect (1)", "error: query: tt_collect() is for internal use\n");
  assert_query (store, "SELECT nosuch FROM event",
                "error: query: no such column: nosuch\n  SELECT nosuch FROM event\n         ^\n");
  assert_query (store, "SELECT \"nosuch\"", "error: query: no such column: nosuch\n  SELECT \"nosuch\"\n         ^\n");
}

static void
test_save_graph (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) store = import_and_open (path, &(ExampleOptions){ 0 }, 2);
  g_autoptr (GError) error = NULL;
  const TtNodeRow nodes[] = { { "a", 1.5, 2, "{}" }, { "b", 2.5, 1, "{\"sequence\":1.0}" } };
  const TtEdgeRow edges[] = { { "a", "b", "call", 3, 0.5 } };

  for (int i = 0; i < 2; i++)
    {
      tt_store_save_graph (path, 1, &(TtGraphRows){ nodes, 2, edges, 1 }, &error);
      require_no_error (error);
    }
  assert_query (store, "SELECT * FROM node", "a|1.5000|2|{}|1\nb|2.5000|1|{\"sequence\":1.0}|1\n");
  assert_query (store, "SELECT * FROM edge", "a|b|call|3|0.5000|1\n");
}

/* -- many names --------------------------------------------------------------------------------------- */

#define MANY_NAMES 30000u

static void
fill_many_names (TtSink *sink, gpointer data)
{
  tt_sink_begin_source (sink, "tau", "many.trc", TT_CLOCK_RELATIVE);
  for (guint i = 0; i < MANY_NAMES; i++)
    {
      g_autofree char *raw = g_strdup_printf ("f%u (int)", i);
      tt_sink_name (sink, &(TtRawName){ .raw = raw, .group = i % 3 == 0 ? "G" : NULL, .file = "f.c", .line = i });
    }
  tt_sink_end_source (sink, 1, "00", TT_CLOCK_RELATIVE);
}

static void
assert_same_name (const TtStoredName *a, const TtStoredName *b)
{
  require_nonnull (a);
  require_nonnull (b);
  g_assert_cmpuint (a->id, ==, b->id);
  g_assert_cmpstr (a->op_cat, ==, b->op_cat);
  g_assert_cmpstr (a->op_name, ==, b->op_name);
  g_assert_cmpstr (a->sub_op, ==, b->sub_op);
  g_assert_cmpstr (a->suffix, ==, b->suffix);
  g_assert_cmpstr (a->text, ==, b->text);
  g_assert_cmpstr (a->raw, ==, b->raw);
  g_assert_cmpstr (a->group, ==, b->group);
  g_assert_cmpstr (a->file, ==, b->file);
  g_assert_cmpint (a->line, ==, b->line);
  g_assert_cmpint (a->is_collective, ==, b->is_collective);
}

typedef struct
{
  TtStore *keeping, *peeking;
  guint n;
} Comparison;

static gboolean
compare_name (const TtStoredName *name, gpointer data)
{
  Comparison *self = data;

  g_assert_cmpuint (name->id, ==, ++self->n);
  assert_same_name (name, tt_store_name (self->keeping, name->id));
  assert_same_name (name, tt_store_peek_name (self->peeking, name->id));
  return TRUE;
}

static void
test_many_names (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;

  example_import (path, &(ExampleOptions){ 0 }, fill_many_names, NULL, &error);
  require_no_error (error);
  g_autoptr (TtStore) keeping = tt_store_open (path, &error);
  g_autoptr (TtStore) peeking = tt_store_open (path, &error);
  require_no_error (error);

  Comparison comparison = { keeping, peeking, 0 };
  g_assert_true (tt_store_each_name (peeking, compare_name, &comparison, &error));
  g_assert_cmpuint (comparison.n, ==, MANY_NAMES);
  for (guint32 i = 0; i < 1000; i++)
    {
      guint32 id = MANY_NAMES - i * 7919 % MANY_NAMES;
      assert_same_name (tt_store_peek_name (peeking, id), tt_store_name (keeping, id));
    }
  g_assert_null (tt_store_peek_name (peeking, 0));
  g_assert_null (tt_store_peek_name (peeking, MANY_NAMES + 1));

  gboolean has_suffixes = TRUE;
  g_assert_true (tt_store_has_suffixes (peeking, &has_suffixes, &error));
  g_assert_false (has_suffixes);
}

static void
test_ids_only (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (TtStore) whole = import_and_open (path, &(ExampleOptions){ 0 }, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open_ids (path, &error);
  guint n_threads, n, n_ranks = 0;
  const TtThread *threads = tt_store_threads (whole, &n_threads);

  require_no_error (error);
  tt_store_processes (whole, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (tt_store_max_process (store), ==, n);
  g_assert_cmpuint (tt_store_max_thread (store), ==, n_threads);
  g_assert_cmpuint (n_threads, >=, n);
  for (guint i = 0; i < n_threads; i++)
    g_assert_cmpuint (tt_store_process_of_thread (store, threads[i].id), ==, threads[i].process);
  g_assert_cmpuint (tt_store_process_of_thread (store, 0), ==, TT_NO_ID);
  g_assert_cmpuint (tt_store_process_of_thread (store, n_threads + 1), ==, TT_NO_ID);
  tt_store_processes (store, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (tt_store_thread (store, 1));

  g_assert_true (tt_store_n_ranks (store, &n_ranks, &error));
  g_assert_cmpuint (n_ranks, ==, 3);
  g_assert_true (tt_store_complete (store, &error));
  g_assert_cmpstr (tt_store_process (store, 2)->pid, ==, tt_store_process (whole, 2)->pid);
  g_assert_cmpstr (tt_store_thread (store, n_threads)->tid, ==, threads[n_threads - 1].tid);
  g_assert_cmpuint (tt_store_process_of_thread (store, n_threads), ==, threads[n_threads - 1].process);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-store-XXXXXX", NULL);
  g_test_add_func ("/store/definitions-come-back", test_definitions);
  g_test_add_func ("/store/scans-see-every-event", test_scan);
  g_test_add_func ("/store/views-show-the-public-columns", test_views);
  g_test_add_func ("/store/messages-are-joined", test_messages);
  g_test_add_func ("/store/odd-messages-are-kept", test_odd_messages);
  g_test_add_func ("/store/statistics-counted-and-scanned-agree", test_statistics);
  g_test_add_func ("/store/names-with-one-text-are-one-group", test_shared_text);
  g_test_add_func ("/store/many-names-can-be-peeked-at", test_many_names);
  g_test_add_func ("/store/ids-are-enough-until-more-is-asked-for", test_ids_only);
  g_test_add_func ("/store/another-handle-reads-the-same-runs", test_open_again);
  g_test_add_func ("/store/query-reads-only", test_query);
  g_test_add_func ("/store/graph-is-replaced", test_save_graph);
  int status = g_test_run ();
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_unlink (path);
    }
  g_rmdir (directory);
  g_free (directory);
  return status;
}
