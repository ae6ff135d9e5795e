/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/base/error.h"
#include "src/base/units.h"

#include "tests/require.h"

static void
test_unit_names (void)
{
  static const char *const names[] = { "ns", "us", "ms", "s" };
  g_autoptr (GError) error = NULL;
  TtUnit unit = TT_UNIT_NS;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (tt_unit_parse (names[i], &unit, &error));
      g_assert_cmpstr (tt_unit_text (unit), ==, names[i]);
    }
  g_assert_cmpint (tt_unit_ns (TT_UNIT_NS), ==, 1);
  g_assert_cmpint (tt_unit_ns (TT_UNIT_S), ==, 1000000000);
  g_assert_false (tt_unit_parse ("min", &unit, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_USAGE);
}

static void
test_time_text (void)
{
  static const struct
  {
    gint64 ns;
    TtUnit unit;
    int decimals;
    const char *text;
  } cases[] = {
    { 0, TT_UNIT_US, 3, "0.000" },
    { 12345, TT_UNIT_US, 3, "12.345" },
    { 12345, TT_UNIT_US, 0, "12" },
    { 12500, TT_UNIT_US, 0, "13" },
    { -12500, TT_UNIT_US, 0, "-13" },
    { -499, TT_UNIT_US, 0, "0" },
    { -500, TT_UNIT_US, 0, "-1" },
    { 12344, TT_UNIT_US, 2, "12.34" },
    { 12345, TT_UNIT_US, 2, "12.35" },
    { 12345, TT_UNIT_US, 5, "12.34500" },
    { 12345, TT_UNIT_NS, 0, "12345" },
    { 12345, TT_UNIT_NS, 2, "12345.00" },
    { 12345, TT_UNIT_MS, 3, "0.012" },
    { 12345, TT_UNIT_S, 9, "0.000012345" },
    { 999999999, TT_UNIT_S, 3, "1.000" },
    { G_MAXINT64, TT_UNIT_NS, 0, "9223372036854775807" },
    { G_MININT64, TT_UNIT_NS, 0, "-9223372036854775808" },
    { G_MININT64, TT_UNIT_US, 3, "-9223372036854775.808" },
    { G_MAXINT64, TT_UNIT_S, 3, "9223372036.855" },
    { G_MININT64, TT_UNIT_S, 0, "-9223372037" },
  };
  char buffer[TT_TIME_TEXT];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tt_time_text (buffer, cases[i].ns, cases[i].unit, cases[i].decimals), ==, cases[i].text);
}

static void
test_sum_text (void)
{
  tt_int128 huge = (tt_int128) (~(tt_uint128) 0 >> 1);
  char buffer[TT_TIME_TEXT];

  g_assert_cmpstr (tt_time_text_int128 (buffer, huge, TT_UNIT_NS, 0), ==, "170141183460469231731687303715884105727");
  g_assert_cmpstr (tt_time_text_int128 (buffer, -huge - 1, TT_UNIT_US, 3), ==,
                   "-170141183460469231731687303715884105.728");
  g_assert_cmpstr (tt_time_text_int128 (buffer, -huge - 1, TT_UNIT_NS, 99), ==,
                   "-170141183460469231731687303715884105728.000000000");
  g_assert_cmpstr (tt_time_text_int128 (buffer, 1500, TT_UNIT_US, -1), ==, "1.5");
  g_assert_cmpstr (tt_time_text_int128 (buffer, 1000, TT_UNIT_US, -1), ==, "1");
  g_assert_cmpstr (tt_time_text_int128 (buffer, 0, TT_UNIT_S, -1), ==, "0");
  g_assert_cmpstr (tt_time_text_int128 (buffer, -1, TT_UNIT_S, -1), ==, "-0.000000001");
  g_assert_cmpstr (tt_time_text_int128 (buffer, 10000, TT_UNIT_MS, -1), ==, "0.01");
  g_assert_cmpstr (tt_time_text_int128 (buffer, 123, TT_UNIT_NS, -1), ==, "123");
}

static void
test_auto (void)
{
  static const struct
  {
    gint64 ns;
    const char *time, *bytes;
  } cases[] = {
    { 0, "0 ns", "0 B" },
    { 1, "1 ns", "1 B" },
    { 999, "999 ns", "999 B" },
    { 1000, "1 us", "1 kB" },
    { 1004, "1 us", "1 kB" },
    { 1005, "1.01 us", "1.01 kB" },
    { 1234, "1.23 us", "1.23 kB" },
    { 12345, "12.3 us", "12.3 kB" },
    { 840000, "840 us", "840 kB" },
    { 999499, "999 us", "999 kB" },
    { 999500, "1 ms", "1 MB" },
    { 1250000000, "1.25 s", "1.25 GB" },
    { 9996000, "10 ms", "10 MB" },
    { 12400000, "12.4 ms", "12.4 MB" },
    { G_GINT64_CONSTANT (599900000000), "600 s", "600 GB" },
    { G_GINT64_CONSTANT (600000000000), "10 min", "600 GB" },
    { G_GINT64_CONSTANT (1234500000000), "20 min 35 s", "1.23 TB" },
    { G_GINT64_CONSTANT (3599499999999), "59 min 59 s", "3.6 TB" },
    { G_GINT64_CONSTANT (3599500000000), "1 h", "3.6 TB" },
    { G_GINT64_CONSTANT (12345678900000), "3 h 26 min", "12.3 TB" },
    { G_GINT64_CONSTANT (86369999999999), "23 h 59 min", "86.4 TB" },
    { G_GINT64_CONSTANT (86370000000000), "1 d", "86.4 TB" },
    { G_GINT64_CONSTANT (31557600000000000), "365 d 6 h", "31.6 PB" },
    { G_MAXINT64, "106752 d", "9.22 EB" },
  };
  char buffer[TT_TIME_TEXT];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpstr (tt_time_auto (buffer, cases[i].ns), ==, cases[i].time);
      g_assert_cmpstr (tt_bytes_auto (buffer, (guint64) cases[i].ns), ==, cases[i].bytes);
    }
  g_assert_cmpstr (tt_time_auto (buffer, -1500000), ==, "-1.5 ms");
  g_assert_cmpstr (tt_time_auto (buffer, G_MININT64), ==, "-106752 d");
  g_assert_cmpstr (tt_bytes_auto (buffer, G_MAXUINT64), ==, "18.4 EB");
}

static void
test_shown (void)
{
  static const struct
  {
    gint64 ns;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { 1, "1 ns" },
    { 999, "999 ns" },
    { 1000, "1.000 us" },
    { 1234, "1.234 us" },
    { 12345, "12.35 us" },
    { 12344, "12.34 us" },
    { 9999, "9.999 us" },
    { 99994, "99.99 us" },
    { 99995, "100.0 us" },
    { 999949, "999.9 us" },
    { 999950, "1.000 ms" },
    { 999999, "1.000 ms" },
    { -1500000, "-1.500 ms" },
    { 56700000000, "56.70 s" },
    { 999950000000, "1000 s" },
    { G_GINT64_CONSTANT (259200) * 1000000000, "259200 s" },
    { G_MAXINT64, "9223372037 s" },
    { G_MININT64, "-9223372037 s" },
  };
  static const struct
  {
    double ns;
    const char *text;
  } reals[] = {
    { 0.0, "0" },           { -0.0, "0" },          { 0.4, "0.400 ns" },    { 456.25, "456.3 ns" },
    { 999.97, "1.000 us" }, { -750.0, "-750.0 ns" }, { 1e-9, "< 0.001 ns" }, { -1e-9, "> -0.001 ns" },
    { 0.001, "0.001 ns" },  { 2.5e9, "2.500 s" },
  };
  char buffer[TT_TIME_TEXT];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tt_time_shown (buffer, cases[i].ns), ==, cases[i].text);
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++)
    g_assert_cmpstr (tt_time_shown_real (buffer, reals[i].ns), ==, reals[i].text);
  tt_time_shown (buffer, (tt_int128) 1 << 126);
  g_assert_cmpstr (buffer, ==, "85070591730234615865843651858 s");
  tt_time_shown_real (buffer, 1e300);
  g_assert_cmpuint (strlen (buffer), <, TT_TIME_TEXT);
}

/* Read back, it is the time to one in 2000, in the unit that leaves one to three digits before the point. */
static void
test_shown_is_near (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      guint64 bits = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      gint64 ns = (gint64) (bits >> g_test_rand_int_range (2, 64)), back = 0;
      char buffer[TT_TIME_TEXT], real[TT_TIME_TEXT];

      tt_time_shown (buffer, ns);
      g_assert_true (tt_time_parse_as_said (buffer, TT_UNIT_NS, &back, NULL));
      g_assert_cmpint (ABS (back - ns), <=, ns / 2000);
      if (ns < G_GINT64_CONSTANT (999000000000))
        g_assert_cmpuint (strcspn (buffer, ". "), <=, 3);
      if (ns >= 1000 && ns < G_GINT64_CONSTANT (1) << 53)
        g_assert_cmpstr (tt_time_shown_real (real, (double) ns), ==, buffer);
    }
}

static void
test_choice (void)
{
  g_autoptr (GError) error = NULL;
  TtUnit unit = TT_UNIT_MS;
  gboolean is_auto = FALSE;

  g_assert_true (tt_unit_choice_parse ("auto", &unit, &is_auto, NULL));
  g_assert_true (is_auto);
  g_assert_cmpint (unit, ==, TT_UNIT_MS);
  for (guint i = 1; tt_unit_choice_words[i] != NULL; i++)
    {
      g_assert_true (tt_unit_choice_parse (tt_unit_choice_words[i], &unit, &is_auto, NULL));
      g_assert_false (is_auto);
      g_assert_cmpstr (tt_unit_text (unit), ==, tt_unit_choice_words[i]);
    }
  g_assert_false (tt_unit_choice_parse ("Auto", &unit, &is_auto, &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "auto, ns, us, ms, s"));
}

static void
test_counts (void)
{
  char buffer[TT_TIME_TEXT];

  g_assert_cmpstr (tt_count_text (buffer, 0), ==, "0");
  g_assert_cmpstr (tt_count_text (buffer, 999), ==, "999");
  g_assert_cmpstr (tt_count_text (buffer, 1000), ==, "1,000");
  g_assert_cmpstr (tt_count_text (buffer, 12345678), ==, "12,345,678");
  g_assert_cmpstr (tt_count_text (buffer, G_MAXUINT64), ==, "18,446,744,073,709,551,615");
}

static void
test_parse (void)
{
  static const struct
  {
    const char *text;
    TtUnit unit;
    gint64 ns;
  } cases[] = {
    { "0", TT_UNIT_US, 0 },
    { "12", TT_UNIT_US, 12000 },
    { "+12", TT_UNIT_US, 12000 },
    { "-0.25", TT_UNIT_US, -250 },
    { ".5", TT_UNIT_US, 500 },
    { "5.", TT_UNIT_US, 5000 },
    { "1e-3", TT_UNIT_US, 1 },
    { "1E+3", TT_UNIT_NS, 1000 },
    { "0.0001", TT_UNIT_US, 0 },
    { "0.0004", TT_UNIT_US, 0 },
    { "0.0005", TT_UNIT_US, 1 },
    { "-0.0005", TT_UNIT_US, -1 },
    { "0.00049999999999999999999999999999", TT_UNIT_US, 0 },
    { "1.9999", TT_UNIT_US, 2000 },
    { "0.00000000000000000000001e23", TT_UNIT_NS, 1 },
    { "100000000000000000000000e-20", TT_UNIT_NS, 1000 },
    { "0e99999999999999999999999", TT_UNIT_S, 0 },
    { "1e-99999999999999999999999", TT_UNIT_S, 0 },
    { "0000000000000000000000000000012", TT_UNIT_NS, 12 },
    { "1234567890123.456", TT_UNIT_US, G_GINT64_CONSTANT (1234567890123456) },
    { "9223372036.854775807", TT_UNIT_S, G_MAXINT64 },
    { "-9223372036.854775808", TT_UNIT_S, G_MININT64 },
    { "9223372036854775807.4", TT_UNIT_NS, G_MAXINT64 },
    { "0.1", TT_UNIT_S, 100000000 },
    { "0.3", TT_UNIT_MS, 300000 },
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 ns = 77;

      if (!tt_time_parse (cases[i].text, -1, cases[i].unit, &ns, &error))
        g_test_fail_printf ("%s: %s", cases[i].text, error->message);
      g_assert_cmpint (ns, ==, cases[i].ns);
    }

  gint64 ns = 0;
  g_assert_true (tt_time_parse ("12345", 2, TT_UNIT_NS, &ns, &error));
  g_assert_cmpint (ns, ==, 12);
}

static void
test_parse_as_said (void)
{
  static const struct
  {
    const char *text;
    gint64 ns; /* in us where the text has no unit; -1: an error */
  } cases[] = {
    { "1.5ms", 1500000 }, { "20 us", 20000 }, { "7ns", 7 },       { "0.25s", 250000000 }, { "-1.s", -1000000000 },
    { "12", 12000 },      { "1e3s", G_GINT64_CONSTANT (1000000000000) },                  { "s", -1 },
    { "ms", -1 },         { "1xs", -1 },      { "1 m s", -1 },    { "1min", -1 },         { "1e10s", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 ns = 77;
      gboolean is_time = tt_time_parse_as_said (cases[i].text, TT_UNIT_US, &ns, &error);

      g_assert_cmpint (is_time ? ns : -1, ==, cases[i].ns);
      g_assert_true (is_time == (error == NULL));
    }
}

static void
test_junk (void)
{
  static const char *const junk[] = { "",    "+",   "-",   ".",    "-.",  "e5",  "1e",  "1e+",   "1.2.3",
                                      "12x", " 12", "12 ", "0x10", "nan", "1,5", "--1", "1e5.5", "\xff\xfe" };
  static const char *const huge[] = { "9223372036854775807.5",  "9223372036854775808",
                                      "-9223372036854775808.5", "1e19",
                                      "99999999999999999999",   "1e999999999999999999999",
                                      "18446744073709551617" };
  gint64 ns = 0;

  for (guint i = 0; i < G_N_ELEMENTS (junk); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (tt_time_parse (junk[i], -1, TT_UNIT_NS, &ns, &error));
      require_error (error, TT_ERROR, TT_ERROR_FORMAT);
      g_assert_true (g_str_has_suffix (error->message, "is not a number"));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (huge); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (tt_time_parse (huge[i], -1, TT_UNIT_NS, &ns, &error));
      require_error (error, TT_ERROR, TT_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "too large"));
    }
}

static void
test_round_trip (void)
{
  for (guint i = 0; i < 5000; i++)
    {
      gint64 ns = (gint64) ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) >> (i % 64), back = 0;
      TtUnit unit = (TtUnit) (i % 4);
      char buffer[TT_TIME_TEXT];

      g_assert_true (tt_time_parse (tt_time_text_int128 (buffer, ns, unit, -1), -1, unit, &back, NULL));
      g_assert_cmpint (back, ==, ns);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/units/four-digits-and-the-unit", test_shown);
  g_test_add_func ("/units/four-digits-of-any-time", test_shown_is_near);
  g_test_add_func ("/units/auto-or-one", test_choice);
  g_test_add_func ("/units/names", test_unit_names);
  g_test_add_func ("/units/times-are-rounded-half-away", test_time_text);
  g_test_add_func ("/units/sums-are-exact", test_sum_text);
  g_test_add_func ("/units/three-digits-for-people", test_auto);
  g_test_add_func ("/units/counts-have-separators", test_counts);
  g_test_add_func ("/units/parses-exactly", test_parse);
  g_test_add_func ("/units/parses-units-of-their-own", test_parse_as_said);
  g_test_add_func ("/units/refuses-junk-and-overflow", test_junk);
  g_test_add_func ("/units/text-and-back", test_round_trip);
  return g_test_run ();
}
