/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTally: exact count, sums, extremes and order statistics of durations per group, in bounded memory.
 *
 * Groups are dense numbers chosen by the caller. Sums are 128-bit integers, so the order of
 * additions does not matter. Median = element floor(n/2) of the sorted durations (lower median =
 * element floor((n-1)/2), the same of an odd number), p95 = element ceil(0.95 n) - 1, p99 likewise.
 */
#pragma once

#include "src/base/int128.h"
#include "src/base/spill.h"

typedef struct _TtTally TtTally;

typedef struct
{
  guint32 group;
  guint64 count;
  guint64 n_bounded; /* of these: they are in no extreme or quantile, unless there are no others */
  tt_int128 total_ns, self_ns, sum_ns;
  tt_uint128 sum_sq; /* all bits set: it did not fit */
  gint64 min_ns, max_ns, lower_median_ns, median_ns, p95_ns, p99_ns;
} TtTallyRow;

/* @memory_bytes: for sorting; beyond it a temporary file is used. */
TtTally *tt_tally_new (gsize memory_bytes);
void tt_tally_free (TtTally *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTally, tt_tally_free)

/* @total_ns: what counts into Total (0 for a span inside another of its group; clipped by a window). */
void tt_tally_add (TtTally *self, guint32 group, gint64 dur_ns, gint64 self_ns, gint64 total_ns);
/* Of a span whose duration is not known: see TT_FLAGS_BOUNDED. */
void tt_tally_add_bounded (TtTally *self, guint32 group, gint64 dur_ns, gint64 self_ns, gint64 total_ns);

/* Something of @group is about to be added: where there are many groups, its sums come into the cache meanwhile. */
void tt_tally_fetch (const TtTally *self, guint32 group);

gboolean tt_tally_finish (TtTally *self, GError **error);
/* Before the first row: the durations of all rows, in their order, go to @values as gint64, too: of a row the bounded ones first, and
 * each kind sorted. They are all there when there are no more rows. */
void tt_tally_keep (TtTally *self, TtSpill *values);
/* After finish: rows in group order; FALSE at the end or on error. */
gboolean tt_tally_next (TtTally *self, TtTallyRow *row, GError **error);

/* One duration, or all of another row, into the sums of a row; extremes and quantiles are left alone. A sum of
 * squares that does not fit stays at its greatest value. */
void tt_tally_row_add (TtTallyRow *self, gint64 dur_ns, gint64 self_ns, gint64 total_ns);
void tt_tally_row_merge (TtTallyRow *self, const TtTallyRow *other);
/* ceil (count * percent / 100) - 1: where a percentile lies in sorted order. @count: not 0. */
guint64 tt_tally_percentile_index (guint64 count, guint percent);

/* Nothing is known of extremes and quantiles. */
static inline gboolean
tt_tally_row_is_bounded (const TtTallyRow *row)
{
  return row->count > 0 && row->n_bounded == row->count;
}

/* How many of a row's durations in sorted order, the bounded ones first, are left out of extremes and quantiles. */
static inline guint64
tt_tally_left_out (const TtTallyRow *row)
{
  return row->n_bounded < row->count ? row->n_bounded : 0;
}

/* Of the population, from the exact sums; NaN if @sum_sq did not fit. */
double tt_tally_variance_ns2 (guint64 count, tt_int128 sum_ns, tt_uint128 sum_sq);
double tt_tally_stddev_ns (guint64 count, tt_int128 sum_ns, tt_uint128 sum_sq);
