/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/member-sets.h"

#include <math.h>

#include "src/base/heap.h"

/* Bits that describing a meeting costs. */
#define MEETING_BITS 3.0
/* And a set, besides its ranks. */
#define SET_BITS 4.0
/* The part of those that leave at any time. */
#define HELD_UP 0.1
/* Clocks are no finer. */
#define RESOLUTION_NS 1000.0
/* Meetings of a set hold at most so many calls for each that its members make. */
#define MAX_OVERLAP 4u

typedef struct
{
  gint64 end_ns;
  guint32 member;
} Leaver;

/* The calls that the members of a set are in, at a moment that goes on. */
typedef struct
{
  TtMemberSets *sets;
  guint32 set;
  guint32 *at;     /* by member: into calls->waiting */
  guint *of_kind;  /* how many are in a call of this kind */
  GArray *leavers; /* a heap of Leaver */
  gint64 last_begin_ns;
  gboolean is_over;
} Sweep;

static int
compare_times (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* Late ones have the shortest calls: what they take is what a call takes. */
static void
estimate_times (TtMemberSets *self)
{
  const TtRankCalls *calls = self->calls;
  guint n = calls->first_waiting[calls->n_ranks];
  g_autofree gint64 *durations_ns = g_new (gint64, n + 1);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      const TtRankCall *call = tt_rank_call (calls, calls->waiting[i]);

      durations_ns[i] = call->end_ns - call->begin_ns;
      sum += (double) durations_ns[i];
    }
  qsort (durations_ns, n, sizeof *durations_ns, compare_times);
  self->gap_ns = n == 0 ? 1 : (double) MAX (durations_ns[n / 10], RESOLUTION_NS);
  self->spread_ns = MAX (self->gap_ns / 8, RESOLUTION_NS);
  self->chance_ns = n == 0 ? 1 : MAX (sum / n, 2 * self->gap_ns);
}

TtMemberSets *
tt_member_sets_new (const TtRankCalls *calls)
{
  TtMemberSets *self = g_new0 (TtMemberSets, 1);

  self->calls = calls;
  self->sets = g_array_new (FALSE, TRUE, sizeof (TtMemberSet));
  self->by_ranks = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->meetings = g_array_new (FALSE, FALSE, sizeof (TtMeeting));
  self->members = g_array_new (FALSE, FALSE, sizeof (guint32));
  estimate_times (self);
  return self;
}

void
tt_member_sets_free (TtMemberSets *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->sets->len; i++)
    g_free (tt_member_set (self, i)->ranks);
  g_array_unref (self->sets);
  g_hash_table_unref (self->by_ranks);
  g_array_unref (self->meetings);
  g_array_unref (self->members);
  g_free (self);
}

gboolean
tt_ranks_are_regular (const guint32 *ranks, guint n)
{
  for (guint i = 2; i < n; i++)
    if (ranks[i] - ranks[i - 1] != ranks[1] - ranks[0])
      return FALSE;
  return TRUE;
}

/* Irregular ones are as many numbers of ranks. */
static double
price_of (const TtMemberSets *self, const guint32 *ranks, guint n)
{
  return SET_BITS + (tt_ranks_are_regular (ranks, n) ? 2 : n) * log2 (MAX (self->calls->n_ranks, 2u));
}

guint32
tt_member_sets_add (TtMemberSets *self, const guint32 *ranks, guint n)
{
  g_autoptr (GBytes) key = g_bytes_new (ranks, n * sizeof *ranks);
  guint32 found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_ranks, key));
  const TtMemberSet set = { g_memdup2 (ranks, n * sizeof *ranks), n, price_of (self, ranks, n), FALSE, 0, 0 };

  if (found != 0)
    {
      g_free (set.ranks);
      return found - 1;
    }
  g_array_append_val (self->sets, set);
  g_hash_table_insert (self->by_ranks, g_steal_pointer (&key), GUINT_TO_POINTER (self->sets->len));
  return self->sets->len - 1;
}

/* -- meetings ---------------------------------------------------------------------------------------------------- */

/* How much better a time is explained by one that takes @mean_ns than by chance: both fall off exponentially, but for
 * the few that something else held up. */
static double
bits_of (const TtMemberSets *self, gint64 ns, double mean_ns)
{
  double late = (double) MAX (ns, 0), by_chance = exp (-late / self->chance_ns) / self->chance_ns;

  return log2 ((1 - HELD_UP) * exp (-late / mean_ns) / mean_ns + HELD_UP * by_chance) - log2 (by_chance);
}

static double
judge (const TtMemberSets *self, const TtMeeting *meeting, guint n)
{
  const guint32 *calls = tt_meeting_calls (self, meeting);
  double bits = bits_of (self, meeting->end_ns - meeting->begin_ns, self->gap_ns);
  gboolean is_first = TRUE;

  for (guint i = 0; i < n; i++)
    {
      gint64 late_ns = tt_rank_call (self->calls, calls[i])->end_ns - meeting->end_ns;

      /* The first to leave has set the time itself. */
      if (is_first && late_ns <= 0)
        is_first = FALSE;
      else
        bits += bits_of (self, late_ns, self->spread_ns);
    }
  return bits - MEETING_BITS;
}

/* Without the longest, which something else held up. */
static double
mean_of_most (GArray *times_ns)
{
  guint n = times_ns->len - times_ns->len / 10;
  double sum = 0;

  g_array_sort (times_ns, compare_times);
  for (guint i = 0; i < n; i++)
    sum += (double) g_array_index (times_ns, gint64, i);
  return MAX (sum / n, RESOLUTION_NS);
}

void
tt_member_sets_learn (TtMemberSets *self, const guint32 *meeting_of)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) spreads = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < self->calls->calls->len; i++)
    if (meeting_of[i] != TT_NO_CALL)
      {
        const TtMeeting *meeting = tt_meeting (self, meeting_of[i]);
        gint64 gap_ns = MAX (meeting->end_ns - meeting->begin_ns, 0);
        gint64 spread_ns = tt_rank_call (self->calls, i)->end_ns - meeting->end_ns;

        g_array_append_val (gaps, gap_ns);
        g_array_append_val (spreads, spread_ns);
      }
  if (gaps->len == 0)
    return;
  self->gap_ns = mean_of_most (gaps);
  self->spread_ns = mean_of_most (spreads);
  self->chance_ns = MAX (self->chance_ns, 2 * MAX (self->gap_ns, self->spread_ns));
  for (guint i = 0; i < self->meetings->len; i++)
    {
      TtMeeting *meeting = tt_meeting (self, i);

      meeting->bits = judge (self, meeting, tt_member_set (self, meeting->set)->n);
    }
}

static gboolean
leaves_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const Leaver *x = a, *y = b;

  return x->end_ns != y->end_ns ? x->end_ns < y->end_ns : x->member < y->member;
}

static Leaver
enter_call (Sweep *self, guint32 member)
{
  const TtRankCall *call = tt_rank_call (self->sets->calls, self->sets->calls->waiting[self->at[member]]);

  self->of_kind[call->kind]++;
  self->last_begin_ns = MAX (self->last_begin_ns, call->begin_ns);
  return (Leaver){ call->end_ns, member };
}

static void
add_meeting (Sweep *self, gint64 end_ns)
{
  TtMemberSets *sets = self->sets;
  TtMemberSet *set = tt_member_set (sets, self->set);
  TtMeeting meeting = { self->set, sets->members->len, self->last_begin_ns, end_ns, 0 };

  for (guint i = 0; i < set->n; i++)
    g_array_append_val (sets->members, sets->calls->waiting[self->at[i]]);
  meeting.bits = judge (sets, &meeting, set->n);
  g_array_append_val (sets->meetings, meeting);
  set->n_meetings++;
}

/* The first of all to leave goes on to its next call. */
static void
go_on (Sweep *self)
{
  const TtRankCalls *calls = self->sets->calls;
  Leaver *first = (Leaver *) (gpointer) self->leavers->data;
  guint32 member = first->member, rank = tt_member_set (self->sets, self->set)->ranks[member];

  self->of_kind[tt_rank_call (calls, calls->waiting[self->at[member]])->kind]--;
  if (++self->at[member] >= calls->first_waiting[rank + 1])
    {
      self->is_over = TRUE;
      return;
    }
  *first = enter_call (self, member);
  tt_heap_lower (self->leavers->data, sizeof *first, self->leavers->len, 0, leaves_before, NULL);
}

static void
sweep (Sweep *self)
{
  const TtRankCalls *calls = self->sets->calls;
  const TtMemberSet *set = tt_member_set (self->sets, self->set);
  guint64 left = 0;

  for (guint i = 0; i < set->n; i++)
    {
      guint from = calls->first_waiting[set->ranks[i]], until = calls->first_waiting[set->ranks[i] + 1];

      self->at[i] = from;
      left += (until - from) * MAX_OVERLAP;
      if (from == until)
        return;
    }
  for (guint i = 0; i < set->n; i++)
    {
      Leaver leaver = enter_call (self, i);

      tt_heap_push (self->leavers, &leaver, sizeof leaver, leaves_before, NULL);
    }
  while (!self->is_over && left >= set->n)
    {
      const Leaver *first = (const Leaver *) (gpointer) self->leavers->data;
      const TtRankCall *call = tt_rank_call (calls, calls->waiting[self->at[first->member]]);

      if (self->last_begin_ns <= call->end_ns + calls->slack_ns && self->of_kind[call->kind] == set->n)
        {
          add_meeting (self, call->end_ns);
          left -= set->n;
        }
      go_on (self);
    }
}

void
tt_member_sets_search (TtMemberSets *self, guint32 set)
{
  TtMemberSet *found = tt_member_set (self, set);

  if (found->is_searched)
    return;
  found->is_searched = TRUE;
  found->first_meeting = self->meetings->len;
  g_autofree guint32 *at = g_new0 (guint32, found->n);
  g_autofree guint *of_kind = g_new0 (guint, self->calls->kinds->len + 1);
  g_autoptr (GArray) leavers = g_array_new (FALSE, FALSE, sizeof (Leaver));
  Sweep state = { self, set, at, of_kind, leavers, G_MININT64, FALSE };

  sweep (&state);
}
