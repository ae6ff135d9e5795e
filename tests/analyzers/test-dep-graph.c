/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/spans/op-table.h"
#include "src/base/error.h"
#include "tests/analyzers/trace.h"
#include "tests/require.h"

#define N_PROCESSES 2
#define N_THREADS 2
#define N_NAMES 5

static const char *const raw_names[N_NAMES] = { "a", "b", "c", "MPI_Send", "MPI_Recv" };
static const char *const names[N_NAMES] = { "COMP.a", "COMP.b", "COMP.c", "Comm.MPI_Send.SEND", "Comm.MPI_Recv.RECV" };

typedef struct
{
  guint process, thread, name, depth;
  int parent; /* index, -1: none */
  gint64 begin_ns, end_ns, children_ns;
  int context; /* nearest parent that is selected */
  gboolean selected;
} Span;

typedef struct
{
  guint process, peer;
  int span;
  gint64 ts_ns;
  gboolean used;
} Half;

typedef struct
{
  GArray *records, *spans, *sends, *recvs;
} Model;

static void
model_clear (Model *self)
{
  g_array_unref (self->records);
  g_array_unref (self->spans);
  g_array_unref (self->sends);
  g_array_unref (self->recvs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static int
compare_halves (const void *a, const void *b)
{
  const Half *x = a, *y = b;

  return x->ts_ns < y->ts_ns ? -1 : x->ts_ns > y->ts_ns;
}

/* Random calls on each thread; times of a thread differ, so that begin order is clear. */
static void
model_init (Model *self, guint n_steps)
{
  self->records = g_array_new (FALSE, FALSE, sizeof (TraceRecord));
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  self->sends = g_array_new (FALSE, FALSE, sizeof (Half));
  self->recvs = g_array_new (FALSE, FALSE, sizeof (Half));
  for (guint at = 0; at < N_PROCESSES * N_THREADS; at++)
    {
      guint process = at / N_THREADS, thread = at % N_THREADS;
      gint64 ts = 0;
      int top = -1;

      for (guint step = 0; step < n_steps || top >= 0; step++)
        {
          ts += g_test_rand_int_range (1, 20);
          if (step < n_steps && (top < 0 || g_test_rand_int_range (0, 9) < 5))
            {
              Span span = { .process = process, .thread = thread, .parent = top, .begin_ns = ts };
              span.name = (guint) g_test_rand_int_range (0, N_NAMES);
              span.depth = top < 0 ? 0 : g_array_index (self->spans, Span, top).depth + 1;
              g_array_append_vals (self->records,
                                   &(TraceRecord){ process, thread, TRACE_ENTER, raw_names[span.name], ts, 0 }, 1);
              g_array_append_val (self->spans, span);
              top = (int) self->spans->len - 1;
              if (span.name >= 3)
                {
                  Half half = { process, 1 - process, top, ts, FALSE };
                  g_array_append_vals (self->records,
                                       &(TraceRecord){ process, thread, span.name == 3 ? TRACE_SEND : TRACE_RECV, NULL,
                                                       ts, 1 - process },
                                       1);
                  g_array_append_val (span.name == 3 ? self->sends : self->recvs, half);
                }
            }
          else
            {
              Span *span = &g_array_index (self->spans, Span, top);
              span->end_ns = ts;
              g_array_append_vals (self->records, &(TraceRecord){ process, thread, TRACE_LEAVE, NULL, ts, 0 }, 1);
              if (span->parent >= 0)
                g_array_index (self->spans, Span, span->parent).children_ns += span->end_ns - span->begin_ns;
              top = span->parent;
            }
        }
    }
  g_array_sort (self->sends, compare_halves);
  g_array_sort (self->recvs, compare_halves);
}

/* bit set of names that are selected */
static void
select_names (Model *self, guint chosen)
{
  for (guint i = 0; i < self->spans->len; i++)
    {
      Span *span = &g_array_index (self->spans, Span, i);
      const Span *parent = span->parent < 0 ? NULL : &g_array_index (self->spans, Span, span->parent);

      span->selected = (chosen & 1u << span->name) != 0;
      span->context = parent == NULL ? -1 : parent->selected ? span->parent : parent->context;
    }
}

static char *
label_of (const Span *span)
{
  return g_strdup_printf ("node%u->%s", span->process, names[span->name]);
}

/* "a -> b kind" -> "cnt gap" */
static void
count (GHashTable *edges, const Span *a, const Span *b, const char *kind, gint64 gap)
{
  g_autofree char *from = label_of (a), *to = label_of (b);
  char *key = g_strdup_printf ("%s -> %s %s", from, to, kind);
  gint64 *value = g_hash_table_lookup (edges, key);

  if (value == NULL)
    {
      value = g_new0 (gint64, 2);
      g_hash_table_insert (edges, g_strdup (key), value);
    }
  value[0]++;
  value[1] += gap;
  g_free (key);
}

static GHashTable *
plain_edges (const Model *self)
{
  GHashTable *edges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const Span *spans = (const Span *) (void *) self->spans->data;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *next = NULL;

      if (!spans[i].selected)
        continue;
      if (spans[i].context >= 0)
        count (edges, &spans[spans[i].context], &spans[i], "call", 0);
      for (guint k = i + 1; k < self->spans->len && next == NULL; k++)
        if (spans[k].selected && spans[k].context == spans[i].context && spans[k].process == spans[i].process &&
            spans[k].thread == spans[i].thread)
          next = &spans[k];
      if (next != NULL)
        count (edges, &spans[i], next, "sequence", MAX (next->begin_ns - spans[i].end_ns, 0));
    }
  for (guint i = 0; i < self->recvs->len; i++)
    {
      const Half *recv = &g_array_index (self->recvs, Half, i);
      Half *send = NULL;

      for (guint k = 0; k < self->sends->len && send == NULL; k++)
        {
          Half *half = &g_array_index (self->sends, Half, k);
          if (!half->used && half->process == recv->peer)
            send = half;
        }
      if (send == NULL)
        continue;
      send->used = TRUE;
      int from = spans[send->span].selected ? send->span : spans[send->span].context;
      int to = spans[recv->span].selected ? recv->span : spans[recv->span].context;
      if (from >= 0 && to >= 0)
        count (edges, &spans[from], &spans[to], "message", MAX (recv->ts_ns - send->ts_ns, 0));
    }
  return edges;
}

static void
check_edges (const TtGraph *graph, GHashTable *edges)
{
  g_assert_cmpuint (graph->edges->len, ==, g_hash_table_size (edges));
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      g_autofree char *key = g_strdup_printf ("%s -> %s %s", tt_graph_node (graph, edge->src)->label,
                                              tt_graph_node (graph, edge->dst)->label, tt_edge_kind_text (edge->kind));
      const gint64 *value = g_hash_table_lookup (edges, key);

      require_nonnull (value);
      if (value != NULL)
        {
          g_assert_cmpuint (edge->cnt, ==, (guint64) value[0]);
          g_assert_cmpint (edge->gap_ns, ==, value[1]);
        }
    }
}

static void
check_nodes (const TtGraph *graph, const Model *model)
{
  guint n_nodes = 0;

  for (guint process = 0; process < N_PROCESSES; process++)
    for (guint name = 0; name < N_NAMES; name++)
      {
        guint64 cnt = 0;
        gint64 sum = 0, self = 0, first = G_MAXINT64;
        g_autofree char *label = g_strdup_printf ("node%u->%s", process, names[name]);
        const TtNode *node = NULL;

        for (guint i = 0; i < model->spans->len; i++)
          {
            const Span *span = &g_array_index (model->spans, Span, i);
            if (span->process != process || span->name != name || !span->selected)
              continue;
            cnt++;
            sum += span->end_ns - span->begin_ns;
            self += span->end_ns - span->begin_ns - span->children_ns;
            first = MIN (first, span->begin_ns);
          }
        n_nodes += cnt > 0;
        for (guint i = 0; i < graph->nodes->len; i++)
          if (strcmp (tt_graph_node (graph, i)->label, label) == 0)
            node = tt_graph_node (graph, i);
        g_assert_cmpint (node != NULL, ==, cnt > 0);
        if (node == NULL)
          continue;
        g_assert_cmpuint (node->cnt, ==, cnt);
        g_assert_cmpint ((gint64) node->sum_ns, ==, sum);
        g_assert_cmpint ((gint64) node->self_ns, ==, self);
        g_assert_cmpint (node->ts_ns, ==, first);
        g_assert_cmpstr (node->op_cat, ==, name < 3 ? "COMP" : "Comm");
      }
  g_assert_cmpuint (graph->nodes->len, ==, n_nodes);
  for (guint i = 1; i < graph->nodes->len; i++)
    g_assert_cmpint (tt_graph_node (graph, i - 1)->ts_ns, <=, tt_graph_node (graph, i)->ts_ns);
}

static void
test_ops (void)
{
  for (int round = 0; round < 60 && !g_test_failed (); round++)
    {
      g_auto (Model) model = { 0 };
      g_auto (TraceStore) trace = { 0 };
      g_autoptr (GError) error = NULL;
      TtDepGraphOptions options = { .kinds = TT_DEP_KINDS_DEFAULT };
      guint chosen = round % 2 == 0 ? 0x1f : (guint) g_test_rand_int_range (1, 31);
      g_autoptr (GString) filter = g_string_new ("name=");
      g_autoptr (TtSelection) selection = NULL;
      g_autoptr (TtGraph) graph = NULL;
      g_autoptr (GHashTable) edges = NULL;

      model_init (&model, (guint) g_test_rand_int_range (1, 60));
      select_names (&model, chosen);
      trace_store_init (&trace, (const TraceRecord *) (void *) model.records->data, model.records->len, N_PROCESSES,
                        N_THREADS);
      if (round % 2 == 1)
        {
          for (guint i = 0; i < N_NAMES; i++)
            if (chosen & 1u << i)
              g_string_append_printf (filter, "%s%s", filter->len > 5 ? "," : "", names[i]);
          selection = tt_selection_new ((const char *const[]){ filter->str, NULL }, NULL, TT_UNIT_NS, &error);
          require_no_error (error);
          g_assert_true (tt_selection_bind (selection, trace.store, &error));
          options.selection = selection;
        }
      /* A message between spans that are left out belongs to those around them, whatever their names. */
      graph = tt_dep_graph_ops (trace.store, &options, &error);
      require_no_error (error);
      if (graph == NULL)
        break;
      edges = plain_edges (&model);
      check_nodes (graph, &model);
      check_edges (graph, edges);
    }
}

/* -- level event ---------------------------------------------------------------------------------------- */

#define E(p, name, ts)             \
  {                                \
    p, 0, TRACE_ENTER, name, ts, 0 \
  }
#define L(p, ts)                   \
  {                                \
    p, 0, TRACE_LEAVE, NULL, ts, 0 \
  }

static const TraceRecord small[] = {
  E (0, "main", 0),
  E (0, "a", 1),
  L (0, 2),
  E (0, "a", 3),
  E (0, "b", 4),
  L (0, 5),
  L (0, 6),
  E (0, "MPI_Send", 7),
  { 0, 0, TRACE_SEND, NULL, 8, 1 },
  L (0, 9),
  E (0, "a", 10),
  L (0, 30),
  L (0, 31),
  E (1, "main", 0),
  E (1, "MPI_Recv", 1),
  { 1, 0, TRACE_RECV, NULL, 9, 0 },
  L (1, 10),
  L (1, 40),
};

static char *
labels_of (const TtGraph *graph)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < graph->nodes->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " ", tt_graph_node (graph, i)->label);
  return g_string_free (text, FALSE);
}

static void
test_events (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  TtDepGraphOptions options = { .kinds = TT_DEP_KINDS_DEFAULT };
  g_autoptr (TtGraph) all = NULL;
  g_autofree char *labels = NULL;
  static const struct
  {
    const char *text;
    guint hops;
    const char *labels;
  } cases[] = {
    { "b", 0, "node0->COMP.b#0" },
    { "b", 1, "node0->COMP.a#1 node0->COMP.b#0" },
    { "b", 2, "node0->COMP.main#0 node0->COMP.a#0 node0->COMP.a#1 node0->COMP.b#0 node0->Comm.MPI_Send.SEND#0" },
    { "a", 0, "node0->COMP.a#2" }, /* the longest */
    { "a#0", 1, "node0->COMP.main#0 node0->COMP.a#0 node0->COMP.a#1" },
    { "node1->Comm.MPI_Recv.RECV#0", 1, "node1->COMP.main#0 node1->Comm.MPI_Recv.RECV#0 node0->Comm.MPI_Send.SEND#0" },
  };

  trace_store_init (&trace, small, G_N_ELEMENTS (small), 2, 1);
  all = tt_dep_graph_events (trace.store, &options, NULL, NULL, &error);
  require_no_error (error);
  g_assert_cmpuint (all->nodes->len, ==, 8);
  /* 5 + 1 calls, 3 in sequence, 1 message */
  g_assert_cmpuint (all->edges->len, ==, 10);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtGraph) graph = tt_dep_graph_around (trace.store, &options, cases[i].text, cases[i].hops, &error);

      require_no_error (error);
      g_clear_pointer (&labels, g_free);
      labels = labels_of (graph);
      g_assert_cmpstr (labels, ==, cases[i].labels);
    }

  g_assert_null (tt_dep_graph_around (trace.store, &options, "a#3", 1, &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "occurs 3 times"));
  g_clear_error (&error);
  g_assert_null (tt_dep_graph_around (trace.store, &options, "main", 1, &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "2 processes"));
}

static void
test_window (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, "3:7", TT_UNIT_NS, &error);
  TtDepGraphOptions options = { .kinds = TT_DEP_KINDS_DEFAULT, .selection = selection };
  g_autoptr (TtGraph) graph = NULL;
  g_autofree char *labels = NULL;

  trace_store_init (&trace, small, G_N_ELEMENTS (small), 2, 1);
  g_assert_true (tt_selection_bind (selection, trace.store, &error));
  graph = tt_dep_graph_events (trace.store, &options, NULL, NULL, &error);
  require_no_error (error);
  labels = labels_of (graph);
  g_assert_cmpstr (labels, ==,
                   "node0->COMP.main#0 node1->COMP.main#0 node1->Comm.MPI_Recv.RECV#0 node0->COMP.a#1 node0->COMP.b#0");
}

static void
test_collective_edges (void)
{
  static const TraceRecord records[] = { E (0, "MPI_Barrier", 0), L (0, 30), E (1, "MPI_Barrier", 20), L (1, 30),
                                         E (2, "MPI_Barrier", 5), L (2, 30) };
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  TtDepGraphOptions options = { .kinds = 1u << TT_EDGE_COLLECTIVE };
  g_autoptr (TtGraph) graph = NULL;

  trace_store_init (&trace, records, G_N_ELEMENTS (records), 3, 1);
  graph = tt_dep_graph_ops (trace.store, &options, &error);
  require_no_error (error);
  g_assert_cmpuint (graph->edges->len, ==, 2);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      const char *to = tt_graph_node (graph, edge->dst)->pid;
      g_assert_cmpstr (tt_graph_node (graph, edge->src)->pid, ==, "node1");
      g_assert_cmpint (edge->gap_ns, ==, strcmp (to, "node0") == 0 ? 20 : 15);
      g_assert_cmpuint (edge->kind, ==, TT_EDGE_COLLECTIVE);
    }

  options.merge_ranks = TRUE;
  g_autoptr (TtGraph) merged = tt_dep_graph_ops (trace.store, &options, &error);
  g_assert_cmpuint (merged->nodes->len, ==, 1);
  g_assert_cmpstr (tt_graph_node (merged, 0)->label, ==, "SYNC.MPI_Barrier");
  g_assert_cmpuint (tt_graph_node (merged, 0)->cnt, ==, 3);
}

/* A message that is sent or received outside of any span, or only one of them, is no edge and no fault. */
static void
test_messages_without_spans (void)
{
  static const TraceRecord records[] = {
    { 0, 0, TRACE_SEND, NULL, 1, 1 },
    E (0, "a", 2),
    { 0, 0, TRACE_SEND, NULL, 3, 1 },
    { 0, 0, TRACE_SEND, NULL, 4, 1 },
    { 0, 0, TRACE_SEND, NULL, 5, 1 },
    L (0, 9),
    { 1, 0, TRACE_RECV, NULL, 6, 0 },
    { 1, 0, TRACE_RECV, NULL, 7, 0 },
    E (1, "b", 8),
    { 1, 0, TRACE_RECV, NULL, 10, 0 },
    L (1, 12),
  };
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  const TtDepGraphOptions options = { .kinds = 1u << TT_EDGE_MESSAGE };

  trace_store_init (&trace, records, G_N_ELEMENTS (records), 2, 1);
  g_autoptr (TtGraph) graph = tt_dep_graph_ops (trace.store, &options, &error);
  g_assert_no_error (error);
  /* The first send has no span, the second's receive has none, the third has both, the fourth has no receive. */
  g_assert_cmpuint (graph->edges->len, ==, 1);
  g_assert_cmpuint (tt_graph_edge (graph, 0)->cnt, ==, 1);
  g_assert_cmpint (tt_graph_edge (graph, 0)->gap_ns, ==, 10 - 4);
}

static void
test_match (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (TtOpTable) ops = NULL;
  static const struct
  {
    const char *text, *problem;
    guint n;
  } cases[] = {
    { "node0->COMP.main", NULL, 1 },
    { "COMP.main", NULL, 2 },
    { "main", NULL, 2 },
    { "Send", NULL, 1 },
    { "MPI_", "is part of 2 operations", 0 },
    { "node0->COMP.mian", "did you mean 'node0->COMP.main'", 0 },
    { "MPI_Recvv", "did you mean", 0 },
    { "zzzzzzzzzzzzzz", "there is no operation 'zzzzzzzzzzzzzz'", 0 },
  };

  trace_store_init (&trace, small, G_N_ELEMENTS (small), 2, 1);
  ops = tt_op_table_new (trace.store, FALSE);
  g_assert_true (tt_op_table_fill (ops, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) matched = tt_op_table_match (ops, cases[i].text, &error);

      g_assert_cmpuint (matched == NULL ? 0 : matched->len, ==, cases[i].n);
      g_assert_cmpint (error != NULL, ==, cases[i].problem != NULL);
      if (error != NULL && cases[i].problem != NULL && strstr (error->message, cases[i].problem) == NULL)
        g_test_fail_printf ("'%s': %s", cases[i].text, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/dep-graph/ops-agree-with-a-plain-count", test_ops);
  g_test_add_func ("/dep-graph/events-near-one", test_events);
  g_test_add_func ("/dep-graph/events-in-a-window", test_window);
  g_test_add_func ("/dep-graph/collectives-and-merged-ranks", test_collective_edges);
  g_test_add_func ("/dep-graph/messages-without-spans", test_messages_without_spans);
  g_test_add_func ("/dep-graph/names-of-operations", test_match);
  return g_test_run ();
}
