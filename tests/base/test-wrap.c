/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/wrap.h"

#include <string.h>

#include "src/base/report/cut.h"

static void
check (const char *text, guint width, guint indent, const char *wanted)
{
  g_autoptr (GString) out = g_string_new ("<");

  tt_wrap_append (out, text, width, indent);
  g_assert_cmpstr (out->str, ==, wanted);
}

static void
test_shapes (void)
{
  check ("", 20, 2, "<");
  check ("one two three", 0, 2, "<one two three");
  check ("12345678901234567890123456789 1234567890", 40, 2, "<12345678901234567890123456789 1234567890");
  check ("123456789012345678901234567890 1234567890\n", 40, 2, "<123456789012345678901234567890\n  1234567890\n");
  /* Below the text, below itself. */
  check ("source     aaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbb\n", 40, 2,
         "<source     aaaaaaaaaaaaaaaaaaaaaaaaaa\n           bbbbbbbbbbbbbb\n");
  check ("    aaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbb", 40, 2, "<    aaaaaaaaaaaaaaaaaaaaaaaaaa\n    bbbbbbbbbbbbbb");
  /* A word that is too wide stays whole, and so do blanks within a line. */
  check ("a 123456789012345678901234567890123456789012345 b", 40, 2,
         "<a\n  123456789012345678901234567890123456789012345\n  b");
  check ("a  b   c ddddddddddddddddddddddddddddddd eeeeeeeee", 40, 2,
         "<a  b   c ddddddddddddddddddddddddddddddd\n   eeeeeeeee");
  /* No number without its percent sign. */
  check ("what the ranks compute takes in all 12.5 %, others 7 %", 40, 2,
         "<what the ranks compute takes in all\n  12.5 %, others 7 %");
  /* Wide and narrow characters. */
  check ("ääääääääääääääääääääääääääääää ääää äääää", 40, 0, "<ääääääääääääääääääääääääääääää ääää\näääää");
  check ("日本日本日本日本日本日本日本日本日本 日本日本", 40, 0, "<日本日本日本日本日本日本日本日本日本\n日本日本");
}

static void
test_quotes (void)
{
  check ("to see what it is, type 'tracetool info --trust' now", 40, 2,
         "<to see what it is, type\n  'tracetool info --trust' now");
  check ("nsys' report has what it has: ('--show annotations'), it does", 40, 2,
         "<nsys' report has what it has:\n  ('--show annotations'), it does");
  /* Too long, not closed, no quote at all. */
  check ("the trace 'a name that is much longer than what a line holds' is", 40, 2,
         "<the trace 'a name that is much longer\n  than what a line holds' is");
  check ("an apostrophe 'which nobody closes stays what it is", 40, 2,
         "<an apostrophe 'which nobody closes stays\n  what it is");
}

/* Nothing is lost, and no line is too wide if no word is. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (19);

  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL), out = g_string_new (NULL);
      guint width = (guint) g_rand_int_range (random, 1, 90), n_words = (guint) g_rand_int_range (random, 0, 30);
      guint widest = 0;

      for (guint i = 0; i < n_words; i++)
        {
          guint len = (guint) g_rand_int_range (random, 1, 12);
          widest = MAX (widest, len);
          g_string_append_printf (text, "%s%.*s", i == 0 ? "" : " ", (int) len, "'abcde'fghij'");
        }
      tt_wrap_append (out, text->str, width, 2);
      g_auto (GStrv) lines = g_strsplit (out->str, "\n", -1);
      for (char **line = lines; *line != NULL; line++)
        {
          g_assert_true (tt_text_width (*line) <= MAX (width, widest + 2));
          if (line > lines)
            memmove (*line, g_strchug (*line), strlen (*line) + 1);
        }
      g_autofree char *joined = g_strjoinv (" ", lines);
      g_assert_cmpstr (joined, ==, text->str);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/wrap/shapes", test_shapes);
  g_test_add_func ("/base/wrap/quotes", test_quotes);
  g_test_add_func ("/base/wrap/random", test_random);
  return g_test_run ();
}
