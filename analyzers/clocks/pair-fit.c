/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/pair-fit.h"

#include <math.h>

/* No quartz is worse. */
#define MAX_DRIFT 2e-4
#define N_SEARCH_STEPS 80

/* -- bounds ------------------------------------------------------------------------------------------------------ */

static TtClockBucket *
bucket_at (TtClockPair *self, gint64 at_ns)
{
  double part = self->last_ns <= self->first_ns
                    ? 0
                    : (double) (at_ns - self->first_ns) / (double) (self->last_ns - self->first_ns);
  int index = (int) (part * TT_CLOCK_BUCKETS);

  return &self->buckets[CLAMP (index, 0, (int) TT_CLOCK_BUCKETS - 1)];
}

void
tt_clock_pair_add_lower (TtClockPair *self, gint64 at_ns, gint64 ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_lower && bucket->lower_ns >= ns)
    return;
  bucket->has_lower = TRUE;
  bucket->lower_at_ns = at_ns;
  bucket->lower_ns = ns;
}

void
tt_clock_pair_add_upper (TtClockPair *self, gint64 at_ns, gint64 ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_upper && bucket->upper_ns <= ns)
    return;
  bucket->has_upper = TRUE;
  bucket->upper_at_ns = at_ns;
  bucket->upper_ns = ns;
}

void
tt_clock_pair_add_near (TtClockPair *self, gint64 at_ns, gint64 ns, gint64 width_ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_near && bucket->near_width_ns <= width_ns)
    return;
  bucket->has_near = TRUE;
  bucket->near_at_ns = at_ns;
  bucket->near_ns = ns;
  bucket->near_width_ns = width_ns;
}

/* -- lines ------------------------------------------------------------------------------------------------------- */

/* Bounds of buckets[first ... last], seen along lines of one slope: times from origin_ns, in doubles, which are exact
 * enough for what is only an estimate. */
typedef struct
{
  const TtClockBucket *buckets;
  guint first, last;
  gint64 origin_ns;
} Stretch;

typedef struct
{
  double low, high; /* of the difference at the origin; low > high: no line has this slope */
} Band;

static Band
band_of_slope (const Stretch *self, double slope)
{
  Band band = { -INFINITY, INFINITY };

  for (guint i = self->first; i <= self->last; i++)
    {
      const TtClockBucket *bucket = &self->buckets[i];

      if (bucket->has_lower)
        band.low = MAX (band.low, (double) bucket->lower_ns - slope * (double) (bucket->lower_at_ns - self->origin_ns));
      if (bucket->has_upper)
        band.high = MIN (band.high, (double) bucket->upper_ns - slope * (double) (bucket->upper_at_ns - self->origin_ns));
    }
  return band;
}

/* The width of the band is concave in the slope. */
static double
widest_slope (const Stretch *self)
{
  double low = -MAX_DRIFT, high = MAX_DRIFT;

  for (int i = 0; i < N_SEARCH_STEPS; i++)
    {
      double a = low + (high - low) / 3, b = high - (high - low) / 3;
      Band band_a = band_of_slope (self, a), band_b = band_of_slope (self, b);

      if (band_a.high - band_a.low < band_b.high - band_b.low)
        low = a;
      else
        high = b;
    }
  return (low + high) / 2;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
}

/* Median of the ends' distances from a line of @slope, and of what is left of them then; FALSE: there are no ends. */
static gboolean
near_of_slope (const Stretch *self, double slope, double *offset, double *spread)
{
  double values[TT_CLOCK_BUCKETS];
  guint n = 0;

  for (guint i = self->first; i <= self->last; i++)
    if (self->buckets[i].has_near)
      values[n++] = (double) self->buckets[i].near_ns -
                    slope * (double) (self->buckets[i].near_at_ns - self->origin_ns);
  if (n == 0)
    return FALSE;
  *offset = median (values, n);
  for (guint i = 0; i < n; i++)
    values[i] = fabs (values[i] - *offset);
  *spread = median (values, n);
  return TRUE;
}

/* Median of the slopes between the ends (H. Theil, P. Sen). */
static double
near_slope (const Stretch *self)
{
  double values[TT_CLOCK_BUCKETS * TT_CLOCK_BUCKETS / 2];
  guint n = 0;

  for (guint i = self->first; i <= self->last; i++)
    for (guint j = i + 1; j <= self->last; j++)
      {
        const TtClockBucket *a = &self->buckets[i], *b = &self->buckets[j];

        if (a->has_near && b->has_near && b->near_at_ns > a->near_at_ns)
          values[n++] = (double) (b->near_ns - a->near_ns) / (double) (b->near_at_ns - a->near_at_ns);
      }
  return n < 6 ? 0 : CLAMP (median (values, n), -MAX_DRIFT, MAX_DRIFT);
}

static gboolean
is_open (Band band)
{
  return isinf (band.low) || isinf (band.high);
}

static double
width_of_slope (const Stretch *self, double slope)
{
  Band band = band_of_slope (self, slope);

  return band.high - band.low;
}

/* No drift where that agrees with the bounds; but that it is just possible does not make it likely. */
static double
best_slope (const Stretch *self)
{
  double flat = width_of_slope (self, 0), offset, spread, sloped_spread;
  double widest = widest_slope (self), near = near_slope (self);
  gboolean has_near = near_of_slope (self, 0, &offset, &spread);

  if (flat < 0 || (!is_open (band_of_slope (self, 0)) && width_of_slope (self, widest) > 3 * flat))
    return near != 0 && width_of_slope (self, near) > 0.7 * width_of_slope (self, widest) ? near : widest;
  if (!has_near || near == 0)
    return 0;
  near_of_slope (self, near, &offset, &sloped_spread);
  /* What the bounds leave open the ends decide. */
  return sloped_spread < spread / 3 && width_of_slope (self, near) >= 0 && spread * 8 < flat ? near : 0;
}

static gboolean
has_line (const Stretch *self)
{
  Band flat = band_of_slope (self, 0), best;

  if (flat.low <= flat.high)
    return TRUE;
  best = band_of_slope (self, widest_slope (self));
  return best.low <= best.high;
}

/* What the bounds leave open the ends of calls decide, else the middle; 0 where the bounds allow it. */
static TtClockLine
fit_line (const Stretch *self, gint64 from_ns, gint64 until_ns, double *width)
{
  double slope = best_slope (self), offset, spread;
  Band band = band_of_slope (self, slope);
  gboolean has_near = near_of_slope (self, slope, &offset, &spread);

  *width = is_open (band) ? INFINITY : MAX (band.high - band.low, 0);
  if (slope == 0 && band.low <= 0 && band.high >= 0 && !(has_near && fabs (offset) > 8 * spread + 1000))
    offset = 0;
  else if (has_near && (is_open (band) || band.high - band.low > 8 * spread))
    {
      offset = CLAMP (offset, band.low, MAX (band.low, band.high));
      *width = MIN (*width, 4 * spread + 1);
    }
  else if (!is_open (band))
    offset = (band.low + band.high) / 2;
  else
    offset = isinf (band.low) ? MIN (band.high, 0) : MAX (band.low, 0);
  return (TtClockLine){ from_ns, until_ns, llround (offset + slope * (double) (from_ns - self->origin_ns)),
                        llround (offset + slope * (double) (until_ns - self->origin_ns)) };
}

/* -- stretches ---------------------------------------------------------------------------------------------------- */

static guint
count_bounds (const Stretch *self, guint *n_upper)
{
  guint n_lower = 0;

  *n_upper = 0;
  for (guint i = self->first; i <= self->last; i++)
    {
      n_lower += self->buckets[i].has_lower;
      *n_upper += self->buckets[i].has_upper;
    }
  return n_lower;
}

static gint64
begin_of_bucket (const TtClockPair *pair, guint index)
{
  return pair->first_ns + (gint64) ((double) (pair->last_ns - pair->first_ns) * index / TT_CLOCK_BUCKETS);
}

void
tt_clock_pair_fit (const TtClockPair *pair, TtClockPairFit *fit)
{
  Stretch stretch = { .buckets = pair->buckets, .origin_ns = pair->first_ns };
  double widest = 0;

  *fit = (TtClockPairFit){ .lines = g_array_new (FALSE, FALSE, sizeof (TtClockLine)) };
  for (guint first = 0, next; first < TT_CLOCK_BUCKETS; first = next)
    {
      guint n_upper;
      double width;

      stretch.first = stretch.last = first;
      for (next = first + 1; next < TT_CLOCK_BUCKETS; next++)
        {
          stretch.last = next;
          if (!has_line (&stretch))
            break;
        }
      stretch.last = next - 1;
      guint n_lower = count_bounds (&stretch, &n_upper);
      if (n_lower + n_upper == 0)
        continue;
      /* A stretch of few bounds between others is no clock that was set. */
      if (!has_line (&stretch) || (next - first < 3 && (first > 0 || next < TT_CLOCK_BUCKETS)))
        {
          fit->n_outliers++;
          continue;
        }
      TtClockLine line = fit_line (&stretch, begin_of_bucket (pair, first), begin_of_bucket (pair, next), &width);
      line.until_ns = MAX (line.until_ns, line.from_ns + 1);
      g_array_append_val (fit->lines, line);
      widest = MAX (widest, width);
    }
  fit->width_ns = widest < 4e18 ? (gint64) widest : G_MAXINT64;
}

void
tt_clock_pair_fit_clear (TtClockPairFit *fit)
{
  g_clear_pointer (&fit->lines, g_array_unref);
}
