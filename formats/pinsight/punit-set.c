/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

/* Keeps the set in order and merged. */
void
tt_id_set_add (GArray *ids, guint32 low, guint32 high)
{
  guint i = 0;

  while (i < ids->len && (guint64) g_array_index (ids, TtIdRange, i).high + 1 < low)
    i++;
  while (i < ids->len && g_array_index (ids, TtIdRange, i).low <= (guint64) high + 1)
    {
      const TtIdRange *joined = &g_array_index (ids, TtIdRange, i);
      low = MIN (low, joined->low);
      high = MAX (high, joined->high);
      g_array_remove_index (ids, i);
    }
  const TtIdRange range = { low, high };
  g_array_insert_val (ids, i, range);
}

gboolean
tt_id_set_has (const GArray *ids, guint32 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (id >= g_array_index (ids, TtIdRange, i).low && id <= g_array_index (ids, TtIdRange, i).high)
      return TRUE;
  return FALSE;
}

TtPunitSet *
tt_punit_set_new (guint kind, guint line, guint column)
{
  TtPunitSet *set = g_new0 (TtPunitSet, 1);

  set->kind = kind;
  set->line = line;
  set->column = column;
  set->ids = g_array_new (FALSE, FALSE, sizeof (TtIdRange));
  return set;
}

void
tt_punit_set_free (gpointer data)
{
  TtPunitSet *set = data;

  if (set == NULL)
    return;
  g_array_unref (set->ids);
  g_free (set);
}
