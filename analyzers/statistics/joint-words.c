/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/joint-words.h"

guint64
tt_joint_part_mark (const TtJointPart *part, guint32 group)
{
  const guint64 *mark = g_hash_table_lookup (part->marks, GUINT_TO_POINTER (group));

  return mark == NULL ? 0 : *mark;
}

void
tt_joint_pack_group (GByteArray *bytes, const TtJointGroup *group)
{
  const TtTallyRow *sums = &group->sums;
  const gint64 values[] = { sums->min_ns,    sums->max_ns, sums->lower_median_ns,
                            sums->median_ns, sums->p95_ns, sums->p99_ns };

  tt_pack_number (bytes, group->member.name);
  tt_pack_number (bytes, group->member.thread);
  tt_pack_number (bytes, group->member.path);
  tt_pack_signed (bytes, group->member.step);
  tt_pack_number (bytes, group->mark);
  tt_pack_number (bytes, sums->count);
  tt_pack_number (bytes, sums->n_bounded);
  tt_pack_wide (bytes, (tt_uint128) sums->total_ns);
  tt_pack_wide (bytes, (tt_uint128) sums->self_ns);
  tt_pack_wide (bytes, (tt_uint128) sums->sum_ns);
  tt_pack_wide (bytes, sums->sum_sq);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    tt_pack_signed (bytes, values[i]);
}

void
tt_joint_unpack_group (TtUnpack *from, TtJointGroup *group)
{
  TtTallyRow *sums = &group->sums;
  gint64 *values[] = { &sums->min_ns,    &sums->max_ns, &sums->lower_median_ns,
                       &sums->median_ns, &sums->p95_ns, &sums->p99_ns };

  *sums = (TtTallyRow){ 0 };
  group->member.name = (guint32) tt_unpack_below (from, G_MAXUINT32);
  group->member.thread = (guint32) tt_unpack_below (from, G_MAXUINT32);
  group->member.path = (guint32) tt_unpack_below (from, TT_MAX_PATHS);
  group->member.step = (gint32) tt_unpack_signed (from);
  group->mark = tt_unpack_number (from);
  sums->count = tt_unpack_number (from);
  sums->n_bounded = tt_unpack_number (from);
  sums->total_ns = (tt_int128) tt_unpack_wide (from);
  sums->self_ns = (tt_int128) tt_unpack_wide (from);
  sums->sum_ns = (tt_int128) tt_unpack_wide (from);
  sums->sum_sq = tt_unpack_wide (from);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    *values[i] = tt_unpack_signed (from);
}

/* -- ranges ----------------------------------------------------------------------------------------------------------- */

enum
{
  WITHOUT_BOUNDED = 1,
  HAS_ABOVE = 2,
  HAS_BELOW = 4,
};

void
tt_joint_pack_question (GByteArray *bytes, const TtValueQuestion *question)
{
  tt_pack_number (bytes, question->row);
  tt_pack_number (bytes, (question->without_bounded ? WITHOUT_BOUNDED : 0u) | (question->has_above ? HAS_ABOVE : 0u) |
                             (question->has_below ? HAS_BELOW : 0u));
  if (question->has_above)
    tt_pack_signed (bytes, question->above_ns);
  if (question->has_below)
    tt_pack_signed (bytes, question->below_ns);
}

void
tt_joint_unpack_question (TtUnpack *from, const TtPartValues *values, TtValueQuestion *question)
{
  *question = (TtValueQuestion){ .row = (guint32) tt_unpack_below (from, G_MAXUINT32) };
  const guint64 kinds = tt_unpack_below (from, WITHOUT_BOUNDED | HAS_ABOVE | HAS_BELOW);

  question->without_bounded = (kinds & WITHOUT_BOUNDED) != 0;
  question->has_above = (kinds & HAS_ABOVE) != 0;
  question->has_below = (kinds & HAS_BELOW) != 0;
  if (question->has_above)
    question->above_ns = tt_unpack_signed (from);
  if (question->has_below)
    question->below_ns = tt_unpack_signed (from);
  from->is_bad |= !tt_part_values_can_answer (values, question);
}

/* Samples are ascending. */
void
tt_joint_pack_answer (GByteArray *bytes, const TtValueAnswer *answer)
{
  tt_pack_number (bytes, answer->n_before);
  tt_pack_number (bytes, answer->n);
  for (guint i = 0; i < answer->n_samples; i++)
    if (i == 0)
      tt_pack_signed (bytes, answer->samples[0]);
    else
      tt_pack_number (bytes, (guint64) answer->samples[i] - (guint64) answer->samples[i - 1]);
}

void
tt_joint_unpack_answer (TtUnpack *from, guint max_samples, TtValueAnswer *answer)
{
  answer->n_before = tt_unpack_number (from);
  answer->n = tt_unpack_number (from);
  answer->n_samples = (guint) MIN (answer->n, max_samples);
  for (guint i = 0; i < answer->n_samples; i++)
    answer->samples[i] =
        i == 0 ? tt_unpack_signed (from) : (gint64) ((guint64) answer->samples[i - 1] + tt_unpack_number (from));
}
