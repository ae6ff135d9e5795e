/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan of all events of the selected runs, with a progress bar, that can be cancelled.
 */
#pragma once

#include "src/store/scan.h"

/* FALSE with @error: no more events are wanted. */
typedef gboolean (*TtEventFunc) (const TtEvent *event, gpointer data, GError **error);

/* Some of them: those in a time window, as tt_event_scan_new_between() has it, with ids from @first to @last. */
typedef struct
{
  TtScanFlags flags;
  gint64 begin_ns, end_ns;
  guint64 first, last;
} TtEventPart;

#define TT_EVENT_PART_ALL                                             \
  {                                                                   \
    .begin_ns = G_MININT64, .end_ns = G_MAXINT64, .last = G_MAXUINT64 \
  }

gboolean tt_each_event_of (TtStore *store, const TtEventPart *part, TtEventFunc func, gpointer data, GError **error);
/* Of a time window, as tt_event_scan_new_between() has it. */
gboolean tt_each_event_between (TtStore *store,
                                TtScanFlags flags,
                                gint64 begin_ns,
                                gint64 end_ns,
                                TtEventFunc func,
                                gpointer data,
                                GError **error);
gboolean tt_each_event (TtStore *store, TtScanFlags flags, TtEventFunc func, gpointer data, GError **error);
