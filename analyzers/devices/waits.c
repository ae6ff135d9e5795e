/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/waits.h"

#include "analyzers/devices/backward-runs.h"

#define NONE G_MAXUINT

/* The spans of one stream: first to end of TtDeviceWork.spans, and of the other orders. */
typedef struct
{
  guint32 thread, source, process;
  guint first, end;
} Stream;

typedef struct
{
  const TtDeviceWork *work;
  const TtDeviceSpan *spans;
  GArray *streams; /* of Stream, by thread */
  guint *by_end, *by_launch;
  GHashTable *telling; /* of sources that say what waits for what */
} Finder;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->streams, g_array_unref);
  g_clear_pointer (&self->by_end, g_free);
  g_clear_pointer (&self->by_launch, g_free);
  g_clear_pointer (&self->telling, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* When the span was launched, as far as is known: no later than it began. */
static gint64
launch_of (const TtDeviceSpan *span)
{
  return span->call != 0 ? MIN (span->call_begin_ns, span->begin_ns) : span->begin_ns;
}

static int
compare_by_end (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtDeviceSpan *spans = data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (spans[i].thread != spans[k].thread)
    return spans[i].thread < spans[k].thread ? -1 : 1;
  if (spans[i].end_ns != spans[k].end_ns)
    return spans[i].end_ns < spans[k].end_ns ? -1 : 1;
  return (i > k) - (i < k);
}

static int
compare_by_launch (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtDeviceSpan *spans = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  gint64 x = launch_of (&spans[i]), y = launch_of (&spans[k]);

  if (spans[i].thread != spans[k].thread)
    return spans[i].thread < spans[k].thread ? -1 : 1;
  if (x != y)
    return x < y ? -1 : 1;
  return (i > k) - (i < k);
}

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
  guint n = work->spans->len;
  gpointer spans = work->spans->data;

  *self = (Finder){ .work = work, .spans = spans, .telling = find_telling (work) };
  self->streams = g_array_new (FALSE, FALSE, sizeof (Stream));
  self->by_end = g_new (guint, (gsize) n + 1);
  self->by_launch = g_new (guint, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      const TtDeviceSpan *span = &self->spans[i];
      Stream stream = { span->thread, span->source, span->process, i, i };

      self->by_end[i] = self->by_launch[i] = i;
      if (i == 0 || span->thread != self->spans[i - 1].thread)
        g_array_append_val (self->streams, stream);
      g_array_index (self->streams, Stream, self->streams->len - 1).end = i + 1;
    }
  g_qsort_with_data (self->by_end, (gint) n, sizeof (guint), compare_by_end, spans);
  g_qsort_with_data (self->by_launch, (gint) n, sizeof (guint), compare_by_launch, spans);
}

static const Stream *
find_stream (const Finder *self, guint32 thread)
{
  guint low = 0, high = self->streams->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Stream *stream = &g_array_index (self->streams, Stream, middle);
      if (stream->thread == thread)
        return stream;
      if (stream->thread < thread)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* The last span of @stream to end at or before @ns. */
static guint
last_ended (const Finder *self, const Stream *stream, gint64 ns)
{
  guint low = stream->first, high = stream->end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (self->spans[self->by_end[middle]].end_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == stream->first ? NONE : self->by_end[low - 1];
}

/* The last span of @stream to be launched at or before @ns. */
static guint
last_launched (const Finder *self, const Stream *stream, gint64 ns)
{
  guint low = stream->first, high = stream->end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (launch_of (&self->spans[self->by_launch[middle]]) <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == stream->first ? NONE : self->by_launch[low - 1];
}

/* The last span to end after @after and not after @until on the source's other streams than that of @span; @across:
 * only between communication and all else. */
static guint
last_of_source (const Finder *self, const TtDeviceSpan *span, gint64 after, gint64 until, gboolean across)
{
  guint best = NONE;

  for (guint i = 0; i < self->streams->len; i++)
    {
      const Stream *stream = &g_array_index (self->streams, Stream, i);
      gboolean is_other = stream->source == span->source && stream->thread != span->thread;
      guint found = is_other ? last_ended (self, stream, until) : NONE;
      if (found != NONE && self->spans[found].end_ns > after &&
          (!across || self->spans[found].is_communication != span->is_communication) &&
          (best == NONE || self->spans[found].end_ns > self->spans[best].end_ns))
        best = found;
    }
  return best;
}

/* -- calls that wait ----------------------------------------------------------------------------------- */

static gboolean
waits_for (const TtDeviceSync *sync, const Stream *stream)
{
  if (sync->source != stream->source)
    return FALSE;
  if (sync->stream != TT_NO_ID)
    return sync->stream == stream->thread;
  return sync->process == TT_NO_ID || sync->process == stream->process;
}

/* The span whose end released the call, or NONE. */
static guint
find_release (const Finder *self, const TtDeviceSync *sync)
{
  guint best = NONE;

  for (guint i = 0; i < self->streams->len; i++)
    {
      const Stream *stream = &g_array_index (self->streams, Stream, i);
      guint found;

      if (!waits_for (sync, stream))
        continue;
      if (sync->recorded_ns != TT_NO_TIME)
        found = last_launched (self, stream, sync->recorded_ns);
      else
        found = last_ended (self, stream, sync->end_ns);
      if (found != NONE && self->spans[found].end_ns > sync->begin_ns && self->spans[found].end_ns <= sync->end_ns &&
          (best == NONE || self->spans[found].end_ns > self->spans[best].end_ns))
        best = found;
    }
  return best;
}

static void
add_sync_points (const Finder *self, GArray *points, TtDeviceWaitCounts *counts)
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

/* Waits of @thread that were called after @after and not after @until: first to *end. */
static guint
find_waits (const Finder *self, guint32 thread, gint64 after, gint64 until, guint *end)
{
  const GArray *waits = self->work->waits;
  guint bounds[2];

  for (int i = 0; i < 2; i++)
    {
      gint64 ns = i == 0 ? after : until;
      guint low = 0, high = waits->len;
      while (low < high)
        {
          guint middle = low + (high - low) / 2;
          const TtStreamWait *wait = &g_array_index (waits, TtStreamWait, middle);
          if (wait->thread < thread || (wait->thread == thread && wait->call_ns <= ns))
            low = middle + 1;
          else
            high = middle;
        }
      bounds[i] = low;
    }
  *end = MAX (bounds[0], bounds[1]);
  return bounds[0];
}

static guint
awaited_by (const Finder *self, const TtStreamWait *wait)
{
  const Stream *from = find_stream (self, wait->from_thread);

  return from == NULL ? NONE
                      : last_launched (self, from, wait->recorded_ns != TT_NO_TIME ? wait->recorded_ns : wait->call_ns);
}

/* The last to end of what the trace says the span had to wait for. */
static Holder
find_known_wait (const Finder *self, const TtDeviceSpan *span, gint64 launched_before, TtDeviceWaitCounts *counts)
{
  Holder holder = { NONE, G_MININT64, FALSE };
  guint end;

  for (guint i = find_waits (self, span->thread, launched_before, span->call_begin_ns, &end); i < end; i++)
    {
      const TtStreamWait *wait = &g_array_index (self->work->waits, TtStreamWait, i);
      guint found = awaited_by (self, wait);
      if (found == NONE)
        continue;
      if (self->spans[found].end_ns > span->begin_ns)
        counts->n_backward++;
      else if (self->spans[found].end_ns > holder.end_ns)
        holder = (Holder){ found, self->spans[found].end_ns, wait->recorded_ns == TT_NO_TIME };
    }
  return holder;
}

/* Whether a wait that the trace does not explain was called in between. */
static gboolean
has_unexplained_wait (const Finder *self, const TtDeviceSpan *span, gint64 launched_before)
{
  guint end;

  for (guint i = find_waits (self, TT_NO_ID, launched_before, span->call_begin_ns, &end); i < end; i++)
    if (g_array_index (self->work->waits, TtStreamWait, i).source == span->source)
      return TRUE;
  return FALSE;
}

/* @before_ns: latest end of what began earlier on the stream, at most the span's begin; G_MININT64: nothing did. */
static void
add_span_point (const Finder *self,
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
add_stream_points (const Finder *self, const Stream *stream, GArray *points, TtDeviceWaitCounts *counts)
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
  for (guint i = 0; i < finder.streams->len; i++)
    add_stream_points (&finder, &g_array_index (finder.streams, Stream, i), points, counts);
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
add_sync_edges (const Finder *self, const TtDeviceSync *sync, TtDeviceEdgeFunc func, gpointer data)
{
  guint found = sync->is_known ? NONE : find_release (self, sync);

  if (found != NONE)
    add_edge (&self->spans[found], sync->event, sync->begin_ns, func, data);
  if (!sync->is_known)
    return;
  for (guint i = 0; i < self->streams->len; i++)
    {
      const Stream *stream = &g_array_index (self->streams, Stream, i);
      gint64 ns = sync->recorded_ns != TT_NO_TIME ? sync->recorded_ns : sync->begin_ns;

      found = waits_for (sync, stream) ? last_launched (self, stream, ns) : NONE;
      if (found != NONE)
        add_edge (&self->spans[found], sync->event, sync->begin_ns, func, data);
    }
}

void
tt_device_waits_edges (const TtDeviceWork *work, TtDeviceEdgeFunc func, gpointer data)
{
  g_auto (Finder) finder = { 0 };

  finder_init (&finder, work);
  for (guint i = 0; i < work->syncs->len; i++)
    add_sync_edges (&finder, &g_array_index (work->syncs, TtDeviceSync, i), func, data);
  for (guint i = 0; i < work->waits->len; i++)
    {
      const TtStreamWait *wait = &g_array_index (work->waits, TtStreamWait, i);
      const Stream *stream = find_stream (&finder, wait->thread);
      guint from = stream == NULL ? NONE : awaited_by (&finder, wait), low, high;

      if (from == NONE)
        continue;
      /* The first span launched after the call. */
      for (low = stream->first, high = stream->end; low < high;)
        {
          guint middle = low + (high - low) / 2;
          if (launch_of (&finder.spans[finder.by_launch[middle]]) < wait->call_ns)
            low = middle + 1;
          else
            high = middle;
        }
      if (low < stream->end)
        {
          const TtDeviceSpan *to = &finder.spans[finder.by_launch[low]];
          add_edge (&finder.spans[from], to->event, to->begin_ns, func, data);
        }
    }
}
