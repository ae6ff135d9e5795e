#include "config.h"

#include "graphs/step-graph/private.h"

/* "Comm.3+4.PUSH_REQ~>worker_0::server_1::0", on the link of that name. */
static guint32
add_transfer (TtStepBuilder *self, guint32 place, guint number, TtStepNodeKind kind, const TtStepPart *part)
{
  guint32 node = tt_step_builder_add_group_node (self, place, number, kind, tt_step_node_kind_text (kind));
  g_autofree char *suffix = g_strdup_printf ("%s::%u", self->model->pids[place], part->number);

  tt_step_node (self->graph, node)->suffix = g_string_chunk_insert_const (self->graph->text, suffix);
  return node;
}

/* "ServerOp.3+4.SUM~>server_1_t3::0::~PART0", on that thread of the server. */
static guint32
add_work (TtStepBuilder *self, guint32 place, guint number, const TtStepPart *part, const char *sub_op, guint sum)
{
  g_autofree char *name = g_strdup_printf ("ServerOp.%s.%s", self->model->groups[number].name, sub_op);
  g_autofree char *suffix = g_strdup_printf ("%s::%u::~PART%u", self->model->pids[place], sum, part->number);
  guint32 node = tt_step_builder_add_node (self, place, TT_STEP_NODE_SERVER, number + 1, name);

  tt_step_node (self->graph, node)->suffix = g_string_chunk_insert_const (self->graph->text, suffix);
  return node;
}

static void
add_link (TtStepBuilder *self, guint number, const TtStepPart *part, guint worker, TtStepLinkEnds *ends)
{
  guint32 nodes[4] = {
    add_transfer (self, part->out[worker], number, TT_STEP_NODE_PUSH_REQ, part),
    add_transfer (self, part->in[worker], number, TT_STEP_NODE_PUSH_RES, part),
    add_transfer (self, part->out[worker], number, TT_STEP_NODE_PULL_REQ, part),
    add_transfer (self, part->in[worker], number, TT_STEP_NODE_PULL_RES, part),
  };

  for (guint i = 1; i < G_N_ELEMENTS (nodes); i++)
    tt_step_builder_add_edge (self, nodes[i - 1], nodes[i]);
  *ends = (TtStepLinkEnds){ nodes[0], nodes[3] };
}

static void
arrive (TtStepBuilder *self, guint32 meeting, guint32 push, guint32 work)
{
  TtStepArrival arrival = { meeting, push, work };

  g_array_append_val (self->graph->arrivals, arrival);
}

/* What the server does with what the workers of @ends push; it leads to what they pull. */
static void
add_server (TtStepBuilder *self, guint number, const TtStepPart *part, const TtStepLinkEnds *ends)
{
  guint n_workers = self->model->n_workers, n = 0;
  GArray *arrivals = self->graph->arrivals;
  guint32 meeting = arrivals->len > 0 ? g_array_index (arrivals, TtStepArrival, arrivals->len - 1).number + 1 : 0;
  guint32 work = TT_STEP_NO_NODE;

  for (guint worker = 0; worker < n_workers; worker++)
    {
      guint32 before = work;
      if (ends[worker].push == TT_STEP_NO_NODE)
        continue;
      work = n == 0 ? add_work (self, part->threads[0], number, part, "COPY_FIRST", 0)
                    : add_work (self, part->threads[n], number, part, "SUM", n - 1);
      if (before != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, before, work);
      arrive (self, meeting, ends[worker].push, work);
      n++;
    }
  if (n == 0)
    return;
  guint32 merged = add_work (self, part->threads[n], number, part, "COPY_MERGED", 0);
  tt_step_builder_add_edge (self, work, merged);
  for (guint worker = 0; worker < n_workers; worker++)
    if (ends[worker].pulled != TT_STEP_NO_NODE)
      tt_step_builder_add_edge (self, merged, ends[worker].pulled);
}

/* All that is known of the server: it answers nobody before everybody has pushed. */
static void
join_unseen_server (TtStepBuilder *self, const TtStepLinkEnds *ends)
{
  g_autoptr (GArray) there = g_array_new (FALSE, FALSE, sizeof (TtStepLinkEnds));

  self->graph->n_unobserved_parts++;
  for (guint worker = 0; worker < self->model->n_workers; worker++)
    if (ends[worker].push != TT_STEP_NO_NODE)
      g_array_append_val (there, ends[worker]);
  for (guint from = 0; from < there->len; from++)
    for (guint to = 0; to < there->len; to++)
      tt_step_builder_add_edge (self, g_array_index (there, TtStepLinkEnds, from).push,
                       g_array_index (there, TtStepLinkEnds, to).pulled);
}

void
tt_step_builder_add_servers (TtStepBuilder *self, guint number)
{
  const TtStepGroup *group = &self->model->groups[number];
  guint n_workers = self->model->n_workers;
  TtStepLinkEnds *all = g_new (TtStepLinkEnds, (gsize) group->n_parts * n_workers);

  self->link_ends[number] = all;
  for (guint i = 0; i < group->n_parts; i++)
    {
      const TtStepPart *part = &group->parts[i];
      TtStepLinkEnds *ends = &all[(gsize) i * n_workers];

      for (guint worker = 0; worker < n_workers; worker++)
        {
          ends[worker] = (TtStepLinkEnds){ TT_STEP_NO_NODE, TT_STEP_NO_NODE };
          if (part->out[worker] != TT_STEP_NO_RANK && part->in[worker] != TT_STEP_NO_RANK)
            add_link (self, number, part, worker, &ends[worker]);
        }
      if (part->threads != NULL)
        add_server (self, number, part, ends);
      else
        join_unseen_server (self, ends);
    }
}

void
tt_step_builder_connect_to_servers (TtStepBuilder *self, guint rank, guint number, guint32 from)
{
  guint n_workers = self->model->n_workers;
  guint32 worker = self->model->workers[rank];

  for (guint i = 0; i < self->model->groups[number].n_parts && worker < n_workers; i++)
    {
      const TtStepLinkEnds *ends = &self->link_ends[number][(gsize) i * n_workers + worker];
      if (ends->push != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, from, ends->push);
    }
}

void
tt_step_builder_connect_from_servers (TtStepBuilder *self, guint rank, guint number, guint32 to)
{
  guint n_workers = self->model->n_workers;
  guint32 worker = self->model->workers[rank];

  for (guint i = 0; i < self->model->groups[number].n_parts && worker < n_workers; i++)
    {
      const TtStepLinkEnds *ends = &self->link_ends[number][(gsize) i * n_workers + worker];
      if (ends->pulled != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, ends->pulled, to);
    }
}
