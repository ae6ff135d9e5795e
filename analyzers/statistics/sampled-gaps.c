/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/sampled-gaps.h"

#include <math.h>

/* Found by the first member: site << 32 | number. */
typedef struct
{
  guint64 key;
  gint64 ts_ns;
} Begin;

struct _TtSampledGaps
{
  GHashTable *begins;
  gint64 first_ns, last_ns;
};

TtSampledGaps *
tt_sampled_gaps_new (void)
{
  TtSampledGaps *self = g_new0 (TtSampledGaps, 1);

  self->begins = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->first_ns = G_MAXINT64;
  self->last_ns = G_MININT64;
  return self;
}

void
tt_sampled_gaps_free (TtSampledGaps *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->begins);
  g_free (self);
}

void
tt_sampled_gaps_extend (TtSampledGaps *self, gint64 ts_ns, gint64 end_ns)
{
  self->first_ns = MIN (self->first_ns, ts_ns);
  self->last_ns = MAX (self->last_ns, end_ns);
}

void
tt_sampled_gaps_add (TtSampledGaps *self, guint32 site, guint32 number, gint64 ts_ns)
{
  const Begin key = { (guint64) site << 32 | number, ts_ns };
  Begin *begin = g_hash_table_lookup (self->begins, &key);

  if (begin == NULL)
    g_hash_table_add (self->begins, g_memdup2 (&key, sizeof key));
  else
    begin->ts_ns = MIN (begin->ts_ns, ts_ns);
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  const Begin *x = *(const Begin *const *) a, *y = *(const Begin *const *) b;

  return (x->key > y->key) - (x->key < y->key);
}

/* Times are any 64 bits. */
static double
between (gint64 from_ns, gint64 to_ns)
{
  return (double) to_ns - (double) from_ns;
}

static guint32
number_of (const Begin *begin)
{
  return (guint32) begin->key;
}

/* How long @numbers invocations took beyond @pace_ns for each. */
static double
excess (gint64 from_ns, gint64 to_ns, double numbers, double pace_ns)
{
  return MAX (between (from_ns, to_ns) - numbers * pace_ns, 0);
}

static double
hidden_of_site (const TtSampledGaps *self, Begin *const *begins, guint n, double rest)
{
  double hidden = 0, pace_ns = INFINITY;

  if (n < 2)
    return NAN;
  for (guint i = 1; i < n; i++)
    pace_ns = MIN (pace_ns, between (begins[i - 1]->ts_ns, begins[i]->ts_ns) /
                                (number_of (begins[i]) - number_of (begins[i - 1])));
  for (guint i = 1; i < n; i++)
    {
      guint32 numbers = number_of (begins[i]) - number_of (begins[i - 1]);
      if (numbers > 1)
        hidden += excess (begins[i - 1]->ts_ns, begins[i]->ts_ns, numbers, pace_ns);
    }
  if (number_of (begins[0]) > 1)
    hidden += excess (self->first_ns, begins[0]->ts_ns, number_of (begins[0]) - 1, pace_ns);
  if (rest >= 0)
    hidden += excess (begins[n - 1]->ts_ns, self->last_ns, rest + 1, pace_ns);
  return hidden;
}

double *
tt_sampled_gaps_hidden (const TtSampledGaps *self, const double *rest, guint n)
{
  g_autoptr (GPtrArray) begins = g_ptr_array_new ();
  double *hidden = g_new (double, MAX (n, 1));
  GHashTableIter iter;
  gpointer item;

  for (guint i = 0; i < n; i++)
    hidden[i] = NAN;
  g_hash_table_iter_init (&iter, self->begins);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    g_ptr_array_add (begins, item);
  g_ptr_array_sort (begins, by_number);
  for (guint i = 0, next; i < begins->len; i = next)
    {
      guint64 site = ((const Begin *) begins->pdata[i])->key >> 32;

      for (next = i + 1; next < begins->len && ((const Begin *) begins->pdata[next])->key >> 32 == site;)
        next++;
      if (site < n)
        hidden[site] = hidden_of_site (self, (Begin *const *) &begins->pdata[i], next - i, rest[site]);
    }
  return hidden;
}
