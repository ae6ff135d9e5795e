/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `compare`: a row for each operation (category, rank) and each run but the first, which they are compared
 * with.
 *
 * People call runs A, B, C ...; programs get the names that were typed. For people, rows in which nothing differs are
 * left out and counted.
 */
#pragma once

#include "analyzers/comparison/comparison.h"
#include "src/base/report/fields.h"
#include "src/cli/table-set.h"

typedef struct
{
  TtComparison *comparison;
  const char *const *runs; /* as typed, by run */
  TtGroupKeys keys;
  gboolean per_rank;
  gboolean is_ticks;
  gboolean is_part; /* only some spans: the length of the runs has nothing to do with them */
} TtCompareAnswer;

#define TT_COMPARE_MAX_RUNS 26

static inline char
tt_compare_letter (guint run)
{
  return (char) ('A' + (int) run);
}

/* "Comm.MPI_Recv.RECV", of several keys "Comm, MPI_Recv", per rank with " on rank 3". Free it. */
char *tt_compare_group_text (const TtCompareAnswer *self, const TtComparedGroup *group);
/* "1.25 s", "12,345 ticks", with its sign where it is below 0. Free it. */
char *tt_compare_time_text (const TtCompareAnswer *self, tt_int128 ns);

/* @sort: NULL, or one of the words. NULL with @error: it is none. */
TtReport *
tt_compare_operations (const TtCompareAnswer *self, const TtReportView *view, const char *sort, GError **error);
/* "self, percent, ..." Free it. */
char *tt_compare_sort_words (void);
/* Of categories or ranks. */
TtReport *tt_compare_summary (const TtCompareAnswer *self, TtComparedKind kind, const TtReportView *view);
/* What A, B ... are, and a sentence for each but A. Free it. */
char *tt_compare_describe (const TtCompareAnswer *self);
void tt_compare_facts (const TtCompareAnswer *self, TtFacts *facts);
