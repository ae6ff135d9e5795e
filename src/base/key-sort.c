/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/key-sort.h"

#include <string.h>

#include "src/base/int128.h"
#include "src/base/sorter.h"

#define KEY_BYTES 16
#define KEY_BITS 128

typedef struct
{
  guint first, n; /* fields of this pass */
} Pass;

struct _TtKeySort
{
  gsize record_size, memory_bytes;
  guint n_fields;
  TtKeyRange ranges[TT_KEY_FIELDS];
  guint bits[TT_KEY_FIELDS];
  TtKeyFields fields;
  Pass passes[TT_KEY_FIELDS]; /* least significant first */
  guint n_passes;
  TtSorter *sorter;
};

static guint
count_bits (guint64 value)
{
  guint bits = 0;

  for (; value != 0; value >>= 1)
    bits++;
  return bits;
}

static void
plan_passes (TtKeySort *self)
{
  guint used = 0;

  self->passes[0] = (Pass){ self->n_fields, 0 };
  for (guint i = self->n_fields; i-- > 0;)
    {
      const TtKeyRange *range = &self->ranges[i];
      guint bits = range->max > range->min ? count_bits (range->max - range->min) : 0;

      self->bits[i] = bits;
      if (used + bits > KEY_BITS)
        {
          self->passes[++self->n_passes] = (Pass){ i, 0 };
          used = 0;
        }
      self->passes[self->n_passes].first = i;
      self->passes[self->n_passes].n++;
      used += bits;
    }
  self->n_passes++;
}

TtKeySort *
tt_key_sort_new (gsize record_size, guint n_fields, const TtKeyRange *ranges, TtKeyFields fields, gsize memory_bytes)
{
  TtKeySort *self = g_new0 (TtKeySort, 1);

  g_assert (n_fields > 0 && n_fields <= TT_KEY_FIELDS);
  self->record_size = record_size;
  self->memory_bytes = memory_bytes;
  self->n_fields = n_fields;
  self->fields = fields;
  memcpy (self->ranges, ranges, n_fields * sizeof *ranges);
  plan_passes (self);
  self->sorter = tt_sorter_new (KEY_BYTES + record_size, memory_bytes);
  return self;
}

void
tt_key_sort_free (TtKeySort *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->sorter);
  g_free (self);
}

static void
add_to (TtKeySort *self, TtSorter *sorter, const Pass *pass, const void *record)
{
  guint64 values[TT_KEY_FIELDS], *out = tt_sorter_add (sorter);
  tt_uint128 key = 0;

  self->fields (record, values);
  for (guint i = pass->first; i < pass->first + pass->n; i++)
    if (self->bits[i] > 0)
      key = key << self->bits[i] | (values[i] - self->ranges[i].min);
  out[0] = (guint64) (key >> 64);
  out[1] = (guint64) key;
  memcpy (out + 2, record, self->record_size);
}

void
tt_key_sort_sort_ahead (TtKeySort *self)
{
  tt_sorter_sort_ahead (self->sorter);
}

void
tt_key_sort_add (TtKeySort *self, const void *record)
{
  add_to (self, self->sorter, &self->passes[0], record);
}

gboolean
tt_key_sort_finish (TtKeySort *self, GError **error)
{
  if (!tt_sorter_finish (self->sorter, error))
    return FALSE;
  for (guint i = 1; i < self->n_passes; i++)
    {
      g_autoptr (TtSorter) next = tt_sorter_new (KEY_BYTES + self->record_size, self->memory_bytes);
      GError *failure = NULL;
      const guint8 *record;

      while ((record = tt_sorter_next (self->sorter, &failure)) != NULL)
        add_to (self, next, &self->passes[i], record + KEY_BYTES);
      if (failure != NULL)
        {
          g_propagate_error (error, failure);
          return FALSE;
        }
      if (!tt_sorter_finish (next, error))
        return FALSE;
      tt_sorter_free (self->sorter);
      self->sorter = g_steal_pointer (&next);
    }
  return TRUE;
}

const void *
tt_key_sort_next (TtKeySort *self, GError **error)
{
  const guint8 *record = tt_sorter_next (self->sorter, error);

  return record == NULL ? NULL : record + KEY_BYTES;
}
