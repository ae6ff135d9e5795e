/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What held work on devices and the calls that wait for it, from TtDeviceWork alone.
 *
 * As sync points for the measured path:
 *
 *   synchronize  A call of the host that waits (cudaDeviceSynchronize, a copy that blocks) was released by the last
 *                span to end within it (after its begin, not after its end) among those it waited for: of one
 *                stream, of one device, recorded by an event, where cuda_sync spans say; else of the whole source
 *                (inferred). The path leaves the host at that end: what the call takes longer is its own time.
 *   launch       A span on a stream was held by its launch if everything before it on the stream ended earlier than the
 *                launching call: than its end where the span begins after it, else than its begin. The path goes to the end
 *                of the call, or to the span's begin where the call still runs then. What lies between is latency.
 *   event        A span was held by a stream it had to wait for (cudaStreamWaitEvent before its launch) if what the
 *                event held when it was recorded (the last span launched there, and what waits that were called there
 *                since are for) ended later than the launching call (the same moment) and everything before it on its own
 *                stream. Where the trace does not say which stream waits
 *                for which, and the span began later than both, the last span of the source's other streams to end
 *                in between counts (inferred). So it does where the source tells of no waits at all, as PyTorch's do
 *                unless asked, between communication and all else only: a collective waits for what it sends, and what
 *                uses the result for the collective.
 *   autograd     A thread with backward operators whose forward operators ran on another thread, and that did nothing
 *                when the forward operator began, was started by that thread, with its first span since (hooks come before
 *                operators), which waits for it to fall idle
 *                (inferred; not where that thread began another outermost span meanwhile).
 *
 * Otherwise the span before it on the stream held it: no point is made of that.
 */
#pragma once

#include "analyzers/devices/work.h"
#include "analyzers/path/measured-path.h"

typedef struct
{
  guint64 n_syncs, n_released; /* calls that wait; those whose wait a span ended */
  guint64 n_unlaunched;        /* spans without a launching call, or that begin before it */
  guint64 n_unexplained;       /* waits of streams of which the trace does not say what for */
  guint64 n_backward;          /* spans that began before what they had to wait for ended: clocks disagree */
} TtDeviceWaitCounts;

/* Appends to @points. */
void tt_device_waits_points (const TtDeviceWork *work, GArray *points, TtDeviceWaitCounts *counts);

/* What waits for what whatever the times: the last span launched before on each stream that a call or a stream waited
 * for. @gap_ns: from the end of one to the begin of the other, at least 0. Calls of which the trace does not say what
 * they wait for: the span that released them. */
typedef void (*TtDeviceEdgeFunc) (guint64 from, guint64 to, gint64 gap_ns, gpointer data);
void tt_device_waits_edges (const TtDeviceWork *work, TtDeviceEdgeFunc func, gpointer data);
