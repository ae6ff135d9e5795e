/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that makes LTTng discard events, and writes down itself what it did: of each call its thread, function, begin
 * and end on the monotonic clock. Every function of it tells LTTng when it is entered and left (-finstrument-functions).
 *
 *   gcc -O1 -g -finstrument-functions -pthread -o discard discard.c
 *   lttng create discard --output=DIR
 *   lttng enable-channel -u tiny --discard --subbuf-size=4096 --num-subbuf=2 --buffers-uid
 *   lttng enable-event -u -c tiny 'lttng_ust_cyg_profile:*'
 *   lttng add-context -u -c tiny -t vpid -t vtid && lttng start
 *   LD_PRELOAD=liblttng-ust-cyg-profile.so ./discard truth.tsv && lttng destroy
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__ ((no_instrument_function))
#define MAX_CALLS 4000

static struct
{
  long tid;
  const void *function;
  long long begin_ns, end_ns;
} calls[MAX_CALLS];
static int n_calls;

QUIET static long long
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

QUIET static int
begin_call (const void *function)
{
  int i = __atomic_fetch_add (&n_calls, 1, __ATOMIC_RELAXED);

  calls[i].tid = gettid ();
  calls[i].function = function;
  calls[i].begin_ns = now ();
  return i;
}

QUIET static void
end_call (int i)
{
  calls[i].end_ns = now ();
}

__attribute__ ((noinline)) void
leaf (int n)
{
  int call = begin_call (leaf);

  for (volatile int i = 0; i < n * 50; i++)
    ;
  end_call (call);
}

__attribute__ ((noinline)) void
branch (int n)
{
  int call = begin_call (branch);

  leaf (n);
  if (n % 3 == 0)
    leaf (n / 2);
  end_call (call);
}

/* More at once than the buffers hold, then a rest in which they are emptied. */
__attribute__ ((noinline)) void *
worker (void *data)
{
  int call = begin_call (worker);

  for (int round = 0; round < 4; round++)
    {
      for (int i = 1; i <= 180; i++)
        branch (i);
      usleep (40000);
      leaf (2000);
    }
  end_call (call);
  return data;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  FILE *log = argc > 1 ? fopen (argv[1], "w") : NULL;

  if (log == NULL)
    return 1;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < n_calls; i++)
    fprintf (log, "%ld\t%p\t%lld\t%lld\n", calls[i].tid, calls[i].function, calls[i].begin_ns, calls[i].end_ns);
  return fclose (log);
}
