/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/replayer/thread.h"

#include "formats/pi/replayer/ids.h"
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

static const char *
own_name (void)
{
  const char *(*given) (void) = (const char *(*) (void) ) dlsym (RTLD_DEFAULT, "tt_pi_thread_name");
  const char *name = given != NULL ? given () : NULL;

  return name != NULL ? name : "main";
}

/* Recorded threads that have one in this process. */
typedef struct Claim Claim;
struct Claim
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  Claim *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Claim *claims;

static bool
is_claimed (const char *name)
{
  bool found = false;

  for (const Claim *claim = claims; claim != NULL && !found; claim = claim->next)
    found = strcmp (claim->name, name) == 0;
  return found;
}

static void
add_claim (const char *name)
{
  Claim *claim = calloc (1, sizeof *claim);

  if (claim == NULL)
    abort ();
  snprintf (claim->name, sizeof claim->name, "%s", name);
  claim->next = claims;
  claims = claim;
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

/* -- the recorded thread ---------------------------------------------------------------------------- */

/* Whether the first call in the mapped file is one of the function @called. */
static bool
begins_with (const TtReplayThread *self, uint32_t called)
{
  uint8_t is_called[TT_REPLAY_MAX_FUNCTIONS / 8] = { 0 };
  TtPiNativeRecord record;
  uint32_t size;

  for (size_t at = self->at; read_at (self, at, &record, &size) == NULL; at += size)
    if (record.kind == TT_PI_NATIVE_NAME && record.name.index < TT_REPLAY_MAX_FUNCTIONS && record.name.id == called)
      is_called[record.name.index / 8] |= (uint8_t) (1u << record.name.index % 8);
    else if (record.kind == TT_PI_NATIVE_BEGIN)
      return record.function < TT_REPLAY_MAX_FUNCTIONS &&
             (is_called[record.function / 8] & (1u << record.function % 8)) != 0;
  return false;
}

static bool
was_made (const char *name)
{
  bool (*ask) (const char *) = (bool (*) (const char *)) dlsym (RTLD_DEFAULT, "tt_pi_thread_was_made");

  return strcmp (name, "main") == 0 || ask == NULL || ask (name);
}

static bool
take_file (TtReplayThread *self, const char *name, uint32_t called)
{
  snprintf (self->name, sizeof self->name, "%s", name);
  if (map_file (self) && begins_with (self, called))
    return true;
  if (self->bytes != NULL)
    munmap ((void *) (uintptr_t) self->bytes, self->len);
  self->bytes = NULL;
  return false;
}

/* Threads are named by their number, and a device in the process has threads of its own: here, without it, numbers are
 * lower. The first recorded thread, by its name, that this process has not made and that begins with this call. */
static bool
find_other (TtReplayThread *self, uint32_t called)
{
  const char *directory = getenv ("TRACETOOL_PI_REPLAY");
  const size_t suffix = strlen (TT_PI_NATIVE_SUFFIX);
  struct dirent **entries = NULL;
  int n = directory != NULL ? scandir (directory, &entries, NULL, alphasort) : 0;
  bool found = false;

  for (int i = 0; i < n; i++)
    {
      char *name = entries[i]->d_name;
      size_t len = strlen (name);
      bool is_file = len > suffix && len - suffix <= TT_PI_NATIVE_MAX_NAME &&
                     strcmp (name + len - suffix, TT_PI_NATIVE_SUFFIX) == 0;
      if (is_file && !found)
        {
          name[len - suffix] = '\0';
          found = !is_claimed (name) && !was_made (name) && take_file (self, name, called);
        }
      free (entries[i]);
    }
  free (entries);
  return found;
}

static bool
find_file (TtReplayThread *self, uint32_t called)
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];

  snprintf (name, sizeof name, "%s", own_name ());
  snprintf (self->name, sizeof self->name, "%s", name);
  pthread_mutex_lock (&lock);
  bool found = (!is_claimed (name) && map_file (self)) || find_other (self, called);
  if (found)
    add_claim (self->name);
  else
    snprintf (self->name, sizeof self->name, "%s", name);
  pthread_mutex_unlock (&lock);
  return found;
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
  if (!find_file (self, called))
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
      self->before = self->at;
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

void
tt_replay_go_back (TtReplayThread *self)
{
  self->at = self->before;
  self->progress->n_records = --self->record;
}
