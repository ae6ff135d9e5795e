/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/cut.h"

#include <string.h>

static const char *
cut (TtCuts **cuts, guint width, const char *text)
{
  *cuts = tt_cuts_new (width);
  tt_cuts_add (*cuts, text);
  tt_cuts_settle (*cuts);
  return tt_cuts_get (*cuts, text);
}

static void
test_one (void)
{
  static const struct
  {
    const char *text;
    guint width;
    const char *shown;
  } cases[] = {
    { "abcdefghij", 10, "abcdefghij" },
    { "abcdefghij", 9, "abcd…ghij" },
    { "abcdefghij", 1, "…" },
    { "", 5, "" },
    { "no UTF-8: \xc3 \xff\xc3", 5, "no UTF-8: \xc3 \xff\xc3" },
    /* Begin and end of a name and of its arguments. */
    { "gemm<float, 128, 128, true>(int)", 24, "gemm<float,…, true>(int)" },
    { "gemm<float, 128, 128, true>(int)", 18, "gemm<flo…rue>(int)" },
    { "a<b>::kernel<one, two, three, four>", 24, "a<b>::kernel<one, …four>" },
    { "outer<inner<one, two>, three>::f", 20, "outer<inner…hree>::f" },
    /* What a function is called is worth more than the end of its parameters. */
    { "void reduce_kernel<512, 1, Op>(Op, int, int, long, unsigned)", 30, "void reduce_kernel<… unsigned)" },
    { "std::operator<<(ostream&, string const&)", 20, "std::opera…g const&)" },
    { "Map::operator->*(Member Map::*, Other<x>)", 20, "Map::operator…er<x>)" },
    { "a->b->c->d->e->f->g->h", 11, "a->b-…>g->h" },
    { "<lambda at line 1 of a file>", 15, "<lambda…a file>" },
    { "unclosed<int, long, double", 15, "unclose… double" },
    /* Two columns a letter. */
    { "漢字漢字漢字", 7, "漢…字" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtCuts) cuts = NULL;
      const char *shown = cut (&cuts, cases[i].width, cases[i].text);

      if (g_utf8_validate (shown, -1, NULL))
        g_assert_cmpuint (tt_text_width (shown), <=, cases[i].width);
      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

/* Cuts of all @texts: each at most @width wide, no two alike. */
static void
assert_apart (const char *const *texts, guint width)
{
  g_autoptr (TtCuts) cuts = tt_cuts_new (width);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; texts[i] != NULL; i++)
    tt_cuts_add (cuts, texts[i]);
  tt_cuts_settle (cuts);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      const char *shown = tt_cuts_get (cuts, texts[i]);

      g_assert_cmpuint (tt_text_width (shown), <=, width);
      g_assert_true (g_utf8_validate (shown, -1, NULL));
      if (!g_hash_table_add (seen, g_strdup (shown)))
        g_error ("shown twice: %s", shown);
    }
  g_assert_cmpuint (g_hash_table_size (seen), >, 1);
}

static void
test_two (void)
{
  static const char *const names[] = {
    "void at::native::elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int, float)",
    "void at::native::elementwise_kernel<4, at::native::MulFunctor<float>, at::detail::Array<char*, 3> >(int, float)",
    "void at::native::elementwise_kernel<4, at::native::AddFunctor<double>, at::detail::Array<char*, 3> >(int, float)",
    NULL,
  };
  g_autoptr (TtCuts) cuts = tt_cuts_new (40);

  for (guint width = 12; width < 140; width++)
    assert_apart (names, width);
  for (guint i = 0; names[i] != NULL; i++)
    tt_cuts_add (cuts, names[i]);
  tt_cuts_settle (cuts);
  g_assert_cmpstr (tt_cuts_get (cuts, names[0]), ==, "void at::n…::AddFunctor<float…nt, float)");
  g_assert_cmpstr (tt_cuts_get (cuts, names[1]), ==, "void at::n…::MulFunctor<float…nt, float)");
}

static void
test_what_fits_is_like_a_cut (void)
{
  static const char *const names[] = {
    "abcdef…vwxyz", "abcdefghijklmnopqrstuvwxyz", "abcdefGHIJKLMNOPQRSTUvwxyz", NULL,
  };

  assert_apart (names, 12);
}

/* Of two letters, so that beginnings, ends and whatever is between are often alike. */
static void
test_many (void)
{
  static const char *const letters[] = { "a", "b", "ä", "漢", "<", ">", "…" };

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (GHashTable) set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      guint n_letters = (guint) g_test_rand_int_range (2, G_N_ELEMENTS (letters) + 1);

      for (guint i = 0; i < 300; i++)
        {
          GString *text = g_string_new ("namespace::");
          guint len = (guint) g_test_rand_int_range (1, 60);

          for (guint k = 0; k < len; k++)
            g_string_append (text, letters[g_test_rand_int_range (0, (gint32) n_letters)]);
          g_string_append (text, "::the_end(int)");
          g_hash_table_add (set, g_string_free (text, FALSE));
        }
      g_autofree const char **texts = (const char **) g_hash_table_get_keys_as_array (set, NULL);
      assert_apart (texts, (guint) g_test_rand_int_range (12, 50));
    }
}

/* The same cuts, whatever the order of the rows. */
static void
test_order (void)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TtCuts) forth = tt_cuts_new (20), back = tt_cuts_new (20);

  for (guint i = 0; i < 200; i++)
    g_ptr_array_add (texts, g_strdup_printf ("a_long_name_of_a_kernel_%u_and_its_long_end_%u", i % 14, i % 15));
  for (guint i = 0; i < texts->len; i++)
    {
      tt_cuts_add (forth, texts->pdata[i]);
      tt_cuts_add (back, texts->pdata[texts->len - 1 - i]);
    }
  tt_cuts_settle (forth);
  tt_cuts_settle (back);
  for (guint i = 0; i < texts->len; i++)
    g_assert_cmpstr (tt_cuts_get (forth, texts->pdata[i]), ==, tt_cuts_get (back, texts->pdata[i]));
  g_assert_cmpstr (tt_cuts_get (forth, "something else, not among them"), ==, "something …mong them");
}

/* A hundred thousand, all alike but for what a cut leaves out: in seconds. */
static void
test_hostile (void)
{
  g_autoptr (TtCuts) cuts = tt_cuts_new (16);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const guint n = 100000;

  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *text = g_strdup_printf ("<<<<<<<<<<<<<<<<<<<<%06u>>>>>>>>>>>>>>>>>>>>", i);

          if (round == 0)
            tt_cuts_add (cuts, text);
          else
            g_hash_table_add (seen, g_strdup (tt_cuts_get (cuts, text)));
        }
      if (round == 0)
        tt_cuts_settle (cuts);
    }
  g_assert_cmpuint (g_hash_table_size (seen), ==, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cut/the-middle", test_one);
  g_test_add_func ("/cut/tells-kernels-apart", test_two);
  g_test_add_func ("/cut/what-fits-is-like-a-cut", test_what_fits_is_like_a_cut);
  g_test_add_func ("/cut/any-texts-stay-apart", test_many);
  g_test_add_func ("/cut/in-any-order", test_order);
  g_test_add_func ("/cut/in-any-number", test_hostile);
  return g_test_run ();
}
