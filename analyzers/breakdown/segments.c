/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/segments.h"

#include "analyzers/spans/parents.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 begin_ns;
  gint64 until_ns; /* begin of the earliest child so far, or the span's own end */
  guint32 thread;
  gint32 step;
  TtWorkClass work;
  gboolean is_left_out;
} OpenSpan;

struct _TtSegments
{
  TtSegmentFunc func;
  gpointer data;
  TtSpanParents *parents;
  TtSegment *last; /* by thread: may still grow; TT_WORK_NONE: none */
  guint32 max_thread;
};

static void
emit (TtSegments *self, const OpenSpan *span, gint64 begin_ns, gint64 end_ns)
{
  TtSegment *last = &self->last[span->thread];

  if (begin_ns >= end_ns || span->work == TT_WORK_NONE)
    return;
  if (last->work == span->work && last->step == span->step && last->is_left_out == span->is_left_out &&
      last->begin_ns == end_ns)
    {
      last->begin_ns = begin_ns;
      return;
    }
  if (last->work != TT_WORK_NONE)
    self->func (last, self->data);
  *last = (TtSegment){ begin_ns, end_ns, span->thread, span->step, span->work, span->is_left_out };
}

static void
on_closed (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;

  emit (data, span, span->begin_ns, span->until_ns);
}

TtSegments *
tt_segments_new (guint32 max_thread, TtSegmentFunc func, gpointer data)
{
  TtSegments *self = g_new0 (TtSegments, 1);

  self->func = func;
  self->data = data;
  self->max_thread = max_thread;
  self->parents = tt_span_parents_new (max_thread, sizeof (OpenSpan), on_closed, self);
  self->last = g_new (TtSegment, (gsize) max_thread + 1);
  for (guint32 thread = 0; thread <= max_thread; thread++)
    self->last[thread].work = TT_WORK_NONE;
  return self;
}

void
tt_segments_free (TtSegments *self)
{
  if (self == NULL)
    return;
  tt_span_parents_free (self->parents);
  g_free (self->last);
  g_free (self);
}

static gboolean
open_span (TtSegments *self, const TtEvent *event, TtWorkClass work, gboolean is_left_out, GError **error)
{
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  gpointer around = NULL;
  OpenSpan *span = tt_span_parents_add (self->parents, event, &around, error);
  if (span == NULL)
    return FALSE;
  *span = (OpenSpan){ event->ts_ns, end_ns, event->thread, event->step, work, is_left_out };
  OpenSpan *parent = around;
  if (parent == NULL)
    return TRUE;
  /* Of spans that cross, the later has taken its part. */
  span->until_ns = MIN (end_ns, parent->until_ns);
  if (end_ns < parent->until_ns)
    emit (self, parent, end_ns, parent->until_ns);
  parent->until_ns = MIN (parent->until_ns, event->ts_ns);
  return TRUE;
}

gboolean
tt_segments_add (TtSegments *self, const TtEvent *event, TtWorkClass work, gboolean is_left_out, GError **error)
{
  gpointer around = NULL;

  if (work == TT_WORK_NONE)
    return tt_span_parents_pass (self->parents, event, &around, error);
  return open_span (self, event, work, is_left_out, error);
}

gboolean
tt_segments_add_unknown (TtSegments *self, const TtEvent *event, GError **error)
{
  return open_span (self, event, TT_WORK_NONE, FALSE, error);
}

void
tt_segments_finish (TtSegments *self)
{
  tt_span_parents_finish (self->parents);
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    if (self->last[thread].work != TT_WORK_NONE)
      self->func (&self->last[thread], self->data);
}
