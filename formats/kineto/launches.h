/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KinetoLaunches: which call launched which work on a device.
 *
 * A call and all its work have one correlation id, which joins them. The arrows of the file (flows "ac2g") say less: of
 * the launch of a graph CUDA's lead on from node to node, and HIP's have an end in the place of the start; and most ends
 * have no start, for Kineto writes them for calls that start nothing. They count only where no work has an id.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _KinetoLaunches KinetoLaunches;

/* @import: borrowed. */
KinetoLaunches *tt_kineto_launches_new (TtTraceEventImport *import);
void tt_kineto_launches_free (KinetoLaunches *self);

/* An arrow's start or end. */
void tt_kineto_launches_hold (KinetoLaunches *self, const TtTraceEvent *event);
/* Work that has an id. */
void tt_kineto_launches_note_work (KinetoLaunches *self);
/* All events are in: adds the arrows if they count. FALSE: the temporary file failed. */
gboolean tt_kineto_launches_end (KinetoLaunches *self, GError **error);
/* In the hook, then: ties a call, or work, to those of its id. 0: it has none. */
void tt_kineto_launches_tie (KinetoLaunches *self, TtTraceRecord *span, guint64 correlation, gboolean is_work);
