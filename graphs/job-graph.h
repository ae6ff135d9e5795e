/*
 * TtJobGraph: what depends on what in one training step of a job, across all its GPUs.
 *
 * Made from the model's graph on one GPU (the same on all), the groups of tensors that were communicated together, how
 * each was cut into pieces, and the rings or trees they went over. The rules are those of the framework-jobs format page,
 * section 7.2: one copy of the model a rank, joined by the communication:
 *
 *   BW -> Sync -> (all ranks') QUEUE -> MEMCPY_IN_FUSION_BUFFER -> SEND, RECV ... -> MEMCPY_OUT_FUSION_BUFFER -> UPDATE
 *
 * Nodes are numbered rank by rank: operators in the order of the local graph, then each group's communication; END last.
 * The long name of a node is pid->name[~>suffix], as in statistics.
 */
#pragma once

#include "graphs/graph.h"
#include "graphs/nccl.h"

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
  TT_JOB_COMM, /* other communication: QUEUE, NCCL_ALLREDUCE, a plain Comm.x */
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
} TtJobAlgo;

/* Tensors that were communicated together. */
typedef struct
{
  const char *name;           /* "3+4" */
  const char *const *tensors; /* "3", "4"; NULL-ended */
  TtJobAlgo algo;
  guint n_loops, n_channels, n_slices, n_chunks; /* of a ring or tree */
  const char *const
      *sub_ops; /* with TT_JOB_ALGO_NONE: in their order, NULL-ended: "NEGOTIATE_ALLREDUCE", "ALLREDUCE" */
} TtJobGroup;

typedef struct
{
  guint n_ranks;
  const char *const *pids; /* of the ranks */
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
  guint32 rank;  /* TT_JOB_NO_RANK: END */
  guint32 local; /* number in the model's graph, or TT_JOB_NO_LOCAL */
  guint32 group; /* number + 1; 0: none */
  TtJobKind kind;
  guint32 loop, channel, slice, step; /* of SEND and RECV */
  const char *name, *suffix;          /* "Comm.3+4.SEND", "0_1_6_0"; suffix NULL: none */
} TtJobNode;

typedef struct
{
  guint32 from, to;
} TtJobEdge;

typedef struct
{
  GArray *nodes; /* of TtJobNode */
  GArray *edges; /* of TtJobEdge, by (from, to), each once */
  GStringChunk *text;
  const char *const *pids; /* the model's, copied */
  guint n_ranks;
  guint n_lone_tensors; /* tensors of the model in no group: plain Comm nodes */
  guint n_without_ring; /* groups whose ring or tree is not known or broken: their pieces are one NCCL_ALLREDUCE */
  guint n_backward;     /* UPDATE -> FW edges, left out: they lead into the next step */
} TtJobGraph;

TtJobGraph *tt_job_graph_new (const TtJobPlan *model);
void tt_job_graph_free (TtJobGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobGraph, tt_job_graph_free)

#define tt_job_node(self, i) (&g_array_index ((self)->nodes, TtJobNode, (i)))

/* Nodes (guint32) of a cycle, each leading to the next and the last to the first; NULL: there is none. */
GArray *tt_job_graph_cycle (const TtJobGraph *self);

/* "host0.rank0->Comm.3+4.SEND~>0_1_6_0"; "END". Free it. */
char *tt_job_long_name (const TtJobGraph *self, guint32 node);
