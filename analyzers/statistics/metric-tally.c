/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/metric-tally.h"

#include "analyzers/statistics/open-groups.h"
#include "src/store/event-bits.h"
#include "src/store/metrics.h"

/*
 * A span comes after its children, but a scan the other way before them: a first scan notes in two bits an event whether
 * it is selected and whether it lies inside another of its group.
 */
typedef struct
{
  TtStore *store;
  const TtEventStatsRequest *request;
  TtGrouping *grouping;
  TtTally *tally;
  TtEventBits *selected, *nested;
  gboolean takes_windows; /* spans that only name a stretch of time */
} MetricScan;

static void
mark_event (MetricScan *self, TtOpenGroups *open, const TtEvent *event)
{
  const TtSelection *selection = self->request->selection;

  if ((!self->takes_windows && (event->flags & TT_FLAG_WINDOW) != 0) ||
      (selection != NULL && !tt_selection_matches (selection, event)))
    {
      tt_open_groups_put (open, event, TT_NO_GROUP);
      return;
    }
  guint32 group = tt_grouping_group (self->grouping, event->thread, event->name, event->step);
  tt_event_bits_set (self->selected, event->id);
  if (tt_open_groups_put (open, event, group))
    tt_event_bits_set (self->nested, event->id);
}

static gboolean
mark_spans (MetricScan *self, GError **error)
{
  g_autoptr (TtOpenGroups) open = tt_open_groups_new (tt_store_max_thread (self->store));
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_REVERSE, error);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    if (event.dur_ns != TT_NO_TIME)
      mark_event (self, open, &event);
  return tt_event_scan_finish (scan, error);
}

static gboolean
take_metric (const TtEvent *event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  MetricScan *self = data;

  (void) series;
  if (!tt_event_bits_get (self->selected, event->id))
    return TRUE;
  guint32 group = tt_grouping_group (self->grouping, event->thread, event->name, event->step);
  tt_tally_add (self->tally, group, inclusive, exclusive, tt_event_bits_get (self->nested, event->id) ? 0 : inclusive);
  return TRUE;
}

gboolean
tt_metric_tally (TtStore *store,
                 const TtEventStatsRequest *request,
                 TtGrouping *grouping,
                 TtTally *tally,
                 GError **error)
{
  MetricScan self = {
    .store = store,
    .request = request,
    .grouping = grouping,
    .tally = tally,
    .takes_windows = tt_group_keys_take_windows (&request->keys),
  };
  g_autoptr (TtEventBits) selected = tt_event_bits_new (store, error);
  g_autoptr (TtEventBits) nested = selected == NULL ? NULL : tt_event_bits_new (store, error);

  if (nested == NULL)
    return FALSE;
  self.selected = selected;
  self.nested = nested;
  return mark_spans (&self, error) && tt_store_each_metric_event (store, request->metric, take_metric, &self, error);
}
