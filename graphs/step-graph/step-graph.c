#include "config.h"

#include "graphs/step-graph/private.h"

#include <string.h>

static const char *const kind_texts[TT_N_JOB_KINDS] = {
  [TT_JOB_FW] = "FW",
  [TT_JOB_BW] = "BW",
  [TT_JOB_UPDATE] = "UPDATE",
  [TT_JOB_OUTPUT] = "OUTPUT",
  [TT_JOB_IO] = "I/O",
  [TT_JOB_SYNC] = "Sync",
  [TT_JOB_MEMCPY_IN] = "MEMCPY_IN",
  [TT_JOB_MEMCPY_OUT] = "MEMCPY_OUT",
  [TT_JOB_SEND] = "SEND",
  [TT_JOB_RECV] = "RECV",
  [TT_JOB_COMM] = "Comm",
  [TT_JOB_PUSH_REQ] = "PUSH_REQ",
  [TT_JOB_PUSH_RES] = "PUSH_RES",
  [TT_JOB_PULL_REQ] = "PULL_REQ",
  [TT_JOB_PULL_RES] = "PULL_RES",
  [TT_JOB_SERVER] = "ServerOp",
  [TT_JOB_OTHER] = "other",
  [TT_JOB_END] = "END",
};

const char *
tt_job_kind_text (TtJobKind kind)
{
  return kind_texts[kind];
}

TtJobKind
tt_job_kind_of_name (const char *op_cat, const char *sub_op)
{
  static const struct
  {
    const char *word;
    TtJobKind kind;
  } cats[] = {
    { "FW", TT_JOB_FW },         { "BW", TT_JOB_BW },  { "UPDATE_", TT_JOB_UPDATE },
    { "OUTPUT", TT_JOB_OUTPUT }, { "I/O", TT_JOB_IO }, { "virtual", TT_JOB_END },
    { "ServerOp", TT_JOB_SERVER },
  }, subs[] = {
    { "Sync", TT_JOB_SYNC },
    { "NEGOTIATE_ALLREDUCE", TT_JOB_SYNC },
    { "MEMCPY_IN_FUSION_BUFFER", TT_JOB_MEMCPY_IN },
    { "MEMCPY_OUT_FUSION_BUFFER", TT_JOB_MEMCPY_OUT },
    { "SEND", TT_JOB_SEND },
    { "RECV", TT_JOB_RECV },
    { "PUSH_REQ", TT_JOB_PUSH_REQ },
    { "PUSH_RES", TT_JOB_PUSH_RES },
    { "PULL_REQ", TT_JOB_PULL_REQ },
    { "PULL_RES", TT_JOB_PULL_RES },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cats); i++)
    if (g_strcmp0 (op_cat, cats[i].word) == 0)
      return cats[i].kind;
  if (g_strcmp0 (op_cat, "Comm") != 0)
    return TT_JOB_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (subs); i++)
    if (g_strcmp0 (sub_op, subs[i].word) == 0)
      return subs[i].kind;
  return TT_JOB_COMM;
}

/* -- building ------------------------------------------------------------------------------------------ */

guint32
tt_job_add_node (TtJobBuilder *self, guint rank, TtJobKind kind, guint group, const char *name)
{
  TtJobNode node = { .rank = rank, .local = TT_JOB_NO_LOCAL, .group = group, .kind = kind, .peer = TT_JOB_NO_RANK };

  node.name = g_string_chunk_insert_const (self->graph->text, name);
  g_array_append_val (self->graph->nodes, node);
  return self->graph->nodes->len - 1;
}

void
tt_job_add_edge (TtJobBuilder *self, guint32 from, guint32 to)
{
  TtJobEdge edge = { from, to };

  g_array_append_val (self->graph->edges, edge);
}

guint32
tt_job_add_group_node (TtJobBuilder *self, guint rank, guint group, TtJobKind kind, const char *sub_op)
{
  g_autofree char *name = g_strdup_printf ("Comm.%s.%s", self->model->groups[group].name, sub_op);

  return tt_job_add_node (self, rank, kind, group + 1, name);
}

static void
add_operators (TtJobBuilder *self, guint rank)
{
  const TtJobPlan *model = self->model;

  for (guint i = 0; i < model->n_local; i++)
    {
      guint32 *slot = &self->operators[rank * model->n_local + i];
      *slot = TT_JOB_NO_LOCAL;
      if (model->tensors[i] != NULL && self->group_of[i] != 0)
        continue;
      *slot = tt_job_add_node (self, rank, model->kinds[i], 0, model->names[i]);
      tt_job_node (self->graph, *slot)->local = i;
    }
}

static void
add_chain (TtJobBuilder *self, guint rank, guint number, const char *const *sub_ops)
{
  TtJobGroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];
  guint32 previous = TT_JOB_NO_LOCAL;

  nodes->start = TT_JOB_NO_LOCAL;
  for (guint i = 0; sub_ops[i] != NULL; i++)
    {
      guint32 node = tt_job_add_group_node (self, rank, number, tt_job_kind_of_name ("Comm", sub_ops[i]), sub_ops[i]);
      if (i == 0)
        nodes->first = node;
      else if (i == 1 && tt_job_node (self->graph, previous)->kind == TT_JOB_SYNC)
        nodes->start = node;
      else
        tt_job_add_edge (self, previous, node);
      previous = nodes->last = node;
    }
}

static void
add_group (TtJobBuilder *self, guint rank, guint number)
{
  static const char *const unknown_pieces[] = {
    "Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER", NULL,
  };
  const TtJobGroup *group = &self->model->groups[number];
  TtJobGroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];

  if (self->algo[number] == TT_JOB_ALGO_SERVER)
    return;
  if (self->algo[number] == TT_JOB_ALGO_NONE)
    {
      gboolean is_given = group->algo == TT_JOB_ALGO_NONE && group->sub_ops != NULL && group->sub_ops[0] != NULL;
      add_chain (self, rank, number, is_given ? group->sub_ops : unknown_pieces);
      return;
    }
  nodes->first = tt_job_add_group_node (self, rank, number, TT_JOB_SYNC, "Sync");
  nodes->start = tt_job_add_group_node (self, rank, number, TT_JOB_COMM, "QUEUE");
  nodes->memcpy_in = tt_job_add_group_node (self, rank, number, TT_JOB_MEMCPY_IN, "MEMCPY_IN_FUSION_BUFFER");
  tt_job_add_edge (self, nodes->start, nodes->memcpy_in);
  if (self->algo[number] == TT_JOB_ALGO_RING)
    tt_job_add_ring_pieces (self, rank, number);
  nodes->last = tt_job_add_group_node (self, rank, number, TT_JOB_MEMCPY_OUT, "MEMCPY_OUT_FUSION_BUFFER");
}

/* Nobody goes on before everybody has come to the group's first. */
static void
join_starts (TtJobBuilder *self, guint number)
{
  guint n_ranks = self->model->n_ranks, n_groups = self->model->n_groups;

  for (guint from = 0; from < n_ranks; from++)
    for (guint to = 0; to < n_ranks; to++)
      {
        guint32 start = self->group_nodes[to * n_groups + number].start;
        if (start != TT_JOB_NO_LOCAL)
          tt_job_add_edge (self, self->group_nodes[from * n_groups + number].first, start);
      }
}

/* -- the model's own edges ------------------------------------------------------------------------------------ */

/* The model's own node of that name, if it has one. */
static guint32
update_node (TtJobBuilder *self, guint rank, const char *name)
{
  guint local = GPOINTER_TO_UINT (g_hash_table_lookup (self->own_updates, name));

  return local != 0 ? self->operators[rank * self->model->n_local + local - 1]
                    : tt_job_add_node (self, rank, TT_JOB_UPDATE, 0, name);
}

/* MXNet: UPDATE_CAL -> UPDATE_k; with an update barrier all groups lead to UPDATE_CAL first. */
static void
add_updates (TtJobBuilder *self, guint rank)
{
  const TtJobPlan *model = self->model;

  self->update_cal[rank] = TT_JOB_NO_LOCAL;
  if (model->max_update < 0 && !model->update_barrier)
    return;
  self->update_cal[rank] = update_node (self, rank, "UPDATE_CAL");
  for (int k = 0; k <= model->max_update; k++)
    {
      g_autofree char *name = g_strdup_printf ("UPDATE_%d", k);
      tt_job_add_edge (self, self->update_cal[rank], update_node (self, rank, name));
    }
}

/* Number of the group that stands for a node of the model + 1; 0: it stands for itself. */
static guint
group_of (const TtJobBuilder *self, guint32 local)
{
  return self->model->tensors[local] == NULL ? 0 : self->group_of[local];
}

/* What a node of the model stands for to @to. */
static void
lead_from (TtJobBuilder *self, guint rank, guint32 local, guint32 to)
{
  const TtJobPlan *model = self->model;
  guint group = group_of (self, local);

  if (group == 0)
    tt_job_add_edge (self, self->operators[rank * model->n_local + local], to);
  else if (self->algo[group - 1] == TT_JOB_ALGO_SERVER)
    tt_job_lead_from_servers (self, rank, group - 1, to);
  else
    tt_job_add_edge (self, self->group_nodes[rank * model->n_groups + group - 1].last, to);
}

static void
lead_to (TtJobBuilder *self, guint rank, guint32 from, guint32 local)
{
  const TtJobPlan *model = self->model;
  guint group = group_of (self, local);

  if (group == 0)
    tt_job_add_edge (self, from, self->operators[rank * model->n_local + local]);
  else if (self->algo[group - 1] == TT_JOB_ALGO_SERVER)
    tt_job_lead_to_servers (self, rank, group - 1, from);
  else
    tt_job_add_edge (self, from, self->group_nodes[rank * model->n_groups + group - 1].first);
}

static void
join_local_edge (TtJobBuilder *self, guint rank, guint32 from, guint32 to)
{
  const TtJobPlan *model = self->model;
  const guint32 *operators = &self->operators[rank * model->n_local];
  guint32 cal = self->update_cal[rank];
  gboolean from_comm = model->tensors[from] != NULL, to_comm = model->tensors[to] != NULL;

  if (model->kinds[from] == TT_JOB_UPDATE && model->kinds[to] == TT_JOB_FW)
    {
      self->graph->n_backward += rank == 0;
      return;
    }
  if (from_comm && to_comm)
    return;
  if (from_comm && cal != TT_JOB_NO_LOCAL)
    {
      lead_from (self, rank, from, cal);
      if (model->update_barrier && operators[to] != cal)
        tt_job_add_edge (self, cal, operators[to]);
      return;
    }
  if (to_comm)
    lead_to (self, rank, operators[from], to);
  else
    lead_from (self, rank, from, operators[to]);
}

/* Groups lead to the updates even where the model's graph does not say so. */
static void
join_updates (TtJobBuilder *self, guint rank)
{
  const TtJobPlan *model = self->model;
  guint32 cal = self->update_cal[rank];

  if (cal == TT_JOB_NO_LOCAL)
    return;
  for (guint group = 0; group < model->n_groups; group++)
    if (self->algo[group] == TT_JOB_ALGO_SERVER)
      tt_job_lead_from_servers (self, rank, group, cal);
    else
      tt_job_add_edge (self, self->group_nodes[rank * model->n_groups + group].last, cal);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const TtJobEdge *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
unite_edges (TtJobGraph *graph)
{
  guint n = 0;

  g_array_sort (graph->edges, compare_edges);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      if (n == 0 || compare_edges (&g_array_index (graph->edges, TtJobEdge, n - 1), edge) != 0)
        g_array_index (graph->edges, TtJobEdge, n++) = *edge;
    }
  g_array_set_size (graph->edges, n);
}

/* END comes after every update that nothing follows; without updates after whatever nothing follows. */
static void
add_end (TtJobBuilder *self)
{
  TtJobGraph *graph = self->graph;
  guint n = graph->nodes->len;
  g_autofree gboolean *is_followed = g_new0 (gboolean, n);
  gboolean has_updates = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    is_followed[g_array_index (graph->edges, TtJobEdge, i).from] = TRUE;
  for (guint i = 0; i < n; i++)
    has_updates = has_updates || tt_job_node (graph, i)->kind == TT_JOB_UPDATE;
  guint32 end = tt_job_add_node (self, TT_JOB_NO_RANK, TT_JOB_END, 0, "END");
  for (guint i = 0; i < n; i++)
    if (!is_followed[i] && (!has_updates || tt_job_node (graph, i)->kind == TT_JOB_UPDATE))
      tt_job_add_edge (self, i, end);
}

static void
find_groups (TtJobBuilder *self)
{
  const TtJobPlan *model = self->model;
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint g = 0; g < model->n_groups; g++)
    {
      const TtJobGroup *group = &model->groups[g];
      /* BytePS names an operation of the model after all the tensors that it moves. */
      g_hash_table_insert (groups, (gpointer) group->name, GUINT_TO_POINTER (g + 1));
      for (guint i = 0; group->tensors[i] != NULL; i++)
        g_hash_table_insert (groups, (gpointer) group->tensors[i], GUINT_TO_POINTER (g + 1));
      self->algo[g] = tt_job_has_connections (model, group) ? group->algo : TT_JOB_ALGO_NONE;
      self->graph->n_without_ring += self->algo[g] != group->algo;
    }
  for (guint i = 0; i < model->n_local; i++)
    if (model->kinds[i] == TT_JOB_UPDATE && strchr (model->names[i], '.') == NULL)
      g_hash_table_insert (self->own_updates, (gpointer) model->names[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < model->n_local; i++)
    if (model->tensors[i] != NULL)
      {
        self->group_of[i] = GPOINTER_TO_UINT (g_hash_table_lookup (groups, model->tensors[i]));
        self->graph->n_lone_tensors += self->group_of[i] == 0;
      }
}

static void
build (TtJobBuilder *self)
{
  const TtJobPlan *model = self->model;

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
      if (self->algo[group] == TT_JOB_ALGO_SERVER)
        {
          tt_job_add_servers (self, group);
          continue;
        }
      join_starts (self, group);
      if (self->algo[group] == TT_JOB_ALGO_RING)
        tt_job_join_ring (self, group);
      else if (self->algo[group] == TT_JOB_ALGO_TREE)
        tt_job_join_tree (self, group);
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
tt_job_plan_edges (const TtJobPlan *plan)
{
  guint64 n_ranks = plan->n_ranks, n = n_ranks * plan->n_edges;

  for (guint i = 0; i < plan->n_groups; i++)
    {
      const TtJobGroup *group = &plan->groups[i];
      guint64 n_pieces = (guint64) group->n_loops * group->n_channels * group->n_slices * group->n_chunks;

      if (group->algo != TT_JOB_ALGO_SERVER)
        n += n_ranks * n_ranks + n_ranks * n_pieces * 5;
      for (guint k = 0; group->algo == TT_JOB_ALGO_SERVER && k < group->n_parts; k++)
        {
          guint64 n_pushers = 0;
          for (guint worker = 0; worker < plan->n_workers; worker++)
            n_pushers += group->parts[k].out[worker] != TT_JOB_NO_RANK;
          n += n_pushers * (group->parts[k].threads != NULL ? 6 : n_pushers);
        }
    }
  return n;
}

TtJobGraph *
tt_job_graph_new (const TtJobPlan *model)
{
  TtJobGraph *graph = g_new0 (TtJobGraph, 1);
  gsize n_group_nodes = (gsize) model->n_ranks * model->n_groups;
  guint n_places = MAX (model->n_ranks, model->n_places);
  g_autofree guint32 *operators = g_new (guint32, (gsize) model->n_ranks * model->n_local);
  g_autofree TtJobGroupNodes *group_nodes = g_new0 (TtJobGroupNodes, n_group_nodes);
  g_autofree guint32 *group_of = g_new0 (guint32, model->n_local);
  g_autofree guint32 *update_cal = g_new0 (guint32, model->n_ranks);
  g_autofree TtJobAlgo *algo = g_new0 (TtJobAlgo, model->n_groups);
  g_autoptr (GHashTable) own_updates = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree TtJobLinkEnds **link_ends = g_new0 (TtJobLinkEnds *, model->n_groups);
  TtJobBuilder self = {
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
  const char **pids = g_new0 (const char *, (gsize) n_places + 1);

  graph->nodes = g_array_new (FALSE, FALSE, sizeof (TtJobNode));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (TtJobEdge));
  graph->text = g_string_chunk_new (4096);
  graph->arrivals = g_array_new (FALSE, FALSE, sizeof (TtJobArrival));
  graph->n_ranks = model->n_ranks;
  graph->n_places = n_places;
  for (guint i = 0; i < n_places; i++)
    pids[i] = g_string_chunk_insert_const (graph->text, model->pids[i]);
  graph->pids = pids;
  build (&self);
  for (guint i = 0; i < model->n_groups; i++)
    g_free (link_ends[i]);
  return graph;
}

void
tt_job_graph_free (TtJobGraph *self)
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
tt_job_long_name (const TtJobGraph *self, guint32 number)
{
  const TtJobNode *node = tt_job_node (self, number);

  if (node->rank == TT_JOB_NO_RANK)
    return g_strdup (node->name);
  return g_strconcat (self->pids[node->rank], "->", node->name, node->suffix == NULL ? NULL : "~>", node->suffix, NULL);
}
