/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/states/state-sweep.h"

#include <string.h>

#include "src/trace/event.h"

struct _TtStateSweep
{
  gint64 from_ns, until_ns;
  TtStateStretchFunc on_stretch;
  TtStateSpanFunc on_span;
  gpointer data;
  GArray *open;          /* of TtStateSpan */
  gboolean has_crossing; /* one of them ends after one around it */
  gint64 now_ns;
  guint64 sums[TT_N_THREAD_STATES];
  TtThreadState state;
  gint64 state_end_ns;
  guint32 call; /* TT_NO_ID: none */
  gint64 call_end_ns;
};

static void
reset (TtStateSweep *self)
{
  g_array_set_size (self->open, 0);
  self->has_crossing = FALSE;
  self->now_ns = self->state_end_ns = self->call_end_ns = G_MININT64;
  self->state = TT_STATE_UNKNOWN;
  self->call = TT_NO_ID;
  memset (self->sums, 0, sizeof self->sums);
}

TtStateSweep *
tt_state_sweep_new (gint64 from_ns,
                    gint64 until_ns,
                    TtStateStretchFunc on_stretch,
                    TtStateSpanFunc on_span,
                    gpointer data)
{
  TtStateSweep *self = g_new0 (TtStateSweep, 1);

  self->from_ns = from_ns;
  self->until_ns = until_ns;
  self->on_stretch = on_stretch;
  self->on_span = on_span;
  self->data = data;
  self->open = g_array_new (FALSE, FALSE, sizeof (TtStateSpan));
  reset (self);
  return self;
}

void
tt_state_sweep_free (TtStateSweep *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->open);
  g_free (self);
}

static TtStateSpan *
span_at (const TtStateSweep *self, guint i)
{
  return &g_array_index (self->open, TtStateSpan, i);
}

static void
close_span (TtStateSweep *self, guint i)
{
  const TtStateSpan *span = span_at (self, i);
  gint64 ns[TT_N_THREAD_STATES];

  for (guint state = 0; state < TT_N_THREAD_STATES; state++)
    ns[state] = (gint64) (self->sums[state] - span->before[state]);
  self->on_span (span, ns, self->data);
  g_array_remove_index (self->open, i);
}

static void
close_ended (TtStateSweep *self)
{
  for (guint i = self->open->len; i-- > 0;)
    if (span_at (self, i)->end_ns <= self->now_ns)
      close_span (self, i);
    else if (!self->has_crossing)
      break;
  self->has_crossing = self->has_crossing && self->open->len > 1;
}

/* When the next of the open spans ends; there is one. */
static gint64
next_end (const TtStateSweep *self)
{
  gint64 end_ns = span_at (self, self->open->len - 1)->end_ns;

  for (guint i = 0; self->has_crossing && i < self->open->len; i++)
    end_ns = MIN (end_ns, span_at (self, i)->end_ns);
  return end_ns;
}

static void
tell (TtStateSweep *self, gint64 until_ns)
{
  gint64 begin_ns = MAX (self->now_ns, self->from_ns), end_ns = MIN (until_ns, self->until_ns);

  if (begin_ns >= end_ns)
    return;
  const TtStateStretch stretch = {
    .span = span_at (self, self->open->len - 1), .ns = end_ns - begin_ns, .state = self->state, .call = self->call
  };
  self->sums[stretch.state] += (guint64) stretch.ns;
  self->on_stretch (&stretch, self->data);
}

static void
forget_ended (TtStateSweep *self)
{
  if (self->state_end_ns <= self->now_ns)
    {
      self->state = TT_STATE_UNKNOWN;
      self->state_end_ns = G_MAXINT64;
    }
  if (self->call_end_ns <= self->now_ns)
    {
      self->call = TT_NO_ID;
      self->call_end_ns = G_MAXINT64;
    }
}

static void
go_to (TtStateSweep *self, gint64 ns)
{
  while (self->open->len > 0 && self->now_ns < ns)
    {
      gint64 until_ns = MIN (MIN (ns, next_end (self)), MIN (self->state_end_ns, self->call_end_ns));

      tell (self, until_ns);
      self->now_ns = MAX (self->now_ns, until_ns);
      close_ended (self);
      forget_ended (self);
    }
  self->now_ns = MAX (self->now_ns, ns);
  forget_ended (self);
}

void
tt_state_sweep_span (TtStateSweep *self, const TtStateSpan *span)
{
  go_to (self, span->begin_ns);

  guint len = self->open->len;
  if (len > 0 && span_at (self, len - 1)->end_ns < span->end_ns)
    self->has_crossing = TRUE;
  g_array_append_val (self->open, *span);
  memcpy (span_at (self, len)->before, self->sums, sizeof self->sums);
  close_ended (self);
}

void
tt_state_sweep_state (TtStateSweep *self, TtThreadState state, gint64 begin_ns, gint64 end_ns)
{
  go_to (self, begin_ns);
  if (end_ns <= self->now_ns)
    return;
  self->state = state;
  self->state_end_ns = end_ns;
}

void
tt_state_sweep_call (TtStateSweep *self, guint32 name, gint64 begin_ns, gint64 end_ns)
{
  go_to (self, begin_ns);
  if (end_ns <= self->now_ns)
    return;
  self->call = name;
  self->call_end_ns = end_ns;
}

void
tt_state_sweep_finish (TtStateSweep *self)
{
  go_to (self, G_MAXINT64);
  while (self->open->len > 0)
    close_span (self, self->open->len - 1);
  reset (self);
}
