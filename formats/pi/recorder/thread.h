/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordThread: the state of one thread of the program: its file, and the calls that have begun and not ended.
 *
 * Only its own thread uses it; it ends with that thread. What a child of fork() inherits is left alone.
 */
#pragma once

#include "formats/pi/recorder/function.h"

#include <signal.h>

/* With --profile: what stands in the place of an argument while the call runs. */
typedef struct
{
  void **param; /* the runtime's variable, or `given`; NULL: nothing is swapped */
  void *was;
  void *given;            /* of PI: what hook.h passes instead */
  uint8_t place;          /* as which parameter */
  int32_t refusal;        /* of PI: the result, without a call; 0: none */
  void *event;            /* of a command for which the program wants none */
  uint64_t properties[8]; /* of a queue */
} TtRecordSwap;

/* A call that has begun. */
typedef struct
{
  const TtRecordFunction *function;
  uint64_t instance, start_ns;
  void *plugin;
  int backend;
  uint16_t args_size;
  uint8_t args[TT_PI_NATIVE_MAX_ARGS];
  TtRecordSwap swap;
} TtRecordCall;

typedef struct TtRecordThread TtRecordThread;
struct TtRecordThread
{
  TtPiNativeWriter writer; /* native */
  int fd;                  /* the other formats; -1: none */
  uint64_t device, inode;  /* of the file of `fd`: the program may have closed it, and opened another there */
  char *path;
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  volatile sig_atomic_t busy;
  uint64_t lost, lost_written;
  unsigned depth;
  TtRecordCall calls[TT_PI_NATIVE_MAX_DEPTH];
  uint8_t named[TT_RECORD_MAX_FUNCTIONS / 8]; /* bits: functions whose NAME is in the file */
  uint8_t *scratch;                           /* a record of the other formats */
  size_t scratch_size;
};

/* The state of the calling thread, made at its first call; NULL: nothing is recorded. */
TtRecordThread *tt_record_thread (void);
/* The same, but only if it is there. */
TtRecordThread *tt_record_thread_if_any (void);
/* The descriptor of the other formats, opened again where the program has closed it; -1 with errno. */
int tt_record_thread_fd (TtRecordThread *self);

void tt_record_thread_after_fork (void);
