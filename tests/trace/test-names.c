/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/names/names.h"

#include "src/base/error.h"
#include "src/base/slots.h"
#include "src/base/tape.h"

#include "tests/require.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

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

static guint32
intern (TtNames *names, const char *raw, const char *op, const char *group)
{
  gboolean is_new;

  return tt_names_intern (names, &(TtRawName){ .raw = raw, .op = op, .group = group }, &is_new);
}

static void
assert_text (TtNames *names, guint32 id, const char *text)
{
  TtName name = { 0 };

  g_assert_true (tt_names_get (names, id, &name));
  g_assert_cmpstr (name.text, ==, text);
}

/* -- rules ---------------------------------------------------------------------------------------- */

static void
test_shipped_rules (void)
{
  static const struct
  {
    const char *op, *group, *text;
    gboolean is_collective;
  } cases[] = {
    { "MPI_Send", "MPI", "Comm.MPI_Send.SEND", FALSE },
    { "MPI_Send()", "MPI", "Comm.MPI_Send.SEND", FALSE },
    { "MPI_Send(void *, int)", "MPI", "Comm.MPI_Send(void *, int).SEND", FALSE },
    { "MPI_Recv (void *, int)", "MPI", "Comm.MPI_Recv (void *, int).RECV", FALSE },
    { "MPI_Bcast  (void *, int (*) (int))", "MPI", "Comm.MPI_Bcast  (void *, int (*) (int)).BCAST", TRUE },
    { "MPI_Isend", "MPI", "Comm.MPI_Isend.SEND", FALSE },
    { "MPI_Ssend", "MPI", "Comm.MPI_Ssend.SEND", FALSE },
    { "MPI_Issend", "MPI", "Comm.MPI_Issend.SEND", FALSE },
    { "MPI_Irecv", "MPI", "Comm.MPI_Irecv.RECV", FALSE },
    { "MPI_Sendrecv_replace", "MPI", "Comm.MPI_Sendrecv_replace.SENDRECV", FALSE },
    { "MPI_Send_init", "MPI", "RT.MPI_Send_init", FALSE },
    { "MPI_Bcast", "MPI", "Comm.MPI_Bcast.BCAST", TRUE },
    { "MPI_Iallreduce", "MPI", "Comm.MPI_Iallreduce.ALLREDUCE", TRUE },
    { "MPI_Reduce_scatter_block", "MPI", "Comm.MPI_Reduce_scatter_block.REDUCE", TRUE },
    { "MPI_Reduce_local", "MPI", "RT.MPI_Reduce_local", FALSE },
    { "MPI_Exscan", "MPI", "Comm.MPI_Exscan.SCAN", TRUE },
    { "MPI_Ialltoallw", "MPI", "Comm.MPI_Ialltoallw.ALLTOALL", TRUE },
    { "MPI_Neighbor_alltoallv", "MPI", "Comm.MPI_Neighbor_alltoallv.ALLTOALL", TRUE },
    { "MPI_Ineighbor_allgather", "MPI", "Comm.MPI_Ineighbor_allgather.ALLGATHER", TRUE },
    { "MPI_Gatherv", "MPI", "Comm.MPI_Gatherv.GATHER", TRUE },
    { "MPI_Scatterv", "MPI", "Comm.MPI_Scatterv.SCATTER", TRUE },
    { "MPI_Barrier", "MPI", "SYNC.MPI_Barrier", TRUE },
    { "MPI_Ibarrier", "MPI", "SYNC.MPI_Ibarrier", TRUE },
    { "MPI_Waitall", "MPI", "SYNC.MPI_Waitall", FALSE },
    { "MPI_Testsome", "MPI", "SYNC.MPI_Testsome", FALSE },
    { "MPI Collective Sync", "MPI", "SYNC.MPI Collective Sync", FALSE },
    { "MPI_File_read_at_all", "MPI", "I/O.MPI_File_read_at_all", TRUE },
    { "MPI_File_read_at", "MPI", "I/O.MPI_File_read_at", FALSE },
    { "MPI_Init_thread", "MPI", "RT.MPI_Init_thread", TRUE },
    { "MPI_Finalize", "MPI", "RT.MPI_Finalize", TRUE },
    { "MPI_Comm_split", "MPI", "RT.MPI_Comm_split", TRUE },
    { "MPI_Comm_create_keyval", "MPI", "RT.MPI_Comm_create_keyval", FALSE },
    { "MPI_Comm_rank", "MPI", "RT.MPI_Comm_rank", FALSE },
    { "FLUSH", "TRACER", "RT.FLUSH", FALSE },
    { "FLUSH", "TAU_USER", "COMP.FLUSH", FALSE },
    { "barrier enter/exit", "OpenMP", "SYNC.barrier enter/exit", FALSE },
    { "OpenMP_Mutex_Waiting_Critical", "TAU_USER|OpenMP", "SYNC.OpenMP_Mutex_Waiting_Critical", FALSE },
    { "OpenMP_Mutex_Acquired_Critical", "TAU_USER|OpenMP", "COMP.OpenMP_Mutex_Acquired_Critical", FALSE },
    { "OpenMP_Sync_Region_Barrier_Implicit", "TAU_USER|OpenMP", "SYNC.OpenMP_Sync_Region_Barrier_Implicit.implicit",
      FALSE },
    { "parallelfor (loop body)", "OpenMP", "COMP.parallelfor (loop body)", FALSE },
    { "set_barrier", "TAU_USER", "COMP.set_barrier", FALSE },
    { "read()", "TAU_IO", "I/O.read", FALSE },
    { "anything", "TAU_IO", "I/O.anything", FALSE },
    { "fopen64", "TAU_DEFAULT", "I/O.fopen64", FALSE },
    { "readback", "TAU_DEFAULT", "COMP.readback", FALSE },
    { "cudaLaunchKernel", "CUDA", "RT.cudaLaunchKernel", FALSE },
    { "cuMemcpyHtoDAsync_v2", "CUDA", "RT.cuMemcpyHtoDAsync_v2", FALSE },
    { "hipMemcpy", "HIP", "RT.hipMemcpy", FALSE },
    { "cudaMemcpyAsync", "CUDA", "RT.cudaMemcpyAsync", FALSE },
    { "cudaDeviceSynchronize", "CUDA", "SYNC.cudaDeviceSynchronize", FALSE },
    { "cuStreamSynchronize", "CUDA", "SYNC.cuStreamSynchronize", FALSE },
    { "hipStreamSynchronize", "HIP", "SYNC.hipStreamSynchronize", FALSE },
    { "cube_root", "TAU_USER", "COMP.cube_root", FALSE },
    { "Memory copy Host to Device", "TAU_GPU", "MEM.Memory copy Host to Device.H2D", FALSE },
    { "Memcpy DtoH (Device -> Pinned)", "TAU_GPU", "MEM.Memcpy DtoH (Device _ Pinned).D2H", FALSE },
    { "[CUDA memcpy DtoD]", "TAU_GPU", "MEM.[CUDA memcpy DtoD].D2D", FALSE },
    { "pthread_join", "TAU_DEFAULT", "SYNC.pthread_join", FALSE },
    { "pthread_mutex_lock", "PTHREAD", "SYNC.pthread_mutex_lock", FALSE },
    { "compute", "TAU_USER", "COMP.compute", FALSE },
  };
  g_autoptr (TtNames) names = new_names ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TtName name;
      guint32 id = intern (names, cases[i].op, NULL, cases[i].group);

      g_test_message ("%s", cases[i].op);
      g_assert_true (tt_names_get (names, id, &name));
      /* "MPI_Send()" is another raw name than "MPI_Send". */
      if (i == 1)
        g_assert_cmpstr (name.text, ==, "Comm.MPI_Send.SEND#2");
      else
        g_assert_cmpstr (name.text, ==, cases[i].text);
      g_assert_cmpint (name.is_collective, ==, cases[i].is_collective);
      g_assert_cmpint (tt_names_is_collective (names, id), ==, cases[i].is_collective);
    }
}

static char *
write_rules (const char *text)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("rules-XXXXXX.ini", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_extra_rules_first (void)
{
  g_autofree char *path = write_rules ("[7]\nsource=tau\nname=MPI_Send;comp*\nop_cat=Mine\nsub_op=X\n"
                                       "[2]\nname=compute\nop_cat=First\ncollective=yes\n");
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (path, &error);

  require_no_error (error);
  TtNameRule rule = tt_name_rules_match (rules, "tau", NULL, "MPI_Send");
  g_assert_cmpint (rule.number, ==, -7);
  g_assert_cmpstr (rule.op_cat, ==, "Mine");
  rule = tt_name_rules_match (rules, "chrome", NULL, "MPI_Send");
  g_assert_cmpint (rule.number, ==, 10);
  rule = tt_name_rules_match (rules, "tau", NULL, "compute");
  g_assert_cmpint (rule.number, ==, -2);
  g_assert_true (rule.is_collective);
  rule = tt_name_rules_match (rules, "tau", NULL, "");
  g_assert_cmpint (rule.number, ==, 0);
  g_assert_cmpstr (rule.op_cat, ==, "COMP");
  tt_name_rules_unref (rules);
  g_unlink (path);
}

/* The rules of one group say what all of them say of it, and more groups than are kept are told apart. */
static void
test_rules_of_a_group (void)
{
  static const char *const ops[] = { "MPI_Send", "MPI_Send(int)", "ncclAllReduce", "compute", "", "planted", "a[0]" };
  static const char *const groups[] = { NULL, "", "MPI", "TAU_USER|MPI", "kernel", "cpu_op", "mine7" };
  static const char *const sources[] = { NULL, "tau", "kineto", "nccl" };
  g_autofree char *path = write_rules ("[1]\ngroup=mine*\nname=planted;*[0-9]]\nop_cat=Mine\n"
                                       "[2]\nsource=kineto\nname=comp?te\nop_cat=Kine\n");
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (path, &error);

  require_no_error (error);
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
      {
        TtNameRulesOf *of_group = tt_name_rules_of_new (rules, sources[s], groups[g]);
        for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
          g_assert_cmpint (tt_name_rules_of_match (of_group, ops[i]).number, ==,
                           tt_name_rules_match (rules, sources[s], groups[g], ops[i]).number);
        tt_name_rules_of_free (of_group);
      }

  TtNames *names = tt_names_new (rules);
  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < 600; i++)
      {
        g_autofree char *group = g_strdup_printf ("%s%u", i % 2 == 0 ? "mine" : "other", i);
        gboolean is_new;
        TtName name;

        guint32 id = tt_names_intern (names, &(TtRawName){ .raw = "planted", .group = group }, &is_new);
        g_assert_cmpint (is_new, ==, round == 0);
        g_assert_true (tt_names_get (names, id, &name));
        g_assert_cmpstr (name.op_cat, ==, i % 2 == 0 ? "Mine" : "COMP");
      }
  tt_names_free (names);
  g_unlink (path);
}

/* A source is a list of patterns as a group and a name are. */
static void
test_rules_of_several_sources (void)
{
  static const struct
  {
    const char *source;
    int number;
  } cases[] = {
    { "kineto", -1 }, { "rocprof", -1 }, { "nccl", -1 }, { "nccl-profiler", -1 }, { "tau", 0 }, { NULL, 0 }
  };
  g_autofree char *path = write_rules ("[1]\nsource=kineto;rocprof;nccl*\nname=planted\nop_cat=Mine\n");
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (path, &error);

  require_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (tt_name_rules_match (rules, cases[i].source, NULL, "planted").number, ==, cases[i].number);
  tt_name_rules_unref (rules);
  g_unlink (path);
}

static void
test_bad_rules (void)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "[1]\nname=x\nop_catt=Y\n", "*group [1]: unknown key 'op_catt'*'op_cat'*" },
    { "[x]\nop_cat=Y\n", "*group [x] is not a number*" },
    { "[0]\nop_cat=Y\n", "*group [0] is not a number*" },
    { "[1]\nname=x\n", "*group [1] has no key 'op_cat'*" },
    { "[1]\nop_cat=a.b\n", "*group [1]: 'op_cat' must not*" },
    { "[1]\nop_cat=a\nsub_op=\n", "*group [1]: 'sub_op' must not*" },
    { "[1]\nop_cat=a\ncollective=maybe\n", "*group [1]: 'collective' is*'maybe'*" },
    { "[1]\nop_cat=a\n[1]\nop_cat=b\n", "*line 3: group [1] is there twice*" },
    { "nonsense\n", "*rules-*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_rules (cases[i].text);
      g_autoptr (GError) error = NULL;

      g_assert_null (tt_name_rules_load (path, &error));
      require_error (error, TT_ERROR, TT_ERROR_FORMAT);
      if (error == NULL || !g_pattern_match_simple (cases[i].message, error->message))
        g_test_fail_printf ("%s: %s", cases[i].text, error == NULL ? "no error" : error->message);
      if (error != NULL)
        g_assert_nonnull (strstr (error->message, path));
      g_unlink (path);
    }

  g_autoptr (GError) error = NULL;
  g_assert_null (tt_name_rules_load ("/nonexistent/rules.ini", &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
}

/* -- texts ------------------------------------------------------------------------------------------ */

static void
test_special_texts (void)
{
  static const struct
  {
    const char *op_cat, *op, *sub_op, *text;
  } cases[] = {
    { "UPDATE_", "CAL", NULL, "UPDATE_CAL" },
    { "UPDATE_", "3", NULL, "UPDATE_3" },
    { "UPDATE_", "x", NULL, "UPDATE_.x" },
    { "OUTPUT", "0", NULL, "OUTPUT0" },
    { "OUTPUT", "loss", NULL, "OUTPUT.loss" },
    { "I/O", "0", NULL, "I/O_0" },
    { "I/O", "read", NULL, "I/O.read" },
    { "virtual", "END", NULL, "END" },
    { "FW", "model/dense_0/MatMul", NULL, "FW.model/dense_0/MatMul" },
    { "Comm", "3+4", "SEND", "Comm.3+4.SEND" },
    { "FW", "a.b->c~>d\te-f~g", NULL, "FW.a_b_c_d_e-f~g" },
  };
  g_autoptr (TtNames) names = new_names ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_new;
      TtName name;
      const TtRawName raw = { .raw = cases[i].op, .op_cat = cases[i].op_cat, .sub_op = cases[i].sub_op };
      guint32 id = tt_names_intern (names, &raw, &is_new);

      g_assert_true (is_new);
      g_assert_true (tt_names_get (names, id, &name));
      g_assert_cmpstr (name.text, ==, cases[i].text);
      g_assert_cmpstr (name.op_name, ==, cases[i].op);
      g_assert_cmpstr (name.sub_op, ==, cases[i].sub_op);
      g_assert_cmpint (name.rule, ==, 0);
    }
}

static void
test_arguments (void)
{
  g_autoptr (TtNames) names = new_names ();
  TtName name;

  tt_names_get (names, intern (names, "work(int)", NULL, NULL), &name);
  g_assert_cmpstr (name.op_name, ==, "work(int)");
  tt_names_get (names, intern (names, " idle() ", NULL, NULL), &name);
  g_assert_cmpstr (name.op_name, ==, "idle");
  g_assert_cmpstr (name.raw, ==, "idle()");
  tt_names_get (names, intern (names, "F::operator()", NULL, NULL), &name);
  g_assert_cmpstr (name.op_name, ==, "F::operator()");
  tt_names_get (names, intern (names, "F::operator()()", NULL, NULL), &name);
  g_assert_cmpstr (name.op_name, ==, "F::operator()");
  tt_names_get (names, intern (names, "  ", NULL, NULL), &name);
  g_assert_cmpstr (name.text, ==, "COMP.unnamed");
}

static void
test_clashes (void)
{
  g_autoptr (TtNames) names = new_names ();
  gboolean is_new;
  guint32 a = intern (names, "foo [{a.c} {1,1}]", "foo", "G");

  assert_text (names, a, "COMP.foo");
  guint32 b = intern (names, "foo [{b.c} {1,1}]", "foo", "G");
  assert_text (names, b, "COMP.foo#2");
  guint32 c = intern (names, "foo [{c.c} {1,1}]", "foo", "G");
  assert_text (names, c, "COMP.foo#3");

  /* Known names keep their ids, blanks at the ends do not count. */
  g_assert_cmpuint (intern (names, " foo [{b.c} {1,1}]  ", "foo", "G"), ==, b);
  /* Another group or suffix of a raw name has the same text. */
  guint32 d = intern (names, "foo [{b.c} {1,1}]", "foo", "H");
  g_assert_cmpuint (d, !=, b);
  assert_text (names, d, "COMP.foo#2");
  const TtRawName suffixed = { .raw = "foo [{c.c} {1,1}]", .op = "foo", .group = "G", .suffix = "0_1" };
  guint32 e = tt_names_intern (names, &suffixed, &is_new);
  g_assert_true (is_new);
  assert_text (names, e, "COMP.foo#3");
  const TtRawName other_sub_op = { .raw = "foo [{d.c} {1,1}]", .op = "foo", .group = "G", .sub_op = "S" };
  assert_text (names, tt_names_intern (names, &other_sub_op, &is_new), "COMP.foo.S");

  /* Names that look numbered neither take a number nor get one twice. */
  assert_text (names, intern (names, "foo#2", NULL, "G"), "COMP.foo#2#2");
  assert_text (names, intern (names, "bar#2", NULL, "G"), "COMP.bar#2");
  assert_text (names, intern (names, "bar", NULL, "G"), "COMP.bar");
  assert_text (names, intern (names, "bar x", "bar", "G"), "COMP.bar#3");
  g_assert_cmpuint (tt_names_count (names), ==, 10);
}

static void
test_seed (void)
{
  g_autoptr (TtNames) first = new_names ();
  g_autoptr (TtNames) second = new_names ();
  static const char *const raws[] = { "foo 1", "foo 2", "foo 3", "MPI_Barrier()" };
  guint32 ids[4];

  for (guint i = 0; i < 4; i++)
    ids[i] = intern (first, raws[i], i < 3 ? "foo" : NULL, "G");
  for (guint i = 0; i < 4; i++)
    {
      TtName name;
      g_assert_true (tt_names_get (first, ids[i], &name));
      name.id += 10 * (i + 1);
      tt_names_seed (second, &name);
    }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (intern (second, raws[i], i < 3 ? "foo" : NULL, "G"), ==, ids[i] + 10 * (i + 1));
  g_assert_true (tt_names_is_collective (second, ids[3] + 40));
  g_assert_false (tt_names_is_collective (second, ids[2] + 30));
  tt_names_set_next_id (second, 100);
  guint32 id = intern (second, "foo 4", "foo", "G");
  g_assert_cmpuint (id, ==, 100);
  assert_text (second, id, "COMP.foo#4");
  assert_text (second, intern (second, "foo 2", "foo", "other group"), "COMP.foo#2");
  TtName name;
  g_assert_false (tt_names_get (second, 99, &name));
  g_assert_false (tt_names_get (second, 1, &name));
  g_assert_false (tt_names_get (second, 5000, &name));
}

/* More names than the tables keep in memory. */
static void
test_many (void)
{
  g_autoptr (TtNames) names = new_names ();
  guint n = g_test_slow () ? 5000000 : 450000;
  char raw[64], text[80];
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    {
      g_snprintf (raw, sizeof raw, "function_number_%u(int, double *)", i);
      if (intern (names, raw, NULL, "TAU_USER") != i + 1)
        g_test_fail ();
    }
  g_test_message ("%u names in %.1f s", n, (double) (g_get_monotonic_time () - begin) * 1e-6);
  g_assert_true (tt_names_check (names, NULL));
  for (guint i = 0; i < n; i += 97)
    {
      g_snprintf (raw, sizeof raw, "function_number_%u(int, double *)", i);
      g_snprintf (text, sizeof text, "COMP.function_number_%u(int, double *)", i);
      if (intern (names, raw, NULL, "TAU_USER") != i + 1)
        g_test_fail ();
      assert_text (names, i + 1, text);
    }
  g_assert_cmpuint (tt_names_count (names), ==, n);
  tt_names_seal (names);
  assert_text (names, 1, "COMP.function_number_0(int, double *)");
  g_assert_true (tt_names_check (names, NULL));
}

/* -- tables ------------------------------------------------------------------------------------------- */

static void
test_slots (void)
{
  g_autoptr (TtSlots) slots = tt_slots_new ();
  /* Some are merged twice, some lie in a run, some in memory. */
  const guint64 n = 1700000, many = tt_slots_mix (G_MAXUINT64);
  guint64 sum = 0, value;

  for (guint64 i = 0; i < n; i++)
    {
      tt_slots_add (slots, tt_slots_mix (i), i + 1);
      if (i % 100000 == 0)
        tt_slots_add (slots, many, i + 1);
    }
  for (guint64 i = 0; i < n; i += 7)
    {
      TtSlotCursor cursor = { 0 };
      if (tt_slots_find (slots, tt_slots_mix (i), &cursor) != i + 1)
        g_test_fail ();
      tt_slots_replace (slots, &cursor, i + 2);
      cursor = (TtSlotCursor){ 0 };
      if (tt_slots_find (slots, tt_slots_mix (i), &cursor) != i + 2 ||
          tt_slots_find (slots, tt_slots_mix (i), &cursor) != 0)
        g_test_fail ();
    }
  TtSlotCursor cursor = { 0 };
  g_assert_cmpuint (tt_slots_find (slots, tt_slots_mix (n), &cursor), ==, 0);
  g_assert_cmpuint (tt_slots_count (slots), ==, n + 17);

  /* Several values of one key. */
  cursor = (TtSlotCursor){ 0 };
  while ((value = tt_slots_find (slots, many, &cursor)) != 0)
    sum += value;
  g_assert_cmpuint (sum, ==, 17 + 100000 * 17 * 16 / 2);
  g_assert_true (tt_slots_check (slots, NULL));
  g_autoptr (TtSlots) few = tt_slots_new ();
  sum = 0;
  for (guint64 i = 1; i <= 100; i++)
    tt_slots_add (few, G_MAXUINT64, i);
  cursor = (TtSlotCursor){ 0 };
  while ((value = tt_slots_find (few, G_MAXUINT64, &cursor)) != 0)
    sum += value;
  g_assert_cmpuint (sum, ==, 5050);
}

static void
test_tape (void)
{
  g_autoptr (TtTape) tape = tt_tape_new (4096);
  guint8 bytes[1000], back[1000];

  for (guint i = 0; i < 100; i++)
    {
      memset (bytes, (int) i, sizeof bytes);
      g_assert_cmpuint (tt_tape_append (tape, bytes, sizeof bytes), ==, i * sizeof bytes);
    }
  for (guint i = 0; i < 100; i++)
    {
      memset (bytes, (int) i, sizeof bytes);
      tt_tape_read (tape, i * sizeof bytes, back, sizeof back);
      g_assert_cmpmem (bytes, sizeof bytes, back, sizeof back);
    }
  tt_tape_read (tape, 99 * sizeof bytes + 500, back, sizeof back);
  g_assert_cmpuint (back[499], ==, 99);
  g_assert_cmpuint (back[500], ==, 0);
  tt_tape_read (tape, 1 << 30, back, sizeof back);
  g_assert_cmpuint (back[0], ==, 0);
  g_assert_true (tt_tape_check (tape, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/names/shipped-rules", test_shipped_rules);
  g_test_add_func ("/names/extra-rules-first", test_extra_rules_first);
  g_test_add_func ("/names/several-sources", test_rules_of_several_sources);
  g_test_add_func ("/names/a-group", test_rules_of_a_group);
  g_test_add_func ("/names/bad-rules", test_bad_rules);
  g_test_add_func ("/names/special-texts", test_special_texts);
  g_test_add_func ("/names/arguments", test_arguments);
  g_test_add_func ("/names/clashes", test_clashes);
  g_test_add_func ("/names/seed", test_seed);
  g_test_add_func ("/names/many", test_many);
  g_test_add_func ("/names/slots", test_slots);
  g_test_add_func ("/names/tape", test_tape);
  return g_test_run ();
}
