/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranks of an MPI job as those of src/shards/ranks.h. An error of MPI itself ends the job: nothing here returns it.
 */
#pragma once

#include "src/shards/ranks.h"

/* Before anything else of the program; all ranks together. */
const TtShardRanks *tt_mpi_start (int *argc, char ***argv);
/* On other ranks than 0: sleeps until rank 0 has begun an import, or FALSE: has ended. */
gboolean tt_mpi_wait (void);
/* On other ranks than 0, after tt_mpi_wait() was TRUE: what became of this rank's part. @text: why it failed. */
void tt_mpi_report (int status, const char *text);
/* On rank 0 the others may go, too; where it was cancelled while they wrote a file, they are ended. */
void tt_mpi_end (void);
