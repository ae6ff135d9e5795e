#include "config.h"

#include "analyzers/critical-path.h"

#include "analyzers/op-table.h"
#include "src/error.h"

/* The path on one thread: pieces in time order, and how much of it lies before each. */
typedef struct
{
  gint64 begin_ns, end_ns, before_ns;
} Piece;

typedef struct
{
  GArray *pieces;  /* of Piece; NULL: the path never comes here */
  guint next;      /* first piece that ends after the last span's end */
  GArray *covered; /* of gint64, by depth: path time in spans whose caller has not come yet */
  gint64 total_ns;
} ThreadPath;

typedef struct
{
  TtStore *store;
  TtCriticalPath *path;
  ThreadPath *threads;
  TtOpTable *ops;
  GArray *by_op; /* of TtPathOp, names not set */
} Sums;

static void
sums_clear (Sums *self)
{
  if (self->threads != NULL)
    for (guint32 i = 0; i < self->path->points.n_threads; i++)
      {
        g_clear_pointer (&self->threads[i].pieces, g_array_unref);
        g_clear_pointer (&self->threads[i].covered, g_array_unref);
      }
  g_clear_pointer (&self->threads, g_free);
  g_clear_pointer (&self->ops, tt_op_table_free);
  g_clear_pointer (&self->by_op, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

static void
split_by_thread (Sums *self)
{
  const GArray *segments = self->path->segments;

  self->threads = g_new0 (ThreadPath, self->path->points.n_threads);
  for (guint i = 0; i < segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (segments, TtPathSegment, i);
      ThreadPath *thread = &self->threads[segment->thread];
      Piece piece = { segment->begin_ns, segment->end_ns, thread->total_ns };

      if (segment->begin_ns >= segment->end_ns)
        continue;
      if (thread->pieces == NULL)
        {
          thread->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
          thread->covered = g_array_new (FALSE, TRUE, sizeof (gint64));
        }
      thread->total_ns += segment->end_ns - segment->begin_ns;
      g_array_append_val (thread->pieces, piece);
    }
}

/* How much of the path lies on the thread before @ns: @piece is the first that ends after it. */
static gint64
path_before (const ThreadPath *thread, guint piece, gint64 ns)
{
  const Piece *pieces = (const Piece *) thread->pieces->data;

  if (piece == thread->pieces->len)
    return thread->total_ns;
  return pieces[piece].before_ns + MAX (ns - pieces[piece].begin_ns, 0);
}

/* Ends mostly rise and begins are near: look around the last place, doubling the step. */
static guint
find_piece (const ThreadPath *thread, guint near, gint64 ns)
{
  const Piece *pieces = (const Piece *) thread->pieces->data;
  guint low, high = near, step = 1;

  while (high < thread->pieces->len && pieces[high].end_ns <= ns)
    {
      high += MIN (step, thread->pieces->len - high);
      step *= 2;
    }
  for (low = high, step = 1; low > 0 && pieces[low - 1].end_ns > ns; step *= 2)
    low -= MIN (step, low);
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (pieces[middle].end_ns > ns)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
add_span (Sums *self, ThreadPath *thread, const TtEvent *event, guint32 op, gint64 own_ns)
{
  if (op >= self->by_op->len)
    g_array_set_size (self->by_op, op + 1);
  TtPathOp *sum = &g_array_index (self->by_op, TtPathOp, op);
  sum->n_spans++;
  sum->time_ns += own_ns;
  if (self->path->events != NULL)
    g_array_append_val (self->path->events, event->id);
}

static gboolean
take_span (Sums *self, const TtEvent *event, guint64 n_events, GError **error)
{
  ThreadPath *thread = &self->threads[event->thread];
  gint64 end_ns, on_path_ns, own_ns;
  guint begin_piece;

  if (event->depth > n_events)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "the database is damaged: event %" G_GUINT64_FORMAT " is at depth %u with nothing around it",
                   event->id, event->depth);
      return FALSE;
    }
  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  thread->next = find_piece (thread, thread->next, end_ns);
  begin_piece = find_piece (thread, thread->next, event->ts_ns);
  on_path_ns = path_before (thread, thread->next, end_ns) - path_before (thread, begin_piece, event->ts_ns);

  if (thread->covered->len < event->depth + 2)
    g_array_set_size (thread->covered, event->depth + 2);
  gint64 *inside_ns = &g_array_index (thread->covered, gint64, event->depth + 1);
  gint64 *around_ns = &g_array_index (thread->covered, gint64, event->depth);

  own_ns = on_path_ns - *inside_ns;
  if (own_ns < 0)
    {
      self->path->n_overlapping++;
      own_ns = 0;
    }
  *inside_ns = 0;
  *around_ns += on_path_ns;
  if (own_ns > 0)
    add_span (self, thread, event, tt_op_table_find (self->ops, TT_NO_ID, event->name), own_ns);
  return TRUE;
}

static gboolean
scan_spans (Sums *self, GError **error)
{
  guint64 n_events = tt_store_n_events (self->store), n = 0;
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = NULL;
  TtEvent event;
  gboolean ok = TRUE;

  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("path", n_events, "events");
  while (ok && tt_event_scan_next (scan, &event))
    {
      if (event.dur_ns != TT_NO_TIME && event.thread < self->path->points.n_threads &&
          self->threads[event.thread].pieces != NULL)
        ok = take_span (self, &event, n_events, error);
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = ok && !tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, ok ? error : NULL) && ok;
}

/* -- results ------------------------------------------------------------------------------------------ */

static int
compare_ops (const void *a, const void *b)
{
  const TtPathOp *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns > y->time_ns ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static void
collect_ops (Sums *self)
{
  gint64 covered_ns = 0;

  for (guint32 op = 0; op < self->by_op->len; op++)
    {
      TtPathOp sum = g_array_index (self->by_op, TtPathOp, op);
      if (sum.n_spans == 0)
        continue;
      sum.name = g_strdup (tt_op_table_op (self->ops, op)->label);
      g_array_append_val (self->path->ops, sum);
    }
  g_array_sort (self->path->ops, compare_ops);

  for (guint32 i = 0; i < self->path->points.n_threads; i++)
    if (self->threads[i].pieces != NULL)
      {
        if (self->threads[i].covered->len > 0)
          covered_ns = g_array_index (self->threads[i].covered, gint64, 0);
        else
          covered_ns = 0;
        self->path->outside_ns += MAX (self->threads[i].total_ns - covered_ns, 0);
      }
}

static int
compare_processes (const void *a, const void *b)
{
  const TtPathProcess *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns > y->time_ns ? -1 : 1;
  return (x->process > y->process) - (x->process < y->process);
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

      sum->n_segments++;
      sum->time_ns += segment->end_ns - segment->begin_ns;
      sum->transfer_ns += segment->begin_ns - end_ns;
      sum->waited_ns += segment->waited_ns;
      self->transfer_ns += segment->begin_ns - end_ns;
      self->length_ns += segment->end_ns - end_ns;
      self->n_steps[segment->step]++;
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

static void
clear_op (gpointer op)
{
  g_clear_pointer (&((TtPathOp *) op)->name, g_free);
}

TtCriticalPath *
tt_critical_path_new (TtStore *store, gboolean with_events, GError **error)
{
  g_autoptr (TtCriticalPath) self = g_new0 (TtCriticalPath, 1);
  g_auto (Sums) sums = { .store = store, .path = self };

  self->ops = g_array_new (FALSE, FALSE, sizeof (TtPathOp));
  g_array_set_clear_func (self->ops, clear_op);
  self->processes = g_array_new (FALSE, FALSE, sizeof (TtPathProcess));
  self->events = with_events ? g_array_new (FALSE, FALSE, sizeof (guint64)) : NULL;
  if (!tt_path_points_collect (&self->points, store, error))
    return NULL;

  self->segments = tt_measured_path_walk (self->points.points, self->points.threads, self->points.n_threads,
                                          self->points.first_ns, self->points.last_ns);
  collect_processes (self, tt_store_max_process (store));

  sums.ops = tt_op_table_new (store, TRUE);
  sums.by_op = g_array_new (FALSE, TRUE, sizeof (TtPathOp));
  split_by_thread (&sums);
  if (!scan_spans (&sums, error))
    return NULL;
  collect_ops (&sums);
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
  g_free (self);
}
