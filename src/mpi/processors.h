/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which processors a rank may use. mpirun gives each of few ranks a core; what rank 0 does alone, in threads, need not leave those of the ranks idle
 * that wait for it on the same node.
 */
#pragma once

#include <glib.h>

/* All ranks together: what each may use goes to those of its node, some hundred bytes. */
void tt_mpi_gather_processors (void);
/* The calling thread, and those that it begins: @all that ranks of this node may use, or again its own. */
void tt_mpi_use_processors (gboolean all);
