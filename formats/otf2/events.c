/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/events.h"

#include "formats/otf2/definitions.h"

enum
{
  TIMESTAMP = 5,
  ATTRIBUTES = 6,
};

#define BYTE(key)                \
  {                              \
    key, 'b', TT_OTF2_NOT_MAPPED \
  }
#define U32(key)                 \
  {                              \
    key, 'u', TT_OTF2_NOT_MAPPED \
  }
#define U64(key)                 \
  {                              \
    key, 'q', TT_OTF2_NOT_MAPPED \
  }
#define I64(key)                 \
  {                              \
    key, 'i', TT_OTF2_NOT_MAPPED \
  }
#define FULL(key)                \
  {                              \
    key, 'F', TT_OTF2_NOT_MAPPED \
  }
#define REF(key, of)           \
  {                            \
    key, 'u', TT_OTF2_MAP_##of \
  }
#define NONE   \
  {            \
    NULL, 0, 0 \
  }

const TtOtf2EventRow tt_otf2_event_rows[TT_OTF2_N_EVENTS] = {
  [TT_OTF2_EVENT_BUFFER_FLUSH] = { "BufferFlush", FALSE, { FULL ("stop") } },
  [TT_OTF2_EVENT_MEASUREMENT] = { "MeasurementOnOff", FALSE, { BYTE ("mode") } },
  [TT_OTF2_EVENT_ENTER] = { "Enter", TRUE, { REF ("region", REGION) } },
  [TT_OTF2_EVENT_LEAVE] = { "Leave", TRUE, { REF ("region", REGION) } },
  [TT_OTF2_EVENT_SEND] = { "MpiSend",
                           FALSE,
                           { U32 ("receiver"), REF ("communicator", COMM), U32 ("tag"), U64 ("bytes") } },
  [TT_OTF2_EVENT_ISEND] = { "MpiIsend",
                            FALSE,
                            { U32 ("receiver"), REF ("communicator", COMM), U32 ("tag"), U64 ("bytes"),
                              U64 ("request") } },
  [TT_OTF2_EVENT_ISEND_COMPLETE] = { "MpiIsendComplete", TRUE, { U64 ("request") } },
  [TT_OTF2_EVENT_IRECV_REQUEST] = { "MpiIrecvRequest", TRUE, { U64 ("request") } },
  [TT_OTF2_EVENT_RECV] = { "MpiRecv",
                           FALSE,
                           { U32 ("sender"), REF ("communicator", COMM), U32 ("tag"), U64 ("bytes") } },
  [TT_OTF2_EVENT_IRECV] = { "MpiIrecv",
                            FALSE,
                            { U32 ("sender"), REF ("communicator", COMM), U32 ("tag"), U64 ("bytes"),
                              U64 ("request") } },
  [TT_OTF2_EVENT_REQUEST_TEST] = { "MpiRequestTest", TRUE, { U64 ("request") } },
  [TT_OTF2_EVENT_REQUEST_CANCELLED] = { "MpiRequestCancelled", TRUE, { U64 ("request") } },
  [TT_OTF2_EVENT_COLLECTIVE_BEGIN] = { "MpiCollectiveBegin", FALSE, { NONE } },
  [TT_OTF2_EVENT_COLLECTIVE_END] = { "MpiCollectiveEnd",
                                     FALSE,
                                     { BYTE ("operation"), REF ("communicator", COMM), U32 ("root"), U64 ("bytes_sent"),
                                       U64 ("bytes_received") } },
  [TT_OTF2_EVENT_OMP_FORK] = { "OmpFork", TRUE, { U32 ("threads") } },
  [TT_OTF2_EVENT_OMP_JOIN] = { "OmpJoin", FALSE, { NONE } },
  [TT_OTF2_EVENT_OMP_ACQUIRE] = { "OmpAcquireLock", FALSE, { U32 ("lock"), U32 ("order") } },
  [TT_OTF2_EVENT_OMP_RELEASE] = { "OmpReleaseLock", FALSE, { U32 ("lock"), U32 ("order") } },
  [TT_OTF2_EVENT_OMP_TASK_CREATE] = { "OmpTaskCreate", TRUE, { U64 ("task") } },
  [TT_OTF2_EVENT_OMP_TASK_SWITCH] = { "OmpTaskSwitch", TRUE, { U64 ("task") } },
  [TT_OTF2_EVENT_OMP_TASK_COMPLETE] = { "OmpTaskComplete", TRUE, { U64 ("task") } },
  [TT_OTF2_EVENT_METRIC] = { "Metric", FALSE, { REF ("metric", METRIC), BYTE ("n") } },
  [TT_OTF2_EVENT_PARAMETER_STRING] = { "ParameterString",
                                       FALSE,
                                       { REF ("parameter", PARAMETER), REF ("string", STRING) } },
  [TT_OTF2_EVENT_PARAMETER_INT] = { "ParameterInt", FALSE, { REF ("parameter", PARAMETER), I64 ("value") } },
  [TT_OTF2_EVENT_PARAMETER_UINT] = { "ParameterUnsignedInt", FALSE, { REF ("parameter", PARAMETER), U64 ("value") } },
  [TT_OTF2_EVENT_WIN_CREATE] = { "RmaWinCreate", FALSE, { REF ("window", RMA_WIN) } },
  [TT_OTF2_EVENT_WIN_DESTROY] = { "RmaWinDestroy", FALSE, { REF ("window", RMA_WIN) } },
  [TT_OTF2_EVENT_RMA_COLLECTIVE_BEGIN] = { "RmaCollectiveBegin", FALSE, { NONE } },
  [TT_OTF2_EVENT_RMA_COLLECTIVE_END] = { "RmaCollectiveEnd",
                                         FALSE,
                                         { BYTE ("operation"), U32 ("sync_level"), REF ("window", RMA_WIN),
                                           U32 ("root"), U64 ("bytes_sent"), U64 ("bytes_received") } },
  [TT_OTF2_EVENT_RMA_GROUP_SYNC] = { "RmaGroupSync",
                                     FALSE,
                                     { U32 ("sync_level"), REF ("window", RMA_WIN), REF ("group", GROUP) } },
  [TT_OTF2_EVENT_RMA_REQUEST_LOCK] = { "RmaRequestLock",
                                       FALSE,
                                       { REF ("window", RMA_WIN), U32 ("remote"), U64 ("lock"), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_RMA_ACQUIRE] = { "RmaAcquireLock",
                                  FALSE,
                                  { REF ("window", RMA_WIN), U32 ("remote"), U64 ("lock"), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_RMA_TRY] = { "RmaTryLock",
                              FALSE,
                              { REF ("window", RMA_WIN), U32 ("remote"), U64 ("lock"), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_RMA_RELEASE] = { "RmaReleaseLock", FALSE, { REF ("window", RMA_WIN), U32 ("remote"), U64 ("lock") } },
  [TT_OTF2_EVENT_RMA_SYNC] = { "RmaSync", FALSE, { REF ("window", RMA_WIN), U32 ("remote"), BYTE ("sync_type") } },
  [TT_OTF2_EVENT_RMA_WAIT_CHANGE] = { "RmaWaitChange", FALSE, { REF ("window", RMA_WIN) } },
  [TT_OTF2_EVENT_RMA_PUT] = { "RmaPut",
                              FALSE,
                              { REF ("window", RMA_WIN), U32 ("remote"), U64 ("bytes"), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_GET] = { "RmaGet",
                              FALSE,
                              { REF ("window", RMA_WIN), U32 ("remote"), U64 ("bytes"), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_ATOMIC] = { "RmaAtomic",
                                 FALSE,
                                 { REF ("window", RMA_WIN), U32 ("remote"), BYTE ("type"), U64 ("bytes_sent"),
                                   U64 ("bytes_received"), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_COMPLETE_BLOCKING] = { "RmaOpCompleteBlocking",
                                            FALSE,
                                            { REF ("window", RMA_WIN), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_COMPLETE_NONBLOCKING] = { "RmaOpCompleteNonBlocking",
                                               FALSE,
                                               { REF ("window", RMA_WIN), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_TEST] = { "RmaOpTest", FALSE, { REF ("window", RMA_WIN), U64 ("matching") } },
  [TT_OTF2_EVENT_RMA_COMPLETE_REMOTE] = { "RmaOpCompleteRemote", FALSE, { REF ("window", RMA_WIN), U64 ("matching") } },
  [TT_OTF2_EVENT_FORK] = { "ThreadFork", FALSE, { BYTE ("model"), U32 ("threads") } },
  [TT_OTF2_EVENT_JOIN] = { "ThreadJoin", FALSE, { BYTE ("model") } },
  [TT_OTF2_EVENT_TEAM_BEGIN] = { "ThreadTeamBegin", FALSE, { REF ("team", COMM) } },
  [TT_OTF2_EVENT_TEAM_END] = { "ThreadTeamEnd", FALSE, { REF ("team", COMM) } },
  [TT_OTF2_EVENT_ACQUIRE] = { "ThreadAcquireLock", FALSE, { BYTE ("model"), U32 ("lock"), U32 ("order") } },
  [TT_OTF2_EVENT_RELEASE] = { "ThreadReleaseLock", FALSE, { BYTE ("model"), U32 ("lock"), U32 ("order") } },
  [TT_OTF2_EVENT_TASK_CREATE] = { "ThreadTaskCreate",
                                  FALSE,
                                  { REF ("team", COMM), U32 ("creator"), U32 ("generation") } },
  [TT_OTF2_EVENT_TASK_SWITCH] = { "ThreadTaskSwitch",
                                  FALSE,
                                  { REF ("team", COMM), U32 ("creator"), U32 ("generation") } },
  [TT_OTF2_EVENT_TASK_COMPLETE] = { "ThreadTaskComplete",
                                    FALSE,
                                    { REF ("team", COMM), U32 ("creator"), U32 ("generation") } },
  [TT_OTF2_EVENT_THREAD_CREATE] = { "ThreadCreate", FALSE, { REF ("contingent", COMM), U64 ("sequence") } },
  [TT_OTF2_EVENT_THREAD_BEGIN] = { "ThreadBegin", FALSE, { REF ("contingent", COMM), U64 ("sequence") } },
  [TT_OTF2_EVENT_THREAD_WAIT] = { "ThreadWait", FALSE, { REF ("contingent", COMM), U64 ("sequence") } },
  [TT_OTF2_EVENT_THREAD_END] = { "ThreadEnd", FALSE, { REF ("contingent", COMM), U64 ("sequence") } },
  [TT_OTF2_EVENT_CONTEXT_ENTER] = { "CallingContextEnter",
                                    FALSE,
                                    { REF ("context", CALLING_CONTEXT), U32 ("unwind_distance") } },
  [TT_OTF2_EVENT_CONTEXT_LEAVE] = { "CallingContextLeave", FALSE, { REF ("context", CALLING_CONTEXT) } },
  [TT_OTF2_EVENT_SAMPLE] = { "CallingContextSample",
                             FALSE,
                             { REF ("context", CALLING_CONTEXT), U32 ("unwind_distance"),
                               REF ("generator", INTERRUPT_GENERATOR) } },
  [TT_OTF2_EVENT_IO_CREATE] = { "IoCreateHandle",
                                FALSE,
                                { REF ("handle", IO_HANDLE), BYTE ("mode"), U32 ("creation_flags"),
                                  U32 ("status_flags") } },
  [TT_OTF2_EVENT_IO_DESTROY] = { "IoDestroyHandle", FALSE, { REF ("handle", IO_HANDLE) } },
  [TT_OTF2_EVENT_IO_DUPLICATE] = { "IoDuplicateHandle",
                                   FALSE,
                                   { REF ("old_handle", IO_HANDLE), REF ("new_handle", IO_HANDLE),
                                     U32 ("status_flags") } },
  [TT_OTF2_EVENT_IO_SEEK] = { "IoSeek",
                              FALSE,
                              { REF ("handle", IO_HANDLE), I64 ("offset_request"), BYTE ("whence"),
                                U64 ("offset_result") } },
  [TT_OTF2_EVENT_IO_STATUS] = { "IoChangeStatusFlags", FALSE, { REF ("handle", IO_HANDLE), U32 ("status_flags") } },
  [TT_OTF2_EVENT_IO_DELETE] = { "IoDeleteFile", FALSE, { BYTE ("paradigm"), REF ("file", IO_FILE) } },
  [TT_OTF2_EVENT_IO_BEGIN] = { "IoOperationBegin",
                               FALSE,
                               { REF ("handle", IO_HANDLE), BYTE ("mode"), U32 ("operation_flags"),
                                 U64 ("bytes_request"), U64 ("matching") } },
  [TT_OTF2_EVENT_IO_TEST] = { "IoOperationTest", FALSE, { REF ("handle", IO_HANDLE), U64 ("matching") } },
  [TT_OTF2_EVENT_IO_ISSUED] = { "IoOperationIssued", FALSE, { REF ("handle", IO_HANDLE), U64 ("matching") } },
  [TT_OTF2_EVENT_IO_COMPLETE] = { "IoOperationComplete",
                                  FALSE,
                                  { REF ("handle", IO_HANDLE), U64 ("bytes_result"), U64 ("matching") } },
  [TT_OTF2_EVENT_IO_CANCELLED] = { "IoOperationCancelled", FALSE, { REF ("handle", IO_HANDLE), U64 ("matching") } },
  [TT_OTF2_EVENT_IO_ACQUIRE] = { "IoAcquireLock", FALSE, { REF ("handle", IO_HANDLE), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_IO_RELEASE] = { "IoReleaseLock", FALSE, { REF ("handle", IO_HANDLE), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_IO_TRY] = { "IoTryLock", FALSE, { REF ("handle", IO_HANDLE), BYTE ("lock_type") } },
  [TT_OTF2_EVENT_PROGRAM_BEGIN] = { "ProgramBegin", FALSE, { REF ("program", STRING), REF ("n", STRING) } },
  [TT_OTF2_EVENT_PROGRAM_END] = { "ProgramEnd", FALSE, { I64 ("exit_status") } },
  [TT_OTF2_EVENT_NBC_REQUEST] = { "NonBlockingCollectiveRequest", FALSE, { U64 ("request") } },
  [TT_OTF2_EVENT_NBC_COMPLETE] = { "NonBlockingCollectiveComplete",
                                   FALSE,
                                   { BYTE ("operation"), REF ("communicator", COMM), U32 ("root"), U64 ("bytes_sent"),
                                     U64 ("bytes_received"), U64 ("request") } },
  [TT_OTF2_EVENT_COMM_CREATE] = { "CommCreate", FALSE, { REF ("communicator", COMM) } },
  [TT_OTF2_EVENT_COMM_DESTROY] = { "CommDestroy", FALSE, { REF ("communicator", COMM) } },
};

static guint64
read_value (TtOtf2Bytes *body, char layout)
{
  switch (layout)
    {
    case 'b':
      return tt_otf2_u8 (body);
    case 'u':
      return tt_otf2_u32 (body);
    case 'F':
      return tt_otf2_full (body, 8);
    default:
      return tt_otf2_u64 (body);
    }
}

static void
read_values (TtOtf2Events *self, TtOtf2Event *event, TtOtf2Bytes *body)
{
  const TtOtf2Value *value = tt_otf2_event_rows[event->kind].values;
  guint n = 0;

  for (; n < TT_OTF2_MAX_VALUES && value[n].key != NULL; n++)
    {
      if (body->at == body->end)
        event->values[n] = TT_OTF2_UNDEFINED;
      else
        event->values[n] = tt_otf2_global (self->local, value[n].map, read_value (body, value[n].layout));
    }
  event->n_values = n;
}

/* Events with one time, at most. */
#define NEAR 64u

static gboolean
find_next_time (gconstpointer data, guint64 *ticks)
{
  const TtOtf2Events *self = data;
  TtOtf2Bytes bytes = self->chunks->bytes;

  for (guint n = 0; n < NEAR && bytes.is_good && bytes.at < bytes.end; n++)
    {
      guint kind = *bytes.at++;

      if (kind == TIMESTAMP)
        {
          *ticks = tt_otf2_full (&bytes, 8);
          return bytes.is_good;
        }
      if (kind < TT_OTF2_EVENT_BUFFER_FLUSH && kind != ATTRIBUTES)
        return FALSE;
      if (kind < TT_OTF2_N_EVENTS && tt_otf2_event_rows[kind].is_alone)
        read_value (&bytes, tt_otf2_event_rows[kind].values[0].layout);
      else
        tt_otf2_record (&bytes);
    }
  return FALSE;
}

/* FLUSH lasts until a time that it tells. */
static void
check_flush (TtOtf2Events *self, TtOtf2Event *event)
{
  if (event->kind != TT_OTF2_EVENT_BUFFER_FLUSH || tt_otf2_times_can_be (&self->times, event->values[0]))
    return;
  event->values[0] = event->ticks;
  event->is_mended = TRUE;
}

void
tt_otf2_events_begin (TtOtf2Events *self, const guint64 *clock)
{
  const TtOtf2Local *local = self->local;
  gint64 least = local->has_offset ? local->last_offset : 0, most = least;

  for (guint i = 0; i < local->pieces->len; i++)
    {
      const TtOtf2ClockPiece *piece = &g_array_index (local->pieces, TtOtf2ClockPiece, i);

      least = MIN (least, piece->offset);
      most = MAX (most, piece->offset);
    }
  tt_otf2_times_init (&self->times, clock[TT_OTF2_CLOCK_RESOLUTION], clock[TT_OTF2_CLOCK_OFFSET],
                      clock[TT_OTF2_CLOCK_LENGTH], least, most);
}

gboolean
tt_otf2_events_next (TtOtf2Events *self, TtOtf2Event *event)
{
  TtOtf2Bytes *bytes = &self->chunks->bytes;

  event->is_mended = FALSE;
  event->attributes = (TtOtf2Bytes){ .at = bytes->at, .end = bytes->at, .is_good = TRUE };
  for (;;)
    {
      if (bytes->at == bytes->end || !bytes->is_good)
        return FALSE;
      event->offset = tt_otf2_chunks_offset (self->chunks);
      event->kind = *bytes->at++;
      if (event->kind == TIMESTAMP)
        self->ticks =
            tt_otf2_times_take (&self->times, tt_otf2_full (bytes, 8), find_next_time, self, &event->is_mended);
      else if (event->kind == ATTRIBUTES)
        event->attributes = tt_otf2_record (bytes);
      else
        break;
    }
  if (event->kind <= TT_OTF2_END_OF_FILE)
    {
      self->chunks->is_last = event->kind != TT_OTF2_END_OF_CHUNK;
      bytes->at = bytes->end;
      return FALSE;
    }
  if (event->kind < TT_OTF2_EVENT_BUFFER_FLUSH)
    {
      bytes->is_good = FALSE;
      return FALSE;
    }

  event->ticks = self->ticks;
  event->n_values = 0;
  event->rest = *bytes;
  gboolean is_known = event->kind < TT_OTF2_N_EVENTS;
  if (is_known && tt_otf2_event_rows[event->kind].is_alone)
    {
      read_values (self, event, bytes);
      return bytes->is_good;
    }
  event->rest = tt_otf2_record (bytes);
  if (is_known && bytes->is_good)
    {
      read_values (self, event, &event->rest);
      bytes->is_good = event->rest.is_good;
      check_flush (self, event);
    }
  return bytes->is_good;
}
