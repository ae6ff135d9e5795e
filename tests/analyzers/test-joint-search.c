/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/joint-search.h"
#include "analyzers/statistics/joint-words.h"

#include <stdlib.h>

#define MAX_PARTS 7u
#define MEMORY ((gsize) 1 << 20)

static int
compare_values (const void *a, const void *b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* A part whose only group has so many values, of which every @bounded-th is bounded. All and exact ones are noted, too. */
static TtPartValues *
make_part (guint n, guint bits, guint bounded, GArray *all, GArray *exact)
{
  g_autoptr (TtTally) tally = tt_tally_new (MEMORY);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      gint64 value = (gint64) ((guint64) (guint32) g_test_rand_int () << 31 ^ (guint32) g_test_rand_int ());
      value &= ((gint64) 1 << bits) - 1;
      const gboolean is_bounded = bounded > 0 && i % bounded == 0;
      (is_bounded ? tt_tally_add_bounded : tt_tally_add) (tally, 0, value, value, value);
      g_array_append_val (all, value);
      if (!is_bounded)
        g_array_append_val (exact, value);
    }
  g_assert_true (tt_tally_finish (tally, &error));
  TtPartValues *part = tt_part_values_new (tally, &error);
  g_assert_true (part != NULL && tt_part_values_rows (part)->len == (n > 0));
  return part;
}

/* What a rank is told and says goes through bytes. */
static void
ask (TtPartValues *part, const TtValueQuestion *question, guint max_samples, TtValueAnswer *answer)
{
  g_autoptr (GByteArray) asked = g_byte_array_new (), said = g_byte_array_new ();
  TtValueQuestion heard;
  TtValueAnswer own;

  tt_joint_pack_question (asked, question);
  TtUnpack from = tt_unpack_all (asked);
  tt_joint_unpack_question (&from, part, &heard);
  g_assert_true (!from.is_bad && from.at == from.end);
  tt_part_values_answer (part, &heard, max_samples, &own);
  tt_joint_pack_answer (said, &own);
  from = tt_unpack_all (said);
  tt_joint_unpack_answer (&from, max_samples, answer);
  g_assert_true (!from.is_bad && from.at == from.end);
}

/* Turns that it took. */
static guint
find (TtPartValues **parts, guint n, guint max_samples, gboolean without_bounded, guint64 place, gint64 *value)
{
  TtJointSearch search = { .place = place };
  guint turns = 0;

  for (; !search.is_found; turns++)
    {
      TtValueAnswer answers[MAX_PARTS];
      const TtValueAnswer *each[MAX_PARTS];
      for (guint i = 0; i < n; i++)
        {
          const TtValueQuestion question = { .without_bounded = without_bounded,
                                             .has_above = search.has_above,
                                             .above_ns = search.above_ns,
                                             .has_below = search.has_below,
                                             .below_ns = search.below_ns };
          ask (parts[i], &question, max_samples, &answers[i]);
          each[i] = &answers[i];
        }
      g_assert_true (tt_joint_search_narrow (&search, each, n));
      g_assert_true (turns < 100);
    }
  *value = search.value_ns;
  return turns;
}

static void
check_places (TtPartValues **parts, guint n, guint max_samples, gboolean without_bounded, GArray *sorted)
{
  qsort (sorted->data, sorted->len, sizeof (gint64), compare_values);
  for (guint i = 0; i <= 20; i++)
    {
      const guint64 place = (guint64) i * (sorted->len - 1) / 20;
      gint64 value;
      find (parts, n, max_samples, without_bounded, place, &value);
      g_assert_cmpint (value, ==, g_array_index (sorted, gint64, place));
    }
}

/* From all values different to all equal, parts of one value and of thousands, with bounded ones or without. */
static void
test_places (void)
{
  const guint bits[] = { 0, 1, 4, 20, 62 }, samples[] = { TT_MIN_VALUE_SAMPLES, 20, TT_VALUE_SAMPLES };

  for (guint round = 0; round < 60; round++)
    {
      const guint n = (guint) g_test_rand_int_range (1, MAX_PARTS + 1);
      const guint bounded = round % 3 == 0 ? (guint) g_test_rand_int_range (1, 5) : 0;
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GArray) exact = g_array_new (FALSE, FALSE, sizeof (gint64));
      TtPartValues *parts[MAX_PARTS];

      for (guint i = 0; i < n; i++)
        parts[i] = make_part ((guint) g_test_rand_int_range (1, i == 0 ? 3000 : 40), bits[round % G_N_ELEMENTS (bits)],
                              bounded, all, exact);
      const guint max_samples = samples[round % G_N_ELEMENTS (samples)];
      check_places (parts, n, max_samples, exact->len > 0, exact->len > 0 ? exact : all);
      for (guint i = 0; i < n; i++)
        tt_part_values_free (parts[i]);
    }
}

/* Of half a million values, turns are few. */
static void
test_turns (void)
{
  for (guint bits = 10; bits <= 60; bits += 50)
    {
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
      TtPartValues *parts[2];
      gint64 value;

      for (guint i = 0; i < 2; i++)
        parts[i] = make_part (250000, bits, 0, all, all);
      /* Each is noted twice. */
      qsort (all->data, all->len, sizeof (gint64), compare_values);
      g_assert_cmpuint (find (parts, 2, TT_VALUE_SAMPLES, FALSE, 250000, &value), <=, 6);
      g_assert_cmpint (value, ==, g_array_index (all, gint64, 500000));
      for (guint i = 0; i < 2; i++)
        tt_part_values_free (parts[i]);
    }
}

/* Bytes that end early, and answers that do not go together, are found. */
static void
test_nonsense (void)
{
  const guint8 bytes[] = { 5, 3 };
  TtUnpack from = { .at = bytes, .end = bytes + sizeof bytes };
  TtValueAnswer answer = { .n_before = 7, .n = 1, .n_samples = 1 };
  const TtValueAnswer *each[] = { &answer };
  TtJointSearch search = { .place = 3 };
  TtValueQuestion question;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) exact = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (TtPartValues) part = make_part (30, 8, 3, all, exact);

  tt_joint_unpack_answer (&from, 8, &answer);
  g_assert_true (from.is_bad);
  from = (TtUnpack){ .at = bytes, .end = bytes + sizeof bytes };
  tt_joint_unpack_question (&from, part, &question);
  g_assert_true (from.is_bad);
  /* Of both kinds of values there is no order. */
  question = (TtValueQuestion){ .row = 0 };
  g_assert_false (tt_part_values_can_answer (part, &question));
  question.without_bounded = TRUE;
  g_assert_true (tt_part_values_can_answer (part, &question));
  answer = (TtValueAnswer){ .n_before = 7, .n = 1, .n_samples = 1 };
  g_assert_false (tt_joint_search_narrow (&search, each, 1));
  answer = (TtValueAnswer){ .n_before = 0, .n = 1, .n_samples = 1 };
  g_assert_false (tt_joint_search_narrow (&search, each, 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joint-search/finds-what-sorting-all-would", test_places);
  g_test_add_func ("/joint-search/takes-few-turns", test_turns);
  g_test_add_func ("/joint-search/refuses-nonsense", test_nonsense);
  return g_test_run ();
}
