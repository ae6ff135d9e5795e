/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiDevice: what ran on devices, from the events of native recordings and the profiling values that the program asked
 * for, or the recorder.
 *
 * A command whose begin and end were asked for becomes a span in the row of its queue, in a process of its device, with
 * a flow from the call that put it there. Times of a device are on a clock of its own. How far it is ahead of the calls'
 * is bounded by readings (piGetDeviceAndHostTimer, urDeviceGetGlobalTimestamps, by the program or by the recorder: the
 * answer is a moment within the call), by commands, which do not begin before they are enqueued, and by waits, which do
 * not return before what they wait for has ended. The middle of what is left is taken, and its half told. Where no one
 * number suits all readings, the clock runs at another rate: times between two readings are interpolated, and the error
 * told is half of the widest reading.
 */
#pragma once

#include "formats/pi/handles.h"
#include "formats/pi/native.h"
#include "formats/pi/tasks.h"
#include "src/trace/sink.h"

typedef struct _TtPiDevice TtPiDevice;

/* @tasks get the times of their commands; NULL: there are none. */
TtPiDevice *tt_pi_device_new (TtSink *sink, guint32 process, TtPiTasks *tasks);
void tt_pi_device_free (TtPiDevice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiDevice, tt_pi_device_free)

/* @handles has taken the call, whose row is @event. */
void tt_pi_device_call (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event);
/* What the call puts into its queue, also in @raw without its text, and what that is (TtActivityRole) in @role; NULL: neither
 * a kernel nor a copy or a fill. */
char *tt_pi_device_describe (TtPiDevice *self,
                             const TtPiCall *call,
                             const TtPiHandles *handles,
                             TtRawName *raw,
                             guint8 *role);
/* What the recorder itself has asked for. */
void tt_pi_device_times (const TtPiNativeTimes *times, TtPiDevice *self);
/* After the last call: the rows. */
void tt_pi_device_finish (TtPiDevice *self);
