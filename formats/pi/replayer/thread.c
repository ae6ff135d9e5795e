/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/replayer/thread.h"

#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/report.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local TtReplayThread *current;

/* The number of calls so far, in a file of 8 bytes: the command finds it however the process ends. */
static void
map_progress (TtReplayThread *self)
{
  const char *directory = getenv ("TRACETOOL_PI_PROGRESS");
  char path[4096 + 512];

  self->progress = &self->record;
  snprintf (path, sizeof path, "%s/%s", directory != NULL ? directory : ".", self->name);
  int fd = directory != NULL ? open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666) : -1;
  if (fd < 0)
    return;
  if (ftruncate (fd, 8) == 0)
    {
      void *bytes = mmap (NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (bytes != MAP_FAILED)
        self->progress = bytes;
    }
  close (fd);
}

static const char *
own_name (void)
{
  const char *(*given) (void) = (const char *(*) (void) ) dlsym (RTLD_DEFAULT, "tt_pi_thread_name");
  const char *name = given != NULL ? given () : NULL;

  return name != NULL ? name : "main";
}

static bool
map_file (TtReplayThread *self)
{
  const char *directory = getenv ("TRACETOOL_PI_REPLAY");
  char path[4096 + 512];
  struct stat status;
  TtPiNativeHeader header;

  snprintf (path, sizeof path, "%s/%s%s", directory != NULL ? directory : ".", self->name, TT_PI_NATIVE_SUFFIX);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &status) != 0 || status.st_size == 0)
    return false;
  void *bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (bytes == MAP_FAILED)
    return false;
  self->bytes = bytes;
  self->len = (size_t) status.st_size;
  self->at = TT_PI_NATIVE_HEADER;
  return tt_pi_native_header (self->bytes, self->len, &header) == NULL;
}

TtReplayThread *
tt_replay_thread (uint32_t called)
{
  char room[32];
  TtReplayThread *self = current;

  if (self != NULL)
    return self;
  self = calloc (1, sizeof *self);
  if (self != NULL)
    self->functions = calloc (TT_REPLAY_MAX_FUNCTIONS, sizeof *self->functions);
  if (self == NULL || self->functions == NULL)
    abort ();
  snprintf (self->name, sizeof self->name, "%s", own_name ());
  if (!map_file (self))
    {
      tt_replay_report ("end", "thread %s: the program calls %s, but this thread made no calls when it was recorded",
                        self->name, tt_replay_name (called, room, sizeof room));
      tt_replay_give_up ();
    }
  map_progress (self);
  current = self;
  return self;
}

static void
add_function (TtReplayThread *self, const TtPiNativeName *name)
{
  TtReplayFunction *function;

  if (name->index >= TT_REPLAY_MAX_FUNCTIONS || self->functions[name->index] != NULL ||
      (function = calloc (1, sizeof *function)) == NULL)
    return;
  memcpy (function->name, name->name, name->name_len);
  function->id = name->id;
  function->function = name->n_params > TT_REPLAY_MAX_ARGS ? NULL : tt_pi_function_by_name (function->name);
  if (function->function != NULL)
    function->function = tt_pi_function_of_sizes (function->function, name->sizes, name->n_params);
  if (function->function != NULL)
    tt_pi_shapes (function->function, 0, &function->shapes);
  self->functions[name->index] = function;
}

static const char *
read_at (const TtReplayThread *self, size_t at, TtPiNativeRecord *record, uint32_t *size)
{
  *size = tt_pi_native_record_size (self->bytes + at, self->len - at);
  if (*size == 0)
    return "end";
  if (*size < 8 || *size > self->len - at)
    return "a record is longer than the file";
  return tt_pi_native_record (self->bytes + at, *size, record);
}

static void
find_end (const TtReplayThread *self, TtReplayCall *call)
{
  TtPiNativeRecord record;
  uint32_t size;
  unsigned open = 0;

  for (size_t at = self->at; read_at (self, at, &record, &size) == NULL; at += size)
    {
      if (record.kind == TT_PI_NATIVE_END && record.instance == call->begin.instance)
        {
          call->end = record;
          call->has_end = true;
          return;
        }
      if (!tt_pi_native_may_end (&record, &open))
        return;
    }
}

bool
tt_replay_next (TtReplayThread *self, TtReplayCall *call)
{
  TtPiNativeRecord record;
  uint32_t size;

  while (read_at (self, self->at, &record, &size) == NULL)
    {
      self->at += size;
      if (record.kind == TT_PI_NATIVE_NAME)
        add_function (self, &record.name);
      if (record.kind != TT_PI_NATIVE_BEGIN)
        continue;
      *call = (TtReplayCall){ .thread = self, .begin = record };
      if (record.function < TT_REPLAY_MAX_FUNCTIONS)
        call->function = self->functions[record.function];
      if (call->function == NULL ||
          (call->function->function != NULL && record.args_size != call->function->function->packed))
        return false;
      find_end (self, call);
      *self->progress = ++self->record;
      return true;
    }
  return false;
}
