/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes: asynchronous spans do not lie on a thread's stack. Each goes to a lane on which nothing else lasts at that time
 * but what contains it; spans of one name on one thread take the lanes of their predecessors again.
 */
#pragma once

#include <glib.h>

typedef struct _ChromeLanes ChromeLanes;

ChromeLanes *tt_chrome_lanes_new (void);
void tt_chrome_lanes_free (ChromeLanes *self);
/* Where the span of @name on @thread goes; in time order. Lanes count from 1. @is_new: it is the first on its lane. */
guint64 tt_chrome_lane_for (ChromeLanes *self,
                            guint32 thread,
                            guint32 name,
                            guint32 depth,
                            gint64 ts_ns,
                            gint64 end_ns,
                            gboolean *is_new);
