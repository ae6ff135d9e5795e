/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/private.h"

/* -- threads ------------------------------------------------------------------------------------- */

TtNest *
tt_nest_new (TtSink *sink)
{
  TtNest *self = g_new0 (TtNest, 1);

  self->sink = sink;
  self->threads.row_size = sizeof (TtNestThread *);
  self->pool.largest_item = MAX (sizeof (NestFrame), sizeof (NestMetric));
  return self;
}

static inline TtNestThread **
thread_at (TtNest *self, guint32 id)
{
  return tt_id_table_at (&self->threads, id);
}

static void
free_thread (TtNest *self, TtNestThread *thread)
{
  if (thread->crossed != NULL && self->error == NULL)
    tt_waiting_check (thread->crossed, &self->error);
  self->n_crossed -= thread->crossed != NULL;
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
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      TtNestThread *thread = *thread_at (self, i);
      if (thread != NULL)
        free_thread (self, thread);
    }
  if (self->error == NULL)
    tt_id_table_check (&self->threads, &self->error);
  tt_id_table_clear (&self->threads);
  self->n_threads = 0;
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
  g_clear_error (&self->error);
  g_free (self);
}

TtNestThread *
tt_nest_thread (TtNest *self, guint32 thread, guint32 process)
{
  TtNestThread *found = *thread_at (self, thread);

  if (found == NULL)
    {
      found = g_new0 (TtNestThread, 1);
      found->id = thread;
      found->process = process;
      found->last_ns = found->latest_end_ns = TT_NO_TIME;
      found->frames.item_size = sizeof (NestFrame);
      found->metrics.item_size = sizeof (NestMetric);
      *thread_at (self, thread) = found;
      self->n_threads = MAX (self->n_threads, thread + 1);
    }
  return found;
}

void
tt_nest_touch (TtNest *self, TtNestThread *thread, gint64 ts_ns)
{
  thread->last_ns = MAX (thread->last_ns, ts_ns);
}

void
tt_nest_hole (TtNest *self)
{
  self->n_holes++;
}

/* -- spans ------------------------------------------------------------------------------------------ */

void
tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  nest_see_time (self, thread, ts_ns, offset);
  nest_push (self, thread, name, ts_ns, offset);
  nest_ask_filter (self, thread);
  thread->last = LAST_ENTER;
}

void
tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  gint64 seen_ns = thread->last_ns;

  nest_see_time (self, thread, ts_ns, offset);
  gboolean is_innermost = thread->depth > 0 && nest_top (thread)->name == name && !thread->has_whole;
  if (G_UNLIKELY (!is_innermost) && !nest_uncover (self, thread, name, seen_ns, ts_ns, offset))
    {
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_LEAVE_WITHOUT_ENTER, offset);
      thread->last = LAST_NOTHING;
      return;
    }
  nest_pop (self, thread, ts_ns, 0);
  thread->last = LAST_LEAVE;
}

guint32
tt_nest_left_name (TtNest *self, const TtNestThread *thread, guint32 name, guint64 mark, guint64 offset)
{
  if (mark == 0 || thread->depth == 0 || nest_top (thread)->mark != mark || nest_is_open (thread, name))
    return name;

  tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_OTHER_NAME, offset);
  return nest_top (thread)->name;
}

#define NEAR_METRICS 256u

/* -- metrics, messages and flows of spans ----------------------------------------------------------- */

static void
add_metric_at_leave (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  for (guint i = 0; thread->ended != NULL && i < thread->ended->len; i++)
    {
      NestMetric *ended = &g_array_index (thread->ended, NestMetric, i);
      if (ended->series != series)
        continue;

      gint64 inclusive, exclusive;
      if (__builtin_sub_overflow (value, ended->enter_value, &inclusive) ||
          __builtin_sub_overflow (inclusive, ended->child_sum, &exclusive))
        break;
      if (thread->ended_event != 0)
        tt_sink_metric (self->sink, thread->ended_event, series, inclusive, exclusive);

      /* Of the parent, or, where it knows no value, of the next above that does: it lies near the top of the metric stack. */
      NestMetric *entries = (NestMetric *) (gpointer) thread->metrics.items;
      guint n = thread->metrics.n;
      for (guint k = n; k-- > 0 && (entries[k].depth == thread->depth || n - k < NEAR_METRICS);)
        if (entries[k].series == series)
          {
            entries[k].child_sum = nest_add_saturated (entries[k].child_sum, inclusive);
            break;
          }
      g_array_remove_index_fast (thread->ended, i);
      return;
    }
  tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
}

void
tt_nest_metric (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  switch (thread->last)
    {
    case LAST_ENTER:
      *(NestMetric *) tt_nest_stack_push (&thread->metrics, &self->pool) =
          (NestMetric){ .depth = thread->depth, .enter_value = value, .series = series };
      break;
    case LAST_LEAVE:
      add_metric_at_leave (self, thread, series, value, offset);
      break;
    case LAST_NOTHING:
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
      break;
    }
}

gboolean
tt_nest_add_args (TtNest *self, TtNestThread *thread, guint64 args)
{
  if (thread->depth == 0)
    return FALSE;

  nest_join_args (self, nest_top (thread), args);
  return TRUE;
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
tt_nest_half (TtNest *self, TtNestThread *thread, const TtNestHalf *half)
{
  tt_nest_touch (self, thread, half->ts_ns);
  if (thread->has_whole)
    nest_drop_ended (self, thread, half->ts_ns + half->tied_ns, TRUE);
  tt_sink_half (self->sink, half->is_send, half->onesided, thread->id, thread->process, half->peer, half->tag,
                half->comm, half->ts_ns, half->bytes, tt_nest_owner (self, thread));
}

void
tt_nest_flow (TtNest *self, TtNestThread *thread, guint64 key, const TtFlowKind *kind, TtFlowPhase phase, gint64 ts_ns)
{
  tt_nest_touch (self, thread, ts_ns);
  nest_drop_ended (self, thread, ts_ns, TRUE);
  const TtSinkFlowPoint point = {
    .key = key, .kind = kind, .phase = phase, .owner = tt_nest_owner (self, thread), .ts_ns = ts_ns
  };
  tt_sink_flow_point (self->sink, &point);
}

gboolean
tt_nest_check (TtNest *self, GError **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
  if (!tt_id_table_check (&self->threads, error))
    return FALSE;
  for (guint32 i = 0; self->n_crossed > 0 && i < self->n_threads; i++)
    {
      const TtNestThread *thread = *thread_at (self, i);
      if (thread != NULL && thread->crossed != NULL && !tt_waiting_check (thread->crossed, error))
        return FALSE;
    }
  return self->pool.spill == NULL || tt_spill_check (self->pool.spill, error);
}

static void
close_spans (TtNest *self, TtNestThread *thread)
{
  while (thread->depth > 0)
    {
      const NestFrame *top = nest_top (thread);
      if (top->is_whole)
        nest_pop (self, thread, top->end_ns, 0);
      else
        {
          tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_UNCLOSED, top->offset);
          nest_pop (self, thread, MAX (MAX (thread->last_ns, thread->latest_end_ns), top->ts_ns), TT_FLAG_UNCLOSED);
        }
    }
  if (thread->crossed != NULL)
    nest_write_crossed (self, thread, G_MAXINT64, 0);
}

void
tt_nest_close (TtNest *self, TtNestThread *thread)
{
  close_spans (self, thread);
  *thread_at (self, thread->id) = NULL;
  free_thread (self, thread);
}

void
tt_nest_finish (TtNest *self)
{
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      TtNestThread *thread = *thread_at (self, i);
      if (thread != NULL)
        close_spans (self, thread);
    }
  forget_threads (self);
}
