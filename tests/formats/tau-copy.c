/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a TAU trace, reader to writer: tau-copy IN.trc IN.edf OUT.trc OUT.edf. */
#include "formats/tau/TAU_tf.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  Ttf_FileHandleT out;
  int status;
} Copy;

static int
note (Copy *copy, int status)
{
  if (status != 0)
    copy->status = -1;
  return status;
}

/* The writer puts the quotes back. */
static const char *
unquote (const char *name, char *text, size_t room)
{
  snprintf (text, room, "%.*s", (int) strlen (name) - 2, name + 1);
  return text;
}

static int
thread (void *data, unsigned int node, unsigned int tid, const char *name)
{
  Copy *copy = data;

  return note (copy, Ttf_DefThread (copy->out, node, tid, name));
}

static int
group (void *data, unsigned int token, const char *name)
{
  Copy *copy = data;

  return note (copy, Ttf_DefStateGroup (copy->out, name, token));
}

static int
state (void *data, unsigned int token, const char *name, unsigned int group_token)
{
  Copy *copy = data;
  char text[65536];

  return note (copy, Ttf_DefState (copy->out, token, unquote (name, text, sizeof text), group_token));
}

static int
user_event (void *data, unsigned int token, const char *name, int is_monotonic)
{
  Copy *copy = data;
  char text[65536];

  return note (copy, Ttf_DefUserEvent (copy->out, token, unquote (name, text, sizeof text), is_monotonic));
}

static int
enter (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  Copy *copy = data;

  return note (copy, Ttf_EnterState (copy->out, (unsigned long long) time, node, tid, token));
}

static int
leave (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  Copy *copy = data;

  return note (copy, Ttf_LeaveState (copy->out, (unsigned long long) time, node, tid, token));
}

static int
sent (void *data,
      double time,
      unsigned int src,
      unsigned int src_tid,
      unsigned int dst,
      unsigned int dst_tid,
      unsigned int size,
      unsigned int tag,
      unsigned int comm)
{
  Copy *copy = data;

  return note (copy, Ttf_SendMessage (copy->out, time, src, src_tid, dst, dst_tid, size, tag, comm));
}

static int
received (void *data,
          double time,
          unsigned int src,
          unsigned int src_tid,
          unsigned int dst,
          unsigned int dst_tid,
          unsigned int size,
          unsigned int tag,
          unsigned int comm)
{
  Copy *copy = data;

  return note (copy, Ttf_RecvMessage (copy->out, time, src, src_tid, dst, dst_tid, size, tag, comm));
}

static int
trigger (void *data, double time, unsigned int node, unsigned int tid, unsigned int token, long long value)
{
  Copy *copy = data;

  return note (
      copy, Ttf_LongEventTrigger (copy->out, (unsigned long long) time, node, tid, token, (unsigned long long) value));
}

int
main (int argc, char **argv)
{
  Ttf_CallbacksT callbacks;
  Copy copy = { NULL, 0 };
  int n;

  if (argc != 5)
    {
      fprintf (stderr, "usage: tau-copy IN.trc IN.edf OUT.trc OUT.edf\n");
      return 2;
    }
  Ttf_FileHandleT in = Ttf_OpenFileForInput (argv[1], argv[2]);
  if (in == NULL)
    return 1;
  copy.out = Ttf_OpenFileForOutput (argv[3], argv[4]);
  if (copy.out == NULL)
    return 1;
  Ttf_SetHabits (in, 0);
  Ttf_SetSubtractFirstTimestamp (in, 0);

  memset (&callbacks, 0, sizeof callbacks);
  callbacks.UserData = &copy;
  callbacks.DefThread = thread;
  callbacks.DefStateGroup = group;
  callbacks.DefState = state;
  callbacks.EnterState = enter;
  callbacks.LeaveState = leave;
  callbacks.SendMessage = sent;
  callbacks.RecvMessage = received;
  callbacks.DefUserEvent = user_event;
  callbacks.EventTrigger = trigger;
  while ((n = Ttf_ReadNumEvents (in, callbacks, 65536)) > 0)
    ;
  Ttf_CloseFile (in);
  return Ttf_CloseOutputFile (copy.out) == NULL || n < 0 || copy.status != 0;
}
