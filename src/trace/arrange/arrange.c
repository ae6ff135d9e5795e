/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/inside.h"

#define MEMORY_BYTES ((gsize) 38 << 20)

#define HALVES_BYTES ((gsize) 2 << 20)

/* Each trusted thread has a stack of its own all the time; those beyond are sorted, one after the other. */
#define MAX_TRUSTED 4096u

TtArrange *
tt_arrange_new (TtSink *sink)
{
  TtArrange *self = g_new0 (TtArrange, 1);

  self->sink = sink;
  self->hooks.flow_kinds = g_ptr_array_new ();
  self->threads.row_size = sizeof (ArrangeThread);
  self->windows.row_size = sizeof (ArrangeWindow);
  self->trusted = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->feeds = g_ptr_array_new_with_free_func ((GDestroyNotify) arrange_feed_free);
  self->memory = MEMORY_BYTES;
  self->nest = tt_nest_new (sink);
  return self;
}

void
tt_arrange_free (TtArrange *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->feeds);
  g_array_unref (self->trusted);
  tt_id_table_clear (&self->threads);
  tt_id_table_clear (&self->windows);
  g_ptr_array_unref (self->hooks.flow_kinds);
  g_clear_pointer (&self->hooks.halves, tt_tape_free);
  g_clear_pointer (&self->hooks.span_flows, tt_tape_free);
  tt_sorter_free (self->main);
  tt_sorter_free (self->events);
  tt_sorter_free (self->async);
  tt_sorter_free (self->spans);
  arrange_counters_free (self->counters);
  tt_nest_free (self->nest);
  g_free (self);
}

void
tt_arrange_set_hook (TtArrange *self, TtArrangeHook hook, gpointer data)
{
  self->hooks.hook = hook;
  self->hooks.data = data;
}

void
tt_arrange_set_by_end (TtArrange *self)
{
  self->is_by_end = TRUE;
}

void
tt_arrange_set_metric (TtArrange *self, guint32 series)
{
  self->hooks.metric = series;
}

void
arrange_set_memory (TtArrange *self, gsize bytes)
{
  self->memory = bytes;
}

/* -- records in -------------------------------------------------------------------------------------- */

/* Notes the time. Returns the feed of the thread if it is trusted, or NULL. */
static inline ArrangeFeed *
find_feed (TtArrange *self, const TtTraceRecord *what, gint64 ts_ns)
{
  ArrangeThread *thread = arrange_thread (self, what->thread);
  ArrangeFeed *feed = arrange_feed_of (self, thread);
  if (!thread->is_seen)
    {
      thread->is_seen = TRUE;
      thread->process = what->process;
      thread->last_ns = ts_ns;
      thread->first_number = self->n_calls;
      if (feed != NULL)
        arrange_feed_begin_line (feed, what->thread, what->process);
    }
  thread->last_ns = MAX (thread->last_ns, ts_ns);
  thread->last_number = self->n_calls;
  return feed;
}

static ArrangeRecord
to_record (TtArrange *self, const TtTraceRecord *what, ArrangeKind kind)
{
  return (ArrangeRecord){
    .args = what->args,
    .offset = what->offset,
    .number = self->n_calls++,
    .key = what->key,
    .name = what->name,
    .step = what->step,
    .tag = what->tag,
    .flags_kind = (what->flags & ARRANGE_ALL_FLAGS) | (guint32) kind << ARRANGE_KIND_SHIFT,
  };
}

/* Of so many threads it is looked at in which order their records come: each takes memory. */
#define MAX_WINDOWS 512u

static void
note_at (TtArrange *self, guint32 window, const ArrangeSeen *seen)
{
  self->n_windows = MAX (self->n_windows, window + 1);
  arrange_spikes_add (&self->spikes, tt_id_table_at (&self->windows, window), seen);
}

/* @is_sorted: the record can be moved later. */
static void
note_times (TtArrange *self, const TtTraceRecord *what, const ArrangeSeen *seen, gboolean is_sorted)
{
  if ((what->flags & TT_ARRANGE_SEEN) != 0)
    return;
  if (!is_sorted || what->thread >= MAX_WINDOWS)
    arrange_spikes_widen (&self->spikes, seen->ts_ns, seen->end_ns);
  else
    note_at (self, what->thread, seen);
}

void
tt_arrange_see (TtArrange *self, guint32 line, gint64 ts_ns, gint64 dur_ns)
{
  ArrangeSeen seen = { .ts_ns = ts_ns };

  if (__builtin_add_overflow (ts_ns, MAX (dur_ns, 0), &seen.end_ns))
    seen.end_ns = G_MAXINT64;
  if (line >= MAX_WINDOWS)
    arrange_spikes_widen (&self->spikes, seen.ts_ns, seen.end_ns);
  else
    note_at (self, MAX_WINDOWS + line, &seen);
}

void
tt_arrange_around (TtArrange *self, gint64 first_ns, gint64 last_ns)
{
  TtTimeSpread others = { .groups = { { first_ns, last_ns, TT_FEW_TIMES * TT_FEW_TIMES } }, .n = 1 };

  tt_time_spread_join (&others, &self->spread);
  self->spread = others;
  arrange_spikes_widen (&self->spikes, first_ns, last_ns);
}

static void
add_record (TtArrange *self, ArrangeFeed *feed, const ArrangeRecord *record)
{
  if (feed != NULL)
    arrange_feed_record (feed, record, NULL);
  else
    *(ArrangeRecord *) arrange_add (self, &self->main, sizeof *record, SHARE_MAIN) = *record;
}

/* One that carries more, or is to be sorted. */
static G_GNUC_NO_INLINE void
add_span (TtArrange *self, ArrangeFeed *feed, const TtTraceRecord *span, gint64 dur_ns, gint64 end_ns)
{
  ArrangeRecord record = to_record (self, span, ARRANGE_SPAN);

  record.dur_ns = dur_ns;
  if (G_UNLIKELY (span->dur_ns < 0))
    {
      tt_sink_repair_of (self->sink, span->process, TT_REPAIR_END_BEFORE_START, span->offset);
      record.flags_kind |= TT_FLAG_END_BEFORE_START;
    }
  if (G_UNLIKELY (span->dur_ns < 0 && feed == NULL))
    arrange_spikes_suspect (&self->spikes, span->ts_ns, MAX (span->ts_ns, TT_NO_TIME - span->dur_ns) + span->dur_ns);
  else
    note_times (self, span, &(ArrangeSeen){ span->ts_ns, end_ns, FALSE }, feed == NULL);
  arrange_set_key (&record, span->thread, span->ts_ns, arrange_code_of_span (dur_ns));
  add_record (self, feed, &record);
}

void
tt_arrange_span (TtArrange *self, const TtTraceRecord *span)
{
  gint64 dur_ns = MAX (span->dur_ns, 0), end_ns;

  if (G_UNLIKELY (__builtin_add_overflow (span->ts_ns, dur_ns, &end_ns)))
    {
      end_ns = G_MAXINT64;
      dur_ns = end_ns - span->ts_ns;
    }
  ArrangeFeed *feed = find_feed (self, span, end_ns);

  tt_time_spread_add (&self->spread, span->ts_ns);
  tt_time_spread_add (&self->spread, end_ns);
  if (feed == NULL || self->hooks.hook != NULL || span->dur_ns < 0 || (span->flags & ARRANGE_EXTRAS) != 0)
    {
      add_span (self, feed, span, dur_ns, end_ns);
      return;
    }
  self->n_calls++;
  arrange_spikes_widen (&self->spikes, span->ts_ns, end_ns);
  arrange_feed_plain_span (feed, span, end_ns);
}

void
tt_arrange_instant (TtArrange *self, const TtTraceRecord *instant)
{
  ArrangeFeed *feed = find_feed (self, instant, instant->ts_ns);
  ArrangeRecord record = to_record (self, instant, ARRANGE_INSTANT);

  tt_time_spread_add (&self->spread, instant->ts_ns);
  note_times (self, instant, &(ArrangeSeen){ instant->ts_ns, instant->ts_ns, TRUE }, feed == NULL);
  arrange_set_key (&record, instant->thread, instant->ts_ns, ARRANGE_CODE_INSTANT);
  add_record (self, feed, &record);
}

guint32
tt_arrange_flow_kind (TtArrange *self, const TtFlowKind *kind)
{
  GPtrArray *kinds = self->hooks.flow_kinds;

  for (guint i = 0; i < kinds->len; i++)
    if (g_str_equal (((const TtFlowKind *) kinds->pdata[i])->text, kind->text))
      return i;
  g_ptr_array_add (kinds, (gpointer) kind);
  return kinds->len - 1;
}

static void
add_point (TtArrange *self,
           const TtTraceRecord *point,
           guint32 kind,
           guint64 key,
           TtFlowPhase phase,
           gboolean binds_to_next)
{
  ArrangeFeed *feed = find_feed (self, point, point->ts_ns);
  ArrangeRecord record = to_record (self, point, ARRANGE_FLOW);

  record.dur_ns = (gint64) key;
  record.name = kind;
  record.step = (gint32) phase;
  record.tag = binds_to_next ? ARRANGE_NEXT_SPAN : point->nth_span;
  arrange_set_key (&record, point->thread, point->ts_ns, ARRANGE_CODE_FLOW);
  add_record (self, feed, &record);
}

void
tt_arrange_flow (TtArrange *self,
                 const TtTraceRecord *point,
                 guint32 kind,
                 guint64 key,
                 TtFlowPhase phase,
                 gboolean binds_to_next)
{
  add_point (self, point, kind, key, phase, binds_to_next);
}

void
tt_arrange_half (TtArrange *self, const TtTraceRecord *point, const TtArrangeHalf *half)
{
  guint64 at;

  if (self->hooks.halves == NULL)
    self->hooks.halves = tt_tape_new (HALVES_BYTES);
  at = tt_tape_size (self->hooks.halves);
  tt_tape_append (self->hooks.halves, half, sizeof *half);
  add_point (self, point, ARRANGE_HALF, at, TT_FLOW_START, FALSE);
}

guint32
tt_arrange_span_flow (TtArrange *self, guint32 kind, guint64 key, TtFlowPhase phase)
{
  const ArrangeSpanFlow flow = { key, kind, (guint32) phase };

  if (self->hooks.span_flows == NULL)
    self->hooks.span_flows = tt_tape_new (HALVES_BYTES);
  guint64 number = tt_tape_size (self->hooks.span_flows) / sizeof flow + 1;
  if (number > G_MAXUINT32)
    return 0;
  tt_tape_append (self->hooks.span_flows, &flow, sizeof flow);
  return (guint32) number;
}

static void
add_begin_or_end (TtArrange *self, const TtTraceRecord *what, ArrangeKind kind)
{
  ArrangeFeed *feed = find_feed (self, what, what->ts_ns);
  ArrangeRecord record = to_record (self, what, kind);

  tt_time_spread_add (&self->spread, what->ts_ns);
  note_times (self, what, &(ArrangeSeen){ what->ts_ns, what->ts_ns, FALSE }, feed == NULL);
  arrange_set_key (&record, what->thread, what->ts_ns, 0);
  if (feed != NULL)
    arrange_feed_record (feed, &record, NULL);
  else
    *(ArrangeAsync *) arrange_add (self, &self->events, sizeof (ArrangeAsync), SHARE_EVENTS) =
        (ArrangeAsync){ .record = record, .thread = what->thread, .process = what->process };
}

void
tt_arrange_counter (TtArrange *self, const TtArrangeCounter *counter)
{
  if (self->counters == NULL)
    self->counters = arrange_counters_new ();
  arrange_counters_add (self->counters, counter, self->sink);
}

void
tt_arrange_begin (TtArrange *self, const TtTraceRecord *begin)
{
  add_begin_or_end (self, begin, ARRANGE_BEGIN);
}

void
tt_arrange_end (TtArrange *self, const TtTraceRecord *end)
{
  add_begin_or_end (self, end, ARRANGE_END);
}

static void
add_async_begin_or_end (TtArrange *self, const TtTraceRecord *what, ArrangeKind kind, guint64 key)
{
  ArrangeAsync *async = arrange_add (self, &self->async, sizeof (ArrangeAsync), SHARE_ASYNC);

  find_feed (self, what, what->ts_ns);
  tt_time_spread_add (&self->spread, what->ts_ns);
  arrange_spikes_widen (&self->spikes, what->ts_ns, what->ts_ns);
  async->record = to_record (self, what, kind);
  async->record.high = key;
  async->record.low = tt_sort_key (what->ts_ns);
  async->thread = what->thread;
  async->process = what->process;
}

void
tt_arrange_async_begin (TtArrange *self, const TtTraceRecord *begin, guint64 key)
{
  add_async_begin_or_end (self, begin, ARRANGE_BEGIN, key);
}

void
tt_arrange_async_end (TtArrange *self, const TtTraceRecord *end, guint64 key)
{
  add_async_begin_or_end (self, end, ARRANGE_END, key);
}

void
tt_arrange_trust (TtArrange *self, guint32 thread)
{
  ArrangeThread *trusted = arrange_thread (self, thread);

  if (trusted->is_seen || trusted->feed != 0 || self->feeds->len == MAX_TRUSTED)
    return;
  g_ptr_array_add (self->feeds, arrange_feed_new (self->sink, self->nest, &self->hooks));
  g_array_append_val (self->trusted, thread);
  trusted->feed = (guint16) self->feeds->len;
}

gboolean
tt_arrange_check (const TtArrange *self, GError **error)
{
  const TtSorter *const sorters[] = { self->main, self->events, self->async };

  for (guint i = 0; i < G_N_ELEMENTS (sorters); i++)
    if (sorters[i] != NULL && !tt_sorter_check (sorters[i], error))
      return FALSE;
  if (self->hooks.halves != NULL && !tt_tape_check (self->hooks.halves, error))
    return FALSE;
  if (self->hooks.span_flows != NULL && !tt_tape_check (self->hooks.span_flows, error))
    return FALSE;
  return tt_id_table_check (&self->threads, error) && tt_id_table_check (&self->windows, error) &&
         tt_nest_check (self->nest, error);
}
