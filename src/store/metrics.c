/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/metrics.h"

#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/store/rows.h"

#define ROWS_PER_CHECK 65536
#define LATE_MEMORY ((gsize) 16 << 20)

/* A row that comes after one of a later event. */
typedef struct
{
  guint64 event, number;
  gint64 inclusive, exclusive;
  guint64 series;
} Late;

typedef struct
{
  TtStore *store;
  TtEventScan *scan;
  TtEvent event;
  gboolean has_event, is_stopped;
  guint32 series;
  TtMetricEventFunc func;
  gpointer data;
  guint64 n_rows;
  TtSorter *late;
  GError **error;
} Walk;

static gboolean
begin_scan (Walk *self)
{
  self->scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, self->error);
  if (self->scan == NULL)
    return FALSE;
  self->has_event = tt_event_scan_next (self->scan, &self->event);
  return TRUE;
}

static gboolean
end_scan (Walk *self, gboolean is_good)
{
  TtEventScan *scan = g_steal_pointer (&self->scan);

  return tt_event_scan_finish (scan, is_good ? self->error : NULL) && is_good;
}

static void
pass (Walk *self, guint64 event, guint32 series, gint64 inclusive, gint64 exclusive)
{
  while (self->has_event && self->event.id < event)
    self->has_event = tt_event_scan_next (self->scan, &self->event);
  if (self->has_event && self->event.id == event)
    self->is_stopped = !self->func (&self->event, series, inclusive, exclusive, self->data);
}

static gboolean
take_metric (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  Walk *self = data;

  if (++self->n_rows % ROWS_PER_CHECK == 0 && tt_cancelled (self->error))
    self->is_stopped = TRUE;
  else if (self->series != TT_NO_ID && series != self->series)
    return TRUE;
  else if (self->has_event && event >= self->event.id)
    pass (self, event, series, inclusive, exclusive);
  else
    *(Late *) tt_sorter_add (self->late) = (Late){ event, self->n_rows, inclusive, exclusive, series };
  return !self->is_stopped;
}

static gboolean
read_in_order (Walk *self)
{
  if (!begin_scan (self))
    return FALSE;
  gboolean is_good = tt_store_each_metric (self->store, take_metric, self, self->error) && !self->is_stopped;
  return end_scan (self, is_good);
}

static gboolean
read_late (Walk *self)
{
  GError *failed = NULL;

  if (tt_sorter_count (self->late) == 0)
    return TRUE;
  if (!tt_sorter_finish (self->late, self->error) || !begin_scan (self))
    return FALSE;
  for (const Late *row; !self->is_stopped && (row = tt_sorter_next (self->late, &failed)) != NULL;)
    pass (self, row->event, (guint32) row->series, row->inclusive, row->exclusive);
  if (failed == NULL)
    return end_scan (self, !self->is_stopped);
  end_scan (self, FALSE);
  g_propagate_error (self->error, failed);
  return FALSE;
}

gboolean
tt_store_each_metric_event (TtStore *self, guint32 series, TtMetricEventFunc func, gpointer data, GError **error)
{
  g_autoptr (TtSorter) late = tt_sorter_new (sizeof (Late), LATE_MEMORY);
  Walk walk = { .store = self, .series = series, .func = func, .data = data, .late = late, .error = error };

  return read_in_order (&walk) && read_late (&walk);
}
