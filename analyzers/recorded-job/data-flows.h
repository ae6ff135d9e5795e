/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where threads waited for what others made: TensorFlow's timelines have a flow from each operator to those of other threads
 * that take its tensors.
 */
#pragma once

#include "analyzers/recorded-job/host-lanes.h"

/* Adds a TtHostWait to @waits for each gap before a span in which the last operator that it takes tensors of has ended.
 * @spans: of TtHostSpan; they are sorted. */
gboolean tt_recorded_data_flows_add (TtStore *store, GArray *spans, GArray *waits, GError **error);
