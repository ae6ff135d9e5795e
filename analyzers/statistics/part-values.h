/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPartValues: the rows of a tally with their sorted durations, of which ranges can be asked for: what a rank knows of groups that
 * others have a part of, too.
 *
 * An answer has all values of a range, or samples at equal distances, the first and the last among them.
 */
#pragma once

#include "analyzers/statistics/tally.h"

#define TT_VALUE_SAMPLES 64u    /* at most, of an answer */
#define TT_MIN_VALUE_SAMPLES 8u /* with fewer a search goes on for long */

typedef struct
{
  guint32 row;
  gboolean without_bounded; /* they are left out */
  /* Between these, which are not in it. */
  gboolean has_above, has_below;
  gint64 above_ns, below_ns;
} TtValueQuestion;

typedef struct
{
  guint64 n_before; /* values that are no greater than @above_ns */
  guint64 n;        /* that are in the range */
  guint n_samples;
  gint64 samples[TT_VALUE_SAMPLES];
} TtValueAnswer;

typedef struct _TtPartValues TtPartValues;

/* @tally: has been finished; it is drained. NULL: @error. */
TtPartValues *tt_part_values_new (TtTally *tally, GError **error);
void tt_part_values_free (TtPartValues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPartValues, tt_part_values_free)

/* Of TtTallyRow. */
const GArray *tt_part_values_rows (const TtPartValues *self);
/* Whether there is an answer: the row is there, and bounded values are left out where it has others, too. */
gboolean tt_part_values_can_answer (const TtPartValues *self, const TtValueQuestion *question);
/* @max_samples: TT_MIN_VALUE_SAMPLES to TT_VALUE_SAMPLES. */
void
tt_part_values_answer (TtPartValues *self, const TtValueQuestion *question, guint max_samples, TtValueAnswer *answer);
/* Whether what was answered could be read. */
gboolean tt_part_values_check (const TtPartValues *self, GError **error);

/* Which of the @n values of a range sample @i is. */
guint64 tt_value_answer_place (const TtValueAnswer *self, guint i);
