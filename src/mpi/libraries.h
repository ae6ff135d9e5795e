/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MPI library loads plugins, and gives them back when it ends. Open MPI of Debian 12 may do so while a thread of PMIx is still in one: its next
 * instruction is gone then, and a rank that has said all that it had to say dies (SIGSEGV in the unwinder, once in some ten thousand short jobs).
 */
#pragma once

/* What is loaded now stays until the process ends. */
void tt_mpi_keep_libraries (void);
