/*
 * Inside of libtracetool-pi-replay.so: a PI plugin that answers calls from a recording. Plain C11, without GLib; it
 * runs inside foreign programs.
 *
 * Environment, set by `tracetool pi replay`: TRACETOOL_PI_REPLAY, the directory of native recordings, a file a thread;
 * TRACETOOL_PI_BUFFERS, the directory of contents that stand in files; TRACETOOL_PI_REPORT, a file to which lines for
 * the command are added; TRACETOOL_PI_PROGRESS, a directory where each thread keeps the number of its calls;
 * TRACETOOL_PI_IDS, the list of ids of the runtime (TtPiIds); TRACETOOL_PI_HANDLES=0 when handles
 * in the recording are guessed and so not compared.
 *
 * Each thread reads its own file in order. A call of another function than the recorded one ends the process with
 * status TT_REPLAY_STATUS; other arguments are reported, and the recorded answer is given all the same. Handles are the
 * recorded ones, of which nobody but this plugin needs more than the value; memory that the program will touch (USM,
 * mapped buffers) is real.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/shape.h"

#include <stdio.h>

#define TT_REPLAY_STATUS 99
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
  uint64_t *progress;           /* the same, where others see it */
  uint64_t n_different;
} TtReplayThread;

/* What was recorded of a call, with what is there now. */
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
/* The name under the list of ids of the recording; "pi#300". */
const char *tt_replay_name (uint32_t id, char *room, size_t size);

/* Reports what differs between the arguments; the number of differences. */
unsigned tt_replay_compare (const TtReplayCall *call);
/* Writes what the call gave back when it was recorded. */
void tt_replay_answer (const TtReplayCall *call);
/* The address that memory of the recording has now; the same address when it is none of it. */
uint64_t tt_replay_live_address (uint64_t recorded);

/* Adds a line to the report: a kind, a tabulator, text. */
void tt_replay_report (const char *kind, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
/* The recorded call and its arguments as text. */
void tt_replay_describe (FILE *out, const TtReplayCall *call);
_Noreturn void tt_replay_give_up (void);
