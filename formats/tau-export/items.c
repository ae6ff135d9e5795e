/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/items.h"

#include "formats/tau-export/attached.h"
#include "formats/tau-export/run.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u
/* Above all counters: at one time they come first, so that none looks like a metric of an enter. */
#define OF_SPANS ((guint64) 1 << 63)
#define SEQUENCE_BITS 40

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns, enter_us;
  GArray *attached; /* of TtTauExportAttached: halves not yet written in order of time, then metrics; or NULL */
  guint n_halves;
} Frame;

typedef struct
{
  GArray *frames; /* of Frame */
  GArray *root;   /* of TtTauExportAttached: halves outside of any span, or NULL */
  gint64 key_us;  /* no later than any item added so far, which all come after the next */
  gint64 last_us;
  guint64 n;
  gboolean is_used;
  gboolean is_crossed; /* spans that cross have come from `source`: depths are no places in `frames` any more */
  guint32 source;
  GHashTable *metrics; /* series -> gint64: value before what was written so far; or NULL */
} ThreadState;

struct _TtTauExportItems
{
  TtTauExportRun run;
  TtSorter *items;
  gboolean has_onesided;
  guint64 n_counters;
  ThreadState *threads;
  GArray *names, *series; /* of gboolean: used */
};

static void
mark_used (GArray *used, guint32 id)
{
  if (id >= used->len)
    g_array_set_size (used, 2 * id + 64);
  g_array_index (used, gboolean, id) = TRUE;
}

/* -- counters ------------------------------------------------------------------------------------------ */

static gboolean
on_counter (guint32 series,
              guint32 thread,
              gint64 ts_ns,
              gboolean is_real,
              gint64 integer,
              double real,
              gpointer data)
{
  TtTauExportItems *self = data;

  if (thread == TT_NO_ID || thread >= self->run.n_threads ||
      !tt_tau_export_run_has_point (&self->run, thread, ts_ns))
    return TRUE;
  if (is_real)
    {
      integer = real >= 9223372036854775808.0    ? G_MAXINT64
                : real <= -9223372036854775808.0 ? G_MININT64
                : real == real                   ? (gint64) real
                                                 : 0;
      self->run.report->n_fractions += !((double) integer == real);
    }
  gint64 us = tt_tau_export_run_us (&self->run, ts_ns);
  mark_used (self->series, series);
  ThreadState *state = &self->threads[thread];
  state->last_us = state->is_used ? MAX (state->last_us, us) : us;
  state->is_used = TRUE;
  TtTauExportItem *item = tt_sorter_add (self->items);
  *item = (TtTauExportItem){
    .high = tt_sort_key (us),
    .low = self->n_counters++,
    .us = us,
    .par = integer,
    .thread = thread,
    .value = series,
    .kind = TT_TAU_EXPORT_COUNTER,
  };
  self->run.report->n_counters++;
  return TRUE;
}

/* -- backwards ------------------------------------------------------------------------------------------ */

static TtTauExportItem *
add_item (TtTauExportItems *self, guint32 thread, gint64 us)
{
  ThreadState *state = &self->threads[thread];

  state->key_us = state->n == 0 ? us : MIN (state->key_us, us);
  state->last_us = state->is_used ? MAX (state->last_us, us) : us;
  state->is_used = TRUE;
  guint64 place = ((guint64) 1 << SEQUENCE_BITS) - 1 - state->n++;
  TtTauExportItem *item = tt_sorter_add (self->items);
  *item = (TtTauExportItem){
    .high = tt_sort_key (state->key_us),
    .low = OF_SPANS | (guint64) thread << SEQUENCE_BITS | place,
    .us = us,
    .thread = thread,
  };
  return item;
}

/* Adds the pending halves with time >= @us, of the innermost span or of none. */
static void
add_halves (TtTauExportItems *self, guint32 thread, gint64 us)
{
  ThreadState *state = &self->threads[thread];
  Frame *top = state->frames->len > 0 ? &g_array_index (state->frames, Frame, state->frames->len - 1) : NULL;
  GArray *halves = top != NULL ? top->attached : state->root;
  guint *n = top != NULL ? &top->n_halves : halves != NULL ? &halves->len : NULL;

  while (halves != NULL && *n > 0)
    {
      const TtTauExportAttached *half = &g_array_index (halves, TtTauExportAttached, *n - 1);
      if (half->us < us)
        break;
      TtTauExportItem *item = add_item (self, thread, half->us);
      item->par = half->par;
      item->a = half->a;
      item->b = half->b;
      item->value = half->value;
      item->kind = half->kind;
      (*n)--;
      self->run.report->n_messages++;
    }
}

/* Going backwards, the values at a leave are those reached; those at an enter lie the span's share below. */
static void
add_metrics (TtTauExportItems *self, guint32 thread, const Frame *frame, gint64 us, gboolean is_enter)
{
  ThreadState *state = &self->threads[thread];

  for (guint i = frame->attached != NULL ? frame->attached->len : 0; i-- > 0;)
    {
      const TtTauExportAttached *metric = &g_array_index (frame->attached, TtTauExportAttached, i);
      if (metric->kind != TT_TAU_EXPORT_METRIC)
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
      mark_used (self->series, metric->value);
      TtTauExportItem *item = add_item (self, thread, us);
      item->par = *value;
      item->value = metric->value;
      item->kind = TT_TAU_EXPORT_METRIC;
    }
}

/* The values of metrics at the leave are kept for the enter. */
static void
note_metrics (TtTauExportItems *self, guint32 thread, Frame *frame)
{
  const ThreadState *state = &self->threads[thread];

  for (guint i = frame->n_halves; frame->attached != NULL && i < frame->attached->len; i++)
    {
      TtTauExportAttached *metric = &g_array_index (frame->attached, TtTauExportAttached, i);
      gint64 *value =
          state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (metric->value));
      metric->a = value == NULL ? 0 : *value;
    }
}

static void
pop_frame (TtTauExportItems *self, guint32 thread)
{
  ThreadState *state = &self->threads[thread];

  add_halves (self, thread, G_MININT64);
  Frame frame = g_array_index (state->frames, Frame, state->frames->len - 1);
  g_array_set_size (state->frames, state->frames->len - 1);
  add_metrics (self, thread, &frame, frame.enter_us, TRUE);
  TtTauExportItem *item = add_item (self, thread, frame.enter_us);
  item->kind = TT_TAU_EXPORT_ENTER;
  item->value = frame.name;
  if (frame.attached != NULL)
    g_array_unref (frame.attached);
}

/* Pops the frames that @event is not inside. FALSE: it crosses one that ends later. */
static gboolean
pop_ended (TtTauExportItems *self, const TtEvent *event, gint64 end_ns)
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
push_frame (TtTauExportItems *self, const TtEvent *event, GArray *attached, guint n_halves)
{
  ThreadState *state = &self->threads[event->thread];
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);

  if (!pop_ended (self, event, end_ns))
    {
      self->run.report->n_crossing++;
      g_clear_pointer (&attached, g_array_unref);
      return;
    }
  Frame frame = {
    .name = event->name,
    .depth = event->depth,
    .ts_ns = event->ts_ns,
    .enter_us = tt_tau_export_run_us (&self->run, event->ts_ns),
    .attached = attached,
    .n_halves = n_halves,
  };
  gint64 leave_us = tt_tau_export_run_us (&self->run, end_ns);

  add_halves (self, event->thread, leave_us);
  note_metrics (self, event->thread, &frame);
  add_metrics (self, event->thread, &frame, leave_us, FALSE);
  TtTauExportItem *item = add_item (self, event->thread, leave_us);
  item->kind = TT_TAU_EXPORT_LEAVE;
  item->value = event->name;
  g_array_append_val (state->frames, frame);
  mark_used (self->names, event->name);
  self->run.report->n_spans++;
}

/* The halves of no event: outside of any span. */
static void
read_roots (TtTauExportItems *self, TtTauExportAttachments *attachments)
{
  const TtTauExportAttached *half;

  for (; (half = tt_tau_export_attachments_peek (attachments, 0)) != NULL; tt_tau_export_attachments_drop (attachments))
    {
      ThreadState *state = &self->threads[half->thread];
      if (state->root == NULL)
        state->root = g_array_new (FALSE, FALSE, sizeof (TtTauExportAttached));
      g_array_append_vals (state->root, half, 1);
    }
}

static void
read_span (TtTauExportItems *self, TtTauExportAttachments *attachments, const TtEvent *event)
{
  const TtTauExportAttached *next;
  GArray *attached = NULL;
  guint n_halves = 0;

  for (; (next = tt_tau_export_attachments_peek (attachments, event->id)) != NULL;
       tt_tau_export_attachments_drop (attachments))
    {
      if (attached == NULL)
        attached = g_array_new (FALSE, FALSE, sizeof (TtTauExportAttached));
      g_array_append_vals (attached, next, 1);
      n_halves += next->kind != TT_TAU_EXPORT_METRIC;
    }
  push_frame (self, event, attached, n_halves);
}

static void
read_event (TtTauExportItems *self, TtTauExportAttachments *attachments, const TtEvent *event)
{
  TtTauExportReport *report = self->run.report;

  if (event->thread >= self->run.n_threads ||
      (self->run.selection != NULL && !tt_selection_matches (self->run.selection, event)))
    return;
  if (event->dur_ns == TT_NO_TIME)
    report->n_instants++;
  else if (event->flags & TT_FLAG_ASYNC)
    report->n_async++;
  else
    read_span (self, attachments, event);
}

static gboolean
read_events (TtTauExportItems *self, TtTauExportAttachments *attachments, GError **error)
{
  g_autoptr (TtProgress) progress = NULL;
  g_autoptr (GError) failed = NULL;
  TtEvent event;
  guint n = 0;

  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (self->run.selection != NULL)
    tt_selection_window (self->run.selection, &begin_ns, &end_ns);
  TtEventScan *scan = tt_event_scan_new_between (self->run.store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("reading", tt_store_n_events (self->run.store), "events");
  read_roots (self, attachments);
  while (failed == NULL && tt_tau_export_attachments_check (attachments, &failed) && tt_event_scan_next (scan, &event))
    {
      read_event (self, attachments, &event);
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          tt_cancelled (&failed);
          n = 0;
        }
    }
  if (failed == NULL)
    tt_tau_export_attachments_check (attachments, &failed);
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static void
finish_threads (TtTauExportItems *self)
{
  for (guint32 thread = 0; thread < self->run.n_threads; thread++)
    {
      while (self->threads[thread].frames->len > 0)
        pop_frame (self, thread);
      add_halves (self, thread, G_MININT64);
    }
}

/* -- public --------------------------------------------------------------------------------------------- */

TtTauExportItems *
tt_tau_export_items_new (TtStore *store,
                  TtSelection *selection,
                  const TtTauExportNumbers *numbers,
                  TtTauExportReport *report,
                  GError **error)
{
  g_autoptr (TtTauExportItems) self = g_new0 (TtTauExportItems, 1);

  self->items = tt_sorter_new (sizeof (TtTauExportItem), SORT_MEMORY);
  self->names = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->series = g_array_new (FALSE, TRUE, sizeof (gboolean));
  if (!tt_tau_export_run_init (&self->run, store, selection, report, error))
    return NULL;
  self->threads = g_new0 (ThreadState, self->run.n_threads);
  for (guint32 i = 0; i < self->run.n_threads; i++)
    self->threads[i].frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autoptr (TtTauExportAttachments) attachments = tt_tau_export_attachments_new (&self->run, numbers, error);
  if (attachments == NULL || !tt_store_each_counter (store, on_counter, self, error) ||
      !read_events (self, attachments, error))
    return NULL;
  finish_threads (self);
  if (!tt_sorter_finish (self->items, error))
    return NULL;
  self->has_onesided = tt_tau_export_attachments_has_onesided (attachments);
  return g_steal_pointer (&self);
}

void
tt_tau_export_items_free (TtTauExportItems *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; self->threads != NULL && i < self->run.n_threads; i++)
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

const TtTauExportItem *
tt_tau_export_items_next (TtTauExportItems *self, GError **error)
{
  return tt_sorter_next (self->items, error);
}

gboolean
tt_tau_export_items_last (const TtTauExportItems *self, guint32 thread, gint64 *us)
{
  if (thread >= self->run.n_threads || !self->threads[thread].is_used)
    return FALSE;
  *us = self->threads[thread].last_us;
  return TRUE;
}

gint64
tt_tau_export_items_metric_base (const TtTauExportItems *self, guint32 thread, guint32 series)
{
  const ThreadState *state = &self->threads[thread];
  const gint64 *value = state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (series));

  return value == NULL ? 0 : *value;
}

gboolean
tt_tau_export_items_uses_name (const TtTauExportItems *self, guint32 name)
{
  return name < self->names->len && g_array_index (self->names, gboolean, name);
}

gboolean
tt_tau_export_items_uses_series (const TtTauExportItems *self, guint32 series)
{
  return series < self->series->len && g_array_index (self->series, gboolean, series);
}

gboolean
tt_tau_export_items_has_onesided (const TtTauExportItems *self)
{
  return self->has_onesided;
}
