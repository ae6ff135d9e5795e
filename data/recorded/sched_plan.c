/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three threads on one processor, whose states perf_sched.py records: each computes, sleeps, and waits for the one before it; then the first
 * writes to the disk, past the kernel's cache.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define N_THREADS 3
#define N_ROUNDS 4
#define BLOCK 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static long
now_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void
compute (long us)
{
  const long until = now_us () + us;

  while (now_us () < until)
    ;
}

static void *
run (void *data)
{
  const int number = (int) (long) data;
  const char name[] = { 'p', 'l', 'a', 'n', '-', (char) ('0' + number), '\0' };

  prctl (PR_SET_NAME, name);
  for (int round = 0; round < N_ROUNDS; round++)
    {
      compute (3000 * (number + 1));
      usleep (2000);
      pthread_mutex_lock (&lock);
      while (turn % N_THREADS != number)
        pthread_cond_wait (&changed, &lock);
      turn++;
      pthread_cond_broadcast (&changed);
      pthread_mutex_unlock (&lock);
    }
  return NULL;
}

static void
write_past_cache (const char *path)
{
  void *block = NULL;
  int fd = open (path, O_CREAT | O_WRONLY | O_DIRECT, 0600);

  if (fd < 0 || posix_memalign (&block, BLOCK, BLOCK) != 0)
    exit (1);
  memset (block, 0, BLOCK);
  for (int i = 0; i < 8; i++)
    if (pwrite (fd, block, BLOCK, (off_t) i * BLOCK) != BLOCK)
      exit (1);
  free (block);
  close (fd);
  unlink (path);
}

int
main (int argc, char **argv)
{
  pthread_t threads[N_THREADS];
  cpu_set_t one;

  CPU_ZERO (&one);
  CPU_SET (0, &one);
  sched_setaffinity (0, sizeof one, &one);
  for (long i = 0; i < N_THREADS; i++)
    pthread_create (&threads[i], NULL, run, (void *) i);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join (threads[i], NULL);
  write_past_cache (argc > 1 ? argv[1] : "sched_plan.tmp");
  return 0;
}
