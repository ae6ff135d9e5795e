/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bends the clock of the day for each rank of an MPI program, as if ranks ran on machines of their own:
 *   cc -shared -fPIC -O1 -o mpi_skew.so mpi_skew.c -ldl; LD_PRELOAD=mpi_skew.so SKEW=FILE mpirun ...
 * FILE has a line "RANK OFFSET DRIFT SINCE" for each rank: the clock shows t + OFFSET + (t - SINCE) * DRIFT / 10^9.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long offset, drift, since;

__attribute__ ((constructor)) static void
read_skew (void)
{
  const char *name = getenv ("SKEW"), *rank = getenv ("OMPI_COMM_WORLD_RANK");
  FILE *file = name && rank ? fopen (name, "r") : NULL;
  long long r, o, d, s;
  while (file && fscanf (file, "%lld %lld %lld %lld", &r, &o, &d, &s) == 4)
    if (r == atoll (rank))
      offset = o, drift = d, since = s;
  if (file)
    fclose (file);
}

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  int result = (int) syscall (SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME)
    {
      long long t = time->tv_sec * 1000000000LL + time->tv_nsec;
      t += offset + (long long) ((__int128) (t - since) * drift / 1000000000);
      time->tv_sec = t / 1000000000;
      time->tv_nsec = t % 1000000000;
    }
  return result;
}

int
gettimeofday (struct timeval *time, void *zone)
{
  struct timespec t;
  int result = clock_gettime (CLOCK_REALTIME, &t);
  (void) zone;
  time->tv_sec = t.tv_sec;
  time->tv_usec = t.tv_nsec / 1000;
  return result;
}
