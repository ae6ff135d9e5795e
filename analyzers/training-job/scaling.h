/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtScaledJob: a job on another number of GPUs, as far as its traces allow.
 *
 * The model stays, hosts keep their number of GPUs unless told otherwise, and host h computes as host h modulo the number of traced hosts
 * did. Rings connect the ranks in a row: a rank's data is cut into one chunk a rank, so that the part of a transfer's
 * time that depends on its size is n / N of the time on n ranks; the rest, the latency, is estimated from groups of
 * different sizes, or taken to be 0. Trees are made as NCCL makes them: the GPUs of a host in a row, the first GPUs of
 * hosts in a binary tree (in a row, if they were), of odd channels counted from the last host; their chunks stay as
 * large. Transfers within a host and between hosts are distinguished.
 */
#pragma once

#include "analyzers/training-job/training-job.h"

typedef struct
{
  TtNccl *nccl;
  GStrv pids;
  TtStepGraph *graph;
  TtStepNodeTimes *times;
  guint per_host;
  gboolean channels_at_once; /* for TtStepReplayOptions */
  GPtrArray *notes;          /* of char *: the assumptions */
} TtScaledJob;

/* @per_host: GPUs a host, 0: as traced; @times: of the job's nodes; @recv_is_rest: a RECV takes only the time after its SEND has ended, which does not
 * depend on sizes. NULL with @error: transfers that are no rings or trees, or @n_ranks is too large for a graph of
 * this job. */
TtScaledJob *tt_scaled_job_new (const TtTrainingJob *job,
                                const TtStepNodeTimes *times,
                                guint n_ranks,
                                guint per_host,
                                gboolean recv_is_rest,
                                GError **error);
/* Those of another step. */
void tt_scaled_job_set_times (TtScaledJob *self,
                              const TtTrainingJob *job,
                              const TtStepNodeTimes *times,
                              gboolean recv_is_rest);
void tt_scaled_job_free (TtScaledJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtScaledJob, tt_scaled_job_free)
