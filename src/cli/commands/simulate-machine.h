/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `--topology`: the files of NCCL_TOPO_DUMP_FILE and NCCL_GRAPH_DUMP_FILE, as far as simulate uses them.
 */
#pragma once

#include "analyzers/training-job/machine.h"

/* Adds what the file at @path says. FALSE with @error: it is none of NCCL's, or cannot be read. */
gboolean tt_simulate_machine_read (TtJobMachine *self, const char *path, GError **error);
/* "2 GPUs by NVL at 40.0 GB/s, 1 NIC by PIX at 3.1 GB/s" */
char *tt_simulate_machine_describe (const TtJobMachine *self);
