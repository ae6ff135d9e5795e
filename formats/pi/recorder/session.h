/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording session of this process: format, clock, directory, complaints. Everything else in the recorder stands
 * on it.
 *
 * libtracetool-pi-record.so is a subscriber of the XPTI framework (pi.md 14) that runs inside foreign programs: plain
 * C11, without GLib.
 *
 * It obeys DPCPP_TRACE_DATA_PATH (the directory, which must exist), DPCPP_TRACE_SKIP_MEM_OBJECTS=1,
 * TRACETOOL_PI_FORMAT (native, g3, doc, nothing) and TRACETOOL_PI_PROFILE=1 (ask for times, native only). The first process that makes a call owns the directory, by making "buffers"
 * in it; any other, a forked child among them, gets "process-PID" there, a recording of its own.
 *
 * A thread writes its own file and shares nothing in the path of a call. Memory is allocated for a thread's first call
 * and for the first call of a function, not after. A signal handler that makes calls while it interrupts the recorder
 * in the same thread is not recorded but counted. Threads that still run when the process exits keep their files: what
 * they have written counts, what they write after is in the file too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  TT_RECORD_NATIVE,
  TT_RECORD_G3,
  TT_RECORD_DOC,
  TT_RECORD_NOTHING, /* only subscribes, for runtimes that are traced make other calls: a replay needs them */
} TtRecordFormat;

typedef struct
{
  bool is_on;
  TtRecordFormat format;
  bool skip_memory;
  bool profile; /* ask for times of devices */
  uint64_t zero_monotonic_ns, zero_wall_ns;
  char base[4096]; /* directory of this process; empty until its first call */
} TtRecorder;

extern TtRecorder tt_recorder;

/* Reads the environment and starts the clock; false: nothing is to be recorded. */
bool tt_record_set_up (void);

uint64_t tt_record_now (void); /* ns since time 0 */
/* Once per process, on stderr. */
void tt_record_complain (const char *what, const char *path, int error);
/* The directory of this process; claims it at the first call. false: there is none. */
bool tt_record_claim (void);
/* Opens a file of the recording, below the directory of this process, but no link; -1 with errno. What is made anew is
 * opened with O_EXCL: a file of another recording is not written over. */
int tt_record_open (const char *name, int flags);
bool tt_record_write_all (int fd, const void *bytes, size_t len);

void tt_record_session_after_fork (void);
