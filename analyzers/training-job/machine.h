/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobMachine: what NCCL's own files say of a host: how its GPUs are connected, and what its links can do at most.
 *
 * Bandwidths are of NCCL's tables (graph/topo.h, graph/topo.cc), or of its search for rings. 0: not said.
 */
#pragma once

#include "analyzers/training-job/collective.h"

/* The slowest link of a way, as NCCL has them; what nvidia-smi calls NODE is PHB there. */
typedef enum
{
  TT_MACHINE_UNKNOWN,
  TT_MACHINE_NVL,
  TT_MACHINE_PIX, /* one PCI switch */
  TT_MACHINE_PXB, /* several */
  TT_MACHINE_PHB, /* a host bridge */
  TT_MACHINE_SYS, /* from one NUMA node to another */
} TtMachineWay;

typedef struct
{
  guint n_gpus, n_nics;
  guint sm;                     /* of its GPUs, the least; 90: Hopper */
  gboolean has_switch;          /* NVLinks lead to a switch */
  TtMachineWay within, between; /* from GPU to GPU, and to the nearest NIC, the worst of each */
  double within_bytes_per_ns;   /* of a GPU one way, or of the bus */
  double between_bytes_per_ns;  /* of a NIC */
} TtJobMachine;

/* Whether a fitted link cannot be one of @told bytes per ns; 0: nothing is told. */
gboolean tt_job_machine_contradicts (const TtLinkModel *link, double told);
/* Links that each channel has become links of @told that have a limit a channel. */
void tt_job_machine_limit_channels (TtLinkModel *link, double told, TtLinkSharing sharing);
/* Fills links of classes that were not traced: as the machine has them, or (NULL, or not told) like the others. */
void
tt_job_machine_suppose (const TtJobMachine *machine, gboolean has_within, gboolean has_between, TtNetworkModel *model);
