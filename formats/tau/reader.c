#include "config.h"

#include "formats/tau/TAU_tf.h"

#include "formats/tau/definitions.h"
#include "formats/tau/detect.h"
#include "formats/tau/seen-threads.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t) TT_TAU_RECORDS_ALIGN * 682) /* 64 KiB: stays in a cache */
#define CHUNK 1024                                   /* of TAU's reader */
#define CLOCK_PERIOD 1e-6
#define MET_BITS 10

typedef struct
{
  int file;
  char *edf;
  TtTauLayout layout;
  bool is_layout_known;
  bool keeps_first, reannounces, is_clock_told;
  bool has_first;
  uint64_t first_ti;
  int64_t position; /* record to be read next */
  int64_t block_at; /* record that the block begins with */
  int64_t n_block;
  uint8_t *block;
  bool has_edf; /* as it was when read last: */
  struct timespec edf_time;
  off_t edf_size;
  TtTauDefinitions definitions;
  TtTauSeenThreads threads;
  uint64_t met[1 << MET_BITS]; /* key + 1 of threads met lately, where its hash says */
} Reader;

static inline size_t
met_place (uint32_t key)
{
  return (key * UINT32_C (2654435761)) >> (32 - MET_BITS);
}

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
static ssize_t
read_at (int file, uint8_t *bytes, size_t len, uint64_t offset)
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

static uint64_t
file_size (const Reader *self)
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
static void
find_layout (Reader *self)
{
  ssize_t n = read_at (self->file, self->block, BLOCK, 0);
  bool has_magic;

  self->n_block = 0;
  if (self->is_layout_known || n < (ssize_t) TT_TAU_LEAST_RECORD)
    return;
  self->is_layout_known = true;
  if (tt_tau_count_magic (self->block, (size_t) n, &self->layout) == 1)
    return;

  TtTauDefinitions definitions = { 0 };
  bool is_read = tt_tau_definitions_read (&definitions, self->edf, NULL);
  if (!is_read
      || !tt_tau_detect (self->block, (size_t) n, file_size (self), kind_of, &definitions, &self->layout, &has_magic))
    {
      self->layout = TT_TAU_24NATIVE;
      complain (self->edf, "the trace's layout cannot be told; it is read as this machine's");
    }
  tt_tau_definitions_clear (&definitions);
}

static void
free_reader (Reader *self)
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
  Reader *self = edf_file < 0 ? NULL : calloc (1, sizeof *self);
  if (self == NULL)
    {
      if (file >= 0)
        close (file);
      return NULL;
    }
  self->file = file;
  self->edf = strdup (edf);
  self->block = malloc (BLOCK);
  self->layout = TT_TAU_24NATIVE;
  self->definitions.habits = TTF_HABITS_DEFAULT;
  if (self->edf == NULL || self->block == NULL)
    {
      free_reader (self);
      return NULL;
    }
  find_layout (self);
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
  Reader *self = handle;

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
  Reader *self = handle;

  if (self != NULL)
    self->reannounces = reannounce != 0;
}

void
Ttf_SetHabits (Ttf_FileHandleT handle, unsigned int habits)
{
  Reader *self = handle;

  if (self != NULL)
    self->definitions.habits = habits;
}

/* -- seeking --------------------------------------------------------------------------------------------- */

static int
move_to (Reader *self, int64_t position)
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
count_records (Reader *self)
{
  if (!self->is_layout_known)
    find_layout (self);
  return (int64_t) (file_size (self) / tt_tau_record_size (self->layout));
}

int
Ttf_AbsSeek (Ttf_FileHandleT handle, int eventPosition)
{
  Reader *self = handle;

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
  Reader *self = handle;

  if (self == NULL)
    {
      errno = EINVAL;
      return 0;
    }
  return move_to (self, self->position + plusMinusNumEvents);
}

/* -- definitions ---------------------------------------------------------------------------------------- */

/* Reads the definitions unless they are the same as last time. */
static bool
learn (Reader *self, const Ttf_CallbacksT *callbacks)
{
  struct stat status;

  if (stat (self->edf, &status) != 0 || !S_ISREG (status.st_mode))
    return false;
  if (self->has_edf && status.st_size == self->edf_size && status.st_mtim.tv_sec == self->edf_time.tv_sec
      && status.st_mtim.tv_nsec == self->edf_time.tv_nsec)
    return false;
  self->has_edf = true;
  self->edf_size = status.st_size;
  self->edf_time = status.st_mtim;
  return tt_tau_definitions_read (&self->definitions, self->edf, callbacks) || true;
}

/* -- records --------------------------------------------------------------------------------------------- */

static bool
meet_thread (Reader *self, const Ttf_CallbacksT *callbacks, const TtTauRecord *record)
{
  uint32_t key = (uint32_t) record->nid << 16 | record->tid;
  bool is_new;

  if (!tt_tau_seen_threads_add (&self->threads, key, &is_new))
    return false;
  self->met[met_place (key)] = (uint64_t) key + 1;
  if (is_new && callbacks->DefThread != NULL)
    {
      char name[64];
      snprintf (name, sizeof name, "process %u:%u", (unsigned) record->nid, (unsigned) record->tid);
      callbacks->DefThread (callbacks->UserData, record->nid, record->tid, name);
    }
  return true;
}

static void
give_message (const Ttf_CallbacksT *callbacks, const TtTauRecord *record, double time, bool is_send)
{
  TtTauMessage m = tt_tau_message (record->par);

  if (is_send && callbacks->SendMessage != NULL)
    callbacks->SendMessage (callbacks->UserData, time, record->nid, record->tid, m.peer, 0, m.bytes, m.tag, m.comm);
  else if (!is_send && callbacks->RecvMessage != NULL)
    callbacks->RecvMessage (callbacks->UserData, time, m.peer, 0, record->nid, record->tid, m.bytes, m.tag, m.comm);
}

/* All but states and values. */
static void
give_rare (Reader *self, const Ttf_CallbacksT *callbacks, const TtTauRecord *record, double time, TtTauAction action, int64_t position)
{
  uint32_t key = (uint32_t) record->nid << 16 | record->tid;

  if (action == TT_TAU_DO_SEND || action == TT_TAU_DO_RECV)
    give_message (callbacks, record, time, action == TT_TAU_DO_SEND);
  else if (action == TT_TAU_DO_CLOSE && record->par == 0)
    tt_tau_seen_threads_close (&self->threads, key, position);
  else if (action == TT_TAU_DO_CLOCK && record->par != 1 && record->par != -1 && callbacks->EndTrace != NULL
           && tt_tau_seen_threads_is_closed (&self->threads, key, position))
    callbacks->EndTrace (callbacks->UserData, record->nid, record->tid);
}

static int
ignore_state (void *data, double time, unsigned int node, unsigned int thread, unsigned int state)
{
  (void) data;
  (void) time;
  (void) node;
  (void) thread;
  (void) state;
  return 0;
}

/* How many of the @n records at @from were given; less: one has an id without definition, or memory is short.
 * @layout is a constant of each caller, so that each layout has its own loop. */
static inline __attribute__ ((always_inline)) int64_t
give (Reader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n, const TtTauLayout layout)
{
  const double first = self->keeps_first ? 0 : (double) self->first_ti;
  const unsigned size = tt_tau_record_size (layout);
  void *const data = callbacks->UserData;
  /* Which of two is a matter of data, no branch to be guessed. */
  const Ttf_EnterStateT states[2] = {
    callbacks->LeaveState != NULL ? callbacks->LeaveState : ignore_state,
    callbacks->EnterState != NULL ? callbacks->EnterState : ignore_state,
  };
  const Ttf_EventTriggerT trigger = callbacks->EventTrigger;

  for (int64_t i = 0; i < n; i++, bytes += size)
    {
      const TtTauRecord record = tt_tau_decode (bytes, layout);
      TtTauAction action = tt_tau_definitions_find (&self->definitions, record.event);
      uint32_t thread = (uint32_t) record.nid << 16 | record.tid;
      double time = (double) record.ti - first;

      if (__builtin_expect (action == TT_TAU_DO_UNKNOWN, 0))
        {
          if (!learn (self, callbacks))
            return i;
          action = tt_tau_definitions_find (&self->definitions, record.event);
          if (action == TT_TAU_DO_UNKNOWN)
            return i;
        }
      if (__builtin_expect (self->met[met_place (thread)] != (uint64_t) thread + 1, 0)
          && !meet_thread (self, callbacks, &record))
        return i;
      if (__builtin_expect (action == TT_TAU_DO_STATE, 1))
        {
          if (record.par == 1 || record.par == -1)
            states[record.par > 0](data, time, record.nid, record.tid, (unsigned) record.event);
        }
      else if (action == TT_TAU_DO_VALUE)
        {
          if (trigger != NULL)
            trigger (data, time, record.nid, record.tid, (unsigned) record.event, record.par);
        }
      else
        give_rare (self, callbacks, &record, time, action, from + i);
    }
  return n;
}

static int64_t
give_24le (Reader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return give (self, callbacks, bytes, from, n, TT_TAU_24LE);
}

static int64_t
give_24be (Reader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return give (self, callbacks, bytes, from, n, TT_TAU_24BE);
}

static int64_t
give_32le (Reader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return give (self, callbacks, bytes, from, n, TT_TAU_32LE);
}

static int64_t
give_32be (Reader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return give (self, callbacks, bytes, from, n, TT_TAU_32BE);
}

/* -- reading --------------------------------------------------------------------------------------------- */

/* The records in the block from the position on: 0 at the end, -1 on an error. */
static int64_t
fill (Reader *self)
{
  unsigned size = tt_tau_record_size (self->layout);

  if (self->position < self->block_at || self->position >= self->block_at + self->n_block)
    {
      uint64_t offset;
      self->n_block = 0;
      if (__builtin_mul_overflow ((uint64_t) self->position, (uint64_t) size, &offset))
        return 0;
      ssize_t n = read_at (self->file, self->block, BLOCK, offset);
      if (n < 0)
        return -1;
      self->block_at = self->position;
      self->n_block = n / (ssize_t) size;
    }
  return self->block_at + self->n_block - self->position;
}

static bool
find_first (Reader *self)
{
  uint8_t bytes[32];
  unsigned size = tt_tau_record_size (self->layout);

  if (self->has_first)
    return true;
  if (read_at (self->file, bytes, size, 0) != (ssize_t) size)
    return false;
  self->first_ti = tt_tau_decode (bytes, self->layout).ti;
  self->has_first = true;
  return true;
}

/* TAU's reader asks for all bytes of a chunk and drops what is not whole records. */
static bool
is_cut_chunk (const Reader *self, int64_t n)
{
  unsigned size = tt_tau_record_size (self->layout);
  uint64_t bytes = file_size (self);
  uint64_t from = (uint64_t) self->position * size;

  return bytes > from && bytes - from < (uint64_t) n * size && (bytes - from) % size != 0;
}

static int64_t
read_records (Reader *self, const Ttf_CallbacksT *callbacks, int64_t wanted)
{
  static int64_t (*const gives[TT_TAU_N_LAYOUTS]) (Reader *, const Ttf_CallbacksT *, const uint8_t *, int64_t, int64_t) = {
    give_24le,
    give_24be,
    give_32le,
    give_32be,
  };
  const unsigned size = tt_tau_record_size (self->layout);
  int64_t done = 0;

  while (done < wanted)
    {
      int64_t n = fill (self);
      if (n <= 0)
        return n < 0 ? -1 : done;
      if (n > wanted - done)
        n = wanted - done;

      const uint8_t *bytes = self->block + (self->position - self->block_at) * size;
      int64_t from = self->position;
      self->position += n;
      int64_t given = gives[self->layout](self, callbacks, bytes, from, n);
      if (given < n)
        {
          if (!(self->definitions.habits & TTF_HABIT_CHUNKS))
            self->position = from + given + 1;
          return -1;
        }
      done += n;
    }
  return done;
}

int
Ttf_ReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents)
{
  Reader *self = fileHandle;

  if (self == NULL || numberOfEvents < 0)
    return -1;
  if (!self->is_clock_told && callbacks.DefClkPeriod != NULL)
    callbacks.DefClkPeriod (callbacks.UserData, CLOCK_PERIOD);
  self->is_clock_told = true;
  if (!self->is_layout_known)
    find_layout (self);
  if (!self->is_layout_known || !find_first (self))
    return 0;
  if (self->definitions.habits & TTF_HABIT_CHUNKS)
    {
      if (numberOfEvents > CHUNK)
        numberOfEvents = CHUNK;
      if (is_cut_chunk (self, numberOfEvents))
        return 0;
    }
  return (int) read_records (self, &callbacks, numberOfEvents);
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
