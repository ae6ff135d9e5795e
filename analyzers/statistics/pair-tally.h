/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPairTally: TtTally for two groupings at once, one of which refines the other: parts (a name in one
 * process) and wholes (the name). One log of durations serves both.
 *
 * Parts and wholes are dense numbers below 2^32 chosen by the caller; a part always comes with the same whole.
 * Durations are not negative. Sums of every part and whole stay in memory.
 */
#pragma once

#include "analyzers/statistics/tally.h"

typedef struct _TtPairTally TtPairTally;

TtPairTally *tt_pair_tally_new (gsize memory_bytes);
void tt_pair_tally_free (TtPairTally *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPairTally, tt_pair_tally_free)

/* Spans, column by column: their self times and flags are as those of events. */
typedef struct
{
  const guint32 *part, *whole, *flags;
  const gint64 *dur_ns, *self_ns;
} TtPairColumns;

/* A part that means: pass it over. */
#define TT_NO_PART G_MAXUINT32

void tt_pair_tally_add (TtPairTally *self, const TtPairColumns *columns, guint n);

/* Counts everything up. Then the rows are arrays of TtTallyRow indexed by part and by whole (a row with
 * count 0 was never added to); they belong to the tally. */
gboolean tt_pair_tally_finish (TtPairTally *self, GError **error);
const GArray *tt_pair_tally_parts (const TtPairTally *self);
const GArray *tt_pair_tally_wholes (const TtPairTally *self);
