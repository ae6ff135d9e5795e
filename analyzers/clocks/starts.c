/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/starts.h"

#include <stdlib.h>

#include "src/base/compare.h"
#include "src/trace/span.h"

/* How far ends of MPI_Init are apart by themselves, mostly and where the machine is short of time. */
#define START_NS 1000000
#define MAX_START_NS 5000000
#define PART_OF_START 4

/* So many messages that take as long as the fastest, within that, are not late. */
#define MIN_STEADY 3u
#define STEADY_NS 250000

/* Of clocks that differ by more nothing is learned: see fit.c. */
#define MAX_DIFFERENCE_NS (G_GINT64_CONSTANT (1) << 58)

/* What must be added to the second clock less what must be added to the first. */
static gboolean
find_start (const TtClockMpi *low, const TtClockMpi *high, gint64 *ns)
{
  if (low->start_ns == TT_NO_TIME || high->start_ns == TT_NO_TIME)
    return FALSE;
  *ns = tt_time_since (low->start_ns, high->start_ns);
  return ABS (MAX (*ns, -G_MAXINT64)) <= MAX_DIFFERENCE_NS;
}

static gboolean
has_final (const TtClockMpi *mpi)
{
  return mpi->final.first_ns <= mpi->final.last_ns;
}

/* @late came to MPI_Finalize after @early had left it: by how much its clock is ahead at the least; 0: it did not. */
static gint64
ahead_by_finals (const TtClockMpi *late, const TtClockMpi *early)
{
  gint64 by_final_ns, by_start_ns;

  if (!has_final (late) || !has_final (early) || !find_start (late, early, &by_start_ns))
    return 0;
  by_final_ns = tt_time_since (late->final.first_ns, early->final.last_ns);
  return by_final_ns > 0 && by_start_ns > MAX_START_NS && by_start_ns >= by_final_ns - by_final_ns / PART_OF_START
             ? by_final_ns
             : 0;
}

gboolean
tt_clock_starts_differ (const TtClockMpi *mpi, guint n)
{
  const TtClockMpi *early = NULL, *late = NULL;

  for (guint i = 0; i < n; i++)
    {
      if (!has_final (&mpi[i]))
        continue;
      if (early == NULL || mpi[i].final.last_ns < early->final.last_ns)
        early = &mpi[i];
      if (late == NULL || mpi[i].final.first_ns > late->final.first_ns)
        late = &mpi[i];
    }
  return early != NULL && ahead_by_finals (late, early) > 0;
}

/* -- pairs with bounds on one side ----------------------------------------------------------------------------------- */

/* Of lines without drift. */
static void
find_band (const TtClockPair *bounds, gint64 *low_ns, gint64 *high_ns)
{
  *low_ns = -G_MAXINT64;
  *high_ns = G_MAXINT64;
  for (guint i = 0; i < bounds->n_buckets; i++)
    {
      const TtClockBucket *bucket = &bounds->buckets[i];

      if (bucket->has_lower)
        *low_ns = MAX (*low_ns, bucket->lower_ns);
      if (bucket->has_upper)
        *high_ns = MIN (*high_ns, bucket->upper_ns);
    }
}

static void
move (TtClockPairFit *fit, gint64 ns, gint64 doubt_ns)
{
  TtClockLine *line = &g_array_index (fit->lines, TtClockLine, 0);

  line->begin_ns = line->end_ns = ns;
  fit->width_ns = 2 * doubt_ns;
  fit->doubt_ns = doubt_ns;
}

static gboolean
is_steady (const TtClockPair *bounds, gint64 bound_ns, gboolean is_lower)
{
  guint n = 0;

  for (guint i = 0; i < bounds->n_buckets; i++)
    {
      const TtClockBucket *bucket = &bounds->buckets[i];

      n += (is_lower ? bucket->has_lower && bucket->lower_ns >= bound_ns - STEADY_NS
                     : bucket->has_upper && bucket->upper_ns <= bound_ns + STEADY_NS);
    }
  return n >= MIN_STEADY;
}

/* Messages that go one way alone leave a difference open: late ones look like a clock that is ahead. Where MPI_Init says
 * the same, by a quarter or a millisecond, it lies between them, of messages that take as long each time where these say;
 * where it is far from them, it may lie between them and what MPI_Finalize says. */
static void
close_side (gint64 near_ns,
            gint64 bound_ns,
            gboolean is_lower,
            const TtClockPair *bounds,
            const TtClockOneWay *waited,
            gint64 final_ns,
            TtClockPairFit *fit)
{
  gint64 apart_ns = ABS (near_ns - bound_ns), allowed_ns = ABS (near_ns) / PART_OF_START;
  TtClockLine *line = &g_array_index (fit->lines, TtClockLine, 0);

  gboolean steady = is_steady (bounds, bound_ns, is_lower);

  if (ABS (near_ns) > 3 * START_NS / 2)
    allowed_ns = MAX (allowed_ns, START_NS);
  else if (steady && ABS (near_ns) > START_NS / 2)
    allowed_ns = MAX (allowed_ns, START_NS / 2);
  if (waited != NULL)
    move (fit, is_lower ? -waited->late_ns : waited->late_ns, MAX (apart_ns, START_NS));
  else if (apart_ns <= allowed_ns && steady)
    move (fit, bound_ns, MAX (apart_ns, START_NS));
  else if (apart_ns <= allowed_ns)
    move (fit, bound_ns + (is_lower ? 1 : -1) * apart_ns / 2, MAX (apart_ns, START_NS));
  else if (final_ns != 0 && (is_lower ? near_ns > bound_ns : near_ns < bound_ns))
    move (fit, near_ns, MAX (apart_ns, ABS (near_ns - final_ns)));
  else if (ABS (near_ns - line->begin_ns) > 2 * START_NS && (is_lower ? near_ns > bound_ns : near_ns < bound_ns))
    line->begin_ns = line->end_ns = near_ns; /* nobody knows how far that is off */
}

/* -- pairs with bounds far apart ------------------------------------------------------------------------------------- */

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* The shortest stretch with half of the ends of calls and of MPI_Init (P. Rousseeuw's half sample), for late ends are as
 * late as they like. FALSE: MPI_Init is not in it. */
static gboolean
find_half (const TtClockPair *bounds, gint64 near_ns, gint64 *middle_ns, gint64 *half_ns)
{
  gint64 values_ns[TT_CLOCK_BUCKETS + 1] = { near_ns }, best_ns = G_MAXINT64;
  guint n = 1, best = 0, wanted;

  for (guint i = 0; i < bounds->n_buckets; i++)
    if (bounds->buckets[i].has_near)
      values_ns[n++] = bounds->buckets[i].near_ns;
  wanted = n / 2 + 1;
  qsort (values_ns, n, sizeof *values_ns, compare_times);
  for (guint i = 0; i + wanted <= n; i++)
    {
      gint64 length_ns = values_ns[i + wanted - 1] - values_ns[i];

      if (length_ns < best_ns)
        {
          best_ns = length_ns;
          best = i;
        }
    }
  *half_ns = best_ns / 2;
  *middle_ns = values_ns[best] + *half_ns;
  return ABS (near_ns - *middle_ns) <= *half_ns + START_NS;
}

static void
choose_within (gint64 near_ns, gint64 low_ns, gint64 high_ns, const TtClockPair *bounds, TtClockPairFit *fit)
{
  gint64 at_ns = g_array_index (fit->lines, TtClockLine, 0).begin_ns, middle_ns, half_ns;

  if (fit->width_ns < 2 * START_NS || !find_half (bounds, near_ns, &middle_ns, &half_ns))
    return;
  middle_ns = CLAMP (middle_ns, low_ns, high_ns);
  if (ABS (middle_ns - at_ns) <= MAX (START_NS / 2, 2 * half_ns))
    return;
  g_array_index (fit->lines, TtClockLine, 0).begin_ns = g_array_index (fit->lines, TtClockLine, 0).end_ns = middle_ns;
  fit->doubt_ns = MAX (fit->doubt_ns, MAX (middle_ns - low_ns, high_ns - middle_ns));
}

void
tt_clock_starts_choose (const TtClockMpi *low,
                        const TtClockMpi *high,
                        const TtClockPair *bounds,
                        const TtClockOneWay *waited,
                        TtClockPairFit *fit)
{
  gint64 near_ns, low_ns, high_ns;

  if (fit->lines->len != 1 || !find_start (low, high, &near_ns))
    return;
  const TtClockLine *line = &g_array_index (fit->lines, TtClockLine, 0);
  find_band (bounds, &low_ns, &high_ns);
  if (line->begin_ns != line->end_ns || low_ns > high_ns)
    return;
  if (low_ns > -G_MAXINT64 && high_ns < G_MAXINT64)
    choose_within (near_ns, low_ns, high_ns, bounds, fit);
  else if (low_ns > -G_MAXINT64)
    close_side (near_ns, low_ns, TRUE, bounds, waited, -ahead_by_finals (high, low), fit);
  else if (high_ns < G_MAXINT64)
    close_side (near_ns, high_ns, FALSE, bounds, waited, ahead_by_finals (low, high), fit);
}
