/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/metric-tally.h"

#include "analyzers/statistics/open-groups.h"
#include "src/base/error.h"
#include "src/base/progress.h"

#define ROWS_PER_CHECK 65536

/*
 * Metrics come in event order, where a span follows its children, so a first scan the other way notes
 * in two bits an event whether it is selected and whether it lies inside another of its group.
 */
typedef struct
{
  TtStore *store;
  const TtEventStatsRequest *request;
  TtGrouping *grouping;
  TtTally *tally;
  guint64 first_event, n_events;
  guint8 *selected, *nested; /* bits by event id - first_event */
  TtEventScan *scan;
  TtEvent event;
  gboolean has_event, is_cancelled;
  gboolean takes_windows; /* spans that only name a stretch of time */
  guint64 n_rows;
  GError **error;
} MetricScan;

static gboolean
is_set (const guint8 *bits, guint64 i)
{
  return (bits[i / 8] >> (i % 8) & 1) != 0;
}

static gboolean
make_bits (MetricScan *self, GError **error)
{
  guint n;
  guint64 last = 0;
  const TtSource *sources = tt_store_sources (self->store, &n);

  self->first_event = G_MAXUINT64;
  for (guint i = 0; i < n; i++)
    if (sources[i].first_event > 0)
      {
        self->first_event = MIN (self->first_event, sources[i].first_event);
        last = MAX (last, sources[i].last_event);
      }
  self->n_events = last == 0 || last < self->first_event ? 0 : last - self->first_event + 1;
  self->selected = g_try_malloc0 (self->n_events / 8 + 1);
  self->nested = g_try_malloc0 (self->n_events / 8 + 1);
  if (self->selected != NULL && self->nested != NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the event ids of the run are too far apart; the database is damaged");
  return FALSE;
}

static void
mark_event (MetricScan *self, TtOpenGroups *open, const TtEvent *event)
{
  const TtSelection *selection = self->request->selection;
  guint64 i = event->id - self->first_event;

  if ((!self->takes_windows && (event->flags & TT_FLAG_WINDOW) != 0) ||
      (selection != NULL && !tt_selection_matches (selection, event)))
    {
      tt_open_groups_put (open, event, TT_NO_GROUP);
      return;
    }
  guint32 group = tt_grouping_group (self->grouping, event->thread, event->name, event->step);
  self->selected[i / 8] |= (guint8) (1 << i % 8);
  if (tt_open_groups_put (open, event, group))
    self->nested[i / 8] |= (guint8) (1 << i % 8);
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
    if (event.dur_ns != TT_NO_TIME && event.id - self->first_event < self->n_events)
      mark_event (self, open, &event);
  return tt_event_scan_finish (scan, error);
}

static gboolean
take_metric (guint64 id, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  MetricScan *self = data;

  if (++self->n_rows % ROWS_PER_CHECK == 0 && tt_cancelled (self->error))
    {
      self->is_cancelled = TRUE;
      return FALSE;
    }
  if (series != self->request->metric)
    return TRUE;
  while (self->has_event && self->event.id < id)
    self->has_event = tt_event_scan_next (self->scan, &self->event);
  if (!self->has_event || self->event.id != id || id - self->first_event >= self->n_events ||
      !is_set (self->selected, id - self->first_event))
    return TRUE;

  const TtEvent *event = &self->event;
  guint32 group = tt_grouping_group (self->grouping, event->thread, event->name, event->step);
  tt_tally_add (self->tally, group, inclusive, exclusive, is_set (self->nested, id - self->first_event) ? 0 : inclusive);
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
    .error = error,
  };
  gboolean is_ok = make_bits (&self, error) && mark_spans (&self, error);

  if (is_ok)
    {
      self.scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
      is_ok = self.scan != NULL;
    }
  if (is_ok)
    {
      self.has_event = tt_event_scan_next (self.scan, &self.event);
      is_ok = tt_store_each_metric (store, take_metric, &self, error) && !self.is_cancelled;
      is_ok = tt_event_scan_finish (self.scan, is_ok ? error : NULL) && is_ok;
    }
  g_free (self.selected);
  g_free (self.nested);
  return is_ok;
}
