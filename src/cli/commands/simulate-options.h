/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of `simulate`: as on the command line, and what they mean.
 */
#pragma once

#include "analyzers/training-job/what-if.h"
#include "analyzers/training-job/whole-job.h"
#include "graphs/step-graph/replay.h"
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
  TT_SIMULATE_N_SHOWN,
};

/* Of options; NULL-ended. */
extern const char *const tt_simulate_lane_words[];
extern const char *const tt_simulate_recv_words[];
extern const char *const tt_simulate_algo_words[];
extern const char *const tt_simulate_show_words[];

typedef struct
{
  TtSharedOptions shared; /* unit, format, top, wide */
  char *lanes, *recv, *algo, *output, *show_text;
  char **scales, **delays, **removes;
  char *bandwidth, *compute;
  gboolean update_barrier, parallel_updates, sweep;
  double sweep_percent;
  int n_gpus, gpus_per_host;
  char *latency, *nic_bandwidth, *compression;
  int n_nics, n_channels;
  char **ops, **stragglers;

  TtReportView view;
  int show; /* TT_SHOW_ALL */
  gboolean is_as_dpro, recv_rest;
  TtTrainingJobOptions job;
  TtStepReplayOptions replay;
  TtWhatIf *what_if;
  TtNetworkChange network;
  gboolean is_network; /* it changes */
} TtSimulateOptions;

void tt_simulate_options_clear (TtSimulateOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSimulateOptions, tt_simulate_options_clear)

/* Fills what the texts mean. */
gboolean tt_simulate_options_check (TtSimulateOptions *self, GError **error);
