/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The waits of a run, as sync points for the measured path, and how long its threads live.
 *
 * Hosts and threads wait as analyzers/waits/waits.h says: for messages, receivers, in collectives, joins, locks and
 * barriers. Collectives that ranks call a different number of times are not followed. Work on devices: analyzers/devices/waits.h; the run then is from the
 * first begin to the last end of what is not the profiler's own.
 */
#pragma once

#include "analyzers/devices/waits.h"
#include "src/store/store.h"

typedef struct
{
  GArray *points;         /* of TtSyncPoint */
  TtThreadRange *threads; /* by thread id */
  guint32 n_threads;
  gint64 first_ns, last_ns; /* of the run, or of the step */
  gint32 step;              /* TT_NO_STEP: of the whole run */
  guint32 last_thread;      /* with a step: of the last of its spans to end; TT_NO_ID: it has none */
  guint64 n_halves;         /* messages without partner or without spans */
  guint64 n_backward;       /* received before they were sent: clocks disagree */
  guint64 n_collectives;    /* calls of collectives that were matched */
  guint64 n_dropped;        /* calls of collectives that ranks make a different number of times */
  guint64 n_early;          /* left before the last came: rooted, or clocks disagree */
  TtDeviceWork devices;
  guint64 n_device_spans; /* of all ranks, where devices has those of one */
  TtDeviceWaitCounts device_counts;
} TtPathPoints;

/* @step: TT_NO_STEP, or that of which first and last begin and end are wanted. */
gboolean tt_path_points_collect (TtPathPoints *self, TtStore *store, gint32 step, GError **error);
void tt_path_points_clear (TtPathPoints *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPathPoints, tt_path_points_clear)
