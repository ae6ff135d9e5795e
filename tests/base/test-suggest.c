/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/suggest.h"

static void
test_nearest (void)
{
  static const char *const words[] = { "import", "info",  "stats",  "comm",    "depgraph",
                                       "export", "query", "op_cat", "op_name", NULL };
  static const struct
  {
    const char *word, *near;
  } cases[] = {
    { "improt", "import" },
    { "stat", "stats" },
    { "STATS", "stats" },
    { "depgrph", "depgraph" },
    { "dep", "depgraph" },
    { "exprt", "export" },
    { "qeury", "query" },
    { "op_nmae", "op_name" },
    { "opcat", "op_cat" },
    { "zebra", NULL },
    { "", NULL },
    { "x", NULL },
    { "op", NULL },
    { "information", "info" },
    { "a-very-long-word-that-nobody-would-take-for-a-command-of-tracetool-at-all", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tt_suggest (cases[i].word, words), ==, cases[i].near);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/suggest/nearest-word-or-none", test_nearest);
  return g_test_run ();
}
