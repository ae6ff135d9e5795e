/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a change makes of a recording, and how far what the traces do not tell may change that.
 */
#pragma once

#include "analyzers/training-job/change.h"
#include "analyzers/training-job/prediction.h"

typedef struct
{
  TtPrediction *prediction;
  gint64 less_ns, more_ns; /* that it may take */
} TtRecordedChange;

/* FALSE with @error, of usage: not all of it can change in a recording. */
gboolean tt_recorded_change_check (const TtJobChange *change, guint ranks_per_host, GError **error);
/* @network: NULL: nothing of it changes. */
gboolean tt_recorded_change_predict (TtRecordedChange *self,
                                     TtStepRecording *recording,
                                     const TtRecordedNetwork *network,
                                     const TtJobChange *change,
                                     GError **error);
