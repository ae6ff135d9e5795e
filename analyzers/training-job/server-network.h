/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtServerNetwork: the network between the workers of a job and its parameter servers, as the traces tell of it.
 *
 * A transfer takes a latency, which is what those without bytes take (answers to pushes, requests to pull), and what its bytes take
 * alone on the NICs of both ends. What else passes a NIC the same way at the time makes it longer: how much of a transfer's time is
 * its own is told by who else was under way. The same part of a tensor has as many bytes whenever and to whomever it goes: whether NICs are
 * shared, or each link is slow by itself, is told by which of both makes it alike.
 */
#pragma once

#include "analyzers/training-job/training-job.h"

typedef struct
{
  gboolean is_shared; /* NICs; else each link is one by itself */
  double spread;      /* of alike bytes: root of the mean square of ln (alone / usual), weighed by usual */
  double *alone_ns;   /* by slot and node: what its bytes take; 0: it has none, or was not traced */
} TtServerWay;

typedef struct
{
  const TtTrainingJob *job; /* borrowed */
  guint n_workers, n_servers;
  guint gpus_per_worker;
  GHashTable *servers; /* number in its name -> GUINT_TO_POINTER (number from 0, of those with links) */
  guint32 *ports;      /* by endpoint: [2 * endpoint], of its source and its target; 0: it is no link */
  double latency_ns;
  gboolean is_piped; /* a link takes the next message when the bytes of one are out; else when it is there */
  double *taken_ns;  /* by slot and node: what a transfer took from when its link was free; 0: not traced */
  TtServerWay ways[2];
  guint n_ways;      /* 2: which of both is right is not told */
  guint n_transfers; /* with bytes, that were fitted */
} TtServerNetwork;

/* NULL with @error, of usage: no transfers between workers and servers were traced, workers differ, too many. */
TtServerNetwork *tt_server_network_new (const TtTrainingJob *job, GError **error);
void tt_server_network_free (TtServerNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtServerNetwork, tt_server_network_free)

/* Of a link that is no thread, as one of @worker among @n_workers: ports of workers, then of servers; those out of a machine, then those
 * into it. */
void tt_server_network_ports (const TtServerNetwork *self,
                              guint n_workers,
                              const TtJobLink *link,
                              guint worker,
                              guint32 ports[2]);
/* What was fitted; free it. */
char *tt_server_network_describe (const TtServerNetwork *self);
