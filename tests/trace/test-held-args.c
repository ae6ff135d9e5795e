/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/args-merge.h"
#include "src/trace/held-args.h"

#include <string.h>

static guint32
hold (TtHeldArgs *args, const char *json)
{
  return tt_held_args_add (args, json, strlen (json), FALSE);
}

static void
test_join (void)
{
  g_autoptr (TtHeldArgs) args = tt_held_args_new ();
  guint32 outer = hold (args, "{\"a\":1,\"b\":[2,3]}");
  guint32 inner = hold (args, "{\"x\":\"y\"}");
  guint32 end = hold (args, "{\"b\":4,\"c\":5}");

  g_assert_true (tt_held_args_join (args, outer, end));
  g_assert_cmpstr (tt_held_args_text (args, outer)->str, ==, "{\"a\":1,\"b\":4,\"c\":5}");
  g_assert_cmpstr (tt_held_args_text (args, inner)->str, ==, "{\"x\":\"y\"}");

  /* The number is used again, and nothing of what it was is left. */
  guint32 no_object = hold (args, "[1]");
  g_assert_cmpuint (no_object, ==, end);
  g_assert_false (tt_held_args_join (args, outer, no_object));
  g_assert_cmpstr (tt_held_args_text (args, outer)->str, ==, "{\"a\":1,\"b\":4,\"c\":5}");
  tt_held_args_drop (args, inner);
  g_assert_cmpuint (tt_held_args_text (args, hold (args, "{}"))->len, ==, 2);
}

/* Objects that begin or end alike are joined without being read: as those that are. */
static void
test_plain (void)
{
  static const char *const objects[] = {
    "{}",
    "{\"a\":1}",
    "{\"a\":2}",
    "{\"b\":1}",
    "{\"aa\":1}",
    "{\"a\":1,\"b\":1}",
    "{\"b\":1,\"a\":1}",
    "{\"a\":12,\"b\":1}",
    "{\"c\":0,\"a\":1,\"b\":1}",
    "{\"a\":1,\"b\":1,\"c\":0}",
    "{\"c\":{\"a\":1}}",
    "{\"c\":{\"d\":1,\"a\":1}}",
    "{\"c\":[1,2],\"a\":1}",
    "{\"c\":\"z,\",\"a\":1}",
    "{\"c\":\",\",\"a\":\"\\\"b\\\":1\"}",
    "{\",\":1}",
    "{\"c\":\"z,\",\":1\":2}",
    "{\":1\":2,\",\":1}",
    "{\"c\":\"{\",\":1}\":2}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    for (guint k = 0; k < G_N_ELEMENTS (objects); k++)
      {
        g_autoptr (TtHeldArgs) args = tt_held_args_new ();
        g_autoptr (GString) expected = g_string_new (NULL);
        guint32 first = tt_held_args_add (args, objects[i], strlen (objects[i]), TRUE);
        guint32 more = tt_held_args_add (args, objects[k], strlen (objects[k]), TRUE);

        g_assert_true (tt_args_merge (objects[i], strlen (objects[i]), objects[k], strlen (objects[k]), expected));
        g_assert_true (tt_held_args_join (args, first, more));
        g_assert_cmpstr (tt_held_args_text (args, first)->str, ==, expected->str);
        g_assert_cmpuint (hold (args, "{}"), ==, more);
      }
}

/* Many members take no more time than texts that are read. */
static void
test_many_members (void)
{
  g_autoptr (TtHeldArgs) args = tt_held_args_new ();
  g_autoptr (GString) first = g_string_new ("{\"x\":0");
  g_autoptr (GString) more = g_string_new ("{\"y\":0");
  g_autoptr (GString) both = g_string_new (NULL);
  gint64 begin_us;

  for (guint i = 0; i < 1600; i++)
    {
      g_string_append_printf (first, ",\"a%u\":1", i);
      g_string_append_printf (more, ",\"b%u\":1", i);
    }
  g_string_append_c (first, '}');
  g_string_append_c (more, '}');
  begin_us = g_get_monotonic_time ();
  for (guint n = 0; n < 20; n++)
    g_assert_true (tt_args_merge (first->str, first->len, more->str, more->len, g_string_truncate (both, 0)));
  const gint64 merge_us = g_get_monotonic_time () - begin_us;
  begin_us = g_get_monotonic_time ();
  for (guint n = 0; n < 20; n++)
    {
      guint32 number = tt_held_args_add (args, first->str, first->len, TRUE);

      g_assert_true (tt_held_args_join (args, number, tt_held_args_add (args, more->str, more->len, TRUE)));
      g_assert_cmpstr (tt_held_args_text (args, number)->str, ==, both->str);
      tt_held_args_drop (args, number);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, merge_us * 5 + 50000);
}

/* Deep stacks and large arguments: what is refused does not grow the memory, and there is room again afterwards. */
static void
test_bounds (void)
{
  g_autoptr (TtHeldArgs) args = tt_held_args_new ();
  g_autofree char *large = g_strdup_printf ("{\"a\":\"%0*d\"}", 10000, 0);
  guint n = 0, n_small = 0;

  while (n < 100000 && hold (args, large) != 0)
    n++;
  g_assert_cmpuint (n, >, 100);
  g_assert_cmpuint (n, <, 1000);
  for (guint32 number = 1; number <= n; number++)
    tt_held_args_drop (args, number);
  while (n_small < 1000000 && hold (args, "{\"a\":1}") != 0)
    n_small++;
  g_assert_cmpuint (n_small, >, 10000);
  g_assert_cmpuint (n_small, <, 1000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/held-args/join", test_join);
  g_test_add_func ("/held-args/plain", test_plain);
  g_test_add_func ("/held-args/many-members", test_many_members);
  g_test_add_func ("/held-args/bounds", test_bounds);
  return g_test_run ();
}
