/*
 * The pieces that make a TtJobGraph; used by graphs/job-graph*.c only.
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
} TtJobGroupNodes;

/* What a worker's gradients lead to, and what its updates wait for, of one part; TT_JOB_NO_LOCAL: it has no part in it. */
typedef struct
{
  guint32 push, pulled;
} TtJobLinkEnds;

typedef struct
{
  const TtJobPlan *model;
  TtJobGraph *graph;
  guint32 *operators;           /* [rank * n_local + local]: node, or TT_JOB_NO_LOCAL for a Comm in a group */
  TtJobGroupNodes *group_nodes; /* [rank * n_groups + group] */
  guint32 *group_of;            /* [local]: number + 1 of the group of a Comm node */
  TtJobAlgo *algo;              /* [group]: as far as it can be built */
  guint32 *update_cal;          /* [rank], TT_JOB_NO_LOCAL: none */
  GHashTable *own_updates;      /* name of an UPDATE_CAL or UPDATE_k of the model's graph -> local + 1 */
  TtJobLinkEnds **link_ends;    /* [group][part * n_workers + worker]; NULL: not of servers */
} TtJobBuilder;

guint32 tt_job_add_node (TtJobBuilder *self, guint rank, TtJobKind kind, guint group, const char *name);
void tt_job_add_edge (TtJobBuilder *self, guint32 from, guint32 to);
/* "Comm.3+4.<sub_op>" of the group. */
guint32 tt_job_add_group_node (TtJobBuilder *self, guint rank, guint group, TtJobKind kind, const char *sub_op);

/* job-graph-transfers.c: rings and trees. */

/* Whether all that the group needs to know of its rings or trees is known. */
gboolean tt_job_has_connections (const TtJobPlan *plan, const TtJobGroup *group);
void tt_job_add_ring_pieces (TtJobBuilder *self, guint rank, guint number);
void tt_job_join_ring (TtJobBuilder *self, guint number);
void tt_job_join_tree (TtJobBuilder *self, guint number);

/* job-graph-servers.c: workers and parameter servers. */

void tt_job_add_servers (TtJobBuilder *self, guint number);
/* The gradient @from of a rank to all parts of the group; all of them to what waits for the group. */
void tt_job_lead_to_servers (TtJobBuilder *self, guint rank, guint number, guint32 from);
void tt_job_lead_from_servers (TtJobBuilder *self, guint rank, guint number, guint32 to);
