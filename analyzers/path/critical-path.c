/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/critical-path-private.h"

#include "analyzers/path/job-path.h"
#include "src/base/compare.h"
#include "src/base/error.h"

#include <string.h>

void
tt_path_sums_init (TtPathSums *self, TtStore *store, TtCriticalPath *path)
{
  *self = (TtPathSums){ store, path, tt_op_table_new (store, TRUE), g_array_new (FALSE, TRUE, sizeof (TtPathOp)) };
}

void
tt_path_sums_clear (TtPathSums *self)
{
  g_clear_pointer (&self->ops, tt_op_table_free);
  g_clear_pointer (&self->by_op, g_array_unref);
}

/* The op_cat of a name; "": none. */
static const char *
category_of (const TtPathSums *self, guint32 id)
{
  const TtStoredName *name = tt_store_name (self->store, id);

  return name == NULL || name->op_cat == NULL ? "" : name->op_cat;
}

static TtPathKind
kind_of (const TtPathSums *self, const TtEvent *event)
{
  const char *op_cat = category_of (self, event->name);

  if (tt_activity_is_work (tt_device_roles_of_event (&self->path->points.devices.roles, event)))
    return g_str_equal (op_cat, "Comm")  ? TT_PATH_COMMUNICATION
           : g_str_equal (op_cat, "MEM") ? TT_PATH_COPY
                                         : TT_PATH_COMPUTATION;
  if ((event->flags & TT_FLAG_ENQUEUE) != 0)
    return TT_PATH_LAUNCH;
  return g_str_equal (op_cat, "SYNC") ? TT_PATH_SYNC : TT_PATH_HOST;
}

void
tt_path_sums_add (TtPathSums *self, guint32 name, guint64 n_spans, gint64 time_ns)
{
  guint32 op = tt_op_table_find (self->ops, TT_NO_ID, name);

  if (op >= self->by_op->len)
    g_array_set_size (self->by_op, op + 1);
  TtPathOp *sum = &g_array_index (self->by_op, TtPathOp, op);
  sum->n_spans += n_spans;
  sum->time_ns += time_ns;
}

static void
on_span (const TtEvent *event, gint64 own_ns, gpointer data)
{
  TtPathSums *self = data;

  tt_path_sums_add (self, event->name, 1, own_ns);
  if (self->path->points.devices.roles.by_event != NULL)
    self->path->kind_ns[kind_of (self, event)] += own_ns;
  if (self->path->events != NULL)
    g_array_append_val (self->path->events, event->id);
}

static int
compare_ids (const void *a, const void *b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

gboolean
tt_path_sums_scan (TtPathSums *self, TtPieceTimes *times, guint64 first, guint64 last, GError **error)
{
  TtCriticalPath *path = self->path;
  TtPieceCounts counts;

  if (!tt_piece_times_scan_of (times, self->store, first, last, &path->points.devices.roles, on_span, self, &counts,
                               error))
    return FALSE;
  path->n_crossing = counts.n_crossing;
  path->n_overlapping = counts.n_overlapping;
  path->outside_ns = counts.outside_ns;
  return TRUE;
}

static gboolean
scan_spans (TtPathSums *self, GError **error)
{
  TtCriticalPath *path = self->path;
  g_autoptr (TtPieceTimes) times = tt_piece_times_new (path->points.n_threads);

  for (guint i = 0; i < path->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);

      tt_piece_times_add (times, segment->thread, segment->begin_ns, segment->end_ns);
    }
  return tt_path_sums_scan (self, times, 0, G_MAXUINT64, error);
}

/* -- results ------------------------------------------------------------------------------------------ */

static void
collect_ops (TtPathSums *self)
{
  for (guint32 op = 0; op < self->by_op->len; op++)
    {
      TtPathOp sum = g_array_index (self->by_op, TtPathOp, op);
      if (sum.n_spans == 0)
        continue;
      sum.name = g_strdup (tt_op_table_op (self->ops, op)->label);
      sum.is_wait = g_str_equal (category_of (self, tt_op_table_op (self->ops, op)->name), "SYNC");
      g_array_append_val (self->path->ops, sum);
    }
  tt_path_ops_sort (self->path->ops);
}

static int
compare_processes (const void *a, const void *b)
{
  const TtPathProcess *x = a, *y = b;
  int order = TT_COMPARE (y->time_ns, x->time_ns);

  return order != 0 ? order : TT_COMPARE (x->process, y->process);
}

static void
collect_processes (TtCriticalPath *self, guint32 max_process)
{
  g_autofree TtPathProcess *sums = g_new0 (TtPathProcess, (gsize) max_process + 1);
  gint64 end_ns = self->points.first_ns;

  for (guint i = 0; i < self->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (self->segments, TtPathSegment, i);
      guint32 process = self->points.threads[segment->thread].process;
      TtPathProcess *sum = &sums[MIN (process, max_process)];
      gint64 gap_ns = segment->begin_ns - end_ns;
      guint32 came_by = segment->hop;

      sum->n_segments++;
      sum->time_ns += segment->end_ns - segment->begin_ns;
      sum->transfer_ns += segment->begin_ns - end_ns;
      sum->waited_ns += segment->waited_ns;
      self->transfer_ns += segment->begin_ns - end_ns;
      self->length_ns += segment->end_ns - end_ns;
      self->n_hops[segment->hop]++;
      self->n_inferred[segment->hop] += segment->is_inferred;
      if (came_by == TT_HOP_LAUNCH || came_by == TT_HOP_EVENT || self->steps != NULL)
        self->latency_ns += gap_ns;
      self->kind_ns[came_by == TT_HOP_LAUNCH  ? TT_PATH_LAUNCH
                    : came_by == TT_HOP_EVENT ? TT_PATH_SYNC
                                              : TT_PATH_COMMUNICATION] += gap_ns;
      end_ns = segment->end_ns;
    }
  for (guint32 i = 0; i <= max_process; i++)
    if (sums[i].n_segments > 0)
      {
        sums[i].process = i;
        g_array_append_val (self->processes, sums[i]);
      }
  g_array_sort (self->processes, compare_processes);
}

/* -- training jobs ---------------------------------------------------------------------------------------- */

/* The rank with the most of each step. */
static void
find_step_processes (TtCriticalPath *self, guint32 max_process)
{
  g_autofree gint64 *sums = g_new (gint64, (gsize) max_process + 1);

  for (guint i = 0, at = 0; i < self->steps->len; i++)
    {
      TtPathStep *step = &g_array_index (self->steps, TtPathStep, i);
      for (guint32 process = 0; process <= max_process; process++)
        sums[process] = 0;
      for (; at < self->segments->len; at++)
        {
          const TtPathSegment *segment = &g_array_index (self->segments, TtPathSegment, at);
          guint32 process = MIN (self->points.threads[segment->thread].process, max_process);
          sums[process] += MAX (MIN (segment->end_ns, step->end_ns) - MAX (segment->begin_ns, step->begin_ns), 0);
          if (segment->end_ns > step->end_ns)
            break;
        }
      for (guint32 process = 0; process <= max_process; process++)
        if (process == 0 || sums[process] > step->process_ns)
          {
            step->process = process;
            step->process_ns = sums[process];
          }
    }
}

static gboolean
take_job_path (TtCriticalPath *self, TtStore *store, gint32 step, GError **error)
{
  g_autoptr (TtJobPath) job = tt_job_path_new (store, step, error);

  if (job == NULL)
    return FALSE;
  self->points.first_ns = job->first_ns;
  self->points.last_ns = job->last_ns;
  self->segments = g_steal_pointer (&job->segments);
  self->steps = g_steal_pointer (&job->steps);
  g_array_unref (self->ops);
  self->ops = g_steal_pointer (&job->ops);
  self->n_backward = job->n_backward;
  collect_processes (self, tt_store_max_process (store));
  memcpy (self->kind_ns, job->kind_ns, sizeof self->kind_ns);
  self->outside_ns = self->kind_ns[TT_PATH_IDLE];
  find_step_processes (self, tt_store_max_process (store));
  for (guint i = 0; self->events != NULL && i < self->segments->len; i++)
    if (g_array_index (self->segments, TtPathSegment, i).event != 0)
      g_array_append_val (self->events, g_array_index (self->segments, TtPathSegment, i).event);
  if (self->events != NULL)
    g_array_sort (self->events, compare_ids);
  return TRUE;
}

/* The others had begun, and the path leads to none of them: the program was not yet there. */
static gint64
time_before_first_span (const TtCriticalPath *self)
{
  if (self->points.step != TT_NO_STEP || self->segments->len == 0)
    return 0;

  const TtPathSegment *first = &g_array_index (self->segments, TtPathSegment, 0);
  gint64 begin_ns = self->points.threads[first->thread].first_ns;
  return begin_ns <= first->begin_ns ? 0 : MIN (begin_ns, first->end_ns) - first->begin_ns;
}

TtCriticalPath *
tt_critical_path_new_empty (gboolean with_events)
{
  TtCriticalPath *self = g_new0 (TtCriticalPath, 1);

  self->ops = tt_path_ops_new ();
  self->processes = g_array_new (FALSE, FALSE, sizeof (TtPathProcess));
  self->events = with_events ? g_array_new (FALSE, FALSE, sizeof (guint64)) : NULL;
  return self;
}

gboolean
tt_critical_path_walk (TtCriticalPath *self, TtStore *store, gint32 step, GError **error)
{
  const TtPathPoints *points = &self->points;

  if (step != TT_NO_STEP && points->last_thread == TT_NO_ID)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no span is in step %d; 'tracetool steps' lists them", step);
      return FALSE;
    }
  if (step != TT_NO_STEP)
    self->segments = tt_measured_path_walk_within (points->points, points->threads, points->n_threads,
                                                   points->last_thread, points->first_ns, points->last_ns);
  else
    self->segments =
        tt_measured_path_walk (points->points, points->threads, points->n_threads, points->first_ns, points->last_ns);
  collect_processes (self, tt_store_max_process (store));
  return TRUE;
}

void
tt_critical_path_end (TtCriticalPath *self, TtPathSums *sums)
{
  if (self->events != NULL)
    g_array_sort (self->events, compare_ids);
  collect_ops (sums);
  self->kind_ns[TT_PATH_IDLE] = self->outside_ns;
  self->before_ns = MIN (time_before_first_span (self), self->outside_ns);
  self->outside_ns -= self->before_ns;
}

TtCriticalPath *
tt_critical_path_new (TtStore *store, gint32 step, gboolean with_events, GError **error)
{
  g_autoptr (TtCriticalPath) self = tt_critical_path_new_empty (with_events);
  g_auto (TtPathSums) sums = { NULL };
  g_autoptr (GError) why = NULL;
  gboolean is_job;

  if (!tt_path_points_collect (&self->points, store, step, error) || !tt_job_path_is_there (store, &is_job, error))
    return NULL;
  if (is_job && take_job_path (self, store, step, &why))
    return g_steal_pointer (&self);
  if (is_job && !g_error_matches (why, TT_ERROR, TT_ERROR_INPUT))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  self->no_job = why == NULL ? NULL : g_strdup (why->message);
  tt_path_sums_init (&sums, store, self);
  if (!tt_critical_path_walk (self, store, step, error) || !scan_spans (&sums, error))
    return NULL;
  tt_critical_path_end (self, &sums);
  return g_steal_pointer (&self);
}

void
tt_critical_path_free (TtCriticalPath *self)
{
  if (self == NULL)
    return;

  tt_path_points_clear (&self->points);
  g_clear_pointer (&self->segments, g_array_unref);
  g_clear_pointer (&self->ops, g_array_unref);
  g_clear_pointer (&self->processes, g_array_unref);
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self->no_job);
  g_free (self);
}
