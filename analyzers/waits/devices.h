/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of hosts and devices for each other: see waits.h. None in runs without work on devices.
 *
 * Memory: as TtDeviceWork while they are found, then 72 bytes a wait.
 */
#pragma once

#include "analyzers/devices/roles.h"
#include "analyzers/waits/polls.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/waits/waits.h"

typedef struct _TtDeviceWaits TtDeviceWaits;

/* @part: that of the run of which they are wanted, as tt_device_roles_load_of() has it; NULL: all. */
TtDeviceWaits *
tt_device_waits_new (TtStore *store, const TtDevicePart *part, const TtWaitWindow *window, GError **error);
void tt_device_waits_free (TtDeviceWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtDeviceWaits, tt_device_waits_free)

/* Of a part: whether it cannot be told from others (roles.h), and whether something of it may wait for @thread, or @thread for it. */
gboolean tt_device_waits_are_entangled (const TtDeviceWaits *self);
gboolean tt_device_waits_claim (const TtDeviceWaits *self, guint32 thread);

/* Before the first span. */
void tt_device_waits_begin (TtDeviceWaits *self);
/* As tt_message_waits_next(). */
guint64 tt_device_waits_next (const TtDeviceWaits *self);
/* Takes the next span, in the order of ids. */
void tt_device_waits_take (TtDeviceWaits *self, const TtWaitSpan *span);
/* Appends to @waits, of TtWait. */
void tt_device_waits_find (TtDeviceWaits *self, GArray *waits);
/* After a scan of the window alone: reads what lies outside it. @is_all: all spans are chosen. FALSE: it could not. */
gboolean tt_device_waits_read_rest (TtDeviceWaits *self, TtStore *store, gboolean is_all);
