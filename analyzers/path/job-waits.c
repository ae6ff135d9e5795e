/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-waits.h"

#include "analyzers/path/measured-path.h"
#include "src/base/array.h"
#include "src/base/compare.h"

#include <string.h>

typedef struct
{
  const TtJobSpans *spans;
  const TtStepGraph *graph;
  guint32 *first_need; /* by node: its needs in `needs`; one more for the end of the last */
  guint32 *needs;      /* nodes */
  guint32 *first_peer; /* by node: the nodes of its name on all ranks; none where it is no collective */
  GArray *peers;       /* of guint32 */
  guint32 *n_peers;    /* by node */
  guint32 *arrival;    /* by node: its place among the arrivals; TT_STEP_NO_NODE: not decided by arrival */
  guint64 *visited;    /* by node: the search in which it was looked at last */
  guint64 search;      /* 1, 2, 3 ... */
  GArray *stack;       /* of guint32: nodes that were not traced */
  guint64 n_backward;
} Finder;

static void
finder_clear (Finder *self)
{
  g_free (self->first_need);
  g_free (self->needs);
  g_free (self->first_peer);
  g_free (self->n_peers);
  g_free (self->arrival);
  g_free (self->visited);
  g_clear_pointer (&self->peers, g_array_unref);
  g_clear_pointer (&self->stack, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* -- the graph backwards ---------------------------------------------------------------------------------------- */

static void
turn_edges (Finder *self)
{
  const TtStepEdge *edges = TT_ARRAY (self->graph->edges, TtStepEdge);
  guint n = self->graph->nodes->len, n_edges = self->graph->edges->len;
  g_autofree guint32 *next = g_new (guint32, (gsize) n + 1);

  self->first_need = g_new0 (guint32, (gsize) n + 2);
  self->needs = g_new (guint32, (gsize) n_edges + 1);
  for (guint i = 0; i < n_edges; i++)
    self->first_need[edges[i].to + 1]++;
  for (guint i = 0; i < n; i++)
    self->first_need[i + 1] += self->first_need[i];
  memcpy (next, self->first_need, (gsize) n * sizeof *next);
  for (guint i = 0; i < n_edges; i++)
    self->needs[next[edges[i].to]++] = edges[i].from;
}

/* -- collectives ------------------------------------------------------------------------------------------- */

/* Nobody leaves these before all have come. */
static gboolean
is_collective (const TtStepNode *node)
{
  static const char *const words[] = { "NEGOTIATE", "ALLREDUCE", "ALLGATHER", "ALLTOALL", "REDUCESCATTER" };

  if (node->kind == TT_STEP_NODE_SYNC)
    return TRUE;
  if (node->kind != TT_STEP_NODE_COMM || node->group == TT_STEP_NO_GROUP || node->parts.sub_op == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (node->parts.sub_op, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

typedef struct
{
  const char *name;
  guint32 node;
} NamedNode;

static int
compare_named (gconstpointer a, gconstpointer b)
{
  const NamedNode *x = a, *y = b;
  int order = strcmp (x->name, y->name);

  return order != 0 ? order : TT_COMPARE (x->node, y->node);
}

static void
find_peers (Finder *self)
{
  guint n = self->graph->nodes->len;
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (NamedNode));

  self->first_peer = g_new0 (guint32, (gsize) n + 1);
  self->n_peers = g_new0 (guint32, (gsize) n + 1);
  self->peers = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < n; i++)
    {
      const NamedNode node = { tt_step_node (self->graph, i)->name, i };
      if (is_collective (tt_step_node (self->graph, i)))
        g_array_append_val (named, node);
    }
  g_array_sort (named, compare_named);
  for (guint i = 0, m; i < named->len; i += m)
    {
      const NamedNode *all = &g_array_index (named, NamedNode, i);
      for (m = 1; i + m < named->len && g_str_equal (all[m].name, all[0].name); m++)
        ;
      for (guint k = 0; k < m; k++)
        {
          self->first_peer[all[k].node] = i;
          self->n_peers[all[k].node] = m;
          g_array_append_val (self->peers, all[k].node);
        }
    }
}

/* -- candidates -------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 span;
  const TtJobPathSpan *of;
  gint64 until_ns; /* nothing that ended later held it */
  TtJobWait best;
} Search;

static const TtJobPathSpan *
span_at (const Finder *self, guint32 i)
{
  return tt_job_span (self->spans, i);
}

/* The latest wins, then what was offered first. */
static void
offer (Search *search, guint32 cause, gint64 ns, TtPathHop hop, gboolean is_inferred)
{
  if (cause == TT_JOB_NO_SPAN || cause == search->span || ns > search->until_ns ||
      (search->best.cause != TT_JOB_NO_SPAN && ns <= search->best.cause_ns))
    return;
  search->best = (TtJobWait){ cause, ns, (guint8) hop, is_inferred };
}

static void
offer_end (const Finder *self, Search *search, guint32 cause, TtPathHop hop, gboolean is_inferred)
{
  if (cause != TT_JOB_NO_SPAN)
    offer (search, cause, span_at (self, cause)->end_ns, hop, is_inferred);
}

static TtPathHop
hop_between (const Search *search, const TtJobPathSpan *cause)
{
  if (cause->endpoint == search->of->endpoint)
    return TT_HOP_DEPENDENCY;
  return cause->kind == TT_STEP_NODE_SYNC ? TT_HOP_COLLECTIVE : TT_HOP_MESSAGE;
}

/* The last of the node's spans that ended in time. The next of the same step that begins in time should have. */
static void
offer_node (Finder *self, Search *search, guint32 node)
{
  const TtJobSpanLists *lists = &self->spans->of_node;
  guint32 last = tt_job_spans_last (self->spans, lists, node, search->until_ns, search->span);
  guint32 next = lists->first[node];

  if (last != TT_JOB_NO_SPAN)
    {
      offer_end (self, search, last, hop_between (search, span_at (self, last)), FALSE);
      next += tt_job_spans_occurrence (self->spans, last) + 1;
    }
  if (next == lists->first[node + 1] || search->of->step == TT_NO_STEP)
    return;
  const TtJobPathSpan *late = span_at (self, lists->spans[next]);
  self->n_backward += late->step == search->of->step && late->begin_ns < search->of->end_ns &&
                      (last == TT_JOB_NO_SPAN || span_at (self, last)->step != late->step);
}

/* Own things first: where two end at the same moment, the path stays on its rank. */
static void
offer_needs (Finder *self, Search *search, gboolean own)
{
  self->search++;
  g_array_set_size (self->stack, 0);
  g_array_append_val (self->stack, search->of->node);
  while (self->stack->len > 0)
    {
      guint32 node = g_array_index (self->stack, guint32, self->stack->len - 1);
      g_array_set_size (self->stack, self->stack->len - 1);
      for (guint32 i = self->first_need[node]; i < self->first_need[node + 1]; i++)
        {
          guint32 need = self->needs[i];
          gboolean is_traced = self->spans->of_node.first[need] < self->spans->of_node.first[need + 1];
          gboolean is_own = tt_step_node (self->graph, need)->rank == search->of->endpoint;

          if (is_traced && is_own == own)
            offer_node (self, search, need);
          if (is_traced || self->visited[need] == self->search)
            continue;
          self->visited[need] = self->search;
          g_array_append_val (self->stack, need);
        }
    }
}

/* The last rank to come, if that was while this one was there. */
static void
offer_peers (Finder *self, Search *search)
{
  guint32 node = search->of->node, first = self->first_peer[node];
  guint32 last = search->span;

  for (guint32 i = 0; i < self->n_peers[node]; i++)
    {
      guint32 peer = g_array_index (self->peers, guint32, first + i);
      const TtJobSpanLists *lists = &self->spans->of_node;
      if (peer == node)
        continue;
      /* Those of a node follow one another: the one that was there when this ended, or the last before. */
      guint32 low = lists->first[peer], high = lists->first[peer + 1];
      while (low < high)
        {
          guint32 middle = low + (high - low) / 2;
          if (span_at (self, lists->spans[middle])->begin_ns <= search->of->end_ns)
            low = middle + 1;
          else
            high = middle;
        }
      if (low > lists->first[peer] && span_at (self, lists->spans[low - 1])->begin_ns > span_at (self, last)->begin_ns)
        last = lists->spans[low - 1];
    }
  if (last == search->span)
    return;
  gint64 until_ns = search->until_ns;
  search->until_ns = search->of->end_ns;
  offer (search, last, span_at (self, last)->begin_ns, TT_HOP_COLLECTIVE, FALSE);
  search->until_ns = until_ns;
}

/* -- devices ----------------------------------------------------------------------------------------------- */

static void
offer_device (Finder *self, Search *search, guint32 endpoint, TtStepNodeKind kind, gboolean is_inferred)
{
  guint32 channel = 0;

  if (search->of->node != TT_STEP_NO_NODE)
    {
      const TtStepNode *node = tt_step_node (self->graph, search->of->node);
      channel = node->channel * 2 + node->is_down;
    }
  guint32 device = tt_job_spans_device (self->spans, endpoint, kind, channel);
  guint32 last = tt_job_spans_last (self->spans, &self->spans->of_device, device, search->until_ns, search->span);
  offer_end (self, search, last, TT_HOP_DEVICE, is_inferred);
}

/* Updates that wait for all communication of their rank: of its groups, or of its worker's links. */
static void
offer_all_communication (Finder *self, Search *search)
{
  const TtJobTopology *topology = self->spans->job->topology;
  guint32 rank = search->of->endpoint;

  offer_device (self, search, rank, TT_STEP_NODE_MEMCPY_OUT, FALSE);
  if (topology->n_workers == 0 || rank >= topology->n_ranks)
    return;
  for (guint32 i = topology->n_ranks; i < topology->n_endpoints; i++)
    {
      const TtJobLink *link = tt_job_topology_link (topology, i);
      if (!link->is_thread && link->is_in && link->worker == topology->workers[rank])
        offer_device (self, search, i, TT_STEP_NODE_PULL_RES, FALSE);
    }
}

static void
offer_devices (Finder *self, Search *search, gboolean has_needs)
{
  const TtJobPathSpan *of = search->of;
  TtStepNodeKind kind = (TtStepNodeKind) of->kind;

  offer_device (self, search, of->endpoint, kind, FALSE);
  if (kind == TT_STEP_NODE_FW && !has_needs)
    offer_device (self, search, of->endpoint, TT_STEP_NODE_IO, TRUE);
  if (kind == TT_STEP_NODE_IO)
    offer_device (self, search, of->endpoint, TT_STEP_NODE_FW, TRUE);
  if (kind == TT_STEP_NODE_UPDATE && self->spans->job->updates_wait)
    offer_all_communication (self, search);
  if (kind == TT_STEP_NODE_SEND && of->node != TT_STEP_NO_NODE && tt_step_node (self->graph, of->node)->phase == 0 &&
      tt_step_node (self->graph, of->node)->loop > 0)
    offer_device (self, search, of->endpoint, TT_STEP_NODE_RECV, FALSE);
}

/* -- arrivals at parameter servers ------------------------------------------------------------------------- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

/* Of the pushes of a part the one that came as the k-th, where this is the k-th work on it. */
static void
offer_arrival (Finder *self, Search *search)
{
  const TtStepArrival *all = TT_ARRAY (self->graph->arrivals, TtStepArrival);
  const TtJobSpanLists *lists = &self->spans->of_node;
  guint32 at = self->arrival[search->of->node], first = at, k, occurrence;
  g_autoptr (GArray) pushes = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (at == TT_STEP_NO_NODE)
    return;
  while (first > 0 && all[first - 1].queue == all[at].queue)
    first--;
  k = at - first;
  occurrence = tt_job_spans_occurrence (self->spans, search->span);
  for (guint i = first; i < self->graph->arrivals->len && all[i].queue == all[at].queue; i++)
    if (occurrence < lists->first[all[i].push + 1] - lists->first[all[i].push])
      g_array_append_val (pushes, lists->spans[lists->first[all[i].push] + occurrence]);
  g_array_sort (pushes, compare_numbers);
  if (k < pushes->len)
    offer_end (self, search, g_array_index (pushes, guint32, k), TT_HOP_MESSAGE, FALSE);
}

static void
find_arrivals (Finder *self)
{
  guint n = self->graph->nodes->len;

  self->arrival = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    self->arrival[i] = TT_STEP_NO_NODE;
  for (guint i = 0; i < self->graph->arrivals->len; i++)
    self->arrival[g_array_index (self->graph->arrivals, TtStepArrival, i).work] = i;
}

/* -- all --------------------------------------------------------------------------------------------------- */

/* Whether a span may begin before what it waits for is done. */
static gboolean
may_wait (const Finder *self, const TtJobPathSpan *span)
{
  if (span->node != TT_STEP_NO_NODE && self->n_peers[span->node] > 0)
    return FALSE; /* for its own rank, it does not */
  return span->is_wait || span->kind == TT_STEP_NODE_RECV || span->kind == TT_STEP_NODE_COMM ||
         tt_step_node_is_link_transfer ((TtStepNodeKind) span->kind);
}

static TtJobWait
find_wait (Finder *self, guint32 i)
{
  const TtJobPathSpan *span = span_at (self, i);
  Search search = { .span = i, .of = span, .best.cause = TT_JOB_NO_SPAN };
  gboolean has_needs = FALSE;

  search.until_ns = may_wait (self, span) ? span->end_ns : span->begin_ns;
  if (span->node != TT_STEP_NO_NODE)
    {
      if (self->n_peers[span->node] > 0)
        offer_peers (self, &search);
      if (search.best.cause != TT_JOB_NO_SPAN)
        return search.best;
      offer_needs (self, &search, TRUE);
      offer_needs (self, &search, FALSE);
      offer_arrival (self, &search);
      has_needs = search.best.cause != TT_JOB_NO_SPAN;
    }
  /* A device that a transfer finds free is free at its begin; QUEUE waits for it. */
  if (!span->is_wait)
    search.until_ns = span->begin_ns;
  offer_devices (self, &search, has_needs);
  return search.best;
}

/* Of its own rank. */
static TtJobWait
find_need (Finder *self, guint32 i)
{
  const TtJobPathSpan *span = span_at (self, i);
  Search search = { .span = i, .of = span, .until_ns = span->begin_ns, .best.cause = TT_JOB_NO_SPAN };

  if (span->node != TT_STEP_NO_NODE)
    offer_needs (self, &search, TRUE);
  return search.best;
}

static TtJobWait
find_arrival (Finder *self, guint32 i)
{
  const TtJobPathSpan *span = span_at (self, i);
  Search search = { .span = i, .of = span, .until_ns = span->begin_ns, .best = find_need (self, i) };

  offer_devices (self, &search, search.best.cause != TT_JOB_NO_SPAN);
  return search.best;
}

static TtJobWait *
find_all (const TtJobSpans *spans, TtJobWait (*find) (Finder *self, guint32 i), guint64 *n_backward)
{
  g_auto (Finder) finder = { .spans = spans, .graph = spans->job->graph };
  TtJobWait *waits = g_new (TtJobWait, (gsize) spans->spans->len + 1);

  turn_edges (&finder);
  find_peers (&finder);
  find_arrivals (&finder);
  finder.visited = g_new0 (guint64, (gsize) finder.graph->nodes->len + 1);
  finder.stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < spans->spans->len; i++)
    waits[i] = find (&finder, i);
  *n_backward = finder.n_backward;
  return waits;
}

TtJobWait *
tt_job_waits_new (const TtJobSpans *spans, guint64 *n_backward)
{
  return find_all (spans, find_wait, n_backward);
}

TtJobWait *
tt_job_arrivals_new (const TtJobSpans *spans, gboolean only_needs)
{
  guint64 n_backward;

  return find_all (spans, only_needs ? find_need : find_arrival, &n_backward);
}
