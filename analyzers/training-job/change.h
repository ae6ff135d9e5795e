/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobChange: what if a job were another: settings by the words of the options of `simulate`.
 *
 * A setting is a word and a value, "bandwidth" "2", "op" "BW.x=0.5". Of op, straggler, scale, delay and remove there may
 * be any number; of the others the last one holds.
 */
#pragma once

#include "analyzers/training-job/regroup.h"
#include "analyzers/training-job/what-if.h"

/* Borrowed texts. */
typedef struct
{
  const char *word, *value;
} TtJobSetting;

typedef struct
{
  TtWhatIf *what_if; /* of operations */
  TtNetworkChange network;
  TtFusionChange fusion;
  gboolean is_regrouped; /* fusion changes something */
  gboolean is_network;   /* something of the network was set, be it as it is */
  const char *bandwidth; /* as set; borrowed */
} TtJobChange;

extern const char *const tt_job_change_algo_words[]; /* NULL-ended */

/* @settings: of TtJobSetting. NULL with @error: an unknown word (a usage error, as all of them), a value out of range. */
TtJobChange *tt_job_change_new (const GArray *settings, GError **error);
void tt_job_change_free (TtJobChange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobChange, tt_job_change_free)

gboolean tt_job_change_is_empty (const TtJobChange *self);
/* Whether a later setting of the word takes the place of an earlier one. */
gboolean tt_job_change_is_single (const char *word);
