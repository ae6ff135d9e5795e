/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-callbacks: records a second through the callbacks of libtracetool-tau, next to a plain pass over
 * the bytes of the file in memory.
 *
 *   bench-callbacks RUN.trc RUN.edf [ROUNDS]
 */
#include "formats/tau/TAU_tf.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RECORD 24

typedef struct
{
  unsigned long long enters, leaves, messages, bytes, triggers;
} Counts;

/* Of the processor, so that what else the machine does counts less. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

static int
empty_state (void *data, double time, unsigned int node, unsigned int thread, unsigned int state)
{
  return 0;
}

static int
empty_message (void *data,
               double time,
               unsigned int a,
               unsigned int b,
               unsigned int c,
               unsigned int d,
               unsigned int size,
               unsigned int tag,
               unsigned int comm)
{
  return 0;
}

static int
empty_trigger (void *data, double time, unsigned int node, unsigned int thread, unsigned int event, long long value)
{
  return 0;
}

static int
count_enter (void *data, double time, unsigned int node, unsigned int thread, unsigned int state)
{
  ((Counts *) data)->enters++;
  return 0;
}

static int
count_leave (void *data, double time, unsigned int node, unsigned int thread, unsigned int state)
{
  ((Counts *) data)->leaves++;
  return 0;
}

static int
count_message (void *data,
               double time,
               unsigned int a,
               unsigned int b,
               unsigned int c,
               unsigned int d,
               unsigned int size,
               unsigned int tag,
               unsigned int comm)
{
  ((Counts *) data)->messages++;
  ((Counts *) data)->bytes += size;
  return 0;
}

static int
count_trigger (void *data, double time, unsigned int node, unsigned int thread, unsigned int event, long long value)
{
  ((Counts *) data)->triggers++;
  return 0;
}

/* Records read; -1: an error. */
static long long
read_all (const char *trc, const char *edf, const Ttf_CallbacksT *callbacks, int chunk)
{
  Ttf_FileHandleT file = Ttf_OpenFileForInput (trc, edf);
  long long records = 0;
  int n;

  if (file == NULL)
    return -1;
  while ((n = Ttf_ReadNumEvents (file, *callbacks, chunk)) > 0)
    records += n;
  Ttf_CloseFile (file);
  return n < 0 ? -1 : records;
}

static void
measure (const char *what, const char *trc, const char *edf, const Ttf_CallbacksT *callbacks, int chunk, int rounds)
{
  double best = 1e9;
  long long records = 0;

  for (int i = 0; i < rounds; i++)
    {
      double begin = now ();
      records = read_all (trc, edf, callbacks, chunk);
      double seconds = now () - begin;
      best = seconds < best ? seconds : best;
    }
  printf ("%-28s %8.1f M records/s  %6.3f s  %lld records\n", what, 1e-6 * (double) records / best, best, records);
}

static void
measure_memory (const char *trc, int rounds)
{
  struct stat status;
  int file = open (trc, O_RDONLY);
  double best = 1e9;
  uint64_t sum = 0;

  if (file < 0 || fstat (file, &status) != 0 || status.st_size < RECORD)
    return;
  size_t len = (size_t) status.st_size;
  const uint8_t *bytes = mmap (NULL, len, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (bytes == MAP_FAILED)
    return;
  for (int i = 0; i < rounds; i++)
    {
      double begin = now ();
      for (size_t at = 0; at + 8 <= len; at += 8)
        {
          uint64_t word;
          memcpy (&word, bytes + at, 8);
          sum += word;
        }
      double seconds = now () - begin;
      best = seconds < best ? seconds : best;
    }
  printf ("%-28s %8.1f M records/s  %6.3f s  (sum %llx)\n", "pass over the memory",
          1e-6 * (double) (len / RECORD) / best, best, (unsigned long long) sum);
  munmap ((void *) bytes, len);
  close (file);
}

int
main (int argc, char **argv)
{
  const int rounds = argc > 3 ? (int) strtol (argv[3], NULL, 10) : 3;
  Counts counts = { 0 };
  const Ttf_CallbacksT none = { 0 };
  const Ttf_CallbacksT empty = {
    .EnterState = empty_state,
    .LeaveState = empty_state,
    .SendMessage = empty_message,
    .RecvMessage = empty_message,
    .EventTrigger = empty_trigger,
  };
  const Ttf_CallbacksT counting = {
    .UserData = &counts,
    .EnterState = count_enter,
    .LeaveState = count_leave,
    .SendMessage = count_message,
    .RecvMessage = count_message,
    .EventTrigger = count_trigger,
  };
  struct rusage usage;

  if (argc < 3)
    {
      fprintf (stderr, "usage: bench-callbacks RUN.trc RUN.edf [ROUNDS]\n");
      return 2;
    }
  measure ("no callbacks", argv[1], argv[2], &none, 1 << 20, rounds);
  measure ("empty callbacks", argv[1], argv[2], &empty, 1 << 20, rounds);
  measure ("counting callbacks", argv[1], argv[2], &counting, 1 << 20, rounds);
  measure ("counting, 1024 a call", argv[1], argv[2], &counting, 1024, rounds);
  getrusage (RUSAGE_SELF, &usage);
  printf ("%-28s %8.1f MB\n", "memory at most", (double) usage.ru_maxrss / 1000);
  measure_memory (argv[1], rounds);
  return 0;
}
