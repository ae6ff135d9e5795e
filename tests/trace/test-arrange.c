/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/inside.h"

#include "tests/trace/row-sink.h"

#include <string.h>

/* TtArrange against a model that looks at every pair of spans: no sorters, no stacks. */

/* -- calls -------------------------------------------------------------------------------------------- */

typedef enum
{
  SPAN,
  INSTANT,
  BEGIN,
  END,
  ASYNC_BEGIN,
  ASYNC_END,
  FLOW,
  HALF,
} Kind;

/* What is put in. Its number is in `step`, so that rows tell where they come from. */
typedef struct
{
  Kind kind;
  TtTraceRecord what;
  guint64 key; /* asynchronous */
  guint32 flow_kind;
  TtFlowPhase phase;
  gboolean binds_to_next;
} Call;

static const char *const flow_kinds[] = { "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8" };

static void
make_call (TtArrange *arrange, const Call *call)
{
  switch (call->kind)
    {
    case SPAN:
      tt_arrange_span (arrange, &call->what);
      break;
    case INSTANT:
      tt_arrange_instant (arrange, &call->what);
      break;
    case BEGIN:
      tt_arrange_begin (arrange, &call->what);
      break;
    case END:
      tt_arrange_end (arrange, &call->what);
      break;
    case ASYNC_BEGIN:
      tt_arrange_async_begin (arrange, &call->what, call->key);
      break;
    case ASYNC_END:
      tt_arrange_async_end (arrange, &call->what, call->key);
      break;
    case FLOW:
      tt_arrange_flow (arrange, &call->what, call->flow_kind, (guint64) call->what.step, call->phase,
                       call->binds_to_next);
      break;
    case HALF:
      tt_arrange_half (arrange, &call->what, &(TtArrangeHalf){ .is_send = TRUE, .peer = 1, .tag = call->what.step });
      break;
    }
}

/* -- the model ---------------------------------------------------------------------------------------- */

#define NOBODY (-1)
/* Any arguments that arrange has made itself: they have small numbers. */
#define TOLD G_MAXUINT64
#define FIRST_ARGS 1000u

static gboolean is_by_end; /* see tt_arrange_set_by_end() */

/* A span or instant (dur_ns is TT_NO_TIME) that should be in the rows. */
typedef struct
{
  gboolean is_async;
  guint64 line; /* thread or key */
  guint32 thread, name, flags, tag;
  guint number; /* of the call */
  gint64 ts_ns, dur_ns;
  guint64 args;
  /* found out */
  int parent; /* index of a span */
  guint32 depth;
  gint64 self_ns;
} Thing;

typedef struct
{
  const Call *calls;
  guint n_calls;
  GArray *things; /* of Thing, by line and begin order */
  GArray *merges; /* of guint64[2] */
  guint64 repairs[TT_N_REPAIRS];
  gint64 others_last_ns; /* a few ends behind it are far from all others, whether or not they are mended */
} Model;

static Thing *
thing_at (const Model *model, guint i)
{
  return &g_array_index (model->things, Thing, i);
}

static gboolean
same_args (guint64 made, guint64 expected)
{
  return expected == TOLD ? made > 0 && made < FIRST_ARGS : made == expected;
}

static gint64
end_of (const Thing *thing)
{
  return thing->dur_ns == TT_NO_TIME ? thing->ts_ns : thing->ts_ns + thing->dur_ns;
}

static gint64
plus (gint64 a, gint64 b)
{
  return a > 0 && b > G_MAXINT64 - a ? G_MAXINT64 : a + b;
}

static gint64
last_time (const Model *model, guint32 thread)
{
  gint64 last = G_MININT64;

  for (guint i = 0; i < model->n_calls; i++)
    {
      const Call *call = &model->calls[i];
      if (call->what.thread == thread)
        last = MAX (last, call->kind == SPAN ? plus (call->what.ts_ns, MAX (call->what.dur_ns, 0)) : call->what.ts_ns);
    }
  return last;
}

static int
by_time (gconstpointer a, gconstpointer b)
{
  const Call *one = *(const Call *const *) a, *two = *(const Call *const *) b;

  if (one->what.ts_ns != two->what.ts_ns)
    return one->what.ts_ns < two->what.ts_ns ? -1 : 1;
  return one < two ? -1 : one > two;
}

static gboolean
same_line (const Call *a, const Call *b, gboolean is_async)
{
  return is_async ? a->key == b->key : a->what.thread == b->what.thread;
}

/* An open begin, and what says that its end was lost; TT_NO_TIME: nothing does. */
typedef struct
{
  const Call *begin, *previous; /* previous: of its name, open when it began */
  gint64 around_ns, inside_ns, again_ns, lone_ns;
} Open;

/* @lost_ns: NULL: nothing says that the end of @begin was lost. */
static void
model_span (Model *model, const Call *begin, const Call *end, const gint64 *lost_ns, gboolean is_async)
{
  Thing thing = {
    .is_async = is_async,
    .line = is_async ? begin->key : begin->what.thread,
    .thread = begin->what.thread,
    .name = begin->what.name,
    .flags = begin->what.flags | (is_async ? TT_FLAG_ASYNC : 0),
    .number = (guint) begin->what.step,
    .tag = begin->what.tag,
    .ts_ns = begin->what.ts_ns,
    .args = begin->what.args,
  };

  if (begin->kind == SPAN)
    {
      thing.dur_ns = plus (thing.ts_ns, MAX (begin->what.dur_ns, 0)) - thing.ts_ns;
      if (begin->what.dur_ns < 0)
        {
          thing.flags |= TT_FLAG_END_BEFORE_START;
          model->repairs[TT_REPAIR_END_BEFORE_START]++;
        }
    }
  else if (lost_ns != NULL)
    {
      thing.dur_ns = *lost_ns - thing.ts_ns;
      thing.flags |= TT_FLAGS_BOUNDED;
      if (thing.args == 0)
        thing.args = TOLD;
      else
        g_array_append_vals (model->merges, (guint64[]){ thing.args, TOLD }, 1);
      model->repairs[TT_REPAIR_BOUNDED_END]++;
    }
  else if (end == NULL)
    {
      gint64 last_ns = MIN (last_time (model, thing.thread), MAX (model->others_last_ns, thing.ts_ns));

      thing.dur_ns = last_ns - thing.ts_ns;
      thing.flags |= TT_FLAG_UNCLOSED;
      model->repairs[TT_REPAIR_UNCLOSED]++;
    }
  else
    {
      guint64 merge[2] = { thing.args, end->what.args };

      thing.dur_ns = end->what.ts_ns - thing.ts_ns;
      thing.flags |= end->what.flags;
      if (merge[0] == 0)
        thing.args = merge[1];
      else if (merge[1] != 0)
        g_array_append_val (model->merges, merge);
    }
  g_array_append_val (model->things, thing);
}

static void
model_instant (Model *model, const Call *call, gboolean is_async, guint32 flags)
{
  Thing thing = {
    .is_async = is_async,
    .line = is_async ? call->key : call->what.thread,
    .thread = call->what.thread,
    .name = call->what.name,
    .flags = call->what.flags | flags | (is_async ? TT_FLAG_ASYNC : 0),
    .number = (guint) call->what.step,
    .tag = call->what.tag,
    .ts_ns = call->what.ts_ns,
    .dur_ns = TT_NO_TIME,
    .args = call->what.args,
  };

  g_array_append_val (model->things, thing);
}

static Open *
open_at (GArray *open, guint i)
{
  return &g_array_index (open, Open, i);
}

/* The latest open begin of the line of @event, and of @name unless that is TT_NO_ID; NOBODY: there is none. */
static int
latest_open (GArray *open, const Call *event, guint32 name, gboolean is_async)
{
  for (guint k = open->len; k-- > 0;)
    if (same_line (open_at (open, k)->begin, event, is_async) &&
        (name == TT_NO_ID || name == open_at (open, k)->begin->what.name))
      return (int) k;
  return NOBODY;
}

/* The begin @found ends by events[@at]. */
static void
note_end (GArray *open, guint found, GPtrArray *events, guint at, GArray *recursive, gboolean is_async)
{
  const Call *event = events->pdata[at];
  const Open ended = *open_at (open, found);
  gint64 before_ns = G_MININT64;

  for (guint i = 0; i < at; i++)
    if (same_line (events->pdata[i], event, is_async))
      before_ns = ((const Call *) events->pdata[i])->what.ts_ns;
  for (guint k = found + 1; k < open->len; k++)
    if (same_line (open_at (open, k)->begin, event, is_async) && open_at (open, k)->around_ns == TT_NO_TIME)
      {
        open_at (open, k)->around_ns = event->what.ts_ns;
        open_at (open, k)->inside_ns = MAX (before_ns, open_at (open, k)->begin->what.ts_ns);
      }
  for (guint k = 0; k < found; k++)
    if (open_at (open, k)->begin == ended.previous && open_at (open, k)->again_ns == TT_NO_TIME)
      open_at (open, k)->again_ns = ended.begin->what.ts_ns;
  if (ended.again_ns != TT_NO_TIME)
    g_array_append_val (recursive, ended);
}

static void
model_unclosed (Model *model, const Open *open, GArray *recursive, gboolean is_async)
{
  gint64 again_ns = open->again_ns, lost_ns = G_MAXINT64;

  for (guint i = 0; i < recursive->len; i++)
    if (same_line (open_at (recursive, i)->begin, open->begin, is_async) &&
        open_at (recursive, i)->begin->what.name == open->begin->what.name)
      again_ns = TT_NO_TIME;
  const gint64 all[] = { open->inside_ns, again_ns, open->lone_ns };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] != TT_NO_TIME)
      lost_ns = MIN (lost_ns, all[i]);
  model_span (model, open->begin, NULL, lost_ns == G_MAXINT64 ? NULL : &lost_ns, is_async);
}

static void
model_pairs (Model *model, gboolean is_async)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  g_autoptr (GArray) recursive = g_array_new (FALSE, FALSE, sizeof (Open));
  const Kind begin = is_async ? ASYNC_BEGIN : BEGIN, end = is_async ? ASYNC_END : END;

  for (guint i = 0; i < model->n_calls; i++)
    if (model->calls[i].kind == begin || model->calls[i].kind == end)
      g_ptr_array_add (events, (gpointer) &model->calls[i]);
  g_ptr_array_sort (events, by_time);

  for (guint i = 0; i < events->len; i++)
    {
      const Call *event = events->pdata[i];
      int found = latest_open (open, event, event->what.name, is_async);

      if (event->kind == begin)
        {
          const Open opened = { event,      found < 0 ? NULL : open_at (open, (guint) found)->begin,
                                TT_NO_TIME, TT_NO_TIME,
                                TT_NO_TIME, TT_NO_TIME };
          g_array_append_val (open, opened);
          continue;
        }
      if (found >= 0)
        {
          model_span (model, open_at (open, (guint) found)->begin, event, NULL, is_async);
          note_end (open, (guint) found, events, i, recursive, is_async);
          g_array_remove_index (open, (guint) found);
          continue;
        }
      int innermost = latest_open (open, event, TT_NO_ID, is_async);
      if (innermost >= 0 && open_at (open, (guint) innermost)->lone_ns == TT_NO_TIME)
        open_at (open, (guint) innermost)->lone_ns = event->what.ts_ns;
      model->repairs[TT_REPAIR_END_WITHOUT_BEGIN]++;
      if (event->what.name != TT_NO_ID)
        model_instant (model, event, is_async, TT_FLAG_INFERRED);
    }
  for (guint i = 0; i < open->len; i++)
    model_unclosed (model, open_at (open, i), recursive, is_async);
}

/* By line; on a line by begin, the longest first, instants last. */
static int
by_begin (gconstpointer a, gconstpointer b)
{
  const Thing *one = a, *two = b;

  if (one->is_async != two->is_async)
    return one->is_async - two->is_async;
  if (one->line != two->line)
    return one->line < two->line ? -1 : 1;
  if (one->ts_ns != two->ts_ns)
    return one->ts_ns < two->ts_ns ? -1 : 1;
  if (one->dur_ns != two->dur_ns) /* TT_NO_TIME is least */
    return one->dur_ns > two->dur_ns ? -1 : 1;
  if (is_by_end && !one->is_async && one->dur_ns != TT_NO_TIME)
    return one->number > two->number ? -1 : 1;
  return one->number < two->number ? -1 : 1;
}

static gboolean
on_one_line (const Thing *a, const Thing *b)
{
  return a->is_async == b->is_async && a->line == b->line;
}

/* Whether @ts_ns lies in the span; a span of no length is around others of no length only. */
static gboolean
is_around (const Thing *span, gint64 ts_ns, gboolean is_moment)
{
  return span->dur_ns != TT_NO_TIME && span->ts_ns <= ts_ns &&
         (end_of (span) > ts_ns || (is_moment && span->ts_ns == ts_ns));
}

static gboolean
crosses (const Thing *a, const Thing *b)
{
  return a->dur_ns != TT_NO_TIME && b->dur_ns != TT_NO_TIME && a->ts_ns < b->ts_ns && b->ts_ns < end_of (a) &&
         end_of (a) < end_of (b);
}

static int
by_value (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, two = *(const gint64 *) b;

  return one < two ? -1 : one > two;
}

/* What no child covers, looked at between any two times that matter. */
static gint64
uncovered (const Model *model, guint number)
{
  const Thing *span = thing_at (model, number);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 end_ns = end_of (span), left_ns = 0;

  g_array_append_val (times, span->ts_ns);
  g_array_append_val (times, end_ns);
  for (guint i = 0; i < model->things->len; i++)
    if (thing_at (model, i)->parent == (int) number && thing_at (model, i)->dur_ns != TT_NO_TIME)
      {
        gint64 child_end_ns = end_of (thing_at (model, i));
        g_array_append_val (times, thing_at (model, i)->ts_ns);
        g_array_append_val (times, child_end_ns);
      }
  g_array_sort (times, by_value);
  for (guint k = 0; k + 1 < times->len; k++)
    {
      gint64 from = g_array_index (times, gint64, k), to = g_array_index (times, gint64, k + 1);
      gboolean is_covered = FALSE;

      for (guint i = 0; i < model->things->len && !is_covered; i++)
        {
          const Thing *child = thing_at (model, i);
          is_covered = child->parent == (int) number && child->dur_ns != TT_NO_TIME && child->ts_ns <= from &&
                       to <= end_of (child);
        }
      left_ns += is_covered ? 0 : to - from;
    }
  return left_ns;
}

/* The latest begun span around a moment. */
static int
innermost (const Model *model, guint32 thread, gint64 ts_ns)
{
  int found = NOBODY;

  for (guint i = 0; i < model->things->len; i++)
    {
      const Thing *thing = thing_at (model, i);
      if (!thing->is_async && thing->thread == thread && is_around (thing, ts_ns, TRUE))
        found = (int) i;
    }
  return found;
}

static void
model_nest (Model *model)
{
  for (guint i = 0; i < model->things->len; i++)
    {
      Thing *thing = thing_at (model, i);
      gboolean is_span = thing->dur_ns != TT_NO_TIME;

      thing->parent = NOBODY;
      for (guint k = 0; k < i; k++)
        {
          const Thing *other = thing_at (model, k);
          gboolean is_inside = on_one_line (thing, other) && end_of (thing) <= end_of (other) &&
                               is_around (other, thing->ts_ns, !is_span || thing->dur_ns == 0);

          if (is_inside)
            thing->parent = (int) k;
          if (is_inside && is_span && other->name == thing->name)
            thing->flags |= TT_FLAG_RECURSIVE;
        }
      thing->depth = thing->parent == NOBODY ? 0 : thing_at (model, (guint) thing->parent)->depth + 1;
      for (guint k = 0; k < model->things->len; k++)
        {
          const Thing *other = thing_at (model, k);
          if (on_one_line (thing, other) && (crosses (thing, other) || crosses (other, thing)))
            thing->flags |= TT_FLAG_OVERLAP;
        }
      if (thing->flags & TT_FLAG_OVERLAP)
        model->repairs[TT_REPAIR_SPANS_OVERLAP]++;
    }
  for (guint i = 0; i < model->things->len; i++)
    if (thing_at (model, i)->dur_ns != TT_NO_TIME)
      thing_at (model, i)->self_ns = uncovered (model, i);
}

static void
model_init (Model *model, const Call *calls, guint n_calls, gint64 others_last_ns)
{
  *model = (Model){
    .others_last_ns = others_last_ns,
    .calls = calls,
    .n_calls = n_calls,
    .things = g_array_new (FALSE, TRUE, sizeof (Thing)),
    .merges = g_array_new (FALSE, TRUE, 2 * sizeof (guint64)),
  };
  for (guint i = 0; i < n_calls; i++)
    if (calls[i].kind == SPAN)
      model_span (model, &calls[i], NULL, NULL, FALSE);
    else if (calls[i].kind == INSTANT)
      model_instant (model, &calls[i], FALSE, 0);
  model_pairs (model, FALSE);
  model_pairs (model, TRUE);
  g_array_sort (model->things, by_begin);
  model_nest (model);
}

static void
model_clear (Model *model)
{
  g_array_unref (model->things);
  g_array_unref (model->merges);
}

/* -- the hook ------------------------------------------------------------------------------------------ */

typedef struct
{
  guint number;
  guint32 around, flows, tag, thread, process;
  gint64 ts_ns, dur_ns;
} Asked;

/* Gives back its number, counted from 1; marks every third. */
static guint32
ask (TtTraceRecord *span, guint32 around, guint32 flows, gpointer data)
{
  Asked asked = {
    (guint) span->step, around, flows, span->tag, span->thread, span->process, span->ts_ns, span->dur_ns,
  };

  g_array_append_val ((GArray *) data, asked);
  if (span->step % 3 == 0)
    span->flags |= TT_FLAG_ENQUEUE;
  return (guint32) span->step + 1;
}

/* Instants only if they have a tag. */
static gboolean
is_told (const Thing *thing)
{
  return thing->dur_ns != TT_NO_TIME || thing->tag != 0;
}

static guint32
flows_at (const Model *model, const Thing *thing)
{
  guint32 flows = 0;

  for (guint i = 0; i < model->n_calls && !thing->is_async; i++)
    {
      const Call *call = &model->calls[i];
      if (call->kind == FLOW && call->what.thread == thing->thread && call->what.ts_ns == thing->ts_ns &&
          call->flow_kind < 8)
        flows |= 1u << (4 * call->flow_kind + call->phase);
    }
  return flows;
}

/* -- comparing ----------------------------------------------------------------------------------------- */

static gboolean
differ (const char *what, guint number)
{
  g_test_message ("%s of call %u", what, number);
  g_test_fail ();
  return FALSE;
}

static const Row *
find_row (RowSink *sink, guint number, guint *at)
{
  for (*at = 0; *at < sink->rows->len; ++*at)
    if (row_at (sink, *at)->step == (gint32) number)
      return row_at (sink, *at);
  return NULL;
}

static gboolean
same_rows (RowSink *sink, const Model *model)
{
  if (sink->rows->len != model->things->len)
    return differ ("number of rows is not that", model->things->len);
  for (guint i = 0; i < model->things->len; i++)
    {
      const Thing *thing = thing_at (model, i);
      guint32 mark = thing->number % 3 == 0 && is_told (thing) ? TT_FLAG_ENQUEUE : 0;
      guint at;
      const Row *row = find_row (sink, thing->number, &at);

      if (row == NULL)
        return differ ("no row", thing->number);
      if (row->thread != thing->thread || row->name != thing->name || row->ts_ns != thing->ts_ns ||
          row->dur_ns != thing->dur_ns || !same_args (row->args, thing->args))
        return differ ("another thread, name, time or args", thing->number);
      if (row->depth != thing->depth)
        return differ ("another depth", thing->number);
      if (row->self_ns != thing->self_ns)
        return differ ("another self time", thing->number);
      if (row->flags != (thing->flags | mark))
        return differ ("other flags", thing->number);
    }
  return TRUE;
}

/* Lines follow one another; on each, rows come in the order of ends, children before what is around them. */
static gboolean
right_order (RowSink *sink, const Model *model)
{
  const Thing *before = NULL;
  g_autofree guint *ids = g_new0 (guint, model->things->len + 1);

  for (guint i = 0; i < sink->rows->len; i++)
    for (guint k = 0; k < model->things->len; k++)
      if (thing_at (model, k)->number == (guint) row_at (sink, i)->step)
        {
          const Thing *thing = thing_at (model, k);

          if (before != NULL && !on_one_line (before, thing) &&
              (before->is_async > thing->is_async ||
               (before->is_async == thing->is_async && before->line > thing->line)))
            return differ ("line too late", thing->number);
          if (before != NULL && on_one_line (before, thing) && end_of (before) > end_of (thing))
            return differ ("row too late", thing->number);
          before = thing;
          ids[k] = i;
        }
  for (guint k = 0; k < model->things->len; k++)
    for (guint i = 0; i < k; i++)
      {
        const Thing *inner = thing_at (model, k), *outer = thing_at (model, i);
        if (inner->dur_ns != TT_NO_TIME && on_one_line (inner, outer) && end_of (inner) <= end_of (outer) &&
            is_around (outer, inner->ts_ns, inner->dur_ns == 0) && ids[k] > ids[i])
          return differ ("row behind that around it", inner->number);
      }
  return TRUE;
}

static gboolean
same_asked (const GArray *all_asked, const Model *model, gboolean knows_ends)
{
  guint n = 0;

  for (guint i = 0; i < model->things->len; i++)
    {
      const Thing *thing = thing_at (model, i);

      if (!is_told (thing))
        continue;
      if (n == all_asked->len)
        return differ ("hook not asked", thing->number);
      const Asked *asked = &g_array_index (all_asked, Asked, n++);
      gboolean is_span = thing->dur_ns != TT_NO_TIME;
      guint32 around = thing->parent == NOBODY || !is_span ? 0 : thing_at (model, (guint) thing->parent)->number + 1;
      if (asked->number != thing->number)
        return differ ("hook asked in another order", thing->number);
      if (asked->around != around || asked->flows != flows_at (model, thing))
        return differ ("hook asked with another context or other flows", thing->number);
      if (asked->tag != thing->tag || asked->thread != thing->thread || asked->process != thing->thread + 100 ||
          asked->ts_ns != thing->ts_ns || (knows_ends && asked->dur_ns != (is_span ? thing->dur_ns : 0)))
        return differ ("hook asked about something else", thing->number);
    }
  return n == all_asked->len || differ ("hook asked too often", 0);
}

static gboolean
same_points (RowSink *sink, const Model *model)
{
  guint n = 0;

  for (guint i = 0; i < model->n_calls; i++)
    {
      const Call *call = &model->calls[i];
      int expected = NOBODY, got = NOBODY;
      const PointRow *row = NULL;

      if (call->kind != FLOW)
        continue;
      n++;
      if (call->binds_to_next)
        {
          for (guint k = 0; k < model->things->len && expected == NOBODY; k++)
            {
              const Thing *thing = thing_at (model, k);
              if (!thing->is_async && thing->thread == call->what.thread && thing->dur_ns != TT_NO_TIME &&
                  thing->ts_ns >= call->what.ts_ns)
                expected = (int) thing->number;
            }
        }
      else if (innermost (model, call->what.thread, call->what.ts_ns) != NOBODY)
        expected = (int) thing_at (model, (guint) innermost (model, call->what.thread, call->what.ts_ns))->number;

      for (guint k = 0; k < sink->points->len; k++)
        if (g_array_index (sink->points, PointRow, k).key == (guint64) call->what.step)
          row = &g_array_index (sink->points, PointRow, k);
      if (row == NULL)
        return differ ("no flow point", i);
      if (row->owner != 0)
        got = row_at (sink, (guint) g_array_index (sink->owners, guint64, row->owner) - 1)->step;
      if (row->ts_ns != call->what.ts_ns || row->phase != call->phase ||
          g_strcmp0 (row->kind, flow_kinds[call->flow_kind]) != 0 || got != expected)
        return differ ("flow point tied elsewhere", i);
    }
  return n == sink->points->len || differ ("too many flow points", 0);
}

static gboolean
same_halves (RowSink *sink, const Model *model)
{
  guint n = 0;

  for (guint i = 0; i < model->n_calls; i++)
    {
      const Call *call = &model->calls[i];

      if (call->kind != HALF)
        continue;
      n++;
      int around = innermost (model, call->what.thread, call->what.ts_ns), got = -2;
      for (guint k = 0; k < sink->halves->len; k++)
        {
          const HalfRow *row = &g_array_index (sink->halves, HalfRow, k);
          if (row->tag == call->what.step)
            got = row->owner == 0 ? NOBODY
                                  : row_at (sink, (guint) g_array_index (sink->owners, guint64, row->owner) - 1)->step;
        }
      if (got != (around == NOBODY ? NOBODY : (int) thing_at (model, (guint) around)->number))
        return differ ("half of a message in another span", i);
    }
  return n == sink->halves->len || differ ("too many halves", 0);
}

static gboolean
same_merges (RowSink *sink, const Model *model)
{
  if (sink->merges->len != model->merges->len)
    return differ ("number of merges", 0);
  for (guint i = 0; i < model->merges->len; i++)
    {
      const guint64 *merge = (const guint64 *) (gconstpointer) (model->merges->data + i * 2 * sizeof (guint64));
      gboolean found = FALSE;

      for (guint k = 0; k < sink->merges->len && !found; k++)
        {
          const guint64 *made = (const guint64 *) (gconstpointer) (sink->merges->data + k * 2 * sizeof (guint64));
          found = made[0] == merge[0] && same_args (made[1], merge[1]);
        }
      if (!found)
        return differ ("no merge", i);
    }
  return TRUE;
}

static gboolean
same_repairs (RowSink *sink, const Model *model)
{
  for (guint kind = 0; kind < TT_N_REPAIRS; kind++)
    if (sink->sink->repairs.count[kind] != model->repairs[kind])
      {
        g_test_message ("%s: %" G_GUINT64_FORMAT ", should be %" G_GUINT64_FORMAT, tt_repair_key (kind),
                        sink->sink->repairs.count[kind], model->repairs[kind]);
        g_test_fail ();
        return FALSE;
      }
  return TRUE;
}

static void
print_calls (const Call *calls, guint n)
{
  static const char *const words[] = { "span", "instant", "begin", "end", "async begin", "async end", "flow", "half" };

  for (guint i = 0; i < n; i++)
    g_test_message ("%u: %s thread %u ts %" G_GINT64_FORMAT " dur %" G_GINT64_FORMAT " name %u key %" G_GUINT64_FORMAT
                    " next %d",
                    i, words[calls[i].kind], calls[i].what.thread, calls[i].what.ts_ns, calls[i].what.dur_ns,
                    calls[i].what.name, calls[i].key, calls[i].binds_to_next);
}

/* @memory: 0 = as it is. */
static gboolean
compare (const Call *calls, guint n, gsize memory, guint32 trusted)
{
  RowSink *sink = row_sink_new ();
  TtArrange *arrange = tt_arrange_new (sink->sink);
  g_autoptr (GArray) asked = g_array_new (FALSE, TRUE, sizeof (Asked));
  g_autoptr (GError) error = NULL;
  Model model;

  if (memory > 0)
    arrange_set_memory (arrange, memory);
  for (guint i = 0; i < G_N_ELEMENTS (flow_kinds); i++)
    g_assert_cmpuint (tt_arrange_flow_kind (arrange, tt_flow_kind (flow_kinds[i])), ==, i);
  tt_arrange_set_hook (arrange, ask, asked);
  if (trusted != 0)
    tt_arrange_trust (arrange, trusted);
  if (is_by_end)
    tt_arrange_set_by_end (arrange);
  for (guint i = 0; i < n; i++)
    make_call (arrange, &calls[i]);
  g_assert_true (tt_arrange_check (arrange, &error));
  g_assert_true (tt_arrange_finish (arrange, &error));
  g_assert_no_error (error);
  g_assert_true (tt_sink_finish (sink->sink, NULL));

  model_init (&model, calls, n, arrange->has_lone ? arrange->lone.last_ns : G_MAXINT64);
  /* What is far from all others is moved, which the model does not do. */
  const guint64 *repairs = sink->sink->repairs.count;
  gboolean is_mended = repairs[TT_REPAIR_LONE_TIME] + repairs[TT_REPAIR_LONE_END] > 0;
  gboolean is_same =
      is_mended || (same_rows (sink, &model) && right_order (sink, &model) &&
                    same_asked (asked, &model, trusted == 0) && same_points (sink, &model) &&
                    same_halves (sink, &model) && same_merges (sink, &model) && same_repairs (sink, &model));
  if (!is_same && n <= 40)
    print_calls (calls, n);
  model_clear (&model);
  tt_arrange_free (arrange);
  tt_sink_free (sink->sink);
  return is_same;
}

/* -- random input -------------------------------------------------------------------------------------- */

typedef struct
{
  guint weights[HALF + 1]; /* how often which kind */
  guint n_calls;
  int n_threads, n_names, n_times, n_keys;
  gint64 scale, noise; /* of times */
} Mix;

static Kind
pick (const Mix *mix)
{
  int sum = 0;

  for (guint i = 0; i <= HALF; i++)
    sum += (int) mix->weights[i];
  int left = g_test_rand_int_range (0, sum);
  for (guint i = 0; i < HALF; i++)
    if ((left -= (int) mix->weights[i]) < 0)
      return i;
  return HALF;
}

static gint64
pick_time (const Mix *mix, int n)
{
  gint64 noise = mix->noise > 0 ? g_test_rand_int_range (0, (int) mix->noise) : 0;

  return g_test_rand_int_range (0, n) * mix->scale + noise;
}

static Call
random_call (const Mix *mix, guint number)
{
  Call call = {
    .kind = pick (mix),
    .what = { .thread = (guint32) g_test_rand_int_range (1, mix->n_threads + 1),
              .name = (guint32) g_test_rand_int_range (1, mix->n_names + 1),
              .step = (gint32) number,
              .tag = (guint32) g_test_rand_int_range (0, 5),
              .ts_ns = pick_time (mix, mix->n_times) - mix->scale,
              .dur_ns = pick_time (mix, mix->n_times / 2 + 1),
              .args = g_test_rand_bit () ? number + FIRST_ARGS : 0,
              .offset = 100 * number },
    .key = (guint64) g_test_rand_int_range (0, mix->n_keys) << 40,
    .flow_kind = (guint32) g_test_rand_int_range (0, G_N_ELEMENTS (flow_kinds)),
    .phase = (TtFlowPhase) g_test_rand_int_range (0, 3),
    .binds_to_next = g_test_rand_int_range (0, 3) == 0,
  };

  call.what.process = call.what.thread + 100;
  if (g_test_rand_int_range (0, 8) == 0)
    call.what.dur_ns = -call.what.dur_ns;
  if ((call.kind == END || call.kind == ASYNC_END) && g_test_rand_int_range (0, 4) == 0)
    call.what.name = TT_NO_ID;
  if (g_test_rand_int_range (0, 8) == 0)
    call.what.flags = TT_FLAG_COLLECTIVE;
  return call;
}

static void
run_mix (Mix mix, guint n_runs, gsize memory)
{
  for (guint run = 0; run < test_rounds (n_runs); run++)
    {
      guint n = (guint) g_test_rand_int_range (1, (int) mix.n_calls + 1);
      g_autofree Call *calls = g_new0 (Call, n);

      for (guint i = 0; i < n; i++)
        calls[i] = random_call (&mix, i);
      if (!compare (calls, n, memory, 0))
        {
          g_test_message ("run %u", run);
          return;
        }
    }
}

static void
test_spans (void)
{
  run_mix ((Mix){ { 1 }, 8, 1, 3, 8, 1, 1, 0 }, 2000, 0);
  run_mix ((Mix){ { 1 }, 30, 2, 4, 20, 1, 1, 0 }, 800, 0);
}

static void
test_begins_and_ends (void)
{
  run_mix ((Mix){ { 0, 0, 1, 1 }, 10, 1, 3, 8, 1, 1, 0 }, 2000, 0);
  run_mix ((Mix){ { 0, 0, 5, 4 }, 40, 2, 4, 25, 1, 1, 0 }, 800, 0);
}

static void
test_async (void)
{
  run_mix ((Mix){ { 1, 0, 0, 0, 4, 4 }, 24, 2, 3, 12, 3, 1, 0 }, 1200, 0);
}

static void
test_flows (void)
{
  run_mix ((Mix){ { 3, 0, 0, 0, 0, 0, 3, 2 }, 16, 2, 3, 10, 1, 1, 0 }, 2000, 0);
}

static void
test_everything (void)
{
  run_mix ((Mix){ { 4, 2, 4, 4, 3, 3, 3, 2 }, 30, 3, 4, 16, 3, 1, 0 }, 1200, 0);
}

/* Lengths beyond what the sort key holds. */
static void
test_long_spans (void)
{
  run_mix ((Mix){ { 4, 1, 2, 2, 1, 1, 1 }, 30, 2, 3, 3, 2, (gint64) 1 << 33, 3 }, 2000, 0);
  run_mix ((Mix){ { 4, 1, 2, 2, 1, 1, 1 }, 30, 2, 3, 5, 2, (gint64) 1 << 29, 5 }, 2000, 0);
}

/* Of spans that are alike the last is outside. */
static void
test_by_end (void)
{
  is_by_end = TRUE;
  run_mix ((Mix){ { 4, 1, 0, 0, 1, 1, 1, 1 }, 20, 2, 3, 6, 2, 1, 0 }, 1500, 0);
  run_mix ((Mix){ { 4, 1, 0, 0, 1, 1, 1, 1 }, 30, 2, 3, 3, 2, (gint64) 1 << 33, 3 }, 1000, 0);
  run_mix ((Mix){ { 4, 2, 0, 0, 3, 3, 3, 2 }, 700, 3, 4, 30, 5, 1, 0 }, 6, 1);
  is_by_end = FALSE;
}

/* Nothing fits into memory: sorted in runs on disk. */
static void
test_spilling (void)
{
  run_mix ((Mix){ { 4, 2, 4, 4, 3, 3, 3, 2 }, 700, 3, 4, 300, 5, 1, 0 }, 6, 1);
}

/* As a program makes them: goes to nest at once and gives the same. */
static void
test_trusted (void)
{
  for (guint run = 0; run < test_rounds (1000); run++)
    {
      g_autoptr (GArray) calls = g_array_new (FALSE, TRUE, sizeof (Call)), open = g_array_new (FALSE, TRUE, 4);
      gint64 now = 5;

      while (calls->len < 24 || open->len > 0)
        {
          guint32 *top = open->len > 0 ? &g_array_index (open, guint32, open->len - 1) : NULL;
          Mix mix = { { 2, 2, 4, 4, 0, 0, 2, 2 }, 0, 1, 4, 1, 1, 1, 0 };
          Call call = random_call (&mix, calls->len);

          if (calls->len >= 24)
            call.kind = END;
          if (call.kind == END && top == NULL)
            continue;
          gboolean behind_flow = calls->len > 0 && g_array_index (calls, Call, calls->len - 1).kind == FLOW;
          call.what.ts_ns = now += g_test_rand_int_range (behind_flow ? 0 : 1, 3);
          call.what.dur_ns = g_test_rand_int_range (0, 4);
          if (call.kind == BEGIN)
            g_array_append_val (open, call.what.name);
          if (call.kind == END)
            {
              call.what.name = g_test_rand_bit () ? *top : TT_NO_ID;
              g_array_set_size (open, open->len - 1);
            }
          if (call.kind == SPAN)
            now += call.what.dur_ns;
          g_array_append_val (calls, call);
        }
      if (!compare ((const Call *) (gconstpointer) calls->data, calls->len, 0, 1))
        return;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/arrange/spans", test_spans);
  g_test_add_func ("/arrange/begins-and-ends", test_begins_and_ends);
  g_test_add_func ("/arrange/async", test_async);
  g_test_add_func ("/arrange/flows", test_flows);
  g_test_add_func ("/arrange/everything", test_everything);
  g_test_add_func ("/arrange/long-spans", test_long_spans);
  g_test_add_func ("/arrange/by-end", test_by_end);
  g_test_add_func ("/arrange/spilling", test_spilling);
  g_test_add_func ("/arrange/trusted", test_trusted);
  return g_test_run ();
}
