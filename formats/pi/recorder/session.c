/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/session.h"

#include "formats/pi/native.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TtRecorder tt_recorder;

#define MAX_DIRECTORY 3000

/* Read at the start: a program may clear its environment before its first call. Empty: too long. */
static char directory[MAX_DIRECTORY + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* -- clock -------------------------------------------------------------------------------------------- */

static uint64_t
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

uint64_t
tt_record_now (void)
{
  return read_clock (CLOCK_MONOTONIC) - tt_recorder.zero_monotonic_ns;
}

bool
tt_record_set_up (void)
{
  const char *format = getenv ("TRACETOOL_PI_FORMAT"), *skip = getenv ("DPCPP_TRACE_SKIP_MEM_OBJECTS");
  const char *path = getenv ("DPCPP_TRACE_DATA_PATH"), *profile = getenv ("TRACETOOL_PI_PROFILE");

  if (format != NULL && strcmp (format, "nothing") == 0)
    {
      tt_recorder.format = TT_RECORD_NOTHING;
      return true;
    }
  if (path == NULL)
    return false;
  if (strlen (path) <= MAX_DIRECTORY)
    snprintf (directory, sizeof directory, "%s", path);
  tt_recorder.zero_monotonic_ns = read_clock (CLOCK_MONOTONIC);
  tt_recorder.zero_wall_ns = read_clock (CLOCK_REALTIME);
  tt_recorder.skip_memory = skip != NULL && strcmp (skip, "0") != 0;
  tt_recorder.profile =
      profile != NULL && strcmp (profile, "1") == 0 && (format == NULL || strcmp (format, "native") == 0);
  if (format != NULL && strcmp (format, "g3") == 0)
    tt_recorder.format = TT_RECORD_G3;
  else if (format != NULL && strcmp (format, "doc") == 0)
    tt_recorder.format = TT_RECORD_DOC;
  return true;
}

/* -- complaints --------------------------------------------------------------------------------------- */

void
tt_record_complain (const char *what, const char *path, int error)
{
  static bool complained;

  if (__atomic_exchange_n (&complained, true, __ATOMIC_RELAXED))
    return;
  fprintf (stderr, "tracetool: %s '%s': %s; the recording is not complete\n", what, path, strerror (error));
}

/* -- the directory and its files ---------------------------------------------------------------------- */

static bool
make_directory (const char *path)
{
  return mkdir (path, 0777) == 0;
}

/* The process that makes "buffers" owns the directory. */
static bool
claim_directory (void)
{
  char base[3800], buffers[4000];

  if (directory[0] == '\0')
    return false;
  snprintf (base, sizeof base, "%s", directory);
  snprintf (buffers, sizeof buffers, "%s/buffers", base);
  for (unsigned i = 1; !make_directory (buffers); i++)
    {
      if (errno != EEXIST || i > 1000)
        {
          tt_record_complain ("cannot make", buffers, errno);
          return false;
        }
      /* After exec the process has the same id: the number goes up. */
      snprintf (base, sizeof base, i == 1 ? "%s/process-%ld" : "%s/process-%ld-%u", directory, (long) getpid (), i);
      make_directory (base);
      snprintf (buffers, sizeof buffers, "%s/buffers", base);
    }
  snprintf (tt_recorder.base, sizeof tt_recorder.base, "%s", base);
  return true;
}

bool
tt_record_claim (void)
{
  static bool failed;
  bool is_claimed;

  pthread_mutex_lock (&lock);
  if (tt_recorder.base[0] == '\0' && !failed)
    failed = !claim_directory ();
  is_claimed = tt_recorder.base[0] != '\0';
  pthread_mutex_unlock (&lock);
  return is_claimed;
}

int
tt_record_open (const char *name, int flags)
{
  char path[4096 + 512];

  snprintf (path, sizeof path, "%s/%s", tt_recorder.base, name);
  return open (path, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* A write beyond the limit of file sizes would end the program. */
static bool
is_within_limit (int fd, size_t len)
{
  uint64_t limit = tt_pi_native_file_limit ();
  struct stat status;

  if (limit == UINT64_MAX || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    return true;
  errno = EFBIG;
  return (uint64_t) status.st_size <= limit && len <= limit - (uint64_t) status.st_size;
}

bool
tt_record_write_all (int fd, const void *bytes, size_t len)
{
  const uint8_t *at = bytes;

  if (!is_within_limit (fd, len))
    return false;
  while (len > 0)
    {
      ssize_t n = write (fd, at, len);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      at += n;
      len -= (size_t) n;
    }
  return true;
}

/* The child has no directory yet; whoever held the lock in the parent is not there. */
void
tt_record_session_after_fork (void)
{
  tt_recorder.base[0] = '\0';
  pthread_mutex_init (&lock, NULL);
}
