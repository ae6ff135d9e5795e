/* SPDX-License-Identifier: Apache-2.0 */
/* What-ifs and the rules of replay on a hand-made job of two ranks. */
#include "config.h"

#include "analyzers/training-job/simulation.h"
#include "analyzers/training-job/sweep.h"
#include "analyzers/training-job/what-if.h"
#include "src/base/error.h"

typedef struct
{
  TtNccl *nccl;
  GStringChunk *text;
  TtStepGraph *graph;
  TtStepNodeTimes *times;
} Job;

/* FW.a -> BW.a -> Comm.0 -> UPDATE_.a on each rank; Comm.0 over one ring in two slices. */
static Job
job_new (void)
{
  static const char *const pids[] = { "host0.rank0", "host1.rank0" };
  static const char *const names[] = { "FW.a", "BW.a", "Comm.0", "UPDATE_.a" };
  static const TtStepNodeKind kinds[] = { TT_STEP_NODE_FW, TT_STEP_NODE_BW, TT_STEP_NODE_COMM, TT_STEP_NODE_UPDATE };
  static const char *const tensors[] = { NULL, NULL, "0", NULL };
  static const char *const members[] = { "0", NULL };
  static const guint32 edges[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 } };
  const TtStepGroup group = { .name = "0",
                              .tensors = members,
                              .algo = TT_STEP_ALGO_RING,
                              .n_loops = 1,
                              .n_channels = 1,
                              .n_slices = 2,
                              .n_chunks = 2 };
  Job job = { .nccl = tt_nccl_new (), .text = g_string_chunk_new (64) };
  TtNameParts parts[G_N_ELEMENTS (names)];
  gint own;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    parts[i] = tt_name_parts_parse (names[i], job.text);

  g_assert_true (tt_nccl_add_ring (job.nccl, TT_NCCL_RING, 0, "0[0] -> 1[0] [send] via NET/Socket/0", &own, NULL));
  g_assert_true (tt_nccl_add_ring (job.nccl, TT_NCCL_RING, 0, "1[0] -> 0[0] [send] via NET/Socket/0", &own, NULL));
  tt_nccl_join (job.nccl);
  const TtStepPlan plan = { .n_ranks = 2,
                            .pids = pids,
                            .n_local = 4,
                            .names = names,
                            .parts = parts,
                            .kinds = kinds,
                            .tensors = tensors,
                            .n_edges = 3,
                            .edges = edges,
                            .n_groups = 1,
                            .groups = &group,
                            .nccl = job.nccl,
                            .max_update = -1 };
  job.graph = tt_step_graph_new (&plan);
  job.times = g_new0 (TtStepNodeTimes, job.graph->nodes->len);
  for (guint32 i = 0; i < job.graph->nodes->len; i++)
    job.times[i] = (TtStepNodeTimes){ .observed_begin_ns = TT_STEP_NO_TIME,
                                      .observed_end_ns = TT_STEP_NO_TIME,
                                      .avg_ns = tt_step_node (job.graph, i)->kind == TT_STEP_NODE_SEND ? 10 : 100 };
  return job;
}

static void
job_clear (Job *job)
{
  g_string_chunk_free (job->text);
  tt_nccl_free (job->nccl);
  tt_step_graph_free (job->graph);
  g_free (job->times);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static guint32
find (const Job *job, const char *long_name)
{
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      g_autofree char *name = tt_step_node_long_name (job->graph, i);
      if (g_str_equal (name, long_name))
        return i;
    }
  g_error ("no node '%s'", long_name);
}

static void
test_order (void)
{
  g_auto (Job) job = job_new ();
  g_autoptr (TtWhatIf) what_if = tt_what_if_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_what_if_is_empty (what_if));
  g_assert_true (tt_what_if_add_remove (what_if, "host1.rank0->FW.a", &error));
  g_assert_true (tt_what_if_add_delay (what_if, "name=BW.*=0.05", &error));
  g_assert_true (tt_what_if_add_delay (what_if, "UPDATE_.a=-1", &error));
  g_assert_true (tt_what_if_add_scale (what_if, "op_cat=BW:0.5", &error));
  g_assert_true (tt_what_if_add_compute (what_if, "4", &error));
  g_assert_true (tt_what_if_add_scale (what_if, "sub_op=SEND:0.25", &error));
  g_assert_true (tt_what_if_apply (what_if, job.graph, job.times, &error));
  g_assert_no_error (error);
  g_assert_cmpint (job.times[find (&job, "host0.rank0->FW.a")].avg_ns, ==, 25);
  g_assert_cmpint (job.times[find (&job, "host1.rank0->FW.a")].avg_ns, ==, 0);
  /* 100 / 4 = 25, half of it 12.5 away from zero, and 50 more. */
  g_assert_cmpint (job.times[find (&job, "host0.rank0->BW.a")].avg_ns, ==, 63);
  g_assert_cmpint (job.times[find (&job, "host0.rank0->UPDATE_.a")].avg_ns, ==, 0);
  g_assert_cmpint (job.times[find (&job, "host0.rank0->Comm.0.SEND~>0_0_1_0")].avg_ns, ==, 3);
  g_assert_cmpint (job.times[find (&job, "host0.rank0->Comm.0.RECV~>0_0_1_0")].avg_ns, ==, 100);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *choice, *message;
  } cases[] = {
    { "name=BW.b", "no operation of this job has name 'BW.b'; did you mean 'BW.a'?" },
    { "host0.rank0->BW.b",
      "no operation of this job has op_long_name 'host0.rank0->BW.b'; did you mean 'host0.rank0->BW.a'?" },
    { "pid=host0.rank2", "no operation of this job has pid 'host0.rank2'; did you mean 'host0.rank0'?" },
    { "name=X*", "no operation of this job has name 'X*'" },
  };
  g_auto (Job) job = job_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtWhatIf) what_if = tt_what_if_new ();
      g_autoptr (GError) error = NULL;

      g_assert_true (tt_what_if_add_remove (what_if, cases[i].choice, NULL));
      g_assert_false (tt_what_if_apply (what_if, job.graph, job.times, &error));
      g_assert_error (error, TT_ERROR, TT_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static gint64
start_of (const Job *job, const TtSimulation *simulation, const char *long_name)
{
  return tt_schedule_start_ns (simulation->schedule, find (job, long_name));
}

/* Slice 1 was sent before slice 0 on one rank: so it is again. Seen at once, they go at once. */
static void
test_sends_as_seen (void)
{
  g_auto (Job) job = job_new ();
  const TtStepReplayOptions options = tt_step_replay_options_default (FALSE);
  TtStepNodeTimes *first = &job.times[find (&job, "host0.rank0->Comm.0.SEND~>0_0_0_1")];
  TtStepNodeTimes *second = &job.times[find (&job, "host0.rank0->Comm.0.SEND~>0_0_0_0")];

  first->observed_begin_ns = 1000;
  first->observed_end_ns = second->observed_begin_ns = 1010;
  second->observed_end_ns = 1020;
  g_autoptr (TtSimulation) in_turn = tt_simulation_new (job.graph, job.times, &options, NULL);
  gint64 begin_ns = start_of (&job, in_turn, "host0.rank0->Comm.0.SEND~>0_0_0_1");
  g_assert_cmpint (start_of (&job, in_turn, "host0.rank0->Comm.0.SEND~>0_0_0_0"), ==, begin_ns + 10);
  g_assert_cmpint (start_of (&job, in_turn, "host1.rank0->Comm.0.SEND~>0_0_0_0"), ==, begin_ns);

  second->observed_begin_ns = 1005;
  g_autoptr (TtSimulation) at_once = tt_simulation_new (job.graph, job.times, &options, NULL);
  g_assert_cmpint (start_of (&job, at_once, "host0.rank0->Comm.0.SEND~>0_0_0_0"), ==, begin_ns);
  g_assert_cmpint (start_of (&job, at_once, "host0.rank0->Comm.0.SEND~>0_0_0_1"), ==, begin_ns);
}

/* A trace that has the answer before the question: what was seen does not count then. */
static void
test_impossible_order (void)
{
  g_auto (Job) job = job_new ();
  const TtStepReplayOptions options = tt_step_replay_options_default (FALSE);
  TtStepNodeTimes *later = &job.times[find (&job, "host0.rank0->Comm.0.SEND~>0_0_1_0")];
  TtStepNodeTimes *sooner = &job.times[find (&job, "host0.rank0->Comm.0.SEND~>0_0_0_0")];
  TtStepNodeTimes *other_later = &job.times[find (&job, "host1.rank0->Comm.0.SEND~>0_0_1_0")];
  TtStepNodeTimes *other_sooner = &job.times[find (&job, "host1.rank0->Comm.0.SEND~>0_0_0_0")];
  g_autoptr (GError) error = NULL;

  later->observed_begin_ns = other_later->observed_begin_ns = 0;
  later->observed_end_ns = other_later->observed_end_ns = 5;
  sooner->observed_begin_ns = other_sooner->observed_begin_ns = 10;
  sooner->observed_end_ns = other_sooner->observed_end_ns = 15;
  g_autoptr (TtSimulation) simulation = tt_simulation_new (job.graph, job.times, &options, &error);
  g_assert_no_error (error);
  g_assert_false (simulation->options.traced_order);
}

/* Updates wait for the group and the gap behind it; a second run with other times is as a first. */
static void
test_again (void)
{
  g_auto (Job) job = job_new ();
  const TtStepReplayOptions options = tt_step_replay_options_default (TRUE);

  for (guint32 i = 0; i < job.graph->nodes->len; i++)
    job.times[i].update_gap_ns = 7;
  g_autoptr (TtSimulation) base = tt_simulation_new (job.graph, job.times, &options, NULL);
  guint32 out = find (&job, "host0.rank0->Comm.0.MEMCPY_OUT_FUSION_BUFFER");
  g_assert_cmpint (start_of (&job, base, "host0.rank0->UPDATE_.a"), ==, tt_schedule_end_ns (base->schedule, out) + 7);
  gint64 sum_ns = 0;
  for (guint i = 0; i < base->path->hops->len; i++)
    sum_ns += g_array_index (base->path->hops, TtStepHop, i).cost_ns;
  g_assert_cmpint (sum_ns, ==, base->path->length_ns);
  g_assert_cmpint (base->mean_ns, ==, base->path->length_ns);

  job.times[find (&job, "host0.rank0->BW.a")].avg_ns = 1000;
  g_autoptr (TtSimulation) fresh = tt_simulation_new (job.graph, job.times, &options, NULL);
  g_autoptr (TtSimulation) again = tt_simulation_again (base, job.times, NULL);
  g_assert_null (base->schedule);
  g_assert_cmpint (again->mean_ns, ==, fresh->mean_ns);
  g_assert_cmpint (again->mean_ns, ==, base->mean_ns + 900);
}

static const TtSweepRow *
find_row (const GArray *rows, const char *field, const char *value)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const TtSweepRow *row = &g_array_index (rows, TtSweepRow, i);
      if (g_str_equal (row->field, field) && g_str_equal (row->value, value))
        return row;
    }
  g_error ("no row for %s=%s", field, value);
}

/* The ranks are alike and what they do is one chain: half of the 100 ns of an operation is 50 ns less. */
static void
test_sweep (void)
{
  static const char *const chain[][2] = { { "name", "FW.a" },
                                          { "name", "BW.a" },
                                          { "op_cat", "BW" },
                                          { "name", "UPDATE_.a" },
                                          { "op_cat", "FW" },
                                          { "op_cat", "UPDATE_" },
                                          { "name", "Comm.0.MEMCPY_IN_FUSION_BUFFER" } };
  g_auto (Job) job = job_new ();
  const TtTrainingJob training = { .graph = job.graph, .times = job.times };
  const TtPredictionInput input = { .job = &training,
                                    .replay = tt_step_replay_options_default (FALSE),
                                    .averages = TRUE };
  g_autoptr (TtPrediction) base = tt_prediction_new (&input, NULL);
  g_assert_nonnull (base);
  g_autoptr (GArray) rows = tt_sweep (base, 50, NULL, NULL);

  g_assert_nonnull (rows);
  for (guint i = 0; i < G_N_ELEMENTS (chain); i++)
    {
      const TtSweepRow *row = find_row (rows, chain[i][0], chain[i][1]);
      g_assert_cmpuint (row->n_nodes, ==, 2);
      g_assert_cmpint (row->iteration_ns, ==, base->mean_ns - 50);
    }
  /* The category is all of its operations, which come after one another. */
  gint64 gain_ns = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      const TtSweepRow *row = &g_array_index (rows, TtSweepRow, i);
      if (g_str_equal (row->field, "name") && g_str_has_prefix (row->value, "Comm."))
        gain_ns += base->mean_ns - row->iteration_ns;
    }
  g_assert_cmpint (gain_ns, >=, 4 * 50);
  g_assert_cmpint (base->mean_ns - find_row (rows, "op_cat", "Comm")->iteration_ns, ==, gain_ns);

  for (guint i = 1; i < rows->len; i++)
    {
      const TtSweepRow *row = &g_array_index (rows, TtSweepRow, i), *before = row - 1;
      gboolean is_new_field = !g_str_equal (before->field, row->field);

      g_assert_true (is_new_field ? g_str_equal (row->field, "name") : before->iteration_ns <= row->iteration_ns);
    }
  for (guint32 i = 0; i < job.graph->nodes->len; i++)
    if (tt_step_node (job.graph, i)->kind == TT_STEP_NODE_FW)
      g_assert_cmpint (tt_schedule_task (base->simulation->schedule, i)->dur_ns, ==, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/what-if/order", test_order);
  g_test_add_func ("/what-if/refused", test_refused);
  g_test_add_func ("/simulation/sends-as-seen", test_sends_as_seen);
  g_test_add_func ("/simulation/impossible-order", test_impossible_order);
  g_test_add_func ("/simulation/again", test_again);
  g_test_add_func ("/sweep/each-alone", test_sweep);
  return g_test_run ();
}
