/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/recorded-job.h"

#include "analyzers/recorded-job/collectives.h"
#include "analyzers/recorded-job/data-flows.h"
#include "analyzers/recorded-job/steps.h"
#include "analyzers/recorded-job/transfers.h"
#include "analyzers/recorded-job/waits.h"
#include "graphs/graph.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/trace/span.h"

#define MAX_SPANS (1u << 21)
/* Longer recordings could not be scaled. */
#define MAX_LENGTH_NS (G_MAXINT64 / 1024)

gboolean
tt_recorded_job_is_there (TtStore *store, gboolean *is_there, GError **error)
{
  guint n;
  const TtSource *sources;

  *is_there = FALSE;
  if (!tt_store_complete (store, error))
    return FALSE;
  sources = tt_store_sources (store, &n);
  *is_there = n > 0;
  for (guint i = 0; i < n; i++)
    *is_there =
        *is_there && (g_strcmp0 (sources[i].format, "kineto") == 0 || g_strcmp0 (sources[i].format, "tensorflow") == 0);
  return TRUE;
}

/* -- spans of the host --------------------------------------------------------------------------------------------- */

static void
take_event (TtRecordingBuilder *builder, const TtEvent *event, GArray *spans)
{
  TtActivityRole role = tt_device_roles_of_event (&builder->work.roles, event);
  TtHostSpan span = { .event = event->id,
                      .thread = event->thread,
                      .name = event->name,
                      .depth = event->depth,
                      .begin_ns = event->ts_ns,
                      .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
                      .is_step = (event->flags & TT_FLAG_STEP) != 0 };

  if (role == TT_ACTIVITY_TRACER || tt_activity_is_work (role) || tt_activity_is_mark (role) ||
      ((event->flags & TT_FLAG_WINDOW) != 0 && !span.is_step))
    return;
  if (builder->work.roles.is_queue != NULL && event->thread <= builder->work.roles.max_thread &&
      builder->work.roles.is_queue[event->thread])
    return;
  g_array_append_val (spans, span);
  if (span.is_step)
    {
      const TtSourceStep step = { event->thread, span.begin_ns, span.end_ns };
      g_array_append_val (builder->steps, step);
    }
}

static int
compare_steps (const void *a, const void *b)
{
  const TtSourceStep *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
}

static gboolean
read_spans (TtRecordingBuilder *builder, GArray *spans, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (builder->store, TT_SCAN_DEFAULT, error);
  gboolean ok = TRUE;
  guint64 n = 0;
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (ok && tt_event_scan_next (scan, &event))
    {
      take_event (builder, &event, spans);
      if (++n % 65536 == 0)
        ok = !tt_cancelled (error);
      if (spans->len > MAX_SPANS)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                       "this run has more than %u spans: it is too long to be replayed; record fewer steps", MAX_SPANS);
          ok = FALSE;
        }
    }
  g_array_sort (builder->steps, compare_steps);
  return tt_event_scan_finish (scan, ok ? error : NULL) && ok;
}

static gboolean
find_range (TtRecordingBuilder *builder, const GArray *spans, GError **error)
{
  const TtDeviceSpan *works = TT_ARRAY (builder->work.spans, const TtDeviceSpan);
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64, length_ns;

  for (guint i = 0; i < spans->len; i++)
    {
      first_ns = MIN (first_ns, g_array_index (spans, TtHostSpan, i).begin_ns);
      last_ns = MAX (last_ns, g_array_index (spans, TtHostSpan, i).end_ns);
    }
  for (guint i = 0; i < builder->work.spans->len; i++)
    {
      first_ns = MIN (first_ns, works[i].begin_ns);
      last_ns = MAX (last_ns, works[i].end_ns);
    }
  builder->first_ns = first_ns;
  if (first_ns >= last_ns)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "nothing in this run takes time: there is nothing to replay");
  else if (__builtin_sub_overflow (last_ns, first_ns, &length_ns) || length_ns > MAX_LENGTH_NS)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "this run lasts too long to be replayed");
  else
    return TRUE;
  return FALSE;
}

/* -- endpoints --------------------------------------------------------------------------------------------------------- */

typedef enum
{
  HAS_HOST = 1,
  HAS_DEVICE = 2,
  HAS_STEPS = 4,
} Has;

static void
mark (const TtRecordingBuilder *builder, guint32 thread, Has what, guint8 *has)
{
  const TtThread *facts = tt_store_thread (builder->store, thread);
  const TtProcess *process = facts == NULL ? NULL : tt_store_process (builder->store, facts->process);

  if (process != NULL && process->owner <= builder->max_process)
    has[process->owner] |= (guint8) what;
}

/* By owner: ranks first, those with steps, or if none has any, with devices, or else all. */
static void
make_endpoints (TtRecordingBuilder *builder, const GArray *spans)
{
  static const Has leads[] = { HAS_STEPS, HAS_DEVICE, HAS_HOST };
  guint32 max = builder->max_process = tt_store_max_process (builder->store);
  g_autofree guint8 *has = g_new0 (guint8, max + 1);
  g_autofree guint32 *endpoints = g_new (guint32, max + 1);
  g_autoptr (GPtrArray) pids = g_ptr_array_new ();
  g_autoptr (GArray) devices = g_array_new (FALSE, TRUE, sizeof (gboolean));
  guint all = 0, n_ranks = 0;

  for (guint i = 0; i < spans->len; i++)
    mark (builder, g_array_index (spans, TtHostSpan, i).thread, HAS_HOST, has);
  for (guint i = 0; i < builder->work.spans->len; i++)
    mark (builder, tt_device_span_at (&builder->work, i)->thread, HAS_DEVICE, has);
  for (guint i = 0; i < builder->steps->len; i++)
    mark (builder, g_array_index (builder->steps, TtSourceStep, i).thread, HAS_STEPS, has);
  for (guint32 id = 0; id <= max; id++)
    all |= has[id];
  Has lead = leads[(all & HAS_STEPS) != 0 ? 0 : (all & HAS_DEVICE) != 0 ? 1 : 2];
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 id = 0; id <= max; id++)
      {
        const TtProcess *process = has[id] == 0 ? NULL : tt_store_process (builder->store, id);
        gboolean has_device = (has[id] & HAS_DEVICE) != 0;
        if (pass == 0)
          endpoints[id] = TT_STEP_NO_RANK;
        if (process == NULL || ((has[id] & lead) != 0) != (pass == 0))
          continue;
        endpoints[id] = pids->len;
        n_ranks += pass == 0;
        g_ptr_array_add (pids, process->pid);
        g_array_append_val (devices, has_device);
      }
  g_ptr_array_add (pids, NULL);
  builder->endpoint_of = g_new (guint32, max + 1);
  for (guint32 id = 0; id <= max; id++)
    {
      const TtProcess *process = tt_store_process (builder->store, id);
      builder->endpoint_of[id] = process == NULL || process->owner > max ? TT_STEP_NO_RANK : endpoints[process->owner];
    }
  builder->has_device = (gboolean *) g_array_free (g_steal_pointer (&devices), FALSE);
  builder->recording = tt_step_recording_new ((const char *const *) pids->pdata, n_ranks);
  builder->counts->n_ranks = n_ranks;
}

/* -- all ----------------------------------------------------------------------------------------------------------------- */

/* What needs nothing begins when it did. */
static void
hold_roots (TtRecordingBuilder *builder)
{
  g_autofree gboolean *needs = g_new0 (gboolean, builder->ranges->len);

  for (guint i = 0; i < builder->recording->needs->len; i++)
    needs[g_array_index (builder->recording->needs, TtRecordedNeed, i).to] = TRUE;
  for (guint32 i = 1; i < builder->ranges->len; i++)
    if (!needs[i])
      tt_recording_add_need (builder, 0, i, TRUE, G_MAXINT64);
}

static gboolean
make_nodes (TtRecordingBuilder *builder, GArray *spans, const TtRecordedCollectives *collectives, GError **error)
{
  g_auto (TtRecordedWaits) waits = { 0 };
  const TtRecordedNode root = { .lane = tt_recording_add_lane (builder, TT_NO_ID),
                                .kind = TT_STEP_NODE_BETWEEN,
                                .name = TT_NO_ID,
                                .text = "(begin of the recording)",
                                .begin_ns = builder->first_ns,
                                .end_ns = builder->first_ns };

  tt_recording_add_node (builder, &root);
  tt_recorded_waits_find (&waits, builder, spans);
  if (!tt_recorded_data_flows_add (builder->store, spans, waits.waits, error))
    return FALSE;
  tt_host_lanes_make (builder, spans, waits.waits);
  tt_device_lanes_make (builder, collectives->joined, collectives->members);
  tt_device_lanes_join (builder, waits.queues);
  tt_recorded_waits_join (&waits, builder);
  tt_recorded_steps_make (builder);
  hold_roots (builder);
  return TRUE;
}

static gint64
measure_iteration (const TtRecordingBuilder *builder)
{
  const GArray *steps = builder->recording->steps;
  tt_int128 all = 0;
  guint n_ranks = 0;

  for (guint first = 0, next; first < steps->len; first = next)
    {
      guint32 rank = g_array_index (steps, TtRecordedStep, first).rank;
      for (next = first; next < steps->len && g_array_index (steps, TtRecordedStep, next).rank == rank;)
        next++;
      gint64 begin_ns = tt_recording_range (builder, g_array_index (steps, TtRecordedStep, first).first)->begin_ns;
      gint64 end_ns = tt_recording_range (builder, g_array_index (steps, TtRecordedStep, next - 1).last)->end_ns;
      all += tt_average_ns (end_ns - begin_ns, next - first);
      n_ranks++;
    }
  return tt_average_ns (all, n_ranks);
}

static void
finish_recording (TtRecordingBuilder *builder)
{
  TtStepRecording *recording = builder->recording;
  guint n = builder->ranges->len;

  recording->durations_ns = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    {
      const TtNodeRange *range = tt_recording_range (builder, i);
      recording->durations_ns[i] = range->end_ns - range->begin_ns;
    }
  recording->measured_ns = measure_iteration (builder);
  recording->lanes = (guint32 *) g_array_free (g_steal_pointer (&builder->lanes), FALSE);
  builder->counts->n_dropped += tt_step_recording_settle (recording);
}

TtStepRecording *
tt_recorded_job_new (TtStore *store, TtCollectiveReader reader, TtRecordedCounts *counts, GError **error)
{
  g_auto (TtRecordingBuilder) builder = { .store = store, .counts = counts };
  g_auto (TtRecordedCollectives) collectives = { 0 };
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (TtHostSpan));

  *counts = (TtRecordedCounts){ 0 };
  builder.ranges = g_array_new (FALSE, FALSE, sizeof (TtNodeRange));
  builder.lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
  builder.host_lanes = g_array_new (FALSE, FALSE, sizeof (TtHostLane));
  builder.steps = g_array_new (FALSE, FALSE, sizeof (TtSourceStep));
  if (!tt_store_complete (store, error) || !tt_device_work_collect (&builder.work, store, error) ||
      !read_spans (&builder, spans, error) || !find_range (&builder, spans, error))
    return NULL;
  for (guint i = 0; i < builder.work.spans->len; i++)
    tt_map64_set (&builder.numbers, tt_device_span_at (&builder.work, i)->event, i);
  make_endpoints (&builder, spans);
  if (!tt_recorded_collectives_find (&collectives, &builder, error))
    return NULL;
  if (!make_nodes (&builder, spans, &collectives, error))
    return NULL;
  counts->n_device_spans = builder.work.spans->len;
  if (reader != NULL && !tt_recorded_transfers_read (&builder, reader, error))
    return NULL;
  /* They need not be there when all is replayed. */
  g_clear_pointer (&spans, g_array_unref);
  tt_device_work_clear (&builder.work);
  finish_recording (&builder);
  if (builder.recording->steps->len > 0)
    return g_steal_pointer (&builder.recording);
  g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "nothing in this run takes time: there is nothing to replay");
  return NULL;
}
