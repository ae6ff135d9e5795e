/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/kernel-times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/statistics/tally.h"
#include "src/base/array.h"
#include "src/base/compare.h"

/* Which of the values of a halving have its bit: 64 in a word, and how many have it before each word. */
typedef struct
{
  guint64 *words;
  guint32 *before;
  guint n_zeros;
} Halving;

struct _TtKernelTimes
{
  GArray *times;       /* of TtKernelTime by (kernel, place): a slot each */
  guint32 *slots;      /* by place */
  tt_int128 *sums;     /* by slot: of all before it; so are */
  tt_uint128 *squares; /* these */
  gint64 *values;      /* that there are, in order */
  guint n_halvings;
  Halving *halvings; /* the highest bit of a value's number first */
};

static int
compare_slots (gconstpointer a, gconstpointer b)
{
  const TtKernelTime *x = a, *y = b;

  return x->kernel != y->kernel ? TT_COMPARE (x->kernel, y->kernel) : TT_COMPARE (x->place, y->place);
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* -- sums ---------------------------------------------------------------------------------------------------------- */

static gboolean
add_up (TtKernelTimes *self)
{
  const TtKernelTime *times = TT_ARRAY (self->times, TtKernelTime);
  const guint n = self->times->len;

  self->slots = g_new (guint32, (gsize) n + 1);
  self->sums = g_new0 (tt_int128, (gsize) n + 1);
  self->squares = g_new0 (tt_uint128, (gsize) n + 1);
  for (guint slot = 0; slot < n; slot++)
    {
      const tt_int128 ns = times[slot].ns;

      self->slots[times[slot].place] = slot;
      self->sums[slot + 1] = self->sums[slot] + ns;
      if (__builtin_add_overflow (self->squares[slot], (tt_uint128) (ns * ns), &self->squares[slot + 1]))
        return FALSE;
    }
  return TRUE;
}

/* -- order --------------------------------------------------------------------------------------------------------- */

static guint
count_ones (const Halving *self, guint end)
{
  const guint64 word = self->words[end / 64] & ((G_GUINT64_CONSTANT (1) << end % 64) - 1);

  return self->before[end / 64] + (guint) __builtin_popcountll (word);
}

/* Sorts @numbers, of values, by bit @bit, which the order before breaks ties of. */
static void
halve (Halving *self, guint32 *numbers, guint32 *spare, guint n, guint bit)
{
  guint n_zeros = 0, n_ones = 0;

  self->words = g_new0 (guint64, n / 64 + 1);
  self->before = g_new (guint32, n / 64 + 1);
  for (guint i = 0; i <= n; i++)
    {
      if (i % 64 == 0)
        self->before[i / 64] = n_ones;
      if (i == n)
        break;
      if ((numbers[i] >> bit & 1) == 0)
        {
          numbers[n_zeros++] = numbers[i];
          continue;
        }
      self->words[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
      spare[n_ones++] = numbers[i];
    }
  self->n_zeros = n_zeros;
  memcpy (numbers + n_zeros, spare, n_ones * sizeof *spare);
}

static guint
find_number (const gint64 *values, guint n, gint64 ns)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (values[middle] < ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
put_in_order (TtKernelTimes *self)
{
  const TtKernelTime *times = TT_ARRAY (self->times, TtKernelTime);
  const guint n = self->times->len;
  g_autofree guint32 *numbers = g_new (guint32, (gsize) n + 1), *spare = g_new (guint32, (gsize) n + 1);
  guint n_values = 0;

  self->values = g_new (gint64, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    self->values[i] = times[i].ns;
  qsort (self->values, n, sizeof *self->values, compare_values);
  for (guint i = 0; i < n; i++)
    if (n_values == 0 || self->values[i] != self->values[n_values - 1])
      self->values[n_values++] = self->values[i];
  for (guint i = 0; i < n; i++)
    numbers[i] = find_number (self->values, n_values, times[i].ns);
  while (self->n_halvings < 32 && n_values > G_GUINT64_CONSTANT (1) << self->n_halvings)
    self->n_halvings++;
  self->halvings = g_new0 (Halving, self->n_halvings + 1);
  for (guint i = 0; i < self->n_halvings; i++)
    halve (&self->halvings[i], numbers, spare, n, self->n_halvings - 1 - i);
}

/* The value number @wanted, from 0 on, in order. */
static gint64
find_value (const TtKernelTimes *self, const TtSlots *slots, guint n, guint64 wanted)
{
  g_autofree TtSlots *left = g_memdup2 (slots, n * sizeof *slots);
  guint number = 0;

  for (guint i = 0; i < self->n_halvings; i++)
    {
      const Halving *halving = &self->halvings[i];
      guint64 n_zeros = 0;

      for (guint k = 0; k < n; k++)
        n_zeros +=
            left[k].end - left[k].first - (count_ones (halving, left[k].end) - count_ones (halving, left[k].first));
      gboolean is_one = wanted >= n_zeros;
      wanted -= is_one ? n_zeros : 0;
      number = number << 1 | (guint) is_one;
      for (guint k = 0; k < n; k++)
        {
          const guint first = count_ones (halving, left[k].first), end = count_ones (halving, left[k].end);

          left[k] = is_one ? (TtSlots){ halving->n_zeros + first, halving->n_zeros + end }
                           : (TtSlots){ left[k].first - first, left[k].end - end };
        }
    }
  return self->values[number];
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

TtKernelTimes *
tt_kernel_times_new (GArray *times)
{
  g_autoptr (TtKernelTimes) self = g_new0 (TtKernelTimes, 1);

  self->times = times;
  g_array_sort (times, compare_slots);
  if (!add_up (self))
    return NULL;
  put_in_order (self);
  return g_steal_pointer (&self);
}

void
tt_kernel_times_free (TtKernelTimes *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->times);
  g_free (self->slots);
  g_free (self->sums);
  g_free (self->squares);
  g_free (self->values);
  for (guint i = 0; self->halvings != NULL && i < self->n_halvings; i++)
    {
      g_free (self->halvings[i].words);
      g_free (self->halvings[i].before);
    }
  g_free (self->halvings);
  g_free (self);
}

guint32
tt_kernel_times_name (const TtKernelTimes *self, guint place)
{
  return TT_ARRAY (self->times, TtKernelTime)[self->slots[place]].kernel;
}

TtSlots
tt_kernel_times_find (const TtKernelTimes *self, guint place, guint end)
{
  const TtKernelTime *times = TT_ARRAY (self->times, TtKernelTime);
  const guint first = self->slots[place];
  const TtKernelTime behind = { .kernel = times[first].kernel, .place = end };
  guint low = first, high = self->times->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_slots (&times[middle], &behind) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return (TtSlots){ first, low };
}

TtSpread *
tt_kernel_times_spread (const TtKernelTimes *self, const TtSlots *slots, guint n)
{
  TtSpread *spread = g_new0 (TtSpread, 1);
  tt_uint128 squares = 0;

  for (guint i = 0; i < n; i++)
    {
      spread->n += slots[i].end - slots[i].first;
      spread->sum += self->sums[slots[i].end] - self->sums[slots[i].first];
      /* All bits set: it does not fit, as in a tally. */
      if (__builtin_add_overflow (squares, self->squares[slots[i].end] - self->squares[slots[i].first], &squares))
        squares = ~(tt_uint128) 0;
    }
  const double count = (double) spread->n, variance = tt_tally_variance_ns2 (spread->n, spread->sum, squares);
  spread->min = find_value (self, slots, n, 0);
  spread->max = find_value (self, slots, n, spread->n - 1);
  spread->median = (double) ((tt_int128) find_value (self, slots, n, (spread->n - 1) / 2) +
                             find_value (self, slots, n, spread->n / 2)) /
                   2;
  spread->stddev = spread->n < 2 ? 0 : sqrt (variance * count / (count - 1));
  return spread;
}
