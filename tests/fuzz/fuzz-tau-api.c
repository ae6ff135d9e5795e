/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader library through its public interface: any trace with fixed definitions, or with its own,
 * read and seeked about as the input's last bytes say; then written again.
 *
 * Input: the trace; then, if the last byte is odd, definitions behind the last "\n@\n".
 */
#include "config.h"

#include "formats/tau/TAU_tf.h"
#include "tests/fuzz/memory-file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char definitions[] = "14 dynamic_trace_events\n"
                                  "0 TAUEVENT 0 \".TAU <unknown event>\" TriggerValue\n"
                                  "1 TAU_USER 0 \"main \" EntryExit\n"
                                  "2 MPI 0 \"MPI_Send()  \" EntryExit\n"
                                  "3 TRACER 0 \"EV_INIT\" none\n"
                                  "4 TAU_USER 0 \"work \" EntryExit\n"
                                  "5 TAU_USER 0 \"more\" EntryExit\n"
                                  "6 TRACER 0 \"FLUSH\" EntryExit\n"
                                  "7 TRACER 0 \"FLUSH_CLOSE\" none\n"
                                  "8 TRACER 0 \"WALL_CLOCK\" none\n"
                                  "9 TAUEVENT 0 \"bytes\" TriggerValue\n"
                                  "10 TAUEVENT 0 \"loop \"quoted\" value\" TriggerValue\n"
                                  "11 TAUEVENT 1 \"PAPI\" TriggerValue\n"
                                  "13 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n"
                                  "14 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n";

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t len);

/* -- callbacks: what comes goes out again ------------------------------------------------------------ */

static int
thread (void *data, unsigned int node, unsigned int tid, const char *name)
{
  return Ttf_DefThread (data, node, tid, name);
}

static int
group (void *data, unsigned int token, const char *name)
{
  return Ttf_DefStateGroup (data, name, token);
}

static int
state (void *data, unsigned int token, const char *name, unsigned int group_token)
{
  return Ttf_DefState (data, token, name, group_token);
}

static int
user_event (void *data, unsigned int token, const char *name, int is_monotonic)
{
  return Ttf_DefUserEvent (data, token, name, is_monotonic);
}

static int
enter (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  return Ttf_EnterState (data, time > 0 && time < 1e18 ? (unsigned long long) time : 0, node, tid, token);
}

static int
leave (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  return Ttf_LeaveState (data, time > 0 && time < 1e18 ? (unsigned long long) time : 0, node, tid, token);
}

static int
sent (void *data,
      double time,
      unsigned int a,
      unsigned int b,
      unsigned int c,
      unsigned int d,
      unsigned int size,
      unsigned int tag,
      unsigned int comm)
{
  return Ttf_SendMessage (data, time, a, b, c, d, size, tag, comm);
}

static int
received (void *data,
          double time,
          unsigned int a,
          unsigned int b,
          unsigned int c,
          unsigned int d,
          unsigned int size,
          unsigned int tag,
          unsigned int comm)
{
  return Ttf_RecvMessage (data, time, a, b, c, d, size, tag, comm);
}

static int
trigger (void *data, double time, unsigned int node, unsigned int tid, unsigned int token, long long value)
{
  return Ttf_EventTrigger (data, time, node, tid, token, (double) value);
}

/* -- the target ---------------------------------------------------------------------------------------- */

/* One step of reading or seeking; what must hold of it does. */
static void
step (Ttf_FileHandleT file, Ttf_CallbacksT callbacks, uint8_t what)
{
  int amount = (int8_t) (what << 2) / 4;

  switch (what >> 6)
    {
    case 0:
      if (Ttf_ReadNumEvents (file, callbacks, (what & 63) * 100) > (what & 63) * 100)
        abort ();
      break;
    case 1:
      if (Ttf_AbsSeek (file, amount) < 0)
        abort ();
      break;
    case 2:
      if (Ttf_RelSeek (file, amount * 3) < 0)
        abort ();
      break;
    default:
      Ttf_SetReannounce (file, what & 1);
      Ttf_SetSubtractFirstTimestamp (file, what & 2);
      if (what & 4)
        Ttf_SetHabits (file, what >> 3 & 7);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t len)
{
  const uint8_t *rows = (const uint8_t *) definitions;
  size_t n_rows = sizeof definitions - 1, n_trace = len;

  if (len > 0 && bytes[len - 1] & 1)
    for (size_t i = len; i-- > 2;)
      if (memcmp (bytes + i - 2, "\n@\n", 3) == 0)
        {
          rows = bytes + i + 1;
          n_rows = len - i - 1;
          n_trace = i - 2;
          break;
        }
  Ttf_FileHandleT in = Ttf_OpenFileForInput (fuzz_memory_file (0, bytes, n_trace), fuzz_memory_file (1, rows, n_rows));
  Ttf_FileHandleT out = Ttf_OpenFileForOutput (fuzz_memory_file (2, "", 0), fuzz_memory_file (3, "", 0));
  if (in == NULL || out == NULL)
    abort ();
  const Ttf_CallbacksT callbacks = {
    .UserData = out,
    .DefThread = thread,
    .DefStateGroup = group,
    .DefState = state,
    .EnterState = enter,
    .LeaveState = leave,
    .SendMessage = sent,
    .RecvMessage = received,
    .DefUserEvent = user_event,
    .EventTrigger = trigger,
  };
  for (size_t i = 0; i < 24 && i < len; i++)
    step (in, callbacks, bytes[len - 1 - i]);
  Ttf_AbsSeek (in, 0);
  for (int i = 0; i < 1000 && Ttf_ReadNumEvents (in, callbacks, 1000) > 0; i++)
    ;
  Ttf_CloseFile (in);
  if (Ttf_CloseOutputFile (out) == NULL)
    abort ();
  return 0;
}
