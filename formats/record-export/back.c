/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/back.h"

#include "src/trace/span.h"

/* Above all counters: at one time they come first, so that none looks like a metric of an enter. */
#define OF_SPANS ((guint64) 1 << 63)
#define SEQUENCE_BITS 40

void
tt_record_export_back_use (GArray *used, guint32 id)
{
  if (id >= used->len)
    g_array_set_size (used, 2 * id + 64);
  g_array_index (used, gboolean, id) = TRUE;
}

static TtRecordExportItem *
append_item (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  TtRecordExportThread *state = &self->threads[thread];

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

/* After the record that they belong to, so before it on the way back. */
static void
add_flows (TtRecordExportItems *self, guint32 thread, const GArray *flows, gint64 time)
{
  for (guint i = flows == NULL ? 0 : flows->len; i-- > 0;)
    {
      const TtRecordExportAttached *flow = &g_array_index (flows, TtRecordExportAttached, i);
      TtRecordExportItem *item = append_item (self, thread, time);
      item->kind = TT_RECORD_EXPORT_FLOW;
      item->value = flow->value;
      item->par = flow->par;
      item->ordinal = flow->ordinal;
      item->a = flow->a;
      self->run.report->n_flows += flow->ordinal == 0;
    }
}

void
tt_record_export_back_waiting (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  GArray *waiting = self->threads[thread].waiting;

  while (waiting != NULL && waiting->len > 0)
    {
      TtRecordExportWaiting last = g_array_index (waiting, TtRecordExportWaiting, waiting->len - 1);
      if (last.time < time)
        return;
      g_array_set_size (waiting, waiting->len - 1);
      add_flows (self, thread, last.flows, last.time);
      TtRecordExportItem *item = append_item (self, thread, last.time);
      item->kind = TT_RECORD_EXPORT_OFF_STACK;
      item->value = last.name;
      item->par = last.detail;
      g_clear_pointer (&last.flows, g_array_unref);
    }
}

TtRecordExportItem *
tt_record_export_back_item (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  if (self->threads[thread].waiting != NULL)
    tt_record_export_back_waiting (self, thread, time);
  return append_item (self, thread, time);
}

/* Adds the pending halves with time >= @time, of the innermost span or of none. */
void
tt_record_export_back_halves (TtRecordExportItems *self, guint32 thread, gint64 time)
{
  TtRecordExportThread *state = &self->threads[thread];
  TtRecordExportFrame *top =
      state->frames->len > 0 ? &g_array_index (state->frames, TtRecordExportFrame, state->frames->len - 1) : NULL;
  GArray *halves = top != NULL ? top->attached : state->root;
  guint *n = top != NULL ? &top->n_halves : halves != NULL ? &halves->len : NULL;

  while (halves != NULL && *n > 0)
    {
      const TtRecordExportAttached *half = &g_array_index (halves, TtRecordExportAttached, *n - 1);
      if (half->time < time)
        break;
      TtRecordExportItem *item = tt_record_export_back_item (self, thread, half->time);
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
void
tt_record_export_back_metrics (TtRecordExportItems *self,
                               guint32 thread,
                               const TtRecordExportFrame *frame,
                               gint64 time,
                               gboolean is_enter)
{
  TtRecordExportThread *state = &self->threads[thread];

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
      tt_record_export_back_use (self->series, metric->value);
      TtRecordExportItem *item = tt_record_export_back_item (self, thread, time);
      item->par = *value;
      item->value = metric->value;
      item->kind = TT_RECORD_EXPORT_METRIC;
    }
}

/* The values of metrics at the leave are kept for the enter. */
void
tt_record_export_back_note_metrics (TtRecordExportItems *self, guint32 thread, TtRecordExportFrame *frame)
{
  const TtRecordExportThread *state = &self->threads[thread];

  for (guint i = frame->n_halves; frame->attached != NULL && i < frame->attached->len; i++)
    {
      TtRecordExportAttached *metric = &g_array_index (frame->attached, TtRecordExportAttached, i);
      gint64 *value =
          state->metrics == NULL ? NULL : g_hash_table_lookup (state->metrics, GUINT_TO_POINTER (metric->value));
      metric->a = value == NULL ? 0 : *value;
    }
}

void
tt_record_export_back_call (TtRecordExportItem *item, const TtRecordExportFrame *frame)
{
  item->a = frame->beside.root;
  item->b = frame->beside.comm;
  item->ordinal = frame->beside.call;
}

void
tt_record_export_back_pop (TtRecordExportItems *self, guint32 thread)
{
  TtRecordExportThread *state = &self->threads[thread];

  tt_record_export_back_halves (self, thread, G_MININT64);
  TtRecordExportFrame frame = g_array_index (state->frames, TtRecordExportFrame, state->frames->len - 1);
  g_array_set_size (state->frames, state->frames->len - 1);
  /* Nothing may come between an enter and its flows. */
  if (state->waiting != NULL)
    tt_record_export_back_waiting (self, thread, frame.enter_time);
  add_flows (self, thread, frame.flows, frame.enter_time);
  tt_record_export_back_metrics (self, thread, &frame, frame.enter_time, TRUE);
  TtRecordExportItem *item = tt_record_export_back_item (self, thread, frame.enter_time);
  item->kind = TT_RECORD_EXPORT_ENTER;
  item->value = frame.name;
  gboolean is_told = frame.is_told || (self->has_overlaps && frame.self_ns != frame.dur_ns - frame.stacked_ns);
  item->par = is_told ? -frame.detail : frame.detail;
  if (state->frames->len > 0)
    g_array_index (state->frames, TtRecordExportFrame, state->frames->len - 1).stacked_ns += frame.dur_ns;
  tt_record_export_back_call (item, &frame);
  g_clear_pointer (&frame.attached, g_array_unref);
  g_clear_pointer (&frame.flows, g_array_unref);
}

void
tt_record_export_back_lane (TtRecordExportItems *self, const TtEvent *event)
{
  TtRecordExportThread *state = &self->threads[event->thread];

  gint64 dur_ns = event->dur_ns == TT_NO_TIME ? 0 : event->dur_ns;
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  gint64 end_ns = is_async ? state->lane.end_ns : tt_span_end (event->ts_ns, dur_ns);

  if (!tt_lane_begins (&state->lane, event->source, end_ns))
    return;
  while (state->frames->len > 0)
    tt_record_export_back_pop (self, event->thread);
  state->is_crossed = FALSE;
}

/* -- on no stack ------------------------------------------------------------------------------------------------ */

void
tt_record_export_back_off_stack (TtRecordExportItems *self,
                                 const TtEvent *event,
                                 const TtRecordExportBeside *beside,
                                 GArray *flows)
{
  TtRecordExportThread *state = &self->threads[event->thread];
  TtRecordExportWaiting span = { .name = event->name, .flows = flows };
  guint at;

  span.time = tt_record_export_run_time (&self->run, tt_span_end (event->ts_ns, event->dur_ns));
  span.detail = tt_record_export_details_add (self->details, event, beside, TRUE, &self->run.report->n_long_args);
  if (state->waiting == NULL)
    state->waiting = g_array_new (FALSE, FALSE, sizeof (TtRecordExportWaiting));
  for (at = state->waiting->len;
       at > 0 && g_array_index (state->waiting, TtRecordExportWaiting, at - 1).time > span.time; at--)
    ;
  g_array_insert_val (state->waiting, at, span);
  tt_record_export_back_use (self->names, event->name);
}

void
tt_record_export_back_instant (TtRecordExportItems *self, const TtEvent *event, const TtRecordExportBeside *beside)
{
  TtRecordExportThread *state = &self->threads[event->thread];

  tt_record_export_back_lane (self, event);
  while (state->frames->len > 0)
    {
      const TtRecordExportFrame *top = &g_array_index (state->frames, TtRecordExportFrame, state->frames->len - 1);
      if (top->ts_ns <= event->ts_ns && (state->is_crossed || top->depth < event->depth))
        break;
      tt_record_export_back_pop (self, event->thread);
    }
  gint64 time = tt_record_export_run_time (&self->run, event->ts_ns);
  tt_record_export_back_halves (self, event->thread, time);
  TtRecordExportItem *item = tt_record_export_back_item (self, event->thread, time);
  item->kind = TT_RECORD_EXPORT_INSTANT;
  item->value = event->name;
  gboolean is_told = (event->flags & TT_FLAG_ASYNC) != 0 ||
                     (self->has_overlaps && (state->is_crossed || state->frames->len != event->depth));
  gint64 detail = tt_record_export_details_add (self->details, event, beside, is_told, &self->run.report->n_long_args);
  item->par = is_told ? -detail : detail;
  tt_record_export_back_use (self->names, event->name);
}
