/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLaunchOrder: the work on devices in the order in which it was launched, by queue and by launching thread.
 */
#pragma once

#include "analyzers/devices/work.h"

typedef struct
{
  const TtDeviceWork *work;
  guint *by_queue;  /* numbers of spans by (queue, launch) */
  guint *by_caller; /* numbers of spans whose launch is known, by (thread that launched, launch) */
  guint n_callers;
} TtLaunchOrder;

void tt_launch_order_init (TtLaunchOrder *self, const TtDeviceWork *work);
void tt_launch_order_clear (TtLaunchOrder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtLaunchOrder, tt_launch_order_clear)

/* As far as is known: no later than it began. */
static inline gint64
tt_device_span_launch (const TtDeviceSpan *span)
{
  return span->call != 0 ? MIN (span->call_begin_ns, span->begin_ns) : span->begin_ns;
}

/* G_MAXUINT: none. The last span that @thread launched before @ns; @but_comm: that is no communication. */
guint tt_launch_order_before (const TtLaunchOrder *self, guint32 thread, gint64 ns, gboolean but_comm);
/* Of each queue of @source the last span launched before @ns: appended to @numbers, of guint. */
void tt_launch_order_each_queue (const TtLaunchOrder *self, guint32 source, gint64 ns, GArray *numbers);
