/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/json-tokens.h"
#include "tests/rounds.h"

#include <glib/gstdio.h>

static const ReadFunc read_funcs[] = { read_steps, read_whole, read_records, read_skip };

/* -- random JSON ---------------------------------------------------------------------------------- */

static const char *
pick (const char *const *choices, guint n)
{
  return choices[g_test_rand_int_range (0, (gint32) n)];
}

static void
append_space (GString *text)
{
  static const char *const spaces[] = { "", "", "", " ", "\n  ", "\t", "\r\n", "                    " };

  g_string_append (text, pick (spaces, G_N_ELEMENTS (spaces)));
}

static void
append_string (GString *text)
{
  static const char *const pieces[] = { "a",
                                        "ph",
                                        "{",
                                        "}]",
                                        ",",
                                        ":",
                                        "\\\"",
                                        "\\\\",
                                        "\\/",
                                        "\\u0041",
                                        "\\n",
                                        "\303\244",
                                        "\\ud83d\\ude00",
                                        "twenty bytes of text",
                                        "\360\237\230\200" };

  g_string_append_c (text, '"');
  for (int n = g_test_rand_int_range (0, 5); n > 0; n--)
    g_string_append (text, pick (pieces, G_N_ELEMENTS (pieces)));
  g_string_append_c (text, '"');
}

static void
append_scalar (GString *text)
{
  static const char *const words[] = { "true", "false", "null", "0", "-0", "-1.5e-7", "1E+9", "18446744073709551615" };

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      append_string (text);
      break;
    case 1:
      g_string_append_printf (text, "%d", g_test_rand_int ());
      break;
    case 2:
      g_string_append_printf (text, "%d.%03d", g_test_rand_int () / 2, g_test_rand_int_range (0, 1000));
      break;
    default:
      g_string_append (text, pick (words, G_N_ELEMENTS (words)));
    }
}

static void
append_value (GString *text, guint depth)
{
  gboolean is_object = g_test_rand_bit ();

  append_space (text);
  if (depth == 0 || (depth < 4 && g_test_rand_int_range (0, 3) > 0))
    append_scalar (text);
  else
    {
      g_string_append_c (text, is_object ? '{' : '[');
      for (int i = 0, n = g_test_rand_int_range (0, 5); i < n; i++)
        {
          if (i > 0)
            g_string_append_c (text, ',');
          if (is_object)
            {
              append_space (text);
              append_string (text);
              append_space (text);
              g_string_append_c (text, ':');
            }
          append_value (text, depth - 1);
        }
      append_space (text);
      g_string_append_c (text, is_object ? '}' : ']');
    }
  append_space (text);
}

/* -- comparisons ---------------------------------------------------------------------------------- */

static void
assert_sizes (const char *path, gsize max_size)
{
  for (guint i = 0; i < G_N_ELEMENTS (read_funcs); i++)
    {
      g_auto (Outcome) whole = { 0 };

      read_file (&whole, path, read_funcs[i], TT_JSON_BUFFER);
      for (gsize size = 1; size <= max_size; size++)
        {
          g_auto (Outcome) outcome = { 0 };

          read_file (&outcome, path, read_funcs[i], size);
          assert_same (&outcome, &whole);
        }
    }
}

/* The tokens of valid JSON: the same whichever way it is read, and those of yajl. */
static void
assert_valid (const char *path, const char *bytes, gsize len)
{
  g_auto (Outcome) steps = { 0 };

  read_file (&steps, path, read_steps, TT_JSON_BUFFER);
  g_assert_cmpstr (steps.error, ==, NULL);
  g_assert_cmpuint (tt_repairs_total (&steps.repairs), ==, 0);
  for (guint i = 1; i < G_N_ELEMENTS (read_funcs); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      read_file (&outcome, path, read_funcs[i], TT_JSON_BUFFER);
      if (read_funcs[i] == read_skip)
        g_string_assign (outcome.tokens, steps.tokens->str);
      tt_repairs_forget (&outcome.repairs, TT_REPAIR_JSON_DUPLICATE_KEY);
      assert_same (&outcome, &steps);
    }
#ifdef HAVE_YAJL
  GString *tokens = g_string_new (NULL);
  g_assert_true (yajl_read (tokens, bytes, len));
  g_assert_cmpstr (tokens->str, ==, steps.tokens->str);
  g_string_free (tokens, TRUE);
#endif
}

static void
test_valid (void)
{
  for (guint i = 0; i < test_rounds (300); i++)
    {
      GString *text = g_string_new (NULL);

      append_value (text, 5);
      const char *path = memory_file (text->str, text->len);
      assert_valid (path, text->str, text->len);
      if (i < 40)
        assert_sizes (path, MIN (text->len + 1, 100));
      g_string_free (text, TRUE);
    }
}

/* Cut anywhere, bytes changed anywhere: the size of the buffer does not matter. */
static void
test_damaged (void)
{
  static const char bytes[] = "{}[]:,\"\\ \n0a-.\0\x01\xff";

  for (guint i = 0; i < test_rounds (150); i++)
    {
      GString *text = g_string_new ("[");

      for (guint n = 0; n < 4; n++)
        {
          append_value (text, 3);
          g_string_append_c (text, n < 3 ? ',' : ']');
        }
      for (int n = g_test_rand_int_range (0, 3); n > 0; n--)
        text->str[g_test_rand_int_range (0, (gint32) text->len)] =
            bytes[g_test_rand_int_range (0, (gint32) sizeof bytes - 1)];
      if (g_test_rand_bit ())
        g_string_truncate (text, (gsize) g_test_rand_int_range (1, (gint32) text->len + 1));
      assert_sizes (memory_file (text->str, text->len), 30);
      g_string_free (text, TRUE);
    }
}

/* -- records that look alike ---------------------------------------------------------------------- */

#define MAX_KEYS 6

/* The texts before the values of a record, and after the last. */
typedef struct
{
  char *before[MAX_KEYS];
  gboolean is_object[MAX_KEYS]; /* the value is an object of this shape: */
  guint n;
} Shape;

static void
make_shape (Shape *self, gboolean has_objects)
{
  self->n = (guint) g_test_rand_int_range (1, MAX_KEYS + 1);
  for (guint i = 0; i < self->n; i++)
    {
      GString *text = g_string_new (i == 0 ? "{" : ",");

      self->is_object[i] = has_objects && g_test_rand_int_range (0, 3) == 0;
      append_space (text);
      if (self->is_object[i])
        g_string_append (text, "\"\"");
      else
        append_string (text);
      append_space (text);
      g_string_append_c (text, ':');
      append_space (text);
      self->before[i] = g_string_free (text, FALSE);
    }
}

static void
clear_shape (Shape *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->before[i]);
}

/* Mostly all members, with values of any kind. */
static void
append_record (GString *text, const Shape *self, const Shape *inner)
{
  for (guint i = 0; i < self->n; i++)
    {
      if (i > 0 && g_test_rand_int_range (0, 30) == 0)
        continue;
      g_string_append (text, self->before[i]);
      if (self->is_object[i] && g_test_rand_int_range (0, 10) > 0)
        append_record (text, inner, NULL);
      else if (g_test_rand_int_range (0, 5) > 0)
        append_scalar (text);
      else
        append_value (text, 2);
    }
  g_string_append_c (text, '}');
}

static void
test_alike (void)
{
  for (guint i = 0; i < test_rounds (40); i++)
    {
      Shape shapes[3], inner;
      GString *text = g_string_new ("[");

      make_shape (&inner, FALSE);
      for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
        make_shape (&shapes[k], TRUE);
      for (guint n = 0; n < 200; n++)
        {
          g_string_append (text, n > 0 ? "," : "");
          append_record (text, &shapes[g_test_rand_int_range (0, G_N_ELEMENTS (shapes))], &inner);
        }
      g_string_append_c (text, ']');
      assert_valid (memory_file (text->str, text->len), text->str, text->len);
      if (i % 4 == 0)
        assert_sizes (memory_file (text->str, text->len), 3);
      for (int n = g_test_rand_int_range (0, 4); n > 0; n--)
        text->str[g_test_rand_int_range (0, (gint32) text->len)] = "{}[]:,\"\\ 0a-.e"[g_test_rand_int_range (0, 15)];
      assert_sizes (memory_file (text->str, text->len), 2);
      for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
        clear_shape (&shapes[k]);
      clear_shape (&inner);
      g_string_free (text, TRUE);
    }
}

/* Records of a known shape, of which the last but one has @value. */
static const char *
write_alike (const char *value)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < 40; i++)
    g_string_append (text, "{\"a\":[1],\"\":{\"b\":[[1]]}},");
  g_string_append_printf (text, "{\"a\":[],\"\":{\"b\":%s}},{\"a\":%s,\"\":{\"b\":[]}}]", value, value);
  const char *path = memory_file (text->str, text->len);
  g_string_free (text, TRUE);
  return path;
}

/* Arrays of texts and numbers are passed over by a way of their own. */
static void
test_arrays (void)
{
  static const char *const good[] = { "[]",
                                      "[[], [ ],\n[[]]]",
                                      "[1, 20.5,\"text\", -1, 1e5, [0, \"\"]]",
                                      "[[[[[[[[1]]]]]]]]",
                                      "[[[[[[[[[[[[1]]]]]]]]]]]]",
                                      "[true, {\"c\":[1]}, null]",
                                      "[\"a\\\"]\", \"\\u0041\"]",
                                      "[123456789012345678901234567890, 1.0000000000000000001]" };
  static const char *const mended[] = { "[1,]", "[,1]",   "[1 2]",      "[01]",      "[.5]",   "[1.]",
                                        "[+1]", "[1,,2]", "[\"\x01\"]", "[\"\\q\"]", "[word]", "[[1,2]",
                                        "[1}",  "[1]]",   "[1e]",       "[\"a]",     "[1:2]",  "[\"a\" \"b\"]" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_auto (Outcome) steps = { 0 }, records = { 0 };

      read_file (&steps, write_alike (good[i]), read_steps, TT_JSON_BUFFER);
      read_file (&records, write_alike (good[i]), read_records, TT_JSON_BUFFER);
      g_assert_cmpuint (tt_repairs_total (&records.repairs), ==, 0);
      assert_same (&records, &steps);
    }
  for (guint i = 0; i < G_N_ELEMENTS (mended); i++)
    {
      g_auto (Outcome) records = { 0 };

      read_file (&records, write_alike (mended[i]), read_records, TT_JSON_BUFFER);
      if (records.error == NULL)
        g_assert_cmpuint (tt_repairs_total (&records.repairs), >, 0);
    }
}

/* -- real files ----------------------------------------------------------------------------------- */

static char *
unpack (const char *path, gsize *len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  GByteArray *bytes = g_byte_array_new ();
  guint8 block[4096];
  gssize n;

  g_assert_no_error (error);
  while ((n = tt_input_read (input, block, sizeof block, &error)) > 0)
    g_byte_array_append (bytes, block, (guint) n);
  g_assert_no_error (error);
  *len = bytes->len;
  return (char *) g_byte_array_free (bytes, FALSE);
}

/* What yajl refuses must still read the same in all ways but skipping. */
static void
compare_file (const char *path, guint *n_valid, guint *n_files)
{
  static const gsize sizes[] = { 512, 64, 4096 };
  gsize len;
  g_autofree char *bytes = unpack (path, &len);
  gboolean is_valid = FALSE;

  g_test_message ("%s", path);
#ifdef HAVE_YAJL
  GString *tokens = g_string_new (NULL);
  is_valid = yajl_read (tokens, bytes, len) && tokens->len > 0;
  g_string_free (tokens, TRUE);
#endif
  (*n_files)++;
  *n_valid += is_valid;
  const char *copy = memory_file (bytes, len);
  if (is_valid)
    assert_valid (copy, bytes, len);
  for (guint i = 0; i < G_N_ELEMENTS (read_funcs); i++)
    {
      g_auto (Outcome) large = { 0 };

      read_file (&large, copy, read_funcs[i], TT_JSON_BUFFER);
      for (guint k = 0; k < MIN (G_N_ELEMENTS (sizes), test_rounds (20)); k++)
        {
          g_auto (Outcome) small = { 0 };

          read_file (&small, copy, read_funcs[i], sizes[k]);
          assert_same (&small, &large);
        }
    }
}

static void
compare_folder (const char *folder, guint *n_valid, guint *n_files)
{
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        compare_folder (path, n_valid, n_files);
      else if (g_str_has_suffix (name, ".json") || g_str_has_suffix (name, ".json.gz"))
        compare_file (path, n_valid, n_files);
    }
}

static void
test_shared_data (void)
{
  const char *folder = g_getenv ("SHARED_DATA");
  guint n_valid = 0, n_files = 0;

#ifndef HAVE_YAJL
  g_test_skip ("this build has no yajl to compare with");
  return;
#endif
  if (folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("there is no ../shared/data here");
      return;
    }
  compare_folder (folder, &n_valid, &n_files);
  g_test_message ("%u files, %u of them valid", n_files, n_valid);
  g_assert_cmpuint (n_valid, >, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/json/random/valid", test_valid);
  g_test_add_func ("/json/random/damaged", test_damaged);
  g_test_add_func ("/json/random/alike", test_alike);
  g_test_add_func ("/json/arrays-alike", test_arrays);
  g_test_add_func ("/json/shared-data", test_shared_data);
  return g_test_run ();
}
