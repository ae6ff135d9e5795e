/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/thread.h"

#include "formats/pi/recorder/session.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local TtRecordThread *current __attribute__ ((tls_model ("initial-exec")));
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* The name that the naming library gave, else the kernel's. */
static void
name_thread (char *name, size_t size)
{
  const char *(*given) (void) = (const char *(*) (void) ) dlsym (RTLD_DEFAULT, "tt_pi_thread_name");
  const char *text = given != NULL ? given () : NULL;
  char task[17] = "";

  if (text == NULL && syscall (SYS_gettid) == getpid ())
    text = "main";
  if (text == NULL && prctl (PR_GET_NAME, task) == 0)
    text = task;
  snprintf (name, size, "%s", text == NULL || text[0] == '\0' ? "thread" : text);
  for (char *at = name; *at != '\0'; at++)
    if (*at == '/' || (unsigned char) *at < 32)
      *at = '_';
  if (name[0] == '.')
    name[0] = '_';
}

/* By the system call: `pi record` stops at the C library's function. */
static bool
identify_file (int fd, uint64_t *device, uint64_t *inode)
{
  struct stat status;

  if (fd < 0 || syscall (SYS_fstat, fd, &status) != 0)
    return false;
  *device = status.st_dev;
  *inode = status.st_ino;
  return true;
}

static bool
is_own_file (const TtRecordThread *self)
{
  uint64_t device, inode;

  return identify_file (self->fd, &device, &inode) && device == self->device && inode == self->inode;
}

static bool
open_descriptor (TtRecordThread *self, int flags)
{
  self->fd = open (self->path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
  if (self->fd < 0)
    return false;

  /* Some programs expect small numbers for their own files. */
  int high = fcntl (self->fd, F_DUPFD_CLOEXEC, 500);
  if (high >= 0)
    {
      close (self->fd);
      self->fd = high;
    }
  return identify_file (self->fd, &self->device, &self->inode);
}

int
tt_record_thread_fd (TtRecordThread *self)
{
  if (!is_own_file (self) && !open_descriptor (self, 0))
    return -1;
  return self->fd;
}

static bool
open_file (TtRecordThread *self)
{
  if (tt_recorder.format == TT_RECORD_NATIVE)
    {
      TtPiNativeHeader header = {
        .pid = (uint32_t) getpid (),
        .tid = (uint32_t) syscall (SYS_gettid),
        .zero_monotonic_ns = tt_recorder.zero_monotonic_ns,
        .zero_wall_ns = tt_recorder.zero_wall_ns,
      };
      prctl (PR_GET_NAME, header.task);
      errno = 0;
      bool opened = tt_pi_native_open (&self->writer, self->path, &header);
      errno = self->writer.error;
      return opened;
    }
  return open_descriptor (self, O_CREAT | O_EXCL);
}

/* A second thread of one name gets a file of its own. */
static bool
open_unique (TtRecordThread *self)
{
  static const char *const suffixes[] = { TT_PI_NATIVE_SUFFIX, ".pi_trace", ".trace" };
  char name[TT_PI_NATIVE_MAX_NAME + 1], path[4096 + 512];

  name_thread (name, 200);
  for (unsigned i = 1; i < 100000; i++)
    {
      if (i == 1)
        snprintf (self->name, sizeof self->name, "%s", name);
      else
        snprintf (self->name, sizeof self->name, "%.200s-%u", name, i);
      snprintf (path, sizeof path, "%s/%s%s", tt_recorder.base, self->name, suffixes[tt_recorder.format]);
      free (self->path);
      self->path = strdup (path);
      if (self->path == NULL)
        return false;
      if (open_file (self))
        return true;
      if (errno != EEXIST)
        break;
    }
  tt_record_complain ("cannot write", self->path, errno);
  return false;
}

static void
end_thread (void *data)
{
  TtRecordThread *self = data;

  current = NULL;
  if (self->lost > self->lost_written && tt_recorder.format == TT_RECORD_NATIVE)
    tt_pi_native_write_lost (&self->writer, self->lost - self->lost_written);
  tt_pi_native_close (&self->writer, true);
  if (is_own_file (self))
    close (self->fd);
  free (self->scratch);
  free (self->path);
  free (self);
}

static void
make_key (void)
{
  pthread_key_create (&key, end_thread);
}

static TtRecordThread *
make_thread (void)
{
  /* A thread whose file cannot be written does not try again. */
  static _Thread_local bool failed __attribute__ ((tls_model ("initial-exec")));

  if (!tt_recorder.is_on || failed)
    return NULL;

  TtRecordThread *self = calloc (1, sizeof *self);
  failed = true;
  if (self == NULL || !tt_record_claim ())
    {
      free (self);
      return NULL;
    }
  self->fd = -1;
  if (!open_unique (self))
    {
      free (self->path);
      free (self);
      return NULL;
    }
  failed = false;
  pthread_once (&key_once, make_key);
  pthread_setspecific (key, self);
  current = self;
  return self;
}

TtRecordThread *
tt_record_thread (void)
{
  TtRecordThread *self = current;

  return self != NULL ? self : make_thread ();
}

TtRecordThread *
tt_record_thread_if_any (void)
{
  return current;
}

/* The mappings are the parent's files: they are left alone. */
void
tt_record_thread_after_fork (void)
{
  current = NULL;
}
