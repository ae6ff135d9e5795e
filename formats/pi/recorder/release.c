/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/release.h"

#include "formats/pi/api.h"
#include "formats/pi/loader.h"
#include "formats/pi/recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Branches of a release lack, or have taken over, single functions. */
#define MANY 8

static TtRecordRelease version;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *caller;
static char caller_library[4096];

void
tt_record_release_version (unsigned major, unsigned minor)
{
  version.major = (uint8_t) major;
  version.minor = (uint8_t) minor;
}

/* For people, and for whoever asks a recording what it was made of. */
static void
write_runtime (const char *library, unsigned n_other)
{
  char name[64] = "not known", line[4096];
  int fd = tt_record_claim () ? tt_record_open ("runtime", O_WRONLY | O_CREAT | O_APPEND) : -1;

  if (fd < 0)
    return;
  tt_pi_release_name (version.release, name, sizeof name);
  int len = snprintf (line, sizeof line, "ur\t%u.%u\t%s\t%u\t%.3000s\n", version.major, version.minor, name, n_other,
                      library);
  if (!tt_record_write_all (fd, line, (size_t) len))
    tt_record_complain ("cannot write", "runtime", errno);
  close (fd);
}

static void
find_release (void)
{
  TtPiLoader loader = tt_pi_loader_find (caller, version.major, version.minor);

  version.release = (uint16_t) loader.release;
  version.n_other = loader.n_other;
  memcpy (caller_library, loader.library, sizeof caller_library);
  write_runtime (loader.library, loader.n_other);
  if (version.release == 0)
    fprintf (stderr, "tracetool: Unified Runtime %u.%u is not known: its calls are recorded without arguments\n",
             version.major, version.minor);
  else if (loader.n_other > MANY)
    fprintf (stderr,
             "tracetool: this Unified Runtime %u.%u has or lacks %u functions of its release: it may be newer than "
             "those known\n",
             version.major, version.minor, loader.n_other);
}

const TtRecordRelease *
tt_record_release (const char *name)
{
  caller = name;
  pthread_once (&once, find_release);
  return &version;
}

const char *
tt_record_release_library (void)
{
  return caller_library;
}
