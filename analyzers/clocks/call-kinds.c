/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/call-kinds.h"

#include <string.h>

#include "analyzers/communication/collective-shape.h"
#include "analyzers/waits/call-class.h"

static gboolean
begins_something (const char *op_name, TtCallClass call_class)
{
  return (call_class == TT_CALL_BEGIN_SEND || call_class == TT_CALL_BEGIN_RECEIVE ||
          call_class == TT_CALL_BUFFERED_SEND) &&
         !g_str_has_prefix (op_name, "MPI_Init") && !g_str_has_prefix (op_name, "MPI_Info") &&
         strcmp (op_name, "MPI_Is_thread_main") != 0;
}

/* All of them are MPI's, so that the category is not asked. */
TtClockCallKind
tt_clock_call_kind (const char *op_name)
{
  if (op_name == NULL || strncmp (op_name, "MPI", 3) != 0)
    return TT_CLOCK_CALL_OTHER;

  TtCallClass call_class = tt_call_class (NULL, op_name);
  TtCollectiveShape shape =
      call_class == TT_CALL_BEGIN_SEND ? tt_collective_shape_at_completion (op_name) : TT_COLLECTIVE_OTHER;

  if (call_class == TT_CALL_SYNC_REGION || g_str_has_prefix (op_name, "MPI Collective Sync"))
    return TT_CLOCK_CALL_BARRIER;
  if (shape == TT_COLLECTIVE_ALL || shape == TT_COLLECTIVE_BARRIER)
    return TT_CLOCK_CALL_BEGIN_COLLECTIVE;
  if (begins_something (op_name, call_class))
    return shape != TT_COLLECTIVE_OTHER ? TT_CLOCK_CALL_BEGIN_ROOTED : TT_CLOCK_CALL_BEGIN_OTHER;
  if (call_class == TT_CALL_COMPLETE || call_class == TT_CALL_COMPLETE_ALL || call_class == TT_CALL_POLL)
    return TT_CLOCK_CALL_COMPLETE;
  return g_strcmp0 (op_name, "MPI_Ssend") == 0  ? TT_CLOCK_CALL_SEND
         : g_strcmp0 (op_name, "MPI_Recv") == 0 ? TT_CLOCK_CALL_RECEIVE
                                                : TT_CLOCK_CALL_OTHER;
}

void
tt_clock_call_note (TtClockCallNames *self, TtClockCallKind kind, const char *op_name)
{
  self->has_barriers |= kind == TT_CLOCK_CALL_BARRIER;
  self->has_others |=
      kind == TT_CLOCK_CALL_SEND || kind == TT_CLOCK_CALL_BEGIN_COLLECTIVE || kind == TT_CLOCK_CALL_BEGIN_ROOTED;
  self->has_requests |=
      kind != TT_CLOCK_CALL_OTHER && tt_collective_shape_at_completion (op_name) != TT_COLLECTIVE_OTHER;
}
