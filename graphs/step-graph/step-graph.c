#include "config.h"

#include "graphs/step-graph/private.h"

#include <string.h>

static const char *const kind_texts[TT_N_STEP_NODE_KINDS] = {
  [TT_STEP_NODE_FW] = "FW",
  [TT_STEP_NODE_BW] = "BW",
  [TT_STEP_NODE_UPDATE] = "UPDATE",
  [TT_STEP_NODE_OUTPUT] = "OUTPUT",
  [TT_STEP_NODE_IO] = "I/O",
  [TT_STEP_NODE_SYNC] = "Sync",
  [TT_STEP_NODE_MEMCPY_IN] = "MEMCPY_IN",
  [TT_STEP_NODE_MEMCPY_OUT] = "MEMCPY_OUT",
  [TT_STEP_NODE_SEND] = "SEND",
  [TT_STEP_NODE_RECV] = "RECV",
  [TT_STEP_NODE_COMM] = "Comm",
  [TT_STEP_NODE_PUSH_REQ] = "PUSH_REQ",
  [TT_STEP_NODE_PUSH_RES] = "PUSH_RES",
  [TT_STEP_NODE_PULL_REQ] = "PULL_REQ",
  [TT_STEP_NODE_PULL_RES] = "PULL_RES",
  [TT_STEP_NODE_SERVER] = "ServerOp",
  [TT_STEP_NODE_OTHER] = "other",
  [TT_STEP_NODE_END] = "END",
};

const char *
tt_step_node_kind_text (TtStepNodeKind kind)
{
  return kind_texts[kind];
}

TtStepNodeKind
tt_step_node_kind_of_name (const char *op_cat, const char *sub_op)
{
  static const struct
  {
    const char *word;
    TtStepNodeKind kind;
  } cats[] = {
    { "FW", TT_STEP_NODE_FW },         { "BW", TT_STEP_NODE_BW },  { "UPDATE_", TT_STEP_NODE_UPDATE },
    { "OUTPUT", TT_STEP_NODE_OUTPUT }, { "I/O", TT_STEP_NODE_IO }, { "virtual", TT_STEP_NODE_END },
    { "ServerOp", TT_STEP_NODE_SERVER },
  }, subs[] = {
    { "Sync", TT_STEP_NODE_SYNC },
    { "NEGOTIATE_ALLREDUCE", TT_STEP_NODE_SYNC },
    { "MEMCPY_IN_FUSION_BUFFER", TT_STEP_NODE_MEMCPY_IN },
    { "MEMCPY_OUT_FUSION_BUFFER", TT_STEP_NODE_MEMCPY_OUT },
    { "SEND", TT_STEP_NODE_SEND },
    { "RECV", TT_STEP_NODE_RECV },
    { "PUSH_REQ", TT_STEP_NODE_PUSH_REQ },
    { "PUSH_RES", TT_STEP_NODE_PUSH_RES },
    { "PULL_REQ", TT_STEP_NODE_PULL_REQ },
    { "PULL_RES", TT_STEP_NODE_PULL_RES },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cats); i++)
    if (g_strcmp0 (op_cat, cats[i].word) == 0)
      return cats[i].kind;
  if (g_strcmp0 (op_cat, "Comm") != 0)
    return TT_STEP_NODE_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (subs); i++)
    if (g_strcmp0 (sub_op, subs[i].word) == 0)
      return subs[i].kind;
  return TT_STEP_NODE_COMM;
}

/* -- building ------------------------------------------------------------------------------------------ */

guint32
tt_step_builder_add_node (TtStepBuilder *self, guint rank, TtStepNodeKind kind, guint group, const char *name)
{
  TtStepNode node = { .rank = rank, .local = TT_STEP_NO_NODE, .group = group, .kind = kind, .peer = TT_STEP_NO_RANK };

  node.name = g_string_chunk_insert_const (self->graph->text, name);
  g_array_append_val (self->graph->nodes, node);
  return self->graph->nodes->len - 1;
}

void
tt_step_builder_add_edge (TtStepBuilder *self, guint32 from, guint32 to)
{
  TtStepEdge edge = { from, to };

  g_array_append_val (self->graph->edges, edge);
}

guint32
tt_step_builder_add_group_node (TtStepBuilder *self, guint rank, guint group, TtStepNodeKind kind, const char *sub_op)
{
  g_autofree char *name = g_strdup_printf ("Comm.%s.%s", self->model->groups[group].name, sub_op);

  return tt_step_builder_add_node (self, rank, kind, group + 1, name);
}

static void
add_operators (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *model = self->model;

  for (guint i = 0; i < model->n_local; i++)
    {
      guint32 *slot = &self->operators[rank * model->n_local + i];
      *slot = TT_STEP_NO_NODE;
      if (model->tensors[i] != NULL && self->group_of[i] != 0)
        continue;
      *slot = tt_step_builder_add_node (self, rank, model->kinds[i], 0, model->names[i]);
      tt_step_node (self->graph, *slot)->local = i;
    }
}

static void
add_chain (TtStepBuilder *self, guint rank, guint number, const char *const *sub_ops)
{
  TtStepGroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];
  guint32 previous = TT_STEP_NO_NODE;

  nodes->start = TT_STEP_NO_NODE;
  for (guint i = 0; sub_ops[i] != NULL; i++)
    {
      guint32 node = tt_step_builder_add_group_node (self, rank, number, tt_step_node_kind_of_name ("Comm", sub_ops[i]), sub_ops[i]);
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
  const TtStepGroup *group = &self->model->groups[number];
  TtStepGroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];

  if (self->algo[number] == TT_STEP_ALGO_SERVER)
    return;
  if (self->algo[number] == TT_STEP_ALGO_NONE)
    {
      gboolean is_given = group->algo == TT_STEP_ALGO_NONE && group->sub_ops != NULL && group->sub_ops[0] != NULL;
      add_chain (self, rank, number, is_given ? group->sub_ops : unknown_pieces);
      return;
    }
  nodes->first = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_SYNC, "Sync");
  nodes->start = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_COMM, "QUEUE");
  nodes->memcpy_in = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_MEMCPY_IN, "MEMCPY_IN_FUSION_BUFFER");
  tt_step_builder_add_edge (self, nodes->start, nodes->memcpy_in);
  if (self->algo[number] == TT_STEP_ALGO_RING)
    tt_step_builder_add_ring_pieces (self, rank, number);
  nodes->last = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_MEMCPY_OUT, "MEMCPY_OUT_FUSION_BUFFER");
}

/* Nobody goes on before everybody has come to the group's first. */
static void
join_starts (TtStepBuilder *self, guint number)
{
  guint n_ranks = self->model->n_ranks, n_groups = self->model->n_groups;

  for (guint from = 0; from < n_ranks; from++)
    for (guint to = 0; to < n_ranks; to++)
      {
        guint32 start = self->group_nodes[to * n_groups + number].start;
        if (start != TT_STEP_NO_NODE)
          tt_step_builder_add_edge (self, self->group_nodes[from * n_groups + number].first, start);
      }
}

/* -- the model's own edges ------------------------------------------------------------------------------------ */

/* The model's own node of that name, if it has one. */
static guint32
update_node (TtStepBuilder *self, guint rank, const char *name)
{
  guint local = GPOINTER_TO_UINT (g_hash_table_lookup (self->own_updates, name));

  return local != 0 ? self->operators[rank * self->model->n_local + local - 1]
                    : tt_step_builder_add_node (self, rank, TT_STEP_NODE_UPDATE, 0, name);
}

/* MXNet: UPDATE_CAL -> UPDATE_k; with an update barrier all groups lead to UPDATE_CAL first. */
static void
add_updates (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *model = self->model;

  self->update_cal[rank] = TT_STEP_NO_NODE;
  if (model->max_update < 0 && !model->update_barrier)
    return;
  self->update_cal[rank] = update_node (self, rank, "UPDATE_CAL");
  for (int k = 0; k <= model->max_update; k++)
    {
      g_autofree char *name = g_strdup_printf ("UPDATE_%d", k);
      tt_step_builder_add_edge (self, self->update_cal[rank], update_node (self, rank, name));
    }
}

/* Number of the group that stands for a node of the model + 1; 0: it stands for itself. */
static guint
group_of (const TtStepBuilder *self, guint32 local)
{
  return self->model->tensors[local] == NULL ? 0 : self->group_of[local];
}

/* What a node of the model stands for to @to. */
static void
lead_from (TtStepBuilder *self, guint rank, guint32 local, guint32 to)
{
  const TtStepPlan *model = self->model;
  guint group = group_of (self, local);

  if (group == 0)
    tt_step_builder_add_edge (self, self->operators[rank * model->n_local + local], to);
  else if (self->algo[group - 1] == TT_STEP_ALGO_SERVER)
    tt_step_builder_connect_from_servers (self, rank, group - 1, to);
  else
    tt_step_builder_add_edge (self, self->group_nodes[rank * model->n_groups + group - 1].last, to);
}

static void
lead_to (TtStepBuilder *self, guint rank, guint32 from, guint32 local)
{
  const TtStepPlan *model = self->model;
  guint group = group_of (self, local);

  if (group == 0)
    tt_step_builder_add_edge (self, from, self->operators[rank * model->n_local + local]);
  else if (self->algo[group - 1] == TT_STEP_ALGO_SERVER)
    tt_step_builder_connect_to_servers (self, rank, group - 1, from);
  else
    tt_step_builder_add_edge (self, from, self->group_nodes[rank * model->n_groups + group - 1].first);
}

static void
join_local_edge (TtStepBuilder *self, guint rank, guint32 from, guint32 to)
{
  const TtStepPlan *model = self->model;
  const guint32 *operators = &self->operators[rank * model->n_local];
  guint32 cal = self->update_cal[rank];
  gboolean from_comm = model->tensors[from] != NULL, to_comm = model->tensors[to] != NULL;

  if (model->kinds[from] == TT_STEP_NODE_UPDATE && model->kinds[to] == TT_STEP_NODE_FW)
    {
      self->graph->n_backward += rank == 0;
      return;
    }
  if (from_comm && to_comm)
    return;
  if (from_comm && cal != TT_STEP_NO_NODE)
    {
      lead_from (self, rank, from, cal);
      if (model->update_barrier && operators[to] != cal)
        tt_step_builder_add_edge (self, cal, operators[to]);
      return;
    }
  if (to_comm)
    lead_to (self, rank, operators[from], to);
  else
    lead_from (self, rank, from, operators[to]);
}

/* Groups lead to the updates even where the model's graph does not say so. */
static void
join_updates (TtStepBuilder *self, guint rank)
{
  const TtStepPlan *model = self->model;
  guint32 cal = self->update_cal[rank];

  if (cal == TT_STEP_NO_NODE)
    return;
  for (guint group = 0; group < model->n_groups; group++)
    if (self->algo[group] == TT_STEP_ALGO_SERVER)
      tt_step_builder_connect_from_servers (self, rank, group, cal);
    else
      tt_step_builder_add_edge (self, self->group_nodes[rank * model->n_groups + group].last, cal);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const TtStepEdge *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
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

/* END comes after every update that nothing follows; without updates after whatever nothing follows. */
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
  guint32 end = tt_step_builder_add_node (self, TT_STEP_NO_RANK, TT_STEP_NODE_END, 0, "END");
  for (guint i = 0; i < n; i++)
    if (!is_followed[i] && (!has_updates || tt_step_node (graph, i)->kind == TT_STEP_NODE_UPDATE))
      tt_step_builder_add_edge (self, i, end);
}

static void
find_groups (TtStepBuilder *self)
{
  const TtStepPlan *model = self->model;
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint g = 0; g < model->n_groups; g++)
    {
      const TtStepGroup *group = &model->groups[g];
      /* BytePS names an operation of the model after all the tensors that it moves. */
      g_hash_table_insert (groups, (gpointer) group->name, GUINT_TO_POINTER (g + 1));
      for (guint i = 0; group->tensors[i] != NULL; i++)
        g_hash_table_insert (groups, (gpointer) group->tensors[i], GUINT_TO_POINTER (g + 1));
      self->algo[g] = tt_step_group_has_connections (model, group) ? group->algo : TT_STEP_ALGO_NONE;
      self->graph->n_without_ring += self->algo[g] != group->algo;
    }
  for (guint i = 0; i < model->n_local; i++)
    if (model->kinds[i] == TT_STEP_NODE_UPDATE && strchr (model->names[i], '.') == NULL)
      g_hash_table_insert (self->own_updates, (gpointer) model->names[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < model->n_local; i++)
    if (model->tensors[i] != NULL)
      {
        self->group_of[i] = GPOINTER_TO_UINT (g_hash_table_lookup (groups, model->tensors[i]));
        self->graph->n_lone_tensors += self->group_of[i] == 0;
      }
}

static void
build (TtStepBuilder *self)
{
  const TtStepPlan *model = self->model;

  find_groups (self);
  for (guint rank = 0; rank < model->n_ranks; rank++)
    {
      add_operators (self, rank);
      for (guint group = 0; group < model->n_groups; group++)
        add_group (self, rank, group);
      add_updates (self, rank);
    }
  for (guint group = 0; group < model->n_groups; group++)
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
  for (guint rank = 0; rank < model->n_ranks; rank++)
    {
      for (guint i = 0; i < model->n_edges; i++)
        join_local_edge (self, rank, model->edges[i][0], model->edges[i][1]);
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

TtStepGraph *
tt_step_graph_new (const TtStepPlan *model)
{
  TtStepGraph *graph = g_new0 (TtStepGraph, 1);
  gsize n_group_nodes = (gsize) model->n_ranks * model->n_groups;
  guint n_endpoints = MAX (model->n_ranks, model->n_endpoints);
  g_autofree guint32 *operators = g_new (guint32, (gsize) model->n_ranks * model->n_local);
  g_autofree TtStepGroupNodes *group_nodes = g_new0 (TtStepGroupNodes, n_group_nodes);
  g_autofree guint32 *group_of = g_new0 (guint32, model->n_local);
  g_autofree guint32 *update_cal = g_new0 (guint32, model->n_ranks);
  g_autofree TtStepAlgo *algo = g_new0 (TtStepAlgo, model->n_groups);
  g_autoptr (GHashTable) own_updates = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree TtStepLinkEnds **link_ends = g_new0 (TtStepLinkEnds *, model->n_groups);
  TtStepBuilder self = {
    .model = model,
    .graph = graph,
    .operators = operators,
    .group_nodes = group_nodes,
    .group_of = group_of,
    .algo = algo,
    .update_cal = update_cal,
    .own_updates = own_updates,
    .link_ends = link_ends,
  };
  const char **pids = g_new0 (const char *, (gsize) n_endpoints + 1);

  graph->nodes = g_array_new (FALSE, FALSE, sizeof (TtStepNode));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (TtStepEdge));
  graph->text = g_string_chunk_new (4096);
  graph->arrivals = g_array_new (FALSE, FALSE, sizeof (TtStepArrival));
  graph->n_ranks = model->n_ranks;
  graph->n_endpoints = n_endpoints;
  for (guint i = 0; i < n_endpoints; i++)
    pids[i] = g_string_chunk_insert_const (graph->text, model->pids[i]);
  graph->pids = pids;
  build (&self);
  for (guint i = 0; i < model->n_groups; i++)
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
  return g_strconcat (self->pids[node->rank], "->", node->name, node->suffix == NULL ? NULL : "~>", node->suffix, NULL);
}
