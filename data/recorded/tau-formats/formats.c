/* SPDX-License-Identifier: Apache-2.0 */
/* A plan that every recording has to show: thread n calls outer(n) ... outer(n + 3), outer(k) calls inner() k times and tells k values.
 * Recorded once in each of TAU's formats, by TAU (commit c6fbe8e06) configured with -pthread and -otf for Debian's libotf2 3.0.2:
 *   gcc -DPROFILING_ON -DTRACING_ON -DPTHREADS -DTAU_GNU -DTAU_DOT_H_LESS_HEADERS -I TAU/include formats.c -lTAUsh-pthread -lpthread
 *   TAU_TRACE=1 ./a.out; TAU_TRACE=1 TAU_TRACE_FORMAT=otf2 ./a.out
 * Paths in events.0.edf were changed. */
#include <TAU.h>
#include <pthread.h>
#include <unistd.h>
static void
inner (int i)
{
  TAU_PROFILE_TIMER (t, "inner", "(int)", TAU_USER);
  TAU_PROFILE_START (t);
  usleep (100 + 50 * i);
  TAU_PROFILE_STOP (t);
}
static void
outer (int n)
{
  TAU_PROFILE_TIMER (t, "outer", "(int)", TAU_USER);
  TAU_PROFILE_START (t);
  TAU_REGISTER_EVENT (e, "bytes moved");
  for (int i = 0; i < n; i++)
    {
      inner (i);
      TAU_EVENT (e, 1000.0 * i + n);
    }
  TAU_PROFILE_STOP (t);
}
static void *
work (void *p)
{
  TAU_REGISTER_THREAD ();
  TAU_PROFILE_TIMER (t, "work", "(void *)", TAU_USER);
  TAU_PROFILE_START (t);
  for (int i = 0; i < 4; i++)
    outer ((int) (long) p + i);
  TAU_PROFILE_STOP (t);
  return 0;
}
int
main (int argc, char **argv)
{
  TAU_INIT (&argc, &argv);
  TAU_PROFILE_SET_NODE (0);
  TAU_PROFILE_TIMER (m, "main()", "int (int, char **)", TAU_DEFAULT);
  TAU_PROFILE_START (m);
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create (&t[i], 0, work, (void *) (i + 3));
  outer (7);
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], 0);
  TAU_PROFILE_STOP (m);
  return 0;
}
