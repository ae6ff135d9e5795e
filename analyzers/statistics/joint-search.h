/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJointSearch: the value at a place of sorted values that several have a part of, found without bringing them together.
 *
 * In turns: each part answers about the range that the value is known to be in, with samples (TtValueAnswer); from them follows a narrower
 * range, by a factor of about half the samples. Where all values of the range are told, or none is left, the search ends. Exact, with
 * any number of equal values.
 */
#pragma once

#include "analyzers/statistics/part-values.h"

typedef struct
{
  guint64 place; /* from 0 */
  gboolean is_found;
  gint64 value_ns;
  /* Greater than this, and no greater than that. */
  gboolean has_above, has_below;
  gint64 above_ns, below_ns;
} TtJointSearch;

/* Whether both know the same of where they are. */
gboolean tt_joint_search_is_like (const TtJointSearch *self, const TtJointSearch *other);
/* @answers: of all parts, about the range between @above_ns and @below_ns, without these two. FALSE: they do not go together. */
gboolean tt_joint_search_narrow (TtJointSearch *self, const TtValueAnswer *const *answers, guint n);
