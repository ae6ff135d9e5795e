#include "config.h"

#include "src/trace/nest/private.h"

/* Up to this depth a walk down the stack finds an open name faster than a table. */
#define DEEP 64
#define SHALLOW 32

/* A hardware counter's value at the enter of the span at `depth`. */
typedef struct
{
  guint64 depth;
  gint64 enter_value;
  gint64 child_sum;
  guint32 series;
  guint32 reserved;
} MetricEntry;

/* -- threads ------------------------------------------------------------------------------------- */

TtNest *
tt_nest_new (TtSink *sink)
{
  TtNest *self = g_new0 (TtNest, 1);

  self->sink = sink;
  self->threads = g_ptr_array_new ();
  self->pool.largest_item = MAX (sizeof (NestFrame), sizeof (MetricEntry));
  return self;
}

static void
free_thread (TtNest *self, TtNestThread *thread)
{
  if (thread->crossed != NULL && self->error == NULL)
    tt_waiting_check (thread->crossed, &self->error);
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
  if (self->pool.spill != NULL && self->error == NULL)
    tt_spill_check (self->pool.spill, &self->error);
  tt_nest_pool_clear (&self->pool);
}

void
tt_nest_free (TtNest *self)
{
  if (self == NULL)
    return;
  forget_threads (self);
  g_ptr_array_unref (self->threads);
  g_clear_error (&self->error);
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
      found->frames.item_size = sizeof (NestFrame);
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

/* The same of spans that get a row. Of a stack that is not all in memory only the upper part is looked at. */
static gboolean
is_open_in_rows (const TtNestThread *thread, guint32 name)
{
  const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;

  if (thread->n_left_out == 0)
    return nest_is_open (thread, name);
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name && !frames[i].is_left_out)
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
      const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;
      for (guint i = 0; i < thread->frames.n; i++)
        count_open (thread, frames[i].name, 1);
    }
  else
    count_open (thread, name, 1);
}

void
nest_note_closed (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    return;
  if (thread->depth <= SHALLOW)
    g_clear_pointer (&thread->open_names, g_hash_table_unref);
  else
    count_open (thread, name, -1);
}

/* -- spans ------------------------------------------------------------------------------------------ */

NestFrame *
nest_push (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  gboolean is_recursive = thread->depth > 0 && is_open_in_rows (thread, name);
  NestFrame *frame = tt_nest_stack_push (&thread->frames, &self->pool);

  *frame = (NestFrame){
    .ts_ns = ts_ns,
    .covered_until = ts_ns,
    .offset = offset,
    .name = name,
    .flags = is_recursive ? TT_FLAG_RECURSIVE : 0,
    .step = TT_NO_STEP,
    .number = thread->n_begun++,
  };
  thread->depth++;
  note_opened (thread, name);
  return frame;
}

void
nest_ask_filter (TtNest *self, TtNestThread *thread)
{
  if (G_LIKELY (self->sink->filter == NULL))
    return;

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
  thread->n_left_out += frame->is_left_out;
}

void
nest_tell_filter (TtNest *self, TtNestThread *thread, const NestFrame *frame, gint64 end_ns)
{
  thread->n_left_out -= frame->is_left_out;
  if (frame->filter_token != 0)
    self->sink->filter->klass->end (self->sink->filter, frame->filter_token, end_ns);
}

static gint64
duration (TtNest *self, const NestFrame *frame, gint64 end_ns, guint32 *flags)
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

guint64
nest_write_row (TtNest *self, TtNestThread *thread, const NestFrame *frame, gint64 dur_ns, guint32 flags, guint64 depth)
{
  TtSink *sink = self->sink;
  gint64 self_ns = dur_ns - frame->child_ns;

  if (G_UNLIKELY (frame->is_left_out))
    return 0;
  if (G_UNLIKELY ((flags & TT_FLAG_WINDOW) != 0))
    self_ns = 0;
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

void
nest_pop (TtNest *self, TtNestThread *thread, gint64 end_ns, guint32 extra_flags)
{
  const NestFrame *frame = nest_top (thread);
  guint32 flags = frame->flags | extra_flags, name = frame->name;
  gint64 dur_ns = duration (self, frame, end_ns, &flags);

  if (G_UNLIKELY (thread->crossed != NULL))
    nest_write_crossed (self, thread, end_ns, frame->number);
  if (thread->depth > 1 && !frame->is_whole)
    {
      NestFrame *parent = nest_top (thread) - 1;
      parent->child_ns = nest_add_saturated (parent->child_ns, dur_ns);
      parent->covered_until = MAX (parent->covered_until, end_ns);
    }

  nest_tell_filter (self, thread, frame, end_ns);
  guint64 event = nest_write_row (self, thread, frame, dur_ns, flags, thread->depth - 1 - thread->n_left_out);
  tt_nest_stack_pop (&thread->frames, &self->pool);
  thread->depth--;
  nest_note_closed (thread, name);
  if (thread->metrics.n > 0 || (thread->ended != NULL && thread->ended->len > 0))
    keep_metrics_of_ended (self, thread, event);
}

void
tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  nest_see_time (self, thread, ts_ns, offset);
  nest_push (self, thread, name, ts_ns, offset);
  nest_ask_filter (self, thread);
  thread->last = LAST_ENTER;
}

gboolean
nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (thread->has_whole))
    nest_drop_whole (self, thread, ts_ns);
  if (G_UNLIKELY (thread->depth == 0 || nest_top (thread)->name != name))
    {
      if (thread->depth == 0 || !nest_is_open (thread, name))
        return FALSE;
      tt_sink_repair (self->sink, TT_REPAIR_LEAVE_NOT_TOP, offset);
      while (thread->depth > 1 && nest_top (thread)->name != name)
        {
          nest_pop (self, thread, ts_ns, TT_FLAG_UNCLOSED);
          if (G_UNLIKELY (thread->has_whole))
            nest_drop_whole (self, thread, ts_ns);
        }
      return thread->depth > 0 && nest_top (thread)->name == name;
    }
  return TRUE;
}

void
tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  nest_see_time (self, thread, ts_ns, offset);
  if (G_UNLIKELY (!nest_leave (self, thread, name, ts_ns, offset)))
    {
      tt_sink_repair (self->sink, TT_REPAIR_LEAVE_WITHOUT_ENTER, offset);
      thread->last = LAST_NOTHING;
      return;
    }
  nest_pop (self, thread, ts_ns, 0);
  thread->last = LAST_LEAVE;
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
      if (thread->ended_event != 0)
        tt_sink_metric (self->sink, thread->ended_event, series, inclusive, exclusive);

      /* The parent's entries of all series lie on top of the metric stack. */
      MetricEntry *entries = (MetricEntry *) (gpointer) thread->metrics.items;
      for (guint k = thread->metrics.n; k-- > 0 && entries[k].depth == thread->depth;)
        if (entries[k].series == series)
          {
            entries[k].child_sum = nest_add_saturated (entries[k].child_sum, inclusive);
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

guint32
tt_nest_owner (TtNest *self, TtNestThread *thread)
{
  if (thread->depth == 0)
    return 0;

  NestFrame *top = nest_top (thread);
  if (G_UNLIKELY (top->is_left_out))
    return TT_OWNER_LEFT_OUT;
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
  if (thread->has_whole)
    nest_drop_ended (self, thread, ts_ns, TRUE);
  tt_sink_half (self->sink, is_send, is_onesided, thread->id, thread->process, peer, tag, comm, ts_ns, bytes,
                tt_nest_owner (self, thread));
}

void
tt_nest_flow (TtNest *self, TtNestThread *thread, guint64 key, const char *kind, TtFlowPhase phase, gint64 ts_ns)
{
  tt_nest_touch (self, thread, ts_ns);
  nest_drop_ended (self, thread, ts_ns, TRUE);
  tt_sink_flow_point (self->sink, key, kind, phase, ts_ns, tt_nest_owner (self, thread));
}

gboolean
tt_nest_check (const TtNest *self, GError **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
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
      const NestFrame *top = nest_top (thread);
      if (top->is_whole)
        nest_pop (self, thread, top->end_ns, 0);
      else
        {
          tt_sink_repair (self->sink, TT_REPAIR_UNCLOSED, top->offset);
          nest_pop (self, thread, MAX (MAX (thread->last_ns, thread->latest_end_ns), top->ts_ns), TT_FLAG_UNCLOSED);
        }
    }
  if (thread->crossed != NULL)
    nest_write_crossed (self, thread, G_MAXINT64, 0);
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
