/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/joint-help.h"

#include "analyzers/statistics/joint-words.h"
#include "src/base/error.h"

static GByteArray *
pack_part (const TtJointPart *part, const GArray *rows)
{
  GByteArray *bytes = g_byte_array_new ();
  const guint32 n_paths = tt_grouping_n_paths (part->grouping);

  tt_pack_number (bytes, part->is_odd);
  tt_pack_number (bytes, n_paths);
  for (guint32 path = 1; path <= n_paths; path++)
    {
      guint32 name, parent = tt_grouping_path_parent (part->grouping, path, &name);
      tt_pack_number (bytes, parent);
      tt_pack_number (bytes, name);
    }
  tt_pack_number (bytes, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      const TtTallyRow *row = &g_array_index (rows, TtTallyRow, i);
      const TtJointGroup group = { .member = tt_grouping_member (part->grouping, row->group),
                                   .mark = tt_joint_part_mark (part, row->group),
                                   .sums = *row };
      tt_joint_pack_group (bytes, &group);
    }
  return bytes;
}

/* NULL: what is asked cannot be right, or @error. */
static GByteArray *
answer_questions (TtPartValues *own, const GByteArray *bytes, GError **error)
{
  TtUnpack from = tt_unpack_all (bytes);
  g_autoptr (GByteArray) answers = g_byte_array_new ();
  const guint max_samples = (guint) tt_unpack_below (&from, TT_VALUE_SAMPLES);
  const guint64 n = tt_unpack_number (&from);

  from.is_bad |= max_samples < TT_MIN_VALUE_SAMPLES;
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      TtValueQuestion question;
      TtValueAnswer answer;
      tt_joint_unpack_question (&from, own, &question);
      if (from.is_bad)
        break;
      tt_part_values_answer (own, &question, max_samples, &answer);
      tt_joint_pack_answer (answers, &answer);
    }
  if (from.is_bad)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "what rank 0 asks cannot be right");
  else if (tt_part_values_check (own, error))
    return g_steal_pointer (&answers);
  return NULL;
}

gboolean
tt_joint_stats_give (const TtCrew *crew, const TtJointPart *part, GError **error)
{
  g_autoptr (TtPartValues) own = tt_part_values_new (part->tally, error);

  if (own == NULL)
    return FALSE;
  g_autoptr (GByteArray) said = pack_part (part, tt_part_values_rows (own));
  for (;;)
    {
      crew->give (said);
      g_autoptr (GByteArray) heard = crew->hear ();
      if (heard == NULL)
        return TRUE;
      g_byte_array_unref (said);
      said = answer_questions (own, heard, error);
      if (said == NULL)
        return FALSE;
    }
}
