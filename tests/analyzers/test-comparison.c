/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/comparison/op-mapping.h"
#include "analyzers/comparison/welch.h"
#include "analyzers/student.h"

#include <math.h>
#include <string.h>

/* -- p-values: mpmath with 60 digits is the judge ------------------------------------------------------------- */

static void
check_p (double p, double expected)
{
  if (!(fabs (p - expected) <= MAX (1e-9 * expected, 1e-12)))
    g_test_message ("p = %.17g instead of %.17g", p, expected);
  g_assert_true (fabs (p - expected) <= MAX (1e-9 * expected, 1e-12));
}

static void
test_student (void)
{
  static const struct
  {
    double t2, degrees, p;
  } cases[] = {
    { 1, 1, 0.5 },
    { 2, 2, 0.2928932188134524756 },
    { 13.5, 4, 0.021311641128756725847 },
    { 0.25, 0.75, 0.72518359244420490344 },
    { 6.25, 10, 0.031446844236608804249 },
    { 100, 3, 0.0021283990584141500574 },
    { 9, 99.5, 0.0034116914625622651802 },
    { 4, 1999, 0.045635340866158201353 },
    { 25, 2001, 6.2326395546967442614e-7 },
    { 0.0001, 50, 0.99206108136714292704 },
    { 1e-08, 9000, 0.99992021376036792068 },
    { 16, 9999, 0.00006379871456258758497 },
    { 16, 10001, 0.000063798623092861940595 },
    { 7, 200000, 0.0081516090722689082976 },
    { 36, 10000000, 1.9732427333677835118e-9 },
    { 400, 1000000, 5.7330870473903718346e-89 },
    { 3.84, 1000000000, 0.050043521526066259298 },
    { 0.5, 12345.6, 0.47951346857632432576 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_p (tt_student_p (cases[i].t2, cases[i].degrees), cases[i].p);
  g_assert_cmpfloat (tt_student_p (0, 7), ==, 1);
  g_assert_cmpfloat (tt_student_p (INFINITY, 7), ==, 0);
  g_assert_true (isnan (tt_student_p (NAN, 7)));
  g_assert_true (isnan (tt_student_p (1, 0)));
}

/* The values around @base, given by what they differ from it. */
static TtSample
sample_of (gint64 base, const gint64 *offsets, guint n)
{
  TtSample self = { 0 };

  for (guint i = 0; i < n; i++)
    {
      gint64 value = base + offsets[i];

      self.count++;
      self.sum += value;
      self.sum_sq += (tt_uint128) value * (tt_uint128) value;
    }
  return self;
}

/* @n values of @base, and to some of them something is added, all of which has this sum and sum of squares. */
static TtSample
many_near (guint64 n, guint64 base, guint64 sum, guint64 sum_sq)
{
  return (TtSample){ n, (tt_int128) n * base + sum,
                     (tt_uint128) n * base * base + 2 * (tt_uint128) base * sum + sum_sq };
}

static void
test_welch (void)
{
  static const gint64 low[] = { 1, 2, 3 }, high[] = { 4, 5, 6 }, steps[] = { 0, 1000, 2000, 3000, 4000 },
                      shifted[] = { 2500, 3500, 4500, 5500 }, odd[] = { 100, 101, 99, 100 },
                      wide[] = { 150, 90, 200, 70, 30 };
  const gint64 days = 180000000000000;
  TtSample a = sample_of (0, low, 3), b = sample_of (0, high, 3);

  check_p (tt_welch_p (&a, &b), 0.0213116411287567258);
  a = sample_of (0, odd, 4);
  b = sample_of (0, wide, 5);
  check_p (tt_welch_p (&a, &b), 0.803345602923710233);
  a = sample_of (days, steps, 5);
  b = sample_of (days, shifted, 4);
  check_p (tt_welch_p (&a, &b), 0.0751977495985083885);
  a = many_near (10000000, 1000000000, 1, 1);
  b = many_near (10000000, 1000000000, 6, 12);
  check_p (tt_welch_p (&a, &b), 0.165517846172839945);
}

static void
test_without_variance (void)
{
  TtSample two = { 2, 6, 18 }, three = { 3, 9, 27 }, other = { 2, 8, 32 }, one = { 1, 3, 9 }, none = { 0 };
  TtSample lost = { 2, 6, ~(tt_uint128) 0 };

  g_assert_cmpfloat (tt_welch_p (&two, &three), ==, 1);
  g_assert_cmpfloat (tt_welch_p (&two, &other), ==, 0);
  g_assert_true (isnan (tt_welch_p (&two, &one)));
  g_assert_true (isnan (tt_welch_p (&none, &two)));
  g_assert_true (isnan (tt_welch_p (&two, &lost)));
}

/* What a damaged database may say: nothing but an answer from 0 to 1, or none. */
static void
test_impossible_sums (void)
{
  for (guint i = 0; i < 100000; i++)
    {
      TtSample samples[2];

      for (guint k = 0; k < 2; k++)
        {
          guint64 words[4];

          for (guint w = 0; w < 4; w++)
            words[w] = (((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ()) >>
                       g_test_rand_int_range (0, 64);
          samples[k] = (TtSample){ words[0] >> 1, (gint64) words[1], (tt_uint128) words[2] << 64 | words[3] };
        }
      double p = tt_welch_p (&samples[0], &samples[1]);
      g_assert_true (isnan (p) || (p >= 0 && p <= 1));
    }
}

/* -- other names ------------------------------------------------------------------------------------------------ */

static void
check_name (const TtOpMapping *mapping, const char *name, const char *expected)
{
  g_autofree char *text = tt_op_mapping_apply (mapping, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_mapping (void)
{
  g_autoptr (TtOpMapping) mapping = tt_op_mapping_new ();
  static const char *const rules[] = { "COMP.old=COMP.new", "COMP.part_?=COMP.whole", "v1::*=v2::*", "a*b=[*]",
                                       "x*y*=z" };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    g_assert_true (tt_op_mapping_add (mapping, rules[i], NULL));
  check_name (mapping, "COMP.old", "COMP.new");
  check_name (mapping, "COMP.older", "COMP.older");
  check_name (mapping, "COMP.part_1", "COMP.whole");
  check_name (mapping, "v1::f", "v2::f");
  check_name (mapping, "v1::", "v2::");
  check_name (mapping, "a--b", "[--]");
  check_name (mapping, "ab", "[]");
  check_name (mapping, "x1y2", "z");
  check_name (mapping, "f<int>", "f<int>");
}

static void
test_wrong_rules (void)
{
  static const char *const rules[] = { "", "=", "old", "=new", "old=", "a*b*=*", "a=*", "a*=**" };
  g_autoptr (TtOpMapping) mapping = tt_op_mapping_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (tt_op_mapping_add (mapping, rules[i], &error));
      g_assert_nonnull (error);
    }
  check_name (mapping, "old", "old");
}

static void
test_template_arguments (void)
{
  static const char *const cases[][2] = {
    { "COMP.gemm<float, 4>(float*)", "COMP.gemm(float*)" },
    { "a<b<c>, d>::e<f>", "a::e" },
    { "plain", "plain" },
    { "operator<<", "operator<<" },
    { "operator<", "operator<" },
    { "operator->", "operator->" },
    { "T<int>::operator>>(x)", "T::operator>>(x)" },
    { "a->b", "a->b" },
    { "lost<int", "lost<int" },
    { "lost>int", "lost>int" },
    { "<unknown>", "<unknown>" },
    { "", "" },
  };
  g_autoptr (TtOpMapping) mapping = tt_op_mapping_new ();

  tt_op_mapping_ignore_template_arguments (mapping);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_name (mapping, cases[i][0], cases[i][1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/comparison/student", test_student);
  g_test_add_func ("/comparison/welch", test_welch);
  g_test_add_func ("/comparison/without-variance", test_without_variance);
  g_test_add_func ("/comparison/impossible-sums", test_impossible_sums);
  g_test_add_func ("/comparison/mapping", test_mapping);
  g_test_add_func ("/comparison/wrong-rules", test_wrong_rules);
  g_test_add_func ("/comparison/template-arguments", test_template_arguments);
  return g_test_run ();
}
