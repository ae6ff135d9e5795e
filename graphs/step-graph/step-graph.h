/*
 * TtJobGraph: what depends on what in one training step of a job, across all its GPUs.
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
 * Which PUSH_REQ the server takes first is known only when they arrive: see TtJobArrival.
 * Nodes are numbered rank by rank: operators in the order of the local graph, then each group's communication; then what
 * passes between workers and servers; END last. The long name of a node is pid->name[~>suffix], as in statistics.
 */
#pragma once

#include "graphs/graph.h"
#include "graphs/nccl/nccl.h"

#define TT_JOB_NO_RANK G_MAXUINT32
#define TT_JOB_NO_LOCAL G_MAXUINT32

typedef enum
{
  TT_JOB_FW,
  TT_JOB_BW,
  TT_JOB_UPDATE, /* with UPDATE_CAL */
  TT_JOB_OUTPUT,
  TT_JOB_IO,
  TT_JOB_SYNC,       /* when everybody is there */
  TT_JOB_MEMCPY_IN,  /* into the fusion buffer */
  TT_JOB_MEMCPY_OUT, /* out of it: the group's last */
  TT_JOB_SEND,
  TT_JOB_RECV,
  TT_JOB_COMM,     /* other communication: QUEUE, NCCL_ALLREDUCE, a plain Comm.x */
  TT_JOB_PUSH_REQ, /* between a worker and a server */
  TT_JOB_PUSH_RES,
  TT_JOB_PULL_REQ,
  TT_JOB_PULL_RES,
  TT_JOB_SERVER, /* what a server does: COPY_FIRST, SUM, COPY_MERGED */
  TT_JOB_OTHER,
  TT_JOB_END,
  TT_N_JOB_KINDS,
} TtJobKind;

const char *tt_job_kind_text (TtJobKind kind);
/* By the op_cat and sub_op of a standard name (NULL-safe). */
TtJobKind tt_job_kind_of_name (const char *op_cat, const char *sub_op);

/* -- what goes in ------------------------------------------------------------------------------------------ */

typedef enum
{
  TT_JOB_ALGO_NONE, /* sub-operations in a row, no pieces known */
  TT_JOB_ALGO_RING,
  TT_JOB_ALGO_TREE,
  TT_JOB_ALGO_SERVER, /* pushed to parameter servers, and pulled from them */
} TtJobAlgo;

/* A part of a group that one server keeps. */
typedef struct
{
  guint number;
  const guint32 *out,
      *in; /* by worker: places of its link to the server and back; TT_JOB_NO_RANK: it has no part in this */
  /* Places of COPY_FIRST, each SUM, COPY_MERGED: one more than workers with a link; NULL: nobody saw the server at it. */
  const guint32 *threads;
} TtJobPart;

/* Tensors that were communicated together. */
typedef struct
{
  const char *name;           /* "3+4" */
  const char *const *tensors; /* "3", "4"; NULL-ended */
  TtJobAlgo algo;
  guint n_loops, n_channels, n_slices, n_chunks; /* of a ring or tree */
  const char *const
      *sub_ops;  /* with TT_JOB_ALGO_NONE: in their order, NULL-ended: "NEGOTIATE_ALLREDUCE", "ALLREDUCE" */
  guint n_parts; /* with TT_JOB_ALGO_SERVER */
  const TtJobPart *parts;
} TtJobGroup;

typedef struct
{
  guint n_ranks;
  guint n_places;          /* ranks, and behind them links and threads of servers; 0: ranks only */
  const char *const *pids; /* of the places */
  guint n_workers;         /* of parameter servers */
  const guint32 *workers;  /* by rank: the worker that it is part of, or TT_JOB_NO_RANK */
  /* The model's graph: standard names ("FW.x", "Comm.3", "UPDATE_.y") and what they are, edges (from, to). */
  guint n_local;
  const char *const *names;
  const TtJobKind *kinds;
  const char *const *tensors; /* of a Comm node its tensor ("3"), else NULL */
  guint n_edges;
  const guint32 (*edges)[2];
  guint n_groups;
  const TtJobGroup *groups;
  const TtNccl *nccl;      /* joined; NULL: no group is ring or tree */
  gboolean update_barrier; /* no update begins before all groups are out */
  int max_update;          /* MXNet: UPDATE_0 ... behind UPDATE_CAL; -1: no such updates */
} TtJobPlan;

/* -- what comes out ------------------------------------------------------------------------------------------ */

typedef struct
{
  guint32 rank;  /* or the number of another place; TT_JOB_NO_RANK: END */
  guint32 local; /* number in the model's graph, or TT_JOB_NO_LOCAL */
  guint32 group; /* number + 1; 0: none */
  TtJobKind kind;
  guint32 loop, channel, slice, step; /* of SEND and RECV */
  guint32 peer;                       /* of a tree's SEND and RECV the rank at the other end; else TT_JOB_NO_RANK */
  gboolean is_down;                   /* of these: from the root, not to it */
  const char *name, *suffix;          /* "Comm.3+4.SEND", "0_1_6_0"; suffix NULL: none */
} TtJobNode;

typedef struct
{
  guint32 from, to;
} TtJobEdge;

/* The first PUSH_REQ of a part that arrives lets COPY_FIRST begin, each later one a SUM, whoever sent it: the k-th of these with one
 * number to end lets the k-th of them begin. */
typedef struct
{
  guint32 number;
  guint32 push, work;
} TtJobArrival;

typedef struct
{
  GArray *nodes;    /* of TtJobNode */
  GArray *edges;    /* of TtJobEdge, by (from, to), each once */
  GArray *arrivals; /* of TtJobArrival, by number */
  GStringChunk *text;
  const char *const *pids; /* the model's, copied */
  guint n_ranks, n_places;
  guint n_lone_tensors; /* tensors of the model in no group: plain Comm nodes */
  guint n_without_ring; /* groups whose ring or tree is not known or broken: their pieces are one NCCL_ALLREDUCE */
  guint n_unseen_parts; /* of groups: nobody saw the server at them */
  guint n_backward;     /* UPDATE -> FW edges, left out: they lead into the next step */
} TtJobGraph;

/* About so many edges the graph would have; what asks for more than TT_JOB_MOST_EDGES is not to be built. */
#define TT_JOB_MOST_EDGES (1u << 26)
guint64 tt_job_plan_edges (const TtJobPlan *plan);

TtJobGraph *tt_job_graph_new (const TtJobPlan *model);
void tt_job_graph_free (TtJobGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobGraph, tt_job_graph_free)

#define tt_job_node(self, i) (&g_array_index ((self)->nodes, TtJobNode, (i)))

/* Nodes (guint32) of a cycle, each leading to the next and the last to the first; NULL: there is none. */
GArray *tt_job_graph_cycle (const TtJobGraph *self);

/* "host0.rank0->Comm.3+4.SEND~>0_1_6_0"; "END". Free it. */
char *tt_job_long_name (const TtJobGraph *self, guint32 node);
