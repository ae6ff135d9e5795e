/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/items.h"

#include "formats/record-export/back.h"
#include "formats/record-export/run.h"
#include "src/base/progress.h"
#include "src/trace/span.h"

#include <string.h>

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u

/* -- counters ------------------------------------------------------------------------------------------ */

static gboolean
on_counter (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  TtRecordExportItems *self = data;

  self->run.report->n_no_thread += thread == TT_NO_ID;
  if (thread == TT_NO_ID || thread >= self->run.n_threads ||
      !tt_record_export_run_has_point (&self->run, thread, ts_ns))
    return TRUE;
  if (is_real)
    memcpy (&integer, &real, sizeof integer);
  gint64 time = tt_record_export_run_time (&self->run, ts_ns);
  tt_record_export_back_use (self->series, series);
  TtRecordExportThread *state = &self->threads[thread];
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

/* Pops the frames that @event is not inside. FALSE: it crosses one that ends later. */
static gboolean
pop_ended (TtRecordExportItems *self, const TtEvent *event, gint64 end_ns)
{
  TtRecordExportThread *state = &self->threads[event->thread];

  tt_record_export_back_lane (self, event);
  state->is_crossed |= (event->flags & TT_FLAG_OVERLAP) != 0;
  for (; state->frames->len > 0; tt_record_export_back_pop (self, event->thread))
    {
      const TtRecordExportFrame *top = &g_array_index (state->frames, TtRecordExportFrame, state->frames->len - 1);

      if (state->is_crossed && (top->ts_ns <= event->ts_ns || top->ts_ns < end_ns))
        return top->ts_ns <= event->ts_ns;
      if (!state->is_crossed && top->depth < event->depth)
        break;
    }
  return TRUE;
}

static void
drop_attached (TtRecordExportItems *self, TtRecordExportFrame *frame)
{
  self->run.report->n_attached += frame->attached == NULL ? 0 : frame->attached->len;
  g_clear_pointer (&frame->attached, g_array_unref);
}

/* Takes both arrays of @frame. */
static void
push_frame (TtRecordExportItems *self, const TtEvent *event, TtRecordExportFrame frame)
{
  TtRecordExportThread *state = &self->threads[event->thread];
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);

  if (!pop_ended (self, event, end_ns))
    {
      self->run.report->n_crossing++;
      drop_attached (self, &frame);
      if (self->details != NULL)
        tt_record_export_back_off_stack (self, event, &frame.beside, g_steal_pointer (&frame.flows));
      g_clear_pointer (&frame.flows, g_array_unref);
      return;
    }
  frame.name = event->name;
  frame.depth = event->depth;
  frame.ts_ns = event->ts_ns;
  frame.enter_time = tt_record_export_run_time (&self->run, event->ts_ns);
  frame.dur_ns = event->dur_ns;
  frame.self_ns = event->self_ns;
  frame.is_told = self->has_overlaps && (state->is_crossed || state->frames->len != event->depth);
  if (self->details != NULL)
    frame.detail = tt_record_export_details_add (self->details, event, &frame.beside, self->has_overlaps,
                                                 &self->run.report->n_long_args);
  gint64 leave_time = tt_record_export_run_time (&self->run, end_ns);

  tt_record_export_back_halves (self, event->thread, leave_time);
  tt_record_export_back_note_metrics (self, event->thread, &frame);
  tt_record_export_back_metrics (self, event->thread, &frame, leave_time, FALSE);
  TtRecordExportItem *item = tt_record_export_back_item (self, event->thread, leave_time);
  item->kind = TT_RECORD_EXPORT_LEAVE;
  item->value = event->name;
  tt_record_export_back_call (item, &frame);
  g_array_append_val (state->frames, frame);
  tt_record_export_back_use (self->names, event->name);
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
      TtRecordExportThread *state = &self->threads[half->thread];
      if (state->root == NULL)
        state->root = g_array_new (FALSE, FALSE, sizeof (TtRecordExportAttached));
      g_array_append_vals (state->root, half, 1);
    }
}

static void
take_beside (const TtRecordExportAttached *attached, TtRecordExportBeside *beside)
{
  if (attached->kind == TT_RECORD_EXPORT_OF_CALL)
    {
      beside->call = attached->ordinal;
      beside->root = attached->a;
      beside->comm = attached->b;
      return;
    }
  beside->activity = (TtActivity){ .role = attached->ordinal & (TT_RECORD_EXPORT_BLOCKS - 1),
                                   .blocks = (attached->ordinal & TT_RECORD_EXPORT_BLOCKS) != 0,
                                   .queue = attached->thread,
                                   .waits_on = attached->value,
                                   .correlation = (guint64) attached->par,
                                   .waits_for = (guint64) attached->a };
}

static void
read_span (TtRecordExportItems *self, TtRecordExportAttachments *attachments, const TtEvent *event)
{
  const TtRecordExportAttached *next;
  TtRecordExportFrame frame = { .beside.call = TT_RECORD_EXPORT_NO_CALL };

  for (; (next = tt_record_export_attachments_peek (attachments, event->id)) != NULL;
       tt_record_export_attachments_drop (attachments))
    {
      if (next->kind > TT_RECORD_EXPORT_FLOW)
        {
          take_beside (next, &frame.beside);
          continue;
        }
      GArray **of = next->kind == TT_RECORD_EXPORT_FLOW ? &frame.flows : &frame.attached;
      if (*of == NULL)
        *of = g_array_new (FALSE, FALSE, sizeof (TtRecordExportAttached));
      g_array_append_vals (*of, next, 1);
      frame.n_halves += of == &frame.attached && next->kind != TT_RECORD_EXPORT_METRIC;
    }
  if (event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) == 0)
    {
      push_frame (self, event, frame);
      return;
    }
  if (event->dur_ns == TT_NO_TIME)
    tt_record_export_back_instant (self, event, &frame.beside);
  else
    tt_record_export_back_off_stack (self, event, &frame.beside, g_steal_pointer (&frame.flows));
  drop_attached (self, &frame);
  g_clear_pointer (&frame.flows, g_array_unref);
}

static void
read_event (TtRecordExportItems *self, TtRecordExportAttachments *attachments, const TtEvent *event)
{
  TtRecordExportReport *report = self->run.report;

  if (event->thread >= self->run.n_threads ||
      (self->run.selection != NULL && !tt_selection_matches (self->run.selection, event)))
    return;
  report->n_instants += event->dur_ns == TT_NO_TIME;
  report->n_async += event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) != 0;
  if (self->details != NULL || (event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) == 0))
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
  TtScanFlags wanted = TT_SCAN_REVERSE | (self->details == NULL ? TT_SCAN_DEFAULT : TT_SCAN_ARGS);
  TtEventScan *scan = tt_event_scan_new_between (self->run.store, wanted, begin_ns, end_ns, error);
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
        tt_record_export_back_pop (self, thread);
      tt_record_export_back_halves (self, thread, G_MININT64);
      tt_record_export_back_waiting (self, thread, G_MININT64);
    }
}

/* -- public --------------------------------------------------------------------------------------------- */

TtRecordExportItems *
tt_record_export_items_new (TtStore *store,
                            TtSelection *selection,
                            gint64 unit_ns,
                            gboolean with_details,
                            TtRecordExportReport *report,
                            GError **error)
{
  g_autoptr (TtRecordExportItems) self = g_new0 (TtRecordExportItems, 1);

  self->items = tt_sorter_new (sizeof (TtRecordExportItem), SORT_MEMORY);
  tt_sorter_sort_ahead (self->items);
  self->names = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->series = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->flow_kinds = g_array_new (FALSE, FALSE, sizeof (TtRecordExportFlowKind));
  if (with_details)
    self->details = tt_record_export_details_new ();
  if (!tt_record_export_run_init (&self->run, store, selection, unit_ns, report, error))
    return NULL;
  if (with_details && !tt_store_has_flags (store, TT_FLAG_OVERLAP, &self->has_overlaps, error))
    return NULL;
  self->threads = g_new0 (TtRecordExportThread, self->run.n_threads);
  for (guint32 i = 0; i < self->run.n_threads; i++)
    self->threads[i].frames = g_array_new (FALSE, FALSE, sizeof (TtRecordExportFrame));
  g_autoptr (TtRecordExportAttachments) attachments = tt_record_export_attachments_new (
      &self->run, with_details, with_details && selection == NULL ? self->flow_kinds : NULL, error);
  if (attachments == NULL || !tt_store_each_counter (store, on_counter, self, error) ||
      !read_events (self, attachments, error))
    return NULL;
  finish_threads (self);
  if (self->details != NULL && !tt_record_export_details_check (self->details, error))
    return NULL;
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
      TtRecordExportThread *state = &self->threads[i];
      for (guint k = 0; k < state->frames->len; k++)
        {
          g_clear_pointer (&g_array_index (state->frames, TtRecordExportFrame, k).attached, g_array_unref);
          g_clear_pointer (&g_array_index (state->frames, TtRecordExportFrame, k).flows, g_array_unref);
        }
      for (guint k = 0; state->waiting != NULL && k < state->waiting->len; k++)
        g_clear_pointer (&g_array_index (state->waiting, TtRecordExportWaiting, k).flows, g_array_unref);
      g_clear_pointer (&state->waiting, g_array_unref);
      g_array_unref (state->frames);
      g_clear_pointer (&state->root, g_array_unref);
      g_clear_pointer (&state->metrics, g_hash_table_unref);
    }
  g_free (self->threads);
  g_array_unref (self->names);
  g_array_unref (self->series);
  tt_sorter_free (self->items);
  tt_record_export_details_free (self->details);
  g_array_unref (self->flow_kinds);
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
  const TtRecordExportThread *state = &self->threads[thread];
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

TtRecordExportDetails *
tt_record_export_items_details (const TtRecordExportItems *self)
{
  return self->details;
}

const TtRecordExportFlowKind *
tt_record_export_items_flow_kind (const TtRecordExportItems *self, guint32 kind)
{
  return &g_array_index (self->flow_kinds, TtRecordExportFlowKind, kind);
}

gboolean
tt_record_export_items_has_onesided (const TtRecordExportItems *self)
{
  return self->has_onesided;
}
