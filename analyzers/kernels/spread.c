/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/spread.h"

#include <math.h>

#include "analyzers/statistics/tally.h"

#define SORT_BYTES ((gsize) 64 << 20)

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
