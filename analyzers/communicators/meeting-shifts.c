/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/meeting-shifts.h"

#include <stdlib.h>

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

#define N_SWEEPS 8
#define MIN_SHIFT_NS 1000 /* clocks may show microseconds */

/* How much later a rank ends than its meeting. */
typedef struct
{
  guint32 rank;
  gint64 late_ns;
} Lateness;

static int
compare_lateness (gconstpointer a, gconstpointer b)
{
  const Lateness *x = a, *y = b;

  return x->rank != y->rank ? TT_COMPARE (x->rank, y->rank) : TT_COMPARE (x->late_ns, y->late_ns);
}

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

static gint64
shifted_end (const TtRankCalls *calls, guint32 call, const gint64 *shifts_ns)
{
  const TtRankCall *of = tt_rank_call (calls, call);

  return of->end_ns + shifts_ns[of->rank];
}

static void
take_meeting (GArray *all, const TtRankCalls *calls, const guint32 *members, guint n, const gint64 *shifts_ns)
{
  g_autofree gint64 *ends_ns = g_new (gint64, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    ends_ns[i] = shifted_end (calls, members[i], shifts_ns);
  qsort (ends_ns, n, sizeof *ends_ns, compare_times);
  for (guint i = 0; i < n; i++)
    {
      const Lateness lateness = { tt_rank_call (calls, members[i])->rank,
                                  tt_time_since (shifted_end (calls, members[i], shifts_ns), ends_ns[n / 2]) };

      g_array_append_val (all, lateness);
    }
}

/* Of meetings that were chosen, each once: by the first of its calls. */
static GArray *
list_lateness (const TtRankCalls *calls, const TtMemberSets *sets, const TtChoice *choice, const gint64 *shifts_ns)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Lateness));

  for (guint i = 0; i < calls->calls->len; i++)
    {
      guint32 number = choice->meeting_of[i];

      if (number == TT_NO_CALL)
        continue;
      const TtMeeting *meeting = tt_meeting (sets, number);
      const guint32 *members = tt_meeting_calls (sets, meeting);
      if (members[0] == i)
        take_meeting (all, calls, members, tt_member_set (sets, meeting->set)->n, shifts_ns);
    }
  g_array_sort (all, compare_lateness);
  return all;
}

static void
sweep (const TtRankCalls *calls, const TtMemberSets *sets, const TtChoice *choice, gint64 *shifts_ns)
{
  g_autoptr (GArray) all = list_lateness (calls, sets, choice, shifts_ns);
  const Lateness *rows = TT_ARRAY (all, Lateness);

  for (guint first = 0, end; first < all->len; first = end)
    {
      for (end = first + 1; end < all->len && rows[end].rank == rows[first].rank; end++)
        ;
      shifts_ns[rows[first].rank] -= rows[first + (end - first) / 2].late_ns;
    }
}

/* Nobody leaves before all have come: who did, and who came last then, are moved towards each other. */
static gboolean
part_meeting (const TtRankCalls *calls, const guint32 *members, guint n, gint64 *shifts_ns)
{
  guint32 last = 0, first = 0;
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      const TtRankCall *call = tt_rank_call (calls, members[i]);

      if (call->begin_ns + shifts_ns[call->rank] > begin_ns)
        {
          begin_ns = call->begin_ns + shifts_ns[call->rank];
          last = call->rank;
        }
      if (call->end_ns + shifts_ns[call->rank] < end_ns)
        {
          end_ns = call->end_ns + shifts_ns[call->rank];
          first = call->rank;
        }
    }
  gint64 early_ns = tt_time_since (begin_ns, end_ns);
  if (early_ns <= 0 || last == first)
    return FALSE;
  shifts_ns[last] -= early_ns / 2;
  shifts_ns[first] += early_ns - early_ns / 2;
  return TRUE;
}

static void
part (const TtRankCalls *calls, const TtMemberSets *sets, const TtChoice *choice, gint64 *shifts_ns)
{
  gboolean is_any = TRUE;

  for (int round = 0; round < 64 && is_any; round++)
    {
      is_any = FALSE;
      for (guint i = 0; i < calls->calls->len; i++)
        {
          if (choice->meeting_of[i] == TT_NO_CALL)
            continue;
          const TtMeeting *meeting = tt_meeting (sets, choice->meeting_of[i]);
          const guint32 *members = tt_meeting_calls (sets, meeting);
          if (members[0] == i)
            is_any |= part_meeting (calls, members, tt_member_set (sets, meeting->set)->n, shifts_ns);
        }
    }
}

gboolean
tt_rank_calls_align_by_meetings (TtRankCalls *self, const TtMemberSets *sets, const TtChoice *choice)
{
  g_autofree gint64 *shifts_ns = g_new0 (gint64, (gsize) self->n_ranks + 1);
  gboolean is_any = FALSE;

  for (int i = 0; i < N_SWEEPS; i++)
    sweep (self, sets, choice, shifts_ns);
  part (self, sets, choice, shifts_ns);
  for (guint32 i = 0; i < self->n_ranks; i++)
    is_any |= ABS (shifts_ns[i]) >= MIN_SHIFT_NS;
  for (guint i = 0; i < self->calls->len && is_any; i++)
    {
      TtRankCall *call = tt_rank_call (self, i);

      call->begin_ns += shifts_ns[call->rank];
      call->end_ns += shifts_ns[call->rank];
      call->whole_end_ns += shifts_ns[call->rank];
    }
  return is_any;
}
