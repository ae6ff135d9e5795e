/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorded call that belongs to a call of the program, and its answer.
 *
 * A thread follows the recorded thread of its name, or the one that its calls fit to: threads of a pool take each
 * other's tasks, and where a device was in the recorded process, its threads had numbers, too. Releases of objects may
 * come at other places than they were recorded at; so may waits and queries for the status of an event where there are
 * threads: commands are always done.
 */
#pragma once

#include "formats/pi/replayer/thread.h"

/* A call of the program. */
typedef struct
{
  uint32_t id;     /* of the function */
  uint64_t handle; /* its first argument */
  /* Writes the arguments to call->packed, in the recorded parameters; false: they are others. */
  bool (*pack) (TtReplayCall *call, const void *data);
  const void *data;
  bool is_wait;                    /* or asks for the status of an event, */
  uint64_t status_at, status_room; /* which goes there, */
  uint64_t status_size_at;         /* and its size there; 0: nobody wants it */
} TtReplayCaller;

/* false: a release that is recorded at another place, or a wait, to be answered with success. Ends the process where
 * the recording has another call. */
bool tt_replay_take (const TtReplayCaller *caller, TtReplayCall *call);
/* Compares the call, answers it, and returns its result. */
int32_t tt_replay_finish (const TtReplayCall *call);
