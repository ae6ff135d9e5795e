/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/waits.h"

#include "analyzers/devices/backward-runs.h"
#include "analyzers/devices/waits.h"
#include "src/base/array-sort.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"

/* A begin or an end of a span. */
typedef struct
{
  guint32 thread;
  gint64 ns;
} Moment;

typedef struct
{
  TtRecordedWaits *waits;
  const TtRecordingBuilder *builder;
  TtLaunchOrder launches;
  GArray *moments;     /* of Moment, by (thread, ns) */
  GHashTable *telling; /* sources that say which queue waits for which */
} Finder;

static TtArrayKey
key_of_moment (gconstpointer element)
{
  const Moment *moment = element;

  return (TtArrayKey){ moment->thread, tt_sort_key (moment->ns) };
}

static GArray *
list_moments (const GArray *spans)
{
  GArray *moments = g_array_sized_new (FALSE, FALSE, sizeof (Moment), 2 * spans->len);

  for (guint i = 0; i < spans->len; i++)
    {
      const TtHostSpan *span = &g_array_index (spans, TtHostSpan, i);
      const Moment both[] = { { span->thread, span->begin_ns }, { span->thread, span->end_ns } };
      g_array_append_vals (moments, both, 2);
    }
  tt_array_sort_by_key (moments, key_of_moment, NULL);
  return moments;
}

/* The next begin or end on the thread after @ns. */
static gint64
next_moment (const Finder *self, guint32 thread, gint64 ns)
{
  guint low = 0, high = self->moments->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Moment *moment = &g_array_index (self->moments, Moment, middle);
      if (moment->thread < thread || (moment->thread == thread && moment->ns <= ns))
        low = middle + 1;
      else
        high = middle;
    }
  const Moment *moment = &g_array_index (self->moments, Moment, low);
  return low < self->moments->len && moment->thread == thread ? moment->ns : G_MAXINT64;
}

/* -- threads of the backward pass -------------------------------------------------------------------------------------- */

/* When the thread had done all that it began from @ns on and ended not after @until: at least @ns. */
static gint64
done_until (const GArray *outer, guint32 thread, gint64 ns, gint64 until)
{
  gint64 done_ns = ns;
  guint low = 0, high = outer->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtOuterSpan *span = &g_array_index (outer, TtOuterSpan, middle);
      if (span->thread < thread || (span->thread == thread && span->begin_ns < ns))
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < outer->len; low++)
    {
      const TtOuterSpan *span = &g_array_index (outer, TtOuterSpan, low);
      if (span->thread != thread || span->begin_ns > until)
        break;
      if (span->end_ns <= until)
        done_ns = MAX (done_ns, span->end_ns);
    }
  return done_ns;
}

/* The forward thread comes to where it starts the other, and sleeps until that has done what it began before the forward
 * thread went on. */
static void
add_backward (Finder *self, const TtSyncPoint *point)
{
  gint64 begin_ns = point->at_ns, until_ns = next_moment (self, point->from_thread, begin_ns);
  TtHostWait started = {
    .thread = point->thread, .begin_ns = point->wait_ns, .end_ns = begin_ns, .from_thread = point->from_thread
  };
  TtHostWait starter = { .thread = point->from_thread,
                         .begin_ns = begin_ns,
                         .end_ns = done_until (self->builder->work.outer, point->thread, begin_ns, until_ns),
                         .from_thread = point->thread };

  if (starter.end_ns == begin_ns)
    starter.from_thread = TT_NO_ID;
  g_array_append_val (self->waits->waits, started);
  g_array_append_val (self->waits->waits, starter);
}

static void
find_backwards (Finder *self)
{
  const GArray *links = self->builder->work.backwards;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TtSyncPoint));
  TtMap64 pairs = { 0 };

  for (guint i = 0; i < links->len; i++)
    {
      const TtBackwardLink *link = &g_array_index (links, TtBackwardLink, i);
      tt_map64_set (&pairs, (guint64) link->thread << 32 | link->from_thread, 0);
    }
  tt_backward_runs_points (&self->builder->work, points);
  for (guint i = 0; i < points->len; i++)
    {
      const TtSyncPoint *point = &g_array_index (points, TtSyncPoint, i);
      /* The other points say when runs ended. */
      if (tt_map64_get (&pairs, (guint64) point->thread << 32 | point->from_thread) != TT_MAP64_NONE)
        add_backward (self, point);
    }
  tt_map64_clear (&pairs);
}

/* -- calls that wait --------------------------------------------------------------------------------------------------- */

static void
add_call_need (Finder *self, guint from, guint64 call)
{
  const TtCallNeed need = { from, call };

  g_array_append_val (self->waits->calls, need);
}

static gboolean
is_of_device (const Finder *self, const TtDeviceSync *sync)
{
  TtEvent event;
  const TtStoredName *name = tt_store_event (self->builder->store, sync->event, &event, NULL)
                                 ? tt_store_name (self->builder->store, event.name)
                                 : NULL;

  return name != NULL && name->op_name != NULL && g_str_has_suffix (name->op_name, "DeviceSynchronize");
}

/* A call of which the trace does not say what it waits for: all that was launched before, or, for it is one of a queue, what
 * the thread launched last. */
static void
guess_call_needs (Finder *self, const TtDeviceSync *sync)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  if (is_of_device (self, sync))
    tt_launch_order_each_queue (&self->launches, sync->source, sync->begin_ns, numbers);
  else
    {
      guint last = tt_launch_order_before (&self->launches, sync->thread, sync->begin_ns, FALSE);
      if (last != G_MAXUINT)
        g_array_append_val (numbers, last);
    }
  for (guint i = 0; i < numbers->len; i++)
    add_call_need (self, g_array_index (numbers, guint, i), sync->event);
}

static void
find_calls (Finder *self, const GHashTable *released)
{
  const GArray *syncs = self->builder->work.syncs;

  for (guint i = 0; i < syncs->len; i++)
    {
      const TtDeviceSync *sync = &g_array_index (syncs, TtDeviceSync, i);
      TtHostWait wait = { .thread = sync->thread,
                          .begin_ns = sync->begin_ns,
                          .end_ns = sync->begin_ns,
                          .event = sync->event,
                          .from_thread = TT_NO_ID };

      if (!g_hash_table_contains ((GHashTable *) released, GSIZE_TO_POINTER (sync->event)))
        g_array_append_val (self->waits->waits, wait);
      if (!sync->is_known)
        guess_call_needs (self, sync);
    }
}

/* -- queues ------------------------------------------------------------------------------------------------------------ */

static void
add_queue_need (Finder *self, guint from, guint to)
{
  const TtQueueNeed need = { from, to };

  g_array_append_val (self->waits->queues, need);
}

static void
on_edge (guint64 from, guint64 to, gint64 gap_ns, gpointer data)
{
  Finder *self = data;
  guint32 number = tt_map64_get (&self->builder->numbers, from), needing = tt_map64_get (&self->builder->numbers, to);

  if (number == TT_MAP64_NONE)
    return;
  if (needing != TT_MAP64_NONE)
    add_queue_need (self, number, needing);
  else
    add_call_need (self, number, to);
}

/* A collective of PyTorch waits for all that its thread has launched before, on whatever queue: where the trace does not
 * say which queue waits for which. */
static void
find_collective_needs (Finder *self)
{
  for (guint i = 0; i < self->builder->work.spans->len; i++)
    {
      const TtDeviceSpan *span = tt_device_span_at (&self->builder->work, i);
      guint before;

      if (!span->is_communication || span->call == 0 ||
          g_hash_table_contains (self->telling, GUINT_TO_POINTER (span->source)))
        continue;
      before = tt_launch_order_before (&self->launches, span->call_thread, span->call_begin_ns, TRUE);
      if (before != G_MAXUINT && tt_device_span_at (&self->builder->work, before)->thread != span->thread &&
          tt_device_span_at (&self->builder->work, before)->end_ns <= span->begin_ns)
        add_queue_need (self, before, i);
    }
}

/* -- all --------------------------------------------------------------------------------------------------------------- */

static GHashTable *
find_points (Finder *self)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TtSyncPoint));
  GHashTable *released = g_hash_table_new (NULL, NULL);
  TtDeviceWaitCounts counts;

  tt_device_waits_points (&self->builder->work, points, &counts);
  for (guint i = 0; i < points->len; i++)
    {
      const TtSyncPoint *point = &g_array_index (points, TtSyncPoint, i);
      TtHostWait wait = { .thread = point->thread,
                          .begin_ns = point->wait_ns,
                          .end_ns = point->at_ns,
                          .event = point->event,
                          .from_event = point->from_event,
                          .from_thread = TT_NO_ID };

      if (point->hop == TT_HOP_SYNCHRONIZE)
        {
          g_array_append_val (self->waits->waits, wait);
          g_hash_table_add (released, GSIZE_TO_POINTER (point->event));
        }
      else if (point->hop == TT_HOP_EVENT)
        on_edge (point->from_event, point->event, 0, self);
    }
  return released;
}

static void
finder_init (Finder *self)
{
  const TtDeviceWork *work = &self->builder->work;

  self->telling = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < work->waits->len; i++)
    if (g_array_index (work->waits, TtStreamWait, i).thread != TT_NO_ID)
      g_hash_table_add (self->telling, GUINT_TO_POINTER (g_array_index (work->waits, TtStreamWait, i).source));
  for (guint i = 1; i < work->spans->len; i++)
    if (tt_device_span_at (&self->builder->work, i)->thread !=
            tt_device_span_at (&self->builder->work, i - 1)->thread &&
        tt_device_span_at (&self->builder->work, i)->source ==
            tt_device_span_at (&self->builder->work, i - 1)->source &&
        !g_hash_table_contains (self->telling, GUINT_TO_POINTER (tt_device_span_at (&self->builder->work, i)->source)))
      self->builder->counts->is_untold = TRUE;
  tt_launch_order_init (&self->launches, work);
}

void
tt_recorded_waits_find (TtRecordedWaits *self, const TtRecordingBuilder *builder, const GArray *spans)
{
  g_autoptr (GArray) moments = list_moments (spans);
  Finder finder = { .waits = self, .builder = builder, .moments = moments };

  self->waits = g_array_new (FALSE, FALSE, sizeof (TtHostWait));
  self->queues = g_array_new (FALSE, FALSE, sizeof (TtQueueNeed));
  self->calls = g_array_new (FALSE, FALSE, sizeof (TtCallNeed));
  finder_init (&finder);
  find_backwards (&finder);
  g_autoptr (GHashTable) released = find_points (&finder);
  find_calls (&finder, released);
  find_collective_needs (&finder);
  tt_device_waits_edges (&builder->work, on_edge, &finder);
  tt_launch_order_clear (&finder.launches);
  g_hash_table_unref (finder.telling);
}

void
tt_recorded_waits_clear (TtRecordedWaits *self)
{
  g_clear_pointer (&self->waits, g_array_unref);
  g_clear_pointer (&self->queues, g_array_unref);
  g_clear_pointer (&self->calls, g_array_unref);
}

void
tt_recorded_waits_join (const TtRecordedWaits *self, TtRecordingBuilder *builder)
{
  TtMap64 wakes = { 0 };

  for (guint i = 0; i < self->waits->len; i++)
    {
      const TtHostWait *wait = &g_array_index (self->waits, TtHostWait, i);
      guint32 number = wait->from_event == 0 ? TT_MAP64_NONE : tt_map64_get (&builder->numbers, wait->from_event);

      if (wait->wakes == TT_STEP_NO_NODE)
        continue;
      if (wait->event != 0)
        tt_map64_set (&wakes, wait->event, wait->wakes);
      if (number != TT_MAP64_NONE)
        tt_recording_add_need (builder, builder->device_nodes[number], wait->wakes, FALSE, 0);
      guint32 other = wait->from_thread == TT_NO_ID
                          ? TT_STEP_NO_NODE
                          : tt_recording_host_node_until (builder, wait->from_thread, wait->end_ns);
      if (other != TT_STEP_NO_NODE)
        tt_recording_add_need (builder, other, wait->wakes, FALSE, 0);
    }
  for (guint i = 0; i < self->calls->len; i++)
    {
      const TtCallNeed *need = &g_array_index (self->calls, TtCallNeed, i);
      guint32 node = tt_map64_get (&wakes, need->call);
      guint32 from = builder->device_nodes[need->from];
      /* What had not ended then was not waited for. */
      if (node != TT_MAP64_NONE &&
          tt_recording_range (builder, from)->end_ns <= tt_recording_range (builder, node)->begin_ns)
        tt_recording_add_need (builder, from, node, FALSE, 0);
    }
  tt_map64_clear (&wakes);
}
