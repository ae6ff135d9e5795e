/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/relax.h"

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

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces;
  guint *near;
  gint64 *moved_ns; /* by clock */
  gboolean is_settled;
  gint64 close_ns;
  GArray *messages, *calls; /* of guint: numbers of those that hold by no more, when the clocks were as listed */
  gint64 *listed_ns;        /* by clock, of moved_ns */
  gint64 farthest_ns;       /* the most that a clock is from it, since then */
} Relaxation;

static gint64
time_of (Relaxation *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time (self->pieces[clock], &self->near[clock], ns) + self->moved_ns[clock];
}

static gint64
moved_since (const Relaxation *self, guint32 clock)
{
  return self->moved_ns[clock] - self->listed_ns[clock];
}

/* The clock of the cause is behind, or that of the effect ahead. */
static void
move (Relaxation *self, guint32 cause, guint32 effect, gint64 cause_ns, gint64 effect_ns)
{
  gint64 early_ns = tt_time_since (cause_ns, effect_ns);

  if (cause == effect || early_ns <= 0 || early_ns >= TT_CLOCK_MAX_MOVE_NS)
    return;
  self->is_settled = FALSE;
  early_ns += MARGIN_NS;
  gint64 of_effect_ns = cause == 0 ? early_ns : effect == 0 ? 0 : early_ns / 2;
  self->moved_ns[effect] += of_effect_ns;
  self->moved_ns[cause] -= early_ns - of_effect_ns;
  self->farthest_ns = MAX (self->farthest_ns, ABS (moved_since (self, effect)));
  self->farthest_ns = MAX (self->farthest_ns, ABS (moved_since (self, cause)));
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
      listed_last_ns = MAX (listed_last_ns, ns - moved_since (self, members[i].clock));
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 cause_ns = time_of (self, members[last].clock, members[last].begin_ns);
      gint64 effect_ns = time_of (self, members[i].clock, members[i].end_ns);

      listed_first_ns = MIN (listed_first_ns, effect_ns - moved_since (self, members[i].clock));
      move (self, members[last].clock, members[i].clock, cause_ns, effect_ns);
    }
  return tt_time_since (listed_first_ns, listed_last_ns);
}

static gint64
take_message (Relaxation *self, const TtClockTie *tie)
{
  gint64 cause_ns = time_of (self, tie->from, tie->cause_ns), effect_ns = time_of (self, tie->to, tie->effect_ns);
  gint64 listed_ns = tt_time_since (effect_ns - moved_since (self, tie->to), cause_ns - moved_since (self, tie->from));

  move (self, tie->from, tie->to, cause_ns, effect_ns);
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
  memcpy (self->listed_ns, self->moved_ns, self->ties->n_clocks * sizeof *self->listed_ns);
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
  gsize size = self->ties->n_clocks * sizeof *self->moved_ns;
  g_autofree gint64 *before_ns = g_malloc (size + 1);
  gboolean is_listed = FALSE;

  for (guint i = 0; i < n_rounds && !self->is_settled; i++)
    {
      self->is_settled = TRUE;
      memcpy (before_ns, self->moved_ns, size);
      is_listed = is_listed && self->farthest_ns <= self->close_ns / 2;
      if (is_listed)
        relax_close (self);
      if (!is_listed || self->farthest_ns > self->close_ns / 2)
        {
          self->is_settled = TRUE;
          memcpy (self->moved_ns, before_ns, size);
          relax_all (self);
        }
      is_listed = TRUE;
    }
}

/* *@are_sound: FALSE, if no map may be so. */
static GArray **
moved_pieces (GArray *const *pieces, const gint64 *moved_ns, guint n_clocks, gboolean *are_sound)
{
  GArray **moved = g_new0 (GArray *, (gsize) n_clocks + 1);

  for (guint i = 0; i < n_clocks; i++)
    {
      moved[i] = g_array_copy (pieces[i]);
      for (guint k = 0; k < moved[i]->len; k++)
        {
          TtClockPiece *piece = &g_array_index (moved[i], TtClockPiece, k);

          piece->shift_ns += CLAMP (moved_ns[i], -TT_CLOCK_MAX_MOVE_NS, TT_CLOCK_MAX_MOVE_NS);
          *are_sound &= tt_clock_piece_is_sound (piece);
        }
    }
  return moved;
}

static gint64
worst_of (const TtClockVerdict *verdicts, guint n)
{
  gint64 worst_ns = 0;

  for (guint i = 0; i < n; i++)
    worst_ns = MAX (worst_ns, verdicts[i].worst_ns);
  return worst_ns;
}

void
tt_clock_relax (const TtClockTies *ties, GArray **pieces, TtClockVerdict *left)
{
  guint n = ties->n_clocks, n_looks = ties->messages->len + ties->members->len + 1;
  g_autofree guint *near = g_new0 (guint, (gsize) n + 1);
  g_autofree gint64 *moved_ns = g_new0 (gint64, (gsize) n + 1);
  g_autofree TtClockVerdict *verdicts = g_new0 (TtClockVerdict, (gsize) n + 1);
  g_autofree gint64 *listed_ns = g_new0 (gint64, (gsize) n + 1);
  g_autoptr (GArray) messages = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (guint));
  Relaxation self = { .ties = ties,
                      .pieces = pieces,
                      .near = near,
                      .moved_ns = moved_ns,
                      .messages = messages,
                      .calls = calls,
                      .listed_ns = listed_ns };
  guint n_rounds = CLAMP (MAX_LOOKS / n_looks, MIN_ROUNDS, MAX_ROUNDS);

  if (worst_of (left, n) > TT_CLOCK_MAX_MOVE_NS)
    return;
  self.close_ns = TIMES_WORST * (worst_of (left, n) + MARGIN_NS);
  for (guint i = 0; i < n; i++)
    if (pieces[i] == NULL || pieces[i]->len == 0)
      return;
  relax (&self, n_rounds);
  gboolean are_sound = TRUE;
  g_autofree GArray **moved = moved_pieces (pieces, moved_ns, n, &are_sound);
  tt_clock_judge (ties, moved, verdicts);
  gboolean is_better = are_sound && worst_of (verdicts, n) <= worst_of (left, n) / PART_LEFT;
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
