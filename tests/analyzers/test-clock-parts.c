/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the pass that corrects clocks, beside slower ways to the same.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/clocks/ends.h"
#include "analyzers/clocks/knots.h"
#include "analyzers/clocks/logical.h"
#include "src/base/beside.h"
#include "tests/rounds.h"

#define N_MAPS 200u
#define N_TIMES 300u
#define N_RUNS 400u
#define MAX_CLOCKS 9u

/* -- beside one another ---------------------------------------------------------------------------------------------- */

static void
count_one (guint i, gpointer counts)
{
  ((guint *) counts)[i]++;
}

static void
test_each_once (void)
{
  for (guint n = 0; n < 100; n++)
    {
      guint counts[100] = { 0 };

      tt_each_beside (n, count_one, counts);
      for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
        g_assert_cmpuint (counts[i], ==, i < n);
    }
}

/* -- maps ------------------------------------------------------------------------------------------------------------- */

static GArray *
random_map (GRand *rand)
{
  g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));
  TtClockKnot knot = { g_rand_int_range (rand, -1000000, 1000000), 0 };

  for (guint n = (guint) g_rand_int_range (rand, 0, 6); n > 0; n--)
    {
      knot.at_ns += g_rand_int_range (rand, 0, 1000000000);
      knot.shift_ns += g_rand_int_range (rand, -30000, 30000);
      g_array_append_val (knots, knot);
    }
  return tt_clock_knots_to_pieces (knots);
}

/* Times near each other, and now and then anywhere. */
static void
test_cursor (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  for (guint i = 0; i < test_rounds (N_MAPS); i++)
    {
      g_autoptr (GArray) map = random_map (rand);
      TtClockCursor cursor = TT_CLOCK_CURSOR_NEW;
      gint64 ns = 0;

      for (guint k = 0; k < N_TIMES; k++)
        {
          guint near = 0;

          ns = g_rand_int_range (rand, 0, 10) == 0 ? (gint64) g_rand_double_range (rand, -2e9, 7e9)
                                                   : ns + g_rand_int_range (rand, -1000, 30000000);
          g_assert_cmpint (tt_clock_pieces_time_by (map, &cursor, ns), ==, tt_clock_pieces_time (map, &near, ns));
        }
    }
}

/* -- ends of calls ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 apart_ns[64], call_ns[64];
  guint n;
} Pair;

static int
compare_times (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* As ends.c defines it: three calls and more, at least 10 us apart; nine of ten within a quarter of the median, half of them
 * within an eighth, and calls that mostly take less than a quarter of it. */
static gboolean
is_steady (const Pair *pair)
{
  guint n = pair->n, n_near = 0;
  gint64 sorted_ns[64], spreads_ns[64], calls_ns[64];

  if (n < 3)
    return FALSE;
  memcpy (sorted_ns, pair->apart_ns, sizeof sorted_ns);
  qsort (sorted_ns, n, sizeof *sorted_ns, compare_times);
  gint64 median_ns = sorted_ns[n / 2], limit_ns = ABS (median_ns);
  for (guint i = 0; i < n; i++)
    {
      spreads_ns[i] = ABS (pair->apart_ns[i] - median_ns);
      calls_ns[i] = pair->call_ns[i];
      n_near += spreads_ns[i] <= limit_ns / 4;
    }
  qsort (spreads_ns, n, sizeof *spreads_ns, compare_times);
  qsort (calls_ns, n, sizeof *calls_ns, compare_times);
  return limit_ns >= 10000 && n_near >= n - n / 10 && spreads_ns[n / 2] < limit_ns / 8 &&
         calls_ns[n / 2] < limit_ns / 4;
}

static gboolean
differ_by_definition (const TtClockTies *ties, const guint32 *group_of)
{
  g_autofree Pair *pairs = g_new0 (Pair, MAX_CLOCKS * MAX_CLOCKS);

  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);
      const TtClockMember *members = &g_array_index (ties->members, TtClockMember, call->first);
      gint64 call_ns = G_MAXINT64;

      for (guint k = 0; k < call->n; k++)
        call_ns = MIN (call_ns, members[k].end_ns - members[k].begin_ns);
      for (guint k = 0; k < call->n && !call->is_loose; k++)
        {
          guint32 group = group_of == NULL ? 1 : group_of[members[k].clock];
          const TtClockMember *hub = &members[k];

          for (guint other = 0; other < call->n; other++)
            if ((group_of == NULL ? 1 : group_of[members[other].clock]) == group && members[other].clock < hub->clock)
              hub = &members[other];
          Pair *pair = &pairs[hub->clock * MAX_CLOCKS + members[k].clock];
          if (hub == &members[k] || group == 0)
            continue;
          pair->apart_ns[pair->n] = members[k].end_ns - hub->end_ns;
          pair->call_ns[pair->n++] = call_ns;
        }
    }
  for (guint i = 0; i < MAX_CLOCKS * MAX_CLOCKS; i++)
    if (is_steady (&pairs[i]))
      return TRUE;
  return FALSE;
}

/* Clocks that agree but for one or none, in calls of all or of some. */
static void
add_calls (TtClockTies *ties, GRand *rand)
{
  const guint n_calls = (guint) g_rand_int_range (rand, 0, 40), in_ten = (guint) g_rand_int_range (rand, 6, 11);
  const gint64 jitter_ns = g_rand_int_range (rand, 1, 20000), off_ns = g_rand_int_range (rand, -120000, 120000);
  const guint32 wrong = (guint32) g_rand_int_range (rand, 0, MAX_CLOCKS + 3);

  for (guint i = 0; i < n_calls; i++)
    {
      TtClockCall call = { .first = ties->members->len, .is_loose = g_rand_int_range (rand, 0, 20) == 0 };

      for (guint32 clock = 0; clock < ties->n_clocks; clock++)
        {
          gint64 end_ns = i * 1000000 + g_rand_int_range (rand, 0, (gint32) jitter_ns) + (clock == wrong ? off_ns : 0);
          const TtClockMember member = { clock, FALSE, end_ns - g_rand_int_range (rand, 1, 30000), end_ns };

          if ((guint) g_rand_int_range (rand, 0, 10) < in_ten)
            g_array_append_val (ties->members, member);
        }
      call.n = ties->members->len - call.first;
      g_array_append_val (ties->calls, call);
    }
}

static void
test_ends (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (22);
  guint n_differ = 0;

  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
      g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
      TtClockTies ties = { .n_clocks = (guint) g_rand_int_range (rand, 2, MAX_CLOCKS + 1),
                           .members = members,
                           .calls = calls };
      guint32 groups[MAX_CLOCKS];

      for (guint k = 0; k < MAX_CLOCKS; k++)
        groups[k] = (guint32) g_rand_int_range (rand, 0, 3);
      add_calls (&ties, rand);
      n_differ += tt_clock_ends_differ (&ties, NULL);
      g_assert_cmpint (tt_clock_ends_differ (&ties, NULL), ==, differ_by_definition (&ties, NULL));
      g_assert_cmpint (tt_clock_ends_differ (&ties, groups), ==, differ_by_definition (&ties, groups));
    }
  g_assert_cmpuint (n_differ, >, N_RUNS / 10);
  g_assert_cmpuint (n_differ, <, N_RUNS);
}

/* -- logical clocks --------------------------------------------------------------------------------------------------- */

/* Messages of clocks that are wrong by up to 50 us, of which some come before they were sent. */
static void
add_messages (TtClockTies *ties, GRand *rand)
{
  gint64 wrong_ns[MAX_CLOCKS], ns = 0;

  for (guint i = 0; i < MAX_CLOCKS; i++)
    wrong_ns[i] = g_rand_int_range (rand, -50000, 50000);
  for (guint i = 0; i < 200; i++)
    {
      TtClockTie tie = { .from = (guint32) g_rand_int_range (rand, 0, (gint32) ties->n_clocks) };

      tie.to = (tie.from + (guint32) g_rand_int_range (rand, 1, (gint32) ties->n_clocks)) % ties->n_clocks;
      ns += g_rand_int_range (rand, 1, 40000);
      tie.cause_ns = ns + wrong_ns[tie.from];
      tie.effect_ns = ns + g_rand_int_range (rand, 1000, 9000) + wrong_ns[tie.to];
      g_array_append_val (ties->messages, tie);
    }
}

static gint64
mapped_ns (GArray *const *linear, GArray *const *logical, guint32 clock, gint64 ns)
{
  guint near = 0;

  return tt_clock_pieces_time (logical[clock] != NULL ? logical[clock] : linear[clock], &near, ns);
}

/* Made by several threads: nothing arrives before it was sent, and each time the maps are the same. */
static void
test_logical (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);

  for (guint i = 0; i < test_rounds (N_MAPS); i++)
    {
      g_autoptr (GArray) messages = g_array_new (FALSE, FALSE, sizeof (TtClockTie));
      g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
      g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
      TtClockTies ties = { .n_clocks = (guint) g_rand_int_range (rand, 2, MAX_CLOCKS + 1),
                           .messages = messages,
                           .members = members,
                           .calls = calls };
      GArray *linear[MAX_CLOCKS], *logical[MAX_CLOCKS] = { NULL }, *again[MAX_CLOCKS] = { NULL };
      const TtClockKnot knot = { 0, 0 };

      add_messages (&ties, rand);
      for (guint k = 0; k < ties.n_clocks; k++)
        {
          g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));

          g_array_append_val (knots, knot);
          linear[k] = tt_clock_knots_to_pieces (knots);
        }
      tt_clock_make_logical (&ties, linear, logical);
      tt_clock_make_logical (&ties, linear, again);
      for (guint k = 0; k < messages->len; k++)
        {
          const TtClockTie *tie = &g_array_index (messages, TtClockTie, k);

          g_assert_cmpint (mapped_ns (linear, logical, tie->to, tie->effect_ns), >=,
                           mapped_ns (linear, logical, tie->from, tie->cause_ns));
        }
      for (guint k = 0; k < ties.n_clocks; k++)
        {
          g_assert_cmpint (logical[k] == NULL, ==, again[k] == NULL);
          if (logical[k] != NULL)
            g_assert_cmpmem (logical[k]->data, logical[k]->len * sizeof (TtClockPiece), again[k]->data,
                             again[k]->len * sizeof (TtClockPiece));
          g_clear_pointer (&logical[k], g_array_unref);
          g_clear_pointer (&again[k], g_array_unref);
          g_array_unref (linear[k]);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beside/each-once", test_each_once);
  g_test_add_func ("/clocks/cursor", test_cursor);
  g_test_add_func ("/clocks/ends", test_ends);
  g_test_add_func ("/clocks/logical", test_logical);
  return g_test_run ();
}
