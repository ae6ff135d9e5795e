/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepBuilder: a TtStepGraph while it is made: adds nodes and edges, and knows which nodes stand for what.
 *
 * step-graph.c makes the builder and the nodes of ranks; transfers.c adds rings and trees, servers.c parameter servers.
 */
#pragma once

#include "graphs/step-graph/step-graph.h"

/* The nodes of one group on one rank. */
typedef struct
{
  guint32 first; /* the gradients lead to it: Sync, or the first sub-operation */
  guint32 start; /* the first nodes of all ranks lead to it; TT_STEP_NO_NODE: none */
  guint32 memcpy_in, last;
  guint32 pieces; /* the first SEND; its RECV follows, then the next SEND */
} TtStepGroupNodes;

/* Of one part of a group on one worker; TT_STEP_NO_NODE: it does not take part. */
typedef struct
{
  guint32 push;   /* the worker's gradients lead to it */
  guint32 pulled; /* the worker's updates wait for it */
} TtStepLinkEnds;

typedef struct
{
  const TtStepPlan *plan;
  TtStepGraph *graph;
  TtNameParts *local_parts;      /* [local]: the plan's, in texts of the graph */
  const char **group_names;      /* [group]: likewise */
  guint32 *operators;            /* [rank * n_local + local]: node, or TT_STEP_NO_NODE for a Comm in a group */
  TtStepGroupNodes *group_nodes; /* [rank * n_groups + group] */
  guint32 *group_of;             /* [local]: group of a Comm node, or TT_STEP_NO_GROUP */
  TtStepAlgo *algo;              /* [group]: as far as it can be built */
  guint32 *update_cal;           /* [rank]: node, or TT_STEP_NO_NODE */
  GHashTable *own_updates;       /* name of an UPDATE_CAL or UPDATE_k of the model's graph -> local, GUINT_TO_POINTER */
  TtStepLinkEnds **link_ends;    /* [group][part * n_workers + worker]; NULL: not of servers */
} TtStepBuilder;

/* @parts: in texts that live as long as the graph; @name is copied. */
guint32 tt_step_builder_add_node (TtStepBuilder *self,
                                  guint rank,
                                  TtStepNodeKind kind,
                                  guint32 group,
                                  const char *name,
                                  const TtNameParts *parts);
/* "<op_cat>.3+4.<sub_op>" of the group. @op_cat: a constant. */
guint32 tt_step_builder_add_group_node (TtStepBuilder *self,
                                        guint rank,
                                        guint32 group,
                                        TtStepNodeKind kind,
                                        const char *op_cat,
                                        const char *sub_op);
void tt_step_builder_set_suffix (TtStepBuilder *self, guint32 node, const char *suffix);
void tt_step_builder_add_edge (TtStepBuilder *self, guint32 from, guint32 to);

/* -- transfers.c: rings and trees ------------------------------------------------------------------------------ */

/* Whether the group's rings, trees or servers are known as a whole. */
gboolean tt_step_group_has_connections (const TtStepPlan *plan, const TtStepGroup *group);
void tt_step_builder_add_ring_pieces (TtStepBuilder *self, guint rank, guint32 group);
void tt_step_builder_join_ring (TtStepBuilder *self, guint32 group);
void tt_step_builder_join_tree (TtStepBuilder *self, guint32 group);

/* -- servers.c: workers and parameter servers ------------------------------------------------------------------ */

void tt_step_builder_add_servers (TtStepBuilder *self, guint32 group);
/* From the gradient @from of a rank to all parts of the group; from all of them to @to, which waits for the group. */
void tt_step_builder_connect_to_servers (TtStepBuilder *self, guint rank, guint32 group, guint32 from);
void tt_step_builder_connect_from_servers (TtStepBuilder *self, guint rank, guint32 group, guint32 to);
