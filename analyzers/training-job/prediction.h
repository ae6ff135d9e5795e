/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPrediction: a job's iteration by its model, as it is and with changes: every kept step is replayed with what it
 * took, and the prediction is their mean.
 */
#pragma once

#include "analyzers/training-job/recorded-network.h"
#include "analyzers/training-job/regroup.h"
#include "analyzers/training-job/scaling.h"
#include "analyzers/training-job/server-job.h"
#include "analyzers/training-job/simulation.h"
#include "analyzers/training-job/what-if.h"
#include "analyzers/training-job/whole-job.h"

typedef struct
{
  const TtTrainingJob *job;       /* NULL: of a recording */
  TtStepRecording *recording;     /* then of what follows only links and what_if mean something */
  const TtRecordedNetwork *links; /* of the recording; NULL: nothing about them changes */
  const TtNetworkChange *change;  /* then what does, */
  guint way;                      /* and how: TtRecordedWay */
  const TtWhatIf *what_if;        /* NULL: none */
  guint n_gpus;                   /* 0: as many as traced; of the model of pieces */
  guint gpus_per_host;            /* 0: as traced; likewise */
  const TtWholeJob *whole;        /* collectives whole; NULL: the model of pieces */
  const TtServerJob *servers;     /* with the network between workers and servers; NULL: transfers as they were */
  const TtRegroup *regroup;       /* of `whole`, with tensors fused otherwise, or NULL */
  TtStepReplayOptions replay;
  gboolean recv_rest; /* RECV takes what is left of it when its SEND ends */
  gboolean averages;  /* one replay, of averages: the original's */
} TtPredictionInput;

typedef struct
{
  TtPredictionInput input;
  TtScaledJob *scaled;      /* NULL: the traced job */
  TtSimulation *simulation; /* of the step that is nearest to the mean; its iterations are the means */
  guint n_steps;            /* replayed steps; those of a recording are one replay */
  gint64 *steps_ns;         /* by replayed step: mean iteration over ranks */
  gint64 *measured_ns;      /* by replayed step: what was measured; 0: not known */
  gint64 mean_ns;
} TtPrediction;

/* NULL with @error: an operation that never becomes ready, a change that fits nothing, a job that cannot be scaled. */
TtPrediction *tt_prediction_new (const TtPredictionInput *input, GError **error);
void tt_prediction_free (TtPrediction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPrediction, tt_prediction_free)

/* The replay of step @slot, with the changes, once more. */
TtSimulation *tt_prediction_replay (TtPrediction *self, guint slot, GError **error);
/* The times that a replay of step @slot takes, without changes, one a node; free them. */
TtStepNodeTimes *tt_prediction_step_times (const TtPredictionInput *input, guint slot);
/* How many replays there are; of a recording one. */
guint tt_prediction_n_steps (const TtPredictionInput *input);
/* All iterations longer by @ns. */
void tt_prediction_shift (TtPrediction *self, gint64 ns);
