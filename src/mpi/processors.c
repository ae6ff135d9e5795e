/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/mpi/processors.h"

#include <mpi.h>
#include <sched.h>

#ifdef CPU_SETSIZE

static cpu_set_t own, of_node;

void
tt_mpi_gather_processors (void)
{
  MPI_Comm node;

  if (sched_getaffinity (0, sizeof own, &own) != 0)
    CPU_ZERO (&own);
  of_node = own;
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Allreduce (&own, &of_node, (int) sizeof own, MPI_BYTE, MPI_BOR, node);
  MPI_Comm_free (&node);
}

/* Where it is refused (a machine of more processors than a set has), each rank keeps its own. */
void
tt_mpi_use_processors (gboolean all)
{
  if (CPU_COUNT (&own) > 0)
    sched_setaffinity (0, sizeof own, all ? &of_node : &own);
}

#else

void
tt_mpi_gather_processors (void)
{
}

void
tt_mpi_use_processors (gboolean all)
{
  (void) all;
}

#endif
