/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of which each rank of a crew has read those of some ranks of the run: it says their rows, some 40 bytes a step, and rank 0 puts them in order.
 */
#pragma once

#include "analyzers/steps/steps-private.h"
#include "src/base/packed.h"

/* On all, after the scan: who has which ranks of the run. @owners: on rank 0, by place: rank + 1 of who has it. *@is_alone: two have parts of one:
 * one has to read all. FALSE: @error, or it is over. */
gboolean tt_joint_steps_agree (TtSteps *self, const TtCrew *crew, guint32 *owners, gboolean *is_alone, GError **error);
/* On rank 0: adds what others have read. On these: says it, and FALSE without @error. */
gboolean tt_joint_steps_join (TtSteps *self,
                              const TtCrew *crew,
                              const guint32 *owners,
                              TtIterationTally *iterations,
                              GError **error);

/* A rank of the run, and its rows, which follow. */
typedef struct
{
  guint32 place;
  guint64 n_rows; /* at least 1 */
  gboolean is_typical;
  TtStepRank sums;   /* without its process */
  TtStepRankEnd end; /* without its row */
} TtJointStepRank;

void tt_joint_step_rank_pack (const TtJointStepRank *self, GByteArray *bytes);
void tt_joint_step_rank_unpack (TtJointStepRank *self, TtUnpack *from);
/* @before: the step of the row before, or -1. */
void tt_joint_step_row_pack (const TtStepRow *self, gint32 before, GByteArray *bytes);
void tt_joint_step_row_unpack (TtStepRow *self, gint32 before, TtUnpack *from);
