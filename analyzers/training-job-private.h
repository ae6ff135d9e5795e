/*
 * The pieces that make a TtTrainingJob; used by analyzers/training-job*.c only.
 */
#pragma once

#include "analyzers/training-job.h"

/* All spans of one name on one rank. */
typedef struct
{
  guint32 rank, name;
  guint64 cnt;
  tt_int128 sum_ns, end_sum_ns;         /* of durations, of ends */
  TtJobGap gap;                         /* operatorGAPoperator */
  gint64 typical_ts_ns, typical_end_ns; /* of its last span in the typical step; TT_NO_TIME: none there */
} TtJobCell;

/* A SEND or RECV span, kept when RECVs are to be clipped. */
typedef struct
{
  guint32 rank, name;
  gint32 step;
  gint64 ts_ns, dur_ns;
} TtJobTransfer;

typedef struct
{
  TtTrainingJob *job;
  TtStore *store;
  const TtTrainingJobOptions *options;
  guint32 max_name;
  guint32 *first_name; /* by name id: the id that stands for its text */
  guint8 *kinds;       /* TtJobKind by such an id; TT_JOB_OTHER: no node of a job */
  GHashTable *name_of; /* "text~>suffix" -> id */
  guint32 *rank_of;    /* by process id; TT_JOB_NO_RANK: none of the job */

  /* the model's graph */
  GPtrArray *local_names; /* of char * */
  GArray *local_edges;    /* of guint32[2] */
  gboolean is_chained;    /* there is no local graph: operators follow one another as in the typical step */

  /* the events */
  GArray *cells;       /* of TtJobCell */
  GHashTable *cell_of; /* gint64 (rank << 32 | name) -> number + 1 */
  GArray *
      first_comm; /* by rank: number + 1 of the cell of the first communication but Sync in the typical step; 0: none */
  GPtrArray *groups;      /* names of groups ("3+4") in the order of their first event in the typical step; owned */
  GHashTable *group_of;   /* tensor -> name of its group; both owned by this table */
  GPtrArray *typical_ops; /* of the first rank in the typical step, in order: texts of operators and "Comm.x"; owned */
  GArray *transfers;      /* of TtJobTransfer */
} TtJobParts;

void tt_job_shape_clear (gpointer shape);
void tt_job_note (TtTrainingJob *job, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* training-job-inputs.c: from definitions and metadata. */
gboolean tt_job_find_names (TtJobParts *self, GError **error);
gboolean tt_job_find_ranks (TtJobParts *self, GError **error);
gboolean tt_job_read_connections (TtJobParts *self, GError **error);
gboolean tt_job_read_local_graph (TtJobParts *self, GError **error);
gboolean tt_job_find_shapes (TtJobParts *self, GError **error);

/* training-job-events.c: one scan, in (ts, name) order. */
gboolean tt_job_read_events (TtJobParts *self, GError **error);
TtJobCell *tt_job_cell (const TtJobParts *self, guint32 rank, guint32 name);

/* training-job-facts.c: what the nodes of the graph get of it. */
void tt_job_fill_facts (TtJobParts *self);
