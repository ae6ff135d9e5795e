/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What got slower: the question of a CI that guards performance.
 *
 * An operation whose self time is @min_share_percent of all self time of the first run, there or in the run that is
 * judged, fails where its self time grew by more than @limit_percent, unless chance explains it: its durations do not
 * differ significantly and its count did not grow by more than the limit either. What is new fails. With one sample on
 * a side nobody can tell, and it fails. Of the run as a whole two times must not grow by more than the limit: its
 * length, and the self time of all operations.
 */
#pragma once

#include "analyzers/comparison/comparison.h"

typedef struct
{
  double limit_percent;     /* 0 or more */
  double min_share_percent; /* 0 or more */
  gboolean is_part;         /* only some spans are compared, which have nothing to do with the length of the run */
} TtSlowerLimits;

typedef enum
{
  TT_SLOWER_LENGTH,
  TT_SLOWER_ALL_SELF,
  TT_SLOWER_OPERATION,
} TtSlowerKind;

typedef struct
{
  TtSlowerKind kind;
  guint run;                  /* 1 ... */
  const TtComparedPair *pair; /* of an operation */
  tt_int128 before_ns, after_ns;
} TtSlower;

/* Of TtSlower: by run, the run itself first, then operations, the largest growth first. */
GArray *tt_comparison_find_slower (TtComparison *self, const TtSlowerLimits *limits);
