/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/reader-file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- opening ------------------------------------------------------------------------------------- */

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
  int file = tt_tau_reader_open_file (name);
  int edf_file = file < 0 ? -1 : tt_tau_reader_open_file (edf);

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
      memset (self->recent, 0, sizeof self->recent);
      self->is_clock_announced = self->has_edf = false;
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
