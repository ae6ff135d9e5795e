/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/horovod/names.h"
#include "formats/nccl/names.h"
#include "formats/model/tensor-names.h"
#include "formats/model/gml.h"
#include "formats/job/layout.h"
#include "formats/tensorflow/names.h"
#include "src/base/error.h"

#include <glib/gstdio.h>
#include <string.h>

/* What a job directory is told from, each by itself: graphs, names, folders. */

/* -- graphs ------------------------------------------------------------------------------------------------ */

static TtLocalGraph *
read_gml (const char *text, gssize len, TtRepairs *repairs, GError **error)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("graph-XXXXXX.gml", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, len, NULL));
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_unlink (path);
  g_assert_nonnull (input);
  return tt_gml_read (input, repairs, error);
}

/* "a>b,c d" : each node with its successors. */
static char *
graph_text (const TtLocalGraph *graph)
{
  GString *text = g_string_new (NULL);

  for (guint32 node = 0; node < tt_local_graph_n_nodes (graph); node++)
    {
      guint n;
      const guint32 *to = tt_local_graph_successors (graph, node, &n);
      g_string_append_printf (text, "%s%s", node > 0 ? " " : "", tt_local_graph_name (graph, node));
      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%c%s", i > 0 ? ',' : '>', tt_local_graph_name (graph, to[i]));
    }
  return g_string_free (text, FALSE);
}

#define NODE(id, label) " node [ id " #id " label \"" label "\" ]"
#define EDGE(from, to) " edge [ source " #from " target " #to " ]"

static void
test_gml (void)
{
  static const struct
  {
    const char *text, *graph;
    TtRepairKind repair;
    guint n;
  } cases[] = {
    { "graph [ directed 1" NODE (0, "a") NODE (1, "b") EDGE (0, 1) " ]", "a>b b", 0, 0 },
    /* Edges may come first, twice, and with attributes; ids are any numbers. */
    { "# made by hand\nCreator \"x\"\ngraph\n[\n" EDGE (-7, 9000000000)
          EDGE (-7, 9000000000) "\tnode [ graphics [ id 3 x 1.5 ] id 9000000000.0 label \"b\" ]" NODE (-7, "a") "\n]\n",
      "b a>b", 0, 0 },
    { "graph [" NODE (0, "&quot;a&quot; &amp; &#98;&#x63;&nix;") " ]", "\"a\" & bc&nix;", 0, 0 },
    /* A number for a label. */
    { "graph [ node [ id 4 label 12 ] ]", "12", 0, 0 },
    { "graph [" NODE (0, "a") NODE (1, "a") NODE (2, "b") EDGE (1, 2) " ]", "a>b b", TT_REPAIR_GRAPH_NAME, 1 },
    { "graph [" NODE (0, "a") " node [ id 1 ] node [ label \"c\" ]" EDGE (0, 5) " edge [ source 0 ]" NODE (0, "z") " ]",
      "a", TT_REPAIR_GRAPH_ROW, 5 },
    { "graph [" NODE (0, "a") " node [ id 1 label \"b", "a", TT_REPAIR_GRAPH_CUT, 2 },
    { "graph [" NODE (0, "a") NODE (1, "b") EDGE (0, 1), "a>b b", TT_REPAIR_GRAPH_CUT, 1 },
    { "graph [ node [ id 0 label \"a\xff\" ] ]", "a\xef\xbf\xbd", TT_REPAIR_BAD_UTF8, 1 },
    { "graph [ ]", "", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      TtRepairs repairs = { 0 };
      g_autoptr (TtLocalGraph) graph = read_gml (cases[i].text, -1, &repairs, &error);

      g_assert_no_error (error);
      g_autofree char *text = graph_text (graph);
      g_assert_cmpstr (text, ==, cases[i].graph);
      g_assert_cmpuint (tt_repairs_total (&repairs), ==, cases[i].n);
      g_assert_cmpuint (repairs.count[cases[i].repair], ==, cases[i].n);
    }
}

static void
test_gml_refuses (void)
{
  static const struct
  {
    const char *text, *error;
  } cases[] = {
    { "", "*graph-*.gml: byte 0: the file is empty" },
    { "{\"nodes\": []}", "*: byte 0: not GML: a value without a key" },
    { "graph [ ] ]", "*: byte 10: not GML: a ']' without its '['" },
    { "graph [ [ ] ]", "*: byte 8: not GML: a '[' without a key" },
    { "graph 1", "*: byte 7: not GML: there is no 'graph ['" },
    { "graph [ \"a\" ]", "*: byte 8: not GML: a value without a key" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      TtRepairs repairs = { 0 };
      TtLocalGraph *graph = read_gml (cases[i].text, -1, &repairs, &error);

      g_assert_null (graph);
      g_assert_error (error, TT_ERROR, TT_ERROR_FORMAT);
      if (!g_pattern_match_simple (cases[i].error, error->message))
        g_test_fail_printf ("'%s' is not like '%s'", error->message, cases[i].error);
    }
}

/* Whatever byte it ends with, a cut file gives a graph or an error, and no more than the whole. */
static void
test_gml_cut (void)
{
  static const char whole[] = "graph [" NODE (0, "a") NODE (1, "b&amp;") NODE (2, "c") EDGE (0, 1) EDGE (1, 2) " ]";

  for (gsize len = 0; len < sizeof whole - 1; len++)
    {
      g_autoptr (GError) error = NULL;
      TtRepairs repairs = { 0 };
      g_autoptr (TtLocalGraph) graph = read_gml (whole, (gssize) len, &repairs, &error);

      g_assert_true ((graph == NULL) == (error != NULL));
      if (graph == NULL)
        continue;
      g_assert_cmpuint (repairs.count[TT_REPAIR_GRAPH_CUT], >=, 1);
      g_assert_cmpuint (tt_local_graph_n_nodes (graph), <=, 3);
    }
}

/* -- TensorFlow's names ------------------------------------------------------------------------------------------- */

static void
assert_name (const TtTfNames *names, const char *raw, const char *expected)
{
  g_auto (TtTfName) name = tt_tf_names_resolve (names, raw);
  g_autofree char *text = g_strdup_printf ("%s|%s", name.op_cat, name.op_name);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_names_alone (void)
{
  static const struct
  {
    const char *raw, *name;
  } cases[] = {
    { "model/dense_0/MatMul", "FW|model/dense_0/MatMul" },
    { "StatefulPartitionedCall/gradient_tape/model/dense_3/MatMul/MatMul_1",
      "BW|gradient_tape/model/dense_3/MatMul/MatMul_1" },
    { "DistributedGradientTape_Allreduce/cond_3/HorovodAllreduce.3_0", "Comm|3" },
    { "DistributedGradientTape_Allreduce/cond_3/Switch_HorovodAllreduce.3_0", "BW|3_Switch" },
    { "DistributedGradientTape_Allreduce/cond_3", "BW|DistributedGradientTape_Allreduce/cond_3" },
    { "a/BytePSPushPull.3_4_10", "Comm|3+4+10" },
    { "BytePSPushPull_7", "Comm|7" },
    { "BytePSPushPull.x", "FW|BytePSPushPull.x" },
    { "SGD/SGD/update_3/ResourceApplyGradientDescent", "UPDATE_|SGD/SGD/update_3/ResourceApplyGradientDescent" },
    { "AssignAddVariableOp", "UPDATE_|AssignAddVariableOp" },
    { "GradientDescent", "UPDATE_|GradientDescent" },
    { "GradientDescentX/no", "FW|GradientDescentX/no" },
    { "gradients/x", "BW|gradients/x" },
    { "gradient_tape/a/ShapeN", "FW|gradient_tape/a/ShapeN" },
    { "gradient_tape/a/LayoutOptimizer", "FW|gradient_tape/a/LayoutOptimizer" },
    { "x/input_barrier/Allreduce.3", "FW|x/input_barrier/Allreduce.3" },
    { "^model/a", "FW|model/a" },
    { "model/a/_12", "FW|model/a" },
    { "_12", "FW|_12" },
    { "FW.x", "FW|x" },
    { "UPDATE_.y", "UPDATE_|y" },
    { "UPDATE_CAL", "UPDATE_|CAL" },
    { "UPDATE_3", "UPDATE_|3" },
    { "OUTPUT0", "OUTPUT|0" },
    { "StatefulPartitionedCall/", "FW|StatefulPartitionedCall/" },
    { "", "FW|" },
  };
  g_autoptr (TtTfNames) names = tt_tf_names_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_name (names, cases[i].raw, cases[i].name);
}

/* "a b,a c": an edge or a node alone each. */
static TtLocalGraph *
make_graph (const char *edges)
{
  TtLocalGraph *graph = tt_local_graph_new ();
  g_auto (GStrv) list = g_strsplit (edges, ",", -1);

  for (guint i = 0; list[i] != NULL; i++)
    {
      g_auto (GStrv) ends = g_strsplit (list[i], " ", 2);
      guint32 from = tt_local_graph_node (graph, ends[0]);
      if (ends[1] != NULL)
        tt_local_graph_edge (graph, from, tt_local_graph_node (graph, ends[1]));
    }
  tt_local_graph_seal (graph);
  return graph;
}

static void
test_names_in_graph (void)
{
  g_autoptr (TtLocalGraph) graph = make_graph ("f g,g gradients/a,gradients/a b,b x/HorovodAllreduce.1_0,"
                                               "x/HorovodAllreduce.1_0 u,u v,v w,^v t,x/HorovodAllreduce.1_0 "
                                               "x/HorovodAllreduce.2_0,b FW.kept,FW.kept y,alone");
  g_autoptr (TtTfNames) names = tt_tf_names_new (graph);
  guint n;

  assert_name (names, "f", "FW|f");
  assert_name (names, "gradients/a", "BW|gradients/a");
  /* Behind BW, before communication. */
  assert_name (names, "b", "BW|b");
  assert_name (names, "x/HorovodAllreduce.1_0", "Comm|1");
  /* Behind communication, however far, also by a control edge. */
  assert_name (names, "u", "UPDATE_|u");
  assert_name (names, "v", "UPDATE_|v");
  assert_name (names, "w", "UPDATE_|w");
  assert_name (names, "t", "UPDATE_|t");
  /* A standard name stays, but does not end the search. */
  assert_name (names, "FW.kept", "FW|kept");
  assert_name (names, "y", "BW|y");
  assert_name (names, "alone", "FW|alone");
  g_assert_cmpuint (tt_tf_names_n_odd_edges (names), ==, 1);

  g_auto (TtTfName) in = tt_tf_names_resolve (names, "StatefulPartitionedCall/g"),
                    out = tt_tf_names_resolve (names, "not/there");
  g_assert_cmpstr (tt_local_graph_name (graph, in.node), ==, "g");
  g_assert_cmpuint (out.node, ==, TT_TF_NO_NODE);
  const guint32 *before = tt_local_graph_predecessors (graph, in.node, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (tt_local_graph_name (graph, before[0]), ==, "f");
}

/* -- communication -------------------------------------------------------------------------------------------- */

static void
test_tensor_ids (void)
{
  static const char *const cases[][2] = {
    { "3", "3" },  { "10+9+1", "1+9+10" }, { "0+1+2", "0+1+2" }, { "007+10+7", "007+7+10" },
    { "a", NULL }, { "1+", NULL },         { "", NULL },         { "99999999999999999999+3", "3+99999999999999999999" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *ids = tt_tensor_ids (cases[i][0], strlen (cases[i][0]));
      g_assert_cmpstr (ids, ==, cases[i][1]);
    }
}

static void
test_horovod_names (void)
{
  static const struct
  {
    const char *name;
    TtHorovodKind kind;
    const char *tensor;
  } cases[] = {
    { "DistributedGradientTape_Allreduce/HorovodAllreduce.3_0", TT_HOROVOD_TENSOR, "3" },
    { "horovod_allreduce.conv0_weight", TT_HOROVOD_TENSOR, "conv0_weight" },
    { "horovod_allreduce.a.b", TT_HOROVOD_TENSOR, "a.b" },
    { "HorovodBroadcast_v0_cg_0", TT_HOROVOD_TENSOR, "HorovodBroadcast_v0_cg_0" },
    { "Sync", TT_HOROVOD_SYNC, NULL },
    { "x/input_barrier/HorovodAllreduce.3", TT_HOROVOD_OTHER, NULL },
    { "other.3", TT_HOROVOD_OTHER, NULL },
    { "x.horovod", TT_HOROVOD_OTHER, NULL },
    { "", TT_HOROVOD_OTHER, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *tensor = NULL;
      g_assert_cmpint (tt_horovod_process (cases[i].name, &tensor), ==, cases[i].kind);
      g_assert_cmpstr (tensor, ==, cases[i].tensor);
    }
  g_assert_cmpstr (tt_horovod_activity ("QUEUE\"", 5), ==, "QUEUE");
  g_assert_null (tt_horovod_activity ("NEGOTIATE_ALLREDUCE", 19));
}

static void
test_nccl_names (void)
{
  static const char *const cases[][3] = {
    { "DistributedGradientTape_Allreduce.4+3.SEND", "3+4", "SEND" },
    { "x.0.RECV", "0", "RECV" },
    { "x.0.REC", "0", "RECV" },
    { "x.3<<17>>+1<<17>>.SEND", "1+3", "SEND" },
    { "x.y.0.SEND", NULL, NULL },
    { ".0.SEND", NULL, NULL },
    { "x.SEND", NULL, NULL },
    { "x.a.SEND", NULL, NULL },
    { "x.0.AGGR", NULL, NULL },
    { "x..SEND", NULL, NULL },
    { "", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *ids = NULL;
      const char *sub_op = NULL;
      gboolean is_one = tt_nccl_name (cases[i][0], &ids, &sub_op);

      g_assert_cmpint (is_one, ==, cases[i][1] != NULL);
      g_assert_cmpstr (ids, ==, cases[i][1]);
      if (is_one)
        g_assert_cmpstr (sub_op, ==, cases[i][2]);
    }
}

/* -- folders ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  char *path;
} Folder;

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *entry = g_build_filename (path, name, NULL);
      if (g_file_test (entry, G_FILE_TEST_IS_DIR) && !g_file_test (entry, G_FILE_TEST_IS_SYMLINK))
        remove_tree (entry);
      else
        g_unlink (entry);
    }
  g_rmdir (path);
}

static void
folder_clear (Folder *self)
{
  remove_tree (self->path);
  g_free (self->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static void
fill (Folder *self, const char *files)
{
  g_auto (GStrv) names = g_strsplit (files, " ", -1);

  self->path = g_dir_make_tmp ("job-XXXXXX", NULL);
  g_assert_nonnull (self->path);
  for (guint i = 0; names[i] != NULL; i++)
    {
      gboolean is_empty = g_str_has_suffix (names[i], "!");
      g_autofree char *name = g_strndup (names[i], strlen (names[i]) - is_empty);
      g_autofree char *path = g_build_filename (self->path, name, NULL);
      g_autofree char *parent = g_path_get_dirname (path);
      g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
      g_assert_true (g_file_set_contents (path, "{}", is_empty ? 0 : 2, NULL));
    }
}

/* "1 certain rank0 rank1" or "none". */
static void
assert_layout (const char *files, const char *expected)
{
  g_auto (Folder) folder = { 0 };
  g_autoptr (GString) text = g_string_new ("none");

  fill (&folder, files);
  g_autoptr (TtJobLayout) layout = tt_job_layout_read (folder.path);
  if (layout != NULL)
    g_string_printf (text, "%u %s", layout->level, tt_job_layout_is_certain (layout) ? "certain" : "perhaps");
  for (guint i = 0; layout != NULL && i < layout->ranks->len; i++)
    {
      const TtJobRank *rank = layout->ranks->pdata[i];
      g_string_append_printf (text, " %s", rank->pid);
      if (layout->n_hosts > 1)
        g_string_append_printf (text, "@%u", rank->host_index);
    }
  if (!g_str_equal (text->str, expected))
    g_test_fail_printf ("%s: '%s' is not '%s'", files, text->str, expected);
}

static void
test_layouts (void)
{
  assert_layout ("trace.json.gz dag.gml", "0 certain default");
  assert_layout ("trace.json.gz comm.json", "0 certain default");
  assert_layout ("0/comm_detail.json! 1/comm_detail.json .2/comm_detail.json x/readme", "1 certain rank0 rank1");
  assert_layout ("host0/0/comm.json host0/0/trace.json.gz", "2 certain host0.rank0");
  assert_layout ("host0/0/temp.json host0/0/dag.gml", "2 certain default");
  assert_layout ("host2/0/temp.json host2/0/comm.json host10/0/temp.json host10/1/comm.json logs/today/text",
                 "2 certain host10.rank0@0 host10.rank1@0 host2.rank0@1");
  /* Names that anything may have. */
  assert_layout ("trace.json.gz", "0 perhaps default");
  assert_layout ("a/trace.json.gz b/trace.json.gz a/metadata.json", "1 perhaps ranka rankb");
  assert_layout ("a/b/c/comm_detail.json", "none");
  assert_layout ("kineto.json.gz metadata.json", "none");
}

/* The notes on @files, one behind the other, the folder as "*". */
static void
assert_notes (const char *files, const char *expected)
{
  g_auto (Folder) folder = { 0 };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  fill (&folder, files);
  g_autoptr (TtJobLayout) layout = tt_job_layout_read (folder.path);
  tt_job_layout_note (layout, notes);
  g_ptr_array_add (notes, NULL);
  g_autofree char *text = g_strjoinv ("; ", (char **) notes->pdata);
  if (!g_pattern_match_simple (expected, text))
    g_test_fail_printf ("%s: '%s' is not like '%s'", files, text, expected);
}

static void
test_notes (void)
{
  assert_notes ("trace.json.gz dag.gml comm.json comm_detail.json nccl_rank_graph.json metadata.json", "");
  assert_notes ("trace.json.gz dag.gml", "");
  assert_notes ("trace.json.gz", "*: no dag.gml: UPDATE_ and BW operators are known by name only");
  assert_notes ("0/comm.json 0/dag.gml 1/trace.json.gz 1/comm_detail.json! 1/comm.json",
                "*: 1 of 2 GPUs (rank0) have no trace.json.gz and no temp.json: no operators*; "
                "*: no comm_detail.json: no SEND*; *: no nccl_rank_graph.json: *; *: no metadata.json: *");
  assert_notes ("comm_detail.json! comm.json temp.json symbol_debug_str.txt nccl_rank_graph.json metadata.json",
                "*: comm_detail.json is empty: *");
  assert_notes ("trace.json.gz dag.gml synthetic.json", "*/synthetic.json is left aside: *");
  /* Timelines of BytePS, which belong to the job. */
  assert_notes ("0/trace.json.gz 0/dag.gml bps_comm_aligned.json server_timeline.json",
                "*: no metadata.json: tensors have numbers only");
  assert_notes ("0/trace.json.gz 0/dag.gml comm_timeline.json",
                "*: no server_timeline.json: no work of the servers; *: no metadata.json: tensors have numbers only");
  assert_notes ("0/trace.json.gz 0/dag.gml b.json a.json.gz notes.txt", "*: 2 files are left aside (a.json.gz ...)*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gml/graphs", test_gml);
  g_test_add_func ("/gml/refuses", test_gml_refuses);
  g_test_add_func ("/gml/cut-anywhere", test_gml_cut);
  g_test_add_func ("/tf-names/by-name", test_names_alone);
  g_test_add_func ("/tf-names/by-graph", test_names_in_graph);
  g_test_add_func ("/comm-names/tensor-ids", test_tensor_ids);
  g_test_add_func ("/comm-names/horovod", test_horovod_names);
  g_test_add_func ("/comm-names/nccl", test_nccl_names);
  g_test_add_func ("/job-layout/levels", test_layouts);
  g_test_add_func ("/job-layout/notes", test_notes);
  return g_test_run ();
}
