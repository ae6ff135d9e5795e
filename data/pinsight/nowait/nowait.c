/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with and without nowait: usage: nowait ROUNDS TRUTH. Writes what it did, by CLOCK_MONOTONIC: kind, round, thread, begin,
 * end. PInsight recorded it whole (whole), and with [SET Lexgion(0x401390, 0x4015d2)] : OpenMP.default (own), the code
 * pointers of the loops with nowait: clang -O1 -fopenmp -no-pie. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static FILE *truth;

static long
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void
rest (long us)
{
  struct timespec t = { 0, us * 1000 };

  nanosleep (&t, NULL);
}

static void
note (const char *kind, int round, long begin_ns)
{
  fprintf (truth, "%s\t%d\t%ld\t%ld\t%ld\n", kind, round, syscall (SYS_gettid), begin_ns, now ());
}

int
main (int argc, char **argv)
{
  int n_rounds = argc > 2 ? atoi (argv[1]) : 0;

  if (n_rounds < 1)
    return 2;
  truth = fopen (argv[2], "w");
  for (int i = 0; i < n_rounds; i++)
    {
#pragma omp parallel num_threads(4)
      {
        long begin_ns = now ();
#pragma omp for schedule(static, 1) nowait
        for (int j = 0; j < 8; j++)
          rest (100 + j % 4 * 150);
        note ("nowait-then-work", i, begin_ns);
        rest (300 * (4 - omp_get_thread_num ()));
        note ("region-1", i, begin_ns);
      }
#pragma omp parallel num_threads(4)
      {
        long begin_ns = now ();
#pragma omp for schedule(static, 1) nowait
        for (int j = 0; j < 8; j++)
          rest (100 + j % 4 * 150);
        note ("nowait-then-loop", i, begin_ns);
        rest (200 * omp_get_thread_num ());
        begin_ns = now ();
#pragma omp for schedule(static, 1)
        for (int j = 0; j < 4; j++)
          {
            rest (100 + j * 100);
            note ("loop", i, begin_ns);
          }
        rest (100 * omp_get_thread_num ());
        note ("region-2", i, begin_ns);
      }
    }
  fclose (truth);
  return 0;
}
