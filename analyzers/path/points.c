/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/points.h"

#include "analyzers/path/call-waits.h"
#include "analyzers/path/host-collectives.h"
#include "src/base/error.h"
#include "src/base/progress.h"

/* A received message before the begin of its receive is known. */
typedef struct
{
  guint64 event;
  gint64 send_ns, recv_ns;
  guint32 from_thread, thread;
} Receive;

typedef struct
{
  guint32 process, thread;
  gint64 ordinal, begin_ns, end_ns;
} Call;

typedef struct
{
  TtPathPoints *points;
  GArray *receives;
  TtCallWaits *waits;
  GArray *calls; /* of one function and communicator, by ordinal */
  const char *function;
  gint64 comm;
} Collector;

static gint64
end_of (gint64 ts_ns, gint64 dur_ns)
{
  gint64 end_ns;

  if (dur_ns == TT_NO_TIME)
    return ts_ns;
  return __builtin_add_overflow (ts_ns, dur_ns, &end_ns) ? G_MAXINT64 : end_ns;
}

/* -- messages -------------------------------------------------------------------------------------- */

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  Collector *self = data;
  TtPathPoints *points = self->points;
  Receive receive = {
    .event = message->recv_event,
    .send_ns = message->send_ns,
    .recv_ns = message->recv_ns,
    .from_thread = message->src_thread,
    .thread = message->dst_thread,
  };

  if (message->send_ns == TT_NO_TIME || message->recv_ns == TT_NO_TIME || message->recv_event == 0 ||
      receive.thread == TT_NO_ID || receive.from_thread == TT_NO_ID || receive.thread >= points->n_threads ||
      receive.from_thread >= points->n_threads)
    points->n_halves++;
  else if (message->send_ns > message->recv_ns)
    points->n_backward++;
  else
    g_array_append_val (self->receives, receive);
  return TRUE;
}

static int
compare_receives (const void *a, const void *b)
{
  const Receive *x = a, *y = b;

  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;
  /* The last to be sent first. */
  if (x->send_ns != y->send_ns)
    return x->send_ns > y->send_ns ? -1 : 1;
  if (x->recv_ns != y->recv_ns)
    return x->recv_ns > y->recv_ns ? -1 : 1;
  return (x->from_thread > y->from_thread) - (x->from_thread < y->from_thread);
}

/* Where devices are traced, the tracer's own spans, instants and polls do not count for the run's length. */
static gboolean
is_in_run (const TtPathPoints *points, const TtEvent *event)
{
  TtActivityRole role;

  if (points->devices.roles.by_event == NULL)
    return TRUE;
  role = tt_device_roles_of_event (&points->devices.roles, event);
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

/* One scan: when threads begin and end, and when receiving spans begin. */
static gboolean
scan_spans (Collector *self, TtStore *store, GError **error)
{
  const Receive *receives = (const Receive *) self->receives->data;
  TtThreadRange *threads = self->points->threads;
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = NULL;
  TtEvent event;
  guint64 n = 0;
  guint next = 0;
  gboolean ok = TRUE;

  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("waits", tt_store_n_events (store), "events");
  while (ok && tt_event_scan_next (scan, &event))
    {
      if (event.thread < self->points->n_threads && is_in_run (self->points, &event))
        {
          TtThreadRange *range = &threads[event.thread];
          tt_call_waits_take (self->waits, &event, range->first_ns > range->last_ns ? TT_NO_TIME : range->last_ns,
                              self->points->points);
          range->first_ns = MIN (range->first_ns, event.ts_ns);
          range->last_ns = MAX (range->last_ns, end_of (event.ts_ns, event.dur_ns));
          if (self->points->step != TT_NO_STEP && event.step == self->points->step && event.dur_ns != TT_NO_TIME)
            widen_range_of_step (self->points, &event);
        }
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = !tt_cancelled (error);
        }

      while (next < self->receives->len && receives[next].event < event.id)
        next++;
      if (next >= self->receives->len || receives[next].event != event.id)
        continue;
      self->points->n_receives++;
      if (receives[next].send_ns > event.ts_ns)
        {
          TtSyncPoint point = {
            .thread = receives[next].thread,
            .from_thread = receives[next].from_thread,
            .at_ns = receives[next].recv_ns,
            .from_ns = receives[next].send_ns,
            .wait_ns = event.ts_ns,
            .hop = TT_HOP_MESSAGE,
          };
          g_array_append_val (self->points->points, point);
          self->points->n_late++;
        }
      for (next++; next < self->receives->len && receives[next].event == event.id; next++)
        self->points->n_receives++;
    }
  return tt_event_scan_finish (scan, ok ? error : NULL) && ok;
}

/* -- collectives ------------------------------------------------------------------------------------ */

/* Whether each process makes the same number of calls, and there are several. */
static gboolean
ranks_agree (const Call *calls, guint n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer count, first = NULL;

  for (guint i = 0; i < n; i++)
    {
      gpointer process = GUINT_TO_POINTER (calls[i].process);
      guint so_far = GPOINTER_TO_UINT (g_hash_table_lookup (counts, process));
      g_hash_table_insert (counts, process, GUINT_TO_POINTER (so_far + 1));
    }
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    {
      if (first == NULL)
        first = count;
      if (count != first)
        return FALSE;
    }
  return g_hash_table_size (counts) > 1;
}

/* The calls of one ordinal, one a process. */
static void
add_collective (TtPathPoints *points, const Call *calls, guint n)
{
  const Call *last = &calls[0];

  for (guint i = 1; i < n; i++)
    if (calls[i].begin_ns > last->begin_ns)
      last = &calls[i];
  for (guint i = 0; i < n; i++)
    {
      TtSyncPoint point = {
        .thread = calls[i].thread,
        .from_thread = last->thread,
        .at_ns = last->begin_ns,
        .from_ns = last->begin_ns,
        .wait_ns = calls[i].begin_ns,
        .hop = TT_HOP_COLLECTIVE,
        .is_inferred = TRUE,
      };

      if (calls[i].begin_ns >= last->begin_ns || calls[i].thread == last->thread)
        continue;
      if (calls[i].end_ns < last->begin_ns)
        points->n_early++;
      else
        g_array_append_val (points->points, point);
    }
}

static void
flush_calls (Collector *self)
{
  const Call *calls = (const Call *) self->calls->data;
  guint n = self->calls->len;

  if (n > 0 && !ranks_agree (calls, n))
    self->points->n_dropped += n;
  else
    {
      self->points->n_collectives += n;
      for (guint i = 0, j; i < n; i = j)
        {
          for (j = i + 1; j < n && calls[j].ordinal == calls[i].ordinal; j++)
            ;
          add_collective (self->points, calls + i, j - i);
        }
    }
  g_array_set_size (self->calls, 0);
}

static gboolean
on_collective (const TtCollective *collective, gpointer data)
{
  Collector *self = data;
  Call call = {
    .process = collective->process,
    .thread = collective->thread,
    .ordinal = collective->ordinal,
    .begin_ns = collective->ts_ns,
    .end_ns = end_of (collective->ts_ns, collective->dur_ns),
  };

  if (self->calls->len > 0 && (self->comm != collective->comm || g_strcmp0 (self->function, collective->function) != 0))
    flush_calls (self);
  if (call.thread >= self->points->n_threads || collective->event == 0)
    return TRUE;
  self->comm = collective->comm;
  self->function = g_intern_string (collective->function);
  g_array_append_val (self->calls, call);
  return TRUE;
}

/* -- all ---------------------------------------------------------------------------------------------- */

/* Times of different clocks cannot be compared. */
static gboolean
check_clocks (TtStore *store, GError **error)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (sources[i].clock, sources[0].clock) != 0)
      {
        g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                     "'%s' has clock %s and '%s' has clock %s: no path leads from one to the other; "
                     "import them as runs of their own",
                     sources[0].path, sources[0].clock, sources[i].path, sources[i].clock);
        return FALSE;
      }
  return TRUE;
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

gboolean
tt_path_points_collect (TtPathPoints *self, TtStore *store, gint32 step, GError **error)
{
  g_autoptr (GArray) receives = g_array_new (FALSE, FALSE, sizeof (Receive));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (TtCallWaits) waits = NULL;
  Collector collector = { .points = self, .receives = receives, .calls = calls };

  *self = (TtPathPoints){ .n_threads = tt_store_max_thread (store) + 1, .step = step };
  self->points = g_array_new (FALSE, FALSE, sizeof (TtSyncPoint));
  self->threads = g_new (TtThreadRange, (gsize) self->n_threads + 1);
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      const TtThread *thread = tt_store_thread (store, i);
      self->threads[i] = (TtThreadRange){ G_MAXINT64, G_MININT64, thread == NULL ? TT_NO_ID : thread->process };
    }

  if (!check_clocks (store, error) || !tt_device_work_collect (&self->devices, store, error) ||
      !tt_store_each_message (store, on_message, &collector, error))
    return FALSE;
  g_array_sort (receives, compare_receives);
  collector.waits = waits = tt_call_waits_new (store, error);
  if (waits == NULL || !scan_spans (&collector, store, error) ||
      !tt_store_each_collective (store, on_collective, &collector, error))
    return FALSE;
  flush_calls (&collector);
  if (!tt_host_collectives_points (store, self->threads, self->n_threads, self->points, error))
    return FALSE;
  if (self->devices.roles.by_event != NULL)
    {
      tt_device_waits_points (&self->devices, self->points, &self->device_counts);
      if (step == TT_NO_STEP)
        set_range_of_threads (self);
      return TRUE;
    }
  if (step != TT_NO_STEP)
    return TRUE;

  if (!tt_store_time_range (store, &self->first_ns, &self->last_ns, error))
    {
      if (error != NULL && *error != NULL)
        return FALSE;
      self->first_ns = self->last_ns = 0;
    }
  return TRUE;
}

void
tt_path_points_clear (TtPathPoints *self)
{
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->threads, g_free);
  tt_device_work_clear (&self->devices);
}
