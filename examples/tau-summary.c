/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a TAU trace with the callback interface and says what is in it:
 *
 *   tau-summary RUN.trc RUN.edf
 *
 * cc tau-summary.c $(pkg-config --cflags --libs tracetool-tau)
 */
#include <TAU_tf.h>

#include <stdio.h>
#include <string.h>

/* The userData argument carries what the callbacks fill. */
typedef struct
{
  char clock[64];
  unsigned long states, threads, enters, leaves, sends, bytes;
} Summary;

static int
ClockPeriod (void *userData, double clkPeriod)
{
  Summary *summary = userData;

  snprintf (summary->clock, sizeof summary->clock, "Clock period %g", clkPeriod);
  return 0;
}

static int
DefThread (void *userData, unsigned int nodeToken, unsigned int threadToken, const char *threadName)
{
  (void) nodeToken;
  (void) threadToken;
  (void) threadName;
  ((Summary *) userData)->threads++;
  return 0;
}

static int
DefState (void *userData, unsigned int stateToken, const char *stateName, unsigned int stateGroupToken)
{
  (void) stateToken;
  (void) stateName;
  (void) stateGroupToken;
  ((Summary *) userData)->states++;
  return 0;
}

static int
EnterState (void *userData, double time, unsigned int nodeToken, unsigned int threadToken, unsigned int stateToken)
{
  (void) time;
  (void) nodeToken;
  (void) threadToken;
  (void) stateToken;
  ((Summary *) userData)->enters++;
  return 0;
}

/* TAU's documentation leaves out the state. */
static int
LeaveState (void *userData, double time, unsigned int nodeToken, unsigned int threadToken, unsigned int stateToken)
{
  (void) time;
  (void) nodeToken;
  (void) threadToken;
  (void) stateToken;
  ((Summary *) userData)->leaves++;
  return 0;
}

/* And here the communicator. */
static int
SendMessage (void *userData,
             double time,
             unsigned int sourceNodeToken,
             unsigned int sourceThreadToken,
             unsigned int destinationNodeToken,
             unsigned int destinationThreadToken,
             unsigned int messageSize,
             unsigned int messageTag,
             unsigned int messageComm)
{
  (void) time;
  (void) sourceNodeToken;
  (void) sourceThreadToken;
  (void) destinationNodeToken;
  (void) destinationThreadToken;
  (void) messageTag;
  (void) messageComm;
  ((Summary *) userData)->sends++;
  ((Summary *) userData)->bytes += messageSize;
  return 0;
}

int
main (int argc, char **argv)
{
  Summary summary = { "", 0, 0, 0, 0, 0, 0 };
  Ttf_CallbacksT cb;
  Ttf_FileHandleT fh;
  long records = 0;
  int recs_read;

  if (argc != 3)
    {
      fprintf (stderr, "usage: tau-summary RUN.trc RUN.edf\n");
      return 2;
    }
  fh = Ttf_OpenFileForInput (argv[1], argv[2]);
  if (fh == NULL)
    return 1;

  /* Members that are not set must be NULL. */
  memset (&cb, 0, sizeof cb);
  cb.UserData = &summary;
  cb.DefClkPeriod = ClockPeriod;
  cb.DefThread = DefThread;
  cb.DefState = DefState;
  cb.EnterState = EnterState;
  cb.LeaveState = LeaveState;
  cb.SendMessage = SendMessage;

  /* 0 is the end, -1 an error: with the documentation's ">= 0" the loop would never stop. */
  while ((recs_read = Ttf_ReadNumEvents (fh, cb, 1024)) > 0)
    records += recs_read;
  Ttf_CloseFile (fh);

  printf ("%s\n%ld records of %lu threads, %lu states\n", summary.clock, records, summary.threads, summary.states);
  printf ("%lu enters, %lu leaves, %lu messages of %lu bytes\n", summary.enters, summary.leaves, summary.sends,
          summary.bytes);
  return recs_read < 0;
}
