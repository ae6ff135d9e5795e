/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/joint-graph.h"

#include "analyzers/waits/deal.h"
#include "src/base/map64.h"

/* Of a link whose first end another has: what this rank's end is. */
typedef struct
{
  guint32 link, node;
} Half;

typedef struct
{
  TtGraphBuilder *all; /* on rank 0 */
  TtGraphBuilder *own;
  TtSharedScan *shared;
  TtSharedParts *parts;
  guint32 *n_nodes; /* by rank */
  guint8 *claimed;  /* on rank 0, by thread: a part has work of devices there */
  guint32 n_all;
} Joint;

/* -- what a part is ------------------------------------------------------------------------------------------------- */

void
tt_joint_graph_part_init (TtJointGraphPart *self)
{
  self->nodes = g_array_new (FALSE, FALSE, sizeof (TtJointNode));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TtEdge));
  self->firsts = g_array_new (FALSE, FALSE, sizeof (TtSpanSibling));
  self->lasts = g_array_new (FALSE, FALSE, sizeof (TtSpanSibling));
}

void
tt_joint_graph_part_clear (TtJointGraphPart *self)
{
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->edges, g_array_unref);
  g_clear_pointer (&self->firsts, g_array_unref);
  g_clear_pointer (&self->lasts, g_array_unref);
}

void
tt_joint_graph_part_pack (TtJointGraphPart *self, GByteArray *bytes)
{
  tt_dealt_pack (self->nodes, bytes);
  tt_dealt_pack (self->edges, bytes);
  tt_dealt_pack (self->firsts, bytes);
  tt_dealt_pack (self->lasts, bytes);
}

/* Takes the size of a sum from what those of all spans can be together. FALSE: it is larger. */
static gboolean
take_sum (tt_int128 *left, tt_int128 ns)
{
  if (ns < -*left || ns > *left)
    return FALSE;
  *left -= ns < 0 ? -ns : ns;
  return TRUE;
}

static gboolean
are_nodes (const GArray *nodes, const TtJointGraphBounds *bounds)
{
  guint64 n_left = bounds->n_events;
  /* Of each span its duration, or its own time, and that of its children. */
  tt_int128 ns_left = ((tt_int128) bounds->n_events + 1) << 66;

  for (guint i = 0; i < nodes->len; i++)
    {
      const TtJointNode *node = &g_array_index (nodes, TtJointNode, i);
      const gboolean is_process =
          node->process == TT_NO_ID || (!bounds->merge_ranks && node->process <= bounds->max_process);

      if (!is_process || node->name > bounds->max_name || node->cnt > n_left || !take_sum (&ns_left, node->sum_ns) ||
          !take_sum (&ns_left, node->self_ns) || node->stretches > (TT_STRETCH_SOME | TT_STRETCH_MIXED))
        return FALSE;
      n_left -= node->cnt;
    }
  return TRUE;
}

static gboolean
are_siblings (const GArray *siblings, guint32 n_nodes)
{
  for (guint i = 0; i < siblings->len; i++)
    if (g_array_index (siblings, TtSpanSibling, i).node >= n_nodes)
      return FALSE;
  return TRUE;
}

gboolean
tt_joint_graph_part_unpack (TtJointGraphPart *self, TtUnpack *from, const TtJointGraphBounds *bounds)
{
  if (!tt_dealt_take (from, self->nodes) || !tt_dealt_take (from, self->edges) || !tt_dealt_take (from, self->firsts) ||
      !tt_dealt_take (from, self->lasts) || self->nodes->len != bounds->n_nodes || !are_nodes (self->nodes, bounds) ||
      !are_siblings (self->firsts, bounds->n_nodes) || !are_siblings (self->lasts, bounds->n_nodes))
    return FALSE;
  for (guint i = 0; i < self->edges->len; i++)
    {
      const TtEdge *edge = &g_array_index (self->edges, TtEdge, i);

      if (edge->src >= bounds->n_nodes || edge->dst >= bounds->n_all || edge->kind > TT_EDGE_INFERRED ||
          edge->cnt == 0 || edge->cnt > G_MAXINT64 || edge->gap_ns < 0)
        return FALSE;
    }
  return TRUE;
}

/* -- whose operations are -------------------------------------------------------------------------------------------- */

/* Of a run with devices: the threads that no other part may have. */
static void
take_claims (Joint *self, TtUnpack *from)
{
  TtUnpackPlaces threads = tt_unpack_places (from, self->shared->max_thread);
  guint32 thread;

  while (tt_unpack_place (from, &threads, &thread))
    {
      self->parts->is_odd |= self->claimed[thread] != 0;
      self->claimed[thread] = 1;
    }
}

/* Says whether the part is odd, and how many operations it has. */
static gboolean
add_facts (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Joint *self = ((gpointer *) data)[0];
  GByteArray *told = ((gpointer *) data)[1];
  TtUnpack from = tt_unpack_all (said);

  self->n_nodes[rank] = (guint32) tt_unpack_below (&from, TT_NO_NODE - 1 - self->n_all);
  self->n_all += self->n_nodes[rank];
  tt_shared_parts_take (self->parts, &from);
  take_claims (self, &from);
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (rank + 1 < self->shared->crew->n)
    return TRUE;
  tt_pack_number (told, self->parts->is_odd != FALSE);
  for (guint i = 0; i <= rank; i++)
    tt_pack_number (told, self->n_nodes[i]);
  return TRUE;
}

static gboolean
meet (Joint *self, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = self->shared->crew;
  g_autoptr (GByteArray) said = g_byte_array_new (), told = g_byte_array_new ();
  gpointer data[] = { self, told };

  tt_pack_number (said, self->own->graph->nodes->len);
  tt_shared_scan_pack (self->shared, said);
  tt_pack_places (said, self->own->links.claimed, self->shared->max_thread);
  if (!tt_crew_meet (crew, said, add_facts, data, told, error))
    return FALSE;
  TtUnpack from = tt_unpack_all (told);
  *is_alone = tt_unpack_below (&from, 1) != 0;
  self->n_all = 0;
  for (guint rank = 0; rank < crew->n; rank++)
    {
      self->n_nodes[rank] = (guint32) tt_unpack_below (&from, TT_NO_NODE - 1 - self->n_all);
      self->n_all += self->n_nodes[rank];
    }
  return !from.is_bad || tt_dealt_refuse (error);
}

/* -- links of two parts ---------------------------------------------------------------------------------------------- */

static void
deal_halves (const Joint *self, TtDealt *dealt)
{
  const GArray *links = self->own->links.links;

  for (guint i = 0; i < links->len; i++)
    {
      const TtGraphLink *link = &g_array_index (links, TtGraphLink, i);
      const Half half = { link->number, link->to };

      if (!link->has_from && link->to != TT_NO_NODE)
        g_array_append_val (dealt->of[link->owner], half);
    }
}

/* @foreign: the first of that rank's nodes among those that this rank knows. Links have rising numbers, and so have halves. */
static gboolean
join_halves (Joint *self, guint rank, const GArray *halves, guint32 foreign)
{
  const GArray *links = self->own->links.links;
  guint at = 0;

  for (guint i = 0; i < halves->len; i++)
    {
      const Half *half = &g_array_index (halves, Half, i);

      while (at < links->len && g_array_index (links, TtGraphLink, at).number < half->link)
        at++;
      if (at == links->len || half->node >= self->n_nodes[rank])
        return FALSE;
      const TtGraphLink *link = &g_array_index (links, TtGraphLink, at++);
      if (link->number != half->link || !link->has_from || link->has_to || link->owner != rank)
        return FALSE;
      if (link->from != TT_NO_NODE)
        tt_edge_table_add (&self->own->edges, link->from, foreign + half->node, link->kind, 1, link->gap_ns);
    }
  return TRUE;
}

static gboolean
join_links (Joint *self, GError **error)
{
  const TtCrew *crew = self->shared->crew;
  g_auto (TtDealt) dealt = { NULL };
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Half));
  GByteArray **bytes = tt_crew_bytes_new (crew);
  gboolean is_ok;

  tt_dealt_init (&dealt, crew->n, sizeof (Half));
  deal_halves (self, &dealt);
  tt_dealt_give (&dealt, crew->rank, bytes, kept);
  /* Nodes of others stand for what they call by that number. */
  for (guint32 i = self->n_nodes[crew->rank]; i < self->n_all; i++)
    tt_graph_add_node (self->own->graph, "", NULL, NULL, NULL);
  is_ok = crew->exchange (bytes, error);
  for (guint32 rank = 0, foreign = self->n_nodes[crew->rank]; rank < crew->n && is_ok; rank++)
    {
      g_autoptr (GArray) halves = g_array_new (FALSE, FALSE, sizeof (Half));
      TtUnpack from = tt_unpack_all (bytes[rank]);

      if (rank == crew->rank)
        continue;
      is_ok = (tt_dealt_take (&from, halves) && join_halves (self, rank, halves, foreign)) || tt_dealt_refuse (error);
      foreign += self->n_nodes[rank];
    }
  tt_crew_bytes_free (crew, bytes);
  return is_ok;
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

static void
describe_part (const Joint *self, TtJointGraphPart *part)
{
  const TtGraphBuilder *own = self->own;
  const GArray *firsts = tt_span_tree_firsts (own->tree);

  for (guint32 i = 0; i < self->n_nodes[self->shared->crew->rank]; i++)
    {
      const TtNode *of = tt_graph_node (own->graph, i);
      const TtOp *op = tt_op_table_op (own->ops, i);
      const TtJointNode node = { of->sum_ns,
                                 of->self_ns,
                                 of->cnt,
                                 of->ts_ns,
                                 op->process,
                                 op->name,
                                 g_array_index (own->depths, guint32, i),
                                 g_array_index (own->stretches, guint8, i) };

      g_array_append_val (part->nodes, node);
    }
  g_array_append_vals (part->edges, own->graph->edges->data, own->graph->edges->len);
  g_array_append_vals (part->firsts, firsts->data, firsts->len);
  g_array_unref (part->lasts);
  part->lasts = tt_span_tree_lasts (own->tree, self->shared->is_cut);
}

/* *@numbers: in the graph of all, by number in the part. FALSE: it is as one scan would not have it. */
static gboolean
add_nodes (TtGraphBuilder *all, const TtJointGraphPart *part, guint32 *numbers)
{
  gboolean is_plain = TRUE;

  for (guint i = 0; i < part->nodes->len; i++)
    {
      const TtJointNode *from = &g_array_index (part->nodes, TtJointNode, i);
      const guint n = all->graph->nodes->len;
      const guint32 number = numbers[i] =
          tt_graph_builder_node (all, from->process, from->name, from->ts_ns, from->depth);
      TtNode *node = tt_graph_node (all->graph, number);
      guint8 *flag = &g_array_index (all->stretches, guint8, number);

      is_plain &= number == n || (*flag == from->stretches && (*flag & TT_STRETCH_MIXED) == 0);
      *flag = (guint8) from->stretches;
      if (from->cnt > 0 && (node->cnt == 0 || from->ts_ns < node->ts_ns))
        {
          node->ts_ns = from->ts_ns;
          g_array_index (all->depths, guint32, number) = from->depth;
        }
      node->cnt += from->cnt;
      node->sum_ns += from->sum_ns;
      node->self_ns += from->self_ns;
    }
  return is_plain;
}

/* Spans of which the next sibling is in a part before. @places: by place, the last of @siblings there, with nodes of the graph of all. */
static void
follow_siblings (TtGraphBuilder *all,
                 const TtJointGraphPart *part,
                 const guint32 *numbers,
                 TtMap64 *places,
                 GArray *siblings)
{
  for (guint i = 0; i < part->firsts->len; i++)
    {
      const TtSpanSibling *first = &g_array_index (part->firsts, TtSpanSibling, i);
      const guint32 at = tt_map64_get (places, first->place);
      const TtSpanSibling *next = at == TT_MAP64_NONE ? NULL : &g_array_index (siblings, TtSpanSibling, at);

      if (next != NULL && (!first->may_cross || next->ns >= first->ns) &&
          (all->options->kinds & 1u << TT_EDGE_SEQUENCE) != 0)
        tt_edge_table_add (&all->edges, numbers[first->node], next->node, TT_EDGE_SEQUENCE, 1,
                           tt_graph_builder_gap (first->ns, next->ns));
    }
  for (guint i = 0; i < part->lasts->len; i++)
    {
      TtSpanSibling last = g_array_index (part->lasts, TtSpanSibling, i);

      last.node = numbers[last.node];
      tt_map64_set (places, last.place, siblings->len);
      g_array_append_val (siblings, last);
    }
}

static void
add_edges (Joint *self, const TtJointGraphPart *part, guint rank, const guint32 *numbers, const guint32 *first)
{
  const guint n = self->shared->crew->n;
  g_autofree guint32 *number = g_new (guint32, (gsize) self->n_all + 1);
  guint32 known = 0;

  for (guint of = 0; of <= n; of++)
    {
      const guint who = of == 0 ? rank : of - 1;

      for (guint32 i = 0; (of == 0 || who != rank) && i < self->n_nodes[who]; i++)
        number[known++] = numbers[first[who] + i];
    }
  for (guint i = 0; i < part->edges->len; i++)
    {
      const TtEdge *edge = &g_array_index (part->edges, TtEdge, i);

      tt_edge_table_add (&self->all->edges, number[edge->src], number[edge->dst], edge->kind, edge->cnt, edge->gap_ns);
    }
}

/* The edges follow when all nodes are there. */
static gboolean
take_part (Joint *self, guint rank, TtJointGraphPart *part, GError **error)
{
  const TtCrew *crew = self->shared->crew;

  tt_joint_graph_part_init (part);
  if (rank == 0)
    {
      describe_part (self, part);
      return TRUE;
    }
  g_autoptr (GByteArray) bytes = crew->take (rank, error);
  if (bytes == NULL)
    return FALSE;
  TtUnpack from = tt_unpack_all (bytes);
  TtStore *store = self->all->store;
  const TtJointGraphBounds bounds = { .n_events = tt_store_n_events (store),
                                      .max_process = tt_store_max_process (store),
                                      .max_name = tt_store_max_name (store),
                                      .n_nodes = self->n_nodes[rank],
                                      .n_all = self->n_all,
                                      .merge_ranks = self->all->options->merge_ranks };
  return tt_joint_graph_part_unpack (part, &from, &bounds) || tt_crew_refuse (rank, error);
}

static gboolean
take_parts (Joint *self, TtJointGraphPart *parts, gboolean *is_alone, GError **error)
{
  const guint n = self->shared->crew->n;
  g_autofree guint32 *numbers = g_new (guint32, (gsize) self->n_all + 1);
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n + 1);
  g_autoptr (GArray) siblings = g_array_new (FALSE, FALSE, sizeof (TtSpanSibling));
  TtMap64 places = { 0 };
  gboolean is_ok = TRUE;

  for (guint rank = 0; rank < n && is_ok; rank++)
    {
      is_ok = take_part (self, rank, &parts[rank], error);
      if (!is_ok)
        break;
      *is_alone |= !add_nodes (self->all, &parts[rank], &numbers[first[rank]]);
      follow_siblings (self->all, &parts[rank], &numbers[first[rank]], &places, siblings);
      first[rank + 1] = first[rank] + self->n_nodes[rank];
    }
  for (guint rank = 0; rank < n && is_ok; rank++)
    add_edges (self, &parts[rank], rank, numbers, first);
  tt_map64_clear (&places);
  return is_ok;
}

static gboolean
lead (Joint *self, gboolean *is_alone, GError **error)
{
  const guint n = self->shared->crew->n;
  g_autofree TtJointGraphPart *parts = g_new0 (TtJointGraphPart, n);
  const gboolean is_ok = take_parts (self, parts, is_alone, error);

  for (guint rank = 0; rank < n; rank++)
    tt_joint_graph_part_clear (&parts[rank]);
  if (is_ok)
    tt_graph_builder_bound (self->all);
  return is_ok;
}

static gboolean
help (Joint *self)
{
  const TtCrew *crew = self->shared->crew;
  g_auto (TtJointGraphPart) part = { NULL };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tt_joint_graph_part_init (&part);
  describe_part (self, &part);
  tt_joint_graph_part_pack (&part, bytes);
  crew->give (bytes);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return FALSE;
}

gboolean
tt_joint_graph_build (TtGraphBuilder *all, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  g_auto (TtGraphBuilder) own = { 0 };
  g_auto (TtSharedParts) parts = { NULL };
  g_autofree guint32 *n_nodes = g_new0 (guint32, shared->crew->n);
  g_autofree guint8 *claimed = g_new0 (guint8, (gsize) shared->max_thread + 1);
  Joint self = { .all = all, .own = &own, .shared = shared, .parts = &parts, .n_nodes = n_nodes, .claimed = claimed };

  *is_alone = FALSE;
  tt_graph_builder_init (&own, all->store, all->options);
  own.links.has_devices = all->links.has_devices;
  tt_shared_parts_init (&parts, shared->max_thread);
  if (!tt_graph_builder_scan_part (&own, shared, error) || !meet (&self, is_alone, error))
    return FALSE;
  if (*is_alone)
    return shared->crew->rank == 0;
  if (!join_links (&self, error))
    return FALSE;
  return shared->crew->rank == 0 ? lead (&self, is_alone, error) : help (&self);
}
