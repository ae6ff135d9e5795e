/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/points-private.h"

#include "analyzers/path/equal-calls.h"
#include "analyzers/path/host-collectives.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/progress.h"

static gint64
end_of (gint64 ts_ns, gint64 dur_ns)
{
  gint64 end_ns;

  if (dur_ns == TT_NO_TIME)
    return ts_ns;
  return __builtin_add_overflow (ts_ns, dur_ns, &end_ns) ? G_MAXINT64 : end_ns;
}

/* Where devices are traced, the tracer's own spans, instants and polls do not count for the run's length. */
gboolean
tt_path_points_has (const TtPathPoints *self, const TtEvent *event)
{
  TtActivityRole role;

  if (event->thread >= self->n_threads)
    return FALSE;
  if (self->devices.roles.by_event == NULL)
    return TRUE;
  role = tt_device_roles_of_event (&self->devices.roles, event);
  return role != TT_ACTIVITY_TRACER && role != TT_ACTIVITY_POLL && !tt_activity_is_mark (role);
}

static void
widen_range_of_step (TtPathPoints *points, const TtEvent *event)
{
  gint64 end_ns = end_of (event->ts_ns, event->dur_ns);
  gboolean is_first = points->last_thread == TT_NO_ID;

  if (is_first || event->ts_ns < points->first_ns)
    points->first_ns = event->ts_ns;
  if (is_first || end_ns > points->last_ns || (end_ns == points->last_ns && event->thread < points->last_thread))
    {
      points->last_ns = end_ns;
      points->last_thread = event->thread;
    }
}

void
tt_path_points_take (TtPathPoints *self, TtCallWaits *waits, const TtEvent *event)
{
  TtThreadRange *range = &self->threads[event->thread];

  tt_call_waits_take (waits, event, range->first_ns > range->last_ns ? TT_NO_TIME : range->last_ns, self->points);
  range->first_ns = MIN (range->first_ns, event->ts_ns);
  range->last_ns = MAX (range->last_ns, end_of (event->ts_ns, event->dur_ns));
  if (self->step != TT_NO_STEP && event->step == self->step && event->dur_ns != TT_NO_TIME)
    widen_range_of_step (self, event);
}

/* One scan: when threads begin and end, and what they wait for. */
static gboolean
scan_spans (TtPathCollector *self, TtStore *store, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = NULL;
  TtEvent event;
  guint64 n = 0;
  gboolean ok = TRUE;

  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("waits", tt_store_n_events (store), "events");
  while (ok && tt_event_scan_next (scan, &event))
    {
      tt_wait_finder_take (self->finder, &event);
      if (tt_path_points_has (self->points, &event))
        tt_path_points_take (self->points, self->waits, &event);
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = !tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, ok ? error : NULL) && ok;
}

/* -- collectives ------------------------------------------------------------------------------------ */

static gboolean
ranks_agree (const TtPathCall *calls, guint n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      gpointer process = GUINT_TO_POINTER (calls[i].process);
      guint so_far = GPOINTER_TO_UINT (g_hash_table_lookup (counts, process));
      g_hash_table_insert (counts, process, GUINT_TO_POINTER (so_far + 1));
    }
  return tt_calls_are_equal (counts);
}

static void
flush_calls (TtPathCollector *self)
{
  const TtPathCall *calls = (const TtPathCall *) self->calls->data;
  guint n = self->calls->len;

  if (n == 0 || ranks_agree (calls, n))
    self->points->n_collectives += n;
  else
    {
      self->points->n_dropped += n;
      for (guint i = 0; i < n; i++)
        g_array_append_val (self->dropped, calls[i].event);
    }
  g_array_set_size (self->calls, 0);
}

static gboolean
on_collective (const TtCollective *collective, gpointer data)
{
  TtPathCollector *self = data;
  const TtPathCall call = { collective->process, collective->event };

  if (self->calls->len > 0 && (self->comm != collective->comm || g_strcmp0 (self->function, collective->function) != 0))
    flush_calls (self);
  if (collective->thread >= self->points->n_threads || collective->event == 0)
    return TRUE;
  self->points->n_dropped += collective->is_undecided;
  if (collective->is_undecided)
    return TRUE;
  self->comm = collective->comm;
  self->function = g_intern_string (collective->function);
  g_array_append_val (self->calls, call);
  return TRUE;
}

/* -- waits -------------------------------------------------------------------------------------------- */

static TtPathHop
hop_of (guint32 kind)
{
  switch (kind)
    {
    case TT_WAIT_LATE_SENDER:
    case TT_WAIT_WRONG_ORDER:
      return TT_HOP_MESSAGE;
    case TT_WAIT_LATE_RECEIVER:
      return TT_HOP_RECEIVER;
    case TT_WAIT_THREAD:
      return TT_HOP_JOIN;
    case TT_WAIT_LOCK:
      return TT_HOP_LOCK;
    case TT_WAIT_THREAD_BARRIER:
      return TT_HOP_TEAM;
    default:
      return TT_HOP_COLLECTIVE;
    }
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

static gboolean
is_dropped (const TtPathCollector *self, guint64 event)
{
  return self->dropped->len > 0 &&
         bsearch (&event, self->dropped->data, self->dropped->len, sizeof event, compare_ids) != NULL;
}

void
tt_path_points_add_wait (TtPathCollector *self, const TtWait *wait)
{
  TtPathPoints *points = self->points;
  const TtSyncPoint point = {
    .thread = wait->thread,
    .from_thread = wait->from_thread,
    .at_ns = wait->at_ns,
    .from_ns = wait->left_ns,
    .wait_ns = wait->begin_ns,
    .hop = hop_of (wait->kind),
    .is_inferred = wait->is_inferred,
    .event = wait->event,
    .from_event = wait->from_event,
  };
  gboolean is_collective = point.hop == TT_HOP_COLLECTIVE;

  if (wait->thread >= points->n_threads || wait->from_thread >= points->n_threads || point.from_ns > point.at_ns ||
      (is_collective && wait->end_ns < wait->from_ns) || (is_collective && is_dropped (self, wait->event)))
    return;
  g_array_append_val (points->points, point);
  if (is_collective)
    g_array_index (points->points, TtSyncPoint, points->points->len - 1).is_inferred = TRUE;
}

static gboolean
add_points (TtPathCollector *self, GError **error)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (TtWait));
  TtWaitCounts counts = { 0 };

  if (!tt_wait_finder_finish (self->finder, waits, &counts, error))
    return FALSE;
  self->points->n_halves = counts.n_halves;
  self->points->n_backward = counts.n_backward;
  self->points->n_early = counts.n_early;
  g_array_sort (self->dropped, compare_ids);
  for (guint i = 0; i < waits->len; i++)
    tt_path_points_add_wait (self, &g_array_index (waits, TtWait, i));
  return TRUE;
}

/* -- all ---------------------------------------------------------------------------------------------- */

/* Times of different clocks cannot be compared. */
gboolean
tt_path_points_check_clocks (TtStore *store, GError **error)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (sources[i].clock, sources[0].clock) != 0)
      {
        g_set_error (error, TT_ERROR, TT_ERROR_NO_ANSWER,
                     "'%s' has clock %s and '%s' has clock %s: no path leads from one to the other; "
                     "import them as runs of their own",
                     sources[0].path, sources[0].clock, sources[i].path, sources[i].clock);
        return FALSE;
      }
  return TRUE;
}

void
tt_path_points_init (TtPathPoints *self, TtStore *store, gint32 step)
{
  *self = (TtPathPoints){ .n_threads = tt_store_max_thread (store) + 1, .step = step };
  self->last_thread = TT_NO_ID;
  self->points = g_array_new (FALSE, FALSE, sizeof (TtSyncPoint));
  self->threads = g_new (TtThreadRange, (gsize) self->n_threads + 1);
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      const TtThread *thread = tt_store_thread (store, i);
      self->threads[i] = (TtThreadRange){ G_MAXINT64, G_MININT64, thread == NULL ? TT_NO_ID : thread->process };
    }
}

static void
set_range_of_threads (TtPathPoints *self)
{
  self->first_ns = G_MAXINT64;
  self->last_ns = G_MININT64;
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      self->first_ns = MIN (self->first_ns, self->threads[i].first_ns);
      self->last_ns = MAX (self->last_ns, self->threads[i].last_ns);
    }
  if (self->first_ns > self->last_ns)
    self->first_ns = self->last_ns = 0;
}

void
tt_path_points_add_devices (TtPathPoints *self)
{
  self->n_device_spans = self->devices.spans->len;
  if (self->devices.roles.by_event != NULL)
    tt_device_waits_points (&self->devices, self->points, &self->device_counts);
}

gboolean
tt_path_points_set_range (TtPathPoints *self, TtStore *store, GError **error)
{
  GError *failure = NULL;

  if (self->step != TT_NO_STEP)
    return TRUE;
  if (self->devices.roles.by_event != NULL)
    {
      set_range_of_threads (self);
      return TRUE;
    }
  if (tt_store_time_range (store, &self->first_ns, &self->last_ns, &failure))
    return TRUE;
  self->first_ns = self->last_ns = 0;
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

gboolean
tt_path_points_collect (TtPathPoints *self, TtStore *store, gint32 step, GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (TtPathCall));
  g_autoptr (GArray) dropped = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (TtCallWaits) waits = NULL;
  g_autoptr (TtWaitFinder) finder = NULL;
  TtPathCollector collector = { .points = self, .calls = calls, .dropped = dropped };

  tt_path_points_init (self, store, step);
  if (!tt_path_points_check_clocks (store, error) || !tt_device_work_collect (&self->devices, store, error))
    return FALSE;
  collector.waits = waits = tt_call_waits_new (store, NULL, error);
  collector.finder = finder =
      waits == NULL ? NULL : tt_wait_finder_new (store, NULL, NULL, TT_WAITS_OF_HOSTS, NULL, NULL, error);
  if (finder == NULL || !scan_spans (&collector, store, error) ||
      !tt_store_each_collective (store, on_collective, &collector, error))
    return FALSE;
  flush_calls (&collector);
  if (!add_points (&collector, error))
    return FALSE;
  if (!tt_host_collectives_points (store, self->threads, self->n_threads, self->points, error))
    return FALSE;
  tt_path_points_add_devices (self);
  return tt_path_points_set_range (self, store, error);
}

void
tt_path_points_clear (TtPathPoints *self)
{
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->threads, g_free);
  tt_device_work_clear (&self->devices);
}
