/*
 * TtStepGraph: what depends on what in one training step of a job, across all its GPUs.
 *
 * Made from the model's graph on one GPU (the same on all), the groups of tensors that were communicated together, how
 * each was cut into pieces, and the rings or trees they went over. The rules are those of the framework-jobs format page,
 * section 7.2: one copy of the model a rank, joined by the communication:
 *
 *   BW -> Sync -> (all ranks') QUEUE -> MEMCPY_IN_FUSION_BUFFER -> SEND, RECV ... -> MEMCPY_OUT_FUSION_BUFFER -> UPDATE
 *
 * or, with parameter servers (BytePS), for each part of a group and each worker:
 *
 *   BW -> PUSH_REQ -> PUSH_RES -> PULL_REQ -> PULL_RES -> UPDATE
 *   COPY_FIRST -> SUM ... -> COPY_MERGED -> (all workers') PULL_RES
 *
 * Which PUSH_REQ the server takes first is known only when they arrive: see TtStepArrival.
 * Nodes are numbered rank by rank: operators in the order of the local graph, then each group's communication; then what
 * passes between workers and servers; END last. The long name of a node is pid->name[~>suffix], as in statistics.
 */
#pragma once

#include "graphs/graph.h"
#include "graphs/nccl/nccl.h"

#define TT_STEP_NO_RANK G_MAXUINT32
#define TT_STEP_NO_NODE G_MAXUINT32

typedef enum
{
  TT_STEP_NODE_FW,
  TT_STEP_NODE_BW,
  TT_STEP_NODE_UPDATE, /* with UPDATE_CAL */
  TT_STEP_NODE_OUTPUT,
  TT_STEP_NODE_IO,
  TT_STEP_NODE_SYNC,       /* when everybody is there */
  TT_STEP_NODE_MEMCPY_IN,  /* into the fusion buffer */
  TT_STEP_NODE_MEMCPY_OUT, /* out of it: the group's last */
  TT_STEP_NODE_SEND,
  TT_STEP_NODE_RECV,
  TT_STEP_NODE_COMM,     /* other communication: QUEUE, NCCL_ALLREDUCE, a plain Comm.x */
  TT_STEP_NODE_PUSH_REQ, /* between a worker and a server */
  TT_STEP_NODE_PUSH_RES,
  TT_STEP_NODE_PULL_REQ,
  TT_STEP_NODE_PULL_RES,
  TT_STEP_NODE_SERVER, /* what a server does: COPY_FIRST, SUM, COPY_MERGED */
  TT_STEP_NODE_OTHER,
  TT_STEP_NODE_END,
  TT_N_STEP_NODE_KINDS,
} TtStepNodeKind;

const char *tt_step_node_kind_text (TtStepNodeKind kind);
/* By the op_cat and sub_op of a standard name (NULL-safe). */
TtStepNodeKind tt_step_node_kind_of_name (const char *op_cat, const char *sub_op);

/* -- what goes in ------------------------------------------------------------------------------------------ */

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
  const guint32 *out,
      *in; /* by worker: places of its link to the server and back; TT_STEP_NO_RANK: it has no part in this */
  /* Places of COPY_FIRST, each SUM, COPY_MERGED: one more than workers with a link; NULL: nobody saw the server at it. */
  const guint32 *threads;
} TtStepPart;

/* Tensors that were communicated together. */
typedef struct
{
  const char *name;           /* "3+4" */
  const char *const *tensors; /* "3", "4"; NULL-ended */
  TtStepAlgo algo;
  guint n_loops, n_channels, n_slices, n_chunks; /* of a ring or tree */
  const char *const
      *sub_ops;  /* with TT_STEP_ALGO_NONE: in their order, NULL-ended: "NEGOTIATE_ALLREDUCE", "ALLREDUCE" */
  guint n_parts; /* with TT_STEP_ALGO_SERVER */
  const TtStepPart *parts;
} TtStepGroup;

typedef struct
{
  guint n_ranks;
  guint n_endpoints;          /* ranks, and behind them links and threads of servers; 0: ranks only */
  const char *const *pids; /* of the places */
  guint n_workers;         /* of parameter servers */
  const guint32 *workers;  /* by rank: the worker that it is part of, or TT_STEP_NO_RANK */
  /* The model's graph: standard names ("FW.x", "Comm.3", "UPDATE_.y") and what they are, edges (from, to). */
  guint n_local;
  const char *const *names;
  const TtStepNodeKind *kinds;
  const char *const *tensors; /* of a Comm node its tensor ("3"), else NULL */
  guint n_edges;
  const guint32 (*edges)[2];
  guint n_groups;
  const TtStepGroup *groups;
  const TtNccl *nccl;      /* joined; NULL: no group is ring or tree */
  gboolean update_barrier; /* no update begins before all groups are out */
  int max_update;          /* MXNet: UPDATE_0 ... behind UPDATE_CAL; -1: no such updates */
} TtStepPlan;

/* -- what comes out ------------------------------------------------------------------------------------------ */

typedef struct
{
  guint32 rank;  /* or the number of another place; TT_STEP_NO_RANK: END */
  guint32 local; /* number in the model's graph, or TT_STEP_NO_NODE */
  guint32 group; /* number + 1; 0: none */
  TtStepNodeKind kind;
  guint32 loop, channel, slice, step; /* of SEND and RECV */
  guint32 peer;                       /* of a tree's SEND and RECV the rank at the other end; else TT_STEP_NO_RANK */
  gboolean is_down;                   /* of these: from the root, not to it */
  const char *name, *suffix;          /* "Comm.3+4.SEND", "0_1_6_0"; suffix NULL: none */
} TtStepNode;

typedef struct
{
  guint32 from, to;
} TtStepEdge;

/* The first PUSH_REQ of a part that arrives lets COPY_FIRST begin, each later one a SUM, whoever sent it: the k-th of these with one
 * number to end lets the k-th of them begin. */
typedef struct
{
  guint32 number;
  guint32 push, work;
} TtStepArrival;

typedef struct
{
  GArray *nodes;    /* of TtStepNode */
  GArray *edges;    /* of TtStepEdge, by (from, to), each once */
  GArray *arrivals; /* of TtStepArrival, by number */
  GStringChunk *text;
  const char *const *pids; /* the model's, copied */
  guint n_ranks, n_endpoints;
  guint n_lone_tensors; /* tensors of the model in no group: plain Comm nodes */
  guint n_without_ring; /* groups whose ring or tree is not known or broken: their pieces are one NCCL_ALLREDUCE */
  guint n_unobserved_parts; /* of groups: nobody saw the server at them */
  guint n_backward;     /* UPDATE -> FW edges, left out: they lead into the next step */
} TtStepGraph;

/* About so many edges the graph would have; what asks for more than TT_STEP_MAX_EDGES is not to be built. */
#define TT_STEP_MAX_EDGES (1u << 26)
guint64 tt_step_plan_count_edges (const TtStepPlan *plan);

TtStepGraph *tt_step_graph_new (const TtStepPlan *model);
void tt_step_graph_free (TtStepGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepGraph, tt_step_graph_free)

#define tt_step_node(self, i) (&g_array_index ((self)->nodes, TtStepNode, (i)))

/* Nodes (guint32) of a cycle, each leading to the next and the last to the first; NULL: there is none. */
GArray *tt_step_graph_find_cycle (const TtStepGraph *self);

/* "host0.rank0->Comm.3+4.SEND~>0_1_6_0"; "END". Free it. */
char *tt_step_node_long_name (const TtStepGraph *self, guint32 node);
