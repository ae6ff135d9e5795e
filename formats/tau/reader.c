#include "config.h"

#include "formats/tau/reader-private.h"

#include "formats/tau/detect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- opening ------------------------------------------------------------------------------------- */

static void
complain (const char *path, const char *reason)
{
  fprintf (stderr, "libtracetool-tau: %s: %s\n", path, reason);
}

/* A FIFO must not block, and nothing but a file has positions. */
static int
open_file (const char *path)
{
  struct stat status;
  int file = path == NULL ? -1 : open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (file < 0 || fstat (file, &status) != 0)
    complain (path == NULL ? "(no name)" : path, path == NULL ? "no file" : strerror (errno));
  else if (!S_ISREG (status.st_mode))
    complain (path, "not a regular file");
  else
    return file;
  if (file >= 0)
    close (file);
  return -1;
}

/* As much of @len bytes as there is. */
ssize_t
tt_tau_reader_read_at (int file, uint8_t *bytes, size_t len, uint64_t offset)
{
  size_t n = 0;

  if (offset > INT64_MAX - len)
    return 0;
  while (n < len)
    {
      ssize_t got = pread (file, bytes + n, len - n, (off_t) (offset + n));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return -1;
      if (got == 0)
        break;
      n += (size_t) got;
    }
  return (ssize_t) n;
}

uint64_t
tt_tau_reader_size (const TtTauReader *self)
{
  struct stat status;

  return fstat (self->file, &status) == 0 && status.st_size > 0 ? (uint64_t) status.st_size : 0;
}

static TtTauKind
kind_of (int64_t id, void *data)
{
  switch (tt_tau_definitions_find (data, id))
    {
    case TT_TAU_DO_UNKNOWN:
      return TT_TAU_NOT_DEFINED;
    case TT_TAU_DO_INIT:
      return TT_TAU_INIT;
    default:
      return TT_TAU_OTHER;
    }
}

/* A file that is still empty shows its layout later. */
void
tt_tau_reader_find_layout (TtTauReader *self)
{
  ssize_t n = tt_tau_reader_read_at (self->file, self->block, TT_TAU_READER_BLOCK, 0);
  bool has_magic;

  self->n_block = 0;
  if (self->is_layout_known || n < (ssize_t) TT_TAU_LEAST_RECORD)
    return;
  self->is_layout_known = true;
  if (tt_tau_count_magic (self->block, (size_t) n, &self->layout) == 1)
    return;

  TtTauDefinitions definitions = { 0 };
  bool is_read = tt_tau_definitions_read (&definitions, self->edf, NULL);
  if (!is_read || !tt_tau_detect (self->block, (size_t) n, tt_tau_reader_size (self), kind_of, &definitions,
                                  &self->layout, &has_magic))
    {
      self->layout = TT_TAU_24NATIVE;
      complain (self->edf, "the trace's layout cannot be told; it is read as this machine's");
    }
  tt_tau_definitions_clear (&definitions);
}

static void
free_reader (TtTauReader *self)
{
  if (self->file >= 0)
    close (self->file);
  tt_tau_definitions_clear (&self->definitions);
  tt_tau_seen_threads_clear (&self->threads);
  free (self->block);
  free (self->edf);
  free (self);
}

Ttf_FileHandleT
Ttf_OpenFileForInput (const char *name, const char *edf)
{
  int file = open_file (name);
  int edf_file = file < 0 ? -1 : open_file (edf);

  if (edf_file >= 0)
    close (edf_file);
  TtTauReader *self = edf_file < 0 ? NULL : calloc (1, sizeof *self);
  if (self == NULL)
    {
      if (file >= 0)
        close (file);
      return NULL;
    }
  self->file = file;
  self->edf = strdup (edf);
  self->block = malloc (TT_TAU_READER_BLOCK);
  self->layout = TT_TAU_24NATIVE;
  self->definitions.habits = TTF_HABITS_DEFAULT;
  if (self->edf == NULL || self->block == NULL)
    {
      free_reader (self);
      return NULL;
    }
  tt_tau_reader_find_layout (self);
  return self;
}

Ttf_FileHandleT
Ttf_CloseFile (Ttf_FileHandleT fileHandle)
{
  if (fileHandle != NULL)
    free_reader (fileHandle);
  return fileHandle;
}

/* -- settings --------------------------------------------------------------------------------------- */

void
Ttf_SetSubtractFirstTimestamp (Ttf_FileHandleT handle, int subtract)
{
  TtTauReader *self = handle;

  if (self != NULL)
    self->keeps_first = subtract == 0;
}

void
Ttf_SetNonBlocking (Ttf_FileHandleT handle, int nonBlocking)
{
  (void) handle;
  (void) nonBlocking;
}

void
Ttf_SetReannounce (Ttf_FileHandleT handle, int reannounce)
{
  TtTauReader *self = handle;

  if (self != NULL)
    self->reannounces = reannounce != 0;
}

void
Ttf_SetHabits (Ttf_FileHandleT handle, unsigned int habits)
{
  TtTauReader *self = handle;

  if (self != NULL)
    self->definitions.habits = habits;
}

/* -- seeking --------------------------------------------------------------------------------------------- */

static int
move_to (TtTauReader *self, int64_t position)
{
  if (position < 0)
    {
      errno = EINVAL;
      return 0;
    }
  self->position = position;
  if (position == 0 && self->reannounces)
    {
      tt_tau_definitions_clear (&self->definitions);
      tt_tau_seen_threads_clear (&self->threads);
      memset (self->met, 0, sizeof self->met);
      self->is_clock_told = self->has_edf = false;
    }
  errno = 0;
  return position > INT_MAX ? INT_MAX : (int) position;
}

static int64_t
count_records (TtTauReader *self)
{
  if (!self->is_layout_known)
    tt_tau_reader_find_layout (self);
  return (int64_t) (tt_tau_reader_size (self) / tt_tau_record_size (self->layout));
}

int
Ttf_AbsSeek (Ttf_FileHandleT handle, int eventPosition)
{
  TtTauReader *self = handle;

  if (self == NULL)
    {
      errno = EINVAL;
      return 0;
    }
  if (eventPosition > 0 || (eventPosition == 0 && !(self->definitions.habits & TTF_HABIT_SEEK_ZERO)))
    return move_to (self, eventPosition);
  return move_to (self, count_records (self) + eventPosition);
}

int
Ttf_RelSeek (Ttf_FileHandleT handle, int plusMinusNumEvents)
{
  TtTauReader *self = handle;

  if (self == NULL)
    {
      errno = EINVAL;
      return 0;
    }
  return move_to (self, self->position + plusMinusNumEvents);
}

/* -- other names ----------------------------------------------------------------------------------------- */

Ttf_FileHandleT
CTtf_OpenFileForInput (const char *name, const char *edf)
{
  return Ttf_OpenFileForInput (name, edf);
}

Ttf_FileHandleT
TtfOpenFileForInput (const char *name, const char *edf)
{
  return Ttf_OpenFileForInput (name, edf);
}

int
CTtf_AbsSeek (Ttf_FileHandleT handle, int eventPosition)
{
  return Ttf_AbsSeek (handle, eventPosition);
}

int
CTtf_RelSeek (Ttf_FileHandleT handle, int plusMinusNumEvents)
{
  return Ttf_RelSeek (handle, plusMinusNumEvents);
}

int
CTtf_ReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents)
{
  return Ttf_ReadNumEvents (fileHandle, callbacks, numberOfEvents);
}

int
TtfReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents)
{
  return Ttf_ReadNumEvents (fileHandle, callbacks, numberOfEvents);
}

Ttf_FileHandleT
CTtf_CloseFile (Ttf_FileHandleT fileHandle)
{
  return Ttf_CloseFile (fileHandle);
}
