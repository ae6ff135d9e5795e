/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/spread.h"

#include <math.h>

#include "src/base/sorter.h"

#define SORT_BYTES ((gsize) 32 << 20)

typedef struct
{
  guint64 group, value_key;
} Value;

struct _TtSpreads
{
  TtSorter *values;
  GArray *groups; /* of TtSpread */
};

TtSpreads *
tt_spreads_new (void)
{
  TtSpreads *self = g_new0 (TtSpreads, 1);

  self->values = tt_sorter_new (sizeof (Value), SORT_BYTES);
  self->groups = g_array_new (FALSE, TRUE, sizeof (TtSpread));
  return self;
}

void
tt_spreads_free (TtSpreads *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->values);
  g_array_unref (self->groups);
  g_free (self);
}

void
tt_spreads_add (TtSpreads *self, guint32 group, gint64 value)
{
  Value *added = tt_sorter_add (self->values);

  *added = (Value){ group, tt_sort_key (value) };
  if (group >= self->groups->len)
    g_array_set_size (self->groups, group + 1);
  g_array_index (self->groups, TtSpread, group).n++;
}

/* The group whose values come, smallest first. */
typedef struct
{
  TtSpread *spread;
  guint64 seen;
  double sum, sum_sq; /* of what values are above the least */
} Reader;

static void
end_group (Reader *self)
{
  if (self->spread == NULL || self->spread->n < 2)
    return;
  double n = (double) self->spread->n, rest = self->sum_sq - self->sum * (self->sum / n);
  self->spread->stddev = rest > 0 ? sqrt (rest / (n - 1)) : 0;
}

static void
take_value (Reader *self, TtSpread *spread, gint64 value)
{
  if (spread != self->spread)
    {
      end_group (self);
      *self = (Reader){ .spread = spread };
      spread->min = value;
    }
  guint64 at = self->seen++, middle = spread->n / 2;
  double above = (double) (value - spread->min);
  spread->sum += value;
  spread->max = value;
  self->sum += above;
  self->sum_sq += above * above;
  if (spread->n % 2 == 1 && at == middle)
    spread->median = (double) value;
  if (spread->n % 2 == 0 && (at == middle || at + 1 == middle))
    spread->median += (double) value / 2;
}

gboolean
tt_spreads_finish (TtSpreads *self, GError **error)
{
  Reader reader = { 0 };
  const Value *value;
  GError *failure = NULL;

  if (!tt_sorter_finish (self->values, error))
    return FALSE;
  while ((value = tt_sorter_next (self->values, &failure)) != NULL)
    take_value (&reader, &g_array_index (self->groups, TtSpread, value->group), tt_sort_value (value->value_key));
  end_group (&reader);
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
