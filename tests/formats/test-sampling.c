/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/sampling.h"

/* The three counters against a history that is counted over again at every invocation. */

#define MOST_STEPS 400

typedef struct
{
  gboolean is_end;
  gboolean passes;
  guint invocation; /* number of the begin that ends */
} Step;

typedef struct
{
  Step step[MOST_STEPS];
  gboolean recorded[MOST_STEPS]; /* by step, of begins */
  guint n;
} History;

/* By the words of the rule, from the whole history before @at, which is a begin. */
static gboolean
is_recorded (const History *history, guint at, const TtSamplingRule *rule)
{
  guint invocations = 1, ended = 0, since = 1;

  for (guint i = 0; i < at; i++)
    {
      const Step *step = &history->step[i];
      if (!step->is_end)
        {
          invocations++;
          since++;
        }
      else if (history->recorded[step->invocation])
        {
          ended++;
          since = 1;
        }
    }
  return history->step[at].passes && invocations - 1 >= rule->starts_at && (rule->most == -1 || ended < rule->most) &&
         since >= rule->rate;
}

/* Invocations that may lie within each other, some of them rejected. */
static void
make_history (History *history, gboolean nests)
{
  guint open[MOST_STEPS], n_open = 0;

  history->n = 0;
  while (history->n < MOST_STEPS)
    {
      Step *step = &history->step[history->n];
      gboolean ends = n_open > 0 && (!nests || n_open > 5 || g_test_rand_bit ());

      step->is_end = ends;
      if (ends)
        step->invocation = open[--n_open];
      else
        {
          step->passes = g_test_rand_int_range (0, 5) > 0;
          open[n_open++] = history->n;
        }
      history->n++;
    }
}

static TtSamplingRule
random_rule (void)
{
  return (TtSamplingRule){ .starts_at = g_test_rand_bit () ? 0 : g_test_rand_int_range (0, 40),
                           .most = g_test_rand_bit () ? -1 : g_test_rand_int_range (0, 20),
                           .rate = g_test_rand_bit () ? 1 : g_test_rand_int_range (0, 15) };
}

static void
test_history (void)
{
  for (guint round = 0; round < 3000; round++)
    {
      static History history;
      TtSamplingRule rule = random_rule ();
      TtSamplingState state = { 0 };

      make_history (&history, round % 2 == 0);
      for (guint i = 0; i < history.n; i++)
        {
          const Step *step = &history.step[i];
          if (!step->is_end)
            {
              gboolean wanted = is_recorded (&history, i, &rule);
              g_assert_cmpint (tt_sampling_begin (&state, &rule, step->passes), ==, wanted);
              history.recorded[i] = wanted;
            }
          else if (history.recorded[step->invocation])
            tt_sampling_end (&state);
        }
    }
}

static GString *
numbers_of (const TtSamplingRule *rule, guint n_invocations)
{
  GString *numbers = g_string_new (NULL);
  TtSamplingState state = { 0 };

  for (guint i = 1; i <= n_invocations; i++)
    if (tt_sampling_begin (&state, rule, TRUE))
      {
        g_string_append_printf (numbers, "%s%u", numbers->len > 0 ? "," : "", i);
        tt_sampling_end (&state);
      }
  return numbers;
}

/* Numbers that PInsight was seen to record. */
static void
test_captures (void)
{
  static const struct
  {
    TtSamplingRule rule;
    guint n_invocations;
    const char *numbers, *text;
  } cases[] = {
    { { 5, 4, 3 }, 40, "6,9,12,15", "6, 9, 12 and 15" },
    { { 5, 4, 3 }, 10, "6,9", "6, 9, 12 and 15" },
    { { 2, -1, 4 }, 20, "4,8,12,16,20", "4, 8, 12 ..." },
    { { 0, 5, 2 }, 20, "2,4,6,8,10", "2, 4, 6, 8 and 10" },
    { { 0, -1, 10 }, 30, "10,20,30", "10, 20, 30 ..." },
    { { 0, 0, 1 }, 9, "", "none" },
    { { 0, -1, 1 }, 4, "1,2,3,4", "all" },
    { { 0, -1, 0 }, 4, "1,2,3,4", "all" },
    { { 3, -1, 1 }, 5, "4,5", "all from number 4" },
    { { 20, 200, 10 }, 45, "21,31,41", "21, 31, 41 ... 2011 (200 in all)" },
    { { 0, 1, 7 }, 30, "7", "7" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tt_sampling_describe (&cases[i].rule);
      g_autofree char *numbers = g_string_free (numbers_of (&cases[i].rule, cases[i].n_invocations), FALSE);

      g_assert_cmpstr (numbers, ==, cases[i].numbers);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* What was recorded once is recorded again, if the source has numbered it. */
static void
test_numbered (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      TtSamplingRule rule = random_rule ();
      TtSamplingState first = { 0 }, again = { 0 };

      for (guint32 number = 1; number <= 200; number++)
        {
          if (!tt_sampling_begin (&first, &rule, TRUE))
            continue;
          tt_sampling_end (&first);
          g_assert_true (tt_sampling_begin_numbered (&again, &rule, TRUE, number));
          tt_sampling_end (&again);
        }
    }
}

/* With every number there, numbers and counts say the same. */
static void
test_numbered_in_full (void)
{
  for (guint round = 0; round < 1000; round++)
    {
      TtSamplingRule rule = random_rule ();
      TtSamplingState counted = { 0 }, numbered = { 0 };

      for (guint32 number = 1; number <= 100; number++)
        {
          gboolean passes = g_test_rand_int_range (0, 4) > 0;
          gboolean is_recorded_one = tt_sampling_begin (&counted, &rule, passes);
          g_assert_cmpint (tt_sampling_begin_numbered (&numbered, &rule, passes, number), ==, is_recorded_one);
          if (is_recorded_one)
            {
              tt_sampling_end (&counted);
              tt_sampling_end (&numbered);
            }
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sampling/history", test_history);
  g_test_add_func ("/sampling/captures", test_captures);
  g_test_add_func ("/sampling/numbered", test_numbered);
  g_test_add_func ("/sampling/numbered-in-full", test_numbered_in_full);
  return g_test_run ();
}
