/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the timing stage that timing.c calls, in this order. Each fills its own members of facts and times.
 */
#pragma once

#include "analyzers/training-job/timing.h"

/* group-gaps.c: observed times of communication, after_send_ns; latency, turnaround and update gaps; updates_wait. */
void tt_job_fill_transfer_times (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples);
void tt_job_fill_group_gaps (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples);

/* server-delays.c: start delays, network gaps and server_wait_ns; with parameter servers operatorGAPComm. Sorts the
 * spans. */
void tt_job_fill_server_delays (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples);
