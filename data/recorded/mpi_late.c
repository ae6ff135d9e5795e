/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI programs in which one rank sleeps longer than the others, to be recorded by a tracer:
 *   mpicc -O1 -o mpi_late mpi_late.c; mpirun -n RANKS ./mpi_late oneway|lazy|barriers|rma
 * In `lazy` those who receive are late, so that no message says anything of clocks.
 */
#include <mpi.h>
#include <string.h>
#include <time.h>

static int rank, n_ranks;

static void
work (int ms)
{
  nanosleep (&(struct timespec){ 0, ms * 1000000L }, NULL);
}

/* From rank 0 to all others. */
static void
send_out (int work_ms, int others_work_ms)
{
  int value = 0;

  for (int i = 0; i < 5; i++)
    if (rank == 0)
      {
        work (work_ms);
        for (int to = 1; to < n_ranks; to++)
          MPI_Send (&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
      }
    else
      {
        work (others_work_ms + rank);
        MPI_Recv (&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
}

static void
meet (void)
{
  for (int i = 0; i < 3; i++)
    {
      work (rank == 1 ? 30 : 7 + rank);
      MPI_Barrier (MPI_COMM_WORLD);
    }
  work (rank == 0 ? 25 : 5);
  MPI_Barrier (MPI_COMM_WORLD);
}

static void
get (void)
{
  int buffer[8] = { 0 }, value = rank;
  MPI_Win window;

  MPI_Win_create (buffer, sizeof buffer, sizeof (int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence (0, window);
  for (int i = 0; i < 5; i++)
    {
      work (rank == i % n_ranks ? 30 : 4);
      MPI_Get (&value, 1, MPI_INT, (rank + 1) % n_ranks, 0, 1, MPI_INT, window);
      MPI_Win_fence (0, window);
    }
  MPI_Win_free (&window);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  if (strcmp (argv[1], "oneway") == 0)
    send_out (18, 2);
  else if (strcmp (argv[1], "lazy") == 0)
    send_out (5, 12);
  else if (strcmp (argv[1], "barriers") == 0)
    meet ();
  else
    get ();
  MPI_Finalize ();
  return 0;
}
