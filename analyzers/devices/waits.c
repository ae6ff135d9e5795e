/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/waits.h"

#include "analyzers/devices/backward-runs.h"
#include "analyzers/devices/stream-order.h"
#include "src/base/array.h"

#define NONE TT_STREAM_NO_SPAN

typedef struct
{
  const TtDeviceWork *work;
  const TtDeviceSpan *spans;
  TtStreamOrder order;
  GHashTable *telling; /* of sources that say what waits for what */
} Finder;

static void
finder_clear (Finder *self)
{
  tt_stream_order_clear (&self->order);
  g_clear_pointer (&self->telling, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

static GHashTable *
find_telling (const TtDeviceWork *work)
{
  GHashTable *sources = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < work->waits->len; i++)
    g_hash_table_add (sources, GUINT_TO_POINTER (g_array_index (work->waits, TtStreamWait, i).source));
  for (guint i = 0; i < work->syncs->len; i++)
    if (g_array_index (work->syncs, TtDeviceSync, i).is_known)
      g_hash_table_add (sources, GUINT_TO_POINTER (g_array_index (work->syncs, TtDeviceSync, i).source));
  return sources;
}

static void
finder_init (Finder *self, const TtDeviceWork *work)
{
  *self = (Finder){ .work = work, .spans = TT_ARRAY (work->spans, const TtDeviceSpan), .telling = find_telling (work) };
  tt_stream_order_init (&self->order, work);
}

/* The last span to end after @after and not after @until on the source's other streams than that of @span; @across:
 * only between communication and all else. */
static guint
last_of_source (const Finder *self, const TtDeviceSpan *span, gint64 after, gint64 until, gboolean across)
{
  guint best = NONE;

  for (guint i = 0; i < self->order.streams->len; i++)
    {
      const TtStream *stream = &g_array_index (self->order.streams, TtStream, i);
      gboolean is_other = stream->source == span->source && stream->thread != span->thread;
      guint found = is_other ? tt_stream_order_ended (&self->order, stream, until) : NONE;
      if (found != NONE && self->spans[found].end_ns > after &&
          (!across || self->spans[found].is_communication != span->is_communication) &&
          (best == NONE || self->spans[found].end_ns > self->spans[best].end_ns))
        best = found;
    }
  return best;
}

/* -- calls that wait ----------------------------------------------------------------------------------- */

static gboolean
waits_for (const TtDeviceSync *sync, const TtStream *stream)
{
  if (sync->source != stream->source)
    return FALSE;
  if (sync->stream != TT_NO_ID)
    return sync->stream == stream->thread;
  return sync->process == TT_NO_ID || sync->process == stream->process;
}

/* What was launched until then is waited for. */
static gint64
sync_ns (const TtDeviceSync *sync)
{
  return sync->recorded_ns != TT_NO_TIME ? sync->recorded_ns : sync->begin_ns;
}

/* The span whose end released the call, or NONE. */
static guint
find_release (Finder *self, const TtDeviceSync *sync)
{
  guint best = NONE;

  for (guint i = 0; i < self->order.streams->len; i++)
    {
      const TtStream *stream = &g_array_index (self->order.streams, TtStream, i);

      if (!waits_for (sync, stream))
        continue;
      tt_stream_order_hold (&self->order, stream->thread, sync_ns (sync));
      if (sync->recorded_ns == TT_NO_TIME)
        {
          guint ended = tt_stream_order_ended (&self->order, stream, sync->end_ns);
          if (ended != NONE)
            g_array_append_val (self->order.held, ended);
        }
      for (guint k = 0; k < self->order.held->len; k++)
        {
          guint found = g_array_index (self->order.held, guint, k);
          if (self->spans[found].end_ns > sync->begin_ns && self->spans[found].end_ns <= sync->end_ns &&
              (best == NONE || self->spans[found].end_ns > self->spans[best].end_ns))
            best = found;
        }
    }
  return best;
}

static void
add_sync_points (Finder *self, GArray *points, TtDeviceWaitCounts *counts)
{
  for (guint i = 0; i < self->work->syncs->len; i++)
    {
      const TtDeviceSync *sync = &g_array_index (self->work->syncs, TtDeviceSync, i);
      guint found = find_release (self, sync);

      counts->n_syncs++;
      if (found == NONE)
        continue;
      TtSyncPoint point = {
        .thread = sync->thread,
        .from_thread = self->spans[found].thread,
        .at_ns = self->spans[found].end_ns,
        .from_ns = self->spans[found].end_ns,
        .wait_ns = sync->begin_ns,
        .hop = TT_HOP_SYNCHRONIZE,
        .is_inferred = !sync->is_known,
        .event = sync->event,
        .from_event = self->spans[found].event,
      };
      counts->n_released++;
      g_array_append_val (points, point);
    }
}

/* A copy within the call that launched it, where such calls wait. */
static void
add_copy_point (const TtDeviceSpan *span, GArray *points, TtDeviceWaitCounts *counts)
{
  TtSyncPoint point = {
    .thread = span->call_thread,
    .from_thread = span->thread,
    .at_ns = span->end_ns,
    .from_ns = span->end_ns,
    .wait_ns = span->call_begin_ns,
    .hop = TT_HOP_SYNCHRONIZE,
    .event = span->call,
    .from_event = span->event,
  };

  if (!span->is_blocking || span->begin_ns < span->call_begin_ns || span->end_ns > span->call_end_ns)
    return;
  counts->n_syncs++;
  counts->n_released++;
  g_array_append_val (points, point);
}

/* -- streams -------------------------------------------------------------------------------------------- */

typedef struct
{
  guint number; /* of a span, or NONE */
  gint64 end_ns;
  gboolean is_inferred;
} Holder;

/* The last to end of what the trace says the span had to wait for. */
static Holder
find_known_wait (Finder *self, const TtDeviceSpan *span, gint64 launched_before, TtDeviceWaitCounts *counts)
{
  Holder holder = { NONE, G_MININT64, FALSE };
  guint end;

  for (guint i = tt_stream_order_waits (&self->order, span->thread, launched_before, span->call_begin_ns, &end);
       i < end; i++)
    {
      const TtStreamWait *wait = &g_array_index (self->work->waits, TtStreamWait, i);
      tt_stream_order_hold (&self->order, wait->from_thread, tt_stream_wait_ns (wait));
      for (guint k = 0; k < self->order.held->len; k++)
        {
          guint found = g_array_index (self->order.held, guint, k);
          if (self->spans[found].end_ns > span->begin_ns)
            counts->n_backward++;
          else if (self->spans[found].end_ns > holder.end_ns)
            holder = (Holder){ found, self->spans[found].end_ns, wait->recorded_ns == TT_NO_TIME };
        }
    }
  return holder;
}

/* Whether a wait that the trace does not explain was called in between. */
static gboolean
has_unexplained_wait (const Finder *self, const TtDeviceSpan *span, gint64 launched_before)
{
  guint end;

  for (guint i = tt_stream_order_waits (&self->order, TT_NO_ID, launched_before, span->call_begin_ns, &end); i < end;
       i++)
    if (g_array_index (self->work->waits, TtStreamWait, i).source == span->source)
      return TRUE;
  return FALSE;
}

/* @before_ns: latest end of what began earlier on the stream, at most the span's begin; G_MININT64: nothing did. */
static void
add_span_point (Finder *self,
                const TtDeviceSpan *span,
                gint64 before_ns,
                gint64 launched_before,
                GArray *points,
                TtDeviceWaitCounts *counts)
{
  gboolean is_done = span->call_end_ns <= span->begin_ns;
  gint64 launch_ns = is_done ? span->call_end_ns : span->call_begin_ns;
  TtSyncPoint point = { .thread = span->thread, .at_ns = span->begin_ns, .wait_ns = before_ns, .event = span->event };

  if (span->call == 0 || span->call_begin_ns > span->begin_ns)
    {
      counts->n_unlaunched++;
      return;
    }
  Holder event = find_known_wait (self, span, launched_before, counts);
  gboolean is_untold = !g_hash_table_contains (self->telling, GUINT_TO_POINTER (span->source));
  if (event.number == NONE && MAX (launch_ns, before_ns) < span->begin_ns &&
      (is_untold || has_unexplained_wait (self, span, launched_before)))
    {
      event.number = last_of_source (self, span, MAX (launch_ns, before_ns), span->begin_ns, is_untold);
      event.end_ns = event.number == NONE ? G_MININT64 : self->spans[event.number].end_ns;
      event.is_inferred = TRUE;
    }

  if (event.number != NONE && event.end_ns > launch_ns && event.end_ns > before_ns)
    {
      point.from_thread = self->spans[event.number].thread;
      point.from_ns = event.end_ns;
      point.from_event = self->spans[event.number].event;
      point.hop = TT_HOP_EVENT;
      point.is_inferred = event.is_inferred;
    }
  else if (launch_ns > before_ns)
    {
      point.from_thread = span->call_thread;
      point.from_ns = is_done ? span->call_end_ns : span->begin_ns;
      point.from_event = span->call;
      point.hop = TT_HOP_LAUNCH;
    }
  else
    return;
  if (before_ns == G_MININT64)
    point.wait_ns = point.from_ns;
  g_array_append_val (points, point);
}

static void
add_stream_points (Finder *self, const TtStream *stream, GArray *points, TtDeviceWaitCounts *counts)
{
  gint64 before_ns = G_MININT64, launched_before = G_MININT64;

  for (guint i = stream->first; i < stream->end; i++)
    {
      const TtDeviceSpan *span = &self->spans[i];

      add_span_point (self, span, MIN (before_ns, span->begin_ns), launched_before, points, counts);
      if (span->call != 0)
        {
          launched_before = MAX (launched_before, span->call_begin_ns);
          add_copy_point (span, points, counts);
        }
      before_ns = MAX (before_ns, span->end_ns);
    }
}

/* -- all --------------------------------------------------------------------------------------------------- */

void
tt_device_waits_points (const TtDeviceWork *work, GArray *points, TtDeviceWaitCounts *counts)
{
  g_auto (Finder) finder = { 0 };

  finder_init (&finder, work);
  *counts = (TtDeviceWaitCounts){ 0 };
  for (guint i = 0; i < work->waits->len; i++)
    counts->n_unexplained += g_array_index (work->waits, TtStreamWait, i).thread == TT_NO_ID;
  add_sync_points (&finder, points, counts);
  for (guint i = 0; i < finder.order.streams->len; i++)
    add_stream_points (&finder, &g_array_index (finder.order.streams, TtStream, i), points, counts);
  tt_backward_runs_points (work, points);
}

static void
add_edge (const TtDeviceSpan *from, guint64 to, gint64 begin_ns, TtDeviceEdgeFunc func, gpointer data)
{
  gint64 gap_ns = 0;

  if (begin_ns > from->end_ns && __builtin_sub_overflow (begin_ns, from->end_ns, &gap_ns))
    gap_ns = G_MAXINT64;
  func (from->event, to, gap_ns, data);
}

static void
add_sync_edges (Finder *self, const TtDeviceSync *sync, TtDeviceEdgeFunc func, gpointer data)
{
  guint found = sync->is_known ? NONE : find_release (self, sync);

  if (found != NONE)
    add_edge (&self->spans[found], sync->event, sync->begin_ns, func, data);
  if (!sync->is_known)
    return;
  for (guint i = 0; i < self->order.streams->len; i++)
    {
      const TtStream *stream = &g_array_index (self->order.streams, TtStream, i);

      if (!waits_for (sync, stream))
        continue;
      tt_stream_order_hold (&self->order, stream->thread, sync_ns (sync));
      for (guint k = 0; k < self->order.held->len; k++)
        add_edge (&self->spans[g_array_index (self->order.held, guint, k)], sync->event, sync->begin_ns, func, data);
    }
}

/* To the first span launched on @stream after the call. */
static void
add_wait_edges (Finder *self, const TtStreamWait *wait, TtDeviceEdgeFunc func, gpointer data)
{
  const TtStream *stream = tt_stream_order_find (&self->order, wait->thread);
  guint number = stream == NULL ? NONE : tt_stream_order_launched_from (&self->order, stream, wait->call_ns);
  if (number == NONE)
    return;
  const TtDeviceSpan *to = &self->spans[number];
  tt_stream_order_hold (&self->order, wait->from_thread, tt_stream_wait_ns (wait));
  for (guint k = 0; k < self->order.held->len; k++)
    add_edge (&self->spans[g_array_index (self->order.held, guint, k)], to->event, to->begin_ns, func, data);
}

void
tt_device_waits_edges (const TtDeviceWork *work, TtDeviceEdgeFunc func, gpointer data)
{
  g_auto (Finder) finder = { 0 };

  finder_init (&finder, work);
  for (guint i = 0; i < work->syncs->len; i++)
    add_sync_edges (&finder, &g_array_index (work->syncs, TtDeviceSync, i), func, data);
  for (guint i = 0; i < work->waits->len; i++)
    add_wait_edges (&finder, &g_array_index (work->waits, TtStreamWait, i), func, data);
}
