/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Written to the letter of TAU's documentation, names and signatures as there. Where its text cannot
 * compile, the comment says why and what stands instead.
 */
#define TTF_SEED_NAMES /* the types Ttf_DefUserEvent and Ttf_EventTrigger instead of the writer's functions */
#include "TAU_tf.h"

#include <stdio.h>

static int
ClockPeriod (void *userData, double clkPeriod)
{
  sprintf ((char *) userData, "Clock period %g\n", clkPeriod);
  return 0;
}

static int
EventTrigger (void *userData,
              double time,
              unsigned int nodeToken,
              unsigned int threadToken,
              unsigned int userEventToken,
              long long userEventValue)
{
  (void) userData;
  (void) time;
  (void) nodeToken;
  (void) threadToken;
  (void) userEventToken;
  (void) userEventValue;
  return 0;
}

int
main (int argc, char **argv)
{
  Ttf_FileHandleT fh;
  char text[64] = "";
  int recs_read;

  if (argc != 3)
    return 2;
  /* "Each element of the callback table must be initialized to a viable function or 0". */
  Ttf_DefClkPeriodT DefClkPeriod = ClockPeriod;
  Ttf_DefThreadT DefThread = 0;
  Ttf_DefStateGroupT DefStateGroup = 0;
  Ttf_DefStateT DefState = 0;
  Ttf_EndTraceT EndTrace = 0;
  Ttf_EnterStateT EnterState = 0;
  Ttf_LeaveStateT LeaveState = 0;   /* documented with four arguments: the type has the state as fifth */
  Ttf_SendMessageT SendMessage = 0; /* documented with eight, as is RecvMessage: the ninth is the communicator */
  Ttf_RecvMessageT RecvMessage = 0;
  Ttf_DefUserEvent DefUserEvent = 0;
  Ttf_EventTrigger Trigger = EventTrigger;

  Ttf_CallbacksT cb;
  cb.UserData = text;
  cb.DefClkPeriod = DefClkPeriod;
  cb.DefThread = DefThread;
  cb.DefStateGroup = DefStateGroup;
  cb.DefState = DefState;
  cb.EndTrace = EndTrace;
  cb.EnterState = EnterState;
  cb.LeaveState = LeaveState;
  cb.SendMessage = SendMessage;
  cb.RecvMessage = RecvMessage;
  cb.DefUserEvent = DefUserEvent;
  cb.EventTrigger = Trigger;

  fh = TtfOpenFileForInput (argv[1], argv[2]);
  if (fh == NULL)
    return 1;
  do
    {
      recs_read = TtfReadNumEvents (fh, cb, 1024);
    }
  while (recs_read > 0); /* documented as ">=0", which never ends: 0 is the end */

  /* "process the trace a second time": from the start */
  Ttf_AbsSeek (fh, 0);
  recs_read = Ttf_ReadNumEvents (fh, cb, 1);
  Ttf_RelSeek (fh, -1);
  Ttf_CloseFile (fh);
  fputs (text, stdout);
  return recs_read != 1;
}
