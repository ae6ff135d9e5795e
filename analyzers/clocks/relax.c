/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/relax.h"

#include <math.h>
#include <string.h>

#include "analyzers/clocks/knots.h"
#include "src/base/array.h"
#include "src/store/clocks.h"
#include "src/trace/span.h"

/* Bounds that are looked at in all rounds, were none left out; how much more than is needed a clock is moved, so that there
 * is an end; what is kept improves the worst to so small a part. */
#define MAX_LOOKS 20000000u
#define MIN_ROUNDS 4u
#define MAX_ROUNDS 200u
#define MARGIN_NS 100
#define PART_LEFT 4

/* Bounds that hold by more than so many times what is violated the most are left out of rounds in which no clock moves by
 * half as much: they cannot matter. */
#define TIMES_WORST 4

/* Drifts of more are of no clock. */
#define MAX_DRIFT 2e-4

/* Less may be what times in microseconds hide. */
#define MIN_DRIFTED_NS 1000

/* Of a clock: in the middle of its times, and at their end on top of that. */
typedef struct
{
  gint64 ns, drift_ns;
} Move;

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces;
  TtClockCursor *cursors; /* by clock */
  gboolean drifts;
  TtClockRange *ranges; /* by clock, of its bounds */
  Move *moved;          /* by clock */
  gboolean is_settled;
  gint64 close_ns;
  GArray *messages, *calls; /* of guint: numbers of those that hold by no more, when the clocks were as listed */
  Move *listed;             /* by clock, of moved */
  gint64 farthest_ns;       /* the most that a clock is from it, since then */
} Relaxation;

/* Where a time is among those of its clock: -1 at the first, 1 at the last. */
static double
place_of (const Relaxation *self, guint32 clock, gint64 ns)
{
  const TtClockRange *range = &self->ranges[clock];
  double half = (double) tt_time_since (range->last_ns, range->first_ns) / 2;
  double place = half < 1 ? 0 : ((double) tt_time_since (ns, range->first_ns) - half) / half;

  return CLAMP (place, -1, 1);
}

static gint64
moved_at (const Relaxation *self, guint32 clock, gint64 ns)
{
  const Move *move = &self->moved[clock];

  return move->ns + (move->drift_ns == 0 ? 0 : llround ((double) move->drift_ns * place_of (self, clock, ns)));
}

static gint64
time_of (Relaxation *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time_by (self->pieces[clock], &self->cursors[clock], ns) + moved_at (self, clock, ns);
}

static gint64
moved_since (const Relaxation *self, guint32 clock, gint64 ns)
{
  const Move *listed = &self->listed[clock];

  return moved_at (self, clock, ns) - listed->ns -
         (listed->drift_ns == 0 ? 0 : llround ((double) listed->drift_ns * place_of (self, clock, ns)));
}

static void
note_move (Relaxation *self, guint32 clock)
{
  const Move *move = &self->moved[clock], *listed = &self->listed[clock];

  self->farthest_ns = MAX (self->farthest_ns, ABS (move->ns - listed->ns) + ABS (move->drift_ns - listed->drift_ns));
}

/* Where both ends move and turn, by as little as mends it. */
static void
move_along (Relaxation *self, guint32 clock, gint64 ns, double by_ns)
{
  self->moved[clock].ns += llround (by_ns);
  self->moved[clock].drift_ns += llround (by_ns * place_of (self, clock, ns));
}

static double
weight_of (const Relaxation *self, guint32 clock, gint64 ns)
{
  double place = place_of (self, clock, ns);

  return clock == 0 ? 0 : 1 + place * place;
}

/* The clock of the cause is behind, or that of the effect ahead. @tie: by the clocks themselves. */
static void
move (Relaxation *self, const TtClockTie *tie, gint64 cause_ns, gint64 effect_ns)
{
  gint64 early_ns = tt_time_since (cause_ns, effect_ns);
  guint32 cause = tie->from, effect = tie->to;

  if (cause == effect || early_ns <= 0 || early_ns >= TT_CLOCK_MAX_MOVE_NS)
    return;
  self->is_settled = FALSE;
  early_ns += MARGIN_NS;
  if (self->drifts)
    {
      double by_ns =
          (double) early_ns / (weight_of (self, cause, tie->cause_ns) + weight_of (self, effect, tie->effect_ns));

      if (effect != 0)
        move_along (self, effect, tie->effect_ns, by_ns);
      if (cause != 0)
        move_along (self, cause, tie->cause_ns, -by_ns);
    }
  else
    {
      gint64 of_effect_ns = cause == 0 ? early_ns : effect == 0 ? 0 : early_ns / 2;

      self->moved[effect].ns += of_effect_ns;
      self->moved[cause].ns -= early_ns - of_effect_ns;
    }
  note_move (self, effect);
  note_move (self, cause);
}

/* How much later than the last of the causes the first of the effects is by the clocks as they were listed. */
static gint64
take_call (Relaxation *self, const TtClockMember *members, guint n)
{
  guint last = 0;
  gint64 last_ns = G_MININT64, listed_last_ns = G_MININT64, listed_first_ns = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      gint64 ns = time_of (self, members[i].clock, members[i].begin_ns);

      last = ns > last_ns ? i : last;
      last_ns = MAX (last_ns, ns);
      listed_last_ns = MAX (listed_last_ns, ns - moved_since (self, members[i].clock, members[i].begin_ns));
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 cause_ns = time_of (self, members[last].clock, members[last].begin_ns);
      gint64 effect_ns = time_of (self, members[i].clock, members[i].end_ns);

      const TtClockTie tie = { members[last].clock, members[i].clock, members[last].begin_ns, members[i].end_ns };

      listed_first_ns = MIN (listed_first_ns, effect_ns - moved_since (self, tie.to, tie.effect_ns));
      move (self, &tie, cause_ns, effect_ns);
    }
  return tt_time_since (listed_first_ns, listed_last_ns);
}

static gint64
take_message (Relaxation *self, const TtClockTie *tie)
{
  gint64 cause_ns = time_of (self, tie->from, tie->cause_ns), effect_ns = time_of (self, tie->to, tie->effect_ns);
  gint64 listed_ns = tt_time_since (effect_ns - moved_since (self, tie->to, tie->effect_ns),
                                    cause_ns - moved_since (self, tie->from, tie->cause_ns));

  move (self, tie, cause_ns, effect_ns);
  return listed_ns;
}

static gint64
take_bound (Relaxation *self, gboolean is_call, guint i)
{
  const TtClockTies *ties = self->ties;

  if (!is_call)
    return take_message (self, &g_array_index (ties->messages, TtClockTie, i));
  const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);
  return take_call (self, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n);
}

/* All, of which the close ones are listed. */
static void
relax_all (Relaxation *self)
{
  memcpy (self->listed, self->moved, self->ties->n_clocks * sizeof *self->listed);
  self->farthest_ns = 0;
  for (int is_call = 0; is_call < 2; is_call++)
    {
      GArray *list = is_call ? self->calls : self->messages;
      guint n = is_call ? self->ties->calls->len : self->ties->messages->len;

      g_array_set_size (list, 0);
      for (guint i = 0; i < n; i++)
        if (take_bound (self, is_call, i) <= self->close_ns)
          g_array_append_val (list, i);
    }
}

static void
relax_close (Relaxation *self)
{
  for (int is_call = 0; is_call < 2; is_call++)
    {
      const GArray *list = is_call ? self->calls : self->messages;

      for (guint i = 0; i < list->len; i++)
        take_bound (self, is_call, g_array_index (list, guint, i));
    }
}

/* As if all were looked at in each round. */
static void
relax (Relaxation *self, guint n_rounds)
{
  gsize size = self->ties->n_clocks * sizeof *self->moved;
  g_autofree Move *before = g_malloc (size + 1);
  gboolean is_listed = FALSE;

  for (guint i = 0; i < n_rounds && !self->is_settled; i++)
    {
      self->is_settled = TRUE;
      memcpy (before, self->moved, size);
      is_listed = is_listed && self->farthest_ns <= self->close_ns / 2;
      if (is_listed)
        relax_close (self);
      if (!is_listed || self->farthest_ns > self->close_ns / 2)
        {
          self->is_settled = TRUE;
          memcpy (self->moved, before, size);
          relax_all (self);
        }
      is_listed = TRUE;
    }
}

/* With knots where its map has them, and at the first and the last time of its bounds. */
static GArray *
turned_pieces (const Relaxation *self, guint clock)
{
  g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));
  const GArray *pieces = self->pieces[clock];
  const gint64 ends_ns[] = { self->ranges[clock].first_ns, self->ranges[clock].last_ns };
  guint near = 0, next = 0;

  for (guint i = 0; i <= pieces->len; i++)
    {
      gint64 piece_ns = i == pieces->len ? G_MAXINT64 : g_array_index (pieces, TtClockPiece, i).until_ns;

      for (; next < G_N_ELEMENTS (ends_ns) && ends_ns[next] <= piece_ns; next++)
        {
          const TtClockKnot knot = { ends_ns[next], tt_clock_pieces_shift (pieces, &near, ends_ns[next]) +
                                                        moved_at (self, clock, ends_ns[next]) };
          g_array_append_val (knots, knot);
        }
      if (i == pieces->len)
        break;
      const TtClockKnot knot = { piece_ns,
                                 tt_clock_pieces_shift (pieces, &near, piece_ns) + moved_at (self, clock, piece_ns) };
      g_array_append_val (knots, knot);
    }
  return tt_clock_knots_to_pieces (knots);
}

/* *@are_sound: FALSE, if no map may be so. */
static GArray **
moved_pieces (const Relaxation *self, gboolean *are_sound)
{
  guint n_clocks = self->ties->n_clocks;
  GArray **moved = g_new0 (GArray *, (gsize) n_clocks + 1);

  for (guint i = 0; i < n_clocks; i++)
    {
      const Move *by = &self->moved[i];
      double length = (double) tt_time_since (self->ranges[i].last_ns, self->ranges[i].first_ns);

      *are_sound &= 2 * fabs ((double) by->drift_ns) <= MAX_DRIFT * MAX (length, 0);
      if (by->drift_ns != 0 && *are_sound)
        {
          moved[i] = turned_pieces (self, i);
          continue;
        }
      moved[i] = g_array_copy (self->pieces[i]);
      for (guint k = 0; k < moved[i]->len; k++)
        {
          TtClockPiece *piece = &g_array_index (moved[i], TtClockPiece, k);

          piece->shift_ns += CLAMP (by->ns, -TT_CLOCK_MAX_MOVE_NS, TT_CLOCK_MAX_MOVE_NS);
          *are_sound &= tt_clock_piece_is_sound (piece);
        }
    }
  return moved;
}

static TtClockRange *
ranges_of (const TtClockTies *ties)
{
  TtClockRange *ranges = g_new (TtClockRange, (gsize) ties->n_clocks + 1);

  for (guint i = 0; i < ties->n_clocks; i++)
    ranges[i] = (TtClockRange){ G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);

      tt_clock_range_widen (&ranges[tie->from], tie->cause_ns, tie->cause_ns);
      tt_clock_range_widen (&ranges[tie->to], tie->effect_ns, tie->effect_ns);
    }
  for (guint i = 0; i < ties->members->len; i++)
    {
      const TtClockMember *member = &g_array_index (ties->members, TtClockMember, i);

      tt_clock_range_widen (&ranges[member->clock], member->begin_ns, member->end_ns);
    }
  return ranges;
}

/* Moves them, and keeps it if it is better by far. */
static void
try (Relaxation *self, GArray **pieces, TtClockVerdict *left, guint n_rounds)
{
  guint n = self->ties->n_clocks;
  g_autofree TtClockVerdict *verdicts = g_new0 (TtClockVerdict, (gsize) n + 1);
  gboolean are_sound = TRUE;

  memset (self->moved, 0, (gsize) n * sizeof *self->moved);
  for (guint i = 0; i < n; i++)
    self->cursors[i] = TT_CLOCK_CURSOR_NEW;
  self->is_settled = FALSE;
  self->close_ns = TIMES_WORST * (tt_clock_worst_ns (left, n) + MARGIN_NS);
  relax (self, n_rounds);
  g_autofree GArray **moved = moved_pieces (self, &are_sound);
  tt_clock_judge (self->ties, moved, verdicts);
  gboolean is_better = are_sound && tt_clock_worst_ns (verdicts, n) <= tt_clock_worst_ns (left, n) / PART_LEFT;
  for (guint i = 0; i < n; i++)
    {
      g_array_unref (is_better ? pieces[i] : moved[i]);
      if (is_better)
        {
          pieces[i] = moved[i];
          left[i] = verdicts[i];
        }
    }
}

void
tt_clock_relax (const TtClockTies *ties, GArray **pieces, TtClockVerdict *left)
{
  guint n = ties->n_clocks, n_looks = ties->messages->len + ties->members->len + 1;
  g_autofree TtClockCursor *cursors = tt_clock_cursors ((gsize) n + 1);
  g_autofree Move *moved = g_new0 (Move, (gsize) n + 1), *listed = g_new0 (Move, (gsize) n + 1);
  g_autofree TtClockRange *ranges = ranges_of (ties);
  g_autoptr (GArray) messages = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (guint));
  Relaxation self = { .ties = ties,
                      .pieces = pieces,
                      .cursors = cursors,
                      .ranges = ranges,
                      .moved = moved,
                      .messages = messages,
                      .calls = calls,
                      .listed = listed };
  guint n_rounds = CLAMP (MAX_LOOKS / n_looks, MIN_ROUNDS, MAX_ROUNDS);

  if (tt_clock_worst_ns (left, n) > TT_CLOCK_MAX_MOVE_NS)
    return;
  for (guint i = 0; i < n; i++)
    if (pieces[i] == NULL || pieces[i]->len == 0)
      return;
  try (&self, pieces, left, n_rounds);
  self.drifts = TRUE;
  if (tt_clock_worst_ns (left, n) >= MIN_DRIFTED_NS)
    try (&self, pieces, left, n_rounds);
}
