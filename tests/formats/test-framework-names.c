/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/byteps/names.h"
#include "formats/mxnet/names.h"
#include "formats/mxnet/symbol.h"
#include "formats/tensorflow/devices.h"

#include <string.h>

/* The pure rules of MXNet, TensorFlow's devices and BytePS, one line a case. */

static void
test_mxnet_names (void)
{
  static const struct
  {
    const char *raw, *op_cat, *op_name, *sub_op;
    TtMxnetKind kind;
  } cases[] = {
    { "conv0_fwd", "FW", "conv0", NULL, TT_MXNET_OPERATOR },
    { "conv0_backward", "BW", "conv0", NULL, TT_MXNET_OPERATOR },
    { "conv0_fwd_backward", "BW", "conv0", NULL, TT_MXNET_OPERATOR },
    { "[conv0_fwd]{name=conv0_fwd;shape=(1,2)}", "FW", "conv0", NULL, TT_MXNET_OPERATOR },
    { "name=bn_backward", "BW", "bn", NULL, TT_MXNET_OPERATOR },
    { "Convolution", "FW", "Convolution", NULL, TT_MXNET_OPERATOR },
    { "_backward_Convolution", "BW", "Convolution", NULL, TT_MXNET_OPERATOR },
    { "_backward", "BW", "_backward", NULL, TT_MXNET_OPERATOR },
    { "_fwd", "FW", "_fwd", NULL, TT_MXNET_OPERATOR },
    { "sgd_mom_update", "FW", "sgd_mom_update", NULL, TT_MXNET_UPDATE },
    { "MultiUPDATE", "FW", "MultiUPDATE", NULL, TT_MXNET_UPDATE },
    { "dot", "FW", "dot", NULL, TT_MXNET_CALCULATION },
    { "add_n", "FW", "add_n", NULL, TT_MXNET_CALCULATION },
    { "batch_dot", "FW", "batch_dot", NULL, TT_MXNET_OPERATOR },
    { "CopyCPU2GPU", "MEM", "CopyCPU2GPU", "H2D", TT_MXNET_ENGINE },
    { "DeleteVariable", "MEM", "DeleteVariable", "FREE", TT_MXNET_ENGINE },
    { "WaitForVar", "SYNC", "WaitForVar", NULL, TT_MXNET_ENGINE },
  };
  g_autoptr (GString) op_name = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TtMxnetName name = tt_mxnet_name (cases[i].raw, op_name);
      g_test_message ("%s", cases[i].raw);
      g_assert_cmpstr (name.op_cat, ==, cases[i].op_cat);
      g_assert_cmpstr (op_name->str, ==, cases[i].op_name);
      g_assert_cmpstr (name.sub_op, ==, cases[i].sub_op);
      g_assert_cmpint (name.kind, ==, cases[i].kind);
    }
}

static void
test_mxnet_outputs (void)
{
  static const char *const cases[][2] = {
    { "data", "I/O_" },
    { "data0", "I/O_0" },
    { "conv0_output", "FW.conv0" },
    { "conv0_fwd_output", "FW.conv0" },
    { "conv0_weight", "Comm.conv0_weight" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = tt_mxnet_output_name (cases[i][0]);
      g_assert_cmpstr (name, ==, cases[i][1]);
    }
}

static gboolean
has_edge (const TtLocalGraph *graph, const char *from, const char *to)
{
  guint32 a, b;
  guint n;

  if (!tt_local_graph_find (graph, from, &a) || !tt_local_graph_find (graph, to, &b))
    return FALSE;
  const guint32 *successors = tt_local_graph_successors (graph, a, &n);
  for (guint i = 0; i < n; i++)
    if (successors[i] == b)
      return TRUE;
  return FALSE;
}

static void
test_mxnet_symbol (void)
{
  static const char text[] = "Symbol Outputs:\n"
                             "\toutput[0]=softmax0(0)\n"
                             "Variable:data\n"
                             "Variable:conv0_weight\n"
                             "--------------------\n"
                             "Op:Convolution, Name=conv0_fwd\n"
                             "Inputs:\n"
                             "\targ[0]=data(0) version=0\n"
                             "\targ[1]=conv0_weight(0) version=0\n"
                             "Attrs:\n"
                             "\tkernel=(3, 3)\n"
                             "Variable:label\n"
                             "--------------------\n"
                             "Op:Softmax, Name=softmax0\n"
                             "Inputs:\n"
                             "\targ[0]=conv0_fwd(0)\n"
                             "\targ[1]=label(0)\n"
                             "\targ[2]=conv0_weight(0)\n";
  static const char *const edges[][2] = {
    { "FW.softmax0", "OUTPUT0" },        { "OUTPUT0", "BW.softmax0" },          { "I/O_", "FW.conv0" },
    { "BW.conv0", "Comm.conv0_weight" }, { "Comm.conv0_weight", "UPDATE_CAL" }, { "FW.conv0", "FW.softmax0" },
    { "BW.softmax0", "BW.conv0" },       { "BW.softmax0", "Comm.label" },       { "BW.softmax0", "Comm.conv0_weight" },
    { "Comm.label", "UPDATE_CAL" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtLocalGraph) graph = tt_mxnet_symbol_parse ("symbol", text, strlen (text), &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_test_message ("%s -> %s", edges[i][0], edges[i][1]);
      g_assert_true (has_edge (graph, edges[i][0], edges[i][1]));
    }
  g_assert_cmpuint (tt_local_graph_n_edges (graph), ==, G_N_ELEMENTS (edges));

  g_autoptr (TtLocalGraph) none = tt_mxnet_symbol_parse ("symbol", "x\n", 2, &error);
  g_assert_null (none);
  g_assert_nonnull (strstr (error->message, "symbol: "));
}

static void
test_tf_lines (void)
{
  static const struct
  {
    const char *process, *thread, *device;
    TtTfLaneKind kind;
  } cases[] = {
    { "/gpu:0/stream:all Compute", NULL, "gpu:0", TT_TF_LANE_ALL },
    { "/device:GPU:0/stream:all Compute", NULL, "gpu:0", TT_TF_LANE_ALL },
    { "/gpu:1/stream:12 Compute", NULL, "gpu:1", TT_TF_LANE_STREAM },
    { "/device:GPU:1/memcpy Compute", NULL, "gpu:1", TT_TF_LANE_MEMCPY },
    { "/job:localhost/replica:0/task:0/gpu:0 Compute", NULL, "job:localhost/replica:0/task:0/gpu:0",
      TT_TF_LANE_LAUNCH },
    { "/job:localhost/replica:0/task:0/device:GPU:0 Compute", NULL, "job:localhost/replica:0/task:0/gpu:0",
      TT_TF_LANE_LAUNCH },
    { "/job:localhost/replica:0/task:0/cpu:0 Compute", NULL, "job:localhost/replica:0/task:0/cpu:0", TT_TF_LANE_CPU },
    { "/job:localhost/replica:0/task:0/device:CPU:0 Compute", NULL, "job:localhost/replica:0/task:0/cpu:0",
      TT_TF_LANE_CPU },
    { "/gpu:0/stream:all Tensors", NULL, NULL, TT_TF_LANE_OTHER },
    { "/device:GPU:0 Tensors", NULL, NULL, TT_TF_LANE_OTHER },
    { "Allocators", NULL, NULL, TT_TF_LANE_OTHER },
    { "/device:GPU:0", "TensorFlow Ops", "gpu:0", TT_TF_LANE_OPS },
    { "/device:GPU:0", "Stream #17(Compute)", "gpu:0", TT_TF_LANE_KERNELS },
    { "/device:GPU:0", "Stream #18(MemcpyH2D)", "gpu:0", TT_TF_LANE_COPIES },
    { "/device:GPU:0", "Stream #18(MemcpyH2D,Compute)", "gpu:0", TT_TF_LANE_KERNELS },
    { "/host:CPU", "python3", NULL, TT_TF_LANE_HOST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *device = NULL;
      g_test_message ("%s %s", cases[i].process, cases[i].thread);
      g_assert_cmpint (tt_tf_lane_kind (cases[i].process, cases[i].thread, &device), ==, cases[i].kind);
      g_assert_cmpstr (device, ==, cases[i].device);
    }
  g_assert_cmpstr (tt_tf_copy_kind ("MEMCPYHtoD"), ==, "H2D");
  g_assert_cmpstr (tt_tf_copy_kind ("MemcpyD2H"), ==, "D2H");
  g_assert_cmpstr (tt_tf_copy_kind ("Memset"), ==, "SET");
  g_assert_cmpstr (tt_tf_copy_kind ("MatMul"), ==, NULL);
}

static void
test_byteps_names (void)
{
  static const struct
  {
    const char *raw, *tensor, *sub_op;
    gboolean is_worker;
    guint part;
  } cases[] = {
    { "Comm.byteps.gradient_0", "byteps.gradient_0", NULL, TRUE, 0 },
    { "Comm.byteps.gradient_0.COPYD2H", "byteps.gradient_0", "COPYD2H", TRUE, 0 },
    { "Comm.3_4.PUSH", "3+4", "PUSH", TRUE, 0 },
    { "byteps.3_4.PUSH", "3+4", "PUSH", FALSE, 0 },
    { "byteps.3_4~PART2.PULL", "3+4", "PULL", FALSE, 2 },
    { "DistributedOptimizer/BytePSPushPull.7.SUM", "7", "SUM", FALSE, 0 },
    { "gradient_1.COPY_MERGED", "gradient_1", "COPY_MERGED", FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TtBytepsName) name = { 0 };
      g_test_message ("%s", cases[i].raw);
      g_assert_true ((cases[i].is_worker ? tt_byteps_worker_name : tt_byteps_server_name) (cases[i].raw, &name));
      g_assert_cmpstr (name.tensor, ==, cases[i].tensor);
      g_assert_cmpstr (name.sub_op, ==, cases[i].sub_op);
      g_assert_cmpuint (name.part, ==, cases[i].part);
    }
  g_auto (TtBytepsName) none = { 0 };
  g_assert_false (tt_byteps_worker_name ("FW.x", &none));
  g_assert_false (tt_byteps_server_name ("PUSH", &none));
  g_assert_false (tt_byteps_server_name ("byteps.3.INIT", &none));
}

static void
test_byteps_places (void)
{
  static const char text[] = "byteps.gradient_0: 65536 65537\nbyteps.gradient_1: 131072\nnothing\n";
  g_autoptr (TtBytepsKeys) keys = tt_byteps_keys_parse (text, strlen (text));
  g_autofree char *source = NULL, *target = NULL;
  char *none = NULL, *nobody = NULL;
  int part = 0;

  g_assert_true (tt_byteps_link ("worker_0 -> server_1", &source, &target));
  g_assert_cmpstr (source, ==, "worker_0");
  g_assert_cmpstr (target, ==, "server_1");
  g_assert_false (tt_byteps_link ("worker_0 -> worker_1", &none, &nobody));
  g_assert_true (tt_byteps_keys_part (keys, "65537", &part));
  g_assert_cmpint (part, ==, 1);
  g_assert_true (tt_byteps_keys_part (keys, "131072", &part));
  g_assert_cmpint (part, ==, -1);
  g_assert_false (tt_byteps_keys_part (keys, "1", &part));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/framework/mxnet/names", test_mxnet_names);
  g_test_add_func ("/framework/mxnet/outputs", test_mxnet_outputs);
  g_test_add_func ("/framework/mxnet/symbol", test_mxnet_symbol);
  g_test_add_func ("/framework/tensorflow/lines", test_tf_lines);
  g_test_add_func ("/framework/byteps/names", test_byteps_names);
  g_test_add_func ("/framework/byteps/places", test_byteps_places);
  return g_test_run ();
}
