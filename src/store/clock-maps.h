/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the store hands out corrected times. Used by src/store only.
 */
#pragma once

#include "src/store/clocks.h"
#include "src/store/private.h"
#include "src/trace/clock-map.h"

/* For the selected runs and the chosen correction; store->clock_maps stays NULL where there is no map. */
gboolean tt_clock_maps_load (TtStore *store, GError **error);
void tt_clock_maps_forget (TtStore *store);

/* By process, for whoever reads on a thread of its own. Good until the maps are loaded again; g_free() it. NULL: there is no map. */
TtClockCursor *tt_clock_cursors_new (const TtStore *store);
void tt_clock_cursors_correct (TtClockCursor *self, TtStore *store, guint32 thread, gint64 *ts_ns, gint64 *dur_ns);

/* These do nothing without maps. */
void tt_clock_maps_correct (TtStore *store, guint32 thread, gint64 *ts_ns, gint64 *dur_ns);
gint64 tt_clock_maps_thread_time (TtStore *store, guint32 thread, gint64 ns);
/* A window of corrected times becomes one of own times that holds at least the same events. */
void tt_clock_maps_widen (TtStore *store, gint64 *begin_ns, gint64 *end_ns);
/* First and last corrected time of the processes that have a map; *is_any: whether one has. */
gboolean tt_clock_maps_range (TtStore *store,
                              const char *clock,
                              gint64 *first_ns,
                              gint64 *last_ns,
                              gboolean *is_any,
                              GError **error);
