/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/event-index.h"

#include "src/base/array.h"
#include "src/base/room.h"
#include "src/trace/span.h"

#define MAX_PIECES 8192u
/* Of a piece; one with more is read to count them. */
#define MAX_COUNTS TT_ROOM (256u, 4u)
/* Deeper threads count as not nested. */
#define MAX_DEPTH 4096u

/* Of the spans of one depth since the last with a smaller one. */
typedef struct
{
  gboolean is_any;
  gint64 first_ns, last_ns; /* begins */
} Level;

typedef struct
{
  guint64 first, last; /* ids of spans; 0: none */
  gint64 end_ns;       /* of the last */
  guint32 source, depth;
  gboolean is_odd;
  guint n_levels;
  Level *levels;
} Thread;

struct _TtEventIndex
{
  TtStore *store;
  TtOpTable *ops; /* the caller's */
  guint64 first;  /* id */
  guint64 piece_events;
  TtEventPiece *pieces;
  guint n_pieces;
  GArray *counts; /* of TtEventCount, piece by piece */
  Thread *threads;
  guint32 max_thread;
  /* Of the piece that is being filled. */
  guint open;
  GArray *met;     /* of guint32: operations */
  GArray *in_open; /* of guint32: spans, by operation */
};

TtEventIndex *
tt_event_index_new (TtStore *store, TtOpTable *ops, guint events_a_piece)
{
  TtEventIndex *self = g_new0 (TtEventIndex, 1);
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);
  guint64 first = G_MAXUINT64, last = 0;

  for (guint i = 0; i < n_sources; i++)
    if (sources[i].n_events > 0)
      {
        first = MIN (first, sources[i].first_event);
        last = MAX (last, sources[i].last_event);
      }
  const guint64 n = last < first ? 0 : last - first + 1;

  self->store = store;
  self->ops = ops;
  self->first = first;
  self->piece_events = MAX (events_a_piece, n / MAX_PIECES + 1);
  self->n_pieces = (guint) (n / self->piece_events) + 1;
  self->pieces = g_new0 (TtEventPiece, self->n_pieces);
  for (guint i = 0; i < self->n_pieces; i++)
    self->pieces[i] = (TtEventPiece){ .first = first + i * self->piece_events,
                                      .last = first + (i + 1) * self->piece_events - 1,
                                      .first_ns = G_MAXINT64,
                                      .last_ns = G_MININT64,
                                      .is_counted = TRUE };
  self->counts = g_array_new (FALSE, FALSE, sizeof (TtEventCount));
  self->max_thread = tt_store_max_thread (store);
  self->threads = g_new0 (Thread, (gsize) self->max_thread + 1);
  self->met = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->in_open = g_array_new (FALSE, TRUE, sizeof (guint32));
  return self;
}

void
tt_event_index_free (TtEventIndex *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i <= self->max_thread; i++)
    g_free (self->threads[i].levels);
  g_free (self->threads);
  g_free (self->pieces);
  g_array_unref (self->counts);
  g_array_unref (self->met);
  g_array_unref (self->in_open);
  g_free (self);
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

static Level *
level_of (Thread *self, guint32 depth)
{
  if (G_UNLIKELY (depth >= self->n_levels))
    {
      const guint n = MAX (2 * self->n_levels, depth + 16);

      self->levels = g_renew (Level, self->levels, n);
      for (guint i = self->n_levels; i < n; i++)
        self->levels[i] = (Level){ FALSE, 0, 0 };
      self->n_levels = n;
    }
  return &self->levels[depth];
}

/* Whether @event is the caller of those before it that are a level deeper, and begins after those of its own. */
static gboolean
is_nested (Thread *self, const TtEvent *event, gint64 end_ns)
{
  if (event->depth >= MAX_DEPTH || (event->flags & TT_FLAG_OVERLAP) != 0)
    return FALSE;
  if (self->first != 0 && (self->source != event->source || end_ns < self->end_ns || self->depth > event->depth + 1))
    return FALSE;

  Level *inside = level_of (self, event->depth + 1), *level = level_of (self, event->depth);

  if ((inside->is_any && inside->first_ns < event->ts_ns) || (level->is_any && level->last_ns > event->ts_ns))
    return FALSE;
  inside->is_any = FALSE;
  if (!level->is_any)
    level->first_ns = event->ts_ns;
  level->is_any = TRUE;
  level->last_ns = event->ts_ns;
  return TRUE;
}

static void
add_to_thread (TtEventIndex *self, const TtEvent *event, gint64 end_ns)
{
  Thread *thread = &self->threads[event->thread];

  if (!thread->is_odd)
    thread->is_odd = !is_nested (thread, event, end_ns);
  if (thread->first == 0)
    thread->first = event->id;
  thread->last = event->id;
  thread->end_ns = end_ns;
  thread->source = event->source;
  thread->depth = event->depth;
}

gboolean
tt_event_index_thread (const TtEventIndex *self, guint32 thread, guint64 *first, guint64 *last)
{
  if (thread > self->max_thread)
    return FALSE;

  const Thread *found = &self->threads[thread];

  *first = found->first;
  *last = found->last;
  /* The last span of all is outermost. */
  return found->first != 0 && !found->is_odd && found->depth == 0;
}

/* -- pieces -------------------------------------------------------------------------------------------------------- */

static void
count_span (TtEventIndex *self, guint32 op)
{
  if (G_UNLIKELY (op >= self->in_open->len))
    g_array_set_size (self->in_open, MAX (op + 1, tt_op_table_count (self->ops)));

  guint32 *n = &g_array_index (self->in_open, guint32, op);

  if ((*n)++ == 0)
    g_array_append_val (self->met, op);
}

static void
close_piece (TtEventIndex *self)
{
  TtEventPiece *piece = &self->pieces[self->open];

  piece->first_count = self->counts->len;
  piece->is_counted = self->met->len <= MAX_COUNTS;
  for (guint i = 0; i < self->met->len; i++)
    {
      const guint32 op = g_array_index (self->met, guint32, i);
      guint32 *n = &g_array_index (self->in_open, guint32, op);
      const TtEventCount count = { op, *n };

      if (piece->is_counted)
        g_array_append_val (self->counts, count);
      *n = 0;
    }
  piece->n_counts = self->counts->len - piece->first_count;
  g_array_set_size (self->met, 0);
}

guint
tt_event_index_piece_of (const TtEventIndex *self, guint64 event)
{
  const guint64 number = (event - self->first) / self->piece_events;

  return number < self->n_pieces ? (guint) number : G_MAXUINT;
}

guint32
tt_event_index_add (TtEventIndex *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  const gint64 end_ns = event->dur_ns == TT_NO_TIME ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns);
  TtEventPiece *piece = &self->pieces[self->open];

  if (G_UNLIKELY (event->id > piece->last))
    {
      close_piece (self);
      self->open = tt_event_index_piece_of (self, event->id);
      piece = &self->pieces[self->open];
    }
  piece->first_ns = MIN (piece->first_ns, event->ts_ns);
  piece->last_ns = MAX (piece->last_ns, end_ns);
  if (event->dur_ns == TT_NO_TIME)
    return TT_NO_OP;
  if ((event->flags & TT_FLAG_ASYNC) == 0 && event->thread <= self->max_thread)
    add_to_thread (self, event, end_ns);
  if (thread == NULL)
    return TT_NO_OP;

  const guint32 op = tt_op_table_find (self->ops, thread->process, event->name);

  count_span (self, op);
  return op;
}

void
tt_event_index_end (TtEventIndex *self)
{
  close_piece (self);
}

TtOpTable *
tt_event_index_ops (const TtEventIndex *self)
{
  return self->ops;
}

guint
tt_event_index_n_pieces (const TtEventIndex *self)
{
  return self->n_pieces;
}

const TtEventPiece *
tt_event_index_piece (const TtEventIndex *self, guint number)
{
  return &self->pieces[number];
}

const TtEventCount *
tt_event_index_counts (const TtEventIndex *self, const TtEventPiece *piece)
{
  return piece->n_counts == 0 ? NULL : &g_array_index (self->counts, TtEventCount, piece->first_count);
}
