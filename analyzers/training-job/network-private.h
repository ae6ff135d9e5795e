/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside tt_job_network_new(): what is measured (network-measure.c), and what explains it best (network-fit.c).
 */
#pragma once

#include "analyzers/training-job/network.h"

#define TT_NETWORK_NO_HOST G_MAXUINT
/* Groups that are fitted. */
#define TT_NETWORK_MAX_FITTED 6

/* Of a group: SENDs of one class. */
typedef struct
{
  double sum_ns;
  guint64 n;
} TtNetworkSends;

typedef struct
{
  TtJobNetwork *network;
  const TtTrainingJob *job;
  const TtJobMachine *machine;      /* or NULL */
  TtNetworkSends *within, *between; /* by group */
  TtNetworkSends *slow;             /* likewise, from or to the slow host */
  guint fitted[TT_NETWORK_MAX_FITTED], n_fitted;
  gboolean is_bus_known;
  guint slow_host; /* its NICs seem to be slower than others; TT_NETWORK_NO_HOST */
} TtNetworkFit;

/* What collectives took, and their SENDs. */
void tt_network_measure (TtNetworkFit *self);
/* Groups to fit: none if the bytes of none are known. */
void tt_network_choose_fitted (TtNetworkFit *self);
/* The model of the network, and others that cannot be told from it. */
void tt_network_fit (TtNetworkFit *self);

/* How far a time is off: the square of a logarithm; 0: nothing to compare. */
double tt_network_square_log (double played, double measured);
