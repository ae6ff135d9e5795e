#include "config.h"

#include "analyzers/devices/work-private.h"

#include <string.h>

#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/store/query.h"

/* What SQL finds in the arguments of a span; G_MININT64: not there. */
typedef struct
{
  gint64 event, correlation, stream, from_stream, recorded_by;
} Told;

/* The same with the span. */
typedef struct
{
  Told told;
  guint32 source, thread, name;
  gint64 begin_ns;
} Mark;

typedef struct
{
  guint64 from, to;
  guint32 thread, name; /* of from */
  gboolean is_backward;
  gint64 begin_ns, end_ns;
  guint32 to_thread;
  gint64 to_ns;
} Flow;

typedef struct
{
  guint64 event;
  guint64 side; /* 2 * flow, + 1 for its destination */
} FlowEnd;

typedef struct
{
  guint32 source;
  gint64 correlation;
  guint number;
} Key;

typedef struct
{
  TtDeviceWork *work;
  TtStore *store;
  GArray *told;       /* of Told, by event */
  GArray *flows;      /* of Flow */
  GArray *ends;       /* of FlowEnd, by event */
  GArray *marks;      /* of Mark */
  GArray *records;    /* of Mark: calls that record events or make streams wait */
  GArray *syncs_told; /* of Told, for each sync */
  guint next_told, next_end;
} Collector;

static void
collector_clear (Collector *self)
{
  GArray **arrays[] = { &self->told, &self->flows, &self->ends, &self->marks, &self->records, &self->syncs_told };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

/* -- before the scan ---------------------------------------------------------------------------------- */

/* "1,4": sources that the profiler wrote; NULL: none. */
static char *
list_sources (TtStore *store)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (sources[i].format, "kineto") == 0)
      g_string_append_printf (text, "%s%u", text->len > 0 ? "," : "", sources[i].id);
  return text->len == 0 ? NULL : g_string_free (g_steal_pointer (&text), FALSE);
}

static gint64
integer_of (const TtCell *cell)
{
  return cell->kind == TT_CELL_INT    ? cell->integer
         : cell->kind == TT_CELL_TEXT ? g_ascii_strtoll (cell->text, NULL, 10)
                                      : G_MININT64;
}

static gboolean
take_told (const TtCell *cells, guint n, gpointer data)
{
  GArray *told = data;
  Told row = { integer_of (&cells[0]), integer_of (&cells[1]), integer_of (&cells[2]), integer_of (&cells[3]),
               integer_of (&cells[4]) };

  g_array_append_val (told, row);
  return TRUE;
}

static gboolean
ask_arguments (Collector *self, const char *sources, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT id, json_extract (args, '$.correlation'), json_extract (args, '$.stream'),"
                       " json_extract (args, '$.wait_on_stream'),"
                       " json_extract (args, '$.wait_on_cuda_event_record_corr_id') FROM event"
                       " WHERE source IN (%s) AND json_valid (args) AND (native_group IN ('cuda_sync', 'xpu_sync')"
                       " OR raw_name GLOB '*Synchronize*' OR raw_name GLOB '*EventRecord*'"
                       " OR raw_name GLOB '*WaitEvent*') ORDER BY id",
                       sources);

  return tt_store_query (self->store, sql, NULL, take_told, self->told, error);
}

static gboolean
take_flow (const TtFlow *flow, gpointer data)
{
  Collector *self = data;
  gboolean is_backward = g_strcmp0 (flow->kind, "fwdbwd") == 0;
  Flow row = { .from = flow->from_event, .to = flow->to_event, .is_backward = is_backward };
  guint64 side = (guint64) self->flows->len * 2;
  const FlowEnd ends[2] = { { row.from, side }, { row.to, side + 1 } };

  if (row.from == 0 || row.to == 0 || (!is_backward && g_strcmp0 (flow->kind, "ac2g") != 0))
    return TRUE;
  g_array_append_val (self->flows, row);
  g_array_append_vals (self->ends, ends, 2);
  return TRUE;
}

static int
compare_ends (const void *a, const void *b)
{
  const FlowEnd *x = a, *y = b;

  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;
  return (x->side > y->side) - (x->side < y->side);
}

/* -- the scan ------------------------------------------------------------------------------------------ */

static gint64
end_of (const TtEvent *event)
{
  gint64 end_ns;

  return __builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns) ? G_MAXINT64 : end_ns;
}

/* @span: where the event became a span, else NULL. The first flow to it is its launch. */
static void
resolve_flows (Collector *self, const TtEvent *event, TtDeviceSpan *span)
{
  const FlowEnd *ends = (const FlowEnd *) self->ends->data;

  while (self->next_end < self->ends->len && ends[self->next_end].event < event->id)
    self->next_end++;
  for (; self->next_end < self->ends->len && ends[self->next_end].event == event->id; self->next_end++)
    {
      guint64 side = ends[self->next_end].side;
      Flow *flow = &g_array_index (self->flows, Flow, side / 2);
      if ((side & 1) == 0)
        {
          flow->thread = event->thread;
          flow->name = event->name;
          flow->begin_ns = event->ts_ns;
          flow->end_ns = end_of (event);
        }
      else
        {
          flow->to_thread = event->thread;
          flow->to_ns = event->ts_ns;
          if (span != NULL && span->call == 0 && !flow->is_backward)
            {
              span->call = flow->from; /* which flow, until join_launches() */
              span->call_begin_ns = (gint64) (side / 2);
            }
        }
    }
}

static const Told *
find_told (Collector *self, guint64 event)
{
  while (self->next_told < self->told->len && (guint64) g_array_index (self->told, Told, self->next_told).event < event)
    self->next_told++;
  if (self->next_told < self->told->len && (guint64) g_array_index (self->told, Told, self->next_told).event == event)
    return &g_array_index (self->told, Told, self->next_told);
  return NULL;
}

static void
take_call (Collector *self, const TtEvent *event, TtDeviceRole role)
{
  static const Told nothing = { G_MININT64, G_MININT64, G_MININT64, G_MININT64, G_MININT64 };
  const Told *told = find_told (self, event->id);
  Mark mark = { told == NULL ? nothing : *told, event->source, event->thread, event->name, event->ts_ns };
  TtDeviceSync sync = {
    .event = event->id,
    .thread = event->thread,
    .source = event->source,
    .begin_ns = event->ts_ns,
    .end_ns = end_of (event),
    .recorded_ns = TT_NO_TIME,
  };

  if (role == TT_DEVICE_MARK)
    g_array_append_val (self->marks, mark);
  else if (role == TT_DEVICE_CALL)
    {
      g_array_append_val (self->work->syncs, sync);
      g_array_append_val (self->syncs_told, mark.told);
    }
  else
    g_array_append_val (self->records, mark);
}

static void
take_event (Collector *self, const TtEvent *event)
{
  TtDeviceRole role = tt_device_role (self->work, event);
  TtDeviceSpan span = {
    .event = event->id, .thread = event->thread, .source = event->source, .name = event->name, .begin_ns = event->ts_ns
  };
  TtOuterSpan outer = { event->thread, event->ts_ns, 0 };

  if (event->dur_ns == TT_NO_TIME)
    return;
  if (role == TT_DEVICE_WORK)
    {
      const TtThread *thread = tt_store_thread (self->store, event->thread);
      span.process = thread == NULL ? TT_NO_ID : thread->process;
    }
  span.end_ns = outer.end_ns = end_of (event);
  resolve_flows (self, event, role == TT_DEVICE_WORK ? &span : NULL);
  if (role == TT_DEVICE_WORK)
    g_array_append_val (self->work->spans, span);
  else if (role == TT_DEVICE_MARK || role == TT_DEVICE_CALL || role == TT_DEVICE_RECORD || role == TT_DEVICE_WAIT)
    take_call (self, event, role);
  if (event->depth == 0 && role != TT_DEVICE_WORK && role != TT_DEVICE_MARK && role != TT_DEVICE_PROFILER)
    g_array_append_val (self->work->outer, outer);
}

static gboolean
scan (Collector *self, GError **error)
{
  TtEventScan *events = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = NULL;
  TtEvent event;
  guint64 n = 0;
  gboolean ok = TRUE;

  if (events == NULL)
    return FALSE;
  progress = tt_progress_new ("devices", tt_store_n_events (self->store), "events");
  while (ok && tt_event_scan_next (events, &event))
    {
      take_event (self, &event);
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = !tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (events, ok ? error : NULL) && ok;
}

/* -- after the scan -------------------------------------------------------------------------------------- */

static void
join_launches (Collector *self)
{
  for (guint i = 0; i < self->work->spans->len; i++)
    {
      TtDeviceSpan *span = &g_array_index (self->work->spans, TtDeviceSpan, i);
      if (span->call == 0)
        continue;
      const Flow *flow = &g_array_index (self->flows, Flow, (guint) span->call_begin_ns);
      if (flow->thread == TT_NO_ID)
        span->call = 0;
      span->call_thread = flow->thread;
      span->call_name = flow->name;
      span->call_begin_ns = flow->begin_ns;
      span->call_end_ns = flow->end_ns;
      guint roles = self->work->roles[flow->name] | self->work->roles[span->name];
      span->is_blocking =
          (self->work->roles[flow->name] & ~TT_DEVICE_BLOCKS) == TT_DEVICE_COPY && (roles & TT_DEVICE_BLOCKS) != 0;
    }
  for (guint i = 0; i < self->flows->len; i++)
    {
      const Flow *flow = &g_array_index (self->flows, Flow, i);
      TtBackwardLink link = { flow->thread, flow->to_thread, flow->begin_ns, flow->to_ns };
      if (flow->is_backward && link.from_thread != TT_NO_ID && link.thread != TT_NO_ID &&
          link.from_thread != link.thread)
        g_array_append_val (self->work->backwards, link);
    }
}

static int
compare_keys (const void *a, const void *b)
{
  const Key *x = a, *y = b;

  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

/* By source and correlation. */
static GArray *
index_marks (const GArray *marks)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < marks->len; i++)
    {
      const Mark *mark = &g_array_index (marks, Mark, i);
      Key key = { mark->source, mark->told.correlation, i };
      if (key.correlation != G_MININT64)
        g_array_append_val (keys, key);
    }
  g_array_sort (keys, compare_keys);
  return keys;
}

static const Mark *
find_mark (const GArray *marks, const GArray *keys, guint32 source, gint64 correlation)
{
  const Key wanted = { source, correlation, 0 };
  const Key *found = keys->len == 0 ? NULL : bsearch (&wanted, keys->data, keys->len, sizeof (Key), compare_keys);

  return found == NULL ? NULL : &g_array_index (marks, Mark, found->number);
}

/* The row of a stream of the device that @mark lies on. */
static guint32
find_stream (Collector *self, const Mark *mark, gint64 stream)
{
  const TtThread *beside = tt_store_thread (self->store, mark->thread);
  g_autofree char *tid = g_strdup_printf ("%" G_GINT64_FORMAT, stream);
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  if (beside == NULL || stream < 0)
    return TT_NO_ID;
  if (g_strcmp0 (beside->tid, tid) == 0)
    return mark->thread;
  for (guint i = 0; i < n; i++)
    if (threads[i].process == beside->process && g_strcmp0 (threads[i].tid, tid) == 0)
      return threads[i].id;
  return TT_NO_ID;
}

static gboolean
is_mark (Collector *self, const Mark *mark, const char *text)
{
  const TtStoredName *name = tt_store_peek_name (self->store, mark->name);

  return name != NULL && name->raw != NULL && strstr (name->raw, text) != NULL;
}

static gint64
recorded_at (Collector *self, const Mark *mark, const GArray *records)
{
  const Mark *record =
      mark->told.recorded_by <= 0 ? NULL : find_mark (self->records, records, mark->source, mark->told.recorded_by);

  return record == NULL ? TT_NO_TIME : record->begin_ns;
}

static void
join_syncs (Collector *self, const GArray *marks, const GArray *records)
{
  for (guint i = 0; i < self->work->syncs->len; i++)
    {
      TtDeviceSync *sync = &g_array_index (self->work->syncs, TtDeviceSync, i);
      gint64 correlation = g_array_index (self->syncs_told, Told, i).correlation;
      const Mark *mark = correlation == G_MININT64 ? NULL : find_mark (self->marks, marks, sync->source, correlation);
      const TtThread *thread = mark == NULL ? NULL : tt_store_thread (self->store, mark->thread);

      if (thread == NULL)
        continue;
      sync->process = thread->process;
      sync->is_told = TRUE;
      if (is_mark (self, mark, "Event"))
        {
          sync->stream = find_stream (self, mark, mark->told.from_stream);
          sync->recorded_ns = recorded_at (self, mark, records);
        }
      else if (is_mark (self, mark, "Stream"))
        sync->stream = find_stream (self, mark, mark->told.stream);
    }
}

static void
join_waits (Collector *self, const GArray *marks, const GArray *records)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = &g_array_index (self->marks, Mark, i);
      TtStreamWait wait = { .source = mark->source, .call_ns = mark->begin_ns };

      if (!is_mark (self, mark, "Wait Event"))
        continue;
      wait.thread = find_stream (self, mark, mark->told.stream);
      wait.from_thread = find_stream (self, mark, mark->told.from_stream);
      wait.recorded_ns = recorded_at (self, mark, records);
      if (wait.thread != TT_NO_ID && wait.from_thread != TT_NO_ID && wait.thread != wait.from_thread)
        g_array_append_val (self->work->waits, wait);
    }
  for (guint i = 0; i < self->records->len; i++)
    {
      const Mark *call = &g_array_index (self->records, Mark, i);
      TtStreamWait wait = { .source = call->source, .call_ns = call->begin_ns, .recorded_ns = TT_NO_TIME };

      if (self->work->roles[call->name] == TT_DEVICE_WAIT &&
          (call->told.correlation == G_MININT64 ||
           find_mark (self->marks, marks, call->source, call->told.correlation) == NULL))
        g_array_append_val (self->work->waits, wait);
    }
}

/* -- order ------------------------------------------------------------------------------------------------ */

static int
compare_spans (const void *a, const void *b)
{
  const TtDeviceSpan *x = a, *y = b;

  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static int
compare_waits (const void *a, const void *b)
{
  const TtStreamWait *x = a, *y = b;

  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->call_ns != y->call_ns)
    return x->call_ns < y->call_ns ? -1 : 1;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->from_thread != y->from_thread)
    return x->from_thread < y->from_thread ? -1 : 1;
  return (x->recorded_ns > y->recorded_ns) - (x->recorded_ns < y->recorded_ns);
}

static int
compare_backwards (const void *a, const void *b)
{
  const TtBackwardLink *x = a, *y = b;

  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns < y->ns ? -1 : 1;
  return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static int
compare_outer (const void *a, const void *b)
{
  const TtOuterSpan *x = a, *y = b;

  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

gboolean
tt_device_work_collect (TtDeviceWork *self, TtStore *store, GError **error)
{
  g_auto (Collector) collector = { .work = self, .store = store };
  g_autofree char *sources = list_sources (store);
  g_autoptr (GArray) marks = NULL, records = NULL;

  *self = (TtDeviceWork){ 0 };
  self->spans = g_array_new (FALSE, FALSE, sizeof (TtDeviceSpan));
  self->syncs = g_array_new (FALSE, FALSE, sizeof (TtDeviceSync));
  self->waits = g_array_new (FALSE, FALSE, sizeof (TtStreamWait));
  self->backwards = g_array_new (FALSE, FALSE, sizeof (TtBackwardLink));
  self->outer = g_array_new (FALSE, FALSE, sizeof (TtOuterSpan));
  if (sources == NULL)
    return TRUE;

  self->n_names = tt_store_max_name (store) + 1;
  self->roles = g_new0 (guint8, self->n_names);
  collector.told = g_array_new (FALSE, FALSE, sizeof (Told));
  collector.flows = g_array_new (FALSE, FALSE, sizeof (Flow));
  collector.ends = g_array_new (FALSE, FALSE, sizeof (FlowEnd));
  collector.marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  collector.records = g_array_new (FALSE, FALSE, sizeof (Mark));
  collector.syncs_told = g_array_new (FALSE, FALSE, sizeof (Told));
  if (!tt_store_each_name (store, tt_device_take_name, self, error) || !ask_arguments (&collector, sources, error) ||
      !tt_store_each_flow (store, take_flow, &collector, error))
    return FALSE;
  g_array_sort (collector.ends, compare_ends);
  if (!scan (&collector, error))
    return FALSE;

  join_launches (&collector);
  marks = index_marks (collector.marks);
  records = index_marks (collector.records);
  join_syncs (&collector, marks, records);
  join_waits (&collector, marks, records);
  g_array_sort (self->spans, compare_spans);
  g_array_sort (self->waits, compare_waits);
  g_array_sort (self->backwards, compare_backwards);
  g_array_sort (self->outer, compare_outer);
  return TRUE;
}

void
tt_device_work_clear (TtDeviceWork *self)
{
  g_clear_pointer (&self->roles, g_free);
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->syncs, g_array_unref);
  g_clear_pointer (&self->waits, g_array_unref);
  g_clear_pointer (&self->backwards, g_array_unref);
  g_clear_pointer (&self->outer, g_array_unref);
}
