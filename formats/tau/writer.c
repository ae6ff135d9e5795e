/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/TAU_tf.h"

#include "formats/tau/record.h"
#include "formats/tau/rows.h"
#include "formats/tau/writer-file.h"
#include "formats/tau/writer-rows.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RECORD TT_TAU_MIN_RECORD
#define BLOCK ((size_t) RECORD * 10922)

typedef struct
{
  TtTauNewFile file, definitions; /* the latter not open after the first flush */
  char *edf;
  uint8_t *block;
  size_t n_block; /* bytes */
  bool has_failed;
  bool has_begun;
  uint64_t last_ti;
  TtTauWriterRows rows;
  uint32_t *threads; /* defined: node << 16 | thread */
  size_t n_threads, threads_room;
} Writer;

/* -- opening ------------------------------------------------------------------------------------- */

/* FALSE: the close failed. */
static bool
free_writer (Writer *self)
{
  bool is_closed = tt_tau_new_file_clear (&self->file);

  tt_tau_new_file_clear (&self->definitions);
  tt_tau_writer_rows_clear (&self->rows);
  free (self->threads);
  free (self->block);
  free (self->edf);
  free (self);
  return is_closed;
}

static bool
create (TtTauNewFile *file, const char *path)
{
  if (tt_tau_new_file_open (file, path))
    return true;
  fprintf (stderr, "libtracetool-tau: %s: %s\n", path == NULL ? "(no name)" : path,
           path == NULL ? "no file" : strerror (errno));
  return false;
}

Ttf_FileHandleT
Ttf_OpenFileForOutput (const char *name, const char *edf)
{
  Writer *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->file.fd = self->definitions.fd = -1;
  if (create (&self->file, name) && create (&self->definitions, edf))
    {
      self->edf = strdup (edf);
      self->block = malloc (BLOCK);
    }
  if (self->edf != NULL && self->block != NULL)
    return self;
  free_writer (self);
  return NULL;
}

/* -- definitions ------------------------------------------------------------------------------------ */

int
Ttf_DefClkPeriod (Ttf_FileHandleT file, double clkPeriod)
{
  (void) clkPeriod;
  return file == NULL ? -1 : 0;
}

int
Ttf_DefThread (Ttf_FileHandleT file, unsigned int nodeToken, unsigned int threadToken, const char *threadName)
{
  Writer *self = file;

  (void) threadName;
  if (self == NULL || nodeToken > UINT16_MAX || threadToken > UINT16_MAX)
    return -1;
  if (self->n_threads == self->threads_room)
    {
      size_t room = 2 * self->threads_room + 16;
      uint32_t *grown = realloc (self->threads, room * sizeof *grown);
      if (grown == NULL)
        return -1;
      self->threads = grown;
      self->threads_room = room;
    }
  self->threads[self->n_threads++] = nodeToken << 16 | threadToken;
  return 0;
}

int
Ttf_DefStateGroup (Ttf_FileHandleT file, const char *stateGroupName, unsigned int stateGroupToken)
{
  Writer *self = file;

  if (self == NULL || stateGroupName == NULL)
    return -1;
  return tt_tau_writer_rows_group (&self->rows, stateGroupToken, stateGroupName) ? 0 : -1;
}

int
Ttf_DefState (Ttf_FileHandleT file, unsigned int stateToken, const char *stateName, unsigned int stateGroupToken)
{
  Writer *self = file;

  if (self == NULL || stateName == NULL)
    return -1;
  return tt_tau_writer_rows_state (&self->rows, stateToken, stateName, stateGroupToken) ? 0 : -1;
}

int
Ttf_DefUserEvent (Ttf_FileHandleT file,
                  unsigned int userEventToken,
                  const char *userEventName,
                  int monotonicallyIncreasing)
{
  Writer *self = file;

  if (self == NULL || userEventName == NULL)
    return -1;
  return tt_tau_writer_rows_value (&self->rows, userEventToken, userEventName, monotonicallyIncreasing) ? 0 : -1;
}

/* -- records ------------------------------------------------------------------------------------------ */

static int
flush (Writer *self)
{
  const uint8_t *bytes = self->block;
  size_t len = self->n_block;

  self->n_block = 0;
  while (len > 0 && !self->has_failed)
    {
      ssize_t n = write (self->file.fd, bytes, len);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        self->has_failed = true;
      else
        {
          bytes += n;
          len -= (size_t) n;
        }
    }
  return self->has_failed ? -1 : 0;
}

static void
write_record (Writer *self, int32_t id, uint32_t thread, int64_t par, uint64_t ti)
{
  const TtTauRecord record = {
    .event = id, .nid = (uint16_t) (thread >> 16), .tid = (uint16_t) thread, .par = par, .ti = ti
  };

  if (self->n_block + RECORD > BLOCK)
    flush (self);
  tt_tau_encode (self->block + self->n_block, &record);
  self->n_block += RECORD;
  self->last_ti = ti;
}

/* The record that begins a trace. */
static void
begin (Writer *self, uint32_t thread, uint64_t ti)
{
  if (!self->has_begun)
    write_record (self, TT_TAU_ID_INIT, thread, TT_TAU_MAGIC, ti);
  self->has_begun = true;
}

/* One record, after the one that begins the trace. */
static int
add_record (Writer *self, int32_t id, unsigned int node, unsigned int thread, int64_t par, uint64_t ti)
{
  uint32_t key = node << 16 | thread;

  if (node > UINT16_MAX || thread > UINT16_MAX)
    return -1;
  begin (self, key, ti);
  write_record (self, id, key, par, ti);
  return self->has_failed ? -1 : 0;
}

static int
add_state (Writer *self, unsigned int token, unsigned int node, unsigned int thread, int64_t par, uint64_t ti)
{
  int32_t id;

  if (self == NULL || !tt_tau_writer_rows_id (&self->rows, token, true, &id))
    return -1;
  return add_record (self, id, node, thread, par, ti);
}

static int
add_value (Writer *self, unsigned int token, unsigned int node, unsigned int thread, int64_t par, uint64_t ti)
{
  int32_t id;

  if (self == NULL || !tt_tau_writer_rows_id (&self->rows, token, false, &id))
    return -1;
  return add_record (self, id, node, thread, par, ti);
}

/* NaN and what does not fit go to the nearest that does. */
static uint64_t
time_of (double time)
{
  if (!(time > 0))
    return 0;
  return time >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t) time;
}

static int64_t
value_of (double value)
{
  if (value >= 9223372036854775808.0)
    return INT64_MAX;
  if (value <= -9223372036854775808.0)
    return INT64_MIN;
  return value == value ? (int64_t) value : 0;
}

int
Ttf_EnterState (Ttf_FileHandleT file,
                x_uint64 time,
                unsigned int nodeToken,
                unsigned int threadToken,
                unsigned int stateToken)
{
  return add_state (file, stateToken, nodeToken, threadToken, 1, time);
}

int
Ttf_LeaveState (Ttf_FileHandleT file,
                x_uint64 time,
                unsigned int nodeToken,
                unsigned int threadToken,
                unsigned int stateToken)
{
  return add_state (file, stateToken, nodeToken, threadToken, -1, time);
}

int
Ttf_SendMessage (Ttf_FileHandleT file,
                 double time,
                 unsigned int sourceNodeToken,
                 unsigned int sourceThreadToken,
                 unsigned int destinationNodeToken,
                 unsigned int destinationThreadToken,
                 unsigned int messageSize,
                 unsigned int messageTag,
                 unsigned int messageComm)
{
  Writer *self = file;

  (void) destinationThreadToken;
  if (self == NULL)
    return -1;
  return add_record (self, TT_TAU_ID_SEND, sourceNodeToken, sourceThreadToken,
                     tt_tau_message_pack (destinationNodeToken, messageTag, messageComm, messageSize), time_of (time));
}

int
Ttf_RecvMessage (Ttf_FileHandleT file,
                 double time,
                 unsigned int sourceNodeToken,
                 unsigned int sourceThreadToken,
                 unsigned int destinationNodeToken,
                 unsigned int destinationThreadToken,
                 unsigned int messageSize,
                 unsigned int messageTag,
                 unsigned int messageComm)
{
  Writer *self = file;

  (void) sourceThreadToken;
  if (self == NULL)
    return -1;
  return add_record (self, TT_TAU_ID_RECV, destinationNodeToken, destinationThreadToken,
                     tt_tau_message_pack (sourceNodeToken, messageTag, messageComm, messageSize), time_of (time));
}

int
Ttf_EventTrigger (Ttf_FileHandleT file,
                  double time,
                  unsigned int nodeToken,
                  unsigned int threadToken,
                  unsigned int userEventToken,
                  double userEventValue)
{
  return add_value (file, userEventToken, nodeToken, threadToken, value_of (userEventValue), time_of (time));
}

int
Ttf_LongEventTrigger (Ttf_FileHandleT file,
                      x_uint64 time,
                      unsigned int nodeToken,
                      unsigned int threadToken,
                      unsigned int userEventToken,
                      x_uint64 userEventValue)
{
  return add_value (file, userEventToken, nodeToken, threadToken, (int64_t) userEventValue, time);
}

/* -- the end --------------------------------------------------------------------------------------------- */

static bool
print_definitions (const Writer *self, int fd)
{
  int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  FILE *out = copy < 0 ? NULL : fdopen (copy, "w");

  if (out == NULL)
    {
      if (copy >= 0)
        close (copy);
      return false;
    }
  fprintf (out, "%zu dynamic_trace_events\n", self->rows.n + TT_TAU_N_SPECIAL);
  fputs ("# FunctionId Group Tag \"Name Type\" Parameters\n", out);
  bool is_good = tt_tau_writer_rows_print (&self->rows, out) && !ferror (out);
  return fclose (out) == 0 && is_good;
}

static bool
write_definitions (Writer *self)
{
  TtTauNewFile *file = &self->definitions;

  if (file->fd < 0 && !tt_tau_new_file_open (file, self->edf))
    return false;
  bool is_good = print_definitions (self, file->fd) && tt_tau_new_file_publish (file);
  return tt_tau_new_file_clear (file) && is_good;
}

/* The records first: definitions without a trace would replace those of the trace that stays. */
int
Ttf_FlushTrace (Ttf_FileHandleT file)
{
  Writer *self = file;

  if (self == NULL)
    return -1;
  return flush (self) == 0 && write_definitions (self) && tt_tau_new_file_publish (&self->file) ? 0 : -1;
}

static int
compare_threads (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x > y) - (x < y);
}

/* In order of node and thread, each once, as TAU writes them. */
static void
close_threads (Writer *self)
{
  uint64_t last_ti = self->last_ti;

  if (self->n_threads > 0)
    qsort (self->threads, self->n_threads, sizeof *self->threads, compare_threads);
  for (size_t i = 0; i < self->n_threads; i++)
    {
      uint32_t thread = self->threads[i];
      if (i > 0 && thread == self->threads[i - 1])
        continue;
      add_record (self, TT_TAU_ID_CLOSE, thread >> 16, thread & UINT16_MAX, 0, last_ti);
      add_record (self, TT_TAU_ID_CLOCK, thread >> 16, thread & UINT16_MAX, 0, last_ti);
    }
}

Ttf_FileHandleT
Ttf_CloseOutputFile (Ttf_FileHandleT file)
{
  Writer *self = file;

  if (self == NULL)
    return NULL;
  close_threads (self);
  begin (self, 0, 0);
  int status = Ttf_FlushTrace (self);
  if (!free_writer (self))
    status = -1;
  return status == 0 ? file : NULL;
}
