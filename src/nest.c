#include "config.h"

#include "src/nest.h"

#include "src/nest-stack.h"
#include "src/waiting.h"

/* Up to this depth a walk down the stack finds an open name faster than a table. */
#define DEEP 64
#define SHALLOW 32

/* Of spans that are crossed, per thread. */
#define WAITING_BYTES ((gsize) 6 << 20)

typedef struct
{
  gint64 ts_ns;
  gint64 end_ns; /* of a whole span */
  gint64 child_ns;
  gint64 covered_until; /* by whole children */
  guint64 offset;
  guint64 args;
  guint32 name;
  guint32 owner;
  guint32 flags;
  gint32 step;
  guint32 context;
  guint32 track;
  gboolean is_whole;
  guint32 reserved;
  guint64 number; /* counts begins of the thread */
} Frame;

/* A span that another has crossed: it can have no more children, but its row comes in the order of ends. */
typedef struct
{
  Frame frame;
  guint64 depth;
} Crossed;

/* A hardware counter's value at the enter of the span at `depth`. */
typedef struct
{
  guint64 depth;
  gint64 enter_value;
  gint64 child_sum;
  guint32 series;
  guint32 reserved;
} MetricEntry;

typedef enum
{
  LAST_NOTHING,
  LAST_ENTER,
  LAST_LEAVE,
} LastRecord;

struct _TtNestThread
{
  guint32 id, process;
  gint64 last_ns;       /* latest time seen */
  gint64 latest_end_ns; /* of whole spans */
  guint64 depth;
  TtNestStack frames;
  TtNestStack metrics;
  GHashTable *open_names; /* name -> how often open; only while the stack is deep */
  gboolean has_whole;
  guint64 n_begun;
  TtWaiting *crossed;       /* of Crossed, by end; NULL: never needed */
  GHashTable *crossed_ends; /* name -> latest end of those crossed; NULL while none waits */
  LastRecord last;
  guint64 ended_event; /* the span that the last leave ended, with its metric entries */
  GArray *ended;       /* of MetricEntry */
};

struct _TtNest
{
  TtSink *sink;
  GPtrArray *threads; /* by thread id; holes are NULL */
  TtNestPool pool;
};

/* -- threads ------------------------------------------------------------------------------------- */

TtNest *
tt_nest_new (TtSink *sink)
{
  TtNest *self = g_new0 (TtNest, 1);

  self->sink = sink;
  self->threads = g_ptr_array_new ();
  self->pool.largest_item = MAX (sizeof (Frame), sizeof (MetricEntry));
  return self;
}

static void
free_thread (TtNest *self, TtNestThread *thread)
{
  tt_nest_stack_clear (&thread->frames, &self->pool);
  tt_nest_stack_clear (&thread->metrics, &self->pool);
  g_clear_pointer (&thread->open_names, g_hash_table_unref);
  g_clear_pointer (&thread->crossed_ends, g_hash_table_unref);
  g_clear_pointer (&thread->ended, g_array_unref);
  tt_waiting_free (thread->crossed);
  g_free (thread);
}

static void
forget_threads (TtNest *self)
{
  for (guint i = 0; i < self->threads->len; i++)
    if (self->threads->pdata[i] != NULL)
      free_thread (self, self->threads->pdata[i]);
  g_ptr_array_set_size (self->threads, 0);
  tt_nest_pool_clear (&self->pool);
}

void
tt_nest_free (TtNest *self)
{
  if (self == NULL)
    return;
  forget_threads (self);
  g_ptr_array_unref (self->threads);
  g_free (self);
}

TtNestThread *
tt_nest_thread (TtNest *self, guint32 thread, guint32 process)
{
  if (thread >= self->threads->len)
    g_ptr_array_set_size (self->threads, (int) thread + 1);

  TtNestThread *found = self->threads->pdata[thread];
  if (found == NULL)
    {
      found = g_new0 (TtNestThread, 1);
      found->id = thread;
      found->process = process;
      found->last_ns = found->latest_end_ns = TT_NO_TIME;
      found->frames.item_size = sizeof (Frame);
      found->metrics.item_size = sizeof (MetricEntry);
      self->threads->pdata[thread] = found;
    }
  return found;
}

guint64
tt_nest_depth (const TtNestThread *thread)
{
  return thread->depth;
}

static inline Frame *
top_frame (const TtNestThread *thread)
{
  return tt_nest_stack_top (&thread->frames);
}

static inline void
see_time (TtNest *self, TtNestThread *thread, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (ts_ns < thread->last_ns))
    tt_sink_repair (self->sink, TT_REPAIR_TIME_BACKWARDS, offset);
  else
    thread->last_ns = ts_ns;
}

void
tt_nest_touch (TtNest *self, TtNestThread *thread, gint64 ts_ns)
{
  thread->last_ns = MAX (thread->last_ns, ts_ns);
}

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

static gboolean
is_open (const TtNestThread *thread, guint32 name)
{
  if (thread->open_names != NULL)
    return g_hash_table_contains (thread->open_names, GUINT_TO_POINTER (name));

  const Frame *frames = (const Frame *) (gconstpointer) thread->frames.items;
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name)
      return TRUE;
  return FALSE;
}

static void
note_opened (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    {
      if (G_LIKELY (thread->depth < DEEP))
        return;
      thread->open_names = g_hash_table_new (NULL, NULL);
      const Frame *frames = (const Frame *) (gconstpointer) thread->frames.items;
      for (guint i = 0; i < thread->frames.n; i++)
        count_open (thread, frames[i].name, 1);
    }
  else
    count_open (thread, name, 1);
}

static void
note_closed (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    return;
  if (thread->depth <= SHALLOW)
    g_clear_pointer (&thread->open_names, g_hash_table_unref);
  else
    count_open (thread, name, -1);
}

/* -- spans ------------------------------------------------------------------------------------------ */

static gint64
add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static Frame *
push_frame (TtNest *self, TtNestThread *thread, const TtNestSpan *span)
{
  gboolean is_recursive = thread->depth > 0 && is_open (thread, span->name);
  Frame *frame = tt_nest_stack_push (&thread->frames, &self->pool);

  *frame = (Frame){
    .ts_ns = span->ts_ns,
    .covered_until = span->ts_ns,
    .offset = span->offset,
    .args = span->args,
    .name = span->name,
    .flags = span->flags | (is_recursive ? TT_FLAG_RECURSIVE : 0),
    .step = span->step,
    .context = span->context,
    .track = span->track,
    .number = thread->n_begun++,
  };
  thread->depth++;
  note_opened (thread, span->name);
  return frame;
}

static gint64
duration (TtNest *self, const Frame *frame, gint64 end_ns, guint32 *flags)
{
  gint64 dur_ns;

  if (G_UNLIKELY (end_ns < frame->ts_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, frame->offset);
      *flags |= TT_FLAG_END_BEFORE_START;
      return 0;
    }
  return __builtin_sub_overflow (end_ns, frame->ts_ns, &dur_ns) ? G_MAXINT64 : dur_ns;
}

static void
keep_metrics_of_ended (TtNest *self, TtNestThread *thread, guint64 event)
{
  thread->ended_event = event;
  if (thread->ended == NULL)
    thread->ended = g_array_new (FALSE, FALSE, sizeof (MetricEntry));
  g_array_set_size (thread->ended, 0);
  while (thread->metrics.n > 0)
    {
      MetricEntry *entry = tt_nest_stack_top (&thread->metrics);
      if (entry->depth <= thread->depth)
        break;
      g_array_append_vals (thread->ended, entry, 1);
      tt_nest_stack_pop (&thread->metrics, &self->pool);
    }
}

static guint64
write_row (TtNest *self, TtNestThread *thread, const Frame *frame, gint64 dur_ns, guint32 flags, guint64 depth)
{
  TtSink *sink = self->sink;
  gint64 self_ns = dur_ns - frame->child_ns;

  if (G_UNLIKELY (self_ns < 0))
    {
      self_ns = 0;
      flags |= TT_FLAG_SELF_CLAMPED;
      tt_sink_repair (sink, TT_REPAIR_SELF_CLAMPED, frame->offset);
    }
  if (G_UNLIKELY (flags & TT_FLAG_OVERLAP))
    tt_sink_repair (sink, TT_REPAIR_SPANS_OVERLAP, frame->offset);
  if (tt_names_is_collective (sink->names, frame->name))
    flags |= TT_FLAG_COLLECTIVE;

  guint64 event = tt_sink_event (sink, frame->track != 0 ? frame->track : thread->id, frame->name, frame->ts_ns, dur_ns,
                                 self_ns, (guint32) MIN (depth, G_MAXUINT32), flags, frame->step, frame->args);
  if (frame->owner != 0)
    tt_sink_owner (sink, frame->owner, event);
  return event;
}

/* -- spans that others cross -------------------------------------------------------------------------- */

/* Rows whose spans end before @end_ns, or then, but have begun behind the span @number, which ends then too. */
static void
write_crossed (TtNest *self, TtNestThread *thread, gint64 end_ns, guint64 number)
{
  while (tt_waiting_count (thread->crossed) > 0)
    {
      Crossed crossed;
      gint64 next_ns = tt_waiting_time (thread->crossed);

      if (next_ns > end_ns || (next_ns == end_ns && tt_waiting_rank (thread->crossed) < number))
        break;

      tt_waiting_take (thread->crossed, &crossed);
      const Frame *frame = &crossed.frame;
      write_row (self, thread, frame, frame->end_ns - frame->ts_ns, frame->flags, crossed.depth);
    }
  if (tt_waiting_count (thread->crossed) == 0)
    g_clear_pointer (&thread->crossed_ends, g_hash_table_unref);
}

/* Takes the top, a whole span, off the stack. */
static void
set_aside (TtNest *self, TtNestThread *thread)
{
  Crossed crossed = { .frame = *top_frame (thread), .depth = thread->depth - 1 };
  gpointer key = GUINT_TO_POINTER (crossed.frame.name);

  crossed.frame.flags |= TT_FLAG_OVERLAP;
  tt_nest_stack_pop (&thread->frames, &self->pool);
  thread->depth--;
  note_closed (thread, crossed.frame.name);

  if (thread->crossed == NULL)
    thread->crossed = tt_waiting_new (sizeof (Crossed), WAITING_BYTES);
  tt_waiting_add (thread->crossed, crossed.frame.end_ns, crossed.frame.number, &crossed);
  if (thread->crossed_ends == NULL)
    thread->crossed_ends = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gint64 *latest = g_hash_table_lookup (thread->crossed_ends, key);
  if (latest == NULL)
    g_hash_table_insert (thread->crossed_ends, key, g_memdup2 (&crossed.frame.end_ns, sizeof *latest));
  else
    *latest = MAX (*latest, crossed.frame.end_ns);
}

/* A span that was crossed may still contain one of its name, as nothing on the stack does. */
static gboolean
is_in_crossed (const TtNestThread *thread, guint32 name, gint64 ts_ns, gint64 end_ns)
{
  const gint64 *latest =
      thread->crossed_ends == NULL ? NULL : g_hash_table_lookup (thread->crossed_ends, GUINT_TO_POINTER (name));

  return latest != NULL && *latest > ts_ns && *latest >= end_ns;
}

/* -- begins and ends ----------------------------------------------------------------------------------- */

static void
pop_frame (TtNest *self, TtNestThread *thread, gint64 end_ns, guint32 extra_flags)
{
  const Frame frame = *top_frame (thread);
  guint32 flags = frame.flags | extra_flags;
  gint64 dur_ns = duration (self, &frame, end_ns, &flags);

  if (G_UNLIKELY (thread->crossed != NULL))
    write_crossed (self, thread, end_ns, frame.number);
  tt_nest_stack_pop (&thread->frames, &self->pool);
  thread->depth--;
  note_closed (thread, frame.name);
  if (thread->depth > 0 && !frame.is_whole)
    {
      Frame *parent = top_frame (thread);
      parent->child_ns = add_saturated (parent->child_ns, dur_ns);
      parent->covered_until = MAX (parent->covered_until, end_ns);
    }

  guint64 event = write_row (self, thread, &frame, dur_ns, flags, thread->depth);
  if (thread->metrics.n > 0 || (thread->ended != NULL && thread->ended->len > 0))
    keep_metrics_of_ended (self, thread, event);
}

/* What has ended by @ts_ns leaves the stack. Spans of no length last for what else happens at their time, but are around
 * spans of no length only. */
static void
drop_ended (TtNest *self, TtNestThread *thread, gint64 ts_ns, gboolean is_moment)
{
  while (thread->depth > 0)
    {
      const Frame *top = top_frame (thread);
      if (!top->is_whole || top->end_ns > ts_ns || (top->end_ns == ts_ns && top->ts_ns == ts_ns && is_moment))
        break;
      pop_frame (self, thread, top->end_ns, 0);
    }
  if (G_UNLIKELY (thread->crossed != NULL))
    write_crossed (self, thread, ts_ns, 0);
}

void
tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  const TtNestSpan begin = { .ts_ns = ts_ns, .offset = offset, .name = name, .step = TT_NO_STEP };

  see_time (self, thread, ts_ns, offset);
  push_frame (self, thread, &begin);
  thread->last = LAST_ENTER;
}

void
tt_nest_begin (TtNest *self, TtNestThread *thread, const TtNestSpan *begin)
{
  see_time (self, thread, begin->ts_ns, begin->offset);
  drop_ended (self, thread, begin->ts_ns, FALSE);
  push_frame (self, thread, begin);
  thread->last = LAST_ENTER;
}

/* Whole spans above a begin that now ends: those that go on behind the end are not inside. */
static void
drop_whole (TtNest *self, TtNestThread *thread, gint64 ts_ns)
{
  gboolean is_crossed = FALSE;

  drop_ended (self, thread, ts_ns, FALSE);
  for (; thread->depth > 0 && top_frame (thread)->is_whole; is_crossed = TRUE)
    set_aside (self, thread);
  if (thread->depth == 0 || !is_crossed)
    return;

  Frame *frame = top_frame (thread);
  frame->flags |= TT_FLAG_OVERLAP;
  if (frame->covered_until > ts_ns)
    frame->child_ns -= MIN (frame->child_ns, frame->covered_until - ts_ns);
  frame->covered_until = MIN (frame->covered_until, ts_ns);
}

static gboolean
leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (thread->has_whole))
    drop_whole (self, thread, ts_ns);
  if (G_UNLIKELY (thread->depth == 0 || top_frame (thread)->name != name))
    {
      if (thread->depth == 0 || !is_open (thread, name))
        return FALSE;
      tt_sink_repair (self->sink, TT_REPAIR_LEAVE_NOT_TOP, offset);
      while (thread->depth > 1 && top_frame (thread)->name != name)
        {
          pop_frame (self, thread, ts_ns, TT_FLAG_UNCLOSED);
          if (G_UNLIKELY (thread->has_whole))
            drop_whole (self, thread, ts_ns);
        }
      return thread->depth > 0 && top_frame (thread)->name == name;
    }
  return TRUE;
}

void
tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  see_time (self, thread, ts_ns, offset);
  if (G_UNLIKELY (!leave (self, thread, name, ts_ns, offset)))
    {
      tt_sink_repair (self->sink, TT_REPAIR_LEAVE_WITHOUT_ENTER, offset);
      thread->last = LAST_NOTHING;
      return;
    }
  pop_frame (self, thread, ts_ns, 0);
  thread->last = LAST_LEAVE;
}

gboolean
tt_nest_end (TtNest *self, TtNestThread *thread, const TtNestSpan *end)
{
  guint32 name = end->name;

  if (thread->has_whole)
    drop_whole (self, thread, end->ts_ns);
  if (name == TT_NO_ID && thread->depth > 0)
    name = top_frame (thread)->name;
  if (thread->depth == 0 || !leave (self, thread, name, end->ts_ns, end->offset))
    return FALSE;

  Frame *frame = top_frame (thread);
  see_time (self, thread, end->ts_ns, end->offset);
  if (frame->args == 0)
    frame->args = end->args;
  else if (end->args != 0)
    tt_sink_args_merge (self->sink, frame->args, end->args);
  if (frame->step == TT_NO_STEP)
    frame->step = end->step;
  pop_frame (self, thread, end->ts_ns, end->flags);
  thread->last = LAST_LEAVE;
  return TRUE;
}

guint32
tt_nest_make_room (TtNest *self, TtNestThread *thread, gint64 ts_ns, gint64 end_ns)
{
  drop_ended (self, thread, ts_ns, end_ns == ts_ns);
  while (thread->depth > 0 && top_frame (thread)->is_whole && top_frame (thread)->end_ns < end_ns)
    set_aside (self, thread);
  return thread->depth > 0 ? top_frame (thread)->context : 0;
}

/* The part of a child that no earlier one of its parent covers. */
static void
cover (Frame *parent, gint64 ts_ns, gint64 end_ns)
{
  gint64 from_ns = MAX (ts_ns, parent->covered_until);

  if (end_ns > from_ns)
    {
      parent->child_ns = add_saturated (parent->child_ns, end_ns - from_ns);
      parent->covered_until = end_ns;
    }
}

void
tt_nest_span (TtNest *self, TtNestThread *thread, const TtNestSpan *span)
{
  gint64 end_ns = MAX (span->end_ns, span->ts_ns), dur_ns;

  if (__builtin_sub_overflow (end_ns, span->ts_ns, &dur_ns))
    end_ns = span->ts_ns + G_MAXINT64;
  see_time (self, thread, span->ts_ns, span->offset);
  tt_nest_make_room (self, thread, span->ts_ns, end_ns);
  if (thread->depth > 0)
    cover (top_frame (thread), span->ts_ns, end_ns);

  Frame *frame = push_frame (self, thread, span);
  frame->end_ns = end_ns;
  frame->is_whole = TRUE;
  if (G_UNLIKELY (span->end_ns < span->ts_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, span->offset);
      frame->flags |= TT_FLAG_END_BEFORE_START;
    }
  if (G_UNLIKELY (thread->crossed_ends != NULL))
    {
      if (tt_waiting_time (thread->crossed) < end_ns)
        frame->flags |= TT_FLAG_OVERLAP;
      if (is_in_crossed (thread, span->name, span->ts_ns, end_ns))
        frame->flags |= TT_FLAG_RECURSIVE;
    }
  thread->latest_end_ns = MAX (thread->latest_end_ns, end_ns);
  thread->has_whole = TRUE;
  thread->last = LAST_NOTHING;
}

void
tt_nest_complete (TtNest *self,
                  TtNestThread *thread,
                  guint32 name,
                  gint64 ts_ns,
                  gint64 end_ns,
                  guint32 flags,
                  gint32 step,
                  guint64 args,
                  guint64 offset)
{
  const TtNestSpan span = {
    .ts_ns = ts_ns, .end_ns = end_ns, .args = args, .offset = offset, .name = name, .flags = flags, .step = step
  };

  tt_nest_span (self, thread, &span);
}

void
tt_nest_moment (TtNest *self, TtNestThread *thread, const TtNestSpan *instant)
{
  see_time (self, thread, instant->ts_ns, instant->offset);
  drop_ended (self, thread, instant->ts_ns, TRUE);
  tt_sink_event (self->sink, instant->track != 0 ? instant->track : thread->id, instant->name, instant->ts_ns,
                 TT_NO_TIME, 0, (guint32) MIN (thread->depth, G_MAXUINT32), instant->flags, instant->step,
                 instant->args);
  thread->last = LAST_NOTHING;
}

void
tt_nest_instant (TtNest *self,
                 TtNestThread *thread,
                 guint32 name,
                 gint64 ts_ns,
                 gint32 step,
                 guint64 args,
                 guint64 offset)
{
  const TtNestSpan instant = { .ts_ns = ts_ns, .args = args, .offset = offset, .name = name, .step = step };

  tt_nest_moment (self, thread, &instant);
}

/* -- what hangs on spans ----------------------------------------------------------------------------- */

static void
metric_at_leave (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  for (guint i = 0; thread->ended != NULL && i < thread->ended->len; i++)
    {
      MetricEntry *ended = &g_array_index (thread->ended, MetricEntry, i);
      if (ended->series != series)
        continue;

      gint64 inclusive, exclusive;
      if (__builtin_sub_overflow (value, ended->enter_value, &inclusive) ||
          __builtin_sub_overflow (inclusive, ended->child_sum, &exclusive))
        break;
      tt_sink_metric (self->sink, thread->ended_event, series, inclusive, exclusive);

      /* The parent's entries of all series lie on top of the metric stack. */
      MetricEntry *entries = (MetricEntry *) (gpointer) thread->metrics.items;
      for (guint k = thread->metrics.n; k-- > 0 && entries[k].depth == thread->depth;)
        if (entries[k].series == series)
          {
            entries[k].child_sum = add_saturated (entries[k].child_sum, inclusive);
            break;
          }
      g_array_remove_index_fast (thread->ended, i);
      return;
    }
  tt_sink_repair (self->sink, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
}

void
tt_nest_metric (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  switch (thread->last)
    {
    case LAST_ENTER:
      *(MetricEntry *) tt_nest_stack_push (&thread->metrics, &self->pool) =
          (MetricEntry){ .depth = thread->depth, .enter_value = value, .series = series };
      break;
    case LAST_LEAVE:
      metric_at_leave (self, thread, series, value, offset);
      break;
    case LAST_NOTHING:
      tt_sink_repair (self->sink, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
      break;
    }
}

static guint32
owner_of_top (TtNest *self, TtNestThread *thread)
{
  if (thread->depth == 0)
    return 0;

  Frame *top = top_frame (thread);
  if (top->owner == 0)
    top->owner = tt_sink_new_owner (self->sink);
  return top->owner;
}

void
tt_nest_half (TtNest *self,
              TtNestThread *thread,
              gboolean is_send,
              gboolean is_onesided,
              guint32 peer,
              gint64 tag,
              gint64 comm,
              gint64 ts_ns,
              gint64 bytes)
{
  tt_nest_touch (self, thread, ts_ns);
  tt_sink_half (self->sink, is_send, is_onesided, thread->id, thread->process, peer, tag, comm, ts_ns, bytes,
                owner_of_top (self, thread));
}

void
tt_nest_flow (TtNest *self, TtNestThread *thread, guint64 key, const char *kind, TtFlowPhase phase, gint64 ts_ns)
{
  tt_nest_touch (self, thread, ts_ns);
  drop_ended (self, thread, ts_ns, TRUE);
  tt_sink_flow_point (self->sink, key, kind, phase, ts_ns, owner_of_top (self, thread));
}

gboolean
tt_nest_check (const TtNest *self, GError **error)
{
  for (guint i = 0; i < self->threads->len; i++)
    {
      const TtNestThread *thread = self->threads->pdata[i];
      if (thread != NULL && thread->crossed != NULL && !tt_waiting_check (thread->crossed, error))
        return FALSE;
    }
  return self->pool.spill == NULL || tt_spill_check (self->pool.spill, error);
}

static void
close_all (TtNest *self, TtNestThread *thread)
{
  while (thread->depth > 0)
    {
      const Frame *top = top_frame (thread);
      if (top->is_whole)
        pop_frame (self, thread, top->end_ns, 0);
      else
        {
          tt_sink_repair (self->sink, TT_REPAIR_UNCLOSED, top->offset);
          pop_frame (self, thread, MAX (MAX (thread->last_ns, thread->latest_end_ns), top->ts_ns), TT_FLAG_UNCLOSED);
        }
    }
  if (thread->crossed != NULL)
    write_crossed (self, thread, G_MAXINT64, 0);
}

void
tt_nest_close (TtNest *self, TtNestThread *thread)
{
  close_all (self, thread);
  self->threads->pdata[thread->id] = NULL;
  free_thread (self, thread);
}

void
tt_nest_finish (TtNest *self)
{
  for (guint i = 0; i < self->threads->len; i++)
    if (self->threads->pdata[i] != NULL)
      close_all (self, self->threads->pdata[i]);
  forget_threads (self);
}
