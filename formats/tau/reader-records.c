/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/reader-file.h"

#include <stdio.h>
#include <sys/stat.h>

#include "formats/tau/kept-names.h"

#define CHUNK 1024 /* records that TAU's own reader takes at a time */
#define CLOCK_PERIOD 1e-6

/* -- definitions ---------------------------------------------------------------------------------------- */

/* Reads the definitions unless they are the same as last time. */
static bool
read_definitions (TtTauReader *self, const Ttf_CallbacksT *callbacks)
{
  struct stat status;

  if (stat (self->edf, &status) != 0 || !S_ISREG (status.st_mode))
    return false;
  if (self->has_edf && status.st_size == self->edf_size && status.st_mtim.tv_sec == self->edf_time.tv_sec &&
      status.st_mtim.tv_nsec == self->edf_time.tv_nsec)
    return false;
  self->has_edf = true;
  self->edf_size = status.st_size;
  self->edf_time = status.st_mtim;
  return tt_tau_definitions_read (&self->definitions, self->edf, callbacks) || true;
}

/* -- records --------------------------------------------------------------------------------------------- */

static bool
announce_thread (TtTauReader *self, const Ttf_CallbacksT *callbacks, const TtTauRecord *record)
{
  uint32_t key = (uint32_t) record->nid << 16 | record->tid;
  bool is_new;

  if (!tt_tau_seen_threads_add (&self->threads, key, &is_new))
    return false;
  self->recent[tt_tau_recent_slot (key)] = (uint64_t) key + 1;
  if (is_new && callbacks->DefThread != NULL)
    {
      char text[64];
      int len = snprintf (text, sizeof text, "process %u:%u", (unsigned) record->nid, (unsigned) record->tid);
      const char *name = tt_tau_keep_name ((TtTauPiece){ text, (size_t) len });
      if (name == NULL)
        return false;
      callbacks->DefThread (callbacks->UserData, record->nid, record->tid, name);
    }
  return true;
}

static void
pass_message (const Ttf_CallbacksT *callbacks, const TtTauRecord *record, double time, bool is_send)
{
  TtTauMessage m = tt_tau_message (record->par);

  if (is_send && callbacks->SendMessage != NULL)
    callbacks->SendMessage (callbacks->UserData, time, record->nid, record->tid, m.peer, 0, m.bytes, m.tag, m.comm);
  else if (!is_send && callbacks->RecvMessage != NULL)
    callbacks->RecvMessage (callbacks->UserData, time, m.peer, 0, record->nid, record->tid, m.bytes, m.tag, m.comm);
}

/* All records but those of states and values. */
static void
pass_rare (TtTauReader *self,
           const Ttf_CallbacksT *callbacks,
           const TtTauRecord *record,
           double time,
           TtTauAction action,
           int64_t position)
{
  uint32_t key = (uint32_t) record->nid << 16 | record->tid;

  if (action == TT_TAU_DO_SEND || action == TT_TAU_DO_RECV)
    pass_message (callbacks, record, time, action == TT_TAU_DO_SEND);
  else if (action == TT_TAU_DO_CLOSE && record->par == 0)
    tt_tau_seen_threads_close (&self->threads, key, position);
  else if (action == TT_TAU_DO_CLOCK && record->par != 1 && record->par != -1 && callbacks->EndTrace != NULL &&
           tt_tau_seen_threads_is_closed (&self->threads, key, position))
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

/* Passes the @n records at @from to the callbacks. Returns how many; fewer: one has an id without definition, or memory
 * is short. @layout is a constant of each caller, so that each layout has its own loop. */
static inline __attribute__ ((always_inline)) int64_t
pass_records (TtTauReader *self,
              const Ttf_CallbacksT *callbacks,
              const uint8_t *bytes,
              int64_t from,
              int64_t n,
              const TtTauLayout layout)
{
  const double first = self->keeps_first ? 0 : (double) self->first_ti;
  const unsigned size = tt_tau_record_size (layout);
  void *const data = callbacks->UserData;
  /* Chosen by an index, which the processor need not predict. */
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
          if (!read_definitions (self, callbacks))
            return i;
          action = tt_tau_definitions_find (&self->definitions, record.event);
          if (action == TT_TAU_DO_UNKNOWN)
            return i;
        }
      if (__builtin_expect (self->recent[tt_tau_recent_slot (thread)] != (uint64_t) thread + 1, 0) &&
          !announce_thread (self, callbacks, &record))
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
        pass_rare (self, callbacks, &record, time, action, from + i);
    }
  return n;
}

static int64_t
pass_24le (TtTauReader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return pass_records (self, callbacks, bytes, from, n, TT_TAU_24LE);
}

static int64_t
pass_24be (TtTauReader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return pass_records (self, callbacks, bytes, from, n, TT_TAU_24BE);
}

static int64_t
pass_32le (TtTauReader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return pass_records (self, callbacks, bytes, from, n, TT_TAU_32LE);
}

static int64_t
pass_32be (TtTauReader *self, const Ttf_CallbacksT *callbacks, const uint8_t *bytes, int64_t from, int64_t n)
{
  return pass_records (self, callbacks, bytes, from, n, TT_TAU_32BE);
}

/* -- reading --------------------------------------------------------------------------------------------- */

/* The records in the block from the position on: 0 at the end, -1 on an error. */
static int64_t
fill_block (TtTauReader *self)
{
  unsigned size = tt_tau_record_size (self->layout);

  if (self->position < self->block_at || self->position >= self->block_at + self->n_block)
    {
      uint64_t offset;
      self->n_block = 0;
      if (__builtin_mul_overflow ((uint64_t) self->position, (uint64_t) size, &offset))
        return 0;
      ssize_t n = tt_tau_reader_read_at (self->file, self->block, TT_TAU_READER_BLOCK, offset);
      if (n < 0)
        return -1;
      self->block_at = self->position;
      self->n_block = n / (ssize_t) size;
    }
  return self->block_at + self->n_block - self->position;
}

static bool
find_first (TtTauReader *self)
{
  uint8_t bytes[32];
  unsigned size = tt_tau_record_size (self->layout);

  if (self->has_first)
    return true;
  if (tt_tau_reader_read_at (self->file, bytes, size, 0) != (ssize_t) size)
    return false;
  self->first_ti = tt_tau_decode (bytes, self->layout).ti;
  self->has_first = true;
  return true;
}

/* Whether TAU's own reader would drop the chunk: it asks for all bytes of one, and drops one that is cut within a
 * record. */
static bool
is_cut_chunk (const TtTauReader *self, int64_t n)
{
  unsigned size = tt_tau_record_size (self->layout);
  uint64_t bytes = tt_tau_reader_size (self);
  uint64_t from = (uint64_t) self->position * size;

  return bytes > from && bytes - from < (uint64_t) n * size && (bytes - from) % size != 0;
}

static int64_t
read_records (TtTauReader *self, const Ttf_CallbacksT *callbacks, int64_t wanted)
{
  static int64_t (*const passes[TT_TAU_N_LAYOUTS]) (TtTauReader *, const Ttf_CallbacksT *, const uint8_t *, int64_t,
                                                    int64_t) = {
    pass_24le,
    pass_24be,
    pass_32le,
    pass_32be,
  };
  const unsigned size = tt_tau_record_size (self->layout);
  int64_t done = 0;

  while (done < wanted)
    {
      int64_t n = fill_block (self);
      if (n <= 0)
        return n < 0 ? -1 : done;
      if (n > wanted - done)
        n = wanted - done;

      const uint8_t *bytes = self->block + (self->position - self->block_at) * size;
      int64_t from = self->position;
      self->position += n;
      int64_t given = passes[self->layout](self, callbacks, bytes, from, n);
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
  TtTauReader *self = fileHandle;

  if (self == NULL || numberOfEvents < 0)
    return -1;
  if (!self->is_clock_announced && callbacks.DefClkPeriod != NULL)
    callbacks.DefClkPeriod (callbacks.UserData, CLOCK_PERIOD);
  self->is_clock_announced = true;
  if (!self->is_layout_known)
    tt_tau_reader_find_layout (self);
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
