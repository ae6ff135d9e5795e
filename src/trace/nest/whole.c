/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/private.h"
#include "src/trace/told-times.h"

/* Whole spans, which may cross each other, and begins and ends among them. */

static inline void
drop_ended (TtNest *self, TtNestThread *thread, gint64 ts_ns, gboolean is_moment)
{

  while (thread->depth > 0)
    {
      const NestFrame *top = nest_top (thread);
      if (!top->is_whole || top->end_ns > ts_ns || (top->end_ns == ts_ns && top->ts_ns == ts_ns && is_moment))
        break;
      nest_pop (self, thread, top->end_ns, 0);
    }
  if (G_UNLIKELY (thread->crossed != NULL))
    nest_write_crossed (self, thread, ts_ns, 0);
}

void
nest_drop_ended (TtNest *self, TtNestThread *thread, gint64 at_ns, gboolean is_moment)
{
  drop_ended (self, thread, nest_bound_time (at_ns), is_moment);
}

/* Whole spans above a begin that now ends: those that last beyond the end are not inside. */
static void
drop_whole (TtNest *self, TtNestThread *thread, gint64 at_ns)
{
  gint64 ts_ns = nest_bound_time (at_ns);
  gboolean is_crossed = FALSE;

  nest_drop_ended (self, thread, ts_ns, FALSE);
  while (thread->depth > 0 && nest_top (thread)->is_whole)
    {
      is_crossed |= !nest_top (thread)->is_left_out;
      nest_set_aside (self, thread);
    }
  if (thread->depth == 0 || !is_crossed)
    return;

  NestFrame *frame = nest_top (thread);
  frame->flags |= TT_FLAG_OVERLAP;
  if (frame->covered_until > ts_ns)
    frame->child_ns -= MIN (frame->child_ns, frame->covered_until - ts_ns);
  frame->covered_until = MIN (frame->covered_until, ts_ns);
}

/* The innermost span is not open any more at @ts_ns, but its end is not there: it was open at @seen_ns. */
static void
close_lost (TtNest *self, TtNestThread *thread, gint64 seen_ns, gint64 ts_ns)
{
  NestFrame *frame = nest_top (thread);
  gint64 end_ns = MAX (seen_ns, frame->ts_ns), most_ns = MAX (nest_bound_time (ts_ns), end_ns);

  if (frame->is_whole)
    {
      nest_pop (self, thread, frame->end_ns, 0);
      return;
    }
  if (!frame->is_left_out)
    {
      const TtToldTimes told = {
        .ts_ns = TT_NO_TIME,
        .dur_ns = TT_NO_TIME,
        .shortest_ns = nest_subtract_saturated (end_ns, frame->ts_ns),
        .longest_ns = nest_subtract_saturated (most_ns, frame->ts_ns),
      };
      nest_join_args (self, frame, tt_told_times_keep (&told, self->sink, 0));
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_BOUNDED_END, frame->offset);
    }
  nest_pop (self, thread, end_ns, TT_FLAGS_BOUNDED);
}

gboolean
nest_uncover (TtNest *self, TtNestThread *thread, guint32 name, gint64 seen_ns, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (thread->has_whole))
    drop_whole (self, thread, ts_ns);
  if (G_UNLIKELY (thread->depth == 0 || nest_top (thread)->name != name))
    {
      if (thread->depth == 0 || !nest_is_open (thread, name))
        return FALSE;
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_LEAVE_NOT_TOP, offset);
      gint64 known_ns = MIN (MAX (seen_ns, thread->latest_end_ns), nest_bound_time (ts_ns));
      while (thread->depth > 1 && nest_top (thread)->name != name)
        {
          close_lost (self, thread, known_ns, ts_ns);
          if (G_UNLIKELY (thread->has_whole))
            drop_whole (self, thread, ts_ns);
        }
      return thread->depth > 0 && nest_top (thread)->name == name;
    }
  return TRUE;
}

/* What an importer tells of a span beside its name, its times and where it is. */
static inline void
fill_frame (NestFrame *frame, const TtNestSpan *span)
{
  frame->flags = span->is_told ? span->flags : frame->flags | span->flags;
  frame->is_told = span->is_told != FALSE;
  frame->told_depth = span->told_depth;
  frame->told_self_ns = span->told_self_ns;
  frame->step = span->step;
  frame->args = span->args;
  frame->context = span->context;
  frame->track = span->track;
  if (span->is_told || span->track != 0)
    frame->place = TT_NO_PLACE;
  frame->activity = span->activity;
  frame->owner = span->owner;
  frame->series = span->series;
  frame->metric = span->metric;
  frame->mark = span->mark;
}

/* -- begins and ends among whole spans --------------------------------------------------------------- */

void
tt_nest_begin (TtNest *self, TtNestThread *thread, const TtNestSpan *begin)
{
  nest_see_time (self, thread, begin->ts_ns, begin->offset);
  nest_drop_ended (self, thread, begin->ts_ns, FALSE);
  fill_frame (nest_push (self, thread, begin->name, begin->ts_ns, begin->offset), begin);
  nest_ask_filter (self, thread);
  thread->last = LAST_ENTER;
}

gboolean
tt_nest_end (TtNest *self, TtNestThread *thread, const TtNestSpan *end)
{
  guint32 name = end->name;

  if (thread->has_whole)
    drop_whole (self, thread, end->ts_ns);
  if (name == TT_NO_ID && thread->depth > 0)
    name = nest_top (thread)->name;
  if (thread->depth == 0 || !nest_uncover (self, thread, name, thread->last_ns, end->ts_ns, end->offset))
    return FALSE;

  NestFrame *frame = nest_top (thread);
  nest_see_time (self, thread, end->ts_ns, end->offset);
  nest_join_args (self, frame, end->args);
  if (frame->step == TT_NO_STEP)
    frame->step = end->step;
  frame->is_measured = frame->series != 0 && frame->series == end->series &&
                       !__builtin_sub_overflow (end->metric, frame->metric, &frame->metric);
  nest_pop (self, thread, end->ts_ns, end->flags);
  thread->last = LAST_LEAVE;
  return TRUE;
}

/* -- whole spans and instants ---------------------------------------------------------------------- */

static inline void
make_room (TtNest *self, TtNestThread *thread, gint64 ts_ns, gint64 end_ns)
{
  drop_ended (self, thread, ts_ns, end_ns == ts_ns);
  while (thread->depth > 0 && nest_top (thread)->is_whole && nest_top (thread)->end_ns < end_ns)
    nest_set_aside (self, thread);
}

guint32
tt_nest_make_room (TtNest *self, TtNestThread *thread, gint64 from_ns, gint64 until_ns)
{
  make_room (self, thread, nest_bound_time (from_ns), nest_bound_time (until_ns));
  return thread->depth > 0 ? nest_top (thread)->context : 0;
}

/* The part of a child that no earlier one of its parent covers. */
static void
add_cover (NestFrame *parent, gint64 ts_ns, gint64 end_ns)
{
  gint64 from_ns = MAX (ts_ns, parent->covered_until);

  if (end_ns > from_ns)
    {
      parent->child_ns = nest_add_saturated (parent->child_ns, end_ns - from_ns);
      parent->covered_until = end_ns;
    }
}

/* Where a whole span has its place, of which no more is known yet. */
static inline __attribute__ ((always_inline)) NestFrame *
begin_whole (TtNest *self, TtNestThread *thread, guint32 name, gint64 from_ns, gint64 until_ns, guint64 offset)
{
  gint64 ts_ns = nest_bound_time (from_ns), end_ns = MAX (nest_bound_time (until_ns), ts_ns);

  nest_see_time (self, thread, from_ns, offset);
  make_room (self, thread, ts_ns, end_ns);
  if (thread->depth > 0)
    add_cover (nest_top (thread), ts_ns, end_ns);

  NestFrame *frame = nest_push (self, thread, name, from_ns, offset);
  frame->end_ns = end_ns;
  frame->is_moved |= end_ns != MAX (until_ns, from_ns);
  frame->is_whole = TRUE;
  return frame;
}

static inline __attribute__ ((always_inline)) void
end_whole (TtNest *self, TtNestThread *thread, NestFrame *frame, gint64 from_ns, gint64 until_ns)
{
  gint64 end_ns = frame->end_ns;

  if (G_UNLIKELY (until_ns < from_ns))
    {
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_END_BEFORE_START, frame->offset);
      frame->flags |= TT_FLAG_END_BEFORE_START;
    }
  if (G_UNLIKELY (thread->crossed_ends != NULL))
    {
      if (tt_waiting_time (thread->crossed) < end_ns)
        frame->flags |= TT_FLAG_OVERLAP;
      if (nest_is_in_crossed (thread, frame->name, frame->ts_ns, end_ns))
        frame->flags |= TT_FLAG_RECURSIVE;
    }
  nest_ask_filter (self, thread);
  thread->latest_end_ns = MAX (thread->latest_end_ns, end_ns);
  thread->has_whole = TRUE;
  thread->last = LAST_NOTHING;
}

void
tt_nest_span (TtNest *self, TtNestThread *thread, const TtNestSpan *span)
{
  NestFrame *frame = begin_whole (self, thread, span->name, span->ts_ns, span->end_ns, span->offset);

  fill_frame (frame, span);
  frame->is_measured = span->series != 0;
  end_whole (self, thread, frame, span->ts_ns, span->end_ns);
}

void
tt_nest_plain_span (TtNest *self,
                    TtNestThread *thread,
                    guint32 name,
                    guint32 flags,
                    gint32 step,
                    gint64 ts_ns,
                    gint64 end_ns,
                    guint64 args,
                    guint64 offset)
{
  NestFrame *frame = begin_whole (self, thread, name, ts_ns, end_ns, offset);

  frame->flags |= flags;
  frame->step = step;
  frame->args = args;
  end_whole (self, thread, frame, ts_ns, end_ns);
}

static gboolean
is_instant_kept (TtNest *self, const TtNestThread *thread, const TtNestSpan *instant)
{
  const TtFilterBegin begin = {
    .thread = instant->track != 0 ? instant->track : thread->id,
    .name = instant->name,
    .ts_ns = instant->ts_ns,
    .end_ns = instant->ts_ns,
    .is_instant = TRUE,
  };

  return self->sink->filter == NULL || tt_sink_ask (self->sink, &begin, instant->args).is_kept;
}

void
tt_nest_moment (TtNest *self, TtNestThread *thread, const TtNestSpan *instant)
{
  nest_see_time (self, thread, instant->ts_ns, instant->offset);
  nest_drop_ended (self, thread, instant->ts_ns, TRUE);
  if (is_instant_kept (self, thread, instant))
    tt_sink_placed_event (self->sink, instant->track != 0 ? TT_NO_PLACE : tt_sink_take_place (self->sink),
                          instant->track != 0 ? instant->track : thread->id, instant->name, instant->ts_ns, TT_NO_TIME,
                          0, (guint32) MIN (thread->depth - thread->n_left_out, G_MAXUINT32), instant->flags,
                          instant->step, instant->args);
  else
    tt_sink_args_drop (self->sink, instant->args);
  thread->last = LAST_NOTHING;
}
