/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts are their forms with their numbers, byte by byte, by our own code and by SQLite's printf(); and a tree of forms finds what
 * taking apart finds.
 */
#include "config.h"

#include "src/store/args-format.h"
#include "src/store/import/args-tree.h"
#include "src/store/schema.h"
#include "tests/rounds.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3 *db;

/* What the view says. */
static char *
ask_sqlite (const char *form, gsize len, const gint64 *numbers, guint n)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *insert = NULL, *row = NULL;

  g_string_append_printf (sql, "INSERT OR REPLACE INTO args_filled_row VALUES (1, 1");
  for (guint i = 0; i < TT_ARGS_NUMBERS; i++)
    if (i < n)
      g_string_append_printf (sql, ", %" G_GINT64_FORMAT, numbers[i]);
    else
      g_string_append (sql, ", NULL");
  g_string_append_c (sql, ')');
  /* SQLite reads the least number as a real one. */
  g_string_replace (sql, "-9223372036854775808", "-9223372036854775807 - 1", 0);
  g_assert_cmpint (sqlite3_exec (db, sql->str, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "INSERT OR REPLACE INTO args_form_row VALUES (1, ?1)", -1, &insert, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_text64 (insert, 1, form, len, SQLITE_STATIC, SQLITE_UTF8);
  g_assert_cmpint (sqlite3_step (insert), ==, SQLITE_DONE);
  sqlite3_finalize (insert);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT " TT_SCHEMA_FILLED_ARGS ("1"), -1, &row, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_ROW);
  char *text = g_strdup ((const char *) sqlite3_column_text (row, 0));
  sqlite3_finalize (row);
  return text;
}

/* The tree has @form alone, as @id: it finds what taking apart does. */
static void
check_found (const TtArgsTree *tree, const char *text, gsize len, const char *form, gsize form_len, guint32 id)
{
  char other[TT_ARGS_FORM_ROOM];
  gint64 wanted[TT_ARGS_NUMBERS], numbers[TT_ARGS_NUMBERS];
  guint n_wanted, n;
  /* Of its own length, so that reading beyond it shows. */
  g_autofree char *copy = g_memdup2 (text, len);
  const gsize other_len = tt_args_take_apart (copy, len, other, wanted, &n_wanted);
  const gboolean is_of_form = other_len == form_len && memcmp (other, form, form_len) == 0;
  const guint32 found = tt_args_tree_find (tree, copy, len, numbers, &n);

  g_assert_cmpuint (found, ==, is_of_form ? id : 0);
  if (found != 0)
    g_assert_cmpmem (numbers, n * sizeof *numbers, wanted, n_wanted * sizeof *wanted);
}

static void
check_tree (const char *text, gsize len, const char *form, gsize form_len)
{
  static const char bytes[] = "0019%xaf\",-A";
  g_autoptr (TtArgsTree) tree = tt_args_tree_new ();
  g_autofree char *changed = g_memdup2 (text, len);

  g_assert_cmpuint (tt_args_tree_find (tree, text, len, (gint64[TT_ARGS_NUMBERS]){ 0 }, &(guint){ 0 }), ==, 0);
  tt_args_tree_add (tree, form, form_len, 7);
  check_found (tree, text, len, form, form_len, 7);
  for (gsize i = 0; i < MIN (len, 200); i++)
    {
      changed[i] = bytes[(i + len) % (sizeof bytes - 1)];
      check_found (tree, changed, len, form, form_len, 7);
      check_found (tree, text, i + 1, form, form_len, 7);
      check_found (tree, text + i, len - i, form, form_len, 7);
      changed[i] = text[i];
    }
}

static guint
check_text (const char *text, gsize len, const char *wanted)
{
  char form[TT_ARGS_FORM_ROOM];
  gint64 numbers[TT_ARGS_NUMBERS];
  g_autoptr (GString) filled = g_string_new ("before");
  guint n;
  const gsize form_len = tt_args_take_apart (text, len, form, numbers, &n);

  if (wanted != NULL)
    g_assert_cmpmem (form, form_len, wanted, strlen (wanted));
  if (len > 0)
    check_tree (text, len, form, form_len);
  g_assert_true (tt_args_fill (form, form_len, numbers, n, filled));
  g_assert_cmpmem (filled->str + 6, filled->len - 6, text, len);
  g_assert_cmpuint (strncmp (filled->str, "before", 6), ==, 0);
  if (len > 0)
    {
      g_autofree char *answer = ask_sqlite (form, form_len, numbers, n);
      g_assert_cmpmem (answer, strlen (answer), text, len);
    }
  return n;
}

static void
check_known (void)
{
  static const struct
  {
    const char *text, *form;
  } known[] = {
    { "{\"stream\":7,\"bytes\":4096}", "{\"stream\":%d,\"bytes\":%d}" },
    { "{\"a\":-5,\"b\":0,\"c\":-0}", "{\"a\":-%d,\"b\":%d,\"c\":-%d}" },
    { "{\"a\":05,\"b\":00}", "{\"a\":05,\"b\":00}" },
    { "[3.25,3.05,1e9,1E+9]", "[%d.%d,%d.05,1e9,1E+%d]" },
    { "[999999999999999999,1000000000000000000]", "[%d,1000000000000000000]" },
    { "\"0x7ffd10000018 0x0 0xffffffffffffffff\"", "\"0x%x 0x%x 0x%x\"" },
    { "\"0x07 0xAB 0x 0x10000000000000000 0xfg\"", "\"0x07 0xAB 0x 0x10000000000000000 0xfg\"" },
    { "\"float32 _5 5a %d 100%\"", "\"float32 _5 5a %%d %d%%\"" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    check_text (known[i].text, strlen (known[i].text), known[i].form);

  for (guint n = 1; n <= 17; n++)
    for (guint after = 0; after < 20; after++)
      {
        g_autofree char *text =
            g_strdup_printf ("0x%.*s%.*s", (int) n, "9a0bc1def23456789", (int) after, ",-------------------");
        g_assert_cmpuint (check_text (text, strlen (text), NULL), ==, n <= 16);
      }
  g_autoptr (GString) many = g_string_new ("[1");
  for (guint i = 0; i < 40; i++)
    g_string_append (many, ",1");
  g_assert_cmpuint (check_text (many->str, many->len, NULL), ==, TT_ARGS_NUMBERS);
  g_autofree char *percents = g_strnfill (TT_ARGS_FORM_BYTES, '%');
  check_text (percents, TT_ARGS_FORM_BYTES, NULL);
}

static void
check_random (void)
{
  static const char *const parts[] = { "{",
                                       "\"",
                                       "a",
                                       "0",
                                       "1",
                                       "9",
                                       "0x",
                                       "f",
                                       "%",
                                       "%d",
                                       "%x",
                                       "-",
                                       ".",
                                       "e",
                                       "_",
                                       ",",
                                       "\xc3\xa9",
                                       "18446744073709551615",
                                       "9223372036854775807",
                                       "float",
                                       "\":",
                                       "A" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (25);

  for (guint round = 0; round < test_rounds (4000); round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      const guint n = (guint) g_rand_int_range (rand, 0, 60);
      for (guint i = 0; i < n; i++)
        g_string_append (text, parts[g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
      check_text (text->str, text->len, NULL);
    }
}

/* Forms that begin alike, and more of them than there is room for. */
static void
check_trees (void)
{
  static const char *const parts[] = { "[", ", ",      "1",         "20", "0x1f", "0",
                                       "-", "\"a\": ", "\"bcd\": ", "%",  "7f",   "123456789012" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (26);
  g_autoptr (TtArgsTree) tree = tt_args_tree_new ();
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_found = 0, n_rounds = test_rounds (20000);

  for (guint round = 0; round < n_rounds; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      char form[TT_ARGS_FORM_ROOM];
      gint64 numbers[TT_ARGS_NUMBERS], others[TT_ARGS_NUMBERS];
      guint n, n_others;
      for (gint left = g_rand_int_range (rand, 1, 9); left > 0; left--)
        g_string_append (text, parts[g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
      const gsize form_len = tt_args_take_apart (text->str, text->len, form, numbers, &n);
      g_autofree char *key = g_strndup (form, form_len);
      const guint id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, key));
      const guint found = tt_args_tree_find (tree, text->str, text->len, others, &n_others);
      if (found != 0)
        {
          g_assert_cmpuint (found, ==, id);
          g_assert_cmpmem (others, n_others * sizeof *others, numbers, n * sizeof *numbers);
          n_found++;
        }
      if (id != 0)
        continue;
      tt_args_tree_add (tree, form, form_len, round + 1);
      g_hash_table_insert (ids, g_steal_pointer (&key), GUINT_TO_POINTER (round + 1));
    }
  g_assert_cmpuint (n_found, >, n_rounds / 10);
  g_assert_cmpuint (n_found, <, n_rounds);
}

/* What another program may have written. */
static void
check_odd (void)
{
  static const char *const odd[] = { "%5d", "%", "a%", "%s", "%-x", "%%%", "%%%9d", "%.1000000000d", "%n" };
  const gint64 numbers[] = { 1, 2 };
  g_autoptr (GString) text = g_string_new ("as it was");
  char form[TT_ARGS_FORM_ROOM];
  gint64 taken[TT_ARGS_NUMBERS];
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_assert_false (tt_args_fill (odd[i], strlen (odd[i]), numbers, 2, text));
      g_assert_cmpstr (text->str, ==, "as it was");
    }
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    if (strchr (odd[i], 'd') != NULL || strchr (odd[i], 's') != NULL)
      {
        g_autofree char *answer = ask_sqlite (odd[i], strlen (odd[i]), numbers, 2);
        g_assert_null (answer);
      }
  g_assert_false (tt_args_fill ("%d", 2, numbers, 0, text));
  g_assert_false (tt_args_fill ("%d", 2, numbers, 2, text));
  g_assert_cmpuint (tt_args_take_apart ("a\0b", 3, form, taken, &n), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    if (g_str_has_prefix (tt_schema_sql[i], "CREATE TABLE args_"))
      g_assert_cmpint (sqlite3_exec (db, tt_schema_sql[i], NULL, NULL, NULL), ==, SQLITE_OK);
  g_test_add_func ("/args-format/known", check_known);
  g_test_add_func ("/args-format/random", check_random);
  g_test_add_func ("/args-format/trees", check_trees);
  g_test_add_func ("/args-format/odd", check_odd);
  int status = g_test_run ();
  sqlite3_close (db);
  return status;
}
