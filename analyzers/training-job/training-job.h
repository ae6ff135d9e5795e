/*
 * TtTrainingJob: a training job as the database tells it: who its ranks are, what depends on what in a step, how long
 * everything takes. What `nccl`, `depgraph --level job`, `critical-path --model` and `simulate` work on.
 *
 * Read from the selected run: processes with standard-named operators, the metadata `local_graph` ({"nodes":[names],"edges":[[from,to]]})
 * and `nccl_rank_graph` of processes, events with their steps. What is missing makes the graph coarser, and a note
 * says so; nothing crashes on it. The rules are those of the framework-jobs format page, sections 5 to 7.
 */
#pragma once

#include "graphs/graph.h"
#include "graphs/step-graph/path.h"
#include "src/store/store.h"

/* Sum and number of samples of a gap behind a node; ns. */
typedef struct
{
  tt_int128 sum_ns;
  guint64 cnt;
} TtJobGap;

/* What a node of the graph is known by. */
typedef struct
{
  guint64 cnt;                /* spans; 0: never traced */
  tt_int128 sum_ns;           /* of their durations (clipped, if asked for) */
  gint64 avg_ns;              /* sum / cnt; of a fused group's QUEUE ...: the mean of its members' */
  TtJobGap operator_operator; /* operatorGAPoperator */
  TtJobGap operator_comm;     /* operatorGAPComm */
  TtJobGap comm_operator;     /* CommGAPoperator */
  TtJobGap comm_comm;         /* CommGAPComm, of links to parameter servers */
  TtJobGap network;           /* INTERNODEGAP, likewise */
} TtJobNodeFacts;

/* How long a RECV takes (section 7.4). */
typedef enum
{
  TT_RECV_AS_TRACED,
  TT_RECV_CLIPPED, /* it does not begin before its SEND */
  TT_RECV_AS_DPRO, /* the same, and the mean leaves the last step out, as the original does by mistake */
} TtRecvRule;

typedef struct
{
  TtRecvRule recv;
  gboolean update_barrier; /* no update before all groups are out */
  TtStepAlgo algo;          /* TT_STEP_ALGO_NONE: as the traces say; else only that */
} TtTrainingJobOptions;

/* Pieces of one group of tensors, as the detail traces show them: the maxima over all GPUs. */
typedef struct
{
  char *name; /* "3+4" */
  char **tensors;
  guint n_loops, n_channels, n_slices, n_chunks; /* 0: no detail traces */
  guint64 bytes; /* of its tensors; 0: the parameters do not tell */
} TtJobShape;

typedef struct
{
  guint n_ranks;
  guint
      n_endpoints; /* ranks, and behind them what lies between workers and parameter servers: links, threads of servers */
  char **pids;  /* by place, NULL-ended */
  guint32 *processes; /* ids, by place */
  TtNccl *nccl;       /* joined; NULL: no rank says anything */
  GArray *shapes;     /* of TtJobShape, in the order of their first event in the typical step */
  TtStepPlan *plan;    /* what the graph was made of; its texts are the job's */
  TtStepGraph *graph;
  TtJobNodeFacts *facts; /* by node */
  TtStepNodeTimes *times;     /* by node: what a replay needs of the facts */
  gboolean updates_wait; /* in the typical step no update begins before its rank's last group is out */
  gint32 typical_step;
  guint n_steps;
  gint64 iteration_ns; /* measured: mean over ranks and steps by the page's rule; 0: no steps */
  guint64 n_clipped;   /* RECV spans that were clipped, and by how much */
  tt_int128 clipped_ns;
  GStringChunk *texts;
  GPtrArray *plan_parts; /* what the plan points into */
  GPtrArray *notes;      /* of char *: what was missing and what that means */
} TtTrainingJob;

/* Has the run operators of a job? FALSE with @error: the database failed. */
gboolean tt_training_job_is_there (TtStore *store, gboolean *is_there, GError **error);
/* NULL with @error: no operators under standard names (says what to import), a cycle that names its nodes, a failing database. */
TtTrainingJob *tt_training_job_new (TtStore *store, const TtTrainingJobOptions *options, GError **error);
void tt_training_job_free (TtTrainingJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrainingJob, tt_training_job_free)
