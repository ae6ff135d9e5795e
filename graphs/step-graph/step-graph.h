/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepGraph: the dependencies of one training step of a job, across all its GPUs.
 *
 * Made from a TtStepPlan: the model's graph on one GPU (equal on all), the groups of tensors that were communicated
 * together, how each was cut into pieces, and the rings or trees the pieces went over. The rules are those of the
 * framework-jobs format page, section 7.2: one copy of the model a rank, joined by the communication:
 *
 *   BW -> Sync -> (all ranks') QUEUE -> MEMCPY_IN_FUSION_BUFFER -> SEND, RECV ... -> MEMCPY_OUT_FUSION_BUFFER -> UPDATE
 *
 * or, with parameter servers (BytePS), for each part of a group and each worker:
 *
 *   BW -> PUSH_REQ -> PUSH_RES -> PULL_REQ -> PULL_RES -> UPDATE
 *   COPY_FIRST -> SUM ... -> COPY_MERGED -> (all workers') PULL_RES
 *
 * Which PUSH_REQ the server takes first is known only when they arrive: see TtStepArrival.
 *
 * An endpoint is whatever runs nodes: a rank, and after the ranks the links between workers and parameter servers and
 * the threads of servers. Nodes are numbered rank by rank: operators in the order of the local graph, then the
 * communication of each group; then the nodes of links and servers; END last. The long name of a node is
 * pid->name[~>suffix], as in statistics. The graph owns all its texts.
 */
#pragma once

#include "graphs/nccl/nccl.h"
#include "graphs/step-graph/name-parts.h"
#include "graphs/step-graph/node-kind.h"

#define TT_STEP_NO_RANK G_MAXUINT32
#define TT_STEP_NO_NODE G_MAXUINT32
#define TT_STEP_NO_GROUP G_MAXUINT32

/* -- input ------------------------------------------------------------------------------------------------- */

typedef enum
{
  TT_STEP_ALGO_NONE, /* sub-operations in a row, no pieces known */
  TT_STEP_ALGO_RING,
  TT_STEP_ALGO_TREE,
  TT_STEP_ALGO_SERVER, /* pushed to parameter servers, and pulled from them */
} TtStepAlgo;

/* A part of a group that one server keeps. */
typedef struct
{
  guint number;
  /* By worker: endpoints of its link to the server and back; TT_STEP_NO_RANK: it does not take part. */
  const guint32 *out, *in;
  /* Endpoints of COPY_FIRST, each SUM, COPY_MERGED: one more than workers with a link; NULL: the server was not
   * traced. */
  const guint32 *threads;
} TtStepPart;

/* Tensors that were communicated together. */
typedef struct
{
  const char *name;           /* "3+4" */
  const char *const *tensors; /* "3", "4"; NULL-ended */
  TtStepAlgo algo;
  guint n_loops, n_channels, n_slices, n_chunks; /* of a ring or tree; a ring has one phase a chunk */
  /* With TT_STEP_ALGO_NONE: in their order, NULL-ended: "NEGOTIATE_ALLREDUCE", "ALLREDUCE". */
  const char *const *sub_ops;
  guint n_parts; /* with TT_STEP_ALGO_SERVER */
  const TtStepPart *parts;
} TtStepGroup;

typedef struct
{
  guint n_ranks;
  guint n_endpoints;       /* 0: ranks only */
  const char *const *pids; /* of the endpoints */
  guint n_workers;         /* of parameter servers */
  const guint32 *workers;  /* by rank: the worker it belongs to, or TT_STEP_NO_RANK */
  /* The model's graph: standard names ("FW.x", "Comm.3", "UPDATE_.y") as text and in parts, kinds, edges (from, to). */
  guint n_local;
  const char *const *names;
  const TtNameParts *parts;
  const TtStepNodeKind *kinds;
  const char *const *tensors; /* of a Comm node its tensor ("3"), else NULL */
  guint n_edges;
  const guint32 (*edges)[2];
  guint n_groups;
  const TtStepGroup *groups;
  const TtNccl *nccl;      /* joined; NULL: no group is ring or tree */
  gboolean update_barrier; /* no update starts before all groups have ended */
  int max_update;          /* MXNet: UPDATE_0 ... follow UPDATE_CAL; -1: no such updates */
} TtStepPlan;

/* -- output ------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint32 rank;  /* or another endpoint; TT_STEP_NO_RANK: END */
  guint32 local; /* number in the model's graph, or TT_STEP_NO_NODE */
  guint32 group; /* or TT_STEP_NO_GROUP */
  TtStepNodeKind kind;
  guint32 loop, channel, slice, phase; /* of SEND and RECV; a tree's phase is its chunk */
  guint32 peer;                        /* of a tree's SEND and RECV: the rank at the other end; else TT_STEP_NO_RANK */
  gboolean is_down;                    /* of a tree's SEND and RECV: from the root, not to it */
  gboolean is_rest;                    /* of a recording: goes on with a span that another node began */
  const char *name;                    /* without the suffix: "Comm.3+4.SEND" */
  TtNameParts parts;
} TtStepNode;

typedef struct
{
  guint32 from, to;
} TtStepEdge;

/*
 * The first PUSH_REQ of a part that arrives starts COPY_FIRST, each later one a SUM, whoever sent it: arrivals of one
 * queue pass in time order, and the k-th of them starts the k-th work.
 */
typedef struct
{
  guint32 queue;
  guint32 push, work;
} TtStepArrival;

typedef struct
{
  GArray *nodes;    /* of TtStepNode */
  GArray *edges;    /* of TtStepEdge, by (from, to), each once */
  GArray *arrivals; /* of TtStepArrival, by queue */
  GStringChunk *text;
  const char *const *pids; /* the plan's, copied */
  guint n_ranks, n_endpoints;
  guint n_lone_tensors;     /* tensors of the model in no group: plain Comm nodes */
  guint n_without_ring;     /* groups whose ring or tree is unknown or broken: their pieces are one NCCL_ALLREDUCE */
  guint n_unobserved_parts; /* parts of groups whose server was not traced */
  guint n_backward;         /* UPDATE -> FW edges, left out: they lead into the next step */
} TtStepGraph;

/* An estimate of the edges that the graph would have; a plan with more than TT_STEP_MAX_EDGES must not be built. */
#define TT_STEP_MAX_EDGES (1u << 26)
guint64 tt_step_plan_count_edges (const TtStepPlan *plan);

TtStepGraph *tt_step_graph_new (const TtStepPlan *plan);
void tt_step_graph_free (TtStepGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepGraph, tt_step_graph_free)

#define tt_step_node(self, i) (&g_array_index ((self)->nodes, TtStepNode, (i)))

/* QUEUE, NEGOTIATE_* and WAIT_FOR_* end when something else has: how long they take follows from the schedule. */
gboolean tt_step_node_is_wait (const TtStepNode *node);

/* The one operation of a group that all ranks do together: NCCL_ALLREDUCE, MPI_ALLREDUCE, ALLREDUCE. */
gboolean tt_step_node_is_collective (const TtStepNode *node);

/* Nodes (guint32) of a cycle, each leading to the next and the last to the first; NULL: there is none. */
GArray *tt_step_graph_find_cycle (const TtStepGraph *self);

/* "host0.rank0->Comm.3+4.SEND~>0_1_6_0"; "END". Free it. */
char *tt_step_node_long_name (const TtStepGraph *self, guint32 node);
