/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtServerJob: a job over parameter servers, as it is or with changes of its network, or on another number of workers.
 *
 * Servers stay as many as they are, and keep the parts of tensors that they have: where a part goes hangs on its key alone. A worker that was
 * not traced computes, pushes and pulls as a traced one does, in turn, in another step; each of its pushes is added by the thread of the
 * part. Compression changes what is sent; servers add as many bytes as before.
 */
#pragma once

#include "analyzers/training-job/server-network.h"
#include "analyzers/training-job/whole-job.h"

/* More are not replayed. */
#define TT_SERVER_MAX_WORKERS 128

typedef struct
{
  const TtTrainingJob *job;
  const TtServerNetwork *network;
  TtNetworkChange change;
  guint way; /* of the network's */
  const TtStepGraph *graph;
  TtStepGraph *own;  /* the graph, on another number of workers; else NULL */
  guint32 *from;     /* by node of it: the traced node, or TT_STEP_NO_NODE */
  guint32 *turns;    /* by endpoint of it: as of TtJobStepCopies */
  guint32 *ports;    /* by endpoint, as of the network */
  gboolean is_other; /* another number of workers */
  GPtrArray *notes;  /* of char * */
} TtServerJob;

/* NULL with @error, of usage: a change that these traces tell nothing of. */
TtServerJob *tt_server_job_new (const TtTrainingJob *job,
                                const TtServerNetwork *network,
                                const TtNetworkChange *change,
                                guint way,
                                GError **error);
void tt_server_job_free (TtServerJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtServerJob, tt_server_job_free)

/* Those of the step of @slot, one a node of the graph; free them. */
TtStepNodeTimes *tt_server_job_times (const TtServerJob *self, guint slot);
