/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/private.h"

/*
 * The spans on a thread's stack: what goes onto it and off it. A span that leaves the stack becomes a row, at once or,
 * where another span crosses it, when its end is reached.
 */

#define SHALLOW (NEST_DEEP / 2)

/* Of spans that are crossed, kept in memory per thread. */
#define WAITING_BYTES ((gsize) 6 << 20)

/* A span that another has crossed: it can have no more children, but its row comes in the order of ends. */
typedef struct
{
  NestFrame frame;
  guint64 depth;
} Crossed;

/* -- open names ------------------------------------------------------------------------------------ */

static void
count_open (TtNestThread *thread, guint32 name, int by)
{
  gpointer key = GUINT_TO_POINTER (name);
  gsize count = GPOINTER_TO_SIZE (g_hash_table_lookup (thread->open_names, key)) + (gsize) (gssize) by;

  if (count == 0)
    g_hash_table_remove (thread->open_names, key);
  else
    g_hash_table_insert (thread->open_names, key, GSIZE_TO_POINTER (count));
}

gboolean
nest_is_open (const TtNestThread *thread, guint32 name)
{
  if (thread->open_names != NULL)
    return g_hash_table_contains (thread->open_names, GUINT_TO_POINTER (name));

  const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name)
      return TRUE;
  return FALSE;
}

gboolean
nest_is_open_in_rows (const TtNestThread *thread, guint32 name)
{
  const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;

  if (thread->n_left_out == 0)
    return nest_is_open (thread, name);
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name && !frames[i].is_left_out)
      return TRUE;
  return FALSE;
}

void
nest_note_opened (TtNestThread *thread, guint32 name)
{
  if (thread->open_names != NULL)
    {
      count_open (thread, name, 1);
      return;
    }
  thread->open_names = g_hash_table_new (NULL, NULL);
  const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;
  for (guint i = 0; i < thread->frames.n; i++)
    count_open (thread, frames[i].name, 1);
}

static inline void
note_closed (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    return;
  if (thread->depth <= SHALLOW)
    g_clear_pointer (&thread->open_names, g_hash_table_unref);
  else
    count_open (thread, name, -1);
}

/* -- rows ---------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 dur_ns, self_ns;
  guint64 depth;
  guint32 flags;
} Row;

/* What few rows need. */
static G_GNUC_NO_INLINE void
mend_row (TtNest *self, const TtNestThread *thread, const NestFrame *frame, Row *row)
{
  TtSink *sink = self->sink;

  if ((row->flags & TT_FLAG_WINDOW) != 0)
    row->self_ns = 0;
  if (frame->is_told)
    {
      row->self_ns = CLAMP (frame->told_self_ns, 0, row->dur_ns);
      row->depth = frame->told_depth;
    }
  if (row->self_ns < 0)
    {
      row->self_ns = 0;
      row->flags |= TT_FLAG_SELF_CLAMPED;
      tt_sink_repair_of (sink, thread->process, TT_REPAIR_SELF_CLAMPED, frame->offset);
    }
  if (frame->is_moved)
    tt_sink_repair_of (sink, thread->process, TT_REPAIR_TIME_TOO_FAR, frame->offset);
  if (row->flags & TT_FLAG_OVERLAP)
    tt_sink_repair_of (sink, thread->process, TT_REPAIR_SPANS_OVERLAP, frame->offset);
}

static G_GNUC_NO_INLINE void
write_what_hangs_on (TtSink *sink, const NestFrame *frame, guint64 event)
{
  if (frame->owner != 0)
    tt_sink_owner (sink, frame->owner, event);
  if (frame->activity != 0)
    tt_sink_activity (sink, frame->activity, event);
  if (frame->is_measured)
    tt_sink_metric (sink, event, frame->series, frame->metric,
                    nest_subtract_saturated (frame->metric, frame->child_metric));
}

/* Once for each row: in line, so that what is known of it stays in registers. */
static inline __attribute__ ((always_inline)) guint64
write_row (TtNest *self, TtNestThread *thread, const NestFrame *frame, gint64 dur_ns, guint32 flags, guint64 depth)
{
  TtSink *sink = self->sink;
  Row row = { .dur_ns = dur_ns, .self_ns = dur_ns - frame->child_ns, .depth = depth, .flags = flags };

  if (G_UNLIKELY (frame->is_left_out))
    return 0;
  if (G_UNLIKELY ((flags & (TT_FLAG_WINDOW | TT_FLAG_OVERLAP)) != 0 || row.self_ns < 0 ||
                  (frame->is_told | frame->is_moved) != 0))
    mend_row (self, thread, frame, &row);
  if (tt_name_is_marked (sink->collectives, frame->name))
    row.flags |= TT_FLAG_COLLECTIVE;

  guint64 event = tt_sink_placed_event (sink, frame->place, frame->track != 0 ? frame->track : thread->id, frame->name,
                                        frame->ts_ns, row.dur_ns, row.self_ns, (guint32) MIN (row.depth, G_MAXUINT32),
                                        row.flags, frame->step, tt_sink_settle_args (sink, frame->args));
  if (G_UNLIKELY ((frame->owner | frame->activity | frame->is_measured) != 0))
    write_what_hangs_on (sink, frame, event);
  return event;
}

/* -- the filter ------------------------------------------------------------------------------------------ */

void
nest_ask_set_filter (TtNest *self, TtNestThread *thread)
{
  NestFrame *frame = nest_top (thread);
  const TtFilterBegin begin = {
    .thread = frame->track != 0 ? frame->track : thread->id,
    .name = frame->name,
    .ts_ns = frame->ts_ns,
    .end_ns = frame->is_whole ? frame->end_ns : TT_NO_TIME,
  };
  TtFilterVerdict verdict = tt_sink_ask (self->sink, &begin, frame->args);
  frame->filter_token = verdict.token;
  frame->is_left_out = !verdict.is_kept;
  if (verdict.is_kept)
    return;
  thread->n_left_out++;
  tt_sink_args_drop (self->sink, frame->args);
  frame->args = 0;
  if (frame->activity != 0)
    tt_sink_activity (self->sink, frame->activity, 0);
}

/* A frame is about to leave the stack: the filter learns of its end. */
static inline void
report_end_to_filter (TtNest *self, TtNestThread *thread, const NestFrame *frame, gint64 end_ns)
{
  thread->n_left_out -= frame->is_left_out;
  if (G_UNLIKELY (frame->filter_token != 0))
    self->sink->filter->klass->end (self->sink->filter, frame->filter_token, end_ns);
}

/* A frame is about to leave the stack: what it measured is not its parent's own. */
static inline void
report_metric_to_parent (TtNestThread *thread, const NestFrame *frame)
{
  if (G_UNLIKELY (frame->is_measured || frame->child_metric != 0) && thread->depth > 1)
    {
      NestFrame *parent = nest_top (thread) - 1;
      parent->child_metric =
          nest_add_saturated (parent->child_metric, frame->is_measured ? frame->metric : frame->child_metric);
    }
}

/* -- spans that others cross -------------------------------------------------------------------------- */

void
nest_write_crossed (TtNest *self, TtNestThread *thread, gint64 end_ns, guint64 number)
{
  while (tt_waiting_count (thread->crossed) > 0)
    {
      Crossed crossed;
      gint64 next_ns = tt_waiting_time (thread->crossed);

      if (next_ns > end_ns || (next_ns == end_ns && tt_waiting_rank (thread->crossed) < number))
        break;

      tt_waiting_take (thread->crossed, &crossed);
      const NestFrame *frame = &crossed.frame;
      write_row (self, thread, frame, frame->end_ns - frame->ts_ns, frame->flags, crossed.depth);
    }
  if (tt_waiting_count (thread->crossed) == 0)
    g_clear_pointer (&thread->crossed_ends, g_hash_table_unref);
}

void
nest_set_aside (TtNest *self, TtNestThread *thread)
{
  Crossed crossed = { .frame = *nest_top (thread) };
  gpointer key = GUINT_TO_POINTER (crossed.frame.name);

  crossed.frame.flags |= TT_FLAG_OVERLAP;
  crossed.frame.place = TT_NO_PLACE;
  report_metric_to_parent (thread, &crossed.frame);
  tt_nest_stack_pop (&thread->frames, &self->pool);
  thread->depth--;
  note_closed (thread, crossed.frame.name);
  report_end_to_filter (self, thread, &crossed.frame, crossed.frame.end_ns);
  crossed.depth = thread->depth - thread->n_left_out;
  if (crossed.frame.is_left_out)
    return;
  if (thread->crossed == NULL)
    {
      thread->crossed = tt_waiting_new (sizeof (Crossed), WAITING_BYTES);
      self->n_crossed++;
    }
  tt_waiting_add (thread->crossed, crossed.frame.end_ns, crossed.frame.number, &crossed);
  if (thread->crossed_ends == NULL)
    thread->crossed_ends = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gint64 *latest = g_hash_table_lookup (thread->crossed_ends, key);
  if (latest == NULL)
    g_hash_table_insert (thread->crossed_ends, key, g_memdup2 (&crossed.frame.end_ns, sizeof *latest));
  else
    *latest = MAX (*latest, crossed.frame.end_ns);
}

gboolean
nest_is_in_crossed (const TtNestThread *thread, guint32 name, gint64 ts_ns, gint64 end_ns)
{
  const gint64 *latest =
      thread->crossed_ends == NULL ? NULL : g_hash_table_lookup (thread->crossed_ends, GUINT_TO_POINTER (name));

  return latest != NULL && *latest > ts_ns && *latest >= end_ns;
}

/* -- the stack ------------------------------------------------------------------------------------------ */

static inline gint64
find_duration (TtNest *self, const TtNestThread *thread, const NestFrame *frame, gint64 end_ns, guint32 *flags)
{
  gint64 dur_ns;

  if (G_UNLIKELY (end_ns < frame->ts_ns))
    {
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_END_BEFORE_START, frame->offset);
      *flags |= TT_FLAG_END_BEFORE_START;
      return 0;
    }
  return __builtin_sub_overflow (end_ns, frame->ts_ns, &dur_ns) ? G_MAXINT64 : dur_ns;
}

static void
retain_metrics (TtNest *self, TtNestThread *thread, guint64 event)
{
  thread->ended_event = event;
  if (thread->ended == NULL)
    thread->ended = g_array_new (FALSE, FALSE, sizeof (NestMetric));
  g_array_set_size (thread->ended, 0);
  while (thread->metrics.n > 0)
    {
      NestMetric *entry = tt_nest_stack_top (&thread->metrics);
      if (entry->depth <= thread->depth)
        break;
      g_array_append_vals (thread->ended, entry, 1);
      tt_nest_stack_pop (&thread->metrics, &self->pool);
    }
}

void
nest_pop (TtNest *self, TtNestThread *thread, gint64 at_ns, guint32 extra_flags)
{
  NestFrame *frame = nest_top (thread);
  guint32 flags = frame->flags | extra_flags, name = frame->name;
  gint64 end_ns = nest_bound_time (at_ns);
  gint64 dur_ns = find_duration (self, thread, frame, end_ns, &flags);

  frame->is_moved |= end_ns != at_ns;
  if (G_UNLIKELY (frame->hole != self->n_holes))
    flags |= TT_FLAG_INFERRED;
  if (G_UNLIKELY (thread->crossed != NULL))
    nest_write_crossed (self, thread, end_ns, frame->number);
  if (thread->depth > 1 && !frame->is_whole)
    {
      NestFrame *parent = nest_top (thread) - 1;
      parent->child_ns = nest_add_saturated (parent->child_ns, dur_ns);
      parent->covered_until = MAX (parent->covered_until, end_ns);
    }

  report_metric_to_parent (thread, frame);
  report_end_to_filter (self, thread, frame, end_ns);
  guint64 event = write_row (self, thread, frame, dur_ns, flags, thread->depth - 1 - thread->n_left_out);
  tt_nest_stack_pop (&thread->frames, &self->pool);
  thread->depth--;
  note_closed (thread, name);
  if (thread->metrics.n > 0 || (thread->ended != NULL && thread->ended->len > 0))
    retain_metrics (self, thread, event);
}

void
nest_join_args (TtNest *self, NestFrame *frame, guint64 args)
{
  if (args == 0)
    return;
  if (self->sink->facts != NULL)
    g_hash_table_remove (self->sink->facts, &args);
  if (G_UNLIKELY (frame->is_left_out))
    tt_sink_args_drop (self->sink, args);
  else if (frame->args == 0)
    frame->args = args;
  else
    frame->args = tt_sink_join_args (self->sink, frame->args, args);
}
