/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program says of its own calls: around each it takes its own times by the system call, past any library that
 * bends clocks, and leaves them in $STAMPS/RANK.tsv, with what the author of a cause says of its waits; mpi_causes.py
 * makes truth.json of them.
 * Lines of the file, separated by tabs:
 *   call LABEL THREAD OPERATION BEGIN END     a call or work; times in ns of the epoch
 *   planted LABEL PATH NS                     this work was made longer than that of others: it slept for NS
 *   wait LABEL KIND ROOT UNTIL...             the call waited until the last of the calls UNTIL began ("end:" ended);
 *                                             ROOT is the label of the planted work (without a rank: that of the
 *                                             last rank of UNTIL), "-" where nothing is planted
 *   path LABEL...                             work on the critical path, in order
 * A label is OPERATION's own name and a number: with ".RANK" behind it that of the rank, without one of all ranks.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int rank, size;
static FILE *out;
static char *text;
static size_t text_size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int thread;
static void (*tau_start) (const char *), (*tau_stop) (const char *);

static long long
now (void)
{
  struct timespec t;
  syscall (SYS_clock_gettime, CLOCK_REALTIME, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
say (const char *format, ...)
{
  va_list args;
  pthread_mutex_lock (&lock);
  va_start (args, format);
  vfprintf (out, format, args);
  va_end (args);
  pthread_mutex_unlock (&lock);
}

static const char *
label (const char *format, ...)
{
  static __thread char texts[64][64];
  static __thread int next;
  va_list args;
  char *at = texts[next++ % 64];
  va_start (args, format);
  vsnprintf (at, sizeof texts[0], format, args);
  va_end (args);
  return at;
}

/* The label of rank R's part of CALL. */
static const char *
of (const char *call, int r)
{
  return label ("%s.%d", call, r);
}

#define CALL(what, name, statement)                                                        \
  do                                                                                       \
    {                                                                                      \
      long long begin_ = now ();                                                           \
      statement;                                                                           \
      say ("call\t%s.%d\t%d\t%s\t%lld\t%lld\n", what, rank, thread, name, begin_, now ()); \
    }                                                                                      \
  while (0)

static void
timer_start (const char *name)
{
  if (tau_start)
    tau_start (name);
}

static void
timer_stop (const char *name)
{
  if (tau_stop)
    tau_stop (name);
}

static void
pause_ms (int ms)
{
  struct timespec t = { ms / 1000, ms % 1000 * 1000000L };
  nanosleep (&t, NULL);
}

static void
work (const char *what, const char *name, int ms)
{
  CALL (what, name, timer_start (name); pause_ms (ms); timer_stop (name));
}

/* Work that is late: PATH says how the program got there. */
static void
late_path (const char *what, const char *path, const char *name, int ms)
{
  work (what, name, ms);
  say ("planted\t%s.%d\t%s\t%lld\n", what, rank, path, ms * 1000000LL);
}

static void
late (const char *what, const char *name, int ms)
{
  late_path (what, name, name, ms);
}

static void
wait_for (const char *call, const char *kind, const char *root, const char *until)
{
  say ("wait\t%s.%d\t%s\t%s\t%s\n", call, rank, kind, root, until);
}

static void
path (const char *call)
{
  if (rank == 0)
    say ("path\t%s\n", call);
}

static void
begin_stamps (void)
{
  *(void **) &tau_start = dlsym (RTLD_DEFAULT, "Tau_start");
  *(void **) &tau_stop = dlsym (RTLD_DEFAULT, "Tau_stop");
  out = open_memstream (&text, &text_size);
}

static void
write_stamps (void)
{
  char name[4096];
  fclose (out);
  snprintf (name, sizeof name, "%s/%d.tsv", getenv ("STAMPS") ? getenv ("STAMPS") : ".", rank);
  FILE *file = fopen (name, "w");
  if (!file || fwrite (text, 1, text_size, file) != text_size || fclose (file) != 0)
    perror (name);
  free (text);
}
