/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLaunches: the calls that launched the work of devices: when, for which operator; known once a scan has
 * passed over them.
 *
 * Rows of activity come first, then events by ids downwards. Memory: 16 bytes for each span that was launched, 40 for
 * each call.
 */
#pragma once

#include "analyzers/devices/roles.h"

typedef struct
{
  guint64 event;
  gint64 begin_ns, end_ns; /* TT_NO_TIME: the call is not in the trace */
  guint32 thread, name;
  guint32 operation;  /* name of the innermost operator around the call, as the scan says; 0: none */
  guint32 annotation; /* the ranges around it, likewise */
} TtLaunch;

typedef struct _TtLaunches TtLaunches;

TtLaunches *tt_launches_new (void);
void tt_launches_free (TtLaunches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLaunches, tt_launches_free)

/* Reads the rows of activity, and the roles from them. @part: as tt_device_roles_load_of() has it, here and below. */
gboolean
tt_launches_load (TtLaunches *self, TtDeviceRoles *roles, TtStore *store, const TtDevicePart *part, GError **error);
/* Makes a time window hold the calls that launched what works in it, so that a scan of it sees them. */
gboolean tt_launches_widen (const TtLaunches *self,
                            TtStore *store,
                            const TtDevicePart *part,
                            gint64 *begin_ns,
                            gint64 *end_ns,
                            GError **error);
/* Each event of the scan. Returns the number of its launch, 0: not known. *@launch: the call that it is, or NULL; its
 * `operation` and `annotation` are the caller's to set. */
guint32 tt_launches_see (TtLaunches *self, const TtEvent *event, TtLaunch **launch);
/* After the scan; NULL: not known, or the call is not in the trace. */
const TtLaunch *tt_launches_get (const TtLaunches *self, guint32 number);
