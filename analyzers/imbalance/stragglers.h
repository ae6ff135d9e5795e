/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStragglers: in each step, which rank makes the others late, and with what.
 *
 * Where the step has calls of collectives, the straggler is the rank that the others paid most for in them (calls.h): the
 * ranks of a synchronous step take equally long, whoever was late. Without, it is the rank whose step is the longest
 * (the step's own span, where the trace names no steps TtSteps' iteration by operators), and the price is what it takes
 * longer than the median of all ranks, of an even number the mean of the two in the middle. Where nobody costs anything nobody is late.
 *
 * A selection chooses steps, of which it leaves a span, and operations, and changes no number.
 *
 * Its operation is the one of which its self time in the step is furthest above the mean of the other ranks in the step,
 * who count as 0 without it. Communication and synchronisation are none, for they wait. An annotation counts with what
 * none of the spans inside explains, and so does the time of the step in which no span of the rank runs.
 */
#pragma once

#include "src/base/int128.h"
#include "src/select/selection.h"

typedef struct
{
  gint32 step;
  guint n_ranks;
  guint32 process; /* the straggler, by the process that leads the rank; TT_NO_ID: nobody is late */
  gboolean is_by_arrival;
  tt_int128 twice_price_ns;             /* paid by the others, or above the median; times 2, as halves occur */
  tt_int128 length_ns, twice_median_ns; /* of its iteration and of all; 0 where steps have none */
  gboolean has_operation;               /* one takes longer than elsewhere */
  guint32 name;                         /* of it; TT_NO_ID: outside any operation of the trace */
  guint32 thread;                       /* where it is */
  double excess_ns;
} TtStraggler;

typedef struct
{
  guint32 process;
  guint n_steps; /* in which it was the straggler */
  tt_int128 twice_price_ns;
  gboolean has_operation;
  guint32 name, thread; /* the operation that is its steps' most often; TT_NO_ID: outside any */
  guint n_named;        /* steps with that operation */
  double excess_ns;     /* of it in them */
} TtStragglerRank;

typedef struct
{
  GArray *steps; /* of TtStraggler, steps of two or more ranks in their order */
  GArray *ranks; /* of TtStragglerRank, greatest price first: those that were stragglers */
} TtStragglers;

/* @selection: bound, or NULL. */
TtStragglers *tt_stragglers_new (TtStore *store, TtSelection *selection, GError **error);
void tt_stragglers_free (TtStragglers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStragglers, tt_stragglers_free)
