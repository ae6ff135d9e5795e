/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/digits.h"

/* What may be written behind a number. */
#define BEHIND 16

/* Around each power of ten, and the ends of the types. */
static GArray *
edges (void)
{
  static const gint64 ends[] = { G_MININT64,  G_MININT64 + 1, G_MININT32, G_MAXINT32,
                                 G_MAXUINT32, G_MAXINT64 - 1, G_MAXINT64 };
  GArray *values = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_vals (values, ends, G_N_ELEMENTS (ends));
  for (gint64 power = 1; power <= G_MAXINT64 / 10; power *= 10)
    for (gint64 factor = 1; factor <= 9; factor++)
      for (gint64 more = -2; more <= 2; more++)
        {
          const gint64 value = power * factor + more, negative = -value;
          g_array_append_val (values, value);
          g_array_append_val (values, negative);
        }
  return values;
}

static void
check (const char *digits, const char *end, const char *expected)
{
  g_assert_cmpmem (digits, end - digits, expected, strlen (expected));
}

static void
test_decimals (void)
{
  g_autoptr (GArray) values = edges ();
  char digits[TT_MOST_DIGITS + BEHIND], expected[TT_MOST_DIGITS];

  for (guint i = 0; i < values->len; i++)
    {
      const gint64 value = g_array_index (values, gint64, i);

      g_snprintf (expected, sizeof expected, "%" G_GINT64_FORMAT, value);
      check (digits, tt_put_signed (digits, value), expected);
      g_snprintf (expected, sizeof expected, "%" G_GUINT64_FORMAT, (guint64) value);
      check (digits, tt_put_decimal (digits, (guint64) value), expected);
      check (digits, tt_put_decimal_padded (digits, (guint64) value), expected);
    }
}

static void
test_fours (void)
{
  char digits[TT_MOST_DIGITS + BEHIND], expected[TT_MOST_DIGITS];

  for (guint32 value = 0; value < 10000; value++)
    {
      g_snprintf (expected, sizeof expected, "%04u", value);
      check (tt_fours[value], tt_fours[value] + 4, expected);
      g_snprintf (expected, sizeof expected, "%u", value);
      check (digits, tt_put_short (digits, value), expected);
    }
}

/* Without what is no number of microseconds, and as short as it is exact. */
static void
write_us (char *to, gsize size, gint64 ns)
{
  const guint64 length = ns < 0 ? -(guint64) ns : (guint64) ns;

  g_snprintf (to, (gulong) size, "%s%" G_GUINT64_FORMAT ".%03u", ns < 0 ? "-" : "", length / 1000,
              (guint) (length % 1000));
  char *end = to + strlen (to);
  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    *--end = '\0';
}

static void
check_us (TtNearTime *last, gint64 ns)
{
  char digits[TT_MOST_DIGITS + BEHIND], expected[2 * TT_MOST_DIGITS];

  write_us (expected, sizeof expected, ns);
  check (digits, tt_put_us (digits, ns), expected);
  check (digits, tt_put_us_padded (digits, ns), expected);
  check (digits, tt_put_near_us (digits, last, ns), expected);
}

static void
test_microseconds (void)
{
  g_autoptr (GArray) values = edges ();
  TtNearTime last = { 0 };

  for (guint i = 0; i < values->len; i++)
    check_us (&last, g_array_index (values, gint64, i));
  for (gint64 ns = 0; ns < 2000; ns++)
    check_us (&last, ns);
}

/* Many that begin alike, and then such that do not; also back to what was before. */
static void
test_near_times (void)
{
  static const gint64 begins[] = { 0,
                                   (gint64) TT_SHORT_NS - 500,
                                   (gint64) TT_SHORT_NS * 99999 + 1,
                                   -(gint64) TT_SHORT_NS * 3,
                                   G_GINT64_CONSTANT (1700000000) * G_GINT64_CONSTANT (1000000000),
                                   G_MAXINT64 - (gint64) TT_SHORT_NS * 5 };
  TtNearTime last = { 0 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (begins); i++)
    for (gint64 k = 0; k < 500; k++)
      check_us (&last, begins[i % G_N_ELEMENTS (begins)] + k * 61247 + (k % 2 == 0 ? 0 : 753));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/digits/decimals-of-any-length", test_decimals);
  g_test_add_func ("/digits/four-by-a-table", test_fours);
  g_test_add_func ("/digits/exact-microseconds", test_microseconds);
  g_test_add_func ("/digits/times-near-one-another", test_near_times);
  return g_test_run ();
}
