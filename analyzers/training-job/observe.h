/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobObservations: what the events of a run say about a job: how long each name takes on each endpoint, which tensors
 * were communicated together, and what the reference rank did in the typical step.
 *
 * The reference rank is the first; where the traces have no graph of the model, its order of operators stands for one.
 * The typical step is the one nearest to the run's iteration (analyzers/steps). observe.c alone writes the
 * observations.
 */
#pragma once

#include "analyzers/training-job/options.h"
#include "analyzers/training-job/samples.h"
#include "analyzers/training-job/topology.h"
#include "src/base/map64.h"

/* An operator of the reference rank in the typical step. */
typedef struct
{
  guint32 name;
  gint64 ts_ns, end_ns;
} TtJobReferenceOp;

/* From the first start to the last end of the communication under one name ("3", "3+4") there. */
typedef struct
{
  char *name;
  gint64 ts_ns, end_ns;
} TtJobReferenceComm;

/* Steps whose spans are kept one by one: all of a short run, else these many over the whole run. */
#define TT_JOB_MAX_KEPT_STEPS 12

typedef struct
{
  gint32 typical_step;
  guint n_steps;
  gint64 iteration_ns; /* measured: mean over ranks and steps by the rule of analyzers/steps; 0: no steps */

  GArray *samples;      /* of TtJobSamples */
  TtMap64 sample_of;    /* endpoint << 32 | name -> index in samples */
  GArray *first_comm;   /* of guint32, by endpoint: samples of its first communication but Sync in the typical step */
  GPtrArray *groups;    /* names of groups ("3+4") in the order of their first event in the typical step; owned */
  GHashTable *group_of; /* tensor -> name of its group: the largest that names it; both owned */
  GHashTable *known_groups;      /* names of groups -> GINT_TO_POINTER (they were seen otherwise than by a Sync) */
  GHashTable *piece_tensors;     /* tensors of groups of which SEND and RECV were seen; owned */
  GArray *reference_ops;         /* of TtJobReferenceOp, in time order */
  GArray *reference_comms;       /* of TtJobReferenceComm, in the order of their first span */
  GHashTable *reference_comm_of; /* name -> index in reference_comms */
  GArray *spans;                 /* of TtJobSpan: the timing stage takes them over */
  guint n_kept;                  /* 0: there are no steps */
  gint32 kept_steps[TT_JOB_MAX_KEPT_STEPS]; /* ascending */
  GArray *kept_spans;                       /* of TtJobKeptSpan, in (ts, name) order */
} TtJobObservations;

/* Input of the scan besides the store. */
typedef struct
{
  const TtJobNames *names;
  const TtJobTopology *topology;
  gboolean has_model_graph;     /* else operators are chained, and their gaps may be long */
  gboolean has_tree_directions; /* transfers go over trees: of one piece a rank has several, under one name */
  TtRecvRule recv;
  gboolean sync_groups; /* as of TtTrainingJobOptions */
} TtJobObserveInput;

TtJobObservations *tt_job_observations_new (void);
void tt_job_observations_free (TtJobObservations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobObservations, tt_job_observations_free)

/* Typical step and iteration; first. */
gboolean tt_job_observe_steps (TtJobObservations *self, TtStore *store, TtNotes *notes, GError **error);
/* All else: one scan, in (ts, name) order. */
gboolean
tt_job_observe_events (TtJobObservations *self, TtStore *store, const TtJobObserveInput *input, GError **error);

/* The samples of a name on an endpoint; NULL: it was not traced there. */
const TtJobSamples *tt_job_observations_find (const TtJobObservations *self, guint32 endpoint, guint32 name);

/* -- communication of the reference rank -------------------------------------------------------------------------- */

/* Widens the entry of @name in @comms (of TtJobReferenceComm) to @ts_ns .. @end_ns, or adds it. @index_of: name ->
 * index. */
void tt_job_reference_comm_widen (GArray *comms, GHashTable *index_of, const char *name, gint64 ts_ns, gint64 end_ns);
GArray *tt_job_reference_comms_new (void);

/* -- groups of tensors (observe-groups.c) ------------------------------------------------------------------------- */

/* Tensors that were communicated together: the group of a tensor is the largest that names it. */
void tt_job_observe_group (TtJobObservations *self, const char *op_name, TtStepNodeKind kind);
/* Once all were seen. Sync is one span of all tensors that a rank waits for at a time, which may be those of several
 * groups: it makes a group only of tensors of which no pieces were seen. */
void tt_job_settle_groups (TtJobObservations *self);
