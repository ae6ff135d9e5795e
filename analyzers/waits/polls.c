/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/polls.h"

typedef struct
{
  TtWaitSpan stretch; /* event 0: none is open; its event is the last call */
  gint64 last_begin_ns;
  gboolean is_probing; /* the last call of the stretch probes */
  TtWaitSpan probe;    /* event 0: none that no message was received after */
} Thread;

struct _TtPolls
{
  GArray *threads;    /* of Thread */
  guint32 *number_of; /* by thread: index + 1; 0: it never polled or probed */
  guint32 max_thread;
};

TtPolls *
tt_polls_new (guint32 max_thread)
{
  TtPolls *self = g_new0 (TtPolls, 1);

  self->threads = g_array_new (FALSE, TRUE, sizeof (Thread));
  self->number_of = g_new0 (guint32, (gsize) max_thread + 1);
  self->max_thread = max_thread;
  return self;
}

void
tt_polls_free (TtPolls *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->threads);
  g_free (self->number_of);
  g_free (self);
}

gboolean
tt_polls_are_any (const TtPolls *self)
{
  return self->threads->len > 0;
}

/* NULL: the thread never polled or probed. */
static Thread *
find_thread (const TtPolls *self, guint32 thread)
{
  guint32 number = thread <= self->max_thread ? self->number_of[thread] : 0;

  return number == 0 ? NULL : &g_array_index (self->threads, Thread, number - 1);
}

static Thread *
add_thread (TtPolls *self, guint32 thread)
{
  if (self->number_of[thread] == 0)
    {
      g_array_set_size (self->threads, self->threads->len + 1);
      self->number_of[thread] = self->threads->len;
    }
  return &g_array_index (self->threads, Thread, self->number_of[thread] - 1);
}

gint64
tt_polls_since (const TtPolls *self, guint32 thread, TtCallClass call_class, gint64 ts_ns)
{
  const Thread *found = tt_call_is_poll (call_class) ? find_thread (self, thread) : NULL;

  return found == NULL || found->stretch.event == 0 ? ts_ns : found->stretch.begin_ns;
}

static void
take_poll (Thread *thread, TtCallClass call_class, gint64 ts_ns, TtWaitSpan *span)
{
  if (thread->stretch.event == 0)
    thread->stretch.begin_ns = ts_ns;
  else
    span->is_inferred = TRUE;
  span->begin_ns = thread->stretch.begin_ns;
  thread->stretch = *span;
  thread->last_begin_ns = ts_ns;
  thread->is_probing = call_class == TT_CALL_POLL_PROBE;
}

static void
end_stretch (Thread *thread)
{
  if (thread->stretch.event != 0 && thread->is_probing)
    thread->probe = thread->stretch;
  thread->stretch.event = 0;
}

void
tt_polls_take (TtPolls *self, TtCallClass call_class, gint64 ts_ns, TtWaitSpan *span)
{
  Thread *thread = find_thread (self, span->thread);

  if (span->thread > self->max_thread)
    return;
  if (tt_call_is_poll (call_class))
    {
      take_poll (add_thread (self, span->thread), call_class, ts_ns, span);
      return;
    }
  /* A span around a call of the stretch is no other activity. */
  if (thread != NULL && thread->stretch.event != 0 && ts_ns > thread->last_begin_ns)
    end_stretch (thread);
  if (call_class == TT_CALL_PROBE)
    add_thread (self, span->thread)->probe = *span;
}

gboolean
tt_polls_use_probe (TtPolls *self, guint32 thread, gint64 begin_ns, TtWaitSpan *probe)
{
  Thread *found = find_thread (self, thread);

  if (found == NULL || found->probe.event == 0 || found->probe.end_ns > begin_ns)
    return FALSE;
  *probe = found->probe;
  probe->is_inferred = TRUE;
  found->probe.event = 0;
  return TRUE;
}

void
tt_polls_end_stretch (TtPolls *self, guint32 thread)
{
  Thread *found = find_thread (self, thread);

  if (found != NULL)
    found->stretch.event = 0;
}
