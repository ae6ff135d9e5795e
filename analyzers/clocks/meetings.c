/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/meetings.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/clocks/doubts.h"
#include "analyzers/clocks/knots.h"
#include "analyzers/clocks/moments.h"
#include "analyzers/clocks/relax.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

/* Of fewer meetings nothing is learned of a clock. */
#define MIN_MEETINGS 3u

/* What is told of a median of so many: as much as so many times half of them are off. */
#define TIMES_SPREAD 8

/* Clocks whose later ends are off from the earlier ones by so many times that drift from their maps. */
#define TIMES_DRIFTED 4

typedef struct
{
  TtClockMoments moments;
  const TtClockRange *ranges;
  gint64 *spreads_ns; /* by clock */
  gint64 *drifts_ns;  /* by clock: what its ends leave open of how it goes on over its times */
} Meet;

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

static gint64
median (gint64 *values_ns, guint n)
{
  qsort (values_ns, n, sizeof *values_ns, compare_times);
  return values_ns[(n - 1) / 2] + tt_time_since (values_ns[n / 2], values_ns[(n - 1) / 2]) / 2;
}

/* -- how far they may be wrong ------------------------------------------------------------------------------------- */

/* By how much ends that say something are later than what they wait for, mostly: ends of different ranks may be steadily apart by as
 * much. */
static gint64
leaving_time (Meet *self)
{
  for (guint i = 0; i < self->moments.meetings->len; i++)
    {
      const TtClockMeeting *meeting = &g_array_index (self->moments.meetings, TtClockMeeting, i);

      self->moments.values_ns[i] =
          MAX (tt_time_since (meeting->moment_ns, meeting->cause_ns + self->moments.moved_ns[meeting->cause]), 0);
    }
  return median (self->moments.values_ns, self->moments.meetings->len);
}

/* Clocks with few meetings tell nothing of how their ends are scattered: as badly as any. */
static void
find_spreads (Meet *self)
{
  gint64 most_ns = 0;

  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    {
      guint n = tt_clock_moments_list (&self->moments, i);

      for (guint k = 0; k < n; k++)
        self->moments.values_ns[k] = tt_clock_distance (self->moments.values_ns[k], self->moments.moved_ns[i]);
      self->spreads_ns[i] = n == 0 ? G_MAXINT64 : n < MIN_MEETINGS ? -1 : median (self->moments.values_ns, n);
      if (n > 0)
        most_ns = MAX (most_ns, self->spreads_ns[i]);
    }
  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    if (self->spreads_ns[i] < 0)
      self->spreads_ns[i] = most_ns;
}

/* By how much the clock's ends after the middle of them are off more than those before. */
static gint64
later_less_earlier (const Meet *self, guint clock, gint64 middle_ns)
{
  guint n = self->moments.first_of[clock + 1] - self->moments.first_of[clock];
  gint64 medians_ns[2];

  for (int is_later = 0; is_later < 2; is_later++)
    {
      guint n_chosen = 0;

      for (guint k = 0; k < n; k++)
        {
          const TtClockEnd *end = tt_clock_moments_end (&self->moments, clock, k);
          const TtClockMeeting *meeting = &g_array_index (self->moments.meetings, TtClockMeeting, end->meeting);

          if ((end->ns > middle_ns) == is_later)
            self->moments.values_ns[n_chosen++] = tt_time_since (meeting->moment_ns, end->ns);
        }
      if (n_chosen == 0)
        return 0;
      medians_ns[is_later] = median (self->moments.values_ns, n_chosen);
    }
  return tt_time_since (medians_ns[1], medians_ns[0]);
}

/* FALSE: some clock drifts from its map, which no move mends. */
static gboolean
find_drifts (Meet *self)
{
  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    {
      gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;

      for (guint k = 0; k < self->moments.first_of[i + 1] - self->moments.first_of[i]; k++)
        {
          gint64 ns = tt_clock_moments_end (&self->moments, i, k)->ns;

          first_ns = MIN (first_ns, ns);
          last_ns = MAX (last_ns, ns);
        }
      if (first_ns > last_ns)
        continue;
      gint64 drifted_ns =
          tt_clock_distance (later_less_earlier (self, i, first_ns + tt_time_since (last_ns, first_ns) / 2), 0);
      gint64 before_ns = tt_time_since (first_ns, tt_clock_moments_time (&self->moments, i, self->ranges[i].first_ns));
      gint64 after_ns = tt_time_since (tt_clock_moments_time (&self->moments, i, self->ranges[i].last_ns), last_ns);

      if (drifted_ns / TIMES_DRIFTED > MAX (self->spreads_ns[i], (gint64) TT_CLOCK_NEAR_NS))
        return FALSE;
      self->drifts_ns[i] = drifted_ns + MAX (MAX (before_ns, after_ns), 0) / TT_CLOCK_DRIFT_PART;
    }
  return TRUE;
}

/* Of clocks that meet the first; G_MAXINT64: of others. */
static gint64 *
find_doubts (Meet *self)
{
  gint64 *doubts_ns = g_new (gint64, (gsize) self->moments.ties->n_clocks + 1), leaving_ns = leaving_time (self);

  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    doubts_ns[i] =
        self->moments.groups[i] != 0 || MAX (self->spreads_ns[i], self->spreads_ns[0]) > G_MAXINT64 / (4 * TIMES_SPREAD)
            ? G_MAXINT64
            : leaving_ns + TIMES_SPREAD * (self->spreads_ns[i] + self->spreads_ns[0]) + self->drifts_ns[i] +
                  self->drifts_ns[0];
  return doubts_ns;
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

static GArray **
moved_pieces (const Meet *self, gboolean *are_sound)
{
  GArray **moved = g_new0 (GArray *, (gsize) self->moments.ties->n_clocks + 1);

  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    {
      moved[i] = g_array_copy (self->moments.pieces[i]);
      for (guint k = 0; k < moved[i]->len; k++)
        {
          TtClockPiece *piece = &g_array_index (moved[i], TtClockPiece, k);

          piece->shift_ns += self->moments.moved_ns[i];
          *are_sound &= tt_clock_piece_is_sound (piece);
        }
    }
  return moved;
}

/* Moves all, so that the first keeps the time that it had. */
static void
keep_first (GArray **moved, guint n_clocks, gint64 first_ns)
{
  gint64 by_ns = first_ns - g_array_index (moved[0], TtClockPiece, 0).shift_ns;

  for (guint i = 0; by_ns != 0 && i < n_clocks; i++)
    for (guint k = 0; k < moved[i]->len; k++)
      g_array_index (moved[i], TtClockPiece, k).shift_ns += by_ns;
}

/* Whether the ends of any clock are scattered by much less than what is left open of it. */
static gboolean
know_more (const Meet *self, const gint64 *residuals_ns)
{
  gboolean is_any = FALSE;

  for (guint i = 1; i < self->moments.ties->n_clocks; i++)
    is_any |=
        MAX (self->spreads_ns[i], self->spreads_ns[self->moments.groups[i]]) < residuals_ns[i] / (4 * TIMES_SPREAD);
  return is_any;
}

/* What bounds told was told of where the clock was. */
static void
take (Meet *self, GArray **pieces, GArray **moved, const gint64 *doubts_ns, gint64 *residuals_ns)
{
  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    {
      gint64 moved_ns = tt_clock_distance (g_array_index (moved[i], TtClockPiece, 0).shift_ns,
                                           g_array_index (pieces[i], TtClockPiece, 0).shift_ns);
      gint64 bounds_ns = residuals_ns[i] == G_MAXINT64 ? G_MAXINT64 : tt_span_end (residuals_ns[i], moved_ns);
      gint64 off_ns = tt_clock_distance (moved_ns, tt_clock_distance (self->moments.moved_ns[i], 0));

      residuals_ns[i] = MIN (bounds_ns, doubts_ns[i] == G_MAXINT64 ? G_MAXINT64 : tt_span_end (doubts_ns[i], off_ns));
      g_array_unref (pieces[i]);
      pieces[i] = moved[i];
    }
}

/* Of those that meet each other the most, by their lowest. */
static guint32
largest_group (const Meet *self)
{
  g_autofree guint *sizes = g_new0 (guint, (gsize) self->moments.ties->n_clocks + 1);
  guint32 largest = 0;

  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    sizes[self->moments.groups[i]]++;
  for (guint i = 1; i < self->moments.ties->n_clocks; i++)
    largest = sizes[i] > sizes[largest] ? i : largest;
  return largest;
}

/* What does not meet most of them goes where bounds with all these leave the most room. */
static void
move_others (const Meet *self, GArray **moved)
{
  g_autofree gint64 *known_ns = g_new (gint64, (gsize) self->moments.ties->n_clocks + 1);
  guint32 group = largest_group (self);
  gboolean is_any = FALSE;

  for (guint i = 0; i < self->moments.ties->n_clocks; i++)
    {
      gboolean is_known = self->moments.groups[i] == group && self->spreads_ns[i] < G_MAXINT64 / TIMES_SPREAD;

      known_ns[i] = is_known ? TIMES_SPREAD * self->spreads_ns[i] : G_MAXINT64;
      is_any |= !is_known;
    }
  if (is_any)
    tt_clock_move_to_middle (self->moments.ties, moved, group, known_ns);
  keep_first (moved, self->moments.ties->n_clocks, g_array_index (self->moments.pieces[0], TtClockPiece, 0).shift_ns);
}

static gboolean
meet (Meet *self, GArray **pieces, TtClockVerdict *left, gint64 *residuals_ns)
{
  guint n = self->moments.ties->n_clocks;
  gboolean are_sound = TRUE;

  tt_clock_moments_settle (&self->moments);
  find_spreads (self);
  if (!know_more (self, residuals_ns) || !find_drifts (self))
    return FALSE;
  g_autofree gint64 *doubts_ns = find_doubts (self);
  g_autofree GArray **moved = moved_pieces (self, &are_sound);
  g_autofree TtClockVerdict *verdicts = g_new0 (TtClockVerdict, (gsize) n + 1);
  if (are_sound)
    {
      move_others (self, moved);
      tt_clock_judge (self->moments.ties, moved, verdicts);
      if (tt_clock_is_any_violated (self->moments.ties, verdicts))
        tt_clock_relax (self->moments.ties, moved, verdicts);
    }
  if (!are_sound || tt_clock_worst_ns (verdicts, n) > tt_clock_worst_ns (left, n))
    {
      for (guint i = 0; i < n; i++)
        g_array_unref (moved[i]);
      return FALSE;
    }
  take (self, pieces, moved, doubts_ns, residuals_ns);
  memcpy (left, verdicts, n * sizeof *left);
  return TRUE;
}

gboolean
tt_clock_meet (const TtClockTies *ties,
               const TtClockRange *ranges,
               GArray **pieces,
               TtClockVerdict *left,
               gint64 *residuals_ns)
{
  gsize n = (gsize) ties->n_clocks + 1;
  g_autofree gint64 *spreads_ns = g_new0 (gint64, n), *drifts_ns = g_new0 (gint64, n);
  Meet self = { .ranges = ranges, .spreads_ns = spreads_ns, .drifts_ns = drifts_ns };

  for (guint i = 0; i < ties->n_clocks; i++)
    if (pieces[i]->len == 0 || tt_clock_was_set (pieces[i]))
      return FALSE;
  tt_clock_moments_init (&self.moments, ties, pieces);
  gboolean is_moved = self.moments.meetings->len >= MIN_MEETINGS && meet (&self, pieces, left, residuals_ns);
  tt_clock_moments_clear (&self.moments);
  return is_moved;
}
