/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/dot.h"
#include "formats/dot/graph-gml.h"
#include "formats/dot/graph-graphml.h"
#include "formats/dot/graph-json.h"
#include "formats/dot/render.h"
#include "graphs/longest-path.h"
#include "src/base/error.h"

#include "tests/graphs/graph-test.h"
#include "tests/require.h"

#include <igraph.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- writers ---------------------------------------------------------------------------------------------- */

static TtGraph *
nasty_graph (void)
{
  static const char *const labels[] = {
    "node0->COMP.say \"hi\" \\N \\",
    "node0->COMP.a<b, c> & &lt; \x01\n d",
    "node0->COMP.\xff\xfe bad",
    "node1->Comm.\xc3\xa4\xe2\x82\xac[{}]->x",
    "twin",
    "twin",
    ("COMP.a_very_long_name::with::many<template, arguments>::and_more(int, double, std::vector<std::string> "
     "const&)"),
  };
  TtGraph *graph = make_graph (G_N_ELEMENTS (labels), labels);

  for (guint32 i = 0; i + 1 < G_N_ELEMENTS (labels); i++)
    {
      tt_graph_node (graph, i)->cnt = i + 1;
      tt_graph_node (graph, i)->sum_ns = 1234567 * i;
      tt_graph_add_edge (graph, i, i + 1, i % 2 == 0 ? TT_EDGE_SEQUENCE : TT_EDGE_CALL, 1 + i * i, (gint64) i * 1500);
    }
  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  return graph;
}

static char *
dot_of (const TtGraph *graph)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  tt_dot_write (graph, out);
  return g_string_free (tt_output_steal_text (out), FALSE);
}

static gboolean
has_dot (void)
{
  g_autofree char *program = g_find_program_in_path ("dot");

  if (program == NULL)
    g_test_skip ("no dot");
  return program != NULL;
}

static void
test_dot_quoting (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autofree char *text = dot_of (graph), *again = dot_of (graph);

  g_assert_cmpstr (text, ==, again);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "  \"node0->COMP.say \\\"hi\\\" \\\\N \\\\\" [label="));
  g_assert_nonnull (strstr (text, "\"twin\" ["));
  g_assert_nonnull (strstr (text, "\"twin [5]\" ["));
  g_assert_nonnull (strstr (text, "&amp;lt;"));
  g_assert_null (strchr (text, '\x01'));
}

/* What dot reads is what was written: as many nodes and edges, with these names. */
static void
test_dot_reads_it (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;
  g_autofree char *svg = NULL;
  guint n_nodes = 0, n_edges = 0;

  if (!has_dot ())
    return;
  g_assert_true (tt_render (graph, "svg", NULL, TT_RENDER_TIMEOUT_MS, out, &error));
  require_no_error (error);
  svg = g_string_free (tt_output_steal_text (out), FALSE);
  for (const char *p = svg; (p = strstr (p, "class=\"node\"")) != NULL; p++)
    n_nodes++;
  for (const char *p = svg; (p = strstr (p, "class=\"edge\"")) != NULL; p++)
    n_edges++;
  g_assert_cmpuint (n_nodes, ==, graph->nodes->len);
  g_assert_cmpuint (n_edges, ==, graph->edges->len);
  g_assert_nonnull (strstr (svg, "say &quot;hi&quot; \\N"));
  g_assert_nonnull (strstr (svg, "&amp;lt;"));
}

/* Longer than a string of dot may be; what is left of them stays apart. */
static void
test_dot_long_names (void)
{
  g_autofree char *first = g_strnfill (70000, '"'), *second = g_strnfill (70001, '"');
  const char *const labels[] = { first, second };
  g_autoptr (TtGraph) graph = make_graph (G_N_ELEMENTS (labels), labels);
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;

  tt_graph_add_edge (graph, 0, 1, TT_EDGE_CALL, 1, 0);
  tt_graph_finish (graph);
  g_autofree char *dot = dot_of (graph);
  g_assert_cmpuint (strlen (dot), <, 40000);
  if (!has_dot ())
    return;
  g_assert_true (tt_render (graph, "svg", NULL, TT_RENDER_TIMEOUT_MS, out, &error));
  require_no_error (error);
  g_autofree char *svg = g_string_free (tt_output_steal_text (out), FALSE);
  guint n_nodes = 0;
  for (const char *p = svg; (p = strstr (p, "class=\"node\"")) != NULL; p++)
    n_nodes++;
  g_assert_cmpuint (n_nodes, ==, 2);
}

static void
test_render_too_late (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("tracetool-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (folder, "dot", NULL);
  g_autofree char *kept = g_build_filename (folder, "g.svg.dot", NULL);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *path_here = g_strconcat (folder, ":", path, NULL);
  g_autofree char *text = NULL, *expected = dot_of (graph);
  gint64 begin = g_get_monotonic_time ();

  g_file_set_contents (program, "#!/bin/sh\nexec sleep 30\n", -1, NULL);
  g_assert_cmpint (chmod (program, 0755), ==, 0);
  g_setenv ("PATH", path_here, TRUE);
  g_assert_false (tt_render (graph, "svg", kept, 200, out, &error));
  require_error (error, TT_ERROR, TT_ERROR_GRAPH);
  g_assert_nonnull (strstr (error->message, "--max-nodes 10"));
  g_assert_nonnull (strstr (error->message, "g.svg.dot'"));
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
  g_assert_true (g_file_get_contents (kept, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);

  g_clear_error (&error);
  g_file_set_contents (program, "#!/bin/sh\ncat >/dev/null; echo 'syntax error in line 3' >&2\nexit 1\n", -1, NULL);
  g_assert_cmpint (chmod (program, 0755), ==, 0);
  g_assert_false (tt_render (graph, "svg", NULL, 5000, out, &error));
  g_assert_nonnull (strstr (error->message, "syntax error in line 3"));

  g_clear_error (&error);
  g_setenv ("PATH", "/nowhere", TRUE);
  g_assert_false (tt_render (graph, "png", NULL, 5000, out, &error));
  g_assert_nonnull (strstr (error->message, "not installed"));
  g_setenv ("PATH", path, TRUE);
  remove (program);
  remove (kept);
  remove (folder);
}

/* As igraph reads it. */
static void
check_read_back (const char *text, gsize len, gboolean is_gml, const TtGraph *graph)
{
  igraph_t igraph;
  FILE *stream = fmemopen ((void *) text, len, "r");

  g_assert_nonnull (stream);
  igraph_set_attribute_table (&igraph_cattribute_table);
  g_assert_cmpint (is_gml ? igraph_read_graph_gml (&igraph, stream) : igraph_read_graph_graphml (&igraph, stream, 0),
                   ==, 0);
  g_assert_cmpint (igraph_vcount (&igraph), ==, graph->nodes->len);
  g_assert_cmpint (igraph_ecount (&igraph), ==, graph->edges->len);
  g_assert_cmpstr (VAS (&igraph, "label", 4), ==, "twin");
  g_assert_cmpstr (VAS (&igraph, "label", 5), ==, is_gml ? "twin [5]" : "twin");
  g_assert_nonnull (strstr (VAS (&igraph, "label", 0), "say \"hi\" \\N \\"));
  g_assert_cmpfloat (VAN (&igraph, "cnt", 1), ==, 2);
  g_assert_cmpstr (EAS (&igraph, "kind", 0), ==, "sequence");
  /* avg is ms in GML, us in GraphML. */
  g_assert_cmpfloat_with_epsilon (is_gml ? VAN (&igraph, "avg", 1) * 1000 : VAN (&igraph, "avg_us", 1), 617.284, 0.001);
  igraph_destroy (&igraph);
  fclose (stream);
}

typedef void (*WriteFunc) (const TtGraph *graph, TtOutput *out);

static char *
written_by (WriteFunc func, const TtGraph *graph)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  func (graph, out);
  return g_string_free (tt_output_steal_text (out), FALSE);
}

static char *
gml_of (const TtGraph *graph)
{
  return written_by (tt_graph_gml_write, graph);
}

static void
check_files (WriteFunc func, gboolean is_gml)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autofree char *text = written_by (func, graph), *again = written_by (func, graph);

  g_assert_cmpstr (text, ==, again);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *p = text; is_gml && *p != '\0'; p++)
    g_assert_cmpint ((guchar) *p, <, 0x80);
  check_read_back (text, strlen (text), is_gml, graph);
}

static void
test_graphml (void)
{
  check_files (tt_graph_graphml_write, FALSE);
}

static void
test_gml (void)
{
  check_files (tt_graph_gml_write, TRUE);
}

/* Whole nanoseconds, at any size and sign, and no exponent: not every reader takes one. */
static void
test_gml_numbers (void)
{
  static const struct
  {
    gint64 ns;
    const char *ms;
  } times[] = {
    { 0, "0" },       { 4, "0.000004" },      { -40, "-0.00004" },
    { 1000000, "1" }, { 1500000000, "1500" }, { G_MAXINT64, "9223372036854.775807" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      static const char *const labels[] = { "one" };
      g_autoptr (TtGraph) graph = make_graph (1, labels);
      g_autofree char *expected = g_strdup_printf ("\n    selftime %s\n", times[i].ms), *text = NULL;

      tt_graph_node (graph, 0)->self_ns = times[i].ns;
      text = gml_of (graph);
      if (strstr (text, expected) == NULL)
        g_test_fail_printf ("%s is not in %s", expected, text);
    }
}

/* What another label and a number make is taken by a third. */
static void
test_gml_labels (void)
{
  static const char *const labels[] = { "twin [2]", "twin", "twin" };
  g_autoptr (TtGraph) graph = make_graph (3, labels);
  g_autofree char *text = gml_of (graph);

  g_assert_nonnull (strstr (text, "label \"twin [2]\"\n"));
  g_assert_nonnull (strstr (text, "label \"twin\"\n"));
  g_assert_nonnull (strstr (text, "label \"twin [2] [2]\"\n"));
}

static void
test_empty (void)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autofree char *dot = NULL, *gml = NULL, *json = NULL;
  g_autoptr (TtLongestPath) path = NULL;

  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  dot = dot_of (graph);
  gml = gml_of (graph);
  tt_graph_json_write (graph, out);
  json = g_string_free (tt_output_steal_text (out), FALSE);
  path = tt_model_path_new (graph, NULL);
  g_assert_nonnull (dot);
  g_assert_nonnull (gml);
  g_assert_cmpstr (json, ==, "{\"directed\":true,\"multigraph\":true,\"nodes\":[\n],\"edges\":[\n]}\n");
  g_assert_cmpuint (path->nodes->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  igraph_set_error_handler (igraph_error_handler_ignore);

  g_test_add_func ("/graph/dot-quotes-everything", test_dot_quoting);
  g_test_add_func ("/graph/dot-long-names", test_dot_long_names);
  g_test_add_func ("/graph/dot-reads-its-dot", test_dot_reads_it);
  g_test_add_func ("/graph/render-gives-up", test_render_too_late);
  g_test_add_func ("/graph/graphml-is-stable-and-read-back", test_graphml);
  g_test_add_func ("/graph/gml-is-stable-and-read-back", test_gml);
  g_test_add_func ("/graph/gml-numbers", test_gml_numbers);
  g_test_add_func ("/graph/gml-labels-differ", test_gml_labels);
  g_test_add_func ("/graph/empty", test_empty);
  return g_test_run ();
}
