/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of `critical-path --model`: of the longest path by averages through the graph of operations.
 */
#pragma once

#include "graphs/longest-path.h"
#include "src/base/report/fields.h"

typedef struct
{
  const TtGraph *graph;
  const TtOrder *order;
  const TtLongestPath *path;
} TtModelPath;

TtReport *tt_model_path_table (const TtModelPath *self, const TtReportView *view);
/* The nodes of each cycle, and where the edges led that were left out to open it. */
TtReport *tt_model_cycle_table (const TtModelPath *self, const TtReportView *view);
