/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of collectives on several ranks of a run that belong together.
 */
#pragma once

#include "analyzers/recorded-job/device-lanes.h"

typedef struct
{
  GArray *joined;  /* of TtJoinedKernels */
  GArray *members; /* of guint: numbers of spans */
} TtRecordedCollectives;

/* Those that the store says belong together, of different ranks, each of which had begun before any ended. What is not
 * joined is counted in builder->counts. */
gboolean tt_recorded_collectives_find (TtRecordedCollectives *self, TtRecordingBuilder *builder, GError **error);
void tt_recorded_collectives_clear (TtRecordedCollectives *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtRecordedCollectives, tt_recorded_collectives_clear)
