/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/spans.h"

#include "src/base/progress.h"

#define STEP 65536u

/* What is around a part: those that may contain its spans. */
static gboolean
read_around (const TtStackSpans *self, TtSpanParents *parents, const TtEvent *event, GError **error)
{
  gpointer payload, parent;

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0 || !tt_span_parents_fits (parents, event))
    return TRUE;
  if (self->selection != NULL && !tt_selection_matches (self->selection, event))
    return tt_span_parents_pass (parents, event, &parent, error);
  payload = tt_span_parents_add (parents, event, &parent, error);
  if (payload != NULL)
    self->add (event, payload, parent, self->data);
  return payload != NULL;
}

static gboolean
read_span (const TtStackSpans *self, TtSpanParents *parents, const TtEvent *event, GError **error)
{
  gboolean is_selected = self->selection == NULL || tt_selection_matches (self->selection, event);
  gpointer payload, parent;

  if (event->dur_ns == TT_NO_TIME)
    {
      self->report->n_instants += is_selected;
      return TRUE;
    }
  self->report->n_spans += is_selected;
  if (event->flags & TT_FLAG_ASYNC)
    {
      if (is_selected)
        self->add (event, NULL, NULL, self->data);
      return TRUE;
    }
  if (!is_selected)
    return tt_span_parents_pass (parents, event, &parent, error);
  payload = tt_span_parents_add (parents, event, &parent, error);
  if (payload == NULL)
    return FALSE;
  self->add (event, payload, parent, self->data);
  return TRUE;
}

typedef struct
{
  const TtStackSpans *spans;
  TtSpanParents *parents;
} Reading;

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  const Reading *self = data;

  return self->spans->shared->is_around ? read_around (self->spans, self->parents, event, error)
                                        : read_span (self->spans, self->parents, event, error);
}

static gboolean
read_part (const TtStackSpans *self, TtSpanParents *parents, gint64 begin_ns, gint64 end_ns, GError **error)
{
  Reading reading = { self, parents };

  if (!tt_shared_scan_run (self->shared, begin_ns, end_ns, take_event, &reading, error))
    return FALSE;
  tt_span_parents_finish (parents);
  return TRUE;
}

gboolean
tt_stack_spans_read (const TtStackSpans *self, GError **error)
{
  g_autoptr (TtSpanParents) parents =
      tt_span_parents_new (tt_store_max_thread (self->store), self->payload_size, self->closed, self->data);
  g_autoptr (TtProgress) progress = NULL;
  g_autoptr (GError) failed = NULL;
  TtEvent event;
  guint n = 0;

  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (self->selection != NULL)
    tt_selection_window (self->selection, &begin_ns, &end_ns);
  if (self->shared != NULL)
    return read_part (self, parents, begin_ns, end_ns, error);
  TtEventScan *scan = tt_event_scan_new_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  while (failed == NULL && tt_event_scan_next (scan, &event) && read_span (self, parents, &event, &failed))
    if (++n == STEP)
      {
        tt_progress_add (progress, n);
        tt_cancelled (&failed);
        n = 0;
      }
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed == NULL)
    {
      tt_span_parents_finish (parents);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}
