/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activity on GPUs, as spans on tracks of their own, with times brought from the device's clock to that of the trace.
 */
#pragma once

#include "formats/ctf/session.h"

TtCtfDevices *tt_ctf_devices_new (void);
void tt_ctf_devices_free (TtCtfDevices *self);

/* One moment on both clocks. */
void tt_ctf_calibrate (TtCtfSession *self, TtCtfProcess *process, const TtCtfBinding *binding, const TtCtfEvent *event);
/* What a call does with a device, held by the sink for its span; 0: nothing. */
guint32 tt_ctf_call_activity (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
/* A call of the device's library, whose span has just begun: launches activity, and has its time on both clocks. */
void tt_ctf_launch (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event);
void tt_ctf_activity (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event);
/* The trace is over, every calibration is known: writes the activities. */
gboolean tt_ctf_write_activities (TtCtfSession *self, GError **error);
