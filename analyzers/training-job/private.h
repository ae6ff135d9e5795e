/*
 * The pieces that make a TtTrainingJob; used by analyzers/training-job*.c only.
 */
#pragma once

#include "analyzers/training-job/training-job.h"
#include "src/store/query.h"

/* All spans of one name on one rank. */
typedef struct
{
  guint32 rank, name;
  guint64 cnt;
  tt_int128 sum_ns, end_sum_ns;         /* of durations, of ends */
  TtJobGap gap;                         /* operatorGAPoperator; of links CommGAPComm */
  gint64 typical_ts_ns, typical_end_ns; /* of its last span in the typical step; TT_NO_TIME: none there */
} TtJobCell;

/* A SEND or RECV span, kept when RECVs are to be clipped; with parameter servers one of what leads to them, passes between
 * them and the workers, and follows. */
typedef struct
{
  guint32 rank, name;
  gint32 step;
  guint32 node; /* TT_NO_TASK: none; once the graph is there */
  gint64 ts_ns, dur_ns;
} TtJobTransfer;

/* A link between a worker and a server, or a thread of a server. */
typedef struct
{
  guint32 worker, server;
  gboolean is_thread; /* then there is no worker */
  gboolean is_in;     /* from the server */
} TtJobLink;

/* An operator of the first rank in the typical step. */
typedef struct
{
  guint32 name;
  gint64 ts_ns, end_ns;
} TtJobSeenOp;

/* From the first begin to the last end of what is communicated under one name there ("3", "3+4"). */
typedef struct
{
  char *name;
  gint64 ts_ns, end_ns;
} TtJobSeenComm;

typedef struct
{
  TtTrainingJob *job;
  TtStore *store;
  const TtTrainingJobOptions *options;
  guint32 max_name;
  guint32 *first_name; /* by name id: the id that stands for its text */
  guint8 *kinds;       /* TtStepNodeKind by such an id; TT_STEP_NODE_OTHER: no node of a job */
  GHashTable *name_of; /* "text~>suffix" -> id */
  guint32 *rank_of;    /* by process id: its place; TT_STEP_NO_RANK: none of the job */
  GArray *links;       /* of TtJobLink: what is known of the places behind the ranks, in their order */
  guint n_workers;     /* of parameter servers */
  guint32 *workers;    /* by rank; NULL: there are none */

  /* the model's graph */
  GPtrArray *local_names; /* of char * */
  GArray *local_edges;    /* of guint32[2] */

  /* the events */
  GArray *cells;       /* of TtJobCell */
  GHashTable *cell_of; /* gint64 (rank << 32 | name) -> number + 1 */
  GArray *
      first_comm; /* by rank: number + 1 of the cell of the first communication but Sync in the typical step; 0: none */
  GPtrArray *groups;        /* names of groups ("3+4") in the order of their first event in the typical step; owned */
  GHashTable *group_of;     /* tensor -> name of its group; both owned by this table */
  GHashTable *known_groups; /* texts of groups */
  GArray *seen_ops;         /* of TtJobSeenOp, in order */
  GArray *seen_comms;       /* of TtJobSeenComm */
  GHashTable *seen_comm_of; /* name -> number + 1 */
  GArray *transfers;        /* of TtJobTransfer */
  gboolean has_ways;      /* transfers go over trees: of one piece a rank has several, that the traces call the same */
  TtJobCell *ways;        /* by node: what is known of a tree's transfers; NULL: there are none */
  GHashTable *piece_sums; /* of groups that cannot be told piece by piece; NULL: none needed yet */
} TtJobParts;

static inline gboolean
tt_job_is_link_kind (TtStepNodeKind kind)
{
  return kind == TT_STEP_NODE_PUSH_REQ || kind == TT_STEP_NODE_PUSH_RES || kind == TT_STEP_NODE_PULL_REQ || kind == TT_STEP_NODE_PULL_RES;
}

void tt_job_shape_clear (gpointer shape);
void tt_job_note (TtTrainingJob *job, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* training-job-inputs.c: from definitions and metadata. */
gboolean tt_job_find_names (TtJobParts *self, GError **error);
gboolean tt_job_find_ranks (TtJobParts *self, GError **error);
gboolean tt_job_read_connections (TtJobParts *self, GError **error);
gboolean tt_job_read_local_graph (TtJobParts *self, GError **error);
gboolean tt_job_find_shapes (TtJobParts *self, GError **error);
/* Each row: key and value of an element of the JSON at @path in the metadata @key of @process. */
gboolean tt_job_each_json (TtJobParts *self,
                           guint32 process,
                           const char *key,
                           const char *path,
                           TtQueryRowFunc func,
                           gpointer data,
                           GError **error);

/* training-job-servers.c: workers and parameter servers. */

/* Behind the ranks: the places between workers and servers. */
gboolean tt_job_find_places (TtJobParts *self, GError **error);
/* The groups that went over them. */
gboolean tt_job_plan_servers (TtJobParts *self, TtStepGroup *groups, GError **error);

/* training-job-leads.c: how long they hesitate. */
void tt_job_fill_leads (TtJobParts *self);

/* training-job-events.c: one scan, in (ts, name) order. */
gboolean tt_job_read_events (TtJobParts *self, GError **error);
TtJobCell *tt_job_cell (const TtJobParts *self, guint32 rank, guint32 name);

/* training-job-seen.c: what the first rank did in the typical step, and what the model's graph has from it. */
void tt_job_seen_init (TtJobParts *self);
void tt_job_seen_clear (TtJobParts *self);
/* In order of time. */
void tt_job_see_operator (TtJobParts *self, guint32 name, gint64 ts_ns, gint64 end_ns);
void tt_job_see_comm (TtJobParts *self, const char *tensors, gint64 ts_ns, gint64 end_ns);
/* Chains the operators where there is no graph, and joins the groups that it says nothing of. */
void tt_job_complete_local_graph (TtJobParts *self);

/* training-job-facts.c: what the nodes of the graph get of it. */
void tt_job_fill_facts (TtJobParts *self);
TtJobCell *tt_job_cell_of_text (const TtJobParts *self, guint32 rank, const char *text);
TtJobCell *tt_job_cell_of_node (const TtJobParts *self, const TtStepNode *node);

/* training-job-ways.c: which node a span is of that was kept. */
void tt_job_place_transfers (TtJobParts *self);

/* training-job-groups.c: what a replay needs to know of the communication beyond facts: orders, latencies, ends of RECVs. */
void tt_job_fill_transfers (TtJobParts *self);
void tt_job_fill_group_gaps (TtJobParts *self);
