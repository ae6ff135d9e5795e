/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of `simulate`: as on the command line, and what they mean.
 */
#pragma once

#include "analyzers/training-job/points.h"
#include "src/cli/options.h"
#include "src/cli/table-set.h"

#define TT_SIMULATE_UNSET G_MININT

enum
{
  TT_SIMULATE_SHOW_RANKS,
  TT_SIMULATE_SHOW_KINDS,
  TT_SIMULATE_SHOW_OPS,
  TT_SIMULATE_SHOW_PATH,
  TT_SIMULATE_SHOW_SWEEP,
  TT_SIMULATE_SHOW_POINTS,
  TT_SIMULATE_N_SHOWN,
};

/* Of options; NULL-ended. */
extern const char *const tt_simulate_lane_words[];
extern const char *const tt_simulate_recv_words[];
extern const char *const tt_simulate_show_words[];

typedef struct
{
  TtSharedOptions shared; /* unit, format, top, wide */
  char *lanes, *recv, *algo, *output, *show_text;
  char **scales, **delays, **removes;
  char *bandwidth, *compute;
  gboolean update_barrier, parallel_updates, sweep;
  double sweep_percent;
  char *latency, *nic_bandwidth, *compression;
  char *n_nics, *n_channels, *n_gpus, *gpus_per_host, *fusion;
  gboolean overlap, no_overlap;
  char **ops, **stragglers;
  char *over; /* --sweep-over */
  char **topologies;
  char *ranks_text;

  TtReportView view;
  int show; /* TT_SHOW_ALL */
  gboolean is_as_dpro, recv_rest;
  TtTrainingJobOptions job;
  TtStepReplayOptions replay;
  GArray *settings; /* of TtJobSetting, into the texts above */
  TtJobChange *change;
  gboolean has_machine;
  TtJobMachine machine;
  guint ranks_per_host; /* 0: not told */
  gboolean has_points;
  GArray *points;              /* of TtSweepPoint; NULL: the usual ones, if any */
  gboolean is_picture, is_png; /* the output */
  const TtCrew *crew;          /* NULL, or ranks that share the sweeps */
} TtSimulateOptions;

void tt_simulate_options_clear (TtSimulateOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSimulateOptions, tt_simulate_options_clear)

/* Fills what the texts mean. */
gboolean tt_simulate_options_check (TtSimulateOptions *self, GError **error);
/* Once it is known that a recorded run is replayed: FALSE with @error if an option is about the model of a job. */
gboolean tt_simulate_options_check_recorded (const TtSimulateOptions *self, GError **error);
/* Once it is known that none is. */
gboolean tt_simulate_options_check_job (const TtSimulateOptions *self, GError **error);
