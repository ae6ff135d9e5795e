/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "src/gpu/record/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec start;
static FILE *log_file;
static int is_open;
static uint64_t room = 256;
static char *directory, *tool, *room_text;

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

static char *
copy_variable (const char *name)
{
  const char *value = getenv (name);

  return value == NULL ? NULL : strdup (value);
}

/* Later the environment is the program's, whose threads may change it. */
static void __attribute__ ((constructor)) note_start (void)
{
  clock_gettime (CLOCK_MONOTONIC, &start);
  directory = copy_variable ("TRACETOOL_PROBE_DIRECTORY");
  tool = copy_variable ("TRACETOOL_PROBE_TOOL");
  room_text = copy_variable ("TRACETOOL_PROBE_ROOM");
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
  return directory;
}

const char *
tt_record_tool (void)
{
  return tool;
}

/* The first process that comes to the driver makes it; others find it there, and are not recorded. */
static FILE *
open_log (void)
{
  char path[4096];
  FILE *file = NULL;

  if (snprintf (path, sizeof path, "%s/event.log", directory) < (int) sizeof path)
    file = fopen (path, "wxe");
  else
    errno = ENAMETOOLONG;
  if (file == NULL && errno != EEXIST)
    fprintf (stderr, "tracetool: nothing is recorded: cannot make '%s': %s\n", path, strerror (errno));
  if (file != NULL)
    setvbuf (file, NULL, _IOLBF, 0);
  return file;
}

static int
read_room (void)
{
  const char *text = room_text;

  if (text == NULL || (tt_record_number (&text, '\0', UINT64_MAX, &room) && room > 0))
    return 1;
  fprintf (stderr, "tracetool: nothing is recorded: TRACETOOL_PROBE_ROOM is not a count from 1 on\n");
  return 0;
}

int
tt_record_is_on (void)
{
  if (!is_open && directory != NULL && read_room ())
    log_file = open_log ();
  if (!is_open && log_file != NULL)
    tt_record_note ("[init] pid %ld\n[init] cmd 0 \n[init] success", (long) getpid ());
  is_open = 1;
  return log_file != NULL;
}

void
tt_record_note (const char *format, ...)
{
  static int is_broken;
  va_list values;

  if (log_file == NULL)
    return;
  va_start (values, format);
  vfprintf (log_file, format, values);
  va_end (values);
  putc ('\n', log_file);
  if (ferror (log_file) && !is_broken)
    fprintf (stderr, "tracetool: cannot write the log of launches\n");
  is_broken = ferror (log_file);
}

uint64_t
tt_record_room (void)
{
  return room;
}

__thread int tt_record_inside;

/*
 * Ours stands in front of that of the C library, which is asked for by its version. That tells by its return address from
 * whom RTLD_NEXT counts: the calls to it are the last of their functions, so that compilers make jumps of them.
 */
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
