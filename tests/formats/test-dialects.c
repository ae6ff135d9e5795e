/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/trace-json.h"

/* What the dialects of frameworks make of their own events. */

static void
import_text (const char *text, const TtDialect *dialect, TraceJsonFound *found)
{
  static const TtImportOptions defaults = { .rank = -1 };
  g_autoptr (GError) error = NULL;

  trace_json_import (text, strlen (text), dialect, &defaults, found, &error);
  g_assert_no_error (error);
}

/* An MXNet operator may be shorter than the clock can tell; only an end before the begin is mended. */
static void
test_mxnet_durations (void)
{
  static const struct
  {
    const char *dur;
    gint64 dur_ns;
    guint n_repairs;
  } cases[] = { { "7", 7000, 0 }, { "0", 0, 0 }, { "-1", 0, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TraceJsonFound) found = { 0 };
      g_autofree char *text =
          g_strdup_printf ("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"cpu/0\"}},"
                           "{\"name\":\"Convolution\",\"cat\":\"operator\",\"ph\":\"X\",\"ts\":5,\"dur\":%s,"
                           "\"pid\":1,\"tid\":1}]",
                           cases[i].dur);

      import_text (text, &tt_dialect_mxnet, &found);
      g_assert_cmpuint (found.n_spans, ==, 1);
      g_assert_cmpint (found.total_ns, ==, cases[i].dur_ns);
      g_assert_true (!(found.last_flags & TT_FLAG_END_BEFORE_START) == !cases[i].n_repairs);
      g_assert_cmpuint (found.repairs.count[TT_REPAIR_END_BEFORE_START], ==, cases[i].n_repairs);
      g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, cases[i].n_repairs);
    }
}

/* TensorFlow may number the steps of its operators; they are counted from 0 then, whatever the operators are. */
static void
test_tensorflow_steps (void)
{
  static const char *const texts[] = {
    /* the profiler */
    "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"/device:GPU:0\"}},"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":20,\"args\":{\"name\":\"TensorFlow Ops\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":20,\"name\":\"MatMul\",\"ts\":10,\"dur\":2,"
    "\"args\":{\"group_id\":5,\"long_name\":\"dense/MatMul:MatMul\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":20,\"name\":\"Relu\",\"ts\":20,\"dur\":2,"
    "\"args\":{\"group_id\":6,\"long_name\":\"dense/Relu:Relu\"}}]",
    /* a timeline of step statistics */
    "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":"
    "\"/job:localhost/replica:0/task:0/device:GPU:0 Compute\"}},"
    "{\"ph\":\"X\",\"cat\":\"Op\",\"pid\":1,\"tid\":0,\"name\":\"MatMul\",\"ts\":10,\"dur\":2,"
    "\"args\":{\"group_id\":5,\"name\":\"dense/MatMul\",\"op\":\"MatMul\"}},"
    "{\"ph\":\"X\",\"cat\":\"Op\",\"pid\":1,\"tid\":0,\"name\":\"Relu\",\"ts\":20,\"dur\":2,"
    "\"args\":{\"group_id\":6,\"name\":\"dense/Relu\",\"op\":\"Relu\"}}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (TraceJsonFound) found = { 0 };

      import_text (texts[i], &tt_dialect_tensorflow, &found);
      g_assert_cmpuint (found.n_spans, ==, 2);
      g_assert_cmpint (found.last_step, ==, 1);
    }
}

/* Horovod's waits for negotiation that begin together are one span; those for no tensor are none. */
static void
test_horovod_waits (void)
{
  static const char text[] =
      "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"Sync\"}},"
      "{\"ph\":\"B\",\"name\":\"9\",\"ts\":1700000000000000,\"pid\":1},"
      "{\"ph\":\"B\",\"name\":\"10\",\"ts\":1700000000000000,\"pid\":1},"
      "{\"ph\":\"B\",\"name\":\"none\",\"ts\":1700000000000000,\"pid\":1},"
      "{\"ph\":\"E\",\"ts\":1700000000000040,\"pid\":1},"
      "{\"ph\":\"E\",\"ts\":1700000000000040,\"pid\":1},"
      "{\"ph\":\"E\",\"ts\":1700000000000040,\"pid\":1},"
      "{\"ph\":\"B\",\"name\":\"none\",\"ts\":1700000000000100,\"pid\":1},"
      "{\"ph\":\"E\",\"ts\":1700000000000170,\"pid\":1}]";
  g_auto (TraceJsonFound) found = { 0 };

  import_text (text, &tt_dialect_horovod, &found);
  g_assert_cmpuint (found.n_spans, ==, 1);
  g_assert_cmpint (found.total_ns, ==, 40000);
  g_assert_cmpstr (found.names->str, ==, "Comm.9+10.Sync\n");
  g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, 0);
}

/* A TensorFlow trace that is under standard names has been converted: it is not taken apart as a timeline again. */
static void
test_converted_timeline (void)
{
  static const char device[] = "/job:localhost/replica:0/task:0/device:GPU:0 Compute";
  g_auto (TraceJsonFound) found = { 0 };
  g_autofree char *text =
      g_strdup_printf ("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"%s\"}},"
                       "{\"ph\":\"X\",\"cat\":\"BW\",\"pid\":1,\"tid\":0,\"name\":\"BW.dense\",\"ts\":10,\"dur\":2,"
                       "\"args\":{\"name\":\"BW.dense\",\"cnt\":0}},"
                       "{\"ph\":\"X\",\"cat\":\"FW\",\"pid\":1,\"tid\":0,\"name\":\"FW.dense\",\"ts\":20,\"dur\":2,"
                       "\"args\":{\"name\":\"FW.dense\",\"cnt\":0}}]",
                       device);
  g_autofree char *label = g_strconcat (device, "\n", NULL);

  import_text (text, NULL, &found);
  g_assert_cmpuint (found.n_spans, ==, 2);
  g_assert_cmpstr (found.names->str, ==, "BW.dense\nFW.dense\n");
  g_assert_nonnull (strstr (found.labels->str, label));
}

/* What a PyTorch trace says of its job is kept, member by member; a list of all ranks may be too long for that. */
static void
test_kineto_job (void)
{
  g_auto (TraceJsonFound) found = { 0 };
  g_autofree char *ranks = g_strnfill (300 << 10, '7');
  g_autofree char *text =
      g_strdup_printf ("{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":3,\"pg_config\":\"%s\","
                       "\"world_size\":8},\"traceEvents\":[{\"name\":\"aten::mm\",\"cat\":\"cpu_op\",\"ph\":\"X\","
                       "\"ts\":5,\"dur\":1,\"pid\":1,\"tid\":1}]}",
                       ranks);

  import_text (text, &tt_dialect_kineto, &found);
  g_assert_cmpuint (found.n_spans, ==, 1);
  g_assert_nonnull (strstr (found.metadata->str, "distributedInfo/backend=nccl\n"));
  g_assert_nonnull (strstr (found.metadata->str, "distributedInfo/rank=3\n"));
  g_assert_nonnull (strstr (found.metadata->str, "distributedInfo/world_size=8\n"));
  g_assert_null (strstr (found.metadata->str, "pg_config"));
  g_assert_cmpuint (found.repairs.count[TT_REPAIR_LONG_HEADER], ==, 1);
  g_assert_cmpuint (tt_repairs_total (&found.repairs), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dialects/mxnet-durations", test_mxnet_durations);
  g_test_add_func ("/dialects/tensorflow-steps", test_tensorflow_steps);
  g_test_add_func ("/dialects/horovod-waits", test_horovod_waits);
  g_test_add_func ("/dialects/converted-timeline", test_converted_timeline);
  g_test_add_func ("/dialects/kineto-job", test_kineto_job);
  return g_test_run ();
}
