/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-run: runs a command and appends "NAME seconds peak-KiB status seconds-of-processors" to a file.
 *
 *   bench-run RESULTS NAME COMMAND [ARGUMENT...]
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (double) ts.tv_sec + 1e-9 * (double) ts.tv_nsec;
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    {
      fprintf (stderr, "usage: bench-run RESULTS NAME COMMAND [ARGUMENT...]\n");
      return 2;
    }

  double begin = now ();
  pid_t pid = fork ();
  if (pid == 0)
    {
      execvp (argv[3], argv + 3);
      fprintf (stderr, "bench-run: %s: %s\n", argv[3], strerror (errno));
      _exit (127);
    }
  int status = 0;
  struct rusage usage;
  if (pid < 0 || wait4 (pid, &status, 0, &usage) < 0)
    {
      fprintf (stderr, "bench-run: %s\n", strerror (errno));
      return 1;
    }
  double seconds = now () - begin;
  double processor = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  int code = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);

  FILE *results = fopen (argv[1], "a");
  if (results == NULL || fprintf (results, "%s %.4f %ld %d %.4f\n", argv[2], seconds, usage.ru_maxrss, code, processor) < 0 ||
      fclose (results) != 0)
    {
      fprintf (stderr, "bench-run: %s: %s\n", argv[1], strerror (errno));
      return 1;
    }
  return code;
}
