/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of messages, sums among halves, broadcasts, a thread: recorded as data/README.md says. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *work (void *p) { usleep (3000); return p; }
int main (int argc, char **argv)
{
  int rank, n, v[4] = {0}, w[4]; MPI_Request r[4]; MPI_Comm half; pthread_t t;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank); MPI_Comm_size (MPI_COMM_WORLD, &n);
  MPI_Comm_split (MPI_COMM_WORLD, rank % 2, rank, &half);
  pthread_create (&t, NULL, work, NULL);
  for (int i = 0; i < 5; i++)
    {
      usleep (1000 * (rank + 1));
      int to = (rank + 1) % n, from = (rank + n - 1) % n;
      MPI_Irecv (&w[0], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &r[0]);
      MPI_Irecv (&w[1], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &r[1]);
      MPI_Isend (&v[0], 1, MPI_INT, to, 7, MPI_COMM_WORLD, &r[2]);
      MPI_Isend (&v[1], 1, MPI_INT, to, 7, MPI_COMM_WORLD, &r[3]);
      MPI_Wait (&r[1], MPI_STATUS_IGNORE); MPI_Wait (&r[0], MPI_STATUS_IGNORE);
      MPI_Waitall (2, r + 2, MPI_STATUSES_IGNORE);
      MPI_Allreduce (v, w, 4, MPI_INT, MPI_SUM, half);
      MPI_Bcast (v, 4, MPI_INT, 0, MPI_COMM_WORLD);
      if (rank == 0) MPI_Send (v, 4, MPI_INT, 1, 3, MPI_COMM_WORLD);
      if (rank == 1) MPI_Recv (v, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  pthread_join (t, NULL);
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Finalize ();
  return 0;
}
