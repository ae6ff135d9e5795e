/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models of a job that predictions rest on: as it is, of pieces or of whole collectives, and with changes.
 *
 * All zero but the first members is empty. It borrows the job and owns the rest.
 */
#pragma once

#include "analyzers/training-job/change.h"
#include "analyzers/training-job/interval.h"

typedef struct
{
  const TtTrainingJob *job;   /* NULL: of a recording */
  TtStepRecording *recording; /* or NULL */
  gint64 measured_ns;         /* the iteration; 0: not known */
  TtStepReplayOptions replay;
  gboolean recv_rest;          /* as of TtPredictionInput */
  gboolean is_as_dpro;         /* one replay, of averages: the original's */
  const TtJobMachine *machine; /* or NULL */
  guint ranks_per_host;        /* of a recording, as it was told; 0: it was not */

  gboolean is_fitted; /* the network was looked for */
  TtJobNetwork *network;
  TtRecordedNetwork *recorded_network; /* of the recording; NULL: not asked for */
  GError *no_network;                  /* why there is none */
  TtServerNetwork *server_network;     /* of a job over parameter servers; no_network says why there is none */
  TtServerJob *servers, *changed_servers;
  TtWholeJob *whole, *changed_whole;
  TtRegroup *regroup;                     /* of changed_whole, or NULL */
  gint64 fusion_ns;                       /* how far its own rule of fusing was off */
  gint64 cycle_ns;                        /* of Horovod's thread; 0: not known, or nothing waits for it */
  TtPrediction *pieces, *model, *changed; /* NULL: not needed */
  gboolean is_of_pieces;                  /* changed is one of pieces */
  gboolean latency_changes;
  gint64 less_ns, more_ns; /* that changed may take if links are shared otherwise */
  GPtrArray *notes;        /* of char *: what changes rest on, each once */
} TtJobModels;

/* Of a job whose steps are not modelled yet; *self is all zero but for how it is replayed. */
void tt_job_models_init (TtJobModels *self, TtTrainingJob *job);
void tt_job_models_clear (TtJobModels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobModels, tt_job_models_clear)

/* The network of a job, fitted when it is first asked for. NULL: no_network says why. */
const TtJobNetwork *tt_job_models_network (TtJobModels *self);
/* Likewise of a job over parameter servers. NULL: it is none, or no_network says why. */
const TtServerNetwork *tt_job_models_server_network (TtJobModels *self);
/* Likewise of a recording. NULL with @error, of usage. */
const TtRecordedNetwork *tt_job_models_recorded_network (TtJobModels *self, GError **error);
/* Fills pieces, and model where collectives are taken whole. @is_network: the network will be changed. */
gboolean tt_job_models_choose (TtJobModels *self, gboolean is_network, GError **error);
/* Fills changed, anew if there was one. */
gboolean tt_job_models_change (TtJobModels *self, TtJobChange *change, GError **error);
/* Once, whatever how often it is told. */
void tt_job_models_note (TtJobModels *self, const char *text);
/* What the job takes as it is; after a change, by a model of the same kind. */
TtPrediction *tt_job_models_base (const TtJobModels *self);
TtPredictionInterval tt_job_models_interval (const TtJobModels *self, gboolean is_changed);
