/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReplayThread: a thread of the program with its file of the recording, read in order.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/shape.h"

#define TT_REPLAY_MAX_ARGS 16 /* of functions of PI */
#define TT_REPLAY_MAX_FUNCTIONS 1024

/* A function as a recording names it. */
typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  uint32_t id;                  /* tt_replay_id_of() */
  unsigned release;             /* of UR; 0: not known */
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
  bool is_followed; /* by some thread, now or before */
} TtReplayThread;

/* A recorded call with its present arguments. */
typedef struct
{
  TtReplayThread *thread;
  const TtReplayFunction *function;
  TtPiNativeRecord begin, end;
  bool has_end;
  uint8_t packed[TT_PI_NATIVE_MAX_ARGS]; /* as the program passes them, in the recorded function's parameters */
} TtReplayCall;

/* Threads of the recording, by name, all of them read by now. Whatever uses them holds tt_replay_lock(). */
void tt_replay_lock (void);
void tt_replay_unlock (void);
unsigned tt_replay_n_threads (void);
TtReplayThread *tt_replay_thread_at (unsigned i);
/* The one that the calling thread follows; NULL: none yet. */
TtReplayThread *tt_replay_current (void);
void tt_replay_follow (TtReplayThread *self);
/* The recorded name that the calling thread has, or would have. */
const char *tt_replay_own_name (void);
/* Whether this process has made a thread of that name: threads are named by their numbers, and a device in the recorded
 * process had threads of its own. */
bool tt_replay_was_made (const char *name);

/* The next recorded call; false: there is none. */
bool tt_replay_next (TtReplayThread *self, TtReplayCall *call);

/* A place in the recording, to go back to after calls have been looked at. */
typedef struct
{
  size_t at;
  uint64_t record;
  TtReplayProgress progress;
} TtReplayPlace;

TtReplayPlace tt_replay_place (const TtReplayThread *self);
void tt_replay_go_back (TtReplayThread *self, const TtReplayPlace *place);
