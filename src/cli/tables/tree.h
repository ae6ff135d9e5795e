/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of `tree`: for people operations indented below their callers, for programs a row a call path.
 */
#pragma once

#include "analyzers/call-tree/call-tree.h"
#include "src/base/report/fields.h"

typedef struct
{
  double min_percent; /* of the whole: paths below are left out, and said */
  guint depth;        /* levels; 0: all */
} TtTreeLimits;

/* Rows in the order of the tree, a node before its children, children by total. */
TtReport *tt_tree_table (TtStore *store, const TtCallTree *tree, const TtTreeLimits *limits, const TtReportView *view);
