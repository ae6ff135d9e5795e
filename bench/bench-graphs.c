/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Own algorithms on graphs of operations beside igraph's: where the border between them lies.
 *
 *   bench-graphs [--edges N,N,...] [--rounds N]
 *
 * For each size a graph of that many edges, a fifth as many nodes, one edge of 50 back in time. Each case runs in a
 * process of its own, forked from the one with the graph: medians of the processor time in ms, and by how much the
 * process grew at most, in bytes an edge. Own and igraph's answers are compared before anything is measured.
 */
#include "config.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "graphs/edge-table.h"
#include "graphs/igraph-view.h"
#include "graphs/longest-path.h"
#include "graphs/structure.h"
#include "src/base/compare.h"

#define MAX_ROUNDS 1000
/* Above these a case takes minutes: its time grows with the square of the size. */
#define MAX_BELLMAN_FORD_EDGES 100000u
#define MAX_FEEDBACK_EDGES 200000u

static void
fail (const char *text)
{
  g_printerr ("bench-graphs: %s\n", text);
  exit (1);
}

/* -- the graph ----------------------------------------------------------------------------------- */

typedef struct
{
  TtGraph *graph;
  double *nodes; /* weights */
  TtOrder *order;
} Input;

static guint64
draw (guint64 *random)
{
  *random = *random * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return *random >> 33;
}

/* Most edges lead to a node near by, as operations follow one another. */
static TtGraph *
make_graph (guint n_edges)
{
  guint n = MAX (n_edges / 5, 10);
  TtGraph *graph = tt_graph_new ();
  g_auto (TtEdgeTable) table = { 0 };
  guint64 random = 12345;

  for (guint i = 0; i < n; i++)
    {
      char label[24];
      g_snprintf (label, sizeof label, "operation %u", i);
      tt_graph_add_node (graph, label, NULL, "COMP", "operation");
      tt_graph_node (graph, i)->cnt = 1;
    }
  tt_edge_table_init (&table, graph);
  while (graph->edges->len < n_edges)
    {
      guint32 a = (guint32) (draw (&random) % n), b;
      gboolean is_far = draw (&random) % 10 == 0, is_back = draw (&random) % 50 == 0;

      b = (guint32) ((a + 1 + draw (&random) % (is_far ? n - 1 : MIN (n - 1, 100))) % n);
      if (a != b)
        tt_edge_table_add (&table, is_back ? MAX (a, b) : MIN (a, b), is_back ? MIN (a, b) : MAX (a, b),
                           TT_EDGE_SEQUENCE, 1, 0);
    }
  tt_graph_finish (graph);
  return graph;
}

static void
make_input (Input *input, guint n_edges)
{
  guint64 random = 99;

  input->graph = make_graph (n_edges);
  input->order = tt_order_new (input->graph, 0);
  input->nodes = g_new (double, input->graph->nodes->len);
  for (guint i = 0; i < input->graph->nodes->len; i++)
    input->nodes[i] = (double) (draw (&random) % 1000);
}

static void
clear_input (Input *input)
{
  tt_graph_free (input->graph);
  tt_order_free (input->order);
  g_free (input->nodes);
}

/* -- cases --------------------------------------------------------------------------------------- */

static void
run_own_order (const Input *input)
{
  tt_order_free (tt_order_new (input->graph, 0));
}

static void
run_own_path (const Input *input)
{
  tt_longest_path_free (tt_longest_path_new (input->graph, input->order, 0, input->nodes, NULL));
}

static void
run_conversion (const Input *input)
{
  tt_igraph_view_free (tt_igraph_view_new (input->graph, TT_IGRAPH_WHOLE, NULL, NULL));
}

static void
run_components (const Input *input)
{
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (input->graph, TT_IGRAPH_WHOLE, NULL, NULL);
  g_auto (igraph_vector_int_t) found = { 0 };

  igraph_vector_int_init (&found, 0);
  igraph_connected_components (&view->igraph, &found, NULL, NULL, IGRAPH_WEAK);
}

/* What tt_order_new() answers: components, then an order without the edges that lead back. */
static void
run_igraph_order (const Input *input)
{
  g_autoptr (TtIgraphView) whole = tt_igraph_view_new (input->graph, TT_IGRAPH_WHOLE, NULL, NULL);
  g_auto (igraph_vector_int_t) found = { 0 };

  igraph_vector_int_init (&found, 0);
  igraph_connected_components (&whole->igraph, &found, NULL, NULL, IGRAPH_STRONG);
  g_autoptr (TtIgraphView) opened = tt_igraph_view_new (input->graph, TT_IGRAPH_WITH_ENDS, input->order, NULL);
  igraph_topological_sorting (&opened->igraph, &found, IGRAPH_OUT);
}

/* Conversion, order, and the heaviest path to and from each node over it: igraph has no longest path of its own. */
static void
run_slack (const Input *input)
{
  g_autoptr (TtStructure) structure = tt_structure_new (input->graph, input->order);

  g_free (tt_structure_slack (structure, input->nodes, NULL, NULL));
}

/* The nearest igraph has to a longest path: shortest ones with the weights of the sources negated. */
static void
run_bellman_ford (const Input *input)
{
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (input->graph, TT_IGRAPH_WITH_ENDS, input->order, NULL);
  igraph_integer_t n_edges = igraph_ecount (&view->igraph);
  g_auto (igraph_vector_t) weights = { 0 };
  g_auto (igraph_vector_int_t) nodes = { 0 };

  igraph_vector_init (&weights, n_edges);
  igraph_vector_int_init (&nodes, 0);
  for (igraph_integer_t i = 0; i < n_edges; i++)
    {
      igraph_integer_t from = IGRAPH_FROM (&view->igraph, i);
      VECTOR (weights)[i] = from < input->graph->nodes->len ? -input->nodes[from] : 0;
    }
  igraph_get_shortest_path_bellman_ford (&view->igraph, &nodes, NULL, view->start, view->end, &weights, IGRAPH_OUT);
}

static void
run_dominators (const Input *input)
{
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (input->graph, TT_IGRAPH_WITH_ENDS, input->order, NULL);
  g_auto (igraph_vector_int_t) found = { 0 };

  igraph_vector_int_init (&found, 0);
  igraph_dominator_tree (&view->igraph, view->start, &found, NULL, NULL, IGRAPH_OUT);
  igraph_dominator_tree (&view->igraph, view->end, &found, NULL, NULL, IGRAPH_IN);
}

static void
run_feedback_arcs (const Input *input)
{
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (input->graph, TT_IGRAPH_CYCLIC, input->order, NULL);
  g_auto (igraph_vector_int_t) found = { 0 };

  igraph_vector_int_init (&found, 0);
  igraph_feedback_arc_set (&view->igraph, &found, NULL, IGRAPH_FAS_APPROX_EADES);
}

static void
run_nothing (const Input *input)
{
}

static const struct
{
  const char *text;
  void (*run) (const Input *input);
  guint max_edges; /* 0: any */
} cases[] = {
  { NULL, run_nothing, 0 }, /* what measuring itself takes */
  { "own: components and order", run_own_order, 0 },
  { "igraph: conversion alone", run_conversion, 0 },
  { "igraph: components and order", run_igraph_order, 0 },
  { "own: longest path over an order", run_own_path, 0 },
  { "igraph: order, then slack over it", run_slack, TT_STRUCTURE_MAX_EDGES },
  { "igraph: longest path, Bellman-Ford", run_bellman_ford, MAX_BELLMAN_FORD_EDGES },
  { "igraph: connected components", run_components, 0 },
  { "igraph: dominators, both ways", run_dominators, 0 },
  { "igraph: feedback arcs", run_feedback_arcs, MAX_FEEDBACK_EDGES },
};

/* -- measuring ----------------------------------------------------------------------------------- */

typedef struct
{
  double ms;
  double grown_bytes;
} Measure;

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const double *) a, *(const double *) b);
}

static double
cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static double
rss_bytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss * 1024;
}

static void
measure_here (const Input *input, guint number, guint n_rounds, Measure *measure)
{
  double times[MAX_ROUNDS], before = rss_bytes ();

  for (guint round = 0; round < n_rounds; round++)
    {
      double begin = cpu_ms ();
      cases[number].run (input);
      times[round] = cpu_ms () - begin;
    }
  qsort (times, n_rounds, sizeof *times, compare_times);
  measure->ms = times[n_rounds / 2];
  measure->grown_bytes = rss_bytes () - before;
}

static Measure
measure_case (const Input *input, guint number, guint n_rounds)
{
  Measure measure = { 0 };
  int ends[2], status;

  malloc_trim (0);
  if (pipe (ends) != 0)
    fail ("no pipe");
  pid_t child = fork ();
  if (child < 0)
    fail ("no process");
  if (child == 0)
    {
      measure_here (input, number, n_rounds, &measure);
      _exit (write (ends[1], &measure, sizeof measure) == sizeof measure ? 0 : 1);
    }
  close (ends[1]);
  gboolean is_read = read (ends[0], &measure, sizeof measure) == sizeof measure;
  close (ends[0]);
  if (waitpid (child, &status, 0) != child || status != 0 || !is_read)
    fail ("a case failed");
  return measure;
}

/* The same components, and the same longest path over igraph's order. */
static void
check_answers (const Input *input)
{
  g_autoptr (TtIgraphView) whole = tt_igraph_view_new (input->graph, TT_IGRAPH_WHOLE, NULL, NULL);
  g_autoptr (TtIgraphView) opened = tt_igraph_view_new (input->graph, TT_IGRAPH_WITH_ENDS, input->order, NULL);
  g_autoptr (TtLongestPath) path = tt_longest_path_new (input->graph, input->order, 0, input->nodes, NULL);
  g_auto (igraph_vector_int_t) found = { 0 };
  guint n = input->graph->nodes->len, n_known = 0;
  igraph_integer_t n_components;

  igraph_vector_int_init (&found, 0);
  igraph_connected_components (&whole->igraph, &found, NULL, &n_components, IGRAPH_STRONG);
  igraph_topological_sorting (&opened->igraph, &found, IGRAPH_OUT);
  TtOrder other = *input->order;
  g_autofree guint32 *sorted = other.order = g_new (guint32, n);
  for (igraph_integer_t i = 0; i < igraph_vector_int_size (&found); i++)
    if (VECTOR (found)[i] < n)
      sorted[n_known++] = (guint32) VECTOR (found)[i];
  g_autoptr (TtLongestPath) again = tt_longest_path_new (input->graph, &other, 0, input->nodes, NULL);
  if (n_components != input->order->n_components || n_known != n || path->weight != again->weight ||
      path->nodes->len != again->nodes->len ||
      memcmp (path->nodes->data, again->nodes->data, path->nodes->len * sizeof (guint32)) != 0)
    fail ("igraph's answers differ");
}

static void
print_size (guint n_edges, guint n_rounds)
{
  Input input;

  make_input (&input, n_edges);
  check_answers (&input);
  double base = measure_case (&input, 0, n_rounds).grown_bytes;
  for (guint i = 1; i < G_N_ELEMENTS (cases); i++)
    {
      if (cases[i].max_edges != 0 && n_edges > cases[i].max_edges)
        continue;
      guint rounds = CLAMP (n_rounds * (100000 / MAX (n_edges, 1)), n_rounds, MAX_ROUNDS);
      Measure measure = measure_case (&input, i, cases[i].run == run_bellman_ford ? MIN (rounds, n_rounds) : rounds);
      g_print ("| %9u | %-36s | %12.3f | %12.0f |\n", n_edges, cases[i].text, measure.ms,
               MAX (measure.grown_bytes - base, 0) / n_edges);
    }
  clear_input (&input);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *edges = g_strdup ("1000,10000,100000,200000,1000000");
  int n_rounds = 5;
  const GOptionEntry entries[] = {
    { "edges", 0, 0, G_OPTION_ARG_STRING, &edges, "sizes of the graphs", "N,N,..." },
    { "rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds, "runs of each case; more of those on small graphs", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail (error->message);
  if (n_rounds < 1 || n_rounds > MAX_ROUNDS)
    fail ("--rounds is a number from 1 to 1000");

  g_auto (GStrv) sizes = g_strsplit (edges, ",", -1);
  g_print ("| %9s | %-36s | %12s | %12s |\n|---|---|---|---|\n", "edges", "case", "ms", "bytes/edge");
  for (guint i = 0; sizes[i] != NULL; i++)
    {
      guint64 n_edges;
      if (!g_ascii_string_to_unsigned (sizes[i], 10, 1, 100000000, &n_edges, &error))
        fail (error->message);
      print_size ((guint) n_edges, (guint) n_rounds);
    }
  return 0;
}
