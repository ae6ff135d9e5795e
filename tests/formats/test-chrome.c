/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/chrome-export.h"

#include "src/base/error.h"
#include "src/store/import/import.h"
#include "src/trace/nest/nest.h"

#include <glib/gstdio.h>
#include <string.h>

/* Every run is written twice: straight from the sink, and from a database. The bytes must be equal. */

typedef void (*Fill) (TtSink *sink);

static TtNames *
new_names (void)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);

  g_assert_no_error (error);
  TtNames *names = tt_names_new (rules);
  tt_names_set_source (names, "tau");
  return names;
}

static char *
convert (Fill fill, const TtExportOptions *options, TtExportReport *report, gboolean threaded, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  TtSink *sink = tt_chrome_sink_new (out, new_names (), options, report);

  if (threaded)
    tt_sink_add_thread (sink);
  fill (sink);
  gboolean ok = tt_sink_finish (sink, error);
  tt_sink_free (sink);
  return ok ? g_string_free (tt_output_steal_text (out), FALSE) : NULL;
}

static void
import (Fill fill, const char *path)
{
  g_autoptr (GError) error = NULL;
  TtStoreImportOptions options = { .command = "test" };
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, new_names (), &error);

  g_assert_no_error (error);
  TtSink *sink = tt_store_import_sink (import);
  fill (sink);
  tt_sink_finish (sink, &error);
  g_assert_no_error (error);
  tt_sink_free (sink);
  tt_store_import_join (import, &error);
  g_assert_no_error (error);
  tt_store_import_commit (import, &error);
  g_assert_no_error (error);
}

static char *
export_store (const char *path, const TtExportOptions *options, TtExportReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (TtStore) store = tt_store_open (path, &error);

  g_assert_no_error (error);
  tt_store_select_run (store, NULL, &error);
  g_assert_no_error (error);
  tt_chrome_export (store, out, options, report, &error);
  g_assert_no_error (error);
  return g_string_free (tt_output_steal_text (out), FALSE);
}

static void
check_json (const char *text, const char *option)
{
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "oracles", "check-chrome.py", NULL);
  g_autofree char *path = NULL, *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (python == NULL)
    {
      g_test_message ("python3 is not there: JSON not checked");
      return;
    }
  int fd = g_file_open_tmp ("chrome-XXXXXX.json", &path, &error);
  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  const char *argv[] = { python, script, option, path, NULL };
  if (option == NULL)
    {
      argv[2] = path;
      argv[3] = NULL;
    }
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (err, ==, "");
  g_assert_cmpint (status, ==, 0);
  g_unlink (path);
}

/* The text, after everything that must hold for it was checked. */
static char *
write_both (Fill fill, const TtExportOptions *options, TtExportReport *report, const char *option)
{
  g_autoptr (GError) error = NULL;
  TtExportReport other = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("chrome-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "trace.db", NULL);

  g_assert_no_error (error);
  char *text = convert (fill, options, report, FALSE, &error);
  g_assert_no_error (error);
  g_autofree char *threaded = convert (fill, options, &other, TRUE, &error);
  g_assert_cmpstr (text, ==, threaded);
  g_assert_cmpmem (report, sizeof *report, &other, sizeof other);
  other = (TtExportReport){ 0 };
  import (fill, path);
  g_autofree char *exported = export_store (path, options, &other);
  g_assert_cmpstr (text, ==, exported);
  /* The database has the repairs with its sources. */
  TtExportReport same = *report;
  same.repairs = other.repairs;
  g_assert_cmpmem (&same, sizeof same, &other, sizeof other);
  check_json (text, option);
  g_unlink (path);
  g_rmdir (folder);
  return text;
}

static guint
count (const char *text, const char *part)
{
  const char *end = text + strlen (text);
  guint n = 0;

  /* With a length: strstr() measures the whole text each time where a sanitizer watches it. */
  for (const char *p = text; (p = g_strstr_len (p, end - p, part)) != NULL; p += strlen (part))
    n++;
  return n;
}

#define assert_has(text, part)              \
  G_STMT_START                              \
  {                                         \
    if (strstr (text, part) == NULL)        \
      g_test_message ("in:\n%s", text);     \
    g_assert_nonnull (strstr (text, part)); \
  }                                         \
  G_STMT_END

static guint32
name (TtSink *sink, const char *raw, const char *group, const char *op_cat, const char *suffix)
{
  return tt_sink_name (sink, &(TtRawName){ .raw = raw, .group = group, .op_cat = op_cat, .suffix = suffix });
}

static guint64
args (TtSink *sink, const char *json)
{
  return tt_sink_args (sink, json, strlen (json));
}

/* -- one small run -------------------------------------------------------------------------------------- */

#define T0 G_GINT64_CONSTANT (1700000000000000000)

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
  guint32 main_name = name (sink, "main", "TAU_USER", "COMP", NULL);
  guint32 main_again = name (sink, "main", "TAU_DEFAULT", "COMP", NULL);
  guint32 send =
      tt_sink_name (sink, &(TtRawName){ .raw = "MPI_Send()", .group = "MPI", .op_cat = "Comm", .sub_op = "SEND" });
  guint32 recv =
      tt_sink_name (sink, &(TtRawName){ .raw = "MPI_Recv()", .group = "MPI", .op_cat = "Comm", .sub_op = "RECV" });
  guint32 chunk = name (sink, "3+4", NULL, "Comm", "0_1_6_0");
  guint32 mark = name (sink, "mark \\ \"x\"", NULL, "COMP", NULL);
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
    .args = args (sink, "{\"size\": 12, \"size\": 13, \"name\": \"no\",\n \"list\": [1, {}]}"),
    .offset = 10,
    .name = chunk,
    .step = 3,
  };
  tt_nest_span (nest, nc, &first);
  const TtNestSpan instant = {
    .ts_ns = T0 + 70, .args = args (sink, "{\"cnt\":4}"), .offset = 11, .name = mark, .step = TT_NO_STEP
  };
  tt_nest_moment (nest, nc, &instant);
  const TtNestSpan second = {
    .ts_ns = T0 + 80,
    .end_ns = T0 + 95,
    .args = args (sink, "{\"broken\": tru}"),
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
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_EPOCH);
}

static void
test_lines (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_small, &options, &report, NULL);
  static const char *const lines[] = {
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"node1\",\"rank\":1}}",
    "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":1,\"args\":{\"labels\":\"the \\\"second\\\"\"}}",
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"other\\n\"}}",
    "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"gpu "
    "stream\",\"label\":\"Stream\"}}",
    "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"sort_index\":7}}",
    "{\"name\":\"COMP.main\",\"cat\":\"COMP,TAU_USER\",\"ph\":\"X\",\"ts\":0,\"dur\":10,\"pid\":0,\"tid\":0,"
    "\"args\":{\"name\":\"COMP.main\",\"op_long_name\":\"node0->COMP.main\",\"cnt\":0}}",
    /* One long name, though its group differs. */
    "{\"name\":\"COMP.main\",\"cat\":\"COMP,TAU_DEFAULT\",\"ph\":\"X\",\"ts\":4,\"dur\":0.001,\"pid\":0,\"tid\":0,"
    "\"args\":{\"name\":\"COMP.main\",\"op_long_name\":\"node0->COMP.main\",\"cnt\":1}}",
    "\"raw_name\":\"MPI_Send()\",\"cnt\":0}}",
    "{\"name\":\"Comm.3+4\",\"cat\":\"Comm\",\"ph\":\"X\",\"ts\":0.05,\"dur\":0.01,\"pid\":1,\"tid\":1,"
    "\"args\":{\"name\":\"Comm.3+4~>0_1_6_0\",\"op_long_name\":\"node1->Comm.3+4~>0_1_6_0\",\"cnt\":0,\"step\":3,"
    "\"size\": 12,\"source_name\": \"no\",\"list\": [1, {}]}}",
    "\"cnt\":1,\"step\":4,\"flags\":\"inferred\"}}",
    "\"cat\":\"COMP\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.07,\"pid\":1,\"tid\":1,\"args\":{",
    ",\"source_cnt\":4}}",
    "{\"name\":\"bytes\",\"ph\":\"C\",\"id\":\"gpu stream\",\"ts\":0.01,\"pid\":1,\"tid\":1,\"args\":{\"value\":8}}",
    "{\"name\":\"load\",\"ph\":\"C\",\"ts\":0.01,\"pid\":0,\"tid\":0,\"args\":{\"value\":0.1}}",
    "{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\",\"id\":\"0.1.5.0.0\",\"ts\":1.5,\"pid\":0,\"tid\":0,"
    "\"args\":{\"bytes\":100,\"tag\":5,\"comm\":0,\"src\":\"node0\",\"src_tid\":\"0\",\"dst\":\"node1\",\"dst_tid\":"
    "\"0\"}}",
    /* Received when its span ends: a viewer would not bind it there. */
    "\"ph\":\"f\",\"bp\":\"e\",\"id\":\"0.1.5.0.0\",\"ts\":5.999,",
    "{\"name\":\"unmatched send\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":5,\"pid\":0,\"tid\":0,"
    "\"args\":{\"bytes\":1,\"tag\":6,\"comm\":0,\"src\":\"node0\",\"src_tid\":\"0\",\"dst\":\"node1\"}}",
    "{\"name\":\"unmatched recv\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.077,\"pid\":2,\"tid\":1,",
    "{\"otherData\":{\"tool\":\"tracetool\",\"version\":\"" PACKAGE_VERSION
    "\",\"clocks\":{\"epoch\":{\"first_ns\":1700000000000000000}}},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_has (text, lines[i]);
  g_assert_cmpuint (report.n_spans, ==, 7);
  g_assert_cmpuint (report.n_instants, ==, 1);
  g_assert_cmpuint (report.n_counters, ==, 4);
  g_assert_cmpuint (report.n_messages, ==, 3);
  g_assert_cmpuint (report.n_dropped, ==, 1); /* infinite */
  g_assert_false (report.mixed_clocks);
}

static void
test_template (void)
{
  TtExportOptions options = { .variant = "template" };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_small, &options, &report, "--template");

  g_assert_true (g_str_has_prefix (
      text, "{\"traceEvents\":[\n{\"name\":\"COMP.main\",\"cat\":\"operator\",\"ph\":\"X\",\"ts\":0,"
            "\"dur\":10,\"pid\":\"node0\",\"tid\":\"0\",\"args\":{\"name\":\"COMP.main\",\"cnt\":0}},\n"));
  assert_has (text, "{\"name\":\"Comm.3+4\",\"cat\":\"Comm\",\"ph\":\"X\",\"ts\":0.05,\"dur\":0.01,\"pid\":\"node1\","
                    "\"tid\":\"gpu stream\",\"args\":{\"name\":\"Comm.3+4~>0_1_6_0\",\"cnt\":0,\"step\":3,\"size\": "
                    "12,\"source_name\": \"no\",\"list\": [1, {}]}}");
  g_assert_true (g_str_has_suffix (text, "\n],\"all_prefix\":[\"node0\",\"node1\"],"
                                         "\"metadata\":{\"tool\":\"tracetool\"}}\n"));
  g_assert_cmpuint (count (text, "\"ph\":"), ==, 7);
}

static void
test_absolute (void)
{
  TtExportOptions options = { .absolute = TRUE };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_small, &options, &report, NULL);

  assert_has (text, "\"ts\":1700000000000004,\"dur\":0.001,");
  assert_has (text, "{\"epoch\":{\"first_ns\":0}}");
}

static void
test_highlight (void)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  TtExportOptions options = { .highlight = ids };
  TtExportReport report = { 0 };
  const guint64 marked[] = { 1, 4 };

  g_array_append_vals (ids, marked, 2);
  g_autofree char *text = write_both (fill_small, &options, &report, NULL);
  g_assert_cmpuint (count (text, "\"cname\":\"terrible\",\"ph\":\"X\""), ==, 2);
  assert_has (text, "\"raw_name\":\"MPI_Send()\",\"cnt\":0,\"critical_path\":true}}");
  assert_has (text, "\"raw_name\":\"MPI_Recv()\",\"cnt\":0,\"critical_path\":true}}");
}

static char *
write_selected (const char *filter, const char *window, TtExportReport *report)
{
  g_autoptr (GError) error = NULL;
  const char *filters[] = { filter, NULL };
  g_autoptr (TtSelection) selection = tt_selection_new (filter != NULL ? filters : NULL, window, TT_UNIT_NS, &error);
  TtExportOptions options = { .selection = selection };

  g_assert_no_error (error);
  return write_both (fill_small, &options, report, "--part");
}

static void
test_selection (void)
{
  TtExportReport report = { 0 };
  g_autofree char *by_name = write_selected ("name=COMP.main", NULL, &report);

  g_assert_cmpuint (report.n_spans, ==, 3);
  g_assert_cmpuint (count (by_name, "\"ph\":\"s\""), ==, 0);

  g_autofree char *by_pid = write_selected ("pid=node1", NULL, &report);
  g_assert_cmpuint (report.n_spans, ==, 4);
  g_assert_cmpuint (count (by_pid, "process_name"), ==, 1);
  g_assert_cmpuint (count (by_pid, "\"ph\":\"f\""), ==, 0);

  /* What overlaps stays whole, and cnt is that of the whole run. */
  g_autofree char *by_time = write_selected (NULL, "3500:5000", &report);
  g_assert_cmpuint (report.n_spans, ==, 4);
  assert_has (by_time, "\"ts\":4,\"dur\":0.001,\"pid\":0,\"tid\":0,\"args\":{\"name\":\"COMP.main\",\"op_long_name\":"
                       "\"node0->COMP.main\",\"cnt\":1");
  assert_has (by_time, "\"ts\":0,\"dur\":10,");
  g_assert_cmpuint (count (by_time, "\"ph\":\"C\""), ==, 0);

  g_autofree char *by_flags = write_selected ("flags=inferred", NULL, &report);
  g_assert_cmpuint (report.n_spans, ==, 1);
  assert_has (by_flags, "\"cnt\":1,\"step\":4");

  g_autofree char *nothing = write_selected ("pid=nobody", NULL, &report);
  g_assert_cmpuint (report.n_spans + report.n_counters + report.n_messages, ==, 0);
  g_assert_cmpuint (count (nothing, "\"ph\":"), ==, 0);
}

/* -- clocks --------------------------------------------------------------------------------------------- */

static void
fill_clocks (TtSink *sink)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 p0 = tt_sink_process (sink, "host", NULL, NULL, -1);
  guint32 a = tt_sink_thread (sink, p0, "0", NULL, 0);
  guint32 main_name = name (sink, "main", NULL, "COMP", NULL);
  TtNestThread *na = tt_nest_thread (nest, a, p0);
  tt_nest_enter (nest, na, main_name, T0, 0);
  tt_nest_leave (nest, na, main_name, T0 + 1500, 1);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "h", TT_CLOCK_EPOCH);

  tt_sink_begin_source (sink, "other", "b", TT_CLOCK_TICKS);
  guint32 p1 = tt_sink_process (sink, "gpu", NULL, NULL, -1);
  guint32 b = tt_sink_thread (sink, p1, "0", NULL, 0);
  guint32 kernel = name (sink, "kernel", NULL, "COMP", NULL);
  guint32 cache = tt_sink_series (sink, "cache", NULL, FALSE);
  TtNestThread *nb = tt_nest_thread (nest, b, p1);
  tt_nest_enter (nest, nb, kernel, 1000, 0);
  tt_nest_leave (nest, nb, kernel, 1234, 1);
  tt_sink_counter_int (sink, cache, b, 1001, 5);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "i", TT_CLOCK_TICKS);
}

static void
test_clocks (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_clocks, &options, &report, NULL);

  g_assert_true (report.mixed_clocks);
  assert_has (text, "\"ts\":0,\"dur\":1.5,\"pid\":1,");
  assert_has (text, "\"ts\":0,\"dur\":234,\"pid\":2,");
  assert_has (text, "\"ph\":\"C\",\"ts\":1,\"pid\":2,");
  assert_has (text, "\"clocks\":{\"epoch\":{\"first_ns\":1700000000000000000},\"ticks\":{\"first_ticks\":1000}}");
}

/* -- clocks that step back --------------------------------------------------------------------------------- */

static void
fill_overlap (TtSink *sink)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 p = tt_sink_process (sink, "node0", NULL, NULL, 0);
  guint32 a = tt_sink_thread (sink, p, "0", NULL, 0);
  guint32 q = tt_sink_process (sink, "node1", NULL, NULL, 1);
  guint32 b = tt_sink_thread (sink, q, "0", NULL, 0);
  guint32 outer = name (sink, "outer", NULL, "COMP", NULL), inner = name (sink, "inner", NULL, "COMP", NULL);
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

static void
test_overlap (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_overlap, &options, &report, NULL);

  /* inner begins before outer: outer moves to a further line of the same name */
  g_assert_cmpuint (count (text, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,"), ==, 2);
  assert_has (text, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":1,\"args\":{\"name\":\"0\"}}");
  assert_has (text, "\"ts\":0.02,\"dur\":0.05,\"pid\":0,\"tid\":1,");
  /* received before it was sent, but the spans overlap */
  assert_has (text, "\"ph\":\"s\",\"id\":\"0.1.1.0.0\",\"ts\":0.015,");
  assert_has (text, "\"ph\":\"f\",\"bp\":\"e\",\"id\":\"0.1.1.0.0\",\"ts\":0.015,");
  /* and here they do not: no arrow can show it; the span around the send is on the further line */
  assert_has (text, "{\"name\":\"send\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.05,\"pid\":0,\"tid\":1,");
  assert_has (text, "{\"name\":\"recv\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",\"ts\":0.02,\"pid\":1,");
  g_assert_cmpuint (report.n_messages, ==, 2);
}

/* -- many ------------------------------------------------------------------------------------------------ */

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
          open[i][depth[i]] = name (sink, raw, "G", "COMP", NULL);
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
  g_autofree char *text = write_both (fill_many, &options, &report, NULL);

  g_assert_cmpuint (report.n_spans, >, 70000);
  g_assert_cmpuint (report.n_messages, >, 5000);
  g_assert_cmpuint (count (text, "\"ph\":\"X\""), ==, report.n_spans);
}

static void
test_max_size (void)
{
  TtExportReport whole_report = { 0 };
  TtExportOptions whole_options = { 0 };
  g_autofree char *whole = write_both (fill_many, &whole_options, &whole_report, NULL);
  gsize len = strlen (whole);

  static const int percents[] = { 100, 70, 20, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      TtExportOptions options = { .max_bytes = len * (guint) percents[i] / 100 };
      TtExportReport report = { 0 };
      g_autofree char *text = write_both (fill_many, &options, &report, "--part");

      g_assert_cmpuint (strlen (text), <=, options.max_bytes);
      g_assert_cmpuint (strlen (text) * 100, >=, options.max_bytes * 60);
      g_assert_cmpuint (count (text, "\"ph\":\"X\""), ==, report.n_spans);
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
  g_assert_null (convert (fill_small, &tiny, &report, TRUE, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_USAGE);
}

/* -- arguments, labels and flows ------------------------------------------------------------------------- */

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
  guint32 launch = name (sink, "launch", NULL, "RT", NULL), kernel = name (sink, "kernel", NULL, "COMP", NULL);
  guint32 owner[7];

  for (guint i = 0; i < G_N_ELEMENTS (owner); i++)
    owner[i] = tt_sink_new_owner (sink);
  guint64 first = args (sink, "{\"a\":1,\"b\":2}");
  point (sink, 1, TT_FLOW_START, 12, owner[0]);
  complete (sink, a, launch, 10, 20, owner[0], first);
  point (sink, 2, TT_FLOW_START, 30, owner[1]);
  complete (sink, a, launch, 30, 40, owner[1], args (sink, "{\"c\":3}"));
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
  tt_sink_args_merge (sink, first, args (sink, "{\"c\":true,\"a\":{\"x\":[]}}"));
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
  complete (sink, b, kernel, 210, 215, last, args (sink, "{\"d\":4}"));
  tt_sink_args_merge (sink, id, args (sink, "[]"));
  tt_sink_end_source (sink, 1, "b", TT_CLOCK_EPOCH);
}

static void
test_flows (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_flows, &options, &report, NULL);
  static const char *const lines[] = {
    "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":5,\"args\":{\"labels\":\"is\"}}",
    "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":5,\"args\":{\"sort_index\":5}}",
    "\"args\":{\"name\":\"main\",\"label\":\"first\"}}",
    "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":6,\"tid\":1,\"args\":{\"sort_index\":3}}",
    "\"cnt\":0,\"a\":{\"x\":[]},\"b\":2,\"c\":true}}",
    "\"cnt\":1,\"c\":3}}",
    "\"cnt\":3,\"d\":4}}",
    "{\"name\":\"ac2g\",\"cat\":\"ac2g\",\"ph\":\"s\",\"id\":1,\"ts\":0.002,\"pid\":6,\"tid\":1,\"args\":{}}",
    "{\"name\":\"ac2g\",\"cat\":\"ac2g\",\"ph\":\"f\",\"bp\":\"e\",\"id\":1,\"ts\":0.04,\"pid\":5,\"tid\":7,\"args\":{}"
    "}",
    "\"ph\":\"s\",\"id\":2,\"ts\":0.02,\"pid\":6,\"tid\":1,",
    "\"ph\":\"f\",\"bp\":\"e\",\"id\":2,\"ts\":0.05,\"pid\":5,\"tid\":8,",
    "\"ph\":\"s\",\"id\":3,\"ts\":0.05,\"pid\":5,\"tid\":8,",
    "\"ph\":\"f\",\"bp\":\"e\",\"id\":3,\"ts\":0.089,\"pid\":5,\"tid\":7,",
    "{\"name\":\"a \\\"kind\\\"\",\"cat\":\"a \\\"kind\\\"\",\"ph\":\"s\",\"id\":5,",
    "\"ph\":\"f\",\"bp\":\"e\",\"id\":6,\"ts\":0.2,",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_has (text, lines[i]);
  g_assert_nonnull (strstr (text, ",\"long\":\"7777777"));
  g_assert_cmpuint (strlen (text), >, 3 << 20);
  g_assert_cmpuint (report.n_flows, ==, 5);
  g_assert_cmpuint (report.n_flows_lost, ==, 1);
  g_assert_cmpuint (report.n_messages, ==, 0);
  g_assert_cmpuint (report.repairs.count[TT_REPAIR_FLOW_UNPAIRED], ==, 1);
  g_assert_cmpuint (report.repairs.count[TT_REPAIR_FLOW_WITHOUT_SPAN], ==, 1);
  g_assert_cmpuint (report.repairs.count[TT_REPAIR_ARGS_NOT_MERGED], ==, 1);
}

static void
test_part_of_flows (void)
{
  static const struct
  {
    const char *filter;
    guint n_flows;
  } cases[] = { { "pid=gpu", 1 }, { "name=RT.launch", 0 }, { "pid=gpu,host", 5 }, { "rank=5", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *filters[] = { cases[i].filter, NULL };
      g_autoptr (TtSelection) selection = tt_selection_new (filters, NULL, TT_UNIT_NS, &error);
      TtExportOptions options = { .selection = selection };
      TtExportReport report = { 0 };

      g_assert_no_error (error);
      g_autofree char *text = write_both (fill_flows, &options, &report, "--part");
      g_assert_cmpuint (report.n_flows, ==, cases[i].n_flows);
      g_assert_cmpuint (count (text, "\"ph\":\"s\""), ==, cases[i].n_flows);
    }

  TtExportOptions options = { .variant = "template" };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_flows, &options, &report, "--template");
  g_assert_cmpuint (report.n_flows, ==, 0);
  assert_has (text, "\"cnt\":0,\"a\":{\"x\":[]},\"b\":2,\"c\":true}}");
}

static void
fill_long_args (TtSink *sink)
{
  g_autofree char *text = g_strnfill (TT_LONG_ARGS + 1, ' ');

  text[0] = '{';
  text[TT_LONG_ARGS] = '}';
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_EPOCH);
  guint32 a = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "t", NULL, 0);
  complete (sink, a, name (sink, "x", NULL, "COMP", NULL), 1, 2, 0, tt_sink_args (sink, text, TT_LONG_ARGS + 1));
  complete (sink, a, name (sink, "x", NULL, "COMP", NULL), 3, 4, 0, args (sink, "{\"a\":1}"));
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_EPOCH);
}

static void
test_long_args (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_long_args, &options, &report, NULL);

  g_assert_cmpuint (strlen (text), <, 2000);
  g_assert_cmpuint (report.n_long_args, ==, 1);
  assert_has (text, "\"cnt\":0}}");
  assert_has (text, "\"cnt\":1,\"a\":1}}");
}

static void
fill_nothing (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  tt_sink_end_source (sink, 0, "h", TT_CLOCK_RELATIVE);
}

static void
test_empty (void)
{
  TtExportOptions options = { 0 };
  TtExportReport report = { 0 };
  g_autofree char *text = write_both (fill_nothing, &options, &report, NULL);

  g_assert_nonnull (strstr (text, "\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/chrome/lines-are-as-specified", test_lines);
  g_test_add_func ("/chrome/template", test_template);
  g_test_add_func ("/chrome/absolute-times", test_absolute);
  g_test_add_func ("/chrome/highlight", test_highlight);
  g_test_add_func ("/chrome/selection", test_selection);
  g_test_add_func ("/chrome/clocks-are-apart", test_clocks);
  g_test_add_func ("/chrome/overlapping-spans-get-a-line", test_overlap);
  g_test_add_func ("/chrome/many-names-and-events", test_many);
  g_test_add_func ("/chrome/max-size", test_max_size);
  g_test_add_func ("/chrome/flows-arguments-and-labels", test_flows);
  g_test_add_func ("/chrome/part-of-flows", test_part_of_flows);
  g_test_add_func ("/chrome/long-arguments", test_long_args);
  g_test_add_func ("/chrome/empty", test_empty);
  return g_test_run ();
}
