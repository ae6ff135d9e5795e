/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventNumbers: small numbers for what stands in many events, by its bytes: for pid and tid together (a lane), for name
 * and category together (a label).
 *
 * Numbers count from 1 and are never given anew. A lane has the same number always or, where there are too many, none at
 * all; so has a label, but that of one event or another may not be looked for. Who understands the events keeps what it knows of a lane or label in an array.
 */
#pragma once

#include "formats/trace-event/event.h"
#include "src/base/room.h"

/* All numbers are less. */
#define TT_MAX_LANES TT_ROOM (8192u, 64u)
#define TT_MAX_LABELS TT_ROOM (8192u, 64u)

typedef struct _TtEventNumbers TtEventNumbers;

TtEventNumbers *tt_event_numbers_new (void);
void tt_event_numbers_free (TtEventNumbers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventNumbers, tt_event_numbers_free)

/* Sets lane and label of @event, whose values lie within its record as a scanner has it: some bytes after it can be read. Only
 * events whose name and category are plain texts have a label. */
void tt_event_numbers_set (TtEventNumbers *self, TtTraceEvent *event);
