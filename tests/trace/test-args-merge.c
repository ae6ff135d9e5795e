/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/args-merge.h"

#include <string.h>

/* Returns "no" where one of the two is no object. Free it. */
static char *
merge_len (const char *first, gsize first_len, const char *more, gsize more_len)
{
  GString *out = g_string_new ("<");

  if (!tt_args_merge (first, first_len, more, more_len, out))
    {
      g_assert_cmpstr (out->str, ==, "<");
      g_string_assign (out, "<no");
    }
  g_string_erase (out, 0, 1);
  return g_string_free (out, FALSE);
}

static void
assert_merged (const char *first, const char *more, const char *expected)
{
  /* Copies without NUL: nothing behind the end may be read. */
  gsize first_len = strlen (first), more_len = strlen (more);
  g_autofree char *a = g_memdup2 (first, first_len), *b = g_memdup2 (more, more_len);
  g_autofree char *text = merge_len (a, first_len, b, more_len);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_objects (void)
{
  static const struct
  {
    const char *first, *more, *merged;
  } cases[] = {
    { "{}", "{}", "{}" },
    { "{}", "{\"a\":1}", "{\"a\":1}" },
    { "{\"a\":1}", "{}", "{\"a\":1}" },
    { "{\"a\":1}", "{\"a\":1}", "{\"a\":1}" },
    { "{\"a\":1,\"b\":2}", "{\"c\":3,\"a\":4}", "{\"a\":4,\"b\":2,\"c\":3}" },
    { "{\"a\":1,\"a\":2}", "{\"b\":3,\"b\":4}", "{\"a\":2,\"b\":4}" },
    { " {\n\"a\" : [1, {\"b\":\"}\"}] ,\t\"c\":\"\\\"\\\\\" } ", "{\"d\": {\"e\":[]}\r}",
      "{\"a\" : [1, {\"b\":\"}\"}],\"c\":\"\\\"\\\\\",\"d\": {\"e\":[]}}" },
    { "{\"a\":1,}", "{,\"b\":2,,\"c\":3}", "{\"a\":1,\"b\":2,\"c\":3}" },
    { "{\"a\":1}", "{\"\\u0061\":2}", "{\"a\":2}" },
    { "{\"\\u0061\":1}", "{\"a\":2}", "{\"\\u0061\":2}" },
    { "{\"\\ud83d\\ude00\":1}", "{\"\xf0\x9f\x98\x80\":2}", "{\"\\ud83d\\ude00\":2}" },
    { "{\"\\n\\/\":1}", "{\"\\u000a/\":2}", "{\"\\n\\/\":2}" },
    { "{\"\\u00\":1}", "{\"\\u00\":2}", "{\"\\u00\":2}" },
    { "{\"a\":NaN}", "{\"b\":-Infinity}", "{\"a\":NaN,\"b\":-Infinity}" },
    { "{\"\":1}", "{\"\":2}", "{\"\":2}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_merged (cases[i].first, cases[i].more, cases[i].merged);
}

static void
test_no_objects (void)
{
  static const char *const texts[] = {
    "",      "{",         "}",          "[]",          "null",      "{\"a\"}",        "{\"a\":}",    "{a:1}",
    "{\"a",  "{\"a\":1",  "{\"a\":1}}", "{\"a\":1} x", "{\"a\":[}", "{\"a\":\"\\\"}", "{\"a\":\"x}", "{\"a\":{\"b\":1}",
    "{1:2}", "{\"a\":,}", "{\"a\" 1}",  "\"a\"",       "{\"a\\",    "{\"a\":\"\\",    "{\"a\":1]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      assert_merged (texts[i], "{\"b\":1}", "no");
      assert_merged ("{\"b\":1}", texts[i], "no");
    }
}

/* Against a model: keys in the order of first sight, each with its last value. */
static void
test_random (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_autoptr (GString) first = g_string_new ("{"), more = g_string_new ("{"), expected = g_string_new ("{");
      GString *const texts[] = { first, more };

      for (guint side = 0; side < 2; side++)
        {
          guint n = (guint) g_test_rand_int_range (0, 60), n_keys = (guint) g_test_rand_int_range (1, 80);
          for (guint i = 0; i < n; i++)
            {
              char *key = g_strdup_printf ("k%u", (guint) g_test_rand_int_range (0, (gint) n_keys));
              char *value = g_strdup_printf ("[%u,{\"x\":\"],\"}]", i + 100 * side);

              g_string_append_printf (texts[side], "%s\"%s\":%s", i > 0 ? "," : "", key, value);
              if (!g_hash_table_contains (values, key))
                g_ptr_array_add (keys, g_strdup (key));
              g_hash_table_replace (values, key, value);
            }
          g_string_append_c (texts[side], '}');
        }
      for (guint i = 0; i < keys->len; i++)
        {
          const char *key = g_ptr_array_index (keys, i);
          g_string_append_printf (expected, "%s\"%s\":%s", i > 0 ? "," : "", key,
                                  (const char *) g_hash_table_lookup (values, key));
        }
      g_string_append_c (expected, '}');
      assert_merged (first->str, more->str, expected->str);
    }
}

/* What is hostile ends: deep, many, cut anywhere. */
static void
test_hostile (void)
{
  static const char whole[] = "{\"a\\u00e9\" : [1,{\"b\":\"\\\\\"}], \"c\":{}, \"a\":-1e5 }";
  g_autoptr (GString) deep = g_string_new ("{\"a\":"), many = g_string_new ("{");

  for (gsize len = 0; len < sizeof whole - 1; len++)
    {
      g_autofree char *cut = g_memdup2 (whole, len);
      g_autofree char *text = merge_len (cut, len, "{}", 2);
      g_assert_cmpstr (text, ==, "no");
    }
  for (guint round = 0; round < 20000; round++)
    {
      char bent[sizeof whole];

      memcpy (bent, whole, sizeof bent);
      for (guint i = 0; i < 3; i++)
        bent[g_test_rand_int_range (0, sizeof whole - 1)] = "{}[],:\"\\ax1 u\0"[g_test_rand_int_range (0, 14)];
      g_autofree char *exact = g_memdup2 (bent, sizeof whole - 1);
      g_autofree char *text = merge_len (exact, sizeof whole - 1, exact, sizeof whole - 1);
      g_assert_nonnull (text);
    }

  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (deep, '[');
  g_autofree char *open = merge_len (deep->str, deep->len, "{}", 2);
  g_assert_cmpstr (open, ==, "no");

  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (many, "\"%u\":%u,", i, i);
  g_string_append_c (many, '}');
  g_autofree char *twice = merge_len (many->str, many->len, many->str, many->len);
  g_assert_cmpuint (strlen (twice), ==, many->len - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/args-merge/objects", test_objects);
  g_test_add_func ("/args-merge/no-objects", test_no_objects);
  g_test_add_func ("/args-merge/random", test_random);
  g_test_add_func ("/args-merge/hostile", test_hostile);
  return g_test_run ();
}
