/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpRows: the operations of a run and the places of their spans (op-order.h), of one process, or of ranks of which each has the spans that begin
 * in its part of the time. Of a rank go to rank 0: how many spans it has, its operations with their sums, what is asked about their durations
 * (joint-stats.h), and the places, some 3 bytes a span.
 */
#pragma once

#include "analyzers/statistics/op-order.h"
#include "src/base/crew.h"

typedef struct
{
  guint32 id; /* 0, 1, 2 ... */
  TtGroupMember member;
  TtTallyRow sums;
} TtOpRow;

typedef struct _TtOpRows TtOpRows;

/* @crew: NULL, or ranks that share the work, of which this is rank 0: then tt_crew_end() follows, whatever comes back. NULL: @error; none where another rank
 * has failed. */
TtOpRows *tt_op_rows_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
void tt_op_rows_free (TtOpRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpRows, tt_op_rows_free)

/* As another rank than 0. */
gboolean tt_op_rows_help (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);

/* The largest step of any span; TT_NO_STEP: there is none. */
gint32 tt_op_rows_max_step (const TtOpRows *self);
guint tt_op_rows_count (const TtOpRows *self);
/* In order of ids; FALSE at the end or on an error. */
gboolean tt_op_rows_next (TtOpRows *self, TtOpRow *row, GError **error);
/* Of the row: where there are steps, of each step the last place, ascending by step; else all places. FALSE at the end or on an error. */
gboolean tt_op_rows_next_place (TtOpRows *self, TtSpanPlace *place, GError **error);
