/*
 * The pieces that make a TtStepGraph; used by graphs/job-graph*.c only.
 */
#pragma once

#include "graphs/step-graph/step-graph.h"

/* The nodes of one group on one rank. */
typedef struct
{
  guint32 first; /* what the gradients lead to: Sync, or the first sub-operation */
  guint32 start; /* what everybody's first leads to */
  guint32 memcpy_in, last;
  guint32 pieces; /* the first SEND; RECV behind it, and so on */
} TtStepGroupNodes;

/* What a worker's gradients lead to, and what its updates wait for, of one part; TT_STEP_NO_NODE: it has no part in it. */
typedef struct
{
  guint32 push, pulled;
} TtStepLinkEnds;

typedef struct
{
  const TtStepPlan *model;
  TtStepGraph *graph;
  guint32 *operators;           /* [rank * n_local + local]: node, or TT_STEP_NO_NODE for a Comm in a group */
  TtStepGroupNodes *group_nodes; /* [rank * n_groups + group] */
  guint32 *group_of;            /* [local]: number + 1 of the group of a Comm node */
  TtStepAlgo *algo;              /* [group]: as far as it can be built */
  guint32 *update_cal;          /* [rank], TT_STEP_NO_NODE: none */
  GHashTable *own_updates;      /* name of an UPDATE_CAL or UPDATE_k of the model's graph -> local + 1 */
  TtStepLinkEnds **link_ends;    /* [group][part * n_workers + worker]; NULL: not of servers */
} TtStepBuilder;

guint32 tt_step_builder_add_node (TtStepBuilder *self, guint rank, TtStepNodeKind kind, guint group, const char *name);
void tt_step_builder_add_edge (TtStepBuilder *self, guint32 from, guint32 to);
/* "Comm.3+4.<sub_op>" of the group. */
guint32 tt_step_builder_add_group_node (TtStepBuilder *self, guint rank, guint group, TtStepNodeKind kind, const char *sub_op);

/* job-graph-transfers.c: rings and trees. */

/* Whether all that the group needs to know of its rings or trees is known. */
gboolean tt_step_group_has_connections (const TtStepPlan *plan, const TtStepGroup *group);
void tt_step_builder_add_ring_pieces (TtStepBuilder *self, guint rank, guint number);
void tt_step_builder_join_ring (TtStepBuilder *self, guint number);
void tt_step_builder_join_tree (TtStepBuilder *self, guint number);

/* job-graph-servers.c: workers and parameter servers. */

void tt_step_builder_add_servers (TtStepBuilder *self, guint number);
/* The gradient @from of a rank to all parts of the group; all of them to what waits for the group. */
void tt_step_builder_connect_to_servers (TtStepBuilder *self, guint rank, guint number, guint32 from);
void tt_step_builder_connect_from_servers (TtStepBuilder *self, guint rank, guint number, guint32 to);
