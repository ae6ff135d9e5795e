/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/builder.h"

/* "Comm.3+4.PUSH_REQ~>worker_0::server_1::0", on the link of that name. */
static guint32
add_transfer (TtStepBuilder *self, guint32 endpoint, guint32 group, TtStepNodeKind kind, const TtStepPart *part)
{
  guint32 node = tt_step_builder_add_group_node (self, endpoint, group, kind, "Comm", tt_step_node_kind_text (kind));
  g_autofree char *suffix = g_strdup_printf ("%s::%u", self->plan->pids[endpoint], part->number);

  tt_step_builder_set_suffix (self, node, suffix);
  return node;
}

/* Work of a server on a part of a group. */
typedef struct
{
  guint32 endpoint; /* a thread of the server */
  guint32 group;
  const TtStepPart *part;
  const char *sub_op;
  guint sum; /* number of a SUM */
} ServerWork;

/* "ServerOp.3+4.SUM~>server_1_t3::0::~PART0", on that thread of the server. */
static guint32
add_work (TtStepBuilder *self, const ServerWork *work)
{
  g_autofree char *suffix =
      g_strdup_printf ("%s::%u::~PART%u", self->plan->pids[work->endpoint], work->sum, work->part->number);
  guint32 node = tt_step_builder_add_group_node (self, work->endpoint, work->group, TT_STEP_NODE_SERVER, "ServerOp",
                                                 work->sub_op);

  tt_step_builder_set_suffix (self, node, suffix);
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

/* The server's work on the pushes of the workers of @ends; its end leads to what they pull. */
static void
add_server (TtStepBuilder *self, guint32 group, const TtStepPart *part, const TtStepLinkEnds *ends)
{
  guint n_workers = self->plan->n_workers, n = 0;
  GArray *arrivals = self->graph->arrivals;
  guint32 queue = arrivals->len > 0 ? g_array_index (arrivals, TtStepArrival, arrivals->len - 1).queue + 1 : 0;
  guint32 node = TT_STEP_NO_NODE;

  for (guint worker = 0; worker < n_workers; worker++)
    {
      guint32 before = node;
      if (ends[worker].push == TT_STEP_NO_NODE)
        continue;
      const ServerWork work = { part->threads[n], group, part, n == 0 ? "COPY_FIRST" : "SUM", n == 0 ? 0 : n - 1 };
      node = add_work (self, &work);
      if (before != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, before, node);
      const TtStepArrival arrival = { queue, ends[worker].push, node };
      g_array_append_val (arrivals, arrival);
      n++;
    }
  if (n == 0)
    return;
  const ServerWork merge = { part->threads[n], group, part, "COPY_MERGED", 0 };
  guint32 merged = add_work (self, &merge);
  tt_step_builder_add_edge (self, node, merged);
  for (guint worker = 0; worker < n_workers; worker++)
    if (ends[worker].pulled != TT_STEP_NO_NODE)
      tt_step_builder_add_edge (self, merged, ends[worker].pulled);
}

/* All that is known of a server that was not traced: it answers no worker before all have pushed. */
static void
join_unobserved_server (TtStepBuilder *self, const TtStepLinkEnds *ends)
{
  g_autoptr (GArray) there = g_array_new (FALSE, FALSE, sizeof (TtStepLinkEnds));

  self->graph->n_unobserved_parts++;
  for (guint worker = 0; worker < self->plan->n_workers; worker++)
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
  const TtStepGroup *group = &self->plan->groups[number];
  guint n_workers = self->plan->n_workers;
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
        join_unobserved_server (self, ends);
    }
}

void
tt_step_builder_connect_to_servers (TtStepBuilder *self, guint rank, guint number, guint32 from)
{
  guint n_workers = self->plan->n_workers;
  guint32 worker = self->plan->workers[rank];

  for (guint i = 0; i < self->plan->groups[number].n_parts && worker < n_workers; i++)
    {
      const TtStepLinkEnds *ends = &self->link_ends[number][(gsize) i * n_workers + worker];
      if (ends->push != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, from, ends->push);
    }
}

void
tt_step_builder_connect_from_servers (TtStepBuilder *self, guint rank, guint number, guint32 to)
{
  guint n_workers = self->plan->n_workers;
  guint32 worker = self->plan->workers[rank];

  for (guint i = 0; i < self->plan->groups[number].n_parts && worker < n_workers; i++)
    {
      const TtStepLinkEnds *ends = &self->link_ends[number][(gsize) i * n_workers + worker];
      if (ends->pulled != TT_STEP_NO_NODE)
        tt_step_builder_add_edge (self, ends->pulled, to);
    }
}
