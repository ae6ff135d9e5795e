/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobNetwork: the network of a job, fitted to its transfers.
 *
 * Groups of tensors of different sizes are played through (tt_collective_play()) with a latency and a bandwidth within
 * hosts and between them, until they take what they took and their SENDs, too. What a collective would take under other
 * conditions is what it took, times what playing both says. Who shares links is tried; ways that explain the trace as well
 * as the chosen one are kept, for what they say of a change may differ.
 */
#pragma once

#include "analyzers/training-job/collective.h"
#include "analyzers/training-job/machine.h"
#include "analyzers/training-job/training-job.h"

#define TT_NETWORK_MAX_OTHERS 5

typedef struct
{
  TtNetworkModel model, others[TT_NETWORK_MAX_OTHERS];
  guint n_others;     /* that explain the trace as well */
  guint n_unlikely;   /* after these: that explain it hardly worse; they count where pieces would go other ways */
  TtAllReduce traced; /* without bytes */
  guint n_groups;
  double *bytes;       /* by group */
  guint *n_pieces;     /* by group: as traced, if not as NCCL would; else 0 */
  double *measured_ns; /* by group: mean over steps; 0: not seen */
  double *played_ns;
  double residual; /* root of the mean square of ln (played / measured) */
  gboolean has_within, has_between;
  char *slow_host;          /* whose NICs are slower, by its first rank; NULL: all are alike */
  gboolean is_told;         /* of links that were not traced the machine says what they can do */
  gboolean is_guessed;      /* bytes of some groups, from what they took */
  gboolean is_contradicted; /* what was traced does not go with what the machine can do */
} TtJobNetwork;

/* @machine: what is known of the hosts, or NULL. NULL with @error: transfers over rings or trees were not traced, the bytes of no group are known, hosts differ. */
TtJobNetwork *tt_job_network_new (const TtTrainingJob *job, const TtJobMachine *machine, GError **error);
void tt_job_network_free (TtJobNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobNetwork, tt_job_network_free)

/* A group as it was traced. */
static inline TtAllReduce
tt_job_network_collective (const TtJobNetwork *self, guint group)
{
  TtAllReduce collective = self->traced;

  collective.bytes = self->bytes[group];
  collective.n_pieces = self->n_pieces[group];
  return collective;
}

/* GPUs a host; 0: hosts have different numbers of them, or their ranks are not in a row. */
guint tt_job_gpus_per_host (const TtTrainingJob *job);
