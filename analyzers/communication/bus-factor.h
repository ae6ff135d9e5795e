/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bus bandwidth of nccl-tests (doc/PERFORMANCE.md there) is of the algorithm bandwidth.
 */
#pragma once

#include <glib.h>

/* @n_ranks: of the group, 0: not said. FALSE: not known. */
gboolean tt_comm_bus_factor (const char *function, guint32 n_ranks, double *factor);
