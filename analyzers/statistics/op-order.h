/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpOrder: the operations (op_long_name) of the selected runs in order of their first span (span-keys.h), with their sums and the
 * places of their spans.
 *
 * Spans are numbered from 0 in that order, whatever is selected.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "analyzers/statistics/span-places.h"
#include "analyzers/statistics/tally.h"
#include "src/select/selection.h"

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtGrouping *grouping; /* its groups are the operations */
  TtTally *tally;       /* of their durations */
  TtSpanPlaces *places;
  guint64 n_spans; /* selected or not */
  gint32 max_step; /* of any span; TT_NO_STEP: there is none */
} TtOpOrder;

/* @selection: bound, or NULL. @n_parts, @part: what begins in that part of the time alone is read, and its first span is number 0. *@is_known FALSE: the parts
 * are not known, and nothing is read; one alone always is. NULL: @error, or that. */
TtOpOrder *tt_op_order_new (TtStore *store,
                            const TtSelection *selection,
                            guint n_parts,
                            guint part,
                            gboolean *is_known,
                            GError **error);
void tt_op_order_free (TtOpOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpOrder, tt_op_order_free)
