/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

#include "src/base/compare.h"

/* Points in memory that wait for their span; more lie on a tape. */
#define FEW_POINTS 1024u
#define TAPE_BYTES ((gsize) 1 << 20)

/* Kinds of flow points that the hook learns of, and bits of each. */
#define KINDS_TOLD 8u
#define BITS_OF_KIND 4u

typedef struct
{
  guint64 key;
  gint64 ts_ns;
  guint32 kind, phase;
  guint32 nth_span;
} Point;

typedef struct
{
  GArray *few;  /* of Point; NULL: never had one */
  TtTape *more; /* those after them */
} Points;

struct _ArrangeFeed
{
  TtSink *sink;
  TtNest *nest;
  const ArrangeHooks *hooks;
  TtNestThread *stack;
  guint32 thread, process;
  gint64 ts_ns;
  guint32 flows;    /* at ts_ns: see TtArrangeHook */
  Points now;       /* at ts_ns, to be tied when all spans that begin then have begun */
  GArray *numbered; /* of Point at ts_ns that name their span, the first n_tied of them tied; NULL: never had one */
  guint n_tied;
  guint32 n_begun;            /* spans at ts_ns */
  Points forward;             /* to be tied to the next span */
  const TtFlowKind *own_kind; /* of the point that the hook has given the span; NULL: none */
  guint64 own_key;
  TtFlowPhase own_phase;
  GError *error; /* of a tape */
};

ArrangeFeed *
arrange_feed_new (TtSink *sink, TtNest *nest, const ArrangeHooks *hooks)
{
  ArrangeFeed *self = g_new0 (ArrangeFeed, 1);

  self->sink = sink;
  self->nest = nest;
  self->hooks = hooks;
  return self;
}

static void
clear_points (Points *points)
{
  g_clear_pointer (&points->few, g_array_unref);
  g_clear_pointer (&points->more, tt_tape_free);
}

void
arrange_feed_free (ArrangeFeed *self)
{
  if (self == NULL)
    return;
  clear_points (&self->now);
  clear_points (&self->forward);
  g_clear_pointer (&self->numbered, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}

gboolean
arrange_feed_check_own (const ArrangeFeed *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

gboolean
arrange_feed_check (const ArrangeFeed *self, GError **error)
{
  return arrange_feed_check_own (self, error) && tt_nest_check (self->nest, error);
}

/* -- flow points ------------------------------------------------------------------------------------- */

static Point
to_point (const ArrangeRecord *record)
{
  return (Point){
    .key = (guint64) record->dur_ns,
    .ts_ns = arrange_ts (record),
    .kind = record->name,
    .phase = (guint32) record->step,
    .nth_span = record->tag,
  };
}

static void
add_point (Points *points, const ArrangeRecord *record)
{
  const Point point = to_point (record);

  if (points->few == NULL)
    points->few = g_array_new (FALSE, FALSE, sizeof (Point));
  if (points->few->len < FEW_POINTS)
    {
      g_array_append_val (points->few, point);
      return;
    }
  if (points->more == NULL)
    points->more = tt_tape_new (TAPE_BYTES);
  tt_tape_append (points->more, &point, sizeof point);
}

static void
tie_half (ArrangeFeed *self, const Point *point)
{
  TtArrangeHalf side;

  tt_tape_read (self->hooks->halves, point->key, &side, sizeof side);
  if (self->error != NULL || !tt_tape_check (self->hooks->halves, &self->error))
    return;
  gint64 ts_ns = point->ts_ns;
  if (G_UNLIKELY (side.moved_ns != 0) && __builtin_sub_overflow (point->ts_ns, side.moved_ns, &ts_ns))
    ts_ns = point->ts_ns;
  const TtNestHalf half = {
    .ts_ns = ts_ns,
    .tied_ns = point->ts_ns - ts_ns,
    .tag = side.tag,
    .comm = side.comm,
    .bytes = side.bytes,
    .peer = side.peer,
    .is_send = side.is_send,
  };
  tt_nest_half (self->nest, self->stack, &half);
}

static void
tie_point (ArrangeFeed *self, const Point *point, gboolean has_span)
{
  if (point->kind == ARRANGE_HALF)
    {
      tie_half (self, point);
      return;
    }

  const TtFlowKind *kind = self->hooks->flow_kinds->pdata[point->kind];
  if (has_span)
    tt_nest_flow (self->nest, self->stack, point->key, kind, (TtFlowPhase) point->phase, point->ts_ns);
  else
    tt_sink_flow_point (
        self->sink, &(TtSinkFlowPoint){
                        .key = point->key, .kind = kind, .phase = (TtFlowPhase) point->phase, .ts_ns = point->ts_ns });
}

static void
tie_all_points (ArrangeFeed *self, Points *points, gboolean has_span)
{
  for (guint i = 0; i < points->few->len; i++)
    tie_point (self, &g_array_index (points->few, Point, i), has_span);
  g_array_set_size (points->few, 0);
  if (points->more == NULL)
    return;

  for (guint64 at = 0; at < tt_tape_size (points->more) && self->error == NULL; at += sizeof (Point))
    {
      Point point;

      tt_tape_read (points->more, at, &point, sizeof point);
      if (tt_tape_check (points->more, &self->error))
        tie_point (self, &point, has_span);
    }
  g_clear_pointer (&points->more, tt_tape_free);
}

/* Ties the points to the innermost span, or to none. */
static inline void
tie_points (ArrangeFeed *self, Points *points, gboolean has_span)
{
  if (G_UNLIKELY (points->few != NULL && points->few->len > 0))
    tie_all_points (self, points, has_span);
}

/* -- points that name their span */

static void
add_numbered (ArrangeFeed *self, const ArrangeRecord *record)
{
  const Point point = to_point (record);

  if (self->numbered == NULL)
    self->numbered = g_array_new (FALSE, FALSE, sizeof (Point));
  if (self->numbered->len < FEW_POINTS)
    g_array_append_val (self->numbered, point);
  else
    add_point (&self->now, record);
}

static int
compare_nth (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Point *) a)->nth_span, ((const Point *) b)->nth_span);
}

static void
tie_those_of_span (ArrangeFeed *self)
{
  if (self->n_begun == 1)
    g_array_sort (self->numbered, compare_nth);
  for (; self->n_tied < self->numbered->len; self->n_tied++)
    {
      const Point *point = &g_array_index (self->numbered, Point, self->n_tied);
      if (point->nth_span != self->n_begun)
        break;
      tie_point (self, point, TRUE);
    }
}

/* After a span has begun. Points come before all spans of their time, but on a trusted thread. */
static inline void
tie_numbered (ArrangeFeed *self)
{
  self->n_begun++;
  if (G_UNLIKELY (self->numbered != NULL && self->n_tied < self->numbered->len))
    tie_those_of_span (self);
}

/* When their time is over: what has not found its span goes to the innermost. */
static inline void
end_numbered (ArrangeFeed *self)
{
  self->n_begun = 0;
  if (G_LIKELY (self->numbered == NULL || self->numbered->len == 0))
    return;
  for (; self->n_tied < self->numbered->len; self->n_tied++)
    tie_point (self, &g_array_index (self->numbered, Point, self->n_tied), TRUE);
  g_array_set_size (self->numbered, 0);
  self->n_tied = 0;
}

static void
feed_flow (ArrangeFeed *self, const ArrangeRecord *record)
{
  if (record->name < KINDS_TOLD)
    self->flows |= 1u << (BITS_OF_KIND * record->name + (guint32) record->step);
  if (G_UNLIKELY (record->tag != 0 && record->tag != ARRANGE_NEXT_SPAN))
    add_numbered (self, record);
  else
    add_point (record->tag != 0 ? &self->forward : &self->now, record);
}

/* The points that a span brings along, now that it is the innermost. */
static void
tie_own_points (ArrangeFeed *self, const ArrangeRecord *record)
{
  ArrangeSpanFlow flow;

  if (self->own_kind != NULL)
    tt_nest_flow (self->nest, self->stack, self->own_key, self->own_kind, self->own_phase, arrange_ts (record));
  self->own_kind = NULL;
  if (G_LIKELY ((record->flags_kind & TT_ARRANGE_FLOW) == 0) || record->tag == 0 || self->error != NULL)
    return;
  tt_tape_read (self->hooks->span_flows, (record->tag - 1) * sizeof flow, &flow, sizeof flow);
  if (tt_tape_check (self->hooks->span_flows, &self->error))
    tt_nest_flow (self->nest, self->stack, flow.key, self->hooks->flow_kinds->pdata[flow.kind],
                  (TtFlowPhase) flow.phase, arrange_ts (record));
}

/* -- spans ------------------------------------------------------------------------------------------- */

/* Member by member: as one assignment it would be cleared by an instruction that takes long. */
static inline void
make_span (const ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async, TtNestSpan *span)
{
  gboolean has_metric = (record->flags_kind & TT_ARRANGE_METRIC) != 0;

  span->ts_ns = arrange_ts (record);
  span->end_ns = span->ts_ns + record->dur_ns;
  span->args = record->args;
  span->offset = record->offset;
  span->name = record->name;
  span->flags = arrange_flags (record) & ~ARRANGE_EXTRAS;
  span->step = record->step;
  span->context = 0;
  span->track = async == NULL ? 0 : async->thread;
  span->activity = 0;
  span->owner = 0;
  span->mark = 0;
  span->series = has_metric ? self->hooks->metric : 0;
  span->metric = has_metric ? (gint64) record->key : 0;
  span->is_told = FALSE;
  span->told_depth = 0;
  span->told_self_ns = 0;
}

static void
ask_hook (ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async, guint32 context, TtNestSpan *span)
{
  TtTraceRecord item;

  tt_trace_record_clear (&item);
  item.thread = async == NULL ? self->thread : async->thread;
  item.process = async == NULL ? self->process : async->process;
  item.name = span->name;
  item.flags = span->flags;
  item.step = span->step;
  item.tag = record->tag;
  item.key = record->key;
  item.ts_ns = span->ts_ns;
  item.dur_ns = record->dur_ns;
  item.args = span->args;
  item.offset = span->offset;
  span->context = self->hooks->hook (&item, context, self->flows, self->hooks->data);
  span->name = item.name;
  span->flags = item.flags;
  span->step = item.step;
  span->activity = item.activity;
  span->owner = item.owner;
  self->own_kind = item.own_flow;
  self->own_key = item.flow_key;
  self->own_phase = item.flow_phase;
}

static void
feed_span (ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async)
{
  TtNestSpan span;

  make_span (self, record, async, &span);
  if (self->hooks->hook != NULL)
    ask_hook (self, record, async, tt_nest_make_room (self->nest, self->stack, span.ts_ns, span.end_ns), &span);
  tt_nest_span (self->nest, self->stack, &span);
  tie_own_points (self, record);
  tie_numbered (self);
  tie_points (self, &self->forward, TRUE);
}

static void
feed_begin (ArrangeFeed *self, const ArrangeRecord *record)
{
  TtNestSpan begin;

  make_span (self, record, NULL, &begin);
  gint64 soon_ns = begin.ts_ns < G_MAXINT64 ? begin.ts_ns + 1 : begin.ts_ns;
  if (self->hooks->hook != NULL)
    ask_hook (self, record, NULL, tt_nest_make_room (self->nest, self->stack, begin.ts_ns, soon_ns), &begin);
  tt_nest_begin (self->nest, self->stack, &begin);
  tie_own_points (self, record);
  tie_numbered (self);
  tie_points (self, &self->forward, TRUE);
}

static void
feed_instant (ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async, TtNestSpan *instant)
{
  if (self->hooks->hook != NULL && record->tag != 0)
    ask_hook (self, record, async, 0, instant);
  self->own_kind = NULL;
  if (instant->activity != 0)
    tt_sink_activity (self->sink, instant->activity, 0);
  tt_nest_moment (self->nest, self->stack, instant);
}

static void
feed_end (ArrangeFeed *self, const ArrangeRecord *record)
{
  TtNestSpan end;

  make_span (self, record, NULL, &end);
  if (tt_nest_end (self->nest, self->stack, &end))
    return;
  tt_sink_repair_of (self->sink, self->process, TT_REPAIR_END_WITHOUT_BEGIN, record->offset);
  if (record->name == TT_NO_ID)
    return;
  end.flags |= TT_FLAG_INFERRED;
  feed_instant (self, record, NULL, &end);
}

/* -- lines ------------------------------------------------------------------------------------------- */

void
arrange_feed_begin_line (ArrangeFeed *self, guint32 thread, guint32 process)
{
  if (self->stack != NULL)
    arrange_feed_end_line (self);
  self->thread = thread;
  self->process = process;
  self->stack = tt_nest_thread (self->nest, thread, process);
  self->ts_ns = TT_NO_TIME;
  self->flows = 0;
}

static inline void
go_to_time (ArrangeFeed *self, gint64 ts_ns)
{
  if (ts_ns == self->ts_ns)
    return;
  end_numbered (self);
  tie_points (self, &self->now, TRUE);
  self->ts_ns = ts_ns;
  self->flows = 0;
}

void
arrange_feed_plain_span (ArrangeFeed *self, const TtTraceRecord *span, gint64 end_ns)
{
  go_to_time (self, span->ts_ns);
  tt_nest_plain_span (self->nest, self->stack, span->name, span->flags & ARRANGE_ALL_FLAGS, span->step, span->ts_ns,
                      end_ns, span->args, span->offset);
  self->own_kind = NULL;
  tie_numbered (self);
  tie_points (self, &self->forward, TRUE);
}

void
arrange_feed_record (ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async)
{
  go_to_time (self, arrange_ts (record));
  switch (arrange_kind (record))
    {
    case ARRANGE_SPAN:
      feed_span (self, record, async);
      break;
    case ARRANGE_INSTANT:
      {
        TtNestSpan instant;

        make_span (self, record, async, &instant);
        feed_instant (self, record, async, &instant);
        break;
      }
    case ARRANGE_FLOW:
      feed_flow (self, record);
      break;
    case ARRANGE_BEGIN:
      feed_begin (self, record);
      break;
    case ARRANGE_END:
      feed_end (self, record);
      break;
    }
}

void
arrange_feed_end_line (ArrangeFeed *self)
{
  if (self->stack == NULL)
    return;
  end_numbered (self);
  tie_points (self, &self->now, TRUE);
  tie_points (self, &self->forward, FALSE);
  tt_nest_close (self->nest, self->stack);
  self->stack = NULL;
}
