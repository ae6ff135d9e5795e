/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpOrder: the operations (op_long_name) of the selected runs in order of their first span, with
 * their sums and, if wanted, the places of their spans.
 *
 * Spans are numbered from 0 in (ts, name) order of the whole run, whatever is selected; spans equal in
 * both are in order of pids, then of their ends. Events of category `debug` are not there.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "analyzers/statistics/tally.h"
#include "src/select/selection.h"

typedef struct _TtOpOrder TtOpOrder;

typedef struct
{
  guint32 id; /* 0, 1, 2 ... */
  TtGroupMember member;
  TtTallyRow sums;
} TtOpOrderRow;

typedef struct
{
  guint32 id; /* of the operation */
  gint32 step;
  guint64 index;
} TtOpPlace;

/* @selection: bound, or NULL. @with_places: tt_op_order_next_place() will be asked. */
TtOpOrder *tt_op_order_new (TtStore *store, TtSelection *selection, gboolean with_places, GError **error);
void tt_op_order_free (TtOpOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpOrder, tt_op_order_free)

/* The largest step of any span; TT_NO_STEP: there is none. */
gint32 tt_op_order_max_step (const TtOpOrder *self);
guint tt_op_order_count (const TtOpOrder *self);
/* In id order; FALSE at the end or on an error. */
gboolean tt_op_order_next (TtOpOrder *self, TtOpOrderRow *row, GError **error);
/* Free it. */
char *tt_op_order_long_name (const TtOpOrder *self, const TtOpOrderRow *row);
/* In order of (id, step, index); in a run with steps only spans in one. FALSE at the end or on an error. */
gboolean tt_op_order_next_place (TtOpOrder *self, TtOpPlace *place, GError **error);
