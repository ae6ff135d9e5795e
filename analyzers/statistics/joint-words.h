/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ranks of joint-stats.h say to each other, as bytes.
 */
#pragma once

#include "analyzers/statistics/joint-stats.h"
#include "analyzers/statistics/part-values.h"
#include "src/base/packed.h"

/* A group, as the rank that counted it has it. */
typedef struct
{
  TtGroupMember member;
  guint64 mark;
  TtTallyRow sums; /* its `group` is not said */
} TtJointGroup;

/* 0: it has none. */
guint64 tt_joint_part_mark (const TtJointPart *part, guint32 group);

void tt_joint_pack_group (GByteArray *bytes, const TtJointGroup *group);
void tt_joint_unpack_group (TtUnpack *from, TtJointGroup *group);

void tt_joint_pack_question (GByteArray *bytes, const TtValueQuestion *question);
/* One that @values cannot answer is bad. */
void tt_joint_unpack_question (TtUnpack *from, const TtPartValues *values, TtValueQuestion *question);

void tt_joint_pack_answer (GByteArray *bytes, const TtValueAnswer *answer);
void tt_joint_unpack_answer (TtUnpack *from, guint max_samples, TtValueAnswer *answer);
