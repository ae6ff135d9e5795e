/* SPDX-License-Identifier: Apache-2.0 */
/* Several native threads that each open parallel regions of their own: usage: roots MODE ROOTS ROUNDS TEAM TRUTH
 * Writes what it did, by CLOCK_MONOTONIC: kind (region or task), root, round, region, thread, number in team, begin, end.
 * MODE: free; lockstep: all begin each region at once and do other things between; short: a thread lives for two rounds;
 * nested: each thread of a team opens a region; sizes: teams of different sizes. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static FILE *truth;
static pthread_barrier_t gate;
static int n_rounds, team, is_lockstep, is_nested, is_short, has_sizes;

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
note (const char *kind, long root, int round, int region, long begin_ns)
{
  fprintf (truth, "%s\t%ld\t%d\t%d\t%ld\t%d\t%ld\t%ld\n", kind, root, round, region, syscall (SYS_gettid),
           omp_get_thread_num (), begin_ns, now ());
}

static void
inner (int round)
{
  long begin_ns = now (), root = syscall (SYS_gettid);

#pragma omp parallel num_threads(2)
  {
    long task_ns = now ();
    unsigned seed = (unsigned) (root * 7 + round + omp_get_thread_num ());
    rest (100 + rand_r (&seed) % 900);
    note ("task", root, round, 2, task_ns);
  }
  note ("region", root, round, 2, begin_ns);
}

static void *
run (void *data)
{
  long k = (long) data, root = syscall (SYS_gettid);
  int size = has_sizes ? team + (int) k : team;

  for (int i = 0; i < (is_short ? 2 : n_rounds); i++)
    {
      if (is_lockstep)
        pthread_barrier_wait (&gate);
      long begin_ns = now ();
#pragma omp parallel num_threads(size)
      {
        long task_ns = now ();
        unsigned seed = (unsigned) (k * 77 + i * 13 + omp_get_thread_num ());
        rest (200 + rand_r (&seed) % 20 * 100 + k * 150);
        if (is_nested)
          inner (i);
        note ("task", root, i, 0, task_ns);
      }
      note ("region", root, i, 0, begin_ns);
      if (is_lockstep)
        {
          pthread_barrier_wait (&gate);
          rest (2000);
        }
      begin_ns = now ();
#pragma omp parallel num_threads(size)
      {
        long task_ns = now ();
#pragma omp for schedule(static, 1)
        for (int j = 0; j < 6; j++)
          {
            unsigned seed = (unsigned) (k * 177 + i * 13 + j);
            rest (50 + rand_r (&seed) % 10 * 100);
          }
        rest (100 * (k + omp_get_thread_num ()));
        note ("task", root, i, 1, task_ns);
      }
      note ("region", root, i, 1, begin_ns);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int n_roots = argc > 5 ? atoi (argv[2]) : 0;
  pthread_t threads[16];

  if (n_roots < 1 || n_roots > 16)
    return 2;
  n_rounds = atoi (argv[3]);
  team = atoi (argv[4]);
  is_lockstep = strcmp (argv[1], "lockstep") == 0;
  is_nested = strcmp (argv[1], "nested") == 0;
  is_short = strcmp (argv[1], "short") == 0;
  has_sizes = strcmp (argv[1], "sizes") == 0;
  truth = fopen (argv[5], "w");
  pthread_barrier_init (&gate, NULL, (unsigned) n_roots);
  for (int round = 0; round < (is_short ? n_rounds : 1); round++)
    {
      for (long k = 0; k < n_roots; k++)
        pthread_create (&threads[k], NULL, run, (void *) k);
      for (int k = 0; k < n_roots; k++)
        pthread_join (threads[k], NULL);
    }
  fclose (truth);
  return 0;
}
