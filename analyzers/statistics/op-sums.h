/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpSums: the operations (op_long_name) of the selected runs in order of their first span (span-keys.h), with count and sum of their spans.
 * Nothing is sorted but the operations, so that it takes one scan in any order, of which ranks can have a part each.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "src/base/crew.h"
#include "src/base/int128.h"
#include "src/select/selection.h"

typedef struct
{
  TtGroupMember member; /* the first span */
  guint64 count;
  tt_int128 sum_ns;
} TtOpSum;

/* Of TtOpSum. @selection: bound, or NULL. @crew: NULL, or ranks that share the scan, of which others than 0 get an empty one. NULL: @error. */
GArray *tt_op_sums_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
