/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanScan: what one scan of spans counts into the groups of a request, for event-stats.h.
 */
#pragma once

#include "analyzers/statistics/event-stats.h"

typedef struct
{
  TtGrouping *grouping;
  TtTally *tally;    /* finished */
  GHashTable *marks; /* by group: guint64, where it has any: spans with one of TT_TRUST_FLAGS, and a bit */
  gboolean is_plain; /* as tt_open_groups_are_plain() says, and nothing failed with @around */
} TtSpanScan;

#define TT_SPAN_SCAN_IS_DAMAGED ((guint64) 1 << 63)

/* Of the events with ids from @first to @last. @around: NULL, or, of TtEventIds, events that may be around these and are not counted; not with a time
 * window. */
gboolean tt_span_scan_run (TtSpanScan *self,
                           TtStore *store,
                           const TtEventStatsRequest *request,
                           guint64 first,
                           guint64 last,
                           const GArray *around,
                           GError **error);
void tt_span_scan_clear (TtSpanScan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSpanScan, tt_span_scan_clear)
