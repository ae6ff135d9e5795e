/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function of UR has to do with memory that is filled after a call has returned (late.h).
 */
#pragma once

#include "formats/pi/shape.h"

#include <string.h>

enum
{
  TT_RECORD_LATE_NOTHING,
  TT_RECORD_LATE_CREATES_QUEUE,
  TT_RECORD_LATE_ENQUEUES,
  TT_RECORD_LATE_WAITS_FOR_EVENTS,
  TT_RECORD_LATE_WAITS_FOR_QUEUE,
  TT_RECORD_LATE_ASKS_STATUS,
};

static inline uint8_t
tt_record_late_kind (const TtPiFunction *function, const TtPiShapes *shapes)
{
  const char *name = function->name;

  if (function->api != TT_PI_API_UR)
    return TT_RECORD_LATE_NOTHING;
  if (strcmp (name, "urQueueCreate") == 0)
    return TT_RECORD_LATE_CREATES_QUEUE;
  if (strcmp (name, "urEventWait") == 0)
    return TT_RECORD_LATE_WAITS_FOR_EVENTS;
  if (strcmp (name, "urQueueFinish") == 0)
    return TT_RECORD_LATE_WAITS_FOR_QUEUE;
  if (strcmp (name, "urEventGetInfo") == 0)
    return TT_RECORD_LATE_ASKS_STATUS;
  return strncmp (name, "urEnqueue", 9) == 0 || shapes->event >= 0 ? TT_RECORD_LATE_ENQUEUES : TT_RECORD_LATE_NOTHING;
}
