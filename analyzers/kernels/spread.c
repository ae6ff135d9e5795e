/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/spread.h"

#include <math.h>

#include "analyzers/statistics/tally.h"

#define SORT_BYTES ((gsize) 64 << 20)
#define VALUES_CACHE ((gsize) 16 << 20)

struct _TtSpreads
{
  TtTally *values;
  GArray *groups; /* of TtSpread */
};

TtSpreads *
tt_spreads_new (void)
{
  TtSpreads *self = g_new0 (TtSpreads, 1);

  self->values = tt_tally_new (SORT_BYTES);
  self->groups = g_array_new (FALSE, TRUE, sizeof (TtSpread));
  return self;
}

void
tt_spreads_free (TtSpreads *self)
{
  if (self == NULL)
    return;
  tt_tally_free (self->values);
  g_array_unref (self->groups);
  g_free (self);
}

void
tt_spreads_add (TtSpreads *self, guint32 group, gint64 value)
{
  tt_tally_add (self->values, group, value, 0, 0);
}

/* @values: sorted, but that those of each group begin anew. */
static void
pack_group (GByteArray *bytes, guint32 group, TtSpill *values, guint64 first, guint64 n)
{
  gint64 last = 0, value;

  tt_pack_number (bytes, n);
  tt_pack_number (bytes, group);
  for (guint64 i = first; i < first + n; i++)
    {
      tt_spill_read (values, i * sizeof value, &value, sizeof value);
      if (i == first)
        tt_pack_signed (bytes, value);
      else
        tt_pack_number (bytes, (guint64) value - (guint64) last);
      last = value;
    }
}

/* Behind the last group a count of 0 stands. */
gboolean
tt_spreads_pack (TtSpreads *self, GByteArray *bytes, guint64 max_values, guint64 *n_values, GError **error)
{
  g_autoptr (TtSpill) values = tt_spill_new (VALUES_CACHE);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TtTallyRow));
  GError *failure = NULL;
  TtTallyRow row;

  *n_values = 0;
  if (!tt_tally_finish (self->values, error))
    return FALSE;
  tt_tally_keep (self->values, values);
  for (; tt_tally_next (self->values, &row, &failure); *n_values += row.count)
    g_array_append_val (rows, row);
  for (guint64 i = 0, first = 0; failure == NULL && i < rows->len && *n_values <= max_values; i++)
    {
      pack_group (bytes, g_array_index (rows, TtTallyRow, i).group, values, first,
                  g_array_index (rows, TtTallyRow, i).count);
      first += g_array_index (rows, TtTallyRow, i).count;
    }
  tt_pack_number (bytes, 0);
  if (failure == NULL && tt_spill_check (values, &failure))
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

void
tt_spreads_unpack (TtSpreads *self, TtUnpack *from, const guint32 *groups, guint32 n)
{
  guint64 n_values;

  while ((n_values = tt_unpack_number (from)) > 0 && !from->is_bad)
    {
      const guint32 theirs = (guint32) tt_unpack_below (from, n == 0 ? 0 : n - 1);
      const guint32 group = groups == NULL || n == 0 ? theirs : groups[theirs];
      gint64 value = 0;

      from->is_bad |= n == 0;
      for (guint64 i = 0; i < n_values && !from->is_bad; i++)
        {
          value = i == 0 ? tt_unpack_signed (from) : (gint64) ((guint64) value + tt_unpack_number (from));
          if (!from->is_bad)
            tt_spreads_add (self, group, value);
        }
    }
}

gboolean
tt_spreads_finish (TtSpreads *self, GError **error)
{
  TtTallyRow row;
  GError *failure = NULL;

  if (!tt_tally_finish (self->values, error))
    return FALSE;
  while (tt_tally_next (self->values, &row, &failure))
    {
      double n = (double) row.count, variance = tt_tally_variance_ns2 (row.count, row.sum_ns, row.sum_sq);

      g_array_set_size (self->groups, row.group + 1);
      g_array_index (self->groups, TtSpread, row.group) = (TtSpread){
        .n = row.count,
        .sum = row.sum_ns,
        .min = row.min_ns,
        .max = row.max_ns,
        .median = (double) ((tt_int128) row.lower_median_ns + row.median_ns) / 2,
        .stddev = row.count < 2 ? 0 : sqrt (variance * n / (n - 1)),
      };
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

guint
tt_spreads_n_groups (const TtSpreads *self)
{
  return self->groups->len;
}

const TtSpread *
tt_spreads_get (const TtSpreads *self, guint32 group)
{
  static const TtSpread nothing = { 0 };

  return group < self->groups->len ? &g_array_index (self->groups, TtSpread, group) : &nothing;
}
