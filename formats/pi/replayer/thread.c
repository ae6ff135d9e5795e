/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/replayer/thread.h"

#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/late.h"
#include "formats/pi/replayer/report.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local TtReplayThread *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TtReplayThread **threads;
static unsigned n_threads;

/* In a file, for the command to find it however the process ends. */
static void
map_progress (TtReplayThread *self)
{
  const char *directory = getenv ("TRACETOOL_PI_PROGRESS");
  char path[4096 + 512];

  self->progress = &self->own;
  snprintf (path, sizeof path, "%s/%s", directory != NULL ? directory : ".", self->name);
  int fd = directory != NULL ? open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666) : -1;
  if (fd < 0)
    return;
  if (ftruncate (fd, sizeof *self->progress) == 0)
    {
      void *bytes = mmap (NULL, sizeof *self->progress, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (bytes != MAP_FAILED)
        self->progress = bytes;
    }
  close (fd);
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
  if (fd < 0)
    return false;
  void *bytes = fstat (fd, &status) == 0 && status.st_size > 0
                    ? mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                    : MAP_FAILED;
  close (fd);
  if (bytes == MAP_FAILED)
    return false;
  self->bytes = bytes;
  self->len = (size_t) status.st_size;
  self->at = TT_PI_NATIVE_HEADER;
  return tt_pi_native_header (self->bytes, self->len, &header) == NULL;
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

/* -- the recorded threads --------------------------------------------------------------------------- */

/* Contents that came later than the call that asked for them. */
static void
find_lates (const TtReplayThread *self)
{
  TtPiNativeRecord record;
  TtPiNativeBlock block;
  uint32_t size;

  for (size_t at = self->at; read_at (self, at, &record, &size) == NULL; at += size)
    while (record.kind == TT_PI_NATIVE_END && tt_pi_native_block (&record, &block))
      tt_replay_late_add (&block);
}

static void
add_thread (const char *name, size_t len)
{
  TtReplayThread *self = calloc (1, sizeof *self);

  if (self == NULL || (self->functions = calloc (TT_REPLAY_MAX_FUNCTIONS, sizeof *self->functions)) == NULL)
    abort ();
  snprintf (self->name, sizeof self->name, "%.*s", (int) len, name);
  if (map_file (self))
    {
      map_progress (self);
      find_lates (self);
      threads[n_threads++] = self;
      return;
    }
  if (self->bytes != NULL)
    munmap ((void *) (uintptr_t) self->bytes, self->len);
  free (self->functions);
  free (self);
}

static void
load_threads (void)
{
  const char *directory = getenv ("TRACETOOL_PI_REPLAY");
  const size_t suffix = strlen (TT_PI_NATIVE_SUFFIX);
  struct dirent **entries = NULL;
  int n = directory != NULL ? scandir (directory, &entries, NULL, alphasort) : 0;

  threads = calloc ((size_t) (n > 0 ? n : 0) + 1, sizeof *threads);
  if (threads == NULL)
    abort ();
  for (int i = 0; i < n; i++)
    {
      const char *name = entries[i]->d_name;
      size_t len = strlen (name);
      if (len > suffix && len - suffix <= TT_PI_NATIVE_MAX_NAME &&
          strcmp (name + len - suffix, TT_PI_NATIVE_SUFFIX) == 0)
        add_thread (name, len - suffix);
      free (entries[i]);
    }
  free (entries);
}

void
tt_replay_lock (void)
{
  pthread_mutex_lock (&lock);
  if (threads == NULL)
    load_threads ();
}

void
tt_replay_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

unsigned
tt_replay_n_threads (void)
{
  return n_threads;
}

TtReplayThread *
tt_replay_thread_at (unsigned i)
{
  return threads[i];
}

TtReplayThread *
tt_replay_current (void)
{
  return current;
}

void
tt_replay_follow (TtReplayThread *self)
{
  current = self;
  self->is_followed = true;
}

const char *
tt_replay_own_name (void)
{
  const char *(*given) (void) = (const char *(*) (void) ) dlsym (RTLD_DEFAULT, "tt_pi_thread_name");
  const char *name = given != NULL ? given () : NULL;

  return name != NULL ? name : "main";
}

bool
tt_replay_was_made (const char *name)
{
  bool (*ask) (const char *) = (bool (*) (const char *)) dlsym (RTLD_DEFAULT, "tt_pi_thread_was_made");

  return strcmp (name, "main") == 0 || ask == NULL || ask (name);
}

/* -- calls ------------------------------------------------------------------------------------------ */

static const TtPiFunction *
find_signature (const char *text, const TtPiNativeName *name)
{
  const TtPiFunction *function = tt_pi_function_by_name (text);
  bool is_ur = name->api == TT_PI_API_UR;

  if (function == NULL || function->api != name->api || (!is_ur && name->n_params > TT_REPLAY_MAX_ARGS))
    return NULL;
  return tt_pi_function_as_recorded (function, is_ur ? name->release : 0, name->sizes, name->n_params);
}

static void
add_function (TtReplayThread *self, const TtPiNativeName *name)
{
  TtReplayFunction *function;

  if (name->index >= TT_REPLAY_MAX_FUNCTIONS || self->functions[name->index] != NULL ||
      (function = calloc (1, sizeof *function)) == NULL)
    return;
  memcpy (function->name, name->name, name->name_len);
  function->id = tt_replay_id_of (name);
  function->release = name->api == TT_PI_API_UR ? name->release : 0;
  function->function = find_signature (function->name, name);
  if (function->function != NULL)
    tt_pi_shapes (function->function, function->release, &function->shapes);
  self->functions[name->index] = function;
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
      if (record.backend < 0 && tt_replay_has_others ())
        {
          self->progress->n_records = ++self->record;
          self->progress->n_others++;
          continue;
        }
      find_end (self, call);
      self->progress->n_records = ++self->record;
      return true;
    }
  return false;
}

TtReplayPlace
tt_replay_place (const TtReplayThread *self)
{
  return (TtReplayPlace){ self->at, self->record, *self->progress };
}

void
tt_replay_go_back (TtReplayThread *self, const TtReplayPlace *place)
{
  self->at = place->at;
  self->record = place->record;
  *self->progress = place->progress;
}
