/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TAU_tf.h: reading TAU traces, with the names and signatures of TAU's own library; with it comes TAU_tf_writer.h,
 * writing them.
 *
 * Link with -ltracetool-tau (pkg-config tracetool-tau). Programs written for TAU's trace input
 * library compile unchanged. A handle belongs to one thread at a time; different handles may be used
 * by different threads at once. See TAU_tf(3) for what differs from TAU, and why.
 */
#ifndef TAU_TF_H
#define TAU_TF_H

#include "TAU_tf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -- reading ------------------------------------------------------------------------------------- */

/*
 * Callbacks. What they return is ignored. Times are in units of the trace (microseconds), counted
 * from the first record of the file. Names live as long as the program, also when the handle is closed: equal
 * ones are one. Those of states and user events come with their double quotes, "\"MPI_Send()  \"".
 */
typedef int (*Ttf_DefClkPeriodT) (void *userData, double clkPeriod);
typedef int (*Ttf_DefThreadT) (void *userData,
             unsigned int nodeToken,
             unsigned int threadToken,
             const char *threadName);
typedef int (*Ttf_DefStateGroupT) (void *userData, unsigned int stateGroupToken, const char *stateGroupName);
typedef int (*Ttf_DefStateT) (void *userData,
             unsigned int stateToken,
             const char *stateName,
             unsigned int stateGroupToken);
/* At a WALL_CLOCK record after a FLUSH_CLOSE of that thread: perhaps several times, perhaps never. */
typedef int (*Ttf_EndTraceT) (void *userData, unsigned int nodeToken, unsigned int threadToken);
typedef int (*Ttf_EnterStateT) (void *userData,
                                double time,
                                unsigned int nodeToken,
                                unsigned int threadToken,
                                unsigned int stateToken);
typedef int (*Ttf_LeaveStateT) (void *userData,
                                double time,
                                unsigned int nodeToken,
                                unsigned int threadToken,
                                unsigned int stateToken);
/* The peer's thread is not in a trace: 0. */
typedef int (*Ttf_SendMessageT) (void *userData,
                                 double time,
                                 unsigned int sourceNodeToken,
                                 unsigned int sourceThreadToken,
                                 unsigned int destinationNodeToken,
                                 unsigned int destinationThreadToken,
                                 unsigned int messageSize,
                                 unsigned int messageTag,
                                 unsigned int messageComm);
typedef int (*Ttf_RecvMessageT) (void *userData,
                                 double time,
                                 unsigned int sourceNodeToken,
                                 unsigned int sourceThreadToken,
                                 unsigned int destinationNodeToken,
                                 unsigned int destinationThreadToken,
                                 unsigned int messageSize,
                                 unsigned int messageTag,
                                 unsigned int messageComm);
typedef int (*Ttf_DefUserEventT) (void *userData,
                                  unsigned int userEventToken,
                                  const char *userEventName,
                                  int monotonicallyIncreasing);
/* One call a record: an ordinary user event has three, 0, value, 0. */
typedef int (*Ttf_EventTriggerT) (void *userData,
                                  double time,
                                  unsigned int nodeToken,
                                  unsigned int threadToken,
                                  unsigned int userEventToken,
                                  x_int64 userEventValue);

/* Zero all of it first: NULL means that nobody is called. */
typedef struct Ttf_Callbacks
{
  void *UserData;
  Ttf_DefClkPeriodT DefClkPeriod;
  Ttf_DefThreadT DefThread;
  Ttf_DefStateGroupT DefStateGroup;
  Ttf_DefStateT DefState;
  Ttf_EndTraceT EndTrace;
  Ttf_EnterStateT EnterState;
  Ttf_LeaveStateT LeaveState;
  Ttf_SendMessageT SendMessage;
  Ttf_RecvMessageT RecvMessage;
  Ttf_DefUserEventT DefUserEvent;
  Ttf_EventTriggerT EventTrigger;
} Ttf_CallbacksT;

/* NULL, with a message on standard error, if one of the two cannot be read or is not a regular file. */
Ttf_FileHandleT Ttf_OpenFileForInput (const char *name, const char *edf);

/* 1 (the default): times count from the first record of the file; 0: as they are in the file. */
void Ttf_SetSubtractFirstTimestamp (Ttf_FileHandleT handle, int subtract);
/* For programs that call it: reading never blocks, whatever is set. */
void Ttf_SetNonBlocking (Ttf_FileHandleT handle, int nonBlocking);

/*
 * To record eventPosition, counted from 0; a negative one counts from the end. Returns where the
 * handle is then. 0 is the start (in TAU the end: see TTF_HABIT_SEEK_ZERO). A position after the
 * end is allowed; reading there gives 0 records. On an error 0 is returned, nothing moves, and errno
 * is EINVAL; a call that succeeds sets errno to 0. Positions that do not fit an int are returned as INT_MAX.
 */
int Ttf_AbsSeek (Ttf_FileHandleT handle, int eventPosition);
/* The same, from where the handle is. */
int Ttf_RelSeek (Ttf_FileHandleT handle, int plusMinusNumEvents);

/*
 * Reads up to numberOfEvents records, making a callback for each that has one, and returns how many
 * it read: 0 at the end, -1 on an error, which is an event id that is not in the definitions (the
 * next call goes on after that record), or a file that cannot be read.
 * Definitions come with the first call, threads before their first record. The last record of a file
 * may be cut: all that are complete are read.
 */
int Ttf_ReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents);

/* Returns the handle, which is no longer good for anything; NULL on an error. */
Ttf_FileHandleT Ttf_CloseFile (Ttf_FileHandleT fileHandle);

/* -- not in TAU's library ------------------------------------------------------------------------ */

/* 1: the first read after a seek to the start calls for clock, definitions and threads again, so that
 * another callback table sees them. Default 0. */
void Ttf_SetReannounce (Ttf_FileHandleT handle, int reannounce);

/* Habits of TAU's reader that programs could depend on. */
/* An event whose name has double quotes inside is not defined: its records are lost. */
#define TTF_HABIT_QUOTED_NAMES 1u
#define TTF_HABIT_GROUPS 2u       /* a group first seen in another row than a state's is never defined */
#define TTF_HABIT_CHUNKS 4u       /* at most 1024 records a read; a chunk with a cut record is lost */
#define TTF_HABIT_SEEK_ZERO 8u    /* Ttf_AbsSeek (handle, 0) goes to the end */
/* So that callbacks are, line by line, those of TAU's reader. */
#define TTF_HABITS_DEFAULT (TTF_HABIT_QUOTED_NAMES | TTF_HABIT_GROUPS)

/* Which of them a handle has; before the first read. 0: none, so that nothing is lost. */
void Ttf_SetHabits (Ttf_FileHandleT handle, unsigned int habits);

/* -- other names ----------------------------------------------------------------------------------- */

Ttf_FileHandleT CTtf_OpenFileForInput (const char *name, const char *edf);
int CTtf_AbsSeek (Ttf_FileHandleT handle, int eventPosition);
int CTtf_RelSeek (Ttf_FileHandleT handle, int plusMinusNumEvents);
int CTtf_ReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents);
Ttf_FileHandleT CTtf_CloseFile (Ttf_FileHandleT fileHandle);

/* Spellings of TAU's documentation. */
Ttf_FileHandleT TtfOpenFileForInput (const char *name, const char *edf);
int TtfReadNumEvents (Ttf_FileHandleT fileHandle, Ttf_CallbacksT callbacks, int numberOfEvents);

/* The documentation also calls two types of callbacks as two functions of the writer are called, and one
 * name cannot be both: define TTF_SEED_NAMES before the include to have the types instead. */
#ifdef TTF_SEED_NAMES
typedef Ttf_DefUserEventT Ttf_DefUserEvent;
typedef Ttf_EventTriggerT Ttf_EventTrigger;
#endif

#ifdef __cplusplus
}
#endif

#endif
