#include "config.h"

#include "formats/tau-export/items.h"

#include "src/base/progress.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u
#define US 1000
/* Above all counters: at one time they come first, so that none looks like a metric of an enter. */
#define OF_SPANS ((guint64) 1 << 63)
#define SEQUENCE_BITS 40

typedef struct
{
  guint64 high, low; /* 0 - event; time, or series */
  gint64 us, par, a, b;
  guint32 thread, value, kind, unused;
} Attached; /* half of a message, or metric */

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns, enter_us;
  GArray *attached; /* of Attached: halves not yet written in order of time, then metrics; or NULL */
  guint n_halves;
} Frame;

typedef struct
{
  GArray *frames; /* of Frame */
  GArray *root;   /* of Attached: halves outside of any span, or NULL */
  gint64 key_us;  /* no later than any record written so far, which are behind it */
  gint64 last_us;
  guint64 n;
  gboolean is_used;
  gboolean is_crossed; /* spans that cross have come from `source`: depths are no places in `frames` any more */
  guint32 source;
  GHashTable *metrics; /* series -> gint64: value before what was written so far; or NULL */
} ThreadState;

struct _TtTauItems
{
  TtStore *store;
  TtSelection *selection;
  TtTauReport *report;
  TtSorter *items;
  gint64 base_ns; /* added to all times: they must not be negative */
  gboolean is_ticks, has_onesided;
  guint64 n_counters;
  ThreadState *threads;
  guint32 n_threads;
  GArray *names, *series; /* of gboolean: used */
};

static void
use (GArray *used, guint32 id)
{
  if (id >= used->len)
    g_array_set_size (used, 2 * id + 64);
  g_array_index (used, gboolean, id) = TRUE;
}

/* -- times ------------------------------------------------------------------------------------------ */

static gint64
to_us (TtTauItems *self, gint64 ns)
{
  gint64 shifted;

  if (__builtin_add_overflow (ns, self->base_ns, &shifted) || shifted < 0)
    shifted = 0;
  if (self->is_ticks)
    return shifted;
  self->report->n_rounded += shifted % US != 0;
  return shifted / US;
}

static gboolean
find_base (TtTauItems *self, GError **error)
{
  gint64 first_ns, last_ns;
  guint n;
  const TtSource *sources = tt_store_sources (self->store, &n);

  if (tt_store_time_range (self->store, &first_ns, &last_ns, error))
    self->base_ns = first_ns < 0 && first_ns > G_MININT64 ? -first_ns : 0;
  else if (error != NULL && *error != NULL)
    return FALSE;
  self->is_ticks = n > 0;
  for (guint i = 0; i < n; i++)
    {
      self->is_ticks &= g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) == 0;
      self->report->mixed_clocks |= g_strcmp0 (sources[i].clock, sources[0].clock) != 0;
    }
  return TRUE;
}

/* -- what hangs on spans ------------------------------------------------------------------------------ */

typedef struct
{
  TtTauItems *self;
  const TtTauNumbers *numbers;
  TtSorter *attached;
} Gather;

static void
add_half (Gather *gather, const TtMessage *message, gboolean is_send)
{
  TtTauItems *self = gather->self;
  gint64 ns = is_send ? message->send_ns : message->recv_ns;
  guint32 thread = is_send ? message->src_thread : message->dst_thread;
  guint64 event = is_send ? message->send_event : message->recv_event;
  gboolean is_onesided = message->flags != NULL && g_str_has_prefix (message->flags, "onesided");

  if (ns == TT_NO_TIME || thread == TT_NO_ID || thread >= self->n_threads)
    return;
  if (self->selection != NULL && event == 0 && !tt_selection_matches_point (self->selection, thread, ns))
    return;
  if (!is_onesided)
    self->report->n_wrapped += message->tag < 0 || message->tag > G_MAXUINT16 || message->comm < 0 ||
                               message->comm > 63 || message->bytes >= (1 << 26);
  self->has_onesided |= is_onesided;
  Attached *half = tt_sorter_add (gather->attached);
  *half = (Attached){
    .high = 0 - event,
    .low = tt_sort_key (ns),
    .us = to_us (self, ns),
    .par = message->bytes,
    .a = message->tag,
    .b = message->comm,
    .thread = thread,
    .value = (guint32) gather->numbers->nodes[is_send ? message->dst_process : message->src_process],
    .kind = is_onesided ? (is_send ? TT_TAU_ITEM_ONESIDED_SEND : TT_TAU_ITEM_ONESIDED_RECV)
                        : (is_send ? TT_TAU_ITEM_SEND : TT_TAU_ITEM_RECV),
  };
}

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  add_half (data, message, TRUE);
  add_half (data, message, FALSE);
  return TRUE;
}

static gboolean
take_metric (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  Gather *gather = data;
  Attached *metric = tt_sorter_add (gather->attached);

  /* Behind the halves. */
  *metric = (Attached){
    .high = 0 - event,
    .low = G_MAXUINT64,
    .par = inclusive,
    .value = series,
    .kind = TT_TAU_ITEM_METRIC,
  };
  return TRUE;
}

static gboolean
take_counter (guint32 series,
              guint32 thread,
              gint64 ts_ns,
              gboolean is_real,
              gint64 integer,
              double real,
              gpointer data)
{
  TtTauItems *self = ((Gather *) data)->self;

  if (thread == TT_NO_ID || thread >= self->n_threads ||
      (self->selection != NULL && !tt_selection_matches_point (self->selection, thread, ts_ns)))
    return TRUE;
  if (is_real)
    {
      integer = real >= 9223372036854775808.0    ? G_MAXINT64
                : real <= -9223372036854775808.0 ? G_MININT64
                : real == real                   ? (gint64) real
                                                 : 0;
      self->report->n_fractions += !((double) integer == real);
    }
  gint64 us = to_us (self, ts_ns);
  use (self->series, series);
  ThreadState *state = &self->threads[thread];
  state->last_us = state->is_used ? MAX (state->last_us, us) : us;
  state->is_used = TRUE;
  TtTauItem *item = tt_sorter_add (self->items);
  *item = (TtTauItem){
    .high = tt_sort_key (us),
    .low = self->n_counters++,
    .us = us,
    .par = integer,
    .thread = thread,
    .value = series,
    .kind = TT_TAU_ITEM_COUNTER,
  };
  self->report->n_counters++;
  return TRUE;
}

/* -- backwards ------------------------------------------------------------------------------------------ */

static TtTauItem *
put (TtTauItems *self, guint32 thread, gint64 us)
{
  ThreadState *state = &self->threads[thread];

  state->key_us = state->n == 0 ? us : MIN (state->key_us, us);
  state->last_us = state->is_used ? MAX (state->last_us, us) : us;
  state->is_used = TRUE;
  guint64 place = ((guint64) 1 << SEQUENCE_BITS) - 1 - state->n++;
  TtTauItem *item = tt_sorter_add (self->items);
  *item = (TtTauItem){
    .high = tt_sort_key (state->key_us),
    .low = OF_SPANS | (guint64) thread << SEQUENCE_BITS | place,
    .us = us,
    .thread = thread,
  };
  return item;
}

/* Those halves of the innermost span, or of none, that are not before @us. */
static void
put_halves (TtTauItems *self, guint32 thread, gint64 us)
{
  ThreadState *state = &self->threads[thread];
  Frame *top = state->frames->len > 0 ? &g_array_index (state->frames, Frame, state->frames->len - 1) : NULL;
  GArray *halves = top != NULL ? top->attached : state->root;
  guint *n = top != NULL ? &top->n_halves : halves != NULL ? &halves->len : NULL;

  while (halves != NULL && *n > 0)
    {
      const Attached *half = &g_array_index (halves, Attached, *n - 1);
      if (half->us < us)
        break;
      TtTauItem *item = put (self, thread, half->us);
      item->par = half->par;
      item->a = half->a;
      item->b = half->b;
      item->value = half->value;
      item->kind = half->kind;
      (*n)--;
      self->report->n_messages++;
    }
}

/* Going backwards, the values at a leave are those reached; those at an enter lie the span's share below. */
static void
put_metrics (TtTauItems *self, guint32 thread, const Frame *frame, gint64 us, gboolean is_enter)
{
  ThreadState *state = &self->threads[thread];

  for (guint i = frame->attached != NULL ? frame->attached->len : 0; i-- > 0;)
    {
      const Attached *metric = &g_array_index (frame->attached, Attached, i);
      if (metric->kind != TT_TAU_ITEM_METRIC)
        break;
      if (state->metrics == NULL)
        state->metrics = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      gint64 *value = g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (metric->value));
      if (value == NULL)
        {
          value = g_new0 (gint64, 1);
          g_hash_table_insert (state->metrics, GUINT_TO_POINTER (metric->value), value);
        }
      if (is_enter)
        *value = metric->a - metric->par;
      use (self->series, metric->value);
      TtTauItem *item = put (self, thread, us);
      item->par = *value;
      item->value = metric->value;
      item->kind = TT_TAU_ITEM_METRIC;
    }
}

/* The values of metrics at the leave are kept for the enter. */
static void
note_metrics (TtTauItems *self, guint32 thread, Frame *frame)
{
  const ThreadState *state = &self->threads[thread];

  for (guint i = frame->n_halves; frame->attached != NULL && i < frame->attached->len; i++)
    {
      Attached *metric = &g_array_index (frame->attached, Attached, i);
      gint64 *value =
          state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (metric->value));
      metric->a = value == NULL ? 0 : *value;
    }
}

static void
pop_frame (TtTauItems *self, guint32 thread)
{
  ThreadState *state = &self->threads[thread];

  put_halves (self, thread, G_MININT64);
  Frame frame = g_array_index (state->frames, Frame, state->frames->len - 1);
  g_array_set_size (state->frames, state->frames->len - 1);
  put_metrics (self, thread, &frame, frame.enter_us, TRUE);
  TtTauItem *item = put (self, thread, frame.enter_us);
  item->kind = TT_TAU_ITEM_ENTER;
  item->value = frame.name;
  if (frame.attached != NULL)
    g_array_unref (frame.attached);
}

/* Ends those that @event is not inside. FALSE: it crosses one that ends later. */
static gboolean
make_room (TtTauItems *self, const TtEvent *event, gint64 end_ns)
{
  ThreadState *state = &self->threads[event->thread];

  if (state->source != event->source)
    {
      while (state->frames->len > 0)
        pop_frame (self, event->thread);
      state->source = event->source;
      state->is_crossed = FALSE;
    }
  state->is_crossed |= (event->flags & TT_FLAG_OVERLAP) != 0;
  for (; state->frames->len > 0; pop_frame (self, event->thread))
    {
      const Frame *top = &g_array_index (state->frames, Frame, state->frames->len - 1);

      if (state->is_crossed && (top->ts_ns <= event->ts_ns || top->ts_ns < end_ns))
        return top->ts_ns <= event->ts_ns;
      if (!state->is_crossed && top->depth < event->depth)
        break;
    }
  return TRUE;
}

static void
push_frame (TtTauItems *self, const TtEvent *event, GArray *attached, guint n_halves)
{
  ThreadState *state = &self->threads[event->thread];
  gint64 end_ns;

  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  if (!make_room (self, event, end_ns))
    {
      self->report->n_crossing++;
      g_clear_pointer (&attached, g_array_unref);
      return;
    }
  Frame frame = {
    .name = event->name,
    .depth = event->depth,
    .ts_ns = event->ts_ns,
    .enter_us = to_us (self, event->ts_ns),
    .attached = attached,
    .n_halves = n_halves,
  };
  gint64 leave_us = to_us (self, end_ns);

  put_halves (self, event->thread, leave_us);
  note_metrics (self, event->thread, &frame);
  put_metrics (self, event->thread, &frame, leave_us, FALSE);
  TtTauItem *item = put (self, event->thread, leave_us);
  item->kind = TT_TAU_ITEM_LEAVE;
  item->value = event->name;
  g_array_append_val (state->frames, frame);
  use (self->names, event->name);
  self->report->n_spans++;
}

typedef struct
{
  TtSorter *sorter;
  const Attached *next;
  GError *error;
} Attachments;

static void
advance (Attachments *self)
{
  self->next = tt_sorter_next (self->sorter, &self->error);
}

static void
take_roots (TtTauItems *self, Attachments *attachments)
{
  for (; attachments->next != NULL && attachments->next->high == 0; advance (attachments))
    {
      ThreadState *state = &self->threads[attachments->next->thread];
      if (state->root == NULL)
        state->root = g_array_new (FALSE, FALSE, sizeof (Attached));
      g_array_append_vals (state->root, attachments->next, 1);
    }
}

static void
take_event (TtTauItems *self, Attachments *attachments, const TtEvent *event)
{
  guint64 key = 0 - event->id;
  GArray *attached = NULL;
  guint n_halves = 0;
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  gboolean is_span = event->dur_ns != TT_NO_TIME && !is_async;
  gboolean is_wanted =
      event->thread < self->n_threads && (self->selection == NULL || tt_selection_matches (self->selection, event));

  while (attachments->next != NULL && attachments->next->high < key)
    advance (attachments);
  for (; attachments->next != NULL && attachments->next->high == key; advance (attachments))
    if (is_wanted && is_span)
      {
        if (attached == NULL)
          attached = g_array_new (FALSE, FALSE, sizeof (Attached));
        g_array_append_vals (attached, attachments->next, 1);
        n_halves += attachments->next->kind != TT_TAU_ITEM_METRIC;
      }
  self->report->n_instants += is_wanted && event->dur_ns == TT_NO_TIME;
  self->report->n_async += is_wanted && is_async && event->dur_ns != TT_NO_TIME;
  if (is_wanted && is_span)
    push_frame (self, event, attached, n_halves);
}

static gboolean
take_events (TtTauItems *self, TtSorter *attached, GError **error)
{
  Attachments attachments = { .sorter = attached };
  g_autoptr (TtProgress) progress = NULL;
  g_autoptr (GError) failed = NULL;
  TtEvent event;
  guint n = 0;

  if (!tt_sorter_finish (attached, error))
    return FALSE;
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_REVERSE, error);
  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  advance (&attachments);
  take_roots (self, &attachments);
  while (failed == NULL && attachments.error == NULL && tt_event_scan_next (scan, &event))
    {
      take_event (self, &attachments, &event);
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          tt_cancelled (&failed);
          n = 0;
        }
    }
  if (failed == NULL)
    failed = g_steal_pointer (&attachments.error);
  g_clear_error (&attachments.error);
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  for (guint32 thread = 0; thread < self->n_threads; thread++)
    {
      while (self->threads[thread].frames->len > 0)
        pop_frame (self, thread);
      put_halves (self, thread, G_MININT64);
    }
  return TRUE;
}

/* -- public --------------------------------------------------------------------------------------------- */

TtTauItems *
tt_tau_items_new (TtStore *store, TtSelection *selection, TtTauReport *report, GError **error)
{
  g_autoptr (TtTauItems) self = g_new0 (TtTauItems, 1);
  g_autoptr (TtTauNumbers) numbers = tt_tau_numbers_new (store, error);
  g_autoptr (TtSorter) attached = tt_sorter_new (sizeof (Attached), SORT_MEMORY);
  Gather gather = { .self = self, .numbers = numbers, .attached = attached };

  self->store = store;
  self->selection = selection;
  self->report = report;
  self->items = tt_sorter_new (sizeof (TtTauItem), SORT_MEMORY);
  self->names = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->series = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->n_threads = tt_store_max_thread (store) + 1;
  self->threads = g_new0 (ThreadState, self->n_threads);
  for (guint32 i = 0; i < self->n_threads; i++)
    self->threads[i].frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  if (numbers == NULL || !find_base (self, error) || !tt_store_each_message (store, take_message, &gather, error) ||
      !tt_store_each_metric (store, take_metric, &gather, error) ||
      !tt_store_each_counter (store, take_counter, &gather, error) || !take_events (self, attached, error) ||
      !tt_sorter_finish (self->items, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_tau_items_free (TtTauItems *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      ThreadState *state = &self->threads[i];
      for (guint k = 0; k < state->frames->len; k++)
        g_clear_pointer (&g_array_index (state->frames, Frame, k).attached, g_array_unref);
      g_array_unref (state->frames);
      g_clear_pointer (&state->root, g_array_unref);
      g_clear_pointer (&state->metrics, g_hash_table_unref);
    }
  g_free (self->threads);
  g_array_unref (self->names);
  g_array_unref (self->series);
  tt_sorter_free (self->items);
  g_free (self);
}

const TtTauItem *
tt_tau_items_next (TtTauItems *self, GError **error)
{
  return tt_sorter_next (self->items, error);
}

gboolean
tt_tau_items_last (const TtTauItems *self, guint32 thread, gint64 *us)
{
  if (thread >= self->n_threads || !self->threads[thread].is_used)
    return FALSE;
  *us = self->threads[thread].last_us;
  return TRUE;
}

gint64
tt_tau_items_metric_base (const TtTauItems *self, guint32 thread, guint32 series)
{
  const ThreadState *state = &self->threads[thread];
  const gint64 *value = state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (series));

  return value == NULL ? 0 : *value;
}

gboolean
tt_tau_items_uses_name (const TtTauItems *self, guint32 name)
{
  return name < self->names->len && g_array_index (self->names, gboolean, name);
}

gboolean
tt_tau_items_uses_series (const TtTauItems *self, guint32 series)
{
  return series < self->series->len && g_array_index (self->series, gboolean, series);
}

gboolean
tt_tau_items_has_onesided (const TtTauItems *self)
{
  return self->has_onesided;
}
