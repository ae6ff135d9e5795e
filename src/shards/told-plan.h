/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtToldPlan: the plan of an import as rank 0 tells it to the other ranks, so that these neither list directories nor open
 * files to see what they are: a rank looks at the files of the inputs that it takes, and whether they are those of rank 0.
 */
#pragma once

#include "src/shards/input.h"

typedef struct
{
  GPtrArray *plan; /* of TtPlannedInput, without faults: such are in no order */
  GArray *order;   /* as of tt_shard_job_order() */

  GArray *facts, *first_facts; /* private: of paths, one after another, and where those of an input begin */
} TtToldPlan;

/* @words: of the options. NULL: it cannot be told, for something is unpacked into a folder of this process. */
GByteArray *tt_told_plan_pack (const GPtrArray *plan, const GArray *order, const char *words);

/* NULL and @error: they are not what tt_told_plan_pack() gave, or another build or other options made them. */
TtToldPlan *tt_told_plan_new (const GByteArray *bytes, const char *words, GError **error);
void tt_told_plan_free (TtToldPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtToldPlan, tt_told_plan_free)

/* Whether the files of input @i have the names, sizes and dates that rank 0 saw. */
gboolean tt_told_plan_check (const TtToldPlan *self, guint i, GError **error);
