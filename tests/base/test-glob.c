/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/glob.h"

#include <string.h>

static void
test_patterns (void)
{
  static const struct
  {
    const char *pattern, *text;
    gboolean fits, fits_with_classes;
  } cases[] = {
    { "", "", TRUE, TRUE },
    { "", "a", FALSE, FALSE },
    { "*", "", TRUE, TRUE },
    { "*", "\xff\xfc", TRUE, TRUE },
    { "a", "", FALSE, FALSE },
    { "pi*Kernel", "piEnqueueKernel", TRUE, TRUE },
    { "pi*Kernel", "piEnqueueKernelLaunch", FALSE, FALSE },
    { "*ab", "aab", TRUE, TRUE },
    { "a*b*c", "a-b-b-c", TRUE, TRUE },
    { "a?c", "abc", TRUE, TRUE },
    { "a?c", "ac", FALSE, FALSE },
    { "?", "\xff", TRUE, TRUE },
    { "*b", "a\xfc", FALSE, FALSE },
    { "*\xfc", "a\xfc", TRUE, TRUE },
    { "[a-c]x", "bx", FALSE, TRUE },
    { "[a-c]x", "[a-c]x", TRUE, FALSE },
    { "[a", "[a", TRUE, TRUE },
    { "x[0-9]*", "x[0-9]y", TRUE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *text = cases[i].text;

      g_assert_cmpint (tt_glob_fits (cases[i].pattern, text, strlen (text), FALSE), ==, cases[i].fits);
      g_assert_cmpint (tt_glob_fits (cases[i].pattern, text, strlen (text), TRUE), ==, cases[i].fits_with_classes);
    }
  g_assert_true (tt_glob_fits ("ab", "abc", 2, FALSE));
}

/* A pattern that was read fits what the pattern itself does: all of up to five characters against all texts. */
static void
test_read_patterns (void)
{
  static const char letters[] = "ab*?[";

  for (guint i = 0; i < 5 * 5 * 5 * 5 * 5; i++)
    {
      const char pattern[] = { letters[i % 5],       letters[i / 5 % 5], letters[i / 25 % 5],
                               letters[i / 125 % 5], letters[i / 625],   '\0' };
      for (guint from = 0; from <= 5; from++)
        for (guint k = 0; k < 2 * 2 * 2 * 2; k++)
          for (guint len = 0; len <= 4; len++)
            {
              const char text[] = { letters[k % 2], letters[k / 2 % 2], letters[k / 4 % 2], letters[k / 8] };
              const TtGlob glob = tt_glob_read (pattern + from);

              g_assert_cmpint (tt_glob_read_fits (&glob, text, len), ==,
                               tt_glob_fits (pattern + from, text, len, TRUE));
            }
    }
}

/* With a way back to every star this takes longer than the universe. */
static void
test_many_stars (void)
{
  g_autofree char *text = g_strnfill (10000, 'a');

  g_assert_false (tt_glob_fits ("*a*a*a*a*a*a*a*a*a*a*a*b*a*", text, strlen (text), TRUE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/glob/patterns", test_patterns);
  g_test_add_func ("/glob/read-patterns", test_read_patterns);
  g_test_add_func ("/glob/many-stars", test_many_stars);
  return g_test_run ();
}
