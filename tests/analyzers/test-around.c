/* SPDX-License-Identifier: Apache-2.0 */
/* The graph around one span, from what is read near it, is the one that scans of all events give. */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"
#include "tests/analyzers/trace.h"
#include "tests/require.h"

#define N_PROCESSES 2
#define N_THREADS 2
#define N_NAMES 5

static const char *const names[N_NAMES] = { "a", "b", "c", "MPI_Send", "MPI_Recv" };

static void
add (GArray *records, guint process, guint thread, TraceKind kind, const char *name, gint64 ts_ns)
{
  const TraceRecord record = { process, thread, kind, name, ts_ns, 1 - process };

  g_array_append_val (records, record);
}

/* Calls in calls, some of no length, thread after thread. */
static void
call_at_random (GArray *records, guint n_steps, guint at)
{
  const guint process = at / N_THREADS, thread = at % N_THREADS;
  gint64 ts_ns = 0;
  guint depth = 0;

  for (guint step = 0; step < n_steps || depth > 0; step++)
    {
      const guint name = (guint) g_test_rand_int_range (0, N_NAMES);

      ts_ns += g_test_rand_int_range (0, 4);
      if (step < n_steps && depth < 8 && (depth == 0 || g_test_rand_int_range (0, 9) < 5))
        {
          add (records, process, thread, TRACE_ENTER, names[name], ts_ns);
          if (name >= 3)
            add (records, process, thread, name == 3 ? TRACE_SEND : TRACE_RECV, NULL, ts_ns);
          depth++;
          continue;
        }
      add (records, process, thread, TRACE_LEAVE, NULL, ts_ns);
      depth--;
    }
}

static char *
text_of (const TtGraph *graph)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      g_string_append_printf (text, "%s %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT "\n", node->label, node->ts_ns,
                              node->event);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      g_string_append_printf (text, "%u %u %s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT "\n", edge->src, edge->dst,
                              tt_edge_kind_text (edge->kind), edge->cnt, edge->gap_ns);
    }
  return g_string_free (text, FALSE);
}

/* @events_a_piece: 0: by scans alone. @is_complete: whether what was read near it sufficed. */
static char *
graph_around (TtStore *store,
              const TtDepGraphOptions *options,
              const char *text,
              guint hops,
              guint events_a_piece,
              guint64 max_read,
              gboolean *is_complete)
{
  g_auto (TtDepGraphNear) near = { .events_a_piece = events_a_piece };
  TtDepGraphNear *used = events_a_piece == 0 ? NULL : &near;
  g_autoptr (GHashTable) members = NULL;
  g_autoptr (TtGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  guint64 event = 0;

  if (used != NULL)
    near.ops = tt_op_table_new (store, FALSE);
  g_assert_true (tt_dep_graph_find_event (store, text, used, &event, &error));
  if (used != NULL)
    near.vicinity = tt_vicinity_new (store, near.index, options->selection, max_read);
  members = tt_dep_graph_neighbours (store, options, used, event, hops, &error);
  g_assert_no_error (error);
  graph = tt_dep_graph_events (store, options, members, used, &error);
  g_assert_no_error (error);
  if (used != NULL)
    *is_complete = tt_vicinity_is_complete (near.vicinity);
  return text_of (graph);
}

/* Around spans that the store has, with what a test can vary. Returns how often what was read near them sufficed. */
static guint
compare_around (TtStore *store, const TtDepGraphOptions *options, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtOpTable) ops = tt_op_table_new (store, FALSE);
  guint n_complete = 0;

  g_assert_true (tt_op_table_fill (ops, &error));
  for (guint i = 0; i < n && !g_test_failed (); i++)
    {
      const guint op = (guint) g_test_rand_int_range (0, (int) tt_op_table_count (ops));
      const guint hops = (guint) g_test_rand_int_range (0, 6);
      const guint64 max_read =
          g_test_rand_int_range (0, 4) == 0 ? (guint64) g_test_rand_int_range (0, 40) : G_MAXUINT64;
      g_autofree char *text = i % 3 == 0 ? g_strdup (tt_op_table_op (ops, op)->label)
                                         : g_strdup_printf ("%s#0", tt_op_table_op (ops, op)->label);
      gboolean is_complete = FALSE;
      g_autofree char *scanned = graph_around (store, options, text, hops, 0, 0, NULL);
      g_autofree char *read =
          graph_around (store, options, text, hops, (guint) g_test_rand_int_range (1, 50), max_read, &is_complete);

      g_assert_cmpstr (scanned, ==, read);
      n_complete += is_complete;
    }
  return n_complete;
}

static void
test_random (void)
{
  guint n_complete = 0;

  for (guint round = 0; round < 40 && !g_test_failed (); round++)
    {
      g_auto (TraceStore) trace = { 0 };
      g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (TraceRecord));
      g_autoptr (TtSelection) selection = NULL;
      g_autoptr (GError) error = NULL;
      TtDepGraphOptions options = { .kinds = round % 4 == 3 ? 1u << TT_EDGE_SEQUENCE : TT_DEP_KINDS_DEFAULT };
      static const char *const filters[] = { NULL, "op_name!=b", "depth!=1", "op_name=a,c", "depth>2" };

      for (guint at = 0; at < N_PROCESSES * N_THREADS; at++)
        call_at_random (records, (guint) g_test_rand_int_range (1, 80), at);
      trace_store_init (&trace, (const TraceRecord *) (void *) records->data, records->len, N_PROCESSES, N_THREADS);
      if (filters[round % G_N_ELEMENTS (filters)] != NULL)
        {
          selection = tt_selection_new ((const char *const[]){ filters[round % G_N_ELEMENTS (filters)], NULL }, NULL,
                                        TT_UNIT_NS, &error);
          g_assert_true (tt_selection_bind (selection, trace.store, &error));
        }
      options.selection = selection;
      n_complete += compare_around (trace.store, &options, 12);
    }
  g_assert_cmpuint (n_complete, >, 240);
}

/* More operations than an index counts of a piece. */
static void
test_many_names (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (TraceRecord));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  const TtDepGraphOptions options = { .kinds = TT_DEP_KINDS_DEFAULT };
  gboolean is_complete = FALSE;

  for (guint i = 0; i < 900; i++)
    {
      g_ptr_array_add (texts, g_strdup_printf ("f%u", i % 300));
      add (records, 0, 0, TRACE_ENTER, g_ptr_array_index (texts, i), i * 2);
      add (records, 0, 0, TRACE_LEAVE, NULL, i * 2 + 1);
    }
  trace_store_init (&trace, (const TraceRecord *) (void *) records->data, records->len, 1, 1);

  g_autofree char *scanned = graph_around (trace.store, &options, "node0->COMP.f7#2", 3, 0, 0, NULL);
  g_autofree char *read = graph_around (trace.store, &options, "node0->COMP.f7#2", 3, 280, G_MAXUINT64, &is_complete);

  g_assert_true (is_complete);
  g_assert_cmpstr (scanned, ==, read);
  g_assert_nonnull (strstr (read, "node0->COMP.f10#2"));
  g_assert_null (strstr (read, "node0->COMP.f11#"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/around/is-what-scans-find", test_random);
  g_test_add_func ("/around/operations-that-are-not-counted", test_many_names);
  return g_test_run ();
}
