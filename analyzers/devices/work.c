/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/work.h"

#include "analyzers/spans/each-event.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

/* A mark, or a call that marks speak of, once its span has been seen. */
typedef struct
{
  TtActivity what;
  guint32 source, thread;
  gint64 begin_ns;
} Mark;

/* A row of activity that is more than a role. */
typedef struct
{
  guint64 event, launch;
  TtActivity what;
} Row;

/* A span that others come from: a launching call, a forward operator. */
typedef struct
{
  guint64 event;
  guint32 thread, name; /* TT_NO_ID: has not been seen as a span */
  gint64 begin_ns, end_ns;
} Origin;

/* A backward operator. */
typedef struct
{
  guint64 launch;
  guint32 thread;
  gint64 begin_ns;
} Backward;

typedef struct
{
  guint32 source;
  guint64 correlation;
  guint number;
} Key;

typedef struct
{
  TtDeviceWork *work;
  TtStore *store;
  GArray *rows;      /* of Row, by event */
  GArray *origins;   /* of Origin, by event */
  GArray *backwards; /* of Backward */
  GArray *marks;     /* of Mark */
  GArray *calls;     /* of Mark: calls that record events or make queues wait */
  GArray *syncs;     /* of TtActivity, for each sync */
  guint next_row, next_origin;
} Collector;

static void
collector_clear (Collector *self)
{
  GArray **arrays[] = { &self->rows, &self->origins, &self->backwards, &self->marks, &self->calls, &self->syncs };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

/* -- before the scan ---------------------------------------------------------------------------------- */

static gboolean
on_row (const TtActivityRow *activity, gpointer data)
{
  Collector *self = data;
  TtActivityRole role = activity->what.role;
  const Row row = { activity->event, activity->launch, activity->what };
  const Origin origin = { .event = activity->launch };

  if (role == TT_ACTIVITY_NONE || role == TT_ACTIVITY_COPY_CALL || role == TT_ACTIVITY_POLL ||
      role == TT_ACTIVITY_TRACER)
    return TRUE;
  g_array_append_val (self->rows, row);
  if (origin.event != 0 && (tt_activity_is_work (role) || role == TT_ACTIVITY_BACKWARD))
    g_array_append_val (self->origins, origin);
  return TRUE;
}

static TtArrayKey
key_of_origin (gconstpointer element)
{
  return (TtArrayKey){ ((const Origin *) element)->event, 0 };
}

static int
compare_origins (const void *a, const void *b)
{
  const Origin *x = a, *y = b;

  return TT_COMPARE (x->event, y->event);
}

static void
keep_one_of_each (GArray *origins)
{
  Origin *all = TT_ARRAY (origins, Origin);
  guint n = 0;

  tt_array_sort_by_key (origins, key_of_origin, NULL);
  for (guint i = 0; i < origins->len; i++)
    if (n == 0 || all[i].event != all[n - 1].event)
      all[n++] = all[i];
  g_array_set_size (origins, n);
}

/* NULL: it was not seen as a span. */
static const Origin *
find_origin (const Collector *self, guint64 event)
{
  const Origin wanted = { .event = event };
  guint at;

  if (event == 0 || !g_array_binary_search (self->origins, &wanted, compare_origins, &at))
    return NULL;
  const Origin *found = &TT_ARRAY (self->origins, const Origin)[at];
  return found->thread == TT_NO_ID ? NULL : found;
}

/* -- the scan ------------------------------------------------------------------------------------------ */

static void
add_work (Collector *self, const TtEvent *event, const Row *row)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  const TtStoredName *name = tt_store_name (self->store, event->name);
  const TtDeviceSpan span = {
    .event = event->id,
    .thread = event->thread,
    .process = thread == NULL ? TT_NO_ID : thread->process,
    .source = event->source,
    .name = event->name,
    .is_blocking = row->what.blocks,
    .is_communication = name != NULL && g_strcmp0 (name->op_cat, "Comm") == 0,
    .begin_ns = event->ts_ns,
    .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
    .call = row->launch,
  };

  g_array_append_val (self->work->spans, span);
}

static void
add_sync (Collector *self, const TtEvent *event, const Row *row)
{
  const TtDeviceSync sync = {
    .event = event->id,
    .thread = event->thread,
    .source = event->source,
    .begin_ns = event->ts_ns,
    .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
    .recorded_ns = TT_NO_TIME,
  };

  g_array_append_val (self->work->syncs, sync);
  g_array_append_val (self->syncs, row->what);
}

static void
take_row (Collector *self, const TtEvent *event, const Row *row)
{
  const Mark mark = { row->what, event->source, event->thread, event->ts_ns };
  const Backward backward = { row->launch, event->thread, event->ts_ns };
  TtActivityRole role = row->what.role;

  if (role == TT_ACTIVITY_BACKWARD)
    {
      g_array_append_val (self->backwards, backward);
      return;
    }
  /* The shape of an event may say that it is nothing done. */
  if (tt_device_roles_of_event (&self->work->roles, event) != role)
    return;
  if (tt_activity_is_work (role))
    add_work (self, event, row);
  else if (role == TT_ACTIVITY_SYNCHRONIZE)
    add_sync (self, event, row);
  else if (tt_activity_is_mark (role))
    g_array_append_val (self->marks, mark);
  else
    g_array_append_val (self->calls, mark);
}

static void
take_span (Collector *self, const TtEvent *event)
{
  const Row *rows = TT_ARRAY (self->rows, const Row);
  Origin *origins = TT_ARRAY (self->origins, Origin);
  TtActivityRole role = tt_device_roles_of_event (&self->work->roles, event);
  const TtOuterSpan outer = { event->thread, event->ts_ns, tt_span_end (event->ts_ns, event->dur_ns) };

  while (self->next_origin < self->origins->len && origins[self->next_origin].event < event->id)
    self->next_origin++;
  if (self->next_origin < self->origins->len && origins[self->next_origin].event == event->id)
    origins[self->next_origin] = (Origin){ event->id, event->thread, event->name, event->ts_ns, outer.end_ns };
  while (self->next_row < self->rows->len && rows[self->next_row].event < event->id)
    self->next_row++;
  for (; self->next_row < self->rows->len && rows[self->next_row].event == event->id; self->next_row++)
    take_row (self, event, &rows[self->next_row]);
  if (event->depth == 0 && !tt_activity_is_work (role) && !tt_activity_is_mark (role) && role != TT_ACTIVITY_TRACER)
    g_array_append_val (self->work->outer, outer);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  if (event->dur_ns != TT_NO_TIME)
    take_span (data, event);
  return TRUE;
}

static gboolean
scan (Collector *self, const TtDevicePart *part, GError **error)
{
  TtEventPart events = TT_EVENT_PART_ALL;

  if (part != NULL)
    {
      events.first = part->first;
      events.last = part->last;
    }
  return events.first > events.last || tt_each_event_of (self->store, &events, take_event, self, error);
}

/* -- after the scan -------------------------------------------------------------------------------------- */

static void
join_launches (Collector *self)
{
  TtDeviceSpan *spans = TT_ARRAY (self->work->spans, TtDeviceSpan);

  for (guint i = 0; i < self->work->spans->len; i++)
    {
      TtDeviceSpan *span = &spans[i];
      const Origin *call = find_origin (self, span->call);
      gboolean keeps_waiting = span->is_blocking;

      span->is_blocking = FALSE;
      span->call = 0;
      if (call == NULL)
        continue;
      span->call = call->event;
      span->call_thread = call->thread;
      span->call_begin_ns = call->begin_ns;
      span->call_end_ns = call->end_ns;
      span->is_blocking =
          tt_device_roles_of (&self->work->roles, call->event) == TT_ACTIVITY_COPY_CALL &&
          (keeps_waiting || (tt_device_roles_bits (&self->work->roles, call->event) & TT_DEVICE_BLOCKS) != 0);
    }
}

static void
join_backwards (Collector *self)
{
  const Backward *backwards = TT_ARRAY (self->backwards, const Backward);

  for (guint i = 0; i < self->backwards->len; i++)
    {
      const Origin *forward = find_origin (self, backwards[i].launch);

      if (forward == NULL || forward->thread == backwards[i].thread)
        continue;
      const TtBackwardLink link = { forward->thread, backwards[i].thread, forward->begin_ns, backwards[i].begin_ns };
      g_array_append_val (self->work->backwards, link);
    }
}

static int
compare_keys (const void *a, const void *b)
{
  const Key *x = a, *y = b;
  int order = TT_COMPARE (x->source, y->source);

  return order != 0 ? order : TT_COMPARE (x->correlation, y->correlation);
}

/* By source and correlation. */
static GArray *
index_marks (const GArray *marks)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < marks->len; i++)
    {
      const Mark *mark = &TT_ARRAY (marks, const Mark)[i];
      const Key key = { mark->source, mark->what.correlation, i };
      if (key.correlation != 0)
        g_array_append_val (keys, key);
    }
  g_array_sort (keys, compare_keys);
  return keys;
}

static const Mark *
find_mark (const GArray *marks, const GArray *keys, guint32 source, guint64 correlation)
{
  const Key wanted = { source, correlation, 0 };
  const Key *found =
      correlation == 0 || keys->len == 0 ? NULL : bsearch (&wanted, keys->data, keys->len, sizeof (Key), compare_keys);

  return found == NULL ? NULL : &TT_ARRAY (marks, const Mark)[found->number];
}

static gint64
recorded_at (Collector *self, const Mark *mark, const GArray *call_keys)
{
  const Mark *record = find_mark (self->calls, call_keys, mark->source, mark->what.waits_for);

  return record == NULL ? TT_NO_TIME : record->begin_ns;
}

static void
join_syncs (Collector *self, const GArray *mark_keys, const GArray *call_keys)
{
  for (guint i = 0; i < self->work->syncs->len; i++)
    {
      TtDeviceSync *sync = &TT_ARRAY (self->work->syncs, TtDeviceSync)[i];
      guint64 correlation = TT_ARRAY (self->syncs, const TtActivity)[i].correlation;
      const Mark *mark = find_mark (self->marks, mark_keys, sync->source, correlation);
      const TtThread *thread = mark == NULL ? NULL : tt_store_thread (self->store, mark->thread);

      if (thread == NULL)
        continue;
      sync->process = thread->process;
      sync->is_known = TRUE;
      if (mark->what.role == TT_ACTIVITY_AWAITS_EVENT || mark->what.role == TT_ACTIVITY_QUEUE_AWAITS)
        {
          sync->stream = mark->what.waits_on;
          sync->recorded_ns = recorded_at (self, mark, call_keys);
        }
      else if (mark->what.role == TT_ACTIVITY_AWAITS_QUEUE)
        sync->stream = mark->what.queue;
    }
}

static void
join_waits (Collector *self, const GArray *mark_keys, const GArray *call_keys)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = &TT_ARRAY (self->marks, const Mark)[i];
      TtStreamWait wait = {
        .thread = mark->what.queue,
        .from_thread = mark->what.waits_on,
        .source = mark->source,
        .call_ns = mark->begin_ns,
      };

      if (mark->what.role != TT_ACTIVITY_QUEUE_AWAITS || wait.thread == TT_NO_ID || wait.from_thread == TT_NO_ID ||
          wait.thread == wait.from_thread)
        continue;
      wait.recorded_ns = recorded_at (self, mark, call_keys);
      g_array_append_val (self->work->waits, wait);
    }
  for (guint i = 0; i < self->calls->len; i++)
    {
      const Mark *call = &TT_ARRAY (self->calls, const Mark)[i];
      const TtStreamWait wait = { .source = call->source, .call_ns = call->begin_ns, .recorded_ns = TT_NO_TIME };

      if (call->what.role == TT_ACTIVITY_QUEUE_WAIT &&
          find_mark (self->marks, mark_keys, call->source, call->what.correlation) == NULL)
        g_array_append_val (self->work->waits, wait);
    }
}

/* -- order ------------------------------------------------------------------------------------------------ */

static TtArrayKey
key_of_span (gconstpointer element)
{
  const TtDeviceSpan *span = element;

  return (TtArrayKey){ span->thread, tt_sort_key (span->begin_ns) };
}

static int
compare_spans (const void *a, const void *b)
{
  const TtDeviceSpan *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  order = order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

static int
compare_waits (const void *a, const void *b)
{
  const TtStreamWait *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->call_ns, y->call_ns);
  order = order != 0 ? order : TT_COMPARE (x->source, y->source);
  order = order != 0 ? order : TT_COMPARE (x->from_thread, y->from_thread);
  return order != 0 ? order : TT_COMPARE (x->recorded_ns, y->recorded_ns);
}

static int
compare_backwards (const void *a, const void *b)
{
  const TtBackwardLink *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->ns, y->ns);
  return order != 0 ? order : TT_COMPARE (x->from_ns, y->from_ns);
}

static TtArrayKey
key_of_outer (gconstpointer element)
{
  const TtOuterSpan *span = element;

  return (TtArrayKey){ span->thread, tt_sort_key (span->begin_ns) };
}

static int
compare_outer (const void *a, const void *b)
{
  const TtOuterSpan *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
}

gboolean
tt_device_work_collect_of (TtDeviceWork *self, TtStore *store, const TtDevicePart *part, GError **error)
{
  g_auto (Collector) collector = { .work = self, .store = store };
  g_autoptr (GArray) mark_keys = NULL, call_keys = NULL;

  *self = (TtDeviceWork){ 0 };
  self->spans = g_array_new (FALSE, FALSE, sizeof (TtDeviceSpan));
  self->syncs = g_array_new (FALSE, FALSE, sizeof (TtDeviceSync));
  self->waits = g_array_new (FALSE, FALSE, sizeof (TtStreamWait));
  self->backwards = g_array_new (FALSE, FALSE, sizeof (TtBackwardLink));
  self->outer = g_array_new (FALSE, FALSE, sizeof (TtOuterSpan));
  collector.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  collector.origins = g_array_new (FALSE, FALSE, sizeof (Origin));
  collector.backwards = g_array_new (FALSE, FALSE, sizeof (Backward));
  collector.marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  collector.calls = g_array_new (FALSE, FALSE, sizeof (Mark));
  collector.syncs = g_array_new (FALSE, FALSE, sizeof (TtActivity));
  if (!tt_device_roles_load_of (&self->roles, store, part, on_row, &collector, error))
    return FALSE;
  if (self->roles.by_event == NULL || self->roles.is_entangled)
    return TRUE;
  keep_one_of_each (collector.origins);
  if (!scan (&collector, part, error))
    return FALSE;

  join_launches (&collector);
  join_backwards (&collector);
  mark_keys = index_marks (collector.marks);
  call_keys = index_marks (collector.calls);
  join_syncs (&collector, mark_keys, call_keys);
  join_waits (&collector, mark_keys, call_keys);
  tt_array_sort_by_key (self->spans, key_of_span, compare_spans);
  g_array_sort (self->waits, compare_waits);
  g_array_sort (self->backwards, compare_backwards);
  tt_array_sort_by_key (self->outer, key_of_outer, compare_outer);
  return TRUE;
}

gboolean
tt_device_work_collect (TtDeviceWork *self, TtStore *store, GError **error)
{
  return tt_device_work_collect_of (self, store, NULL, error);
}

void
tt_device_work_claim (const TtDeviceWork *self, guint8 *threads, guint32 max_thread)
{
  for (guint i = 0; i < self->waits->len; i++)
    {
      const TtStreamWait *wait = &TT_ARRAY (self->waits, const TtStreamWait)[i];

      if (wait->thread != TT_NO_ID && wait->thread <= max_thread)
        threads[wait->thread] = 1;
      if (wait->from_thread != TT_NO_ID && wait->from_thread <= max_thread)
        threads[wait->from_thread] = 1;
    }
}

void
tt_device_work_clear (TtDeviceWork *self)
{
  tt_device_roles_clear (&self->roles);
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->syncs, g_array_unref);
  g_clear_pointer (&self->waits, g_array_unref);
  g_clear_pointer (&self->backwards, g_array_unref);
  g_clear_pointer (&self->outer, g_array_unref);
}
