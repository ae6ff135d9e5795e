/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/meetings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/clocks/doubts.h"
#include "analyzers/clocks/knots.h"
#include "analyzers/clocks/relax.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

/* Of more ends, which come on top of what bounds cost, every so manieth meeting is looked at. */
#define MAX_ENDS 200000u
#define MAX_ROUNDS 200
#define SETTLED_NS 2

/* Ends differ by as much anyhow. */
#define NEAR_NS 500.0

/* Of fewer meetings nothing is learned of a clock. */
#define MIN_MEETINGS 3u

/* What is told of a median of so many: as much as so many times half of them are off. */
#define TIMES_SPREAD 8

/* Clocks whose later ends are off from the earlier ones by so many times that drift from their maps. */
#define TIMES_DRIFTED 4

/* One rank's end of a meeting. */
typedef struct
{
  guint32 clock, meeting;
  gint64 ns; /* by the clock as it is mapped */
} End;

typedef struct
{
  guint first, n; /* of ends */
  guint32 cause;  /* clock of who came last, or the root */
  gint64 cause_ns, moment_ns;
} Meeting;

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces;
  guint *near;
  GArray *ends;     /* of End, by meeting */
  GArray *meetings; /* of Meeting */
  guint *by_clock;  /* ends, by clock */
  guint *first_of;  /* by clock, and one more: where its ends begin in by_clock */
  gint64 *moved_ns, *spreads_ns, *values_ns;
  gint64 *drifts_ns; /* by clock: what its ends leave open of how it goes on over its times */
  const TtClockRange *ranges;
  guint32 *groups; /* by clock: the lowest of those that meet each other */
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

/* -- meetings --------------------------------------------------------------------------------------------------------- */

static gint64
time_of (const Meet *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time (self->pieces[clock], &self->near[clock], ns);
}

/* @members: of which the first @n_causes may be causes; all, but those who came late, end together. */
static void
add_meeting (Meet *self, const TtClockMember *members, guint n, guint n_causes)
{
  Meeting meeting = { .first = self->ends->len, .cause_ns = G_MININT64 };

  for (guint i = 0; i < n; i++)
    {
      const TtClockMember *member = &members[i];
      const End end = { member->clock, self->meetings->len, time_of (self, member->clock, member->end_ns) };
      gint64 begin_ns = i < n_causes ? time_of (self, member->clock, member->begin_ns) : G_MININT64;

      if (begin_ns > meeting.cause_ns)
        {
          meeting.cause = member->clock;
          meeting.cause_ns = begin_ns;
        }
      if (!member->is_late)
        g_array_append_val (self->ends, end);
    }
  meeting.n = self->ends->len - meeting.first;
  if (meeting.n > 1)
    {
      meeting.moment_ns = g_array_index (self->ends, End, meeting.first).ns;
      g_array_append_val (self->meetings, meeting);
    }
  else
    g_array_set_size (self->ends, meeting.first);
}

static void
list_meetings (Meet *self)
{
  const TtClockTies *ties = self->ties;
  guint every = (ties->members->len + ties->returns->len) / MAX_ENDS + 1;

  for (guint i = 0; i < ties->calls->len; i += every)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      add_meeting (self, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n, call->n);
    }
  for (guint i = 0; i < ties->meetings->len; i += every)
    {
      const TtClockCall *call = &g_array_index (ties->meetings, TtClockCall, i);

      add_meeting (self, TT_ARRAY (ties->returns, TtClockMember) + call->first, call->n, call->is_loose ? 1 : call->n);
    }
}

static void
sort_by_clock (Meet *self)
{
  guint n = self->ties->n_clocks;

  for (guint i = 0; i < self->ends->len; i++)
    self->first_of[g_array_index (self->ends, End, i).clock + 1]++;
  for (guint i = 0; i < n; i++)
    self->first_of[i + 1] += self->first_of[i];
  for (guint i = self->ends->len; i-- > 0;)
    self->by_clock[--self->first_of[g_array_index (self->ends, End, i).clock + 1]] = i;
  /* Now each begins where the one before it does. */
  memmove (self->first_of, self->first_of + 1, n * sizeof *self->first_of);
  self->first_of[n] = self->ends->len;
}

static guint32
group_of (guint32 *groups, guint32 clock)
{
  while (groups[clock] != clock)
    clock = groups[clock] = groups[groups[clock]];
  return clock;
}

static void
find_groups (Meet *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    self->groups[i] = i;
  for (guint i = 1; i < self->ends->len; i++)
    {
      const End *end = &g_array_index (self->ends, End, i), *before = end - 1;
      guint32 a = group_of (self->groups, before->clock), b = group_of (self->groups, end->clock);

      if (end->meeting == before->meeting)
        self->groups[MAX (a, b)] = MIN (a, b);
    }
  for (guint i = 0; i < self->ties->n_clocks; i++)
    self->groups[i] = group_of (self->groups, i);
}

/* -- the moments and the clocks -------------------------------------------------------------------------------------- */

/* One step from @last_ns to the mean of what is near it, for all others the less the farther they are (P. Huber's estimate, by weights);
 * medians in turn would come to rest beside the best. */
static gint64
centre (const gint64 *values_ns, guint n, gint64 last_ns)
{
  double sum = 0, weights = 0;

  for (guint i = 0; i < n; i++)
    {
      double off_ns = (double) tt_time_since (values_ns[i], last_ns), weight = NEAR_NS / MAX (fabs (off_ns), NEAR_NS);

      sum += weight * off_ns;
      weights += weight;
    }
  return last_ns + llround (sum / weights);
}

static void
find_moments (Meet *self)
{
  for (guint i = 0; i < self->meetings->len; i++)
    {
      Meeting *meeting = &g_array_index (self->meetings, Meeting, i);

      for (guint k = 0; k < meeting->n; k++)
        {
          const End *end = &g_array_index (self->ends, End, meeting->first + k);

          self->values_ns[k] = end->ns + self->moved_ns[end->clock];
        }
      meeting->moment_ns = centre (self->values_ns, meeting->n, meeting->moment_ns);
    }
}

/* What the clock's ends are before their moments, to values_ns. */
static guint
list_distances (const Meet *self, guint clock)
{
  guint n = self->first_of[clock + 1] - self->first_of[clock];

  for (guint k = 0; k < n; k++)
    {
      const End *end = &g_array_index (self->ends, End, self->by_clock[self->first_of[clock] + k]);
      const Meeting *meeting = &g_array_index (self->meetings, Meeting, end->meeting);

      self->values_ns[k] = tt_time_since (meeting->moment_ns, end->ns);
    }
  return n;
}

static gint64
distance (gint64 a_ns, gint64 b_ns)
{
  gint64 ns = tt_time_since (a_ns, b_ns);

  return ns < 0 ? -MAX (ns, -G_MAXINT64) : ns;
}

/* The lowest clock of a group keeps its time. Returns by how much one was moved at the most. */
static gint64
move_clocks (Meet *self, gint64 *found_ns)
{
  gint64 most_ns = 0;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      guint n = list_distances (self, i);

      found_ns[i] = n == 0 ? 0 : centre (self->values_ns, n, self->moved_ns[i]);
    }
  for (guint i = self->ties->n_clocks; i-- > 0;)
    {
      gint64 ns = found_ns[i] - found_ns[self->groups[i]];

      most_ns = MAX (most_ns, distance (ns, self->moved_ns[i]));
      self->moved_ns[i] = ns;
    }
  return most_ns;
}

static void
settle (Meet *self)
{
  g_autofree gint64 *found_ns = g_new (gint64, (gsize) self->ties->n_clocks + 1);
  guint rounds = 0;

  do
    find_moments (self);
  while (move_clocks (self, found_ns) > SETTLED_NS && ++rounds < MAX_ROUNDS);
  find_moments (self);
}

/* -- how far they may be wrong ------------------------------------------------------------------------------------- */

/* By how much ends that say something are later than what they wait for, mostly: ends of different ranks may be steadily apart by as
 * much. */
static gint64
leaving_time (Meet *self)
{
  for (guint i = 0; i < self->meetings->len; i++)
    {
      const Meeting *meeting = &g_array_index (self->meetings, Meeting, i);

      self->values_ns[i] =
          MAX (tt_time_since (meeting->moment_ns, meeting->cause_ns + self->moved_ns[meeting->cause]), 0);
    }
  return median (self->values_ns, self->meetings->len);
}

/* Clocks with few meetings tell nothing of how their ends are scattered: as badly as any. */
static void
find_spreads (Meet *self)
{
  gint64 most_ns = 0;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      guint n = list_distances (self, i);

      for (guint k = 0; k < n; k++)
        self->values_ns[k] = distance (self->values_ns[k], self->moved_ns[i]);
      self->spreads_ns[i] = n == 0 ? G_MAXINT64 : n < MIN_MEETINGS ? -1 : median (self->values_ns, n);
      if (n > 0)
        most_ns = MAX (most_ns, self->spreads_ns[i]);
    }
  for (guint i = 0; i < self->ties->n_clocks; i++)
    if (self->spreads_ns[i] < 0)
      self->spreads_ns[i] = most_ns;
}

/* By how much the clock's ends after the middle of them are off more than those before. */
static gint64
later_less_earlier (const Meet *self, guint clock, gint64 middle_ns)
{
  guint n = self->first_of[clock + 1] - self->first_of[clock];
  gint64 medians_ns[2];

  for (int is_later = 0; is_later < 2; is_later++)
    {
      guint n_chosen = 0;

      for (guint k = 0; k < n; k++)
        {
          const End *end = &g_array_index (self->ends, End, self->by_clock[self->first_of[clock] + k]);
          const Meeting *meeting = &g_array_index (self->meetings, Meeting, end->meeting);

          if ((end->ns > middle_ns) == is_later)
            self->values_ns[n_chosen++] = tt_time_since (meeting->moment_ns, end->ns);
        }
      if (n_chosen == 0)
        return 0;
      medians_ns[is_later] = median (self->values_ns, n_chosen);
    }
  return tt_time_since (medians_ns[1], medians_ns[0]);
}

/* FALSE: some clock drifts from its map, which no move mends. */
static gboolean
find_drifts (Meet *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;

      for (guint k = self->first_of[i]; k < self->first_of[i + 1]; k++)
        {
          gint64 ns = g_array_index (self->ends, End, self->by_clock[k]).ns;

          first_ns = MIN (first_ns, ns);
          last_ns = MAX (last_ns, ns);
        }
      if (first_ns > last_ns)
        continue;
      gint64 drifted_ns = distance (later_less_earlier (self, i, first_ns + tt_time_since (last_ns, first_ns) / 2), 0);
      gint64 before_ns = tt_time_since (first_ns, time_of (self, i, self->ranges[i].first_ns));
      gint64 after_ns = tt_time_since (time_of (self, i, self->ranges[i].last_ns), last_ns);

      if (drifted_ns / TIMES_DRIFTED > MAX (self->spreads_ns[i], (gint64) NEAR_NS))
        return FALSE;
      self->drifts_ns[i] = drifted_ns + MAX (MAX (before_ns, after_ns), 0) / TT_CLOCK_DRIFT_PART;
    }
  return TRUE;
}

/* Of clocks that meet the first; G_MAXINT64: of others. */
static gint64 *
find_doubts (Meet *self)
{
  gint64 *doubts_ns = g_new (gint64, (gsize) self->ties->n_clocks + 1), leaving_ns = leaving_time (self);

  for (guint i = 0; i < self->ties->n_clocks; i++)
    doubts_ns[i] =
        self->groups[i] != 0 || MAX (self->spreads_ns[i], self->spreads_ns[0]) > G_MAXINT64 / (4 * TIMES_SPREAD)
            ? G_MAXINT64
            : leaving_ns + TIMES_SPREAD * (self->spreads_ns[i] + self->spreads_ns[0]) + self->drifts_ns[i] +
                  self->drifts_ns[0];
  return doubts_ns;
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

static gint64
worst_of (const TtClockVerdict *verdicts, guint n)
{
  gint64 worst_ns = 0;

  for (guint i = 0; i < n; i++)
    worst_ns = MAX (worst_ns, verdicts[i].worst_ns);
  return worst_ns;
}

static GArray **
moved_pieces (const Meet *self, gboolean *are_sound)
{
  GArray **moved = g_new0 (GArray *, (gsize) self->ties->n_clocks + 1);

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      moved[i] = g_array_copy (self->pieces[i]);
      for (guint k = 0; k < moved[i]->len; k++)
        {
          TtClockPiece *piece = &g_array_index (moved[i], TtClockPiece, k);

          piece->shift_ns += self->moved_ns[i];
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

  for (guint i = 1; i < self->ties->n_clocks; i++)
    is_any |= MAX (self->spreads_ns[i], self->spreads_ns[self->groups[i]]) < residuals_ns[i] / (4 * TIMES_SPREAD);
  return is_any;
}

/* What bounds told was told of where the clock was. */
static void
take (Meet *self, GArray **pieces, GArray **moved, const gint64 *doubts_ns, gint64 *residuals_ns)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      gint64 moved_ns = distance (g_array_index (moved[i], TtClockPiece, 0).shift_ns,
                                  g_array_index (pieces[i], TtClockPiece, 0).shift_ns);
      gint64 bounds_ns = residuals_ns[i] == G_MAXINT64 ? G_MAXINT64 : tt_span_end (residuals_ns[i], moved_ns);
      gint64 off_ns = distance (moved_ns, distance (self->moved_ns[i], 0));

      residuals_ns[i] = MIN (bounds_ns, doubts_ns[i] == G_MAXINT64 ? G_MAXINT64 : tt_span_end (doubts_ns[i], off_ns));
      g_array_unref (pieces[i]);
      pieces[i] = moved[i];
    }
}

/* Of those that meet each other the most, by their lowest. */
static guint32
largest_group (const Meet *self)
{
  g_autofree guint *sizes = g_new0 (guint, (gsize) self->ties->n_clocks + 1);
  guint32 largest = 0;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    sizes[self->groups[i]]++;
  for (guint i = 1; i < self->ties->n_clocks; i++)
    largest = sizes[i] > sizes[largest] ? i : largest;
  return largest;
}

/* What does not meet most of them goes where bounds with all these leave the most room. */
static void
move_others (const Meet *self, GArray **moved)
{
  g_autofree gint64 *known_ns = g_new (gint64, (gsize) self->ties->n_clocks + 1);
  guint32 group = largest_group (self);
  gboolean is_any = FALSE;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      gboolean is_known = self->groups[i] == group && self->spreads_ns[i] < G_MAXINT64 / TIMES_SPREAD;

      known_ns[i] = is_known ? TIMES_SPREAD * self->spreads_ns[i] : G_MAXINT64;
      is_any |= !is_known;
    }
  if (is_any)
    tt_clock_move_to_middle (self->ties, moved, group, known_ns);
  keep_first (moved, self->ties->n_clocks, g_array_index (self->pieces[0], TtClockPiece, 0).shift_ns);
}

static gboolean
meet (Meet *self, GArray **pieces, TtClockVerdict *left, gint64 *residuals_ns)
{
  guint n = self->ties->n_clocks;
  gboolean are_sound = TRUE;

  sort_by_clock (self);
  find_groups (self);
  settle (self);
  find_spreads (self);
  if (!know_more (self, residuals_ns) || !find_drifts (self))
    return FALSE;
  g_autofree gint64 *doubts_ns = find_doubts (self);
  g_autofree GArray **moved = moved_pieces (self, &are_sound);
  g_autofree TtClockVerdict *verdicts = g_new0 (TtClockVerdict, (gsize) n + 1);
  if (are_sound)
    {
      move_others (self, moved);
      tt_clock_judge (self->ties, moved, verdicts);
      if (tt_clock_is_any_violated (self->ties, verdicts))
        tt_clock_relax (self->ties, moved, verdicts);
    }
  if (!are_sound || worst_of (verdicts, n) > worst_of (left, n))
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
  gsize n = (gsize) ties->n_clocks + 2;
  g_autofree guint *near = g_new0 (guint, n), *first_of = g_new0 (guint, n), *by_clock = NULL;
  g_autofree gint64 *moved_ns = g_new0 (gint64, n), *spreads_ns = g_new0 (gint64, n), *drifts_ns = g_new0 (gint64, n);
  g_autofree gint64 *values_ns = NULL;
  g_autofree guint32 *groups = g_new (guint32, n);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (End));
  g_autoptr (GArray) meetings = g_array_new (FALSE, FALSE, sizeof (Meeting));
  Meet self = { .ties = ties,
                .pieces = pieces,
                .near = near,
                .ends = ends,
                .meetings = meetings,
                .first_of = first_of,
                .moved_ns = moved_ns,
                .spreads_ns = spreads_ns,
                .drifts_ns = drifts_ns,
                .ranges = ranges,
                .groups = groups };

  for (guint i = 0; i < ties->n_clocks; i++)
    if (pieces[i]->len == 0 || tt_clock_was_set (pieces[i]))
      return FALSE;
  list_meetings (&self);
  if (meetings->len < MIN_MEETINGS)
    return FALSE;
  self.by_clock = by_clock = g_new (guint, (gsize) ends->len + 1);
  self.values_ns = values_ns = g_new (gint64, (gsize) ends->len + 1);
  return meet (&self, pieces, left, residuals_ns);
}
