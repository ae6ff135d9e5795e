/*
 * TtScaledJob: a job on another number of GPUs, as far as its traces tell.
 *
 * The model stays, each rank computes as long as the ranks did on average; rings are those of the ranks in a row. A rank's data is cut
 * into one chunk a rank, so that a transfer takes n / N of what it took on n ranks (its latency is taken to be 0), on the average
 * of transfers within a host or between hosts; hosts keep their number of GPUs.
 */
#pragma once

#include "analyzers/training-job.h"

typedef struct
{
  TtNccl *nccl;
  GStrv pids;
  TtJobGraph *graph;
  TtJobTimes *times;
  GPtrArray *notes; /* of char *: what was assumed */
} TtScaledJob;

/* @times: of the job's nodes. NULL with @error: transfers that are not rings, or @n_ranks is too large for a graph of this job. */
TtScaledJob *tt_scaled_job_new (const TtTrainingJob *job, const TtJobTimes *times, guint n_ranks, GError **error);
void tt_scaled_job_free (TtScaledJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtScaledJob, tt_scaled_job_free)
