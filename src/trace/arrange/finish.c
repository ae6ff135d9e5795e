/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/inside.h"
#include "src/trace/told-times.h"

/* -- pairs ------------------------------------------------------------------------------------------- */

static gint64
get_time (const ArrangeAsync *event, gboolean is_async)
{
  return is_async ? tt_sort_value (event->record.low) : arrange_ts (&event->record);
}

/* What a metric grew by; it is known at both ends, or of none. */
static void
join_metric (ArrangeRecord *span, const ArrangeRecord *end)
{
  gint64 grown;

  if ((span->flags_kind & TT_ARRANGE_METRIC) == 0)
    return;
  if (end == NULL || (end->flags_kind & TT_ARRANGE_METRIC) == 0 ||
      __builtin_sub_overflow ((gint64) end->key, (gint64) span->key, &grown))
    span->flags_kind &= ~(guint32) TT_ARRANGE_METRIC;
  else
    span->key = (guint64) grown;
}

static gint64
time_between (gint64 from_ns, gint64 until_ns)
{
  gint64 ns;

  return __builtin_sub_overflow (until_ns, from_ns, &ns) ? G_MAXINT64 : ns;
}

static ArrangeRecord
to_span (const ArrangeRecord *begin, guint32 flags, gint64 dur_ns)
{
  ArrangeRecord span = *begin;

  span.dur_ns = dur_ns;
  span.flags_kind = flags | ARRANGE_SPAN << ARRANGE_KIND_SHIFT;
  return span;
}

/* The span that @begin and @end make; its key is not set. */
static ArrangeRecord
join_pair (TtArrange *self, const ArrangeAsync *begin, const ArrangeAsync *end, gboolean is_async)
{
  ArrangeRecord span = begin->record;
  const ArrangeRecord *last = &end->record;

  join_metric (&span, last);
  if (span.step == TT_NO_STEP)
    span.step = last->step;
  if (span.args == 0)
    span.args = last->args;
  else if (last->args != 0)
    tt_sink_args_merge (self->sink, span.args, last->args);
  return to_span (&span, arrange_flags (&span) | (arrange_flags (last) & ~ARRANGE_EXTRAS),
                  time_between (get_time (begin, is_async), get_time (end, is_async)));
}

/* The same of a begin without an end. */
static ArrangeRecord
close_begin (TtArrange *self, const ArrangeAsync *begin, const ArrangeBounds *bounds, gboolean is_async)
{
  ArrangeRecord span = begin->record;
  gint64 ts_ns = get_time (begin, is_async), last_ns = arrange_thread (self, begin->thread)->last_ns;

  join_metric (&span, NULL);
  /* A lone end far behind is none of it. */
  if (self->has_lone && last_ns > self->lone.last_ns)
    last_ns = MAX (ts_ns, self->lone.last_ns);
  if (bounds == NULL)
    {
      tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_UNCLOSED, span.offset);
      return to_span (&span, arrange_flags (&span) | TT_FLAG_UNCLOSED, time_between (ts_ns, last_ns));
    }
  gint64 dur_ns = MAX (time_between (ts_ns, bounds->shown_ns), 0);
  const TtToldTimes told = {
    .ts_ns = TT_NO_TIME,
    .dur_ns = TT_NO_TIME,
    .longest_ns = MAX (time_between (ts_ns, bounds->most_ns != TT_NO_TIME ? bounds->most_ns : last_ns), dur_ns),
  };
  span.args = tt_told_times_keep (&told, self->sink, span.args);
  tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_BOUNDED_END, span.offset);
  return to_span (&span, arrange_flags (&span) | TT_FLAGS_BOUNDED, dur_ns);
}

static void
on_line (gpointer data)
{
}

static void
add_span (TtArrange *self, const ArrangeAsync *begin, ArrangeRecord span)
{
  arrange_set_key (&span, begin->thread, get_time (begin, FALSE), arrange_code_of_span (span.dur_ns));
  *(ArrangeRecord *) arrange_add (self, &self->main, sizeof span, SHARE_MAIN) = span;
}

static void
on_span (const ArrangeAsync *begin, const ArrangeAsync *end, gpointer data)
{
  TtArrange *self = data;

  add_span (self, begin, join_pair (self, begin, end, FALSE));
}

static void
on_unclosed (const ArrangeAsync *begin, const ArrangeBounds *bounds, gpointer data)
{
  TtArrange *self = data;

  add_span (self, begin, close_begin (self, begin, bounds, FALSE));
}

/* Makes an instant of an end without a begin. FALSE: it has no name. */
static gboolean
make_instant (TtArrange *self, ArrangeRecord *end, guint32 process)
{
  tt_sink_repair_of (self->sink, process, TT_REPAIR_END_WITHOUT_BEGIN, end->offset);
  end->dur_ns = 0;
  end->flags_kind = arrange_flags (end) | TT_FLAG_INFERRED | ARRANGE_INSTANT << ARRANGE_KIND_SHIFT;
  return end->name != TT_NO_ID;
}

static void
on_lone_end (const ArrangeAsync *end, gpointer data)
{
  TtArrange *self = data;
  ArrangeRecord instant = end->record;

  if (!make_instant (self, &instant, end->process))
    return;
  arrange_set_key (&instant, end->thread, get_time (end, FALSE), ARRANGE_CODE_INSTANT);
  *(ArrangeRecord *) arrange_add (self, &self->main, sizeof instant, SHARE_MAIN) = instant;
}

static void
on_key_line (gpointer data)
{
  TtArrange *self = data;

  if (self->n_keys < G_MAXUINT32)
    self->n_keys++;
}

static void
add_async (TtArrange *self, const ArrangeAsync *event, const ArrangeRecord *record, guint32 code)
{
  ArrangeAsync *async = arrange_add (self, &self->spans, sizeof *async, SHARE_ASYNC);

  *async = (ArrangeAsync){ .record = *record, .thread = event->thread, .process = event->process };
  async->record.flags_kind |= TT_FLAG_ASYNC;
  arrange_set_key (&async->record, self->n_keys, get_time (event, TRUE), code);
}

static void
on_async_span (const ArrangeAsync *begin, const ArrangeAsync *end, gpointer data)
{
  TtArrange *self = data;
  ArrangeRecord span = join_pair (self, begin, end, TRUE);

  add_async (self, begin, &span, arrange_code_of_span (span.dur_ns));
}

static void
on_unclosed_async (const ArrangeAsync *begin, const ArrangeBounds *bounds, gpointer data)
{
  TtArrange *self = data;
  ArrangeRecord span = close_begin (self, begin, bounds, TRUE);

  add_async (self, begin, &span, arrange_code_of_span (span.dur_ns));
}

static void
on_lone_async_end (const ArrangeAsync *end, gpointer data)
{
  TtArrange *self = data;
  ArrangeRecord instant = end->record;

  if (make_instant (self, &instant, end->process))
    add_async (self, end, &instant, ARRANGE_CODE_INSTANT);
}

static gboolean
pair_events (TtArrange *self, TtSorter **events, gboolean is_async, GError **error)
{
  static const ArrangePairFuncs on_thread = { on_line, on_span, on_unclosed, on_lone_end },
                                on_key = { on_key_line, on_async_span, on_unclosed_async, on_lone_async_end };

  if (*events == NULL)
    return TRUE;
  gboolean ok = arrange_pair (*events, is_async, self->sink, is_async ? &on_key : &on_thread, self, error);
  g_clear_pointer (events, tt_sorter_free);
  return ok;
}

/* -- finish ------------------------------------------------------------------------------------------- */

typedef struct
{
  TtArrange *arrange;
  ArrangeFeed *feed;
  guint32 line;
  gboolean has_line;
} Feeding;

static gboolean
is_new_line (Feeding *self, guint32 line)
{
  gboolean is_new = !self->has_line || line != self->line;

  self->has_line = TRUE;
  self->line = line;
  return is_new;
}

static void
feed_record (Feeding *self, const ArrangeRecord *record, const ArrangeAsync *async)
{
  TtArrange *arrange = self->arrange;

  if (G_UNLIKELY (arrange->has_lone))
    {
      ArrangeRecord mended = *record;

      arrange_lone_mend (&arrange->lone, arrange->sink, &mended);
      arrange_feed_record (self->feed, &mended, async);
    }
  else
    arrange_feed_record (self->feed, record, async);
}

static void
begin_line (Feeding *self, guint32 id, guint32 process)
{
  const ArrangeThread *thread = arrange_thread (self->arrange, id);

  arrange_feed_begin_line (self->feed, id, process);
  arrange_lone_begin_line (&self->arrange->lone, process, thread->first_number, thread->last_number);
}

static void
on_record (const ArrangeRecord *record, gpointer data)
{
  Feeding *self = data;
  guint32 line = arrange_line (record);

  if (is_new_line (self, line))
    begin_line (self, line, arrange_thread (self->arrange, line)->process);
  feed_record (self, record, NULL);
}

/* All keys share one stack of nest, one after the other. */
static void
on_async_record (const ArrangeRecord *record, gpointer data)
{
  Feeding *self = data;
  const ArrangeAsync *async = (const ArrangeAsync *) (gconstpointer) record;

  if (is_new_line (self, arrange_line (record)))
    begin_line (self, async->thread, async->process);
  feed_record (self, record, async);
}

static gboolean
feed_sorted (TtArrange *self, TtSorter **sorter, gboolean is_async, gboolean is_mixed, GError **error)
{
  if (*sorter == NULL)
    return TRUE;

  Feeding feeding = { .arrange = self, .feed = arrange_feed_new (self->sink, self->nest, &self->hooks) };
  const ArrangeOrder order = {
    .sorter = *sorter,
    .record_size = is_async ? sizeof (ArrangeAsync) : sizeof (ArrangeRecord),
    .is_mixed = is_mixed,
    .is_by_end = self->is_by_end && !is_async,
    .sink = self->sink,
    .func = is_async ? on_async_record : on_record,
    .data = &feeding,
  };
  gboolean ok = arrange_each (&order, error);

  if (ok)
    arrange_feed_end_line (feeding.feed);
  ok = ok && arrange_feed_check (feeding.feed, error);
  arrange_feed_free (feeding.feed);
  g_clear_pointer (sorter, tt_sorter_free);
  return ok;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static gboolean
finish_trusted (TtArrange *self, GError **error)
{
  g_array_sort (self->trusted, compare_ids);
  for (guint i = 0; i < self->trusted->len; i++)
    {
      ArrangeFeed *feed = arrange_feed_of (self, arrange_thread (self, g_array_index (self->trusted, guint32, i)));

      arrange_feed_end_line (feed);
      if (!arrange_feed_check_own (feed, error))
        return FALSE;
    }
  /* Once for all of them: it asks every thread. */
  return tt_nest_check (self->nest, error);
}

static void
finish_counters (TtArrange *self)
{
  TtTimeSpread events = self->spread;

  if (self->counters == NULL)
    return;
  if (self->has_lone)
    events = (TtTimeSpread){ .groups = { { self->lone.first_ns, self->lone.last_ns, TT_FEW_TIMES * TT_FEW_TIMES } },
                             .n = 1 };
  arrange_counters_finish (self->counters, &events, self->sink);
}

static void
find_lone (TtArrange *self)
{
  self->has_lone = tt_time_spread_rest (&self->spread, &self->lone.first_ns, &self->lone.last_ns);
  for (guint32 i = 0; i < self->n_windows; i++)
    arrange_spikes_end_thread (&self->spikes, tt_id_table_at (&self->windows, i));
  if (self->has_lone || !arrange_spikes_finish (&self->spikes))
    return;
  self->has_lone = TRUE;
  self->lone.first_ns = self->spikes.first_ns;
  self->lone.last_ns = self->spikes.last_ns;
  self->lone.spikes = &self->spikes;
}

gboolean
tt_arrange_finish (TtArrange *self, GError **error)
{
  gboolean has_pairs = self->events != NULL;

  find_lone (self);
  finish_counters (self);
  return tt_sink_check (self->sink, 0, error) && finish_trusted (self, error) &&
         pair_events (self, &self->events, FALSE, error) && feed_sorted (self, &self->main, FALSE, has_pairs, error) &&
         pair_events (self, &self->async, TRUE, error) && feed_sorted (self, &self->spans, TRUE, TRUE, error) &&
         tt_sink_check (self->sink, 0, error);
}
