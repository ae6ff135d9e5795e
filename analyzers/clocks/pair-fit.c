/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/pair-fit.h"

#include <math.h>

#include "src/base/int128.h"
#include "src/trace/span.h"

/* No quartz is worse. */
#define MAX_DRIFT 2e-4
#define N_SEARCH_STEPS 80
#define MIN_MEDIAN 8u
#define N_SLOPES 10

/* -- lines ------------------------------------------------------------------------------------------------------- */

/* Time from the pair's first, and a difference. Seen along a line it is a double, which is exact enough for what is only
 * an estimate. */
typedef struct
{
  gint64 at_ns, ns;
  gint64 least_ns; /* of ends */
} Point;

typedef struct
{
  Point points[TT_CLOCK_BUCKETS];
  guint8 first[TT_CLOCK_BUCKETS + 1]; /* by bucket: the number of points before it */
} Points;

/* Bounds and ends of a pair, by time. */
typedef struct
{
  Points lower, upper, near;
} Bounds;

/* Those of buckets first ... last, seen along lines of one slope. */
typedef struct
{
  const Bounds *bounds;
  guint first, last;
  gboolean has_widest;
  double widest; /* slope, found once */
} Stretch;

typedef struct
{
  double low, high; /* of the difference at the origin; low > high: no line has this slope */
} Band;

static guint
points_of (const Stretch *self, const Points *all, const Point **points)
{
  *points = all->points + all->first[self->first];
  return (guint) (all->first[self->last + 1] - all->first[self->first]);
}

static double
along (const Point *point, double slope)
{
  return (double) point->ns - slope * (double) point->at_ns;
}

static double
highest (const Point *points, guint n, double slope)
{
  double most = -INFINITY;

  for (guint i = 0; i < n; i++)
    most = MAX (most, along (&points[i], slope));
  return most;
}

static double
lowest (const Point *points, guint n, double slope)
{
  double least = INFINITY;

  for (guint i = 0; i < n; i++)
    least = MIN (least, along (&points[i], slope));
  return least;
}

static Band
band_of_slope (const Stretch *self, double slope)
{
  const Point *lower, *upper;
  guint n_lower = points_of (self, &self->bounds->lower, &lower);
  guint n_upper = points_of (self, &self->bounds->upper, &upper);

  return (Band){ highest (lower, n_lower, slope), lowest (upper, n_upper, slope) };
}

/* Of all slopes only points of the convex hull touch a line: those above (@sign 1) or below (-1) all others. */
static guint
find_hull (const Point *points, guint n, int sign, Point *hull)
{
  guint n_hull = 0;

  for (guint i = 0; i < n; i++)
    {
      for (; n_hull >= 2; n_hull--)
        {
          const Point *a = &hull[n_hull - 2], *b = &hull[n_hull - 1], *c = &points[i];

          tt_int128 above =
              (tt_int128) (b->ns - a->ns) * (c->at_ns - a->at_ns) - (tt_int128) (c->ns - a->ns) * (b->at_ns - a->at_ns);
          if (sign > 0 ? above >= 0 : above <= 0)
            break;
        }
      hull[n_hull++] = points[i];
    }
  return n_hull;
}

/* The width of the band is concave in the slope. */
static double
widest_slope (Stretch *self)
{
  double low = -MAX_DRIFT, high = MAX_DRIFT;
  Point lower[TT_CLOCK_BUCKETS], upper[TT_CLOCK_BUCKETS];
  const Point *points;
  guint n_lower, n_upper;

  if (self->has_widest)
    return self->widest;
  n_lower = points_of (self, &self->bounds->lower, &points);
  n_lower = find_hull (points, n_lower, 1, lower);
  n_upper = points_of (self, &self->bounds->upper, &points);
  n_upper = find_hull (points, n_upper, -1, upper);
  for (int i = 0; i < N_SEARCH_STEPS; i++)
    {
      double a = low + (high - low) / 3, b = high - (high - low) / 3;
      double width_a = lowest (upper, n_upper, a) - highest (lower, n_lower, a);
      double width_b = lowest (upper, n_upper, b) - highest (lower, n_lower, b);

      if (width_a < width_b)
        low = a;
      else
        high = b;
    }
  self->widest = (low + high) / 2;
  self->has_widest = TRUE;
  return self->widest;
}

/* What stands at n / 2 when they are sorted; changes their order (C. A. R. Hoare). */
static double
median (double *values, guint n)
{
  guint low = 0, high = n - 1, wanted = n / 2;

  while (low < high)
    {
      double middle = values[low + (high - low) / 2];
      gint64 i = low, j = high;

      while (i <= j)
        {
          while (values[i] < middle)
            i++;
          while (values[j] > middle)
            j--;
          if (i > j)
            break;
          double value = values[i];
          values[i++] = values[j];
          values[j--] = value;
        }
      if (wanted <= j)
        high = (guint) j;
      else if (wanted >= i)
        low = (guint) i;
      else
        break;
    }
  return values[wanted];
}

/* Median of the ends' distances from a line of @slope, and of what is left of them then, of few the most, for these tell
 * little of how they are scattered; FALSE: there are no ends. */
static gboolean
near_of_slope (const Stretch *self, double slope, double *offset, double *spread)
{
  double values[TT_CLOCK_BUCKETS];
  const Point *near;
  guint n = points_of (self, &self->bounds->near, &near);

  if (n == 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    values[i] = along (&near[i], slope);
  *offset = median (values, n);
  for (guint i = 0; i < n; i++)
    values[i] = fabs (values[i] - *offset);
  *spread = median (values, n);
  for (guint i = 0; i < n && n < MIN_MEDIAN; i++)
    *spread = MAX (*spread, values[i]);
  return TRUE;
}

/* What it takes to leave a call. */
static double
leaving_time (const Stretch *self)
{
  double values[TT_CLOCK_BUCKETS];
  const Point *near;
  guint n = points_of (self, &self->bounds->near, &near);

  for (guint i = 0; i < n; i++)
    values[i] = (double) near[i].least_ns;
  return n == 0 ? 0 : median (values, n);
}

/* Median of the slopes between the ends (H. Theil, P. Sen). */
static double
near_slope (const Stretch *self)
{
  double values[TT_CLOCK_BUCKETS * TT_CLOCK_BUCKETS / 2];
  const Point *near;
  guint n_near = points_of (self, &self->bounds->near, &near), n = 0;

  for (guint i = 0; i < n_near; i++)
    for (guint j = i + 1; j < n_near; j++)
      if (near[j].at_ns > near[i].at_ns)
        values[n++] = (double) (near[j].ns - near[i].ns) / (double) (near[j].at_ns - near[i].at_ns);
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
best_slope (Stretch *self)
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
has_line (Stretch *self)
{
  Band flat = band_of_slope (self, 0), best;

  if (flat.low <= flat.high)
    return TRUE;
  best = band_of_slope (self, widest_slope (self));
  return best.low <= best.high;
}

/* How far any line that the bounds allow is from @line, where the stretch begins and ends; INFINITY: they are on one side.
 * *@drift: how far its slope is from that of @line. */
static double
farthest_line (Stretch *self, const TtClockLine *line, double line_slope, gint64 origin_ns, double *drift)
{
  double widest = widest_slope (self), farthest = 0;

  *drift = 0;
  if (is_open (band_of_slope (self, 0)))
    return INFINITY;
  for (int i = -N_SLOPES; i <= N_SLOPES; i++)
    {
      /* Closer to the widest more finely: most bounds allow few slopes. */
      double slope = widest + (i < 0 ? -1 : 1) * MAX_DRIFT * exp2 (2 * (abs (i) - N_SLOPES)) * (i != 0);
      Band band = band_of_slope (self, slope);
      double from = (double) (line->from_ns - origin_ns), until = (double) (line->until_ns - origin_ns);

      if (band.low > band.high)
        continue;
      *drift = MAX (*drift, fabs (slope - line_slope));
      farthest = MAX (farthest, MAX (fabs (band.low + slope * from - (double) line->begin_ns),
                                     fabs (band.high + slope * from - (double) line->begin_ns)));
      farthest = MAX (farthest, MAX (fabs (band.low + slope * until - (double) line->end_ns),
                                     fabs (band.high + slope * until - (double) line->end_ns)));
    }
  return farthest;
}

typedef struct
{
  double ns, drift;
} Doubt;

/* What the bounds leave open the ends of calls decide, else the middle; 0 where the bounds allow it. *@doubt: how far the
 * line may be wrong. */
static TtClockLine
fit_line (Stretch *self, gint64 origin_ns, gint64 from_ns, gint64 until_ns, double *width, Doubt *doubt)
{
  double slope = best_slope (self), offset = 0, spread = 0;
  Band band = band_of_slope (self, slope);
  gboolean has_near = near_of_slope (self, slope, &offset, &spread);
  const Point *near;
  /* What a median of so many may be wrong by, and a microsecond that clocks do not show. */
  guint n_near = points_of (self, &self->bounds->near, &near);
  double off = 8 * spread / sqrt (MAX (n_near, 1)) + 1000;
  gboolean is_by_ends = FALSE;

  *width = is_open (band) ? INFINITY : MAX (band.high - band.low, 0);
  if (slope == 0 && band.low <= 0 && band.high >= 0 && !(has_near && fabs (offset) > off))
    offset = 0;
  else if (has_near && (is_open (band) || band.high - band.low > 8 * spread))
    {
      offset = CLAMP (offset, band.low, MAX (band.low, band.high));
      /* One says nothing of how far it is off, and few not much. */
      if (n_near > 1)
        *width = MIN (*width, (n_near < MIN_MEDIAN ? 16 : 4) * spread + 1);
      is_by_ends = TRUE;
    }
  else if (!is_open (band))
    offset = (band.low + band.high) / 2;
  else
    offset = isinf (band.low) ? MIN (band.high, 0) : MAX (band.low, 0);
  const TtClockLine line = { from_ns, until_ns, llround (offset + slope * (double) (from_ns - origin_ns)),
                             llround (offset + slope * (double) (until_ns - origin_ns)) };
  /* Any drift that the bounds allow may be. */
  double farthest = farthest_line (self, &line, slope, origin_ns, &doubt->drift);
  doubt->ns = is_by_ends ? MAX (*width / 2, leaving_time (self)) : MAX (*width / 2, farthest);
  return line;
}

/* -- stretches ---------------------------------------------------------------------------------------------------- */

static Bounds *
bounds_new (const TtClockPair *pair)
{
  Bounds *self = g_new (Bounds, 1);
  guint8 n_lower = 0, n_upper = 0, n_near = 0;

  for (guint i = 0; i <= TT_CLOCK_BUCKETS; i++)
    {
      self->lower.first[i] = n_lower;
      self->upper.first[i] = n_upper;
      self->near.first[i] = n_near;
      if (i == TT_CLOCK_BUCKETS || pair->slots[i] == 0)
        continue;
      const TtClockBucket *bucket = &pair->buckets[pair->slots[i] - 1];
      if (bucket->has_lower)
        self->lower.points[n_lower++] =
            (Point){ tt_time_since (bucket->lower_at_ns, pair->first_ns), bucket->lower_ns, 0 };
      if (bucket->has_upper)
        self->upper.points[n_upper++] =
            (Point){ tt_time_since (bucket->upper_at_ns, pair->first_ns), bucket->upper_ns, 0 };
      if (bucket->has_near)
        self->near.points[n_near++] =
            (Point){ tt_time_since (bucket->near_at_ns, pair->first_ns), bucket->near_ns, bucket->near_least_ns };
    }
  return self;
}

/* Where the stretch ends that begins at bucket @first: a bound more leaves fewer lines. */
static Stretch
longest_stretch (const Bounds *bounds, guint first)
{
  Stretch stretch = { .bounds = bounds, .first = first, .last = TT_CLOCK_BUCKETS - 1 };
  guint low = first, high = TT_CLOCK_BUCKETS - 1;

  if (has_line (&stretch))
    return stretch;
  while (low < high)
    {
      stretch = (Stretch){ .bounds = bounds, .first = first, .last = low + (high - low) / 2 };
      if (stretch.last > first && !has_line (&stretch))
        high = stretch.last;
      else
        low = stretch.last + 1;
    }
  return (Stretch){ .bounds = bounds, .first = first, .last = MAX (low - 1, first) };
}

static gint64
begin_of_bucket (const TtClockPair *pair, guint index)
{
  return pair->first_ns + (gint64) ((double) (pair->last_ns - pair->first_ns) * index / TT_CLOCK_BUCKETS);
}

void
tt_clock_pair_fit (const TtClockPair *pair, TtClockPairFit *fit)
{
  g_autofree Bounds *bounds = bounds_new (pair);
  double widest = 0, most_doubt = 0;

  *fit = (TtClockPairFit){ .lines = g_array_new (FALSE, FALSE, sizeof (TtClockLine)) };
  for (guint first = 0, next; first < TT_CLOCK_BUCKETS; first = next)
    {
      Stretch stretch = longest_stretch (bounds, first);
      const Point *points;
      Doubt doubt;
      double width;

      next = stretch.last + 1;
      if (points_of (&stretch, &bounds->lower, &points) + points_of (&stretch, &bounds->upper, &points) == 0)
        continue;
      /* A stretch of few bounds between others is no clock that was set. */
      if (!has_line (&stretch) || (next - first < 3 && (first > 0 || next < TT_CLOCK_BUCKETS)))
        {
          fit->n_outliers++;
          continue;
        }
      TtClockLine line = fit_line (&stretch, pair->first_ns, begin_of_bucket (pair, first),
                                   begin_of_bucket (pair, next), &width, &doubt);
      line.until_ns = MAX (line.until_ns, line.from_ns + 1);
      g_array_append_val (fit->lines, line);
      widest = MAX (widest, width);
      most_doubt = MAX (most_doubt, doubt.ns);
      fit->drift_doubt = MAX (fit->drift_doubt, doubt.drift);
    }
  fit->width_ns = widest < 4e18 ? (gint64) widest : G_MAXINT64;
  fit->doubt_ns = most_doubt < 4e18 ? (gint64) most_doubt : G_MAXINT64;
}

void
tt_clock_pair_fit_clear (TtClockPairFit *fit)
{
  g_clear_pointer (&fit->lines, g_array_unref);
}
