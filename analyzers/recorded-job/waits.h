/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for what in a run with devices, as far as nodes can be made of it: where threads wait, which queues need each
 * other, and which calls wait for which work whether or not they had to.
 */
#pragma once

#include "analyzers/recorded-job/builder.h"
#include "analyzers/recorded-job/device-lanes.h"
#include "analyzers/recorded-job/host-lanes.h"

/* A call needs the span, by number, to be done. */
typedef struct
{
  guint from;
  guint64 call; /* event */
} TtCallNeed;

typedef struct
{
  GArray *waits;  /* of TtHostWait */
  GArray *queues; /* of TtQueueNeed */
  GArray *calls;  /* of TtCallNeed */
} TtRecordedWaits;

/* @spans: of TtHostSpan, all of the run. */
void tt_recorded_waits_find (TtRecordedWaits *self, const TtRecordingBuilder *builder, const GArray *spans);
void tt_recorded_waits_clear (TtRecordedWaits *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtRecordedWaits, tt_recorded_waits_clear)
/* Once all nodes are made: what threads that wake need. */
void tt_recorded_waits_join (const TtRecordedWaits *self, TtRecordingBuilder *builder);
