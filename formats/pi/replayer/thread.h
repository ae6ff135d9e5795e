/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReplayThread: a thread of the program with its file of the recording, read in order.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/shape.h"

#define TT_REPLAY_MAX_IDS 256
#define TT_REPLAY_MAX_ARGS 16
#define TT_REPLAY_MAX_FUNCTIONS 1024

/* A function as a recording names it. */
typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  uint32_t id;
  const TtPiFunction *function; /* NULL: unknown, or with other parameters than the table has */
  TtPiShapes shapes;
} TtReplayFunction;

typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  const uint8_t *bytes; /* the mapped file */
  size_t len, at;
  TtReplayFunction **functions; /* by index in the file */
  uint64_t record;              /* of the next call, from 0 */
  TtReplayProgress *progress;   /* where the command can read it */
  TtReplayProgress own;         /* where it cannot */
  uint64_t n_different;
  size_t before; /* where the last call was read, to go back to it */
} TtReplayThread;

/* A recorded call with its present arguments. */
typedef struct
{
  TtReplayThread *thread;
  const TtReplayFunction *function;
  TtPiNativeRecord begin, end;
  bool has_end;
  const uint64_t *args; /* as the program passes them */
  uint8_t packed[TT_PI_NATIVE_MAX_ARGS];
} TtReplayCall;

/* The state of the calling thread; ends the process when it has no recording. */
TtReplayThread *tt_replay_thread (uint32_t called);
/* The next recorded call; false: there is none. */
bool tt_replay_next (TtReplayThread *self, TtReplayCall *call);
/* The call that tt_replay_next() gave is the next one again. */
void tt_replay_go_back (TtReplayThread *self);
