/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TAU_tf_writer.h: writing TAU traces, with the names, signatures and types of TAU's own library; link with
 * -ltracetool-tau. TAU_tf.h brings it along.
 */
#ifndef TAU_TF_WRITER_H
#define TAU_TF_WRITER_H

/* The types of TAU's Profile/tau_types.h, which may be included as well, in any order. */
#ifndef _TAU_TYPES_H_
#define _TAU_TYPES_H_
typedef char x_int8;
typedef short x_int16;
typedef int x_int32;
typedef long long x_int64;
typedef unsigned char x_uint8;
typedef unsigned short x_uint16;
typedef unsigned int x_uint32;
typedef unsigned long long x_uint64;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef void *Ttf_FileHandleT;

/*
 * Times are whole microseconds. Names are given without quotes. Functions return 0, or -1 on an
 * error. Tokens are any numbers of the caller's, those of states and of user events each for themselves; one
 * that is defined twice keeps its first definition.
 */
Ttf_FileHandleT Ttf_OpenFileForOutput (const char *name, const char *edf);
int Ttf_DefClkPeriod (Ttf_FileHandleT file, double clkPeriod);
/* Threads that are defined get their closing records; the name is not kept, a trace has no place for it. */
int Ttf_DefThread (Ttf_FileHandleT file, unsigned int nodeToken, unsigned int threadToken, const char *threadName);
int Ttf_DefStateGroup (Ttf_FileHandleT file, const char *stateGroupName, unsigned int stateGroupToken);
int Ttf_DefState (Ttf_FileHandleT file, unsigned int stateToken, const char *stateName, unsigned int stateGroupToken);
#ifndef TTF_SEED_NAMES
int Ttf_DefUserEvent (Ttf_FileHandleT file,
                      unsigned int userEventToken,
                      const char *userEventName,
                      int monotonicallyIncreasing);
#endif
int Ttf_EnterState (Ttf_FileHandleT file,
                    x_uint64 time,
                    unsigned int nodeToken,
                    unsigned int threadToken,
                    unsigned int stateToken);
int Ttf_LeaveState (Ttf_FileHandleT file,
                    x_uint64 time,
                    unsigned int nodeToken,
                    unsigned int threadToken,
                    unsigned int stateToken);
int Ttf_SendMessage (Ttf_FileHandleT file,
                     double time,
                     unsigned int sourceNodeToken,
                     unsigned int sourceThreadToken,
                     unsigned int destinationNodeToken,
                     unsigned int destinationThreadToken,
                     unsigned int messageSize,
                     unsigned int messageTag,
                     unsigned int messageComm);
int Ttf_RecvMessage (Ttf_FileHandleT file,
                     double time,
                     unsigned int sourceNodeToken,
                     unsigned int sourceThreadToken,
                     unsigned int destinationNodeToken,
                     unsigned int destinationThreadToken,
                     unsigned int messageSize,
                     unsigned int messageTag,
                     unsigned int messageComm);
/* One record; the value is cut to an integer. */
#ifndef TTF_SEED_NAMES
int Ttf_EventTrigger (Ttf_FileHandleT file,
                      double time,
                      unsigned int nodeToken,
                      unsigned int threadToken,
                      unsigned int userEventToken,
                      double userEventValue);
#endif
int Ttf_LongEventTrigger (Ttf_FileHandleT file,
                          x_uint64 time,
                          unsigned int nodeToken,
                          unsigned int threadToken,
                          unsigned int userEventToken,
                          x_uint64 userEventValue);
int Ttf_FlushTrace (Ttf_FileHandleT file);
Ttf_FileHandleT Ttf_CloseOutputFile (Ttf_FileHandleT file);

#ifdef __cplusplus
}
#endif

#endif
