/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/piece-times.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "src/trace/span.h"

/* Time in pieces of the children seen so far, and the start of the first of them. */
typedef struct
{
  gint64 ns, from_ns;
} Inside;

/* Before it there is as much of the thread in other pieces. */
typedef struct
{
  gint64 begin_ns, end_ns, before_ns;
} Piece;

typedef struct
{
  GArray *pieces; /* of Piece, in time order; NULL: none */
  guint next;     /* first piece that ends after the last span's end */
  Inside inside;  /* spans without a parent */
  gint64 total_ns;
} ThreadPieces;

/* A span whose children have not all been seen. */
typedef struct
{
  TtEvent event;
  gint64 in_pieces_ns;
  Inside inside;
} OpenSpan;

struct _TtPieceTimes
{
  ThreadPieces *threads;
  guint32 n_threads;
  const TtDeviceRoles *roles;
  TtSpanParents *parents;
  TtPieceSpanFunc func;
  gpointer data;
  TtPieceCounts *counts;
};

TtPieceTimes *
tt_piece_times_new (guint32 n_threads)
{
  TtPieceTimes *self = g_new0 (TtPieceTimes, 1);

  self->threads = g_new0 (ThreadPieces, n_threads);
  self->n_threads = n_threads;
  return self;
}

void
tt_piece_times_free (TtPieceTimes *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->parents, tt_span_parents_free);
  for (guint32 i = 0; i < self->n_threads; i++)
    g_clear_pointer (&self->threads[i].pieces, g_array_unref);
  g_free (self->threads);
  g_free (self);
}

void
tt_piece_times_add (TtPieceTimes *self, guint32 number, gint64 begin_ns, gint64 end_ns)
{
  g_return_if_fail (number < self->n_threads);

  ThreadPieces *thread = &self->threads[number];
  const Piece piece = { begin_ns, end_ns, thread->total_ns };

  if (begin_ns >= end_ns)
    return;
  if (thread->pieces == NULL)
    {
      thread->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
      thread->inside.from_ns = G_MAXINT64;
    }
  thread->total_ns += end_ns - begin_ns;
  g_array_append_val (thread->pieces, piece);
}

/* How much of the pieces lies before @ns: @piece is the first that ends after it. */
static gint64
time_before (const ThreadPieces *thread, guint piece, gint64 ns)
{
  const Piece *pieces = (const Piece *) thread->pieces->data;

  if (piece == thread->pieces->len)
    return thread->total_ns;
  return pieces[piece].before_ns + MAX (tt_time_since (ns, pieces[piece].begin_ns), 0);
}

/* Ends mostly fall and starts are near: search from the last piece on, with doubled steps. */
static guint
find_piece (const ThreadPieces *thread, guint near, gint64 ns)
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

/* How much of the pieces lies between them. */
static gint64
time_between (ThreadPieces *thread, gint64 begin_ns, gint64 end_ns)
{
  thread->next = find_piece (thread, thread->next, end_ns);
  guint begin_piece = find_piece (thread, thread->next, begin_ns);

  return time_before (thread, thread->next, end_ns) - time_before (thread, begin_piece, begin_ns);
}

/* All children of the span have been seen. */
static void
on_closed (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;
  TtPieceTimes *self = data;
  gint64 own_ns = span->in_pieces_ns - span->inside.ns;

  self->counts->n_overlapping += own_ns < 0;
  if (own_ns > 0)
    self->func (&span->event, own_ns, self->data);
}

/* Children are seen from the last end to the first: of one that crosses another, only what lies before it counts. */
static void
add_inside (Inside *inside, ThreadPieces *thread, const OpenSpan *child, gint64 end_ns)
{
  const TtEvent *event = &child->event;

  if ((event->flags & TT_FLAG_OVERLAP) == 0 || inside->from_ns >= end_ns)
    inside->ns += child->in_pieces_ns;
  else if (inside->from_ns > event->ts_ns)
    inside->ns += time_between (thread, event->ts_ns, inside->from_ns);
  inside->from_ns = MIN (inside->from_ns, event->ts_ns);
}

/* Marks of the profiler are no activity of the run. */
static gboolean
is_mark (const TtPieceTimes *self, const TtEvent *event)
{
  TtActivityRole role =
      self->roles->by_event == NULL ? TT_ACTIVITY_NONE : tt_device_roles_of_event (self->roles, event);

  return role == TT_ACTIVITY_TRACER || tt_activity_is_mark (role);
}

static gboolean
add_open_span (TtPieceTimes *self, const TtEvent *event, GError **error)
{
  ThreadPieces *thread = &self->threads[event->thread];
  gpointer parent;
  OpenSpan *span;

  if (is_mark (self, event))
    return tt_span_parents_pass (self->parents, event, &parent, error);
  span = tt_span_parents_add (self->parents, event, &parent, error);
  if (span == NULL)
    return FALSE;
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  *span = (OpenSpan){
    .event = *event,
    .in_pieces_ns = time_between (thread, event->ts_ns, end_ns),
    .inside.from_ns = G_MAXINT64,
  };
  add_inside (parent != NULL ? &((OpenSpan *) parent)->inside : &thread->inside, thread, span, end_ns);
  self->counts->n_crossing += span->in_pieces_ns > 0 && (event->flags & TT_FLAG_OVERLAP) != 0;
  return TRUE;
}

/* Asynchronous spans are in no thread's pieces. */
static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtPieceTimes *self = data;

  if (event->dur_ns == TT_NO_TIME || event->thread >= self->n_threads || self->threads[event->thread].pieces == NULL ||
      (event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  return add_open_span (self, event, error);
}

gboolean
tt_piece_times_scan_of (TtPieceTimes *self,
                        TtStore *store,
                        guint64 first,
                        guint64 last,
                        const TtDeviceRoles *roles,
                        TtPieceSpanFunc func,
                        gpointer data,
                        TtPieceCounts *counts,
                        GError **error)
{
  TtEventPart part = TT_EVENT_PART_ALL;

  part.flags = TT_SCAN_REVERSE;
  part.first = first;
  part.last = last;
  *counts = (TtPieceCounts){ 0 };
  self->roles = roles;
  self->func = func;
  self->data = data;
  self->counts = counts;
  self->parents = tt_span_parents_new (tt_store_max_thread (store), sizeof (OpenSpan), on_closed, self);
  if (first <= last && !tt_each_event_of (store, &part, take_event, self, error))
    return FALSE;
  tt_span_parents_finish (self->parents);
  for (guint32 i = 0; i < self->n_threads; i++)
    if (self->threads[i].pieces != NULL)
      counts->outside_ns += MAX (self->threads[i].total_ns - self->threads[i].inside.ns, 0);
  return TRUE;
}

gboolean
tt_piece_times_scan (TtPieceTimes *self,
                     TtStore *store,
                     const TtDeviceRoles *roles,
                     TtPieceSpanFunc func,
                     gpointer data,
                     TtPieceCounts *counts,
                     GError **error)
{
  return tt_piece_times_scan_of (self, store, 0, G_MAXUINT64, roles, func, data, counts, error);
}
