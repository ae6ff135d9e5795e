/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/formats/tau-print.h"

static int
clock_period (void *data, double period)
{
  return fprintf (data, "CLK %.17g\n", period);
}

static int
thread (void *data, unsigned int node, unsigned int tid, const char *name)
{
  return fprintf (data, "THREAD %u %u %s\n", node, tid, name);
}

static int
group (void *data, unsigned int token, const char *name)
{
  return fprintf (data, "GROUP %u %s\n", token, name);
}

static int
state (void *data, unsigned int token, const char *name, unsigned int group_token)
{
  return fprintf (data, "STATE %u %u %s\n", token, group_token, name);
}

static int
user_event (void *data, unsigned int token, const char *name, int is_monotonic)
{
  return fprintf (data, "UEVENT %u %d %s\n", token, is_monotonic, name);
}

static int
end_trace (void *data, unsigned int node, unsigned int tid)
{
  return fprintf (data, "END %u %u\n", node, tid);
}

static int
enter (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  return fprintf (data, "ENTER %.17g %u %u %u\n", time, node, tid, token);
}

static int
leave (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  return fprintf (data, "LEAVE %.17g %u %u %u\n", time, node, tid, token);
}

static int
message (FILE *out,
         const char *word,
         double time,
         unsigned int src,
         unsigned int src_tid,
         unsigned int dst,
         unsigned int dst_tid,
         unsigned int size,
         unsigned int tag,
         unsigned int comm)
{
  return fprintf (out, "%s %.17g %u %u %u %u size=%u tag=%u comm=%u\n", word, time, src, src_tid, dst, dst_tid, size,
                  tag, comm);
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
  return message (data, "SEND", time, src, src_tid, dst, dst_tid, size, tag, comm);
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
  return message (data, "RECV", time, src, src_tid, dst, dst_tid, size, tag, comm);
}

static int
trigger (void *data, double time, unsigned int node, unsigned int tid, unsigned int token, long long value)
{
  return fprintf (data, "TRIG %.17g %u %u %u %lld\n", time, node, tid, token, value);
}

Ttf_CallbacksT
tau_print_callbacks (FILE *out)
{
  return (Ttf_CallbacksT){
    .UserData = out,
    .DefClkPeriod = clock_period,
    .DefThread = thread,
    .DefStateGroup = group,
    .DefState = state,
    .EndTrace = end_trace,
    .EnterState = enter,
    .LeaveState = leave,
    .SendMessage = sent,
    .RecvMessage = received,
    .DefUserEvent = user_event,
    .EventTrigger = trigger,
  };
}
