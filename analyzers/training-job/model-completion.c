/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/model-completion.h"

#include "src/base/compare.h"

#include <string.h>

/* Edges from groups to updates; no model has more. */
#define MAX_UPDATE_EDGES (1u << 20)

/* -- from the reference rank -------------------------------------------------------------------------------------- */

typedef struct
{
  TtJobModelGraph *graph;
  TtStore *store;
  const TtJobNames *names;
  const TtJobObservations *observations;
  GHashTable *node_of; /* text -> node, GUINT_TO_POINTER */
} Completion;

static gboolean
find_node (const Completion *self, const char *text, guint32 *node)
{
  gpointer value;

  if (!g_hash_table_lookup_extended (self->node_of, text, NULL, &value))
    return FALSE;
  *node = GPOINTER_TO_UINT (value);
  return TRUE;
}

/* The node of that name; a new one gets @parts. */
static guint32
find_or_add_node (Completion *self, const char *text, const TtNameParts *parts)
{
  guint32 node;

  if (find_node (self, text, &node))
    return node;
  TtNameParts copy = tt_name_parts_copy (parts, self->graph->text);
  node = tt_job_model_graph_add_node (self->graph, text, &copy);
  g_hash_table_insert (self->node_of, self->graph->names->pdata[node], GUINT_TO_POINTER (node));
  return node;
}

static const TtStoredName *
name_of (const Completion *self, const TtJobReferenceOp *op)
{
  return tt_store_name (self->store, op->name);
}

static void
chain_operators (Completion *self)
{
  const GArray *ops = self->observations->reference_ops;
  guint32 previous = TT_STEP_NO_NODE;

  for (guint i = 0; i < ops->len; i++)
    {
      const TtStoredName *name = name_of (self, &g_array_index (ops, TtJobReferenceOp, i));
      const TtNameParts parts = { .op_cat = name->op_cat, .op_name = name->op_name, .sub_op = name->sub_op };

      if (g_hash_table_contains (self->node_of, name->text))
        continue;
      guint32 node = find_or_add_node (self, name->text, &parts);
      if (previous != TT_STEP_NO_NODE)
        tt_job_model_graph_add_edge (self->graph, previous, node);
      previous = node;
    }
}

/* -- operators that the graph does not name ----------------------------------------------------------------------- */

/* What of the reference rank's operators is in no graph. */
typedef struct
{
  guint n, n_all;
  gint64 ns, all_ns;
  gboolean has_gradients, has_updates; /* some of these */
} Unknown;

/* Adds nodes for them. */
static Unknown
add_unknown_operators (Completion *self)
{
  const GArray *ops = self->observations->reference_ops;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Unknown unknown = { 0 };

  for (guint i = 0; i < ops->len; i++)
    {
      const TtJobReferenceOp *op = &g_array_index (ops, TtJobReferenceOp, i);
      const TtStoredName *name = name_of (self, op);
      const TtNameParts parts = { .op_cat = name->op_cat, .op_name = name->op_name, .sub_op = name->sub_op };
      TtStepNodeKind kind = tt_job_names_kind (self->names, op->name);

      if (!tt_step_node_is_operator (kind) || !g_hash_table_add (seen, GUINT_TO_POINTER (op->name)))
        continue;
      gboolean is_new = !g_hash_table_contains (self->node_of, name->text);
      if (is_new)
        find_or_add_node (self, name->text, &parts);
      unknown.n_all++;
      unknown.all_ns += op->end_ns - op->ts_ns;
      unknown.n += is_new != FALSE;
      unknown.ns += is_new ? op->end_ns - op->ts_ns : 0;
      unknown.has_gradients |= is_new && kind == TT_STEP_NODE_BW;
      unknown.has_updates |= is_new && kind == TT_STEP_NODE_UPDATE;
    }
  return unknown;
}

/* Who needs an operator that is not in the graph, is not there either: all go in the order in which they went. Updates
 * need groups of tensors, and nothing in a step needs them. */
static void
chain_all_operators (Completion *self)
{
  const GArray *ops = self->observations->reference_ops;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 previous = TT_STEP_NO_NODE, node;

  for (guint i = 0; i < ops->len; i++)
    {
      const TtJobReferenceOp *op = &g_array_index (ops, TtJobReferenceOp, i);
      TtStepNodeKind kind = tt_job_names_kind (self->names, op->name);

      if (!tt_step_node_is_operator (kind) || kind == TT_STEP_NODE_UPDATE ||
          !g_hash_table_add (seen, GUINT_TO_POINTER (op->name)) || !find_node (self, name_of (self, op)->text, &node))
        continue;
      if (previous != TT_STEP_NO_NODE)
        tt_job_model_graph_add_edge (self->graph, previous, node);
      previous = node;
    }
}

/* The node that stands for @node where tensors of a group are communicated as one. */
static guint32
group_node (const Completion *self, guint32 node, GHashTable *node_of_group)
{
  const TtNameParts *parts = &g_array_index (self->graph->parts, TtNameParts, node);
  gpointer known;

  if (strcmp (parts->op_cat, "Comm") != 0 || parts->op_name == NULL)
    return node;
  g_autofree char *first = g_strndup (parts->op_name, strcspn (parts->op_name, "+"));
  const char *group = g_hash_table_lookup (self->observations->group_of, first);
  if (group == NULL)
    return node;
  if (g_hash_table_lookup_extended (node_of_group, group, NULL, &known))
    return GPOINTER_TO_UINT (known);
  g_hash_table_insert (node_of_group, (gpointer) group, GUINT_TO_POINTER (node));
  return node;
}

/* Whether the first @n_edges have one. */
static gboolean
has_cycle (const Completion *self, guint n_edges)
{
  const guint n = self->graph->names->len;
  g_autoptr (GHashTable) node_of_group = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *of = g_new (guint32, (gsize) n + 1), *first = g_new0 (guint32, (gsize) n + 2);
  g_autofree guint32 *to = g_new (guint32, (gsize) n_edges + 1), *n_before = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *ready = g_new (guint32, (gsize) n + 1);
  const guint32 (*edges)[2] = (const guint32 (*)[2]) (gconstpointer) self->graph->edges->data;
  guint n_ready = 0;

  for (guint i = 0; i < n; i++)
    of[i] = group_node (self, i, node_of_group);
  for (guint i = 0; i < n_edges; i++)
    {
      first[of[edges[i][0]] + 1]++;
      n_before[of[edges[i][1]]]++;
    }
  for (guint i = 0; i < n; i++)
    first[i + 1] += first[i];
  for (guint i = n_edges; i-- > 0;)
    to[--first[of[edges[i][0]] + 1]] = of[edges[i][1]];
  for (guint i = 0; i < n; i++)
    if (n_before[i] == 0)
      ready[n_ready++] = i;
  for (guint i = 0; i < n_ready; i++)
    for (guint k = first[ready[i] + 1]; k < (ready[i] + 1 < n ? first[ready[i] + 2] : n_edges); k++)
      if (--n_before[to[k]] == 0)
        ready[n_ready++] = to[k];
  return n_ready < n;
}

/* -- groups that the graph does not name, or only in part ----------------------------------------------------------- */

/* Groups of which the graph names a tensor, or all tensors at once. Keys belong to the observations or the graph. */
static GHashTable *
find_named_groups (const Completion *self)
{
  GHashTable *named = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->graph->parts->len; i++)
    {
      const TtNameParts *parts = &g_array_index (self->graph->parts, TtNameParts, i);
      if (strcmp (parts->op_cat, "Comm") != 0 || parts->op_name == NULL)
        continue;
      const char *group = g_hash_table_lookup (self->observations->group_of, parts->op_name);
      g_hash_table_add (named, (gpointer) (group != NULL ? group : parts->op_name));
    }
  return named;
}

static int
compare_comms (gconstpointer a, gconstpointer b)
{
  const TtJobReferenceComm *x = a, *y = b;

  return x->ts_ns != y->ts_ns ? TT_COMPARE (x->ts_ns, y->ts_ns) : strcmp (x->name, y->name);
}

/* The groups that the graph does not name, by their start. */
static GArray *
find_unnamed_groups (const Completion *self)
{
  const TtJobObservations *observations = self->observations;
  g_autoptr (GHashTable) named = find_named_groups (self);
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *groups = tt_job_reference_comms_new ();

  for (guint i = 0; i < observations->reference_comms->len; i++)
    {
      const TtJobReferenceComm *comm = &g_array_index (observations->reference_comms, TtJobReferenceComm, i);
      g_autofree char *first = g_strndup (comm->name, strcspn (comm->name, "+"));
      const char *group = g_hash_table_lookup (observations->group_of, first);

      if (group != NULL && !g_hash_table_contains (named, group))
        tt_job_reference_comm_widen (groups, index_of, group, comm->ts_ns, comm->end_ns);
    }
  g_array_sort (groups, compare_comms);
  return groups;
}

/* A gradient or an update of the reference rank. */
typedef struct
{
  guint32 node;
  gint64 ts_ns, end_ns;
} TimedNode;

/* The reference rank's operators of @kind that are nodes, in time order; of TimedNode. */
static GArray *
find_timed_nodes (const Completion *self, TtStepNodeKind kind)
{
  const GArray *ops = self->observations->reference_ops;
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (TimedNode));

  for (guint i = 0; i < ops->len; i++)
    {
      const TtJobReferenceOp *op = &g_array_index (ops, TtJobReferenceOp, i);
      TimedNode node = { .ts_ns = op->ts_ns, .end_ns = op->end_ns };

      if (tt_job_names_kind (self->names, op->name) == kind && find_node (self, name_of (self, op)->text, &node.node))
        g_array_append_val (nodes, node);
    }
  return nodes;
}

/* The last gradient that had ended when a group started, as far as groups come in the order of their start. */
typedef struct
{
  guint next;            /* in the gradients */
  guint32 ended, latest; /* nodes: the one before the latest, the latest to start; or TT_STEP_NO_NODE */
  gint64 latest_end_ns;
} GradientCursor;

static guint32
find_gradient (GradientCursor *self, const GArray *gradients, gint64 group_ts_ns)
{
  for (; self->next < gradients->len; self->next++)
    {
      const TimedNode *gradient = &g_array_index (gradients, TimedNode, self->next);
      if (gradient->ts_ns > group_ts_ns)
        break;
      self->ended = self->latest;
      self->latest = gradient->node;
      self->latest_end_ns = gradient->end_ns;
    }
  return self->latest_end_ns <= group_ts_ns || self->ended == TT_STEP_NO_NODE ? self->latest : self->ended;
}

/* From @node to the updates that start after @end_ns; @n_left: how many edges may still be added. */
static void
add_update_edges (Completion *self, guint32 node, gint64 end_ns, const GArray *updates, guint *n_left)
{
  guint first = updates->len;

  while (first > 0 && g_array_index (updates, TimedNode, first - 1).ts_ns >= end_ns)
    first--;
  for (guint i = first; i < updates->len && *n_left > 0; i++, (*n_left)--)
    tt_job_model_graph_add_edge (self->graph, node, g_array_index (updates, TimedNode, i).node);
}

/* How much of a group's tensors the graph has. */
typedef struct
{
  gboolean has_needs, has_users; /* all have what they need, and what needs them */
  guint32 node;                  /* of one of them; TT_STEP_NO_NODE: none is there */
} GroupLinks;

static GroupLinks
find_links (const Completion *self, const char *group, const guint8 *ends)
{
  g_auto (GStrv) tensors = g_strsplit (group, "+", -1);
  GroupLinks links = { TRUE, TRUE, TT_STEP_NO_NODE };
  g_autofree char *whole = g_strconcat ("Comm.", group, NULL);
  guint32 node;

  if (find_node (self, whole, &node))
    return (GroupLinks){ (ends[node] & 2) != 0, (ends[node] & 1) != 0, node };
  for (guint i = 0; tensors[i] != NULL; i++)
    {
      g_autofree char *text = g_strconcat ("Comm.", tensors[i], NULL);
      gboolean is_there = find_node (self, text, &node);
      links.has_needs &= is_there && (ends[node] & 2) != 0;
      links.has_users &= is_there && (ends[node] & 1) != 0;
      if (is_there && links.node == TT_STEP_NO_NODE)
        links.node = node;
    }
  return links;
}

/* By node: 1: begins an edge, 2: ends one. */
static guint8 *
find_ends (const TtJobModelGraph *graph)
{
  guint8 *ends = g_new0 (guint8, (gsize) graph->names->len + 1);

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const guint32 *edge = &g_array_index (graph->edges, guint32, 2 * i);
      ends[edge[0]] |= 1;
      ends[edge[1]] |= 2;
    }
  return ends;
}

/* The reference rank's groups by their start, whatever the graph has of them. */
static GArray *
find_all_groups (const Completion *self)
{
  const TtJobObservations *observations = self->observations;
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *groups = tt_job_reference_comms_new ();

  for (guint i = 0; i < observations->reference_comms->len; i++)
    {
      const TtJobReferenceComm *comm = &g_array_index (observations->reference_comms, TtJobReferenceComm, i);
      g_autofree char *first = g_strndup (comm->name, strcspn (comm->name, "+"));
      const char *group = g_hash_table_lookup (observations->group_of, first);

      if (group != NULL)
        tt_job_reference_comm_widen (groups, index_of, group, comm->ts_ns, comm->end_ns);
    }
  g_array_sort (groups, compare_comms);
  return groups;
}

/* The gradients and updates of some tensors may be among the operators that the graph does not name. */
static void
complete_named_groups (Completion *self, const Unknown *unknown)
{
  g_autoptr (GArray) groups = find_all_groups (self);
  g_autoptr (GArray) gradients = find_timed_nodes (self, TT_STEP_NODE_BW);
  g_autoptr (GArray) updates = find_timed_nodes (self, TT_STEP_NODE_UPDATE);
  g_autofree guint8 *ends = find_ends (self->graph);
  GradientCursor cursor = { .ended = TT_STEP_NO_NODE, .latest = TT_STEP_NO_NODE };
  guint n_left = MAX_UPDATE_EDGES;

  for (guint i = 0; i < groups->len; i++)
    {
      const TtJobReferenceComm *group = &g_array_index (groups, TtJobReferenceComm, i);
      GroupLinks links = find_links (self, group->name, ends);
      guint32 gradient = find_gradient (&cursor, gradients, group->ts_ns);

      if (links.node == TT_STEP_NO_NODE)
        continue;
      if (unknown->has_gradients && !links.has_needs && gradient != TT_STEP_NO_NODE)
        tt_job_model_graph_add_edge (self->graph, gradient, links.node);
      if (unknown->has_updates && !links.has_users)
        add_update_edges (self, links.node, group->end_ns, updates, &n_left);
    }
}

static void
tell_unknown (const Unknown *unknown, TtNotes *notes)
{
  double share = unknown->all_ns == 0 ? 0.0 : 100.0 * (double) unknown->ns / (double) unknown->all_ns;

  tt_notes_add (notes,
                "%u of the %u operators of a step, with %.1f %% of their time, are not in the graph of the model: all are taken "
                "to go in the order in which they went",
                unknown->n, unknown->n_all, share);
}

/* Returns how many there were. */
static guint
add_unnamed_groups (Completion *self)
{
  g_autoptr (GArray) groups = find_unnamed_groups (self);
  g_autoptr (GArray) gradients = find_timed_nodes (self, TT_STEP_NODE_BW);
  g_autoptr (GArray) updates = find_timed_nodes (self, TT_STEP_NODE_UPDATE);
  GradientCursor cursor = { .ended = TT_STEP_NO_NODE, .latest = TT_STEP_NO_NODE };
  guint n_left = MAX_UPDATE_EDGES;

  for (guint i = 0; i < groups->len; i++)
    {
      const TtJobReferenceComm *group = &g_array_index (groups, TtJobReferenceComm, i);
      const TtNameParts parts = { .op_cat = "Comm", .op_name = group->name };
      g_autofree char *text = g_strconcat ("Comm.", group->name, NULL);
      guint32 gradient = find_gradient (&cursor, gradients, group->ts_ns);
      guint32 node = find_or_add_node (self, text, &parts);

      if (gradient != TT_STEP_NO_NODE)
        tt_job_model_graph_add_edge (self->graph, gradient, node);
      add_update_edges (self, node, group->end_ns, updates, &n_left);
    }
  return groups->len;
}

void
tt_job_model_graph_complete (TtJobModelGraph *self,
                             TtStore *store,
                             const TtJobNames *names,
                             const TtJobObservations *observations,
                             TtNotes *notes)
{
  g_autoptr (GHashTable) node_of = g_hash_table_new (g_str_hash, g_str_equal);
  Completion completion = { self, store, names, observations, node_of };
  gboolean has_graph = self->names->len > 0;
  const guint n_edges = self->edges->len;
  Unknown unknown = { 0 };

  for (guint i = 0; i < self->names->len; i++)
    g_hash_table_insert (node_of, self->names->pdata[i], GUINT_TO_POINTER (i));
  if (!has_graph)
    chain_operators (&completion);
  else
    unknown = add_unknown_operators (&completion);
  guint n = add_unnamed_groups (&completion);
  if (unknown.n > 0)
    {
      chain_all_operators (&completion);
      complete_named_groups (&completion, &unknown);
      tell_unknown (&unknown, notes);
    }
  if (unknown.n > 0 && has_cycle (&completion, self->edges->len) && !has_cycle (&completion, n_edges))
    {
      g_array_set_size (self->edges, n_edges);
      tt_notes_add (notes, "that contradicts the graph, so they are taken to need nothing");
    }
  if (has_graph && n > 0)
    tt_notes_add (
        notes,
        "%u groups of tensors are not in the graph of the model: each is taken to need the last gradient before it, "
        "and the updates after it to need it",
        n);
}
