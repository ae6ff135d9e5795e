/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/given.h"

static TtPiPixels pixels = TT_PI_PIXELS_INIT;

static bool
peek (const void *data, unsigned param, void *to, size_t size)
{
  const TtReplayCall *call = data;
  uint64_t from = tt_pi_shapes_value (call->function->function, &call->function->shapes, call->packed, (int) param);

  if (from != 0)
    memcpy (to, (const void *) (uintptr_t) from, size);
  return from != 0;
}

TtPiGiven
tt_replay_given (const TtReplayCall *call)
{
  return (TtPiGiven){
    .function = call->function->function,
    .shapes = &call->function->shapes,
    .args = call->packed,
    .release = call->function->release,
    .peek = peek,
    .data = call,
    .pixels = &pixels,
  };
}

uint64_t
tt_replay_bytes (const TtReplayCall *call, int param)
{
  const TtPiGiven given = tt_replay_given (call);

  return tt_pi_given_bytes (&given, param);
}

void
tt_replay_image_made (const TtReplayCall *call)
{
  const TtPiGiven given = tt_replay_given (call);

  tt_pi_given_note (&given);
}
