/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/decode.h"
#include "formats/pi/decode/raw-header.h"

#include "formats/pi/native.h"

#include <string.h>

/*
 * Calls are found again after damage where several records in a row can be: of the native layout by what each record
 * must be, of the others by functions that are known and begin one after the other. A packed recording is not
 * looked through, for going back in it unpacks it again.
 */

#define N_IN_A_ROW 3u
/* Places that are read as if records were there, in all of a thread. */
#define MAX_PROBES 65536u
/* Bytes that are looked through for one. */
#define MAX_HOLE ((guint64) 64 << 20)
#define CHUNK ((gsize) 64 << 10)
#define MAX_LIKELY ((guint32) 1 << 20)
/* Between calls that follow each other. */
#define MAX_STEP_NS (G_GUINT64_CONSTANT (3600) * 1000000000)

static guint32
get_u32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

/* Whether it is worth while to read records at @bytes, @have of them here, @left in the file. */
static gboolean
is_likely (TtPiReader *self, const guint8 *bytes, gsize have, guint64 left, guint64 offset)
{
  const TtPiRawLayout *layout = &self->trace->raw;
  TtPiRawHeader header;

  switch (self->trace->generation)
    {
    case TT_PI_GENERATION_NATIVE:
      return offset % 8 == 0 && have >= 8 && get_u32 (bytes) >= 16 && get_u32 (bytes) % 8 == 0 &&
             get_u32 (bytes) <= MIN (left, TT_PI_NATIVE_MAX_RECORD) && bytes[5] == 0 && bytes[4] >= TT_PI_NATIVE_NAME &&
             bytes[4] <= TT_PI_NATIVE_LAST;
    case TT_PI_GENERATION_G3:
      return have >= 8 && get_u32 (bytes) >= 4 && get_u32 (bytes) <= MIN (left - 4, MAX_LIKELY);
    default:
      if (have < tt_pi_raw_header_size (layout))
        return FALSE;
      tt_pi_raw_header_read (layout, bytes, &header);
      return tt_pi_trace_known (self->trace, header.id)->function != NULL && header.start <= header.end &&
             header.n_inputs == 0 && header.n_outputs <= TT_PI_MAX_OUTPUTS &&
             header.args_size <= MIN (left, MAX_LIKELY);
    }
}

static gboolean
has_native_records (TtPiReader *self)
{
  TtPiNativeRecord record;
  guint64 last_ns = self->last_start;

  for (guint i = 0; i < N_IN_A_ROW; i++)
    {
      guint64 left = tt_pi_window_left (&self->window);
      const guint8 *bytes = left < 8 ? NULL : tt_pi_window_need (&self->window, 8, NULL);
      guint32 size = bytes == NULL ? 0 : get_u32 (bytes);

      if (size == 0)
        return i > 1 || (i > 0 && left == 0);
      if (size < 16 || size > MIN (left, TT_PI_NATIVE_MAX_RECORD) ||
          (bytes = tt_pi_window_need (&self->window, size, NULL)) == NULL ||
          tt_pi_native_record (bytes, size, &record) != NULL)
        return FALSE;
      if ((record.kind == TT_PI_NATIVE_BEGIN || record.kind == TT_PI_NATIVE_END) &&
          (record.time_ns < last_ns || (self->has_last && record.time_ns - last_ns > MAX_STEP_NS)))
        return FALSE;
      if (record.kind == TT_PI_NATIVE_BEGIN || record.kind == TT_PI_NATIVE_END)
        last_ns = record.time_ns;
      tt_pi_window_advance (&self->window, size);
    }
  return TRUE;
}

static gboolean
has_calls (TtPiReader *self)
{
  guint64 last_ns = self->last_start;

  for (guint i = 0; i < N_IN_A_ROW; i++)
    {
      TtPiCall call = { 0 };
      gboolean has_more = tt_pi_window_left (&self->window) > 0;
      TtPiOutcome outcome = self->trace->generation == TT_PI_GENERATION_G3 ? tt_pi_decode_protobuf (self, &call, NULL)
                                                                           : tt_pi_decode_raw (self, &call, NULL);
      if (outcome == TT_PI_OUTCOME_END)
        return i > 0 && !has_more;
      const TtPiFunction *function =
          outcome == TT_PI_OUTCOME_CALL ? tt_pi_trace_known (self->trace, call.id)->function : NULL;
      if (function == NULL || (call.n_args == 0 && function->n_params > 0) || call.end_ns < call.start_ns ||
          call.end_ns > TT_PI_MAX_US || (self->trace->generation == TT_PI_GENERATION_G3 && call.end_ns == 0))
        return FALSE;
      guint64 start_ns = call.start_ns * 1000;
      if (start_ns < last_ns || ((self->has_last || i > 0) && start_ns - last_ns > MAX_STEP_NS))
        return FALSE;
      last_ns = start_ns;
    }
  return TRUE;
}

static gboolean
has_records_at (TtPiReader *self, guint64 offset)
{
  const guint64 record = self->record;
  const gboolean is_quiet = self->is_quiet;

  if (!tt_pi_window_seek (&self->window, offset, NULL))
    return FALSE;
  self->is_quiet = TRUE;
  gboolean has_records =
      self->trace->generation == TT_PI_GENERATION_NATIVE ? has_native_records (self) : has_calls (self);
  self->is_quiet = is_quiet;
  self->record = record;
  return tt_pi_window_seek (&self->window, offset, NULL) && has_records;
}

gboolean
tt_pi_reader_find_records (TtPiReader *self)
{
  const guint64 size = self->window.size, end = self->record_at + MIN (size - self->record_at, MAX_HOLE);

  if (self->window.packed != NULL || self->record_at == 0)
    return FALSE;
  for (guint64 offset = self->record_at + 1; offset < end;)
    {
      gsize n = (gsize) MIN (CHUNK, size - offset);
      g_autofree guint8 *chunk = NULL;
      gsize step = MIN (n, CHUNK / 2);

      if (!tt_pi_window_seek (&self->window, offset, NULL) || tt_pi_window_need (&self->window, n, NULL) == NULL)
        return FALSE;
      chunk = g_memdup2 (self->window.buffer + self->window.at, n);
      for (gsize at = 0; at < step; at++)
        if (is_likely (self, chunk + at, n - at, size - offset - at, offset + at))
          {
            if (self->n_probes++ >= MAX_PROBES)
              return FALSE;
            if (has_records_at (self, offset + at))
              return TRUE;
          }
      offset += step;
    }
  return FALSE;
}
