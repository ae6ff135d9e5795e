/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/digits.h"
#include "src/base/output.h"

#include "tests/require.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("test-output-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static char *
text_of (TtOutput *output)
{
  GString *text = tt_output_steal_text (output);

  return g_string_free (text, FALSE);
}

static void
test_ints (void)
{
  static const gint64 values[] = { 0,         1,   -1,  9,    10,     -10,           99,
                                   100,       101, 999, 1000, -12345, 1234567890123, G_MAXINT64,
                                   G_MININT64 };
  g_autoptr (TtOutput) output = tt_output_open_memory ();

  for (guint i = 0; i < 5000; i++)
    {
      gint64 value = i < G_N_ELEMENTS (values)
                         ? values[i]
                         : (gint64) ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) >> (i % 64);
      g_autofree char *expected = g_strdup_printf ("%" G_GINT64_FORMAT, value);

      tt_output_int (output, value);
      g_autofree char *text = text_of (output);
      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_microseconds (void)
{
  static const struct
  {
    gint64 ns;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { 1, "0.001" },
    { -1, "-0.001" },
    { 10, "0.01" },
    { 100, "0.1" },
    { 999, "0.999" },
    { 1000, "1" },
    { 1500, "1.5" },
    { -1500, "-1.5" },
    { 1050, "1.05" },
    { 123456789, "123456.789" },
    { 1000000000, "1000000" },
    { G_MAXINT64, "9223372036854775.807" },
    { G_MININT64, "-9223372036854775.808" },
  };
  g_autoptr (TtOutput) output = tt_output_open_memory ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      tt_output_us (output, cases[i].ns);
      g_autofree char *text = text_of (output);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_json_strings (void)
{
  static const struct
  {
    const char *text, *json;
  } cases[] = {
    { "", "\"\"" },
    { "plain text", "\"plain text\"" },
    { "a\"b\\c/d", "\"a\\\"b\\\\c/d\"" },
    { "a\nb\tc\rd", "\"a\\nb\\tc\\u000dd\"" },
    { "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
    { "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
    { "\xe6\xbc\xa2\xf0\x9f\x98\x80", "\"\xe6\xbc\xa2\xf0\x9f\x98\x80\"" },
    { "a\xff"
      "b",
      "\"a\xef\xbf\xbd"
      "b\"" },
    { "cut\xe6\xbc", "\"cut\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\xed\xa0\x80!", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd!\"" },
  };
  g_autoptr (TtOutput) output = tt_output_open_memory ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      tt_output_json_string (output, cases[i].text);
      g_autofree char *text = text_of (output);
      g_assert_cmpstr (text, ==, cases[i].json);
    }
}

static void
test_random_json (void)
{
  g_autoptr (TtOutput) output = tt_output_open_memory ();

  for (guint i = 0; i < 3000; i++)
    {
      char bytes[33] = { 0 };

      for (guint j = 0; j < 32; j++)
        bytes[j] = (char) g_test_rand_int_range (i % 2 == 0 ? 0x80 : 1, 256);
      tt_output_json_string (output, bytes);
      g_autofree char *text = text_of (output);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      for (const char *p = text; *p != '\0'; p++)
        if ((guint8) *p < 0x20)
          g_test_fail_printf ("control character in %s", text);
    }
}

static void
test_printf (void)
{
  g_autoptr (TtOutput) output = tt_output_open_memory ();
  g_autofree char *long_word = g_strnfill (100000, 'x');

  tt_output_printf (output, "%d-%s", 7, "seven");
  tt_output_printf (output, "%s", "");
  tt_output_printf (output, "[%s]", long_word);
  g_assert_cmpuint (tt_output_total (output), ==, 7 + 100002);
  g_autofree char *text = text_of (output);
  g_assert_true (g_str_has_prefix (text, "7-seven[xxx"));
  g_assert_cmpuint (strlen (text), ==, 7 + 100002);
}

/* More than any buffer, in pieces of odd sizes. */
static GString *
write_much (TtOutput *output)
{
  GString *expected = g_string_new (NULL);

  for (guint i = 0; i < 300000; i++)
    {
      gsize before = expected->len;

      g_string_append_printf (expected, "%u ", i * 7919u);
      tt_output_bytes (output, expected->str + before, expected->len - before);
    }
  gsize len = expected->len;
  tt_output_bytes (output, expected->str, len);
  g_autofree char *copy = g_strndup (expected->str, len);
  g_string_append_len (expected, copy, (gssize) len);
  return expected;
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "out.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtOutput) output = tt_output_open (path, &error);

  require_no_error (error);
  if (output == NULL)
    return;

  GString *expected = write_much (output);
  g_assert_cmpuint (tt_output_total (output), ==, expected->len);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (tt_output_close (output, &error));
  require_no_error (error);

  g_autofree char *text = NULL;
  gsize len = 0;
  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  g_assert_cmpmem (text, len, expected->str, expected->len);
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
  g_string_free (expected, TRUE);
}

static void
test_gz (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "out.json.gz", NULL);
  g_autofree char *again = g_build_filename (fixture->folder, "again.json.gz", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *second = NULL;
  gsize first_len = 0, second_len = 0;
  GString *expected = NULL;

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (TtOutput) output = tt_output_open (i == 0 ? path : again, &error);

      require_no_error (error);
      if (expected != NULL)
        g_string_free (expected, TRUE);
      expected = write_much (output);
      g_assert_true (tt_output_close (output, &error));
    }

  gzFile file = gzopen (path, "rb");
  g_autofree char *read = g_malloc (expected->len + 10);
  int n = gzread (file, read, (unsigned) expected->len + 10);
  gzclose (file);
  g_assert_cmpmem (read, (gsize) MAX (n, 0), expected->str, expected->len);
  g_string_free (expected, TRUE);

  g_assert_true (g_file_get_contents (path, &first, &first_len, NULL));
  g_assert_true (g_file_get_contents (again, &second, &second_len, NULL));
  g_assert_cmpmem (first, first_len, second, second_len);
}

static void
test_unclosed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "kept", NULL);
  TtOutput *output;

  g_file_set_contents (path, "old", -1, NULL);
  output = tt_output_open (path, NULL);
  g_string_free (write_much (output), TRUE);
  tt_output_free (output);

  g_autofree char *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, "old");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tt_output_open (fixture->folder, &error));
  g_assert_nonnull (strstr (error->message, "directory"));
  g_clear_error (&error);
  g_assert_null (tt_output_open ("/nonexistent/place/out", &error));
  g_assert_nonnull (strstr (error->message, "'/nonexistent/place/out'"));
  g_clear_error (&error);

  if (access ("/dev/full", W_OK) != 0)
    return;
  g_autoptr (TtOutput) output = tt_output_open ("/dev/full", &error);
  require_no_error (error);
  g_string_free (write_much (output), TRUE);
  g_assert_false (tt_output_close (output, &error));
  g_assert_cmpstr (error->message, ==, "cannot write '/dev/full': No space left on device");
}

static void
test_broken_pipe (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtOutput) output = tt_output_open ("-", NULL);
      int ends[2];

      signal (SIGPIPE, SIG_IGN);
      if (pipe (ends) != 0 || dup2 (ends[1], STDOUT_FILENO) < 0 || close (ends[0]) != 0)
        return;
      tt_output_literal (output, "hello");
      g_assert_false (tt_output_close (output, &error));
      g_printerr ("%s\n", error->message);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_stderr ("*cannot write standard output: Broken pipe*");
}

/* Writes @text where only new files are written, and returns the name that it got. */
static char *
write_new (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtOutput) output = tt_output_open_new (path, &error);

  g_assert_no_error (error);
  tt_output_text (output, text);
  g_assert_true (tt_output_close (output, &error));
  g_assert_no_error (error);
  return g_path_get_basename (tt_output_path (output));
}

static void
test_new (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name, *got;
  } cases[] = {
    { "trace.json", "trace.json" },
    { "trace.json", "trace-2.json" },
    { "trace.json", "trace-3.json" },
    { "run.speedscope.json", "run.speedscope.json" },
    { "run.speedscope.json", "run-2.speedscope.json" },
    { "plain", "plain" },
    { "plain", "plain-2" },
    { ".hidden", ".hidden" },
    { ".hidden", ".hidden-2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *got = write_new (fixture, cases[i].name, cases[i].got);
      g_assert_cmpstr (got, ==, cases[i].got);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, cases[i].got, NULL);
      g_autofree char *text = NULL;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, cases[i].got);
    }
  g_assert_cmpuint (count_files (fixture->folder), ==, G_N_ELEMENTS (cases));
}

/* A file that comes while another is written keeps its name. */
static void
test_new_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "graph.svg", NULL);
  g_autoptr (TtOutput) output = tt_output_open_new (path, NULL);
  g_autofree char *text = NULL;

  tt_output_text (output, "ours");
  g_assert_true (g_file_set_contents (path, "theirs", -1, NULL));
  g_assert_true (tt_output_close (output, NULL));
  g_assert_true (g_str_has_suffix (tt_output_path (output), "/graph-2.svg"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "theirs");
  g_assert_cmpuint (count_files (fixture->folder), ==, 2);
}

static void
test_standard_output (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (TtOutput) output = tt_output_open (NULL, NULL);

      tt_output_literal (output, "to standard output");
      tt_output_close (output, NULL);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*to standard output*");
}

static void
bench (void)
{
  g_autoptr (TtOutput) output = tt_output_open ("/dev/null", NULL);
  const guint n = 20000000;

  g_test_timer_start ();
  for (guint i = 0; i < n; i++)
    tt_output_int (output, (gint64) i * 7919);
  double ints = g_test_timer_elapsed ();
  for (guint i = 0; i < n; i++)
    tt_output_us (output, (gint64) i * 7919);
  double times = g_test_timer_elapsed ();
  for (guint i = 0; i < n; i++)
    tt_output_json_string (output, "COMP.some_function(int, double)");
  double strings = g_test_timer_elapsed ();
  g_test_message ("int %.1f, us %.1f, string of 31 %.1f ns each", ints * 1e9 / n, (times - ints) * 1e9 / n,
                  (strings - times) * 1e9 / n);
}

/* The short way to write numbers, beside the usual one. */
static void
test_padded_numbers (void)
{
  for (guint i = 0; i < 200000; i++)
    {
      guint64 value = ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) >> i % 64;
      char padded[TT_MOST_DIGITS + 8], *end;

      g_autofree char *decimal = g_strdup_printf ("%" G_GUINT64_FORMAT, value);
      end = tt_put_decimal_padded (padded, value);
      g_assert_cmpmem (padded, end - padded, decimal, strlen (decimal));

      char us[TT_MOST_DIGITS + 8];
      gint64 ns = (gint64) (i % 3 == 0 ? value : value / 1000 * 1000);
      end = tt_put_us_padded (padded, ns);
      g_assert_cmpmem (padded, end - padded, us, tt_put_us (us, ns) - us);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/output/formats-integers", test_ints);
  g_test_add_func ("/output/formats-exact-microseconds", test_microseconds);
  g_test_add_func ("/output/formats-padded-numbers", test_padded_numbers);
  g_test_add_func ("/output/escapes-json", test_json_strings);
  g_test_add_func ("/output/json-is-always-utf8", test_random_json);
  g_test_add_func ("/output/printf-of-any-length", test_printf);
  g_test_add ("/output/file-appears-when-closed", Fixture, NULL, set_up, test_file, tear_down);
  g_test_add ("/output/gz-is-read-back-and-reproducible", Fixture, NULL, set_up, test_gz, tear_down);
  g_test_add ("/output/freed-without-close-leaves-nothing", Fixture, NULL, set_up, test_unclosed, tear_down);
  g_test_add ("/output/tells-what-cannot-be-written", Fixture, NULL, set_up, test_errors, tear_down);
  g_test_add ("/output/new-file-is-never-another", Fixture, NULL, set_up, test_new, tear_down);
  g_test_add ("/output/new-file-leaves-one-that-came-meanwhile", Fixture, NULL, set_up, test_new_meanwhile, tear_down);
  g_test_add_func ("/output/broken-pipe-is-an-error", test_broken_pipe);
  g_test_add_func ("/output/writes-to-standard-output", test_standard_output);
  if (g_test_perf ())
    g_test_add_func ("/output/speed", bench);
  return g_test_run ();
}
