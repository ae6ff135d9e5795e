/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLaunchTimes: when the calls began that launched the work of devices; known once a scan has passed over them.
 *
 * Rows of activity come first, then events by ids downwards. Memory: 16 bytes for each span that was launched and for
 * each call.
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtLaunchTimes TtLaunchTimes;

TtLaunchTimes *tt_launch_times_new (void);
void tt_launch_times_free (TtLaunchTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLaunchTimes, tt_launch_times_free)

void tt_launch_times_add (TtLaunchTimes *self, guint64 event, guint64 launch);
/* After the last row. */
void tt_launch_times_prepare (TtLaunchTimes *self);
/* Each event of the scan. Returns the number of its launch, 0: not known. */
guint32 tt_launch_times_see (TtLaunchTimes *self, const TtEvent *event);
/* After the scan; TT_NO_TIME: not known. */
gint64 tt_launch_times_ns (const TtLaunchTimes *self, guint32 number);
