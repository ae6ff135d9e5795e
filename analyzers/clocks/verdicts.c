/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/verdicts.h"

#include "analyzers/clocks/knots.h"
#include "src/trace/span.h"

#define MESSAGE(ties, i) (&g_array_index ((ties)->messages, TtClockTie, i))
#define CALL(ties, i) (&g_array_index ((ties)->calls, TtClockCall, i))
#define MEMBER(ties, i) (&g_array_index ((ties)->members, TtClockMember, i))

/* Clocks that were set leave some too early. */
#define REFUTED_PART 8u
#define RESOLUTION_NS 2000 /* of clocks that show microseconds */

static gint64
map_time (GArray *const *pieces, guint32 clock, TtClockCursor *cursors, gint64 ns)
{
  return pieces == NULL ? ns : tt_clock_pieces_time_by (pieces[clock], &cursors[clock], ns);
}

static void
judge (TtClockVerdict *verdict, gint64 cause_ns, gint64 effect_ns)
{
  verdict->n_bounds++;
  if (effect_ns >= cause_ns)
    return;
  verdict->n_violated++;
  verdict->worst_ns = MAX (verdict->worst_ns, tt_time_since (cause_ns, effect_ns));
}

void
tt_clock_judge (const TtClockTies *ties, GArray *const *pieces, TtClockVerdict *verdicts)
{
  g_autofree TtClockCursor *cursors = tt_clock_cursors ((gsize) ties->n_clocks + 1);

  for (guint i = 0; i < ties->n_clocks; i++)
    verdicts[i] = (TtClockVerdict){ 0 };
  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = MESSAGE (ties, i);

      judge (&verdicts[tie->to], map_time (pieces, tie->from, cursors, tie->cause_ns),
             map_time (pieces, tie->to, cursors, tie->effect_ns));
    }
  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall *call = CALL (ties, i);
      gint64 last_ns = G_MININT64;

      for (guint k = call->first; k < call->first + call->n; k++)
        last_ns = MAX (last_ns, map_time (pieces, MEMBER (ties, k)->clock, cursors, MEMBER (ties, k)->begin_ns));
      for (guint k = call->first; k < call->first + call->n; k++)
        judge (&verdicts[MEMBER (ties, k)->clock], last_ns,
               map_time (pieces, MEMBER (ties, k)->clock, cursors, MEMBER (ties, k)->end_ns));
    }
}

/* By how much the first to leave a call did so before the last came. */
static gint64
early_of_call (const TtClockTies *ties, GArray *const *pieces, TtClockCursor *cursors, const TtClockCall *call)
{
  gint64 last_ns = G_MININT64, first_ns = G_MAXINT64;

  for (guint k = call->first; k < call->first + call->n; k++)
    {
      const TtClockMember *member = MEMBER (ties, k);

      last_ns = MAX (last_ns, map_time (pieces, member->clock, cursors, member->begin_ns));
      first_ns = MIN (first_ns, map_time (pieces, member->clock, cursors, member->end_ns));
    }
  return tt_time_since (last_ns, first_ns);
}

gboolean
tt_clock_are_refuted (const TtClockTies *ties, GArray *const *pieces)
{
  g_autofree TtClockCursor *cursors = tt_clock_cursors ((gsize) ties->n_clocks + 1);
  guint n_early = 0;

  for (guint i = ties->n_named; i < ties->calls->len; i++)
    n_early += early_of_call (ties, pieces, cursors, CALL (ties, i)) > RESOLUTION_NS;
  return n_early > (ties->calls->len - ties->n_named) / REFUTED_PART;
}

gboolean
tt_clock_is_any_violated (const TtClockTies *ties, const TtClockVerdict *verdicts)
{
  for (guint i = 0; i < ties->n_clocks; i++)
    if (verdicts[i].n_violated > 0)
      return TRUE;
  return FALSE;
}
