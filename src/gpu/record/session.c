/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "src/gpu/record/record.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec start;
static FILE *log_file;
static int is_open;

void
tt_record_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
tt_record_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

static void __attribute__ ((constructor)) note_start (void)
{
  clock_gettime (CLOCK_MONOTONIC, &start);
}

double
tt_record_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) (now.tv_sec - start.tv_sec) + (double) (now.tv_nsec - start.tv_nsec) * 1e-9;
}

const char *
tt_record_directory (void)
{
  return getenv ("TRACETOOL_PROBE_DIRECTORY");
}

/* The first process that comes to the driver writes; a child of it that does so, too, has another name for its log. */
static FILE *
open_log (const char *directory)
{
  char path[4096];
  FILE *file;

  if (snprintf (path, sizeof path, "%s/event.log", directory) >= (int) sizeof path)
    return NULL;
  file = fopen (path, "wxe");
  if (file == NULL)
    return NULL;
  setvbuf (file, NULL, _IOLBF, 0);
  fprintf (file, "[init] pid %ld\n[init] cmd 0 \n[init] success\n", (long) getpid ());
  return file;
}

FILE *
tt_record_log (void)
{
  if (!is_open && tt_record_directory () != NULL)
    log_file = open_log (tt_record_directory ());
  is_open = 1;
  return log_file;
}

/* Ours stands in front of that of the C library, which is asked for by its version. */
void *
tt_record_real_dlsym (TtCuHandle handle, const char *name)
{
  static void *(*real) (void *, const char *);

  if (real == NULL)
    {
      void *found = dlvsym (RTLD_NEXT, "dlsym", "GLIBC_2.34");

      if (found == NULL)
        found = dlvsym (RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
      if (found == NULL)
        found = dlvsym (RTLD_NEXT, "dlsym", "GLIBC_2.17");
      *(void **) &real = found;
    }
  return real == NULL ? NULL : real (handle, name);
}

void *
tt_record_real (const char *name)
{
  static void *driver;

  if (driver == NULL)
    driver = dlopen ("libcuda.so.1", RTLD_LAZY);
  return driver == NULL ? NULL : tt_record_real_dlsym (driver, name);
}
