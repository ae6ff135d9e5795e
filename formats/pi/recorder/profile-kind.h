/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function of UR or PI has to do with the times that the recorder asks for (profile.h).
 */
#pragma once

#include "formats/pi/shape.h"

#include <string.h>

enum
{
  TT_RECORD_PROFILE_NOTHING,
  TT_RECORD_PROFILE_CREATES_QUEUE,
  TT_RECORD_PROFILE_CREATES_BUFFER, /* of commands */
  TT_RECORD_PROFILE_COMMAND,
  TT_RECORD_PROFILE_WAITS_FOR_EVENTS,
  TT_RECORD_PROFILE_WAITS_FOR_QUEUE,
  TT_RECORD_PROFILE_RELEASES_QUEUE,
  TT_RECORD_PROFILE_RELEASES_DEVICE,
  TT_RECORD_PROFILE_RELEASES_CONTEXT,
  TT_RECORD_PROFILE_RELEASES_ADAPTER,
  TT_RECORD_PROFILE_CAPTURES, /* commands of a queue, which do not run then */
  TT_RECORD_PROFILE_ASKS_QUEUE,
  TT_RECORD_PROFILE_ASKS_EVENT,
  TT_RECORD_PROFILE_ASKS_TIMES,
};

static inline uint8_t
tt_record_profile_kind (const TtPiFunction *function, const TtPiShapes *shapes)
{
  static const struct
  {
    const char *name;
    uint8_t kind;
  } kinds[] = {
    { "urQueueCreate", TT_RECORD_PROFILE_CREATES_QUEUE },
    { "urCommandBufferCreateExp", TT_RECORD_PROFILE_CREATES_BUFFER },
    { "urEventWait", TT_RECORD_PROFILE_WAITS_FOR_EVENTS },
    { "urQueueFinish", TT_RECORD_PROFILE_WAITS_FOR_QUEUE },
    { "urQueueRelease", TT_RECORD_PROFILE_RELEASES_QUEUE },
    { "urDeviceRelease", TT_RECORD_PROFILE_RELEASES_DEVICE },
    { "urContextRelease", TT_RECORD_PROFILE_RELEASES_CONTEXT },
    { "urAdapterRelease", TT_RECORD_PROFILE_RELEASES_ADAPTER },
    { "urQueueBeginGraphCaptureExp", TT_RECORD_PROFILE_CAPTURES },
    { "urQueueBeginCaptureIntoGraphExp", TT_RECORD_PROFILE_CAPTURES },
    { "urQueueGetInfo", TT_RECORD_PROFILE_ASKS_QUEUE },
    { "urEventGetInfo", TT_RECORD_PROFILE_ASKS_EVENT },
    { "urEventGetProfilingInfo", TT_RECORD_PROFILE_ASKS_TIMES },
    { "piQueueCreate", TT_RECORD_PROFILE_CREATES_QUEUE },
    { "piextQueueCreate", TT_RECORD_PROFILE_CREATES_QUEUE },
    { "piextQueueCreate2", TT_RECORD_PROFILE_CREATES_QUEUE },
    { "piEventsWait", TT_RECORD_PROFILE_WAITS_FOR_EVENTS },
    { "piQueueFinish", TT_RECORD_PROFILE_WAITS_FOR_QUEUE },
    { "piQueueRelease", TT_RECORD_PROFILE_RELEASES_QUEUE },
    { "piDeviceRelease", TT_RECORD_PROFILE_RELEASES_DEVICE },
    { "piContextRelease", TT_RECORD_PROFILE_RELEASES_CONTEXT },
    { "piTearDown", TT_RECORD_PROFILE_RELEASES_ADAPTER },
    { "piQueueGetInfo", TT_RECORD_PROFILE_ASKS_QUEUE },
    { "piEventGetInfo", TT_RECORD_PROFILE_ASKS_EVENT },
    { "piEventGetProfilingInfo", TT_RECORD_PROFILE_ASKS_TIMES },
  };
  bool is_enqueue = strstr (function->name, "Enqueue") != NULL && strstr (function->name, "Advise") == NULL;

  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp (function->name, kinds[i].name) == 0)
      return kinds[i].kind;
  /* Kernels, copies, fills, command buffers: what becomes a row of the device. */
  return is_enqueue && shapes->event >= 0 &&
                 (strstr (function->name, "Kernel") != NULL || strstr (function->name, "Mem") != NULL ||
                  strstr (function->name, "Fill") != NULL || strstr (function->name, "CommandBuffer") != NULL)
             ? TT_RECORD_PROFILE_COMMAND
             : TT_RECORD_PROFILE_NOTHING;
}
