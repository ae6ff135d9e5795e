/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/each-event.h"

#include "src/base/progress.h"
#include "src/store/store.h"

#define EVENTS_PER_CHECK 65536

gboolean
tt_each_event_of (TtStore *store, const TtEventPart *part, TtEventFunc func, gpointer data, GError **error)
{
  TtEventScan *scan = tt_event_scan_new_between (store, part->flags, part->begin_ns, part->end_ns, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (store), "events");
  TtEvent event;
  guint64 n = 0;
  gboolean is_stopped = FALSE;

  if (scan == NULL)
    return FALSE;
  if (part->first > 0 || part->last < G_MAXUINT64)
    tt_event_scan_limit (scan, part->first, part->last);
  while (!is_stopped && tt_event_scan_next (scan, &event))
    {
      is_stopped = !func (&event, data, error);
      if (++n % EVENTS_PER_CHECK == 0)
        {
          tt_progress_add (progress, EVENTS_PER_CHECK);
          is_stopped = is_stopped || tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, is_stopped ? NULL : error) && !is_stopped;
}

gboolean
tt_each_event_between (TtStore *store,
                       TtScanFlags flags,
                       gint64 begin_ns,
                       gint64 end_ns,
                       TtEventFunc func,
                       gpointer data,
                       GError **error)
{
  TtEventPart part = TT_EVENT_PART_ALL;

  part.flags = flags;
  part.begin_ns = begin_ns;
  part.end_ns = end_ns;
  return tt_each_event_of (store, &part, func, data, error);
}

gboolean
tt_each_event (TtStore *store, TtScanFlags flags, TtEventFunc func, gpointer data, GError **error)
{
  return tt_each_event_between (store, flags, G_MININT64, G_MAXINT64, func, data, error);
}
