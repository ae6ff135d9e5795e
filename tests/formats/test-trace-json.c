/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/clues.h"
#include "formats/trace-event/own-args.h"
#include "formats/trace-event/probe.h"
#include "formats/trace-event/standard-name.h"
#include "tests/formats/trace-json.h"

/* Plain and standard dialects of trace-event JSON, and what hostile input does to them. */

static const TtImportOptions defaults = { .rank = -1 };

static gboolean
try_text (const char *text,
          const TtDialect *dialect,
          const TtImportOptions *options,
          TraceJsonFound *found,
          GError **error)
{
  return trace_json_import (text, strlen (text), dialect, options, found, error);
}

static void
import_text (const char *text, TraceJsonFound *found)
{
  g_autoptr (GError) error = NULL;

  try_text (text, &tt_dialect_chrome, &defaults, found, &error);
  g_assert_no_error (error);
}

static char *
read_example (const char *name, gsize *len)
{
  g_autofree char *path = g_build_filename (g_getenv ("TRACETOOL_DATA"), "chrome", name, NULL);
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  g_file_get_contents (path, &contents, len, &error);
  g_assert_no_error (error);
  return contents;
}

/* -- kinds ------------------------------------------------------------------------------------------- */

static void
test_every_kind (void)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *text = read_example ("every-kind.json", &len);

  trace_json_import (text, len, NULL, &defaults, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found.n_spans, ==, 12);
  g_assert_cmpuint (found.n_instants, ==, 6);
  g_assert_cmpuint (found.n_counters, ==, 5);
  g_assert_cmpuint (found.n_points, ==, 5);
  g_assert_cmpuint (found.repairs.count[TT_REPAIR_SKIPPED_KIND], ==, 6);
  g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, 6);
  g_assert_cmpstr (found.series->str, ==, "cpu_time\nmemory/heap\nmemory/gpu\nfps[left]\n");
  g_assert_cmpstr (
      found.metadata->str, ==,
      "displayTimeUnit=ms\notherData={\"version\": \"7 \\\"beta\\\"\", \"machine\": \"imaginary\"}\n"
      "num_cpus=8\nprocess_labels=tab 1\nstackFrames={\"1\": {\"category\": \"c\", \"name\": \"main\"}}\n");
}

static void
test_ends_without_category (void)
{
  g_auto (TraceJsonFound) found = { 0 };

  import_text ("[{\"name\":\"a\",\"cat\":\"x\",\"ph\":\"B\",\"ts\":1,\"pid\":1,\"tid\":1},"
               "{\"name\":\"a\",\"cat\":\"y\",\"ph\":\"B\",\"ts\":2,\"pid\":1,\"tid\":1},"
               "{\"name\":\"a\",\"ph\":\"E\",\"ts\":3,\"pid\":1,\"tid\":1},"
               "{\"name\":\"a\",\"cat\":\"x\",\"ph\":\"E\",\"ts\":4,\"pid\":1,\"tid\":1}]",
               &found);
  g_assert_cmpuint (found.n_spans, ==, 2);
  g_assert_cmpint (found.total_ns, ==, 4000);
  g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, 0);
}

/* The ids of one process ("local") are neither those of another nor of the trace ("global"). */
static void
test_ids_of_processes (void)
{
  static const struct
  {
    const char *begin, *end; /* pid and id2 */
    gboolean is_pair;
  } cases[] = {
    { "\"pid\":1,\"id2\":{\"local\":\"0x1\"}", "\"pid\":1,\"id2\":{\"local\":\"0x1\"}", TRUE },
    { "\"pid\":1,\"id2\":{\"local\":\"0x1\"}", "\"pid\":2,\"id2\":{\"local\":\"0x1\"}", FALSE },
    { "\"pid\":1,\"id2\":{\"global\":\"0x1\"}", "\"pid\":2,\"id2\":{\"global\":\"0x1\"}", TRUE },
    { "\"pid\":1,\"id2\":{\"global\":\"0x1\"}", "\"pid\":1,\"id2\":{\"local\":\"0x1\"}", FALSE },
    { "\"pid\":1,\"id\":\"0x1\"", "\"pid\":1,\"id2\":{\"local\":\"0x1\"}", FALSE },
    { "\"pid\":1,\"id\":\"0x1\"", "\"pid\":2,\"id\":\"0x1\"", TRUE },
    { "\"pid\":1,\"id\":\"0x1\"", "\"pid\":1,\"id\":\"0x2\"", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TraceJsonFound) found = { 0 };
      g_autofree char *text = g_strdup_printf ("[{\"name\":\"a\",\"cat\":\"c\",\"ph\":\"b\",\"ts\":1,\"tid\":1,%s},"
                                               "{\"name\":\"a\",\"cat\":\"c\",\"ph\":\"e\",\"ts\":5,\"tid\":1,%s}]",
                                               cases[i].begin, cases[i].end);

      g_test_message ("%s", text);
      import_text (text, &found);
      g_assert_cmpuint (found.repairs.count[TT_REPAIR_UNCLOSED], ==, cases[i].is_pair ? 0 : 1);
      g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, cases[i].is_pair ? 0 : 2);
    }
}

static void
test_args (void)
{
  static const char text[] = "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"a\":1,\"b\":\"x\"}},"
                             "{\"name\":\"a\",\"ph\":\"X\",\"ts\":3,\"dur\":1,\"args\":{ }},"
                             "{\"name\":\"a\",\"ph\":\"X\",\"ts\":4,\"dur\":1,\"args\":{\"c\":[1]}}]";
  char a[] = "a", c[] = "c";
  char *none[] = { NULL }, *some[] = { a, c, NULL };
  const TtImportOptions without = { .rank = -1, .args = none }, with = { .rank = -1, .args = some };
  g_auto (TraceJsonFound) all = { 0 }, no = { 0 }, few = { 0 };

  import_text (text, &all);
  g_assert_cmpuint (all.n_args, ==, 2);
  g_assert_cmpuint (all.args_bytes, ==, strlen ("{\"a\":1,\"b\":\"x\"}{\"c\":[1]}"));
  g_assert_true (try_text (text, &tt_dialect_chrome, &without, &no, NULL));
  g_assert_cmpuint (no.n_args, ==, 0);
  g_assert_true (try_text (text, &tt_dialect_chrome, &with, &few, NULL));
  g_assert_cmpuint (few.args_bytes, ==, strlen ("{\"a\":1}{\"c\":[1]}"));
}

static void
test_clean (void)
{
  static const struct
  {
    const char *odd, *clean;
  } cases[] = {
    { "{\"a\":NaN,\"b\":\"tab\there\",\"c\":01,}", "{\"a\":\"NaN\",\"b\":\"tab\\u0009here\",\"c\":1}" },
    { "[1 2,,3,]", "[1,2,3]" },
    { "{\"a\":+1,\"b\":.5,\"c\":5.,\"d\":-Infinity,\"e\":1e5,\"f\":-0}",
      "{\"a\":1,\"b\":0.5,\"c\":5.0,\"d\":\"-Infinity\",\"e\":1e5,\"f\":-0}" },
    { "{\"bad \\q escape\":\"\\u12\",\"ok\":\"\\u00e9\\n\"}",
      "{\"bad \\\\q escape\":\"\\\\u12\",\"ok\":\"\\u00e9\\n\"}" },
    { "{\"\xff\":\"\xc3\xa9\xc3\"}", "{\"\xef\xbf\xbd\":\"\xc3\xa9\xef\xbf\xbd\"}" },
    { "{\"a\":{\"b\":[{},[]]}\"c\":true}", "{\"a\":{\"b\":[{},[]]},\"c\":true}" },
    { "{\"a\":", "{\"a\":null}" },
    { "[{\"open", "[{\"open\":null}]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) to = g_string_new (NULL);
      tt_json_clean ((TtSlice){ cases[i].odd, strlen (cases[i].odd) }, to);
      g_assert_cmpstr (to->str, ==, cases[i].clean);
    }
}

/* -- standard names ---------------------------------------------------------------------------------- */

static void
test_standard_names (void)
{
  static const struct
  {
    const char *text, *op_cat, *op_name, *sub_op, *suffix;
  } names[] = {
    { "FW.model/dense_0/MatMul", "FW", "model/dense_0/MatMul", "", "" },
    { "Comm.3+4.REC~>0_1_6_0", "Comm", "3+4", "RECV", "0_1_6_0" },
    { "Comm.7.PUSH_REQ~>worker_0::server_1::0", "Comm", "7", "PUSH_REQ", "worker_0::server_1::0" },
    { "UPDATE_CAL", "UPDATE_", "CAL", "", "" },
    { "UPDATE_31", "UPDATE_", "31", "", "" },
    { "UPDATE_.SGD/x", "UPDATE_", "SGD/x", "", "" },
    { "OUTPUT0", "OUTPUT", "0", "", "" },
    { "I/O_0", "I/O", "0", "", "" },
    { "END", "virtual", "END", "", "" },
    { "SYNC.omp_barrier.implicit", "SYNC", "omp_barrier", "implicit", "" },
  };
  static const char *const others[] = { "",        "FW",     "FW.",      "fw.x",     "main.c", "UPDATE_",
                                        "OUTPUTx", "OUTPUT", "ENDING",   "Comm",     "~>x",    "aten::mm",
                                        ".FW.x",   "FWx.y",  "UPDATE_x", "libc.so.6" };
  TtStandardName name;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (tt_standard_name_split ((TtSlice){ names[i].text, strlen (names[i].text) }, &name));
      g_assert_true (tt_slice_is (name.op_cat, names[i].op_cat, strlen (names[i].op_cat)));
      g_assert_true (tt_slice_is (name.op_name, names[i].op_name, strlen (names[i].op_name)));
      g_assert_true (tt_slice_is (name.sub_op, names[i].sub_op, strlen (names[i].sub_op)));
      g_assert_true (tt_slice_is (name.suffix, names[i].suffix, strlen (names[i].suffix)));
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (tt_standard_name_split ((TtSlice){ others[i], strlen (others[i]) }, &name));
}

static void
test_template (void)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autoptr (GError) error = NULL;

  try_text (
      "{\"traceEvents\":["
      "{\"name\":\"FW.a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":\"host0.rank0\",\"tid\":\"operator0\",\"cat\":"
      "\"operator\",\"args\":{\"name\":\"FW.a\",\"cnt\":0,\"step\":0}},"
      "{\"name\":\"Comm.3+4.REC\",\"ph\":\"X\",\"ts\":2,\"dur\":1,\"pid\":\"host0.rank0\",\"tid\":\"comm_detail\","
      "\"cat\":\"Comm\",\"args\":{\"name\":\"Comm.3+4.REC~>0_1_6_0\",\"chunkId\":6,\"loopId\":0,\"channelId\":1,"
      "\"sliceId\":0,\"cnt\":0,\"step\":0}},"
      "{\"name\":\"Comm.5.SEND\",\"ph\":\"X\",\"ts\":4,\"dur\":1,\"pid\":\"host0.rank0\",\"tid\":\"comm_detail\","
      "\"cat\":\"Comm\",\"args\":{\"chunkId\":6,\"loopId\":0,\"channelId\":1,\"sliceId\":2}},"
      "{\"name\":\"I\\/O_0\",\"ph\":\"X\",\"ts\":6,\"dur\":1,\"pid\":\"host0.rank0\",\"tid\":\"I\\/O\",\"cat\":\"I\\/"
      "O\"}"
      "]}",
      NULL, &defaults, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found.names->str, ==, "FW.a\nComm.3+4.RECV~>0_1_6_0\nComm.5.SEND~>0_1_6_2\nI/O_0\n");
  g_assert_cmpuint (found.n_args, ==, 2); /* name, cnt and step are what every template has */
}

static void
test_own_args (void)
{
  g_assert_true (tt_is_own_arg ("cnt", 3));
  g_assert_true (tt_is_own_arg ("communicator", 12));
  g_assert_true (tt_is_own_arg ("source_source_name", 18));
  g_assert_false (tt_is_own_arg ("source_", 7));
  g_assert_false (tt_is_own_arg ("source_x", 8));
  g_assert_false (tt_is_own_arg ("names", 5));
}

/* -- who is it --------------------------------------------------------------------------------------- */

static guint
probe_text (const char *text)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("probe-XXXXXX", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  close (file);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  const TtProbe probe = { .path = path, .head = (const guint8 *) text, .len = MIN (strlen (text), TT_PROBE_BYTES) };
  guint score = tt_trace_event_probe (&probe);
  unlink (path);
  return score;
}

static void
test_probe (void)
{
  static const char *const traces[] = {
    "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1}",
    " \n[ {}, {\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1}",
    "{\"traceEvents\":[]}",
    "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0}],\"traceEvents\":[{\"ph\":\"X\",\"ts\":\"1\",\"pid\":1}]}",
    "\xef\xbb\xbf[{\"ts\":1,\"args\":{\"ph\":1},\"ph\":\"i\",\"pid\":0}]",
  };
  static const char *const others[] = {
    "",
    "[]",
    "{}",
    "[1,2,3]",
    "[{\"name\":\"a\"}]",
    "[{\"ph\":7.4,\"ts\":1}]",
    "{\"Tree\":{},\"Ring\":{},\"displayTimeUnit\":\"ms\"}",
    "{\"gradient_name_list\":[\"a\"],\"model_name\":\"m\"}",
    "{\"op\":{\"op\":\"X\",\"input\":[],\"output\":[]}}",
    "{\"type\":\"FeatureCollection\",\"features\":[{\"ph\":\"X\",\"ts\":1,\"pid\":1}]}",
    "[{\"ph\":\"X\"",
    "garbage [{\"ph\":\"X\",\"ts\":1,\"pid\":1}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    g_assert_cmpuint (probe_text (traces[i]), >=, 60);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpuint (probe_text (others[i]), ==, 0);
}

/* -- odd and hostile --------------------------------------------------------------------------------- */

static void
assert_error (const char *text, const char *part)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (try_text (text, &tt_dialect_chrome, &defaults, &found, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_FORMAT);
  if (strstr (error->message, part) == NULL)
    g_error ("'%s' is not in '%s'", part, error->message);
}

static void
test_errors (void)
{
  assert_error ("", "empty");
  assert_error ("  \n ", "empty");
  assert_error ("7", "byte 0");
  assert_error ("\"[]\"", "byte 0");
  assert_error ("[{\"ph\":\"X\",\"ts\":1e400,\"dur\":1}]", "event at byte 1: ts 1e400");
  assert_error ("[{\"ph\":\"X\",\"ts\":9223372036854776,\"dur\":1}]", "event at byte 1: ts");
  assert_error ("[{\"ph\":\"X\",\"ts\":-9223372036854775.808,\"dur\":1}]", "event at byte 1: ts");
  assert_error ("[{\"ph\":\"X\",\"ts\":\"1e999999999999\",\"dur\":1}]", "event at byte 1: ts");
  assert_error ("[{\"ph\":\"X\",\"ts\":9223372036854775,\"dur\":1}]", "event at byte 1: its end");
  assert_error ("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1e30}]}", "event at byte 16: dur");
}

static void
test_extreme_times (void)
{
  g_auto (TraceJsonFound) found = { 0 };

  import_text ("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":-9223372036854775.807,\"dur\":9223372036854775.807},"
               "{\"name\":\"b\",\"ph\":\"X\",\"ts\":9223372036854775.806,\"dur\":0.001},"
               "{\"name\":\"c\",\"ph\":\"i\",\"ts\":1e-300},{\"name\":\"d\",\"ph\":\"i\",\"ts\":-0.0}]",
               &found);
  g_assert_cmpuint (found.n_spans, ==, 2);
  g_assert_cmpuint (found.n_instants, ==, 2);
  g_assert_cmpuint (found.repairs.count[TT_REPAIR_TIME_TOO_FAR], ==, 2);
}

static char *
repeat (const char *before, const char *middle, guint n, const char *after)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, middle);
  g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  g_auto (TraceJsonFound) found = { 0 }, deep = { 0 };
  g_autofree char *nested = repeat ("[{\"name\":\"a\",\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":", "[", 1000, "");
  g_autofree char *closed = repeat (nested, "]", 1000, "}}]");
  g_autofree char *too_deep = repeat ("[{\"name\":\"a\",\"ph\":\"i\",\"ts\":1,\"args\":", "[", 2000000, "");

  import_text (closed, &found);
  g_assert_cmpuint (found.n_instants, ==, 1);
  g_assert_cmpuint (found.args_bytes, ==, 2006);
  g_assert_false (try_text (too_deep, &tt_dialect_chrome, &defaults, &deep, NULL));
}

static void
test_long_argument (void)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autofree char *text =
      repeat ("[{\"name\":\"a\",\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":\"", "0123456789", 1 << 20, "\"}}]");

  import_text (text, &found);
  g_assert_cmpuint (found.n_instants, ==, 1);
  g_assert_cmpuint (found.args_bytes, ==, (10u << 20) + 8);
}

/* A header too long to keep is passed over, and said. */
static void
test_long_header (void)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autofree char *text = repeat ("{\"stackFrames\":[", "\"0123456789\",", 1 << 18,
                                  "1],\"small\":2,\"traceEvents\":[{\"name\":\"a\",\"ph\":\"i\",\"ts\":1}]}");

  import_text (text, &found);
  g_assert_cmpuint (found.n_instants, ==, 1);
  g_assert_cmpstr (found.metadata->str, ==, "small=2\n");
  g_assert_cmpuint (found.repairs.count[TT_REPAIR_LONG_HEADER], ==, 1);
}

static void
test_nul_bytes (void)
{
  static const char text[] = "[{\"name\":\"a\0b\",\"ph\":\"i\",\"ts\":1}\0,\0{\"name\":\"c\",\"ph\":\"i\",\"ts\":2}]";
  g_auto (TraceJsonFound) found = { 0 };
  g_autoptr (GError) error = NULL;

  trace_json_import (text, sizeof text - 1, &tt_dialect_chrome, &defaults, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found.n_instants, ==, 2);
  g_assert_cmpstr (found.names->str, ==,
                   "COMP.a\xef\xbf\xbd"
                   "b\nCOMP.c\n");
}

/* Whatever is cut off, by whatever dialect: an error or something counted, no crash, and never more events than before. */
static void
test_every_prefix (gconstpointer data)
{
  gsize len;
  g_autofree char *text = read_example (data, &len);

  for (guint i = 0; tt_dialects[i] != NULL; i++)
    for (gsize cut = 0; cut <= len; cut += i < 2 ? 1 : 13)
      {
        g_auto (TraceJsonFound) found = { 0 };
        g_autoptr (GError) error = NULL;
        /* An exact copy, so that a sanitizer sees reads beyond the end. */
        g_autofree char *prefix = g_memdup2 (text, cut);
        gboolean ok = trace_json_import (prefix, cut, tt_dialects[i], &defaults, &found, &error);

        g_assert_cmpint (ok, ==, error == NULL);
        if (ok && cut < len && text[cut] != '\n')
          g_assert_cmpuint (tt_repairs_total (&found.repairs), >, 0);
      }
}

static void
test_strict (void)
{
  static const char open[] = "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1},\n";
  static const char good[] = "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1}]";
  static const struct
  {
    const char *text, *part;
  } cases[] = {
    { "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1", ": byte 1: value cut by the end" },
    { "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"pid\":1,\"tid\":1}]", ": byte 1: span without a duration" },
    { "[{},{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1}]",
      ": byte 1: element that is no event" },
    { "[{\"name\":\"a\",\"ph\":\"B\",\"ts\":1,\"pid\":1,\"tid\":1}]", ": byte 1: span never left" },
    { "[ {\"name\":\"a\",\"ph\":\"Z\",\"ts\":1,\"pid\":1,\"tid\":1}]", ": byte 2: record of an unknown event kind" },
  };
  const TtImportOptions strict = { .rank = -1, .strict = TRUE };
  g_auto (TraceJsonFound) fine = { 0 };

  g_auto (TraceJsonFound) as_fine = { 0 };

  g_assert_true (try_text (good, &tt_dialect_chrome, &strict, &fine, NULL));
  g_assert_true (try_text (open, &tt_dialect_chrome, &strict, &as_fine, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TraceJsonFound) found = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (try_text (cases[i].text, &tt_dialect_chrome, &strict, &found, &error));
      g_assert_error (error, TT_ERROR, TT_ERROR_FORMAT);
      if (strstr (error->message, cases[i].part) == NULL)
        g_error ("'%s' is not in '%s'", cases[i].part, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-json/every-kind", test_every_kind);
  g_test_add_func ("/trace-json/ends-without-category", test_ends_without_category);
  g_test_add_func ("/trace-json/ids-of-processes", test_ids_of_processes);
  g_test_add_func ("/trace-json/args", test_args);
  g_test_add_func ("/trace-json/clean", test_clean);
  g_test_add_func ("/trace-json/standard-names", test_standard_names);
  g_test_add_func ("/trace-json/template", test_template);
  g_test_add_func ("/trace-json/own-args", test_own_args);
  g_test_add_func ("/trace-json/probe", test_probe);
  g_test_add_func ("/trace-json/errors", test_errors);
  g_test_add_func ("/trace-json/extreme-times", test_extreme_times);
  g_test_add_func ("/trace-json/depth", test_depth);
  g_test_add_func ("/trace-json/long-argument", test_long_argument);
  g_test_add_func ("/trace-json/long-header", test_long_header);
  g_test_add_func ("/trace-json/nul-bytes", test_nul_bytes);
  g_test_add_func ("/trace-json/strict", test_strict);
  g_test_add_data_func ("/trace-json/every-prefix", "every-kind.json", test_every_prefix);
  return g_test_run ();
}
