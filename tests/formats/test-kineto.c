/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/ahead.h"
#include "formats/kineto/kineto.h"
#include "formats/kineto/names.h"
#include "formats/kineto/roles.h"
#include "formats/kineto/steps.h"

#include <string.h>

#include "src/trace/communicator.h"

static TtSlice
slice (const char *text)
{
  return (TtSlice){ text, strlen (text) };
}

/* -- words ----------------------------------------------------------------------------------------- */

static void
test_kinds (void)
{
  static const struct
  {
    const char *category;
    KinetoKind kind;
    gboolean is_only_kineto;
  } cases[] = {
    { "cpu_op", KINETO_OPERATOR, TRUE },
    { "user_annotation", KINETO_ANNOTATION, TRUE },
    { "gpu_user_annotation", KINETO_DEVICE_ANNOTATION, TRUE },
    { "cuda_runtime", KINETO_CALL, TRUE },
    { "cuda_driver", KINETO_CALL, TRUE },
    { "hip_runtime", KINETO_CALL, TRUE },
    { "mtia_runtime", KINETO_CALL, TRUE },
    { "mtia_ccp_events", KINETO_DEVICE, TRUE },
    { "kernel", KINETO_DEVICE, FALSE },
    { "cuda_sync", KINETO_DEVICE, TRUE },
    { "python_function", KINETO_PYTHON, TRUE },
    { "Trace", KINETO_PROFILER, FALSE },
    { "overhead", KINETO_PROFILER, TRUE },
    { "Operator", KINETO_OPERATOR, FALSE },
    { "Kernel", KINETO_DEVICE, FALSE },
    { "ac2g", KINETO_OTHER, TRUE },
    { "cpu_op2", KINETO_OTHER, FALSE },
    { "", KINETO_OTHER, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (tt_kineto_kind (slice (cases[i].category)), ==, cases[i].kind);
      g_assert_cmpint (tt_kineto_is_category (cases[i].category), ==, cases[i].is_only_kineto);
    }
}

static void
test_roles (void)
{
  static const struct
  {
    const char *category, *name;
    TtActivityRole role;
    gboolean blocks;
  } cases[] = {
    { "cuda_runtime", "cudaLaunchKernel", TT_ACTIVITY_NONE, FALSE },
    { "cuda_driver", "cuLaunchKernelEx", TT_ACTIVITY_NONE, FALSE },
    { "hip_runtime", "hipMemcpyWithStream", TT_ACTIVITY_COPY_CALL, TRUE },
    { "cuda_runtime", "cudaMemcpyAsync", TT_ACTIVITY_COPY_CALL, FALSE },
    { "cuda_runtime", "cudaMemsetAsync", TT_ACTIVITY_NONE, FALSE },
    { "cuda_runtime", "cudaStreamWaitEvent", TT_ACTIVITY_QUEUE_WAIT, FALSE },
    { "cuda_runtime", "cudaEventRecordWithFlags", TT_ACTIVITY_RECORD, FALSE },
    { "cuda_runtime", "cudaEventQuery", TT_ACTIVITY_POLL, FALSE },
    { "Runtime", "cudaDeviceSynchronize", TT_ACTIVITY_SYNCHRONIZE, FALSE },
    { "cuda_runtime", "cudaMalloc", TT_ACTIVITY_NONE, FALSE },
    { "cuda_runtime", NULL, TT_ACTIVITY_NONE, FALSE },
    { "new_runtime", "newStreamSynchronize", TT_ACTIVITY_SYNCHRONIZE, FALSE },
    { "kernel", "cudaLaunchKernel", TT_ACTIVITY_KERNEL, FALSE },
    { "gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", TT_ACTIVITY_COPY, TRUE },
    { "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", TT_ACTIVITY_COPY, FALSE },
    { "Memset", "Memset (Device)", TT_ACTIVITY_SET, FALSE },
    { "cuda_sync", "Stream Wait Event", TT_ACTIVITY_QUEUE_AWAITS, FALSE },
    { "cuda_sync", "Event Sync", TT_ACTIVITY_AWAITS_EVENT, FALSE },
    { "cuda_sync", "Stream Sync", TT_ACTIVITY_AWAITS_QUEUE, FALSE },
    { "cuda_sync", "Context Sync", TT_ACTIVITY_AWAITS_DEVICE, FALSE },
    { "overhead", "Activity Buffer Request", TT_ACTIVITY_TRACER, FALSE },
    { "cpu_op", "aten::cudaMemcpy", TT_ACTIVITY_NONE, FALSE },
    { "gpu_user_annotation", "step", TT_ACTIVITY_NONE, FALSE },
    { NULL, "cudaLaunchKernel", TT_ACTIVITY_NONE, FALSE },
  };
  gboolean blocks;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (tt_kineto_role (cases[i].category, cases[i].name, &blocks), ==, cases[i].role);
      g_assert_cmpint (blocks, ==, cases[i].blocks);
    }
}

static guint64
communicator (const char *group, const char *ranks)
{
  return tt_kineto_communicator (slice (group), slice (ranks));
}

static void
test_sub_ops (void)
{
  static const char *const cases[][2] = {
    { "allreduce", "ALLREDUCE" },
    { "allreduce_coalesced", "ALLREDUCE" },
    { "_allgather_base", "ALLGATHER" },
    { "all_gather_into_tensor", "ALLGATHER" },
    { "_reduce_scatter_base", "REDUCE" },
    { "reduce", "REDUCE" },
    { "_broadcast_oop", "BCAST" },
    { "all_to_allv", "ALLTOALL" },
    { "gather", "GATHER" },
    { "scatter", "SCATTER" },
    { "send", "SEND" },
    { "recv_any_source", "RECV" },
    { "SendRecv", "SENDRECV" },
    { "barrier", NULL },
    { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tt_kineto_sub_op (cases[i][0], strlen (cases[i][0])), ==, cases[i][1]);
  g_assert_cmpuint (communicator ("", ""), ==, 0);
  g_assert_cmpuint (communicator ("17", ""), ==, 17);
  g_assert_cmpuint (communicator ("default_pg", ""), >=, 1u << 30);
  g_assert_cmpuint (communicator ("default_pg", ""), !=, communicator ("default_ph", ""));
  g_assert_cmpuint (communicator ("1", "[0, 1]") & TT_COMM_NAME_MASK, ==, 1);
  g_assert_cmpuint (communicator ("1", "[0, 1]"), !=, communicator ("1", "[2, 3]"));
  g_assert_true (tt_comm_has_members ((gint64) communicator ("1", "[0, 1]")));
  g_assert_false (tt_comm_has_members ((gint64) communicator ("default_pg", "")));
  g_assert_true (tt_kineto_is_collective ("ALLTOALL"));
  g_assert_false (tt_kineto_is_collective ("SENDRECV"));
  g_assert_false (tt_kineto_is_collective (NULL));
}

static void
test_names_of_calls (void)
{
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep#551"), ==, 551);
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep#0"), ==, 0);
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep#"), ==, TT_NO_STEP);
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep*"), ==, TT_NO_STEP);
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep#4294967296"), ==, TT_NO_STEP);
  g_assert_cmpint (tt_kineto_step_number ("ProfilerStep#-1"), ==, TT_NO_STEP);
  g_assert_true (tt_kineto_is_launch ("cudaLaunchKernelExC"));
  g_assert_true (tt_kineto_is_launch ("cudaGraphLaunch"));
  g_assert_true (tt_kineto_is_launch ("hipMemcpyWithStream"));
  g_assert_true (tt_kineto_is_launch ("cudaMemsetAsync"));
  g_assert_false (tt_kineto_is_launch ("cudaEventRecord"));
  g_assert_false (tt_kineto_is_launch ("cudaGraphAddMemcpyNode"));
  g_assert_false (tt_kineto_is_launch ("cuGraphMemsetNodeSetParams"));
  g_assert_true (tt_kineto_is_engine ("autograd::engine::evaluate_function: AddmmBackward0"));
  g_assert_true (tt_kineto_is_engine ("AddmmBackward"));
  g_assert_true (tt_kineto_is_engine ("SqueezeBackward1"));
  g_assert_true (tt_kineto_is_engine ("torch::autograd::AccumulateGrad"));
  g_assert_true (tt_kineto_is_engine ("torch::jit::(anonymous namespace)::DifferentiableGraphBackward"));
  g_assert_false (tt_kineto_is_engine ("aten::nll_loss_backward"));
  g_assert_false (tt_kineto_is_engine ("my loop: Backward"));
  g_assert_false (tt_kineto_is_engine (""));
}

static void
test_args (void)
{
  static const struct
  {
    const char *text;
    gboolean has_correlation;
    guint64 correlation;
    KinetoAutograd autograd;
  } cases[] = {
    { "{\"External id\": 1, \"correlation\": 4294967299}", TRUE, 4294967299, KINETO_PLAIN },
    { "{\"correlation\": 0}", FALSE, 0, KINETO_PLAIN },
    { "{\"Sequence number\": 0, \"Fwd thread id\": 0}", FALSE, 0, KINETO_FORWARD },
    { "{\"Sequence number\": 7, \"Fwd thread id\": 1}", FALSE, 0, KINETO_BACKWARD },
    { "{\"Sequence number\": -1, \"Fwd thread id\": 0}", FALSE, 0, KINETO_PLAIN },
    { "{\"Input\": {\"Fwd thread id\": 1, \"correlation\": 5}}", FALSE, 0, KINETO_PLAIN },
    { "{}", FALSE, 0, KINETO_PLAIN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TtTraceEvent event = { .args = { .kind = TT_JSON_OBJECT, .raw = slice (cases[i].text) } };
      KinetoArgs args;

      tt_kineto_args (&event, &args);
      g_assert_cmpint (args.has_correlation, ==, cases[i].has_correlation);
      g_assert_cmpuint (args.correlation, ==, cases[i].correlation);
      g_assert_cmpint (args.autograd, ==, cases[i].autograd);
    }
}

static void
test_device (void)
{
  gint64 id;
  g_autofree char *text = tt_kineto_device_text (
      slice ("{\"id\": 3, \"name\": \"Imaginary\", \"computeMajor\": 9, \"computeMinor\": 0, \"numSms\": 132}"), &id);

  g_assert_cmpstr (text, ==, "Imaginary, compute 9.0, 132 SMs");
  g_assert_cmpint (id, ==, 3);
}

/* -- header ------------------------------------------------------------------------------------------ */

static KinetoAhead
look_at (const char *text, gboolean is_end)
{
  KinetoAhead ahead = { .rank = -1 };

  tt_kineto_look_at (text, strlen (text), is_end, &ahead);
  return ahead;
}

static void
test_ahead (void)
{
  KinetoAhead ahead =
      look_at ("\"distributedInfo\": {\"pg_config\": [{\"ranks\": [0, 1]}], \"rank\": 34}, \"traceEvents\": ["
               "{\"ts\": 1212075525587.5}, {\"ts\": 1212075525586.016}]",
               FALSE);

  g_assert_cmpint (ahead.rank, ==, 34);
  g_assert_true (ahead.has_time);
  g_assert_cmpint (ahead.first_us, ==, 1212075525586);
  g_assert_false (ahead.has_base);

  ahead = look_at ("\"distributedInfo\": \"{\\\"backend\\\": \\\"gloo\\\", \\\"rank\\\": 7}\",", FALSE);
  g_assert_cmpint (ahead.rank, ==, 7);
  ahead = look_at ("], \"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": 1735632360000000000\n}", TRUE);
  g_assert_true (ahead.has_base);
  g_assert_cmpint (ahead.base_ns, ==, 1735632360000000000);

  g_assert_cmpint (look_at ("\"distributedInfo\": {\"rank\": 0}", TRUE).rank, ==, 0);
  g_assert_cmpint (look_at ("\"distributedInfo\": {}, \"args\": {\"rank\": 5}}", TRUE).rank, ==, -1);
  g_assert_cmpint (look_at ("\"distributedInfo\": 5, \"rank\": 5}", TRUE).rank, ==, -1);
  g_assert_cmpint (look_at ("\"distributedInfo\": {\"rank\": 99999999999999999999}", TRUE).rank, ==, -1);
  g_assert_cmpint (look_at ("\"distributedInfo\"", TRUE).rank, ==, -1);
  g_assert_cmpint (look_at ("\"distributedInfo\": {\"rank\"", TRUE).rank, ==, -1);
  g_assert_false (look_at ("\"baseTimeNanoseconds\": 17", TRUE).has_base);
  g_assert_false (look_at ("", FALSE).has_time);
}

/* -- contexts ---------------------------------------------------------------------------------------- */

static void
test_contexts (void)
{
  static const struct
  {
    KinetoKind kind;
    KinetoAutograd autograd;
    guint32 traits;
    KinetoContext around;
    gboolean begins_link, ends_link;
    KinetoContext context;
    gboolean is_renamed;
  } cases[] = {
    { KINETO_OPERATOR, KINETO_PLAIN, KINETO_NAME_IS_OPEN, 0, 0, 0, KINETO_IN_NOTHING, 1 },
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_OPEN, 0, 0, 0, KINETO_IN_FORWARD, 1 },
    { KINETO_OPERATOR, KINETO_PLAIN, KINETO_NAME_IS_OPEN, 0, 1, 0, KINETO_IN_FORWARD, 1 },
    { KINETO_OPERATOR, KINETO_BACKWARD, KINETO_NAME_IS_OPEN, 0, 0, 0, KINETO_IN_BACKWARD, 1 },
    { KINETO_OPERATOR, KINETO_PLAIN, KINETO_NAME_IS_OPEN, 0, 0, 1, KINETO_IN_BACKWARD, 1 },
    { KINETO_OPERATOR, KINETO_PLAIN, KINETO_NAME_IS_OPEN | KINETO_NAME_IS_ENGINE, 0, 0, 0, KINETO_IN_BACKWARD, 1 },
    /* recomputed within backward */
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_OPEN, KINETO_IN_BACKWARD, 1, 0, KINETO_IN_BACKWARD, 1 },
    { KINETO_PYTHON, KINETO_PLAIN, KINETO_NAME_IS_OPEN, KINETO_IN_FORWARD, 0, 0, KINETO_IN_FORWARD, 1 },
    /* annotations begin where operators do, but are none */
    { KINETO_ANNOTATION, KINETO_PLAIN, KINETO_NAME_IS_OPEN, 0, 1, 0, KINETO_IN_NOTHING, 1 },
    { KINETO_ANNOTATION, KINETO_PLAIN, KINETO_NAME_IS_UPDATE, KINETO_IN_FORWARD, 0, 0, KINETO_IN_UPDATE, 0 },
    { KINETO_OPERATOR, KINETO_PLAIN, KINETO_NAME_IS_OPEN, KINETO_IN_UPDATE, 0, 0, KINETO_IN_UPDATE, 1 },
    /* an optimizer that calls a closure */
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_OPEN, KINETO_IN_UPDATE, 0, 0, KINETO_IN_FORWARD, 1 },
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_OPEN, KINETO_IN_LOADING, 0, 0, KINETO_IN_LOADING, 1 },
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_OPEN, KINETO_IN_RESET, 0, 0, KINETO_IN_RESET, 1 },
    /* Comm and RT keep their names and hand on what is around */
    { KINETO_OPERATOR, KINETO_FORWARD, KINETO_NAME_IS_COMM, KINETO_IN_BACKWARD, 0, 0, KINETO_IN_BACKWARD, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_renamed;

      g_test_message ("case %u", i);
      g_assert_cmpint (tt_kineto_context (cases[i].kind, cases[i].autograd, cases[i].traits, cases[i].around,
                                          cases[i].begins_link, cases[i].ends_link, &is_renamed),
                       ==, cases[i].context);
      g_assert_cmpint (is_renamed, ==, cases[i].is_renamed);
    }
}

/* -- steps -------------------------------------------------------------------------------------------- */

static void
add_call (KinetoSteps *steps, guint32 process, gint64 ts_ns, guint64 correlation)
{
  tt_kineto_steps_add_call (steps, &(KinetoCall){ .ts_ns = ts_ns, .correlation = correlation, .process = process });
}

static void
test_steps (void)
{
  g_autoptr (KinetoSteps) steps = tt_kineto_steps_new (TT_STEP_RULE_SEED);
  g_autoptr (GError) error = NULL;
  gboolean is_known;

  tt_kineto_steps_add (steps, 1, 8, 2000, 3000);
  tt_kineto_steps_add (steps, 1, 7, 1000, 1900);
  tt_kineto_steps_add_optimizer (steps, 1, 5, 1500, 1600); /* not asked */
  add_call (steps, 1, 900, 10);
  add_call (steps, 1, 1000, 11);
  add_call (steps, 1, 1899, 20);
  add_call (steps, 1, 1950, 21);
  add_call (steps, 2, 2500, 30);
  g_assert_true (tt_kineto_steps_finish (steps, &error));
  g_assert_no_error (error);

  g_assert_cmpuint (tt_kineto_steps_count (steps), ==, 2);
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 999), ==, TT_NO_STEP);
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 1000), ==, 7);
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 1900), ==, TT_NO_STEP);
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 2000), ==, 8);
  g_assert_cmpint (tt_kineto_steps_at (steps, 2, 2999), ==, 8); /* of the only process with steps */
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 3000), ==, TT_NO_STEP);

  static const gint32 expected[] = {
    [10] = TT_NO_STEP, [11] = 7, [15] = 7, [20] = 7, [21] = TT_NO_STEP, [30] = 8, [31] = TT_NO_STEP,
  };
  for (guint id = 10; id < G_N_ELEMENTS (expected); id++)
    if (expected[id] != 0)
      {
        g_assert_cmpint (tt_kineto_steps_of_correlation (steps, id, &is_known), ==, expected[id]);
        g_assert_true (is_known);
      }
}

static void
test_steps_of_two_processes (void)
{
  g_autoptr (KinetoSteps) steps = tt_kineto_steps_new (TT_STEP_RULE_SEED);
  gboolean is_known;

  tt_kineto_steps_add (steps, 1, 3, 1000, 2000);
  tt_kineto_steps_add (steps, 4, 9, 1500, 2500);
  add_call (steps, 1, 1100, 1);
  g_assert_true (tt_kineto_steps_finish (steps, NULL));
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, 1600), ==, 3);
  g_assert_cmpint (tt_kineto_steps_at (steps, 4, 1600), ==, 9);
  g_assert_cmpint (tt_kineto_steps_at (steps, 2, 1600), ==, TT_NO_STEP);
  tt_kineto_steps_of_correlation (steps, 1, &is_known);
  g_assert_false (is_known);
}

static void
test_steps_of_optimizer (void)
{
  static const struct
  {
    TtStepRule rule;
    gint64 last_forward_ns;
    gint32 at_end;
  } cases[] = {
    { TT_STEP_RULE_SEED, 1500, 1 },
    { TT_STEP_RULE_SEED, 2450, 1 }, /* within zero_grad */
    { TT_STEP_RULE_STRICT, 2600, 2 },
    { TT_STEP_RULE_NONE, 2600, TT_NO_STEP },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KinetoSteps) steps = tt_kineto_steps_new (cases[i].rule);

      tt_kineto_steps_add_optimizer (steps, 1, 50, 1000, 1100);
      tt_kineto_steps_add_optimizer (steps, 1, 51, 1200, 1300); /* another in the same step */
      tt_kineto_steps_add_optimizer (steps, 1, 50, 2000, 2100);
      tt_kineto_steps_add_optimizer (steps, 1, 51, 2200, 2300);
      tt_kineto_steps_note_forward (steps, cases[i].last_forward_ns);
      tt_kineto_steps_note_reset (steps, 2500);
      g_assert_true (tt_kineto_steps_finish (steps, NULL));
      gboolean has_steps = cases[i].rule != TT_STEP_RULE_NONE;
      g_assert_cmpint (tt_kineto_steps_at (steps, 1, 1299), ==, has_steps ? 0 : TT_NO_STEP);
      g_assert_cmpint (tt_kineto_steps_at (steps, 1, 1300), ==, has_steps ? 1 : TT_NO_STEP);
      g_assert_cmpint (tt_kineto_steps_at (steps, 1, 9000), ==, cases[i].at_end);
    }
}

/* More than the tape keeps in memory. */
static void
test_many_calls (void)
{
  g_autoptr (KinetoSteps) steps = tt_kineto_steps_new (TT_STEP_RULE_SEED);
  g_autoptr (GError) error = NULL;
  gboolean is_known;

  for (gint32 step = 0; step < 100; step++)
    tt_kineto_steps_add (steps, 1, step, step * 1000, step * 1000 + 1000);
  for (guint64 id = 1; id <= 100000; id++)
    add_call (steps, 1, (gint64) id - 1, id);
  g_assert_true (tt_kineto_steps_finish (steps, &error));
  g_assert_no_error (error);
  for (guint64 id = 1; id <= 100000; id += 37)
    g_assert_cmpint (tt_kineto_steps_of_correlation (steps, id, &is_known), ==, (gint32) ((id - 1) / 1000));
}

static void
test_too_many_steps (void)
{
  g_autoptr (KinetoSteps) steps = tt_kineto_steps_new (TT_STEP_RULE_SEED);
  gint32 n = 0;

  while (tt_kineto_steps_add (steps, 1, n, n * 10, n * 10 + 10))
    n++;
  g_assert_cmpint (n, ==, (gint32) TT_KINETO_MAX_STEPS);
  g_assert_true (tt_kineto_steps_finish (steps, NULL));
  g_assert_cmpint (tt_kineto_steps_at (steps, 1, (gint64) (n - 1) * 10 + 9), ==, n - 1);
}

/* -- rules ---------------------------------------------------------------------------------------------- */

static void
test_rules (void)
{
  static const struct
  {
    const char *group, *raw, *text;
    gboolean is_collective;
  } cases[] = {
    { "kernel", "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevComm*)",
      "Comm.ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevComm*).ALLREDUCE", TRUE },
    { "kernel", "ncclKernel_ReduceScatter_RING_LL_Sum_half()", "Comm.ncclKernel_ReduceScatter_RING_LL_Sum_half.REDUCE",
      TRUE },
    { "kernel", "ncclDevKernel_AllGather_RING_LL", "Comm.ncclDevKernel_AllGather_RING_LL.ALLGATHER", TRUE },
    { "kernel", "ncclKernel_Broadcast_RING_LL_Sum_int8_t", "Comm.ncclKernel_Broadcast_RING_LL_Sum_int8_t.BCAST", TRUE },
    { "kernel", "ncclDevKernel_SendRecv", "Comm.ncclDevKernel_SendRecv.SENDRECV", FALSE },
    { "kernel", "ncclDevKernel_Generic_4", "Comm.ncclDevKernel_Generic_4", FALSE },
    { "kernel", "ampere_sgemm", "COMP.ampere_sgemm", FALSE },
    { "user_annotation", "nccl:all_reduce", "Comm.nccl:all_reduce.ALLREDUCE", FALSE },
    { "user_annotation", "nccl:_all_gather_base", "Comm.nccl:_all_gather_base.ALLGATHER", FALSE },
    { "user_annotation", "nccl:reduce_scatter", "Comm.nccl:reduce_scatter.REDUCE", FALSE },
    { "user_annotation", "nccl:send 0->1", "Comm.nccl:send 0_1.SEND", FALSE },
    { "user_annotation", "nccl:all_reduce_barrier", "SYNC.nccl:all_reduce_barrier", FALSE },
    { "user_annotation", "nccl:coalesced", "Comm.nccl:coalesced", FALSE },
    { "user_annotation", "gloo:all_reduce", "Comm.gloo:all_reduce.ALLREDUCE", TRUE },
    { "user_annotation", "gloo:barrier", "SYNC.gloo:barrier", TRUE },
    { "cpu_op", "c10d::alltoall_base_", "Comm.c10d::alltoall_base_.ALLTOALL", FALSE },
    { "cpu_op", "c10d::_allgather_base_", "Comm.c10d::_allgather_base_.ALLGATHER", FALSE },
    { "cpu_op", "c10d::barrier", "SYNC.c10d::barrier", FALSE },
    { "cpu_op", "c10d::recv_", "Comm.c10d::recv_.RECV", FALSE },
    { "cpu_op", "_c10d_functional::all_gather_into_tensor", "Comm._c10d_functional::all_gather_into_tensor.ALLGATHER",
      FALSE },
    { "cpu_op", "_c10d_functional::wait_tensor", "SYNC._c10d_functional::wait_tensor", FALSE },
    { "cpu_op", "aten::broadcast_tensors", "COMP.aten::broadcast_tensors", FALSE },
    { "cpu_op", "torch::distributed::reducer::mul_out", "COMP.torch::distributed::reducer::mul_out", FALSE },
    { "cuda_runtime", "cudaLaunchKernel", "RT.cudaLaunchKernel", FALSE },
    { "cuda_runtime", "cudaMalloc", "RT.cudaMalloc", FALSE },
    { "cuda_runtime", "cudaStreamWaitEvent", "SYNC.cudaStreamWaitEvent", FALSE },
    { "cuda_runtime", "cudaEventSynchronize", "SYNC.cudaEventSynchronize", FALSE },
    { "cuda_driver", "cuLaunchKernel", "RT.cuLaunchKernel", FALSE },
    { "hip_runtime", "hipMemcpyWithStream", "RT.hipMemcpyWithStream", FALSE },
    { "mtia_runtime", "runFunction", "RT.runFunction", FALSE },
    { "cuda_sync", "Stream Wait Event", "SYNC.Stream Wait Event", FALSE },
    { "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "MEM.Memcpy HtoD (Pinned _ Device).H2D", FALSE },
    { "gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", "MEM.Memcpy DtoH (Device _ Pageable).D2H", FALSE },
    { "gpu_memcpy", "Memcpy PtoP (Device -> Device)", "MEM.Memcpy PtoP (Device _ Device).D2D", FALSE },
    { "gpu_memcpy", "Memcpy (unknown)", "MEM.Memcpy (unknown)", FALSE },
    { "gpu_memset", "Memset (Device)", "MEM.Memset (Device).SET", FALSE },
    { "user_annotation", "Optimizer.step#SGD.step", "UPDATE_.Optimizer_step#SGD_step", FALSE },
    { "user_annotation", "enumerate(DataLoader)#_Multi.__next__", "I/O.enumerate(DataLoader)#_Multi___next__", FALSE },
    { "user_annotation", "## data_load ##", "I/O.## data_load ##", FALSE },
    { "python_function", "torch/utils/data/dataloader.py(628): __next__",
      "I/O.torch/utils/data/dataloader_py(628): __next__", FALSE },
    { "overhead", "CUPTI Buffer Flush", "RT.CUPTI Buffer Flush", FALSE },
    { "cpu_instant_event", "[memory]", "MEM.[memory]", FALSE },
  };
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  g_assert_no_error (error);
  g_autoptr (TtNames) names = tt_names_new (rules);

  tt_names_set_source (names, "kineto");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_new;
      TtName name;
      guint32 id = tt_names_intern (names, &(TtRawName){ .raw = cases[i].raw, .group = cases[i].group }, &is_new);

      g_assert_true (tt_names_get (names, id, &name));
      g_assert_cmpstr (name.text, ==, cases[i].text);
      g_assert_cmpint (name.is_collective, ==, cases[i].is_collective);
    }
}

static void
test_names_within (void)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  g_assert_no_error (error);
  TtNames *names = tt_names_new (rules);
  g_autoptr (TtSink) sink = tt_null_sink_new (names);
  g_autoptr (KinetoNames) within = tt_kineto_names_new (sink, &(TtImportOptions){ .rank = -1 });
  TtName found;

  tt_names_set_source (names, "kineto");
  guint32 mul = tt_sink_name (sink, &(TtRawName){ .raw = "aten::mul", .group = "cpu_op" });
  guint32 backward = tt_kineto_names_within (within, mul, KINETO_IN_BACKWARD);
  guint32 update = tt_kineto_names_within (within, mul, KINETO_IN_UPDATE);

  g_assert_cmpuint (tt_kineto_names_traits (within, mul), ==, KINETO_NAME_IS_OPEN);
  g_assert_cmpuint (backward, ==, tt_kineto_names_within (within, mul, KINETO_IN_BACKWARD));
  guint32 copy = tt_sink_name (sink, &(TtRawName){ .raw = "hipMemcpy", .group = "hip_runtime" });
  gboolean blocks;
  g_assert_cmpint (tt_kineto_names_role (within, copy, &blocks), ==, TT_ACTIVITY_COPY_CALL);
  g_assert_true (blocks);
  g_assert_cmpint (tt_kineto_names_role (within, mul, &blocks), ==, TT_ACTIVITY_NONE);
  g_assert_false (blocks);
  g_assert_cmpuint (backward, !=, update);
  g_assert_cmpuint (mul, ==, tt_kineto_names_within (within, mul, KINETO_IN_NOTHING));
  g_assert_cmpuint (mul, ==, tt_kineto_names_within (within, mul, KINETO_IN_RESET));
  g_assert_true (tt_names_get (names, backward, &found));
  g_assert_cmpstr (found.text, ==, "BW.aten::mul");
  g_assert_true (tt_names_get (names, update, &found));
  g_assert_cmpstr (found.text, ==, "UPDATE_.aten::mul");
  g_assert_cmpstr (found.group, ==, "cpu_op");

  guint32 kernel = tt_sink_name (sink, &(TtRawName){ .raw = "ncclDevKernel_SendRecv", .group = "kernel" });
  guint32 all_to_all = tt_kineto_names_refine (within, kernel, "ALLTOALL", TRUE, 3);
  g_assert_cmpuint (tt_kineto_names_traits (within, kernel), ==, KINETO_NAME_IS_COMM);
  g_assert_false (tt_names_is_collective (names, kernel));
  g_assert_true (tt_names_is_collective (names, all_to_all));
  g_assert_true (tt_names_get (names, all_to_all, &found));
  g_assert_cmpstr (found.text, ==, "Comm.ncclDevKernel_SendRecv.ALLTOALL");
  g_assert_cmpuint (found.communicator, ==, 3);
  g_assert_cmpuint (tt_kineto_names_refine (within, kernel, "ALLTOALL", TRUE, 3), ==, all_to_all);
  guint32 of_others = tt_kineto_names_refine (within, kernel, "ALLTOALL", TRUE, 4);
  g_assert_cmpuint (of_others, !=, all_to_all);
  g_assert_true (tt_names_get (names, of_others, &found));
  g_assert_cmpstr (found.text, ==, "Comm.ncclDevKernel_SendRecv.ALLTOALL");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kineto/kinds", test_kinds);
  g_test_add_func ("/kineto/roles", test_roles);
  g_test_add_func ("/kineto/sub-ops", test_sub_ops);
  g_test_add_func ("/kineto/names-of-calls", test_names_of_calls);
  g_test_add_func ("/kineto/args", test_args);
  g_test_add_func ("/kineto/device", test_device);
  g_test_add_func ("/kineto/ahead", test_ahead);
  g_test_add_func ("/kineto/contexts", test_contexts);
  g_test_add_func ("/kineto/steps", test_steps);
  g_test_add_func ("/kineto/steps-of-two-processes", test_steps_of_two_processes);
  g_test_add_func ("/kineto/steps-of-optimizer", test_steps_of_optimizer);
  g_test_add_func ("/kineto/many-calls", test_many_calls);
  g_test_add_func ("/kineto/too-many-steps", test_too_many_steps);
  g_test_add_func ("/kineto/rules", test_rules);
  g_test_add_func ("/kineto/names-within", test_names_within);
  return g_test_run ();
}
