/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

/* Shares of the memory for sorting, in 16ths: of all that goes to nest, of begins and ends, of asynchronous ones
 * and of their spans. */
#define MEMORY_BYTES ((gsize) 40 << 20)
#define SHARE_MAIN 8
#define SHARE_EVENTS 4
#define SHARE_ASYNC 2

#define HALVES_BYTES ((gsize) 2 << 20)

/* Each trusted thread has a stack of its own all the time; those beyond are sorted, one after the other. */
#define MAX_TRUSTED 4096u

/* What the calls so far say of a thread. */
typedef struct
{
  gint64 last_ns;                    /* where it is seen */
  guint64 first_number, last_number; /* of its calls */
  guint32 process;
  guint16 is_seen;
  guint16 feed; /* of a trusted thread: its number in `feeds` + 1; 0: none */
} Thread;

struct _TtArrange
{
  TtSink *sink;
  ArrangeHooks hooks;
  TtIdTable threads; /* of Thread */
  GPtrArray *feeds;  /* of the trusted threads */
  GArray *trusted;   /* guint32: their ids */
  guint64 n_calls;
  gsize memory;
  TtSorter *main;   /* of ArrangeRecord: spans, instants and flow points of threads */
  TtSorter *events; /* of ArrangeAsync: their begins and ends */
  TtSorter *async;  /* of ArrangeAsync: asynchronous begins and ends by key */
  TtSorter *spans;  /* of ArrangeAsync: the spans of these, by number of the key */
  guint32 n_keys;
  gboolean is_by_end;
  TtTimeSpread spread;
  ArrangeLone lone; /* has_lone: some records are */
  gboolean has_lone;
  TtNest *nest;
};

TtArrange *
tt_arrange_new (TtSink *sink)
{
  TtArrange *self = g_new0 (TtArrange, 1);

  self->sink = sink;
  self->hooks.flow_kinds = g_ptr_array_new ();
  self->threads.row_size = sizeof (Thread);
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
  g_ptr_array_unref (self->hooks.flow_kinds);
  g_clear_pointer (&self->hooks.halves, tt_tape_free);
  g_clear_pointer (&self->hooks.span_flows, tt_tape_free);
  tt_sorter_free (self->main);
  tt_sorter_free (self->events);
  tt_sorter_free (self->async);
  tt_sorter_free (self->spans);
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

static inline Thread *
thread_at (TtArrange *self, guint32 id)
{
  return tt_id_table_at (&self->threads, id);
}

/* NULL: the thread is not trusted. */
static inline ArrangeFeed *
feed_of (const TtArrange *self, const Thread *thread)
{
  return thread->feed == 0 ? NULL : self->feeds->pdata[thread->feed - 1];
}

/* Notes the time. Returns the feed of the thread if it is trusted, or NULL. */
static ArrangeFeed *
find_feed (TtArrange *self, const TtTraceRecord *what, gint64 ts_ns)
{
  Thread *thread = thread_at (self, what->thread);
  ArrangeFeed *feed = feed_of (self, thread);
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

static void *
add_to (TtArrange *self, TtSorter **sorter, gsize record_size, guint share)
{
  if (G_UNLIKELY (*sorter == NULL))
    *sorter = tt_sorter_new (record_size, self->memory / 16 * share);
  return tt_sorter_add (*sorter);
}

static void
add_record (TtArrange *self, ArrangeFeed *feed, const ArrangeRecord *record)
{
  if (feed != NULL)
    arrange_feed_record (feed, record, NULL);
  else
    *(ArrangeRecord *) add_to (self, &self->main, sizeof *record, SHARE_MAIN) = *record;
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
  ArrangeRecord record = to_record (self, span, ARRANGE_SPAN);

  record.dur_ns = dur_ns;
  if (G_UNLIKELY (span->dur_ns < 0))
    {
      tt_sink_repair_of (self->sink, span->process, TT_REPAIR_END_BEFORE_START, span->offset);
      record.flags_kind |= TT_FLAG_END_BEFORE_START;
    }
  tt_time_spread_add (&self->spread, span->ts_ns);
  tt_time_spread_add (&self->spread, end_ns);
  arrange_set_key (&record, span->thread, span->ts_ns, arrange_code_of_span (dur_ns));
  add_record (self, feed, &record);
}

void
tt_arrange_instant (TtArrange *self, const TtTraceRecord *instant)
{
  ArrangeFeed *feed = find_feed (self, instant, instant->ts_ns);
  ArrangeRecord record = to_record (self, instant, ARRANGE_INSTANT);

  tt_time_spread_add (&self->spread, instant->ts_ns);
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
  arrange_set_key (&record, what->thread, what->ts_ns, 0);
  if (feed != NULL)
    arrange_feed_record (feed, &record, NULL);
  else
    *(ArrangeAsync *) add_to (self, &self->events, sizeof (ArrangeAsync), SHARE_EVENTS) =
        (ArrangeAsync){ .record = record, .thread = what->thread, .process = what->process };
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
  ArrangeAsync *async = add_to (self, &self->async, sizeof (ArrangeAsync), SHARE_ASYNC);

  find_feed (self, what, what->ts_ns);
  tt_time_spread_add (&self->spread, what->ts_ns);
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
  Thread *trusted = thread_at (self, thread);

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
  return tt_id_table_check (&self->threads, error) && tt_nest_check (self->nest, error);
}

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

/* The span that @begin and @end make; its key is not set. */
static ArrangeRecord
join_pair (TtArrange *self, const ArrangeAsync *begin, const ArrangeAsync *end, gboolean is_async)
{
  ArrangeRecord span = begin->record;
  gint64 ts_ns = get_time (begin, is_async), end_ns;

  join_metric (&span, end == NULL ? NULL : &end->record);
  guint32 flags = arrange_flags (&span);
  if (end != NULL)
    {
      const ArrangeRecord *last = &end->record;

      end_ns = get_time (end, is_async);
      flags |= arrange_flags (last) & ~ARRANGE_EXTRAS;
      if (span.step == TT_NO_STEP)
        span.step = last->step;
      if (span.args == 0)
        span.args = last->args;
      else if (last->args != 0)
        tt_sink_args_merge (self->sink, span.args, last->args);
    }
  else
    {
      tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_UNCLOSED, span.offset);
      flags |= TT_FLAG_UNCLOSED;
      end_ns = thread_at (self, begin->thread)->last_ns;
      /* A lone end far behind is none of it. */
      if (self->has_lone && end_ns > self->lone.last_ns)
        end_ns = MAX (ts_ns, self->lone.last_ns);
    }
  if (__builtin_sub_overflow (end_ns, ts_ns, &span.dur_ns))
    span.dur_ns = G_MAXINT64;
  span.flags_kind = flags | ARRANGE_SPAN << ARRANGE_KIND_SHIFT;
  return span;
}

static void
on_line (gpointer data)
{
}

static void
on_span (const ArrangeAsync *begin, const ArrangeAsync *end, gpointer data)
{
  TtArrange *self = data;
  ArrangeRecord span = join_pair (self, begin, end, FALSE);

  arrange_set_key (&span, begin->thread, get_time (begin, FALSE), arrange_code_of_span (span.dur_ns));
  *(ArrangeRecord *) add_to (self, &self->main, sizeof span, SHARE_MAIN) = span;
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
  *(ArrangeRecord *) add_to (self, &self->main, sizeof instant, SHARE_MAIN) = instant;
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
  ArrangeAsync *async = add_to (self, &self->spans, sizeof *async, SHARE_ASYNC);

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
  static const ArrangePairFuncs on_thread = { on_line, on_span, on_lone_end },
                                on_key = { on_key_line, on_async_span, on_lone_async_end };

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
  const Thread *thread = thread_at (self->arrange, id);

  arrange_feed_begin_line (self->feed, id, process);
  arrange_lone_begin_line (&self->arrange->lone, process, thread->first_number, thread->last_number);
}

static void
on_record (const ArrangeRecord *record, gpointer data)
{
  Feeding *self = data;
  guint32 line = arrange_line (record);

  if (is_new_line (self, line))
    begin_line (self, line, thread_at (self->arrange, line)->process);
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
      ArrangeFeed *feed = feed_of (self, thread_at (self, g_array_index (self->trusted, guint32, i)));

      arrange_feed_end_line (feed);
      if (!arrange_feed_check_own (feed, error))
        return FALSE;
    }
  /* Once for all of them: it asks every thread. */
  return tt_nest_check (self->nest, error);
}

gboolean
tt_arrange_finish (TtArrange *self, GError **error)
{
  gboolean has_pairs = self->events != NULL;

  self->has_lone = tt_time_spread_rest (&self->spread, &self->lone.first_ns, &self->lone.last_ns);
  return tt_sink_check (self->sink, 0, error) && finish_trusted (self, error) &&
         pair_events (self, &self->events, FALSE, error) && feed_sorted (self, &self->main, FALSE, has_pairs, error) &&
         pair_events (self, &self->async, TRUE, error) && feed_sorted (self, &self->spans, TRUE, TRUE, error) &&
         tt_sink_check (self->sink, 0, error);
}
