/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArrivals: who comes late to collectives, and what the others pay, per function and communicator and per rank.
 *
 * Only calls of two or more ranks count (calls.h). Last in a call is the rank that others wait for, of a function with a
 * root not always the last to arrive; where nobody waits nobody is last.
 */
#pragma once

#include "analyzers/imbalance/calls.h"

typedef struct
{
  char *function;
  gint64 comm;
  guint64 n_calls, n_impossible;
  guint n_ranks;     /* of the largest call */
  tt_int128 skew_ns; /* last arrival - first arrival, summed over calls */
  gint64 min_skew_ns, max_skew_ns;
  double median_skew_ns; /* of an even number of calls the mean of the two in the middle */
  tt_int128 paid_ns;     /* by all ranks */
  /* The rank that others paid most for; TT_NO_ID: none. */
  guint32 latest;
  guint64 n_latest;         /* calls in which it was last */
  tt_int128 latest_cost_ns; /* paid in them */
} TtLateCollective;

typedef struct
{
  guint32 process; /* that leads the rank */
  guint64 n_calls, n_last;
  tt_int128 caused_ns; /* paid by others in calls in which it was last */
  tt_int128 paid_ns;   /* by itself */
  tt_int128 late_ns;   /* own arrival - first arrival, summed over calls */
} TtLateRank;

typedef struct
{
  GArray *collectives;                    /* of TtLateCollective, most paid first */
  GArray *ranks;                          /* of TtLateRank, by rank */
  guint64 n_calls, n_impossible, n_alone; /* n_alone: calls of one rank, which do not count */
  guint64 n_undecided;                    /* parts of calls of which it is not known who takes part: likewise */
  tt_int128 paid_ns;
} TtArrivals;

/* @selection: bound, or NULL. */
TtArrivals *tt_arrivals_new (TtStore *store, const TtSelection *selection, GError **error);
void tt_arrivals_free (TtArrivals *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtArrivals, tt_arrivals_free)
