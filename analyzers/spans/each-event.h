/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan of all events of the selected runs, with a progress bar, that can be cancelled.
 */
#pragma once

#include "src/store/scan.h"

/* FALSE with @error: no more events are wanted. */
typedef gboolean (*TtEventFunc) (const TtEvent *event, gpointer data, GError **error);

/* Of a time window, as tt_event_scan_new_between() has it. */
gboolean tt_each_event_between (TtStore *store,
                                TtScanFlags flags,
                                gint64 begin_ns,
                                gint64 end_ns,
                                TtEventFunc func,
                                gpointer data,
                                GError **error);
gboolean tt_each_event (TtStore *store, TtScanFlags flags, TtEventFunc func, gpointer data, GError **error);
