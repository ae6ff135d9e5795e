/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/part-values.h"

#include "src/base/array.h"

#define CACHE_BYTES ((gsize) 16 << 20)

struct _TtPartValues
{
  GArray *rows;   /* of TtTallyRow */
  GArray *starts; /* of guint64: where the values of each begin */
  TtSpill *values;
};

TtPartValues *
tt_part_values_new (TtTally *tally, GError **error)
{
  g_autoptr (TtPartValues) self = g_new0 (TtPartValues, 1);
  g_autoptr (GError) fault = NULL;
  TtTallyRow row;
  guint64 start = 0;

  self->rows = g_array_new (FALSE, FALSE, sizeof (TtTallyRow));
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->values = tt_spill_new (CACHE_BYTES);
  tt_tally_keep (tally, self->values);
  while (tt_tally_next (tally, &row, &fault))
    {
      g_array_append_val (self->rows, row);
      g_array_append_val (self->starts, start);
      start += row.count;
    }
  if (fault == NULL && tt_spill_check (self->values, &fault))
    return g_steal_pointer (&self);
  g_propagate_error (error, g_steal_pointer (&fault));
  return NULL;
}

void
tt_part_values_free (TtPartValues *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_array_unref (self->starts);
  tt_spill_free (self->values);
  g_free (self);
}

const GArray *
tt_part_values_rows (const TtPartValues *self)
{
  return self->rows;
}

static gint64
read_value (TtPartValues *self, guint64 i)
{
  gint64 value = 0;

  tt_spill_read (self->values, i * sizeof value, &value, sizeof value);
  return value;
}

/* The first of the values from @low to before @high that is greater than @limit_ns, or is no less: @high where none is. */
static guint64
find_value (TtPartValues *self, guint64 low, guint64 high, gint64 limit_ns, gboolean is_greater)
{
  while (low < high)
    {
      const guint64 middle = low + (high - low) / 2;
      const gint64 value = read_value (self, middle);

      if (value < limit_ns || (is_greater && value == limit_ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint64
tt_value_answer_place (const TtValueAnswer *self, guint i)
{
  return self->n <= self->n_samples ? i : (guint64) ((tt_uint128) i * (self->n - 1) / (self->n_samples - 1));
}

gboolean
tt_part_values_can_answer (const TtPartValues *self, const TtValueQuestion *question)
{
  if (question->row >= self->rows->len)
    return FALSE;
  const TtTallyRow *row = &g_array_index (self->rows, TtTallyRow, question->row);
  return question->without_bounded || row->n_bounded == 0 || row->n_bounded == row->count;
}

void
tt_part_values_answer (TtPartValues *self, const TtValueQuestion *question, guint max_samples, TtValueAnswer *answer)
{
  const TtTallyRow *row = &g_array_index (self->rows, TtTallyRow, question->row);
  const guint64 start = g_array_index (self->starts, guint64, question->row);
  const guint64 end = start + row->count, begin = start + (question->without_bounded ? row->n_bounded : 0);
  const guint64 low = question->has_above ? find_value (self, begin, end, question->above_ns, TRUE) : begin;
  const guint64 high = question->has_below ? find_value (self, low, end, question->below_ns, FALSE) : end;

  answer->n_before = low - begin;
  answer->n = high - low;
  answer->n_samples = (guint) MIN (answer->n, max_samples);
  for (guint i = 0; i < answer->n_samples; i++)
    answer->samples[i] = read_value (self, low + tt_value_answer_place (answer, i));
}

gboolean
tt_part_values_check (const TtPartValues *self, GError **error)
{
  return tt_spill_check (self->values, error);
}
