/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/step-graph.h"

#include "graphs/step-graph/builder.h"
#include "src/base/compare.h"

#include <string.h>

static void
add_operators (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *plan = self->plan;

  for (guint i = 0; i < plan->n_local; i++)
    {
      guint32 *slot = &self->operators[rank * plan->n_local + i];
      *slot = TT_STEP_NO_NODE;
      if (plan->tensors[i] != NULL && self->group_of[i] != TT_STEP_NO_GROUP)
        continue;
      *slot = tt_step_builder_add_node (self, rank, plan->kinds[i], TT_STEP_NO_GROUP, plan->names[i],
                                        &self->local_parts[i]);
      tt_step_node (self->graph, *slot)->local = i;
    }
}

static void
add_chain (TtStepBuilder *self, guint rank, guint number, const char *const *sub_ops)
{
  TtStepGroupNodes *nodes = &self->group_nodes[rank * self->plan->n_groups + number];
  guint32 previous = TT_STEP_NO_NODE;

  nodes->start = TT_STEP_NO_NODE;
  for (guint i = 0; sub_ops[i] != NULL; i++)
    {
      TtStepNodeKind kind = tt_step_node_kind_of_name ("Comm", sub_ops[i]);
      guint32 node = tt_step_builder_add_group_node (self, rank, number, kind, "Comm", sub_ops[i]);
      if (i == 0)
        nodes->first = node;
      else if (i == 1 && tt_step_node (self->graph, previous)->kind == TT_STEP_NODE_SYNC)
        nodes->start = node;
      else
        tt_step_builder_add_edge (self, previous, node);
      previous = nodes->last = node;
    }
}

static void
add_group (TtStepBuilder *self, guint rank, guint number)
{
  static const char *const unknown_pieces[] = {
    "Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER", NULL,
  };
  const TtStepGroup *group = &self->plan->groups[number];
  TtStepGroupNodes *nodes = &self->group_nodes[rank * self->plan->n_groups + number];

  if (self->algo[number] == TT_STEP_ALGO_SERVER)
    return;
  if (self->algo[number] == TT_STEP_ALGO_NONE)
    {
      gboolean is_given = group->algo == TT_STEP_ALGO_NONE && group->sub_ops != NULL && group->sub_ops[0] != NULL;
      add_chain (self, rank, number, is_given ? group->sub_ops : unknown_pieces);
      return;
    }
  nodes->first = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_SYNC, "Comm", "Sync");
  nodes->start = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_COMM, "Comm", "QUEUE");
  nodes->memcpy_in =
      tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_MEMCPY_IN, "Comm", "MEMCPY_IN_FUSION_BUFFER");
  tt_step_builder_add_edge (self, nodes->start, nodes->memcpy_in);
  if (self->algo[number] == TT_STEP_ALGO_RING)
    tt_step_builder_add_ring_pieces (self, rank, number);
  nodes->last =
      tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_MEMCPY_OUT, "Comm", "MEMCPY_OUT_FUSION_BUFFER");
}

/* A barrier: no rank starts the group before all ranks have reached it. */
static void
join_starts (TtStepBuilder *self, guint number)
{
  guint n_ranks = self->plan->n_ranks, n_groups = self->plan->n_groups;

  for (guint from = 0; from < n_ranks; from++)
    for (guint to = 0; to < n_ranks; to++)
      {
        guint32 start = self->group_nodes[to * n_groups + number].start;
        if (start != TT_STEP_NO_NODE)
          tt_step_builder_add_edge (self, self->group_nodes[from * n_groups + number].first, start);
      }
}

/* -- the model's own edges ------------------------------------------------------------------------------------ */

/* The update @op_name of a rank: the model's own node of that name, or a new one. */
static guint32
update_node (TtStepBuilder *self, guint rank, const char *op_name)
{
  g_autofree char *name = g_strconcat ("UPDATE_", op_name, NULL);
  const TtNameParts parts = { .op_cat = "UPDATE_", .op_name = op_name };
  gpointer local;

  if (g_hash_table_lookup_extended (self->own_updates, name, NULL, &local))
    return self->operators[rank * self->plan->n_local + GPOINTER_TO_UINT (local)];
  guint32 node = tt_step_builder_add_node (self, rank, TT_STEP_NODE_UPDATE, TT_STEP_NO_GROUP, name, &parts);
  tt_step_node (self->graph, node)->parts.op_name = tt_step_node (self->graph, node)->name + strlen ("UPDATE_");
  return node;
}

/* MXNet: UPDATE_CAL -> UPDATE_k; with an update barrier all groups lead to UPDATE_CAL first. */
static void
add_updates (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *plan = self->plan;

  self->update_cal[rank] = TT_STEP_NO_NODE;
  if (plan->max_update < 0 && !plan->update_barrier)
    return;
  self->update_cal[rank] = update_node (self, rank, "CAL");
  for (int k = 0; k <= plan->max_update; k++)
    {
      g_autofree char *op_name = g_strdup_printf ("%d", k);
      tt_step_builder_add_edge (self, self->update_cal[rank], update_node (self, rank, op_name));
    }
}

/* The group that a node of the model belongs to, or TT_STEP_NO_GROUP: it is a node of its own. */
static guint32
group_of (const TtStepBuilder *self, guint32 local)
{
  return self->plan->tensors[local] == NULL ? TT_STEP_NO_GROUP : self->group_of[local];
}

/* From the end of a node of the model to @to. */
static void
connect_from (TtStepBuilder *self, guint rank, guint32 local, guint32 to)
{
  const TtStepPlan *plan = self->plan;
  guint32 group = group_of (self, local);

  if (group == TT_STEP_NO_GROUP)
    tt_step_builder_add_edge (self, self->operators[rank * plan->n_local + local], to);
  else if (self->algo[group] == TT_STEP_ALGO_SERVER)
    tt_step_builder_connect_from_servers (self, rank, group, to);
  else
    tt_step_builder_add_edge (self, self->group_nodes[rank * plan->n_groups + group].last, to);
}

/* From @from to the start of a node of the model. */
static void
connect_to (TtStepBuilder *self, guint rank, guint32 from, guint32 local)
{
  const TtStepPlan *plan = self->plan;
  guint32 group = group_of (self, local);

  if (group == TT_STEP_NO_GROUP)
    tt_step_builder_add_edge (self, from, self->operators[rank * plan->n_local + local]);
  else if (self->algo[group] == TT_STEP_ALGO_SERVER)
    tt_step_builder_connect_to_servers (self, rank, group, from);
  else
    tt_step_builder_add_edge (self, from, self->group_nodes[rank * plan->n_groups + group].first);
}

static void
join_local_edge (TtStepBuilder *self, guint rank, guint32 from, guint32 to)
{
  const TtStepPlan *plan = self->plan;
  const guint32 *operators = &self->operators[rank * plan->n_local];
  guint32 cal = self->update_cal[rank];
  gboolean from_comm = plan->tensors[from] != NULL, to_comm = plan->tensors[to] != NULL;

  if (plan->kinds[from] == TT_STEP_NODE_UPDATE && plan->kinds[to] == TT_STEP_NODE_FW)
    {
      self->graph->n_backward += rank == 0;
      return;
    }
  if (from_comm && to_comm)
    return;
  if (from_comm && cal != TT_STEP_NO_NODE)
    {
      connect_from (self, rank, from, cal);
      if (plan->update_barrier && operators[to] != cal)
        tt_step_builder_add_edge (self, cal, operators[to]);
      return;
    }
  if (to_comm)
    connect_to (self, rank, operators[from], to);
  else
    connect_from (self, rank, from, operators[to]);
}

/* Groups lead to the updates even where the model's graph does not say so. */
static void
join_updates (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *plan = self->plan;
  guint32 cal = self->update_cal[rank];

  if (cal == TT_STEP_NO_NODE)
    return;
  for (guint group = 0; group < plan->n_groups; group++)
    if (self->algo[group] == TT_STEP_ALGO_SERVER)
      tt_step_builder_connect_from_servers (self, rank, group, cal);
    else
      tt_step_builder_add_edge (self, self->group_nodes[rank * plan->n_groups + group].last, cal);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const TtStepEdge *x = a, *y = b;

  return x->from != y->from ? TT_COMPARE (x->from, y->from) : TT_COMPARE (x->to, y->to);
}

static void
unite_edges (TtStepGraph *graph)
{
  guint n = 0;

  g_array_sort (graph->edges, compare_edges);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      if (n == 0 || compare_edges (&g_array_index (graph->edges, TtStepEdge, n - 1), edge) != 0)
        g_array_index (graph->edges, TtStepEdge, n++) = *edge;
    }
  g_array_set_size (graph->edges, n);
}

/* END follows every update without successors; where there are no updates, every node without successors. */
static void
add_end (TtStepBuilder *self)
{
  TtStepGraph *graph = self->graph;
  guint n = graph->nodes->len;
  g_autofree gboolean *is_followed = g_new0 (gboolean, n);
  gboolean has_updates = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    is_followed[g_array_index (graph->edges, TtStepEdge, i).from] = TRUE;
  for (guint i = 0; i < n; i++)
    has_updates = has_updates || tt_step_node (graph, i)->kind == TT_STEP_NODE_UPDATE;
  const TtNameParts parts = { .op_cat = "virtual", .op_name = "END" };
  guint32 end = tt_step_builder_add_node (self, TT_STEP_NO_RANK, TT_STEP_NODE_END, TT_STEP_NO_GROUP, "END", &parts);
  for (guint i = 0; i < n; i++)
    if (!is_followed[i] && (!has_updates || tt_step_node (graph, i)->kind == TT_STEP_NODE_UPDATE))
      tt_step_builder_add_edge (self, i, end);
}

/* The groups of tensors and of whole names: BytePS names an operation of the model after all the tensors it moves. */
static GHashTable *
index_groups (const TtStepPlan *plan)
{
  GHashTable *groups = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint g = 0; g < plan->n_groups; g++)
    {
      const TtStepGroup *group = &plan->groups[g];
      g_hash_table_insert (groups, (gpointer) group->name, GUINT_TO_POINTER (g));
      for (guint i = 0; group->tensors[i] != NULL; i++)
        g_hash_table_insert (groups, (gpointer) group->tensors[i], GUINT_TO_POINTER (g));
    }
  return groups;
}

static void
find_groups (TtStepBuilder *self)
{
  const TtStepPlan *plan = self->plan;
  g_autoptr (GHashTable) groups = index_groups (plan);

  for (guint g = 0; g < plan->n_groups; g++)
    {
      const TtStepGroup *group = &plan->groups[g];
      self->algo[g] = tt_step_group_has_connections (plan, group) ? group->algo : TT_STEP_ALGO_NONE;
      self->graph->n_without_ring += self->algo[g] != group->algo;
      self->group_names[g] = g_string_chunk_insert_const (self->graph->text, group->name);
    }
  for (guint i = 0; i < plan->n_local; i++)
    {
      gpointer group;

      self->local_parts[i] = tt_name_parts_copy (&plan->parts[i], self->graph->text);
      if (plan->kinds[i] == TT_STEP_NODE_UPDATE && strchr (plan->names[i], '.') == NULL)
        g_hash_table_insert (self->own_updates, (gpointer) plan->names[i], GUINT_TO_POINTER (i));
      self->group_of[i] = TT_STEP_NO_GROUP;
      if (plan->tensors[i] == NULL)
        continue;
      if (g_hash_table_lookup_extended (groups, plan->tensors[i], NULL, &group))
        self->group_of[i] = GPOINTER_TO_UINT (group);
      else
        self->graph->n_lone_tensors++;
    }
}

static void
build_graph (TtStepBuilder *self)
{
  const TtStepPlan *plan = self->plan;

  find_groups (self);
  for (guint rank = 0; rank < plan->n_ranks; rank++)
    {
      add_operators (self, rank);
      for (guint group = 0; group < plan->n_groups; group++)
        add_group (self, rank, group);
      add_updates (self, rank);
    }
  for (guint group = 0; group < plan->n_groups; group++)
    {
      if (self->algo[group] == TT_STEP_ALGO_SERVER)
        {
          tt_step_builder_add_servers (self, group);
          continue;
        }
      join_starts (self, group);
      if (self->algo[group] == TT_STEP_ALGO_RING)
        tt_step_builder_join_ring (self, group);
      else if (self->algo[group] == TT_STEP_ALGO_TREE)
        tt_step_builder_join_tree (self, group);
    }
  for (guint rank = 0; rank < plan->n_ranks; rank++)
    {
      for (guint i = 0; i < plan->n_edges; i++)
        join_local_edge (self, rank, plan->edges[i][0], plan->edges[i][1]);
      join_updates (self, rank);
    }
  add_end (self);
  unite_edges (self->graph);
}

guint64
tt_step_plan_count_edges (const TtStepPlan *plan)
{
  guint64 n_ranks = plan->n_ranks, n = n_ranks * plan->n_edges;

  for (guint i = 0; i < plan->n_groups; i++)
    {
      const TtStepGroup *group = &plan->groups[i];
      guint64 n_pieces = (guint64) group->n_loops * group->n_channels * group->n_slices * group->n_chunks;

      if (group->algo != TT_STEP_ALGO_SERVER)
        n += n_ranks * n_ranks + n_ranks * n_pieces * 5;
      for (guint k = 0; group->algo == TT_STEP_ALGO_SERVER && k < group->n_parts; k++)
        {
          guint64 n_pushers = 0;
          for (guint worker = 0; worker < plan->n_workers; worker++)
            n_pushers += group->parts[k].out[worker] != TT_STEP_NO_RANK;
          n += n_pushers * (group->parts[k].threads != NULL ? 6 : n_pushers);
        }
    }
  return n;
}

static TtStepGraph *
graph_new (const TtStepPlan *plan)
{
  TtStepGraph *graph = g_new0 (TtStepGraph, 1);
  guint n_endpoints = MAX (plan->n_ranks, plan->n_endpoints);
  const char **pids = g_new0 (const char *, (gsize) n_endpoints + 1);

  graph->nodes = g_array_new (FALSE, FALSE, sizeof (TtStepNode));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (TtStepEdge));
  graph->text = g_string_chunk_new (4096);
  graph->arrivals = g_array_new (FALSE, FALSE, sizeof (TtStepArrival));
  graph->n_ranks = plan->n_ranks;
  graph->n_endpoints = n_endpoints;
  for (guint i = 0; i < n_endpoints; i++)
    pids[i] = g_string_chunk_insert_const (graph->text, plan->pids[i]);
  graph->pids = pids;
  return graph;
}

TtStepGraph *
tt_step_graph_new (const TtStepPlan *plan)
{
  TtStepGraph *graph = graph_new (plan);
  gsize n_group_nodes = (gsize) plan->n_ranks * plan->n_groups;
  g_autofree TtNameParts *local_parts = g_new0 (TtNameParts, plan->n_local);
  g_autofree const char **group_names = g_new0 (const char *, plan->n_groups);
  g_autofree guint32 *operators = g_new (guint32, (gsize) plan->n_ranks * plan->n_local);
  g_autofree TtStepGroupNodes *group_nodes = g_new0 (TtStepGroupNodes, n_group_nodes);
  g_autofree guint32 *group_of = g_new0 (guint32, plan->n_local);
  g_autofree guint32 *update_cal = g_new0 (guint32, plan->n_ranks);
  g_autofree TtStepAlgo *algo = g_new0 (TtStepAlgo, plan->n_groups);
  g_autoptr (GHashTable) own_updates = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree TtStepLinkEnds **link_ends = g_new0 (TtStepLinkEnds *, plan->n_groups);
  TtStepBuilder self = {
    .plan = plan,
    .graph = graph,
    .local_parts = local_parts,
    .group_names = group_names,
    .operators = operators,
    .group_nodes = group_nodes,
    .group_of = group_of,
    .algo = algo,
    .update_cal = update_cal,
    .own_updates = own_updates,
    .link_ends = link_ends,
  };

  build_graph (&self);
  for (guint i = 0; i < plan->n_groups; i++)
    g_free (link_ends[i]);
  return graph;
}

void
tt_step_graph_free (TtStepGraph *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->edges);
  g_array_unref (self->arrivals);
  g_string_chunk_free (self->text);
  g_free ((gpointer) self->pids);
  g_free (self);
}

char *
tt_step_node_long_name (const TtStepGraph *self, guint32 number)
{
  const TtStepNode *node = tt_step_node (self, number);

  if (node->rank == TT_STEP_NO_RANK)
    return g_strdup (node->name);
  return g_strconcat (self->pids[node->rank], "->", node->name, node->parts.suffix == NULL ? NULL : "~>",
                      node->parts.suffix, NULL);
}

gboolean
tt_step_node_is_wait (const TtStepNode *node)
{
  const char *sub_op = node->parts.sub_op;

  return node->kind == TT_STEP_NODE_SYNC ||
         (node->kind == TT_STEP_NODE_COMM && sub_op != NULL &&
          (g_str_has_prefix (sub_op, "QUEUE") || g_str_has_prefix (sub_op, "NEGOTIATE") ||
           g_str_has_prefix (sub_op, "WAIT_FOR")));
}

gboolean
tt_step_node_is_collective (const TtStepNode *node)
{
  const char *sub_op = node->parts.sub_op;

  return node->kind == TT_STEP_NODE_COMM && node->group != TT_STEP_NO_GROUP && sub_op != NULL &&
         g_str_has_suffix (sub_op, "ALLREDUCE") && !tt_step_node_is_wait (node);
}
