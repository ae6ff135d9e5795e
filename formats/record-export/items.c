/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/items.h"

#include "formats/record-export/attached.h"
#include "formats/record-export/run.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#include <string.h>

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u
/* Above all counters: at one time they come first, so that none looks like a metric of an enter. */
#define OF_SPANS ((guint64) 1 << 63)
#define SEQUENCE_BITS 40

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns, enter_time;
  GArray *attached; /* of TtRecordExportAttached: halves not yet written in order of time, then metrics; or NULL */
  guint n_halves;
  gint64 root, comm;
  guint32 call; /* TtRecordExportCall, of which root and comm are */
} Frame;

typedef struct
{
  GArray *frames;  /* of Frame */
  GArray *root;    /* of TtRecordExportAttached: halves outside of any span, or NULL */
  gint64 key_time; /* no later than any item added so far, which all come after the next */
  gint64 last_time;
  guint64 n;
  gboolean is_used;
  gboolean is_crossed; /* spans that cross have come from `source`: depths are no places in `frames` any more */
  guint32 source;
  GHashTable *metrics; /* series -> gint64: value before what was written so far; or NULL */
} ThreadState;

struct _TtRecordExportItems
{
  TtRecordExportRun run;
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
on_counter (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  TtRecordExportItems *self = data;

  if (thread == TT_NO_ID || thread >= self->run.n_threads ||
      !tt_record_export_run_has_point (&self->run, thread, ts_ns))
    return TRUE;
  if (is_real)
    memcpy (&integer, &real, sizeof integer);
  gint64 time = tt_record_export_run_time (&self->run, ts_ns);
  mark_used (self->series, series);
  ThreadState *state = &self->threads[thread];
  state->last_time = state->is_used ? MAX (state->last_time, time) : time;
  state->is_used = TRUE;
  TtRecordExportItem *item = tt_sorter_add (self->items);
  *item = (TtRecordExportItem){
    .high = tt_sort_key (time),
    .low = self->n_counters++,
    .time = time,
    .par = integer,
    .thread = thread,
    .value = series,
    .kind = is_real ? TT_RECORD_EXPORT_COUNTER_REAL : TT_RECORD_EXPORT_COUNTER,
  };
  self->run.report->n_counters++;
  return TRUE;
}

/* -- backwards ------------------------------------------------------------------------------------------ */

static TtRecordExportItem *
add_item (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  ThreadState *state = &self->threads[thread];

  state->key_time = state->n == 0 ? time : MIN (state->key_time, time);
  state->last_time = state->is_used ? MAX (state->last_time, time) : time;
  state->is_used = TRUE;
  guint64 place = ((guint64) 1 << SEQUENCE_BITS) - 1 - state->n++;
  TtRecordExportItem *item = tt_sorter_add (self->items);
  *item = (TtRecordExportItem){
    .high = tt_sort_key (state->key_time),
    .low = OF_SPANS | (guint64) thread << SEQUENCE_BITS | place,
    .time = time,
    .thread = thread,
  };
  return item;
}

/* Adds the pending halves with time >= @time, of the innermost span or of none. */
static void
add_halves (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  ThreadState *state = &self->threads[thread];
  Frame *top = state->frames->len > 0 ? &g_array_index (state->frames, Frame, state->frames->len - 1) : NULL;
  GArray *halves = top != NULL ? top->attached : state->root;
  guint *n = top != NULL ? &top->n_halves : halves != NULL ? &halves->len : NULL;

  while (halves != NULL && *n > 0)
    {
      const TtRecordExportAttached *half = &g_array_index (halves, TtRecordExportAttached, *n - 1);
      if (half->time < time)
        break;
      TtRecordExportItem *item = add_item (self, thread, half->time);
      item->par = half->par;
      item->a = half->a;
      item->b = half->b;
      item->value = half->value;
      item->kind = half->kind;
      item->ordinal = half->ordinal;
      (*n)--;
      self->run.report->n_messages++;
    }
}

/* Going backwards, the values at a leave are those reached; those at an enter lie the span's share below. */
static void
add_metrics (TtRecordExportItems *self, guint32 thread, const Frame *frame, gint64 time, gboolean is_enter)
{
  ThreadState *state = &self->threads[thread];

  for (guint i = frame->attached != NULL ? frame->attached->len : 0; i-- > 0;)
    {
      const TtRecordExportAttached *metric = &g_array_index (frame->attached, TtRecordExportAttached, i);
      if (metric->kind != TT_RECORD_EXPORT_METRIC)
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
      TtRecordExportItem *item = add_item (self, thread, time);
      item->par = *value;
      item->value = metric->value;
      item->kind = TT_RECORD_EXPORT_METRIC;
    }
}

/* The values of metrics at the leave are kept for the enter. */
static void
note_metrics (TtRecordExportItems *self, guint32 thread, Frame *frame)
{
  const ThreadState *state = &self->threads[thread];

  for (guint i = frame->n_halves; frame->attached != NULL && i < frame->attached->len; i++)
    {
      TtRecordExportAttached *metric = &g_array_index (frame->attached, TtRecordExportAttached, i);
      gint64 *value =
          state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (metric->value));
      metric->a = value == NULL ? 0 : *value;
    }
}

static void
tell_call (TtRecordExportItem *item, const Frame *frame)
{
  item->a = frame->root;
  item->b = frame->comm;
  item->ordinal = frame->call;
}

static void
pop_frame (TtRecordExportItems *self, guint32 thread)
{
  ThreadState *state = &self->threads[thread];

  add_halves (self, thread, G_MININT64);
  Frame frame = g_array_index (state->frames, Frame, state->frames->len - 1);
  g_array_set_size (state->frames, state->frames->len - 1);
  add_metrics (self, thread, &frame, frame.enter_time, TRUE);
  TtRecordExportItem *item = add_item (self, thread, frame.enter_time);
  item->kind = TT_RECORD_EXPORT_ENTER;
  item->value = frame.name;
  tell_call (item, &frame);
  if (frame.attached != NULL)
    g_array_unref (frame.attached);
}

/* Pops the frames that @event is not inside. FALSE: it crosses one that ends later. */
static gboolean
pop_ended (TtRecordExportItems *self, const TtEvent *event, gint64 end_ns)
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
push_frame (TtRecordExportItems *self,
            const TtEvent *event,
            GArray *attached,
            guint n_halves,
            const TtRecordExportAttached *call)
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
    .enter_time = tt_record_export_run_time (&self->run, event->ts_ns),
    .attached = attached,
    .n_halves = n_halves,
    .root = call->a,
    .comm = call->b,
    .call = call->ordinal,
  };
  gint64 leave_time = tt_record_export_run_time (&self->run, end_ns);

  add_halves (self, event->thread, leave_time);
  note_metrics (self, event->thread, &frame);
  add_metrics (self, event->thread, &frame, leave_time, FALSE);
  TtRecordExportItem *item = add_item (self, event->thread, leave_time);
  item->kind = TT_RECORD_EXPORT_LEAVE;
  item->value = event->name;
  tell_call (item, &frame);
  g_array_append_val (state->frames, frame);
  mark_used (self->names, event->name);
  self->run.report->n_spans++;
}

/* The halves of no event: outside of any span. */
static void
read_roots (TtRecordExportItems *self, TtRecordExportAttachments *attachments)
{
  const TtRecordExportAttached *half;

  for (; (half = tt_record_export_attachments_peek (attachments, 0)) != NULL;
       tt_record_export_attachments_drop (attachments))
    {
      ThreadState *state = &self->threads[half->thread];
      if (state->root == NULL)
        state->root = g_array_new (FALSE, FALSE, sizeof (TtRecordExportAttached));
      g_array_append_vals (state->root, half, 1);
    }
}

static void
read_span (TtRecordExportItems *self, TtRecordExportAttachments *attachments, const TtEvent *event)
{
  const TtRecordExportAttached *next;
  TtRecordExportAttached call = { .ordinal = TT_RECORD_EXPORT_NO_CALL };
  GArray *attached = NULL;
  guint n_halves = 0;

  for (; (next = tt_record_export_attachments_peek (attachments, event->id)) != NULL;
       tt_record_export_attachments_drop (attachments))
    {
      if (next->kind == TT_RECORD_EXPORT_OF_CALL)
        {
          call = *next;
          continue;
        }
      if (attached == NULL)
        attached = g_array_new (FALSE, FALSE, sizeof (TtRecordExportAttached));
      g_array_append_vals (attached, next, 1);
      n_halves += next->kind != TT_RECORD_EXPORT_METRIC;
    }
  push_frame (self, event, attached, n_halves, &call);
}

static void
read_event (TtRecordExportItems *self, TtRecordExportAttachments *attachments, const TtEvent *event)
{
  TtRecordExportReport *report = self->run.report;

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
read_events (TtRecordExportItems *self, TtRecordExportAttachments *attachments, GError **error)
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
  while (failed == NULL && tt_record_export_attachments_check (attachments, &failed) &&
         tt_event_scan_next (scan, &event))
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
    tt_record_export_attachments_check (attachments, &failed);
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static void
finish_threads (TtRecordExportItems *self)
{
  for (guint32 thread = 0; thread < self->run.n_threads; thread++)
    {
      while (self->threads[thread].frames->len > 0)
        pop_frame (self, thread);
      add_halves (self, thread, G_MININT64);
    }
}

/* -- public --------------------------------------------------------------------------------------------- */

TtRecordExportItems *
tt_record_export_items_new (TtStore *store,
                            TtSelection *selection,
                            gint64 unit_ns,
                            TtRecordExportReport *report,
                            GError **error)
{
  g_autoptr (TtRecordExportItems) self = g_new0 (TtRecordExportItems, 1);

  self->items = tt_sorter_new (sizeof (TtRecordExportItem), SORT_MEMORY);
  self->names = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->series = g_array_new (FALSE, TRUE, sizeof (gboolean));
  if (!tt_record_export_run_init (&self->run, store, selection, unit_ns, report, error))
    return NULL;
  self->threads = g_new0 (ThreadState, self->run.n_threads);
  for (guint32 i = 0; i < self->run.n_threads; i++)
    self->threads[i].frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autoptr (TtRecordExportAttachments) attachments = tt_record_export_attachments_new (&self->run, error);
  if (attachments == NULL || !tt_store_each_counter (store, on_counter, self, error) ||
      !read_events (self, attachments, error))
    return NULL;
  finish_threads (self);
  if (!tt_sorter_finish (self->items, error))
    return NULL;
  self->has_onesided = tt_record_export_attachments_has_onesided (attachments);
  return g_steal_pointer (&self);
}

void
tt_record_export_items_free (TtRecordExportItems *self)
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

const TtRecordExportItem *
tt_record_export_items_next (TtRecordExportItems *self, GError **error)
{
  return tt_sorter_next (self->items, error);
}

gboolean
tt_record_export_items_last (const TtRecordExportItems *self, guint32 thread, gint64 *time)
{
  if (thread >= self->run.n_threads || !self->threads[thread].is_used)
    return FALSE;
  *time = self->threads[thread].last_time;
  return TRUE;
}

gint64
tt_record_export_items_metric_base (const TtRecordExportItems *self, guint32 thread, guint32 series)
{
  const ThreadState *state = &self->threads[thread];
  const gint64 *value = state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (series));

  return value == NULL ? 0 : *value;
}

gboolean
tt_record_export_items_uses_name (const TtRecordExportItems *self, guint32 name)
{
  return name < self->names->len && g_array_index (self->names, gboolean, name);
}

gboolean
tt_record_export_items_uses_series (const TtRecordExportItems *self, guint32 series)
{
  return series < self->series->len && g_array_index (self->series, gboolean, series);
}

gboolean
tt_record_export_items_has_onesided (const TtRecordExportItems *self)
{
  return self->has_onesided;
}
