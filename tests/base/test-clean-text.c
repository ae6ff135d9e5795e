/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/clean-text.h"

#include <stdio.h>

/* What people read does not steer their terminal. */

static void
test_characters (void)
{
  static const struct
  {
    const char *text, *clean;
  } cases[] = {
    { "", "" },
    { "plain \\ text", "plain \\ text" },
    { "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
    { "a\nb\tc\rd", "a\\nb\\tc\\rd" },
    { "\033]0;title\a", "\\x1b]0;title\\x07" },
    { "\x7f", "\\x7f" },
    { "\xc2\x9b" "31m", "\\x9b31m" },
    { "\xe2\x80\xae" "abc", "\\u202eabc" },
    { "\xe2\x80\xa8", "\\u2028" },
    { "\xf3\xa0\x80\x81", "\\U000e0001" },
    { "\xff\xc3", "\\xff\\xc3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new ("> ");

      tt_clean_append (out, cases[i].text);
      g_assert_cmpstr (out->str + 2, ==, cases[i].clean);
    }
}

static void
test_lines (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  tt_clean_append_lines (out, "one\n\033two\r\n");
  g_assert_cmpstr (out->str, ==, "one\n\\x1btwo\\r\n");
}

/* Of a stream that comes in two pieces, wherever it is cut. */
static void
test_pieces (void)
{
  static const char bytes[] = "a\tb\nc\r\0\033[m\xe2\x82\xac\xe2\x80\xae\xff\xe2\x82";
  const gsize len = sizeof bytes - 1;

  for (gsize cut = 0; cut <= len; cut++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      gsize taken = tt_clean_append_piece (out, bytes, cut, FALSE);

      g_assert_cmpuint (taken, <=, cut);
      g_assert_cmpuint (cut - taken, <=, 2);
      g_assert_cmpuint (tt_clean_append_piece (out, bytes + taken, len - taken, TRUE), ==, len - taken);
      g_assert_cmpstr (out->str, ==, "a\tb\nc\\r\\x00\\x1b[m\xe2\x82\xac\\u202e\\xff\\xe2\\x82");
    }
}

static char *G_GNUC_PRINTF (1, 2)
clean (const char *format, ...)
{
  GString *out = g_string_new (NULL);
  va_list arguments;

  va_start (arguments, format);
  tt_clean_append_vprintf (out, format, &arguments);
  va_end (arguments);
  return g_string_free (out, FALSE);
}

#define assert_like_printf(...)                                                                                          \
  do                                                                                                                     \
    {                                                                                                                    \
      g_autofree char *ours = clean (__VA_ARGS__), *wanted = g_strdup_printf (__VA_ARGS__);                              \
      g_assert_cmpstr (ours, ==, wanted);                                                                                \
    }                                                                                                                    \
  while (0)

static void
test_formats (void)
{
  static const char unended[] = { 'a', 'b', 'c' };

  assert_like_printf ("plain %% text\n");
  assert_like_printf ("%s|%5s|%-5s|%.2s|%5.1s|%s", "a", "b", "c", "defg", "hi", "j");
  assert_like_printf ("%.*s|%-*s|%*u", 3, unended, 6, "k", 4, 5u);
  assert_like_printf ("%d %u %x %c %05.1f %g", -1, 4000000000u, 255u, 'x', 2.25, 0.5);
  assert_like_printf ("%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %zu %ld %lld", G_MININT64, G_MAXUINT64, (gsize) 7,
                      -8L, -9LL);
}

static void
test_arguments (void)
{
  g_autofree char *text = clean ("'%s'\n%-8s|%6s|%.3s|", "\033[2J\n", "\t", "\r", "ab\ncd");

  g_assert_cmpstr (text, ==, "'\\x1b[2J\\n'\n\\t      |    \\r|ab\\n|");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clean-text/characters", test_characters);
  g_test_add_func ("/clean-text/lines", test_lines);
  g_test_add_func ("/clean-text/pieces", test_pieces);
  g_test_add_func ("/clean-text/formats", test_formats);
  g_test_add_func ("/clean-text/arguments", test_arguments);
  return g_test_run ();
}
