/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/relax.h"

#include "analyzers/clocks/knots.h"
#include "src/base/array.h"
#include "src/store/clocks.h"
#include "src/trace/span.h"

/* Bounds that are looked at in all rounds; how much more than is needed a clock is moved, so that there is an end; what is
 * kept improves the worst to so small a part. */
#define MAX_LOOKS 20000000u
#define MIN_ROUNDS 4u
#define MAX_ROUNDS 200u
#define MARGIN_NS 100
#define PART_LEFT 4

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces;
  guint *near;
  gint64 *moved_ns; /* by clock */
  gboolean is_settled;
} Relaxation;

static gint64
time_of (Relaxation *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time (self->pieces[clock], &self->near[clock], ns) + self->moved_ns[clock];
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
}

static void
take_call (Relaxation *self, const TtClockMember *members, guint n)
{
  guint last = 0;
  gint64 last_ns = G_MININT64;

  for (guint i = 0; i < n; i++)
    {
      gint64 ns = time_of (self, members[i].clock, members[i].begin_ns);

      last = ns > last_ns ? i : last;
      last_ns = MAX (last_ns, ns);
    }
  for (guint i = 0; i < n; i++)
    move (self, members[last].clock, members[i].clock, time_of (self, members[last].clock, members[last].begin_ns),
          time_of (self, members[i].clock, members[i].end_ns));
}

static void
relax_once (Relaxation *self)
{
  const TtClockTies *ties = self->ties;

  self->is_settled = TRUE;
  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);

      move (self, tie->from, tie->to, time_of (self, tie->from, tie->cause_ns),
            time_of (self, tie->to, tie->effect_ns));
    }
  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      take_call (self, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n);
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
  Relaxation self = { ties, pieces, near, moved_ns, FALSE };
  guint n_rounds = CLAMP (MAX_LOOKS / n_looks, MIN_ROUNDS, MAX_ROUNDS);

  if (worst_of (left, n) > TT_CLOCK_MAX_MOVE_NS)
    return;
  for (guint i = 0; i < n; i++)
    if (pieces[i] == NULL || pieces[i]->len == 0)
      return;
  for (guint i = 0; i < n_rounds && !self.is_settled; i++)
    relax_once (&self);
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
