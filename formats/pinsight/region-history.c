/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/region-history.h"

/* How many regions that began before a time are looked at, newest first: few threads of a process encounter regions at
 * once. */
#define MAX_LOOKS 16u

/* The regions of one code pointer that their source has numbered. */
typedef struct
{
  guint64 codeptr;
  gint64 latest;
  GArray *recorded; /* of guint32, in order */
  const TtConfigLexgion *lexgion;
} Numbered;

static void
free_numbered (gpointer data)
{
  Numbered *numbered = data;

  g_array_unref (numbered->recorded);
  g_free (numbered);
}

void
tt_region_history_init (TtRegionHistory *self)
{
  self->numbered = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_numbered);
  self->by_time = NULL;
}

void
tt_region_history_clear (TtRegionHistory *self)
{
  g_hash_table_unref (self->numbered);
  g_clear_pointer (&self->by_time, g_array_unref);
}

/* -- by number ------------------------------------------------------------------------------------ */

/* Where @number is among the recorded, or would be. */
static guint
find_number (const Numbered *self, guint32 number)
{
  guint low = 0, high = self->recorded->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (self->recorded, guint32, middle) < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
tt_region_history_add_numbered (TtRegionHistory *self, const TtSpanFacts *facts, const TtRegionDecision *decision)
{
  Numbered *numbered = g_hash_table_lookup (self->numbered, &facts->parallel_codeptr);
  guint32 number = (guint32) facts->parallel_record_id;

  if (numbered == NULL)
    {
      numbered = g_new0 (Numbered, 1);
      numbered->codeptr = facts->parallel_codeptr;
      numbered->latest = -1;
      numbered->recorded = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (self->numbered, &numbered->codeptr, numbered);
    }
  numbered->lexgion = decision->lexgion;
  numbered->latest = MAX (numbered->latest, facts->parallel_record_id);
  if (!decision->is_recorded)
    return;
  guint at = find_number (numbered, number);
  if (at == numbered->recorded->len || g_array_index (numbered->recorded, guint32, at) != number)
    g_array_insert_val (numbered->recorded, at, number);
}

gboolean
tt_region_history_find_numbered (const TtRegionHistory *self, const TtSpanFacts *facts, TtRegionDecision *decision)
{
  const Numbered *numbered = g_hash_table_lookup (self->numbered, &facts->parallel_codeptr);

  if (numbered == NULL || facts->parallel_record_id > numbered->latest)
    return FALSE;
  guint32 number = (guint32) facts->parallel_record_id;
  guint at = find_number (numbered, number);
  decision->lexgion = numbered->lexgion;
  decision->is_recorded = at < numbered->recorded->len && g_array_index (numbered->recorded, guint32, at) == number;
  return TRUE;
}

/* -- by time -------------------------------------------------------------------------------------- */

/* The number of those that begin by @ts_ns. */
static guint
count_until (const GArray *by_time, gint64 ts_ns)
{
  guint low = 0, high = by_time->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (by_time, TtRegionStretch, middle).begin_ns <= ts_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
tt_region_history_add_stretch (TtRegionHistory *self, const TtRegionStretch *stretch)
{
  if (self->by_time == NULL)
    self->by_time = g_array_new (FALSE, FALSE, sizeof (TtRegionStretch));
  g_array_insert_vals (self->by_time, count_until (self->by_time, stretch->begin_ns), stretch, 1);
}

void
tt_region_history_end_stretch (TtRegionHistory *self, guint32 token, gint64 end_ns)
{
  GArray *by_time = self->by_time;
  guint i = by_time == NULL ? 0 : by_time->len;

  while (i > 0 && g_array_index (by_time, TtRegionStretch, i - 1).token != token)
    i--;
  if (i == 0)
    return;
  TtRegionStretch *ended = &g_array_index (by_time, TtRegionStretch, i - 1);
  ended->end_ns = end_ns;
  ended->token = 0;
  if (i < 2)
    return;
  TtRegionStretch *before = ended - 1;
  if (before->token == 0 && before->thread == ended->thread && before->end_ns <= ended->begin_ns &&
      before->decision.is_recorded == ended->decision.is_recorded &&
      before->decision.lexgion == ended->decision.lexgion) {
      before->end_ns = end_ns;
      g_array_remove_index (by_time, i - 1);
    }
}

gboolean
tt_region_history_find_by_time (const TtRegionHistory *self, gint64 ts_ns, TtRegionDecision *decision)
{
  guint end = self->by_time == NULL ? 0 : count_until (self->by_time, ts_ns);

  for (guint i = end; i > 0 && end - i < MAX_LOOKS; i--)
    {
      const TtRegionStretch *stretch = &g_array_index (self->by_time, TtRegionStretch, i - 1);
      if (stretch->end_ns > ts_ns)
        {
          *decision = stretch->decision;
          return TRUE;
        }
    }
  return FALSE;
}
