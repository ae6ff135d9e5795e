/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/fields.h"
#include "src/base/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/error.h"

#include "tests/require.h"

static char *
shown (TtReport *report, TtReportFormat format, guint width)
{
  GString *text = g_string_new (NULL);

  tt_report_append (report, format, width, text);
  return g_string_free (text, FALSE);
}

static TtReport *
statistics (TtUnit unit)
{
  TtReport *report = tt_report_new (unit);

  tt_report_column (report, TT_COLUMN_TEXT, "Name", "name");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_column (report, TT_COLUMN_TIME, "Total", "total_us");
  tt_report_column (report, TT_COLUMN_PERCENT, "Time %", "time_percent");
  tt_report_column (report, TT_COLUMN_BYTES, "Bytes", "bytes");

  tt_report_text (report, "COMP.main");
  tt_report_int (report, 1234567);
  tt_report_int (report, 1500);
  tt_report_real (report, 66.6666);
  tt_report_int (report, 12400000);

  tt_report_text (report, NULL);
  tt_report_int (report, 1);
  tt_report_real (report, 2500.5);
  tt_report_real (report, 100.0 / 3);
  tt_report_empty (report);
  return report;
}

static void
test_table (void)
{
  g_autoptr (TtReport) report = statistics (TT_UNIT_US);
  g_autofree char *text = NULL;

  tt_report_heading (report, "Statistics of run 1");
  tt_report_footer (report, "and 3 more");
  text = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (text, ==,
                   "Statistics of run 1\n"
                   "Name           Count  Total (us)  Time %    Bytes\n"
                   "COMP.main  1,234,567       1.500   66.67  12.4 MB\n"
                   "                   1       2.501   33.33\n"
                   "and 3 more\n");
  g_assert_cmpuint (tt_report_n_rows (report), ==, 2);
}

static void
test_csv (void)
{
  g_autoptr (TtReport) report = statistics (TT_UNIT_MS);
  g_autofree char *text = shown (report, TT_FORMAT_CSV, 0);

  g_assert_cmpstr (text, ==,
                   "name,count,total_ms,time_percent,bytes\n"
                   "COMP.main,1234567,0.0015,66.6666,12400000\n"
                   ",1,0.0025005,33.333333333333336,\n");
}

static void
test_json (void)
{
  g_autoptr (TtReport) report = statistics (TT_UNIT_NS);
  g_autofree char *text = shown (report, TT_FORMAT_JSON, 0);

  g_assert_cmpstr (
      text, ==,
      "[\n"
      "{\"name\":\"COMP.main\",\"count\":1234567,\"total_ns\":1500,\"time_percent\":66.6666,\"bytes\":12400000},\n"
      "{\"name\":null,\"count\":1,\"total_ns\":2500.5,\"time_percent\":33.333333333333336,\"bytes\":null}\n"
      "]\n");
}

static void
test_markdown (void)
{
  g_autoptr (TtReport) report = statistics (TT_UNIT_US);
  g_autofree char *text = NULL;

  tt_report_text (report, "a|b\n*c*");
  for (int i = 0; i < 4; i++)
    tt_report_empty (report);
  text = shown (report, TT_FORMAT_MARKDOWN, 20);
  g_assert_cmpstr (text, ==,
                   "| Name | Count | Total (us) | Time % | Bytes |\n"
                   "| --- | ---: | ---: | ---: | ---: |\n"
                   "| COMP.main | 1,234,567 | 1.500 | 66.67 | 12.4 MB |\n"
                   "|  | 1 | 2.501 | 33.33 |  |\n"
                   "| a\\|b\\\\n\\*c\\* |  |  |  |  |\n");
}

static TtReport *
times (const gint64 *ns, guint n)
{
  TtReport *report = tt_report_new (TT_UNIT_US);

  tt_report_auto_unit (report);
  tt_report_column (report, TT_COLUMN_TIME, "Max", "max");
  tt_report_column (report, TT_COLUMN_TIME, "Avg", "avg");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  for (guint i = 0; i < n; i++)
    {
      tt_report_int (report, ns[i]);
      tt_report_real (report, (double) ns[i] / 2);
      tt_report_int (report, 1000);
    }
  return report;
}

static void
test_one_unit (void)
{
  static const gint64 near_ns[] = { 12345678, 400000, 0 }, of_ns[] = { 456, 7 },
                      days_ns[] = { G_GINT64_CONSTANT (259200000000000), G_GINT64_CONSTANT (1000000000000) };
  g_autoptr (TtReport) near = times (near_ns, 3), of = times (of_ns, 2), days = times (days_ns, 2);

  g_autofree char *table = shown (near, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (table, ==,
                   "Max (ms)  Avg (ms)  Count\n"
                   "  12.346     6.173  1,000\n"
                   "   0.400     0.200  1,000\n"
                   "   0.000     0.000  1,000\n");
  g_autofree char *in_ns = shown (of, TT_FORMAT_MARKDOWN, 0);
  g_assert_cmpstr (in_ns, ==,
                   "| Max (ns) | Avg (ns) | Count |\n"
                   "| ---: | ---: | ---: |\n"
                   "| 456.00 | 228.00 | 1,000 |\n"
                   "| 7.00 | 3.50 | 1,000 |\n");
  g_autofree char *in_s = shown (days, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (in_s, ==,
                   "Max (s)  Avg (s)  Count\n"
                   "259,200  129,600  1,000\n"
                   "  1,000      500  1,000\n");
  /* Programs have one unit, whatever the times are. */
  g_autofree char *csv = shown (near, TT_FORMAT_CSV, 0);
  g_assert_cmpstr (csv, ==, "max_us,avg_us,count\n12345.678,6172.839,1000\n400,200,1000\n0,0,1000\n");
}

static void
test_units_of_cells (void)
{
  static const gint64 ns[] = { G_GINT64_CONSTANT (259200000000000), -12345678, 1, 0 };
  g_autoptr (TtReport) report = times (ns, 4);
  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 0), *markdown = shown (report, TT_FORMAT_MARKDOWN, 0);

  g_assert_cmpstr (table, ==,
                   "       Max         Avg  Count\n"
                   "259,200 s   129,600 s   1,000\n"
                   " -12.35 ms   -6.173 ms  1,000\n"
                   "      1 ns    0.500 ns  1,000\n"
                   "      0           0     1,000\n");
  g_assert_nonnull (strstr (markdown, "| Max | Avg | Count |\n"));
  g_assert_nonnull (strstr (markdown, "| 259,200 s | 129,600 s | 1,000 |\n"));
  g_assert_nonnull (strstr (markdown, "| 0 | 0 | 1,000 |\n"));
}

static TtReportCell
rank_number (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (self->id);
}

/* A name and a column a rank. */
static void
test_many_columns (void)
{
  const TtReportView view = { .width = 60, .top = 2, .is_top_default = TRUE };
  TtReportField fields[60] = { 0 };
  char titles[60][16];
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_snprintf (titles[i], sizeof titles[i], i == 59 ? "Sum" : "rank%u", i);
      fields[i] = (TtReportField){ TT_COLUMN_COUNT, titles[i], titles[i], rank_number, i };
    }
  tt_report_declare (report, fields, G_N_ELEMENTS (fields), &view, NULL, NULL);
  tt_report_limit (report, &view);
  for (guint i = 0; i < 1237; i++)
    tt_report_row (report, NULL);

  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 60);
  g_assert_cmpstr (table, ==,
                   "rank0  rank1  rank2  rank3  rank4  rank5  rank6  rank7  Sum\n"
                   "    0      1      2      3      4      5      6      7   59\n"
                   "    0      1      2      3      4      5      6      7   59\n"
                   "and 1,235 more (--top 0 shows all)\n"
                   "not shown at 60 columns: rank8, rank9, rank10, rank11,\n"
                   "  rank12, rank13, rank14, rank15, rank16, rank17, rank18,\n"
                   "  rank19 and 39 more; --wide shows all\n");
  g_autofree char *wide = shown (report, TT_FORMAT_TABLE, 0), *markdown = shown (report, TT_FORMAT_MARKDOWN, 60);
  g_assert_nonnull (strstr (wide, "rank58  Sum\n"));
  g_assert_null (strstr (wide, "not shown"));
  g_assert_nonnull (strstr (markdown, "| rank58 | Sum |\n"));
  g_assert_true (g_str_has_suffix (markdown, "| 58 | 59 |\n\nand 1,235 more (--top 0 shows all)\n"));
}

/* Columns of one min_width go together, the greatest first, and one that is kept does not. */
static void
test_levels (void)
{
  const TtReportView view = { .width = 40 };
  const TtReportField fields[] = {
    { TT_COLUMN_COUNT, "First", "first", rank_number, 1 },
    { TT_COLUMN_COUNT, "Second", "second", rank_number, 2, 100 },
    { TT_COLUMN_COUNT, "Third", "third", rank_number, 3, 120 },
    { TT_COLUMN_COUNT, "Fourth", "fourth", rank_number, 4, 120 },
    { TT_COLUMN_COUNT, "Fifth", "fifth", rank_number, 5, 120 },
  };
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US), kept = tt_report_new (TT_UNIT_US);

  tt_report_declare (report, fields, G_N_ELEMENTS (fields), &view, NULL, NULL);
  tt_report_row (report, NULL);
  tt_report_declare (kept, fields, G_N_ELEMENTS (fields), &view, &fields[4], NULL);
  tt_report_row (kept, NULL);
  for (guint i = 0; i < 3; i++)
    {
      static const struct
      {
        guint width;
        const char *all, *kept;
      } cases[] = {
        { 35, "First  Second  Third  Fourth  Fifth\n", "First  Second  Third  Fourth  Fifth\n" },
        { 34, "First  Second\n", "First  Second  Fifth\n" },
        { 12, "First\n", "First  Fifth\n" },
      };
      g_autofree char *text = shown (report, TT_FORMAT_TABLE, cases[i].width);
      g_autofree char *with = shown (kept, TT_FORMAT_TABLE, cases[i].width);

      g_assert_true (g_str_has_prefix (text, cases[i].all));
      g_assert_true (g_str_has_prefix (with, cases[i].kept));
    }
}

static void
test_quoting (void)
{
  static const char *const texts[] = { "a,b", "say \"x\"", "two\nlines", "tab\there", "back\\slash", "plain" };
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_TEXT, "Text", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    tt_report_text (report, texts[i]);

  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 0);
  g_assert_cmpstr (csv, ==, "Text\n\"a,b\"\n\"say \"\"x\"\"\"\n\"two\nlines\"\ntab\there\nback\\slash\nplain\n");
  g_autofree char *tsv = shown (report, TT_FORMAT_TSV, 0);
  g_assert_cmpstr (tsv, ==, "Text\na,b\nsay \"x\"\ntwo\\nlines\ntab\\there\nback\\\\slash\nplain\n");
}

static void
test_empty (void)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_WORD, "Rank", "rank");
  tt_report_column (report, TT_COLUMN_TIME, "Wait", "wait");
  g_assert_false (tt_report_has_text (report));
  tt_report_caption (report, "ranks that wait");
  tt_report_legend (report, "Wait: for others");
  g_assert_false (tt_report_has_text (report));
  g_autofree char *nothing = shown (report, TT_FORMAT_TABLE, 20);
  g_assert_cmpstr (nothing, ==, "");
  tt_report_heading (report, "no rank waits");
  tt_report_footer (report, "not judged: 2 ranks");
  g_assert_true (tt_report_has_text (report));
  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (table, ==, "no rank waits\nnot judged: 2 ranks\n");
  g_autofree char *markdown = shown (report, TT_FORMAT_MARKDOWN, 0);
  g_assert_cmpstr (markdown, ==, "| Rank | Wait (us) |\n| --- | ---: |\n\nnot judged: 2 ranks\n");
  g_autofree char *json = shown (report, TT_FORMAT_JSON, 0);
  g_assert_cmpstr (json, ==, "[]\n");
  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 0);
  g_assert_cmpstr (csv, ==, "rank,wait_us\n");

  tt_report_keep_header (report);
  g_autofree char *columns = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (columns, ==, "no rank waits\nRank  Wait (us)\nnot judged: 2 ranks\n");
  tt_report_int (report, 1);
  tt_report_int (report, 2000);
  g_autofree char *full = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (
      full, ==,
      "no rank waits\nranks that wait\nRank  Wait (us)\n   1      2.000\nWait: for others\nnot judged: 2 ranks\n");
}

static void
test_huge_numbers (void)
{
  tt_int128 huge = (tt_int128) 1 << 100;
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_column (report, TT_COLUMN_TIME, "Time", "time");
  tt_report_column (report, TT_COLUMN_BYTES, "Bytes", "bytes");
  tt_report_column (report, TT_COLUMN_REAL, "Real", "real");
  tt_report_int128 (report, huge);
  tt_report_int128 (report, -huge);
  tt_report_int128 (report, huge);
  tt_report_real (report, -0.0);
  tt_report_int (report, G_MININT64);
  tt_report_int (report, G_MININT64);
  tt_report_int (report, -999);
  tt_report_real (report, NAN);

  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 0);
  g_assert_cmpstr (
      csv, ==,
      "count,time_us,bytes,real\n"
      "1267650600228229401496703205376,-1267650600228229401496703205.376,1267650600228229401496703205376,0\n"
      "-9223372036854775808,-9223372036854775.808,-999,\n");
  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_nonnull (strstr (table, "1,267,650,600,228,229,401,496,703,205,376  -1267650600228229401496703205.376"));
  g_assert_nonnull (strstr (table, "-9,223,372,036,854,775,808"));
  g_assert_nonnull (strstr (table, " -999 B"));
  g_assert_nonnull (strstr (table, " 0.000\n"));
}

static guint
widest_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint widest = 0;

  for (char **line = lines; *line != NULL; line++)
    widest = MAX (widest, (guint) g_utf8_strlen (*line, -1));
  return widest;
}

static void
test_cutting (void)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_TEXT, "Long", "long");
  tt_report_column (report, TT_COLUMN_TEXT, "Short", "short");
  tt_report_column (report, TT_COLUMN_WORD, "Word", "word");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_text (report, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  tt_report_text (report, "0123456789abcdef");
  tt_report_text (report, "a_word_that_is_never_cut");
  tt_report_int (report, 5);

  /* 52 + 16 + 24 + 5 + 3 * 2 = 103 */
  g_autofree char *whole = shown (report, TT_FORMAT_TABLE, 103);
  g_assert_null (strstr (whole, "…"));
  g_autofree char *first = shown (report, TT_FORMAT_TABLE, 100);
  g_assert_cmpuint (widest_line (first), ==, 100);
  g_assert_nonnull (strstr (first, "abcdefghijklmnopqrstuvwx…CDEFGHIJKLMNOPQRSTUVWXYZ  0123456789abcdef  a_word"));
  g_autofree char *both = shown (report, TT_FORMAT_TABLE, 61);
  g_assert_cmpuint (widest_line (both), ==, 61);
  g_assert_nonnull (strstr (both, "abcdef…UVWXYZ  012345…abcdef  a_word"));
  g_autofree char *least = shown (report, TT_FORMAT_TABLE, 10);
  g_assert_cmpuint (widest_line (least), ==, 12 + 12 + 24 + 5 + 6);
  g_assert_nonnull (strstr (least, "abcdef…VWXYZ  012345…bcdef  a_word_that_is_never_cut"));
  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 10);
  g_assert_null (strstr (csv, "…"));
}

static void
test_wide_and_hostile_text (void)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_TEXT, "Name", "name");
  tt_report_column (report, TT_COLUMN_COUNT, "N", "n");
  tt_report_text (report, "漢字漢字");
  tt_report_int (report, 1);
  tt_report_text (report, "gr\xc3\xbc\xc3\x9f");
  tt_report_int (report, 2);
  tt_report_text (report, "\033[2J\xff\n");
  tt_report_int (report, 3);
  tt_report_text (report, "\r\xc2\x9b"
                          "2J\xe2\x80\xae\xe2\x80\xa8");
  tt_report_int (report, 4);

  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (table, ==,
                   "Name                  N\n"
                   "漢字漢字              1\n"
                   "gr\xc3\xbc\xc3\x9f                  2\n"
                   "\\x1b[2J\\xff\\n         3\n"
                   "\\r\\x9b2J\\u202e\\u2028  4\n");
  g_autofree char *json = shown (report, TT_FORMAT_JSON, 0);
  g_assert_nonnull (strstr (json, "\"\\u001b[2J\xef\xbf\xbd\\n\""));
  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 0);
  g_assert_true (g_utf8_validate (csv, -1, NULL));
}

/* A text column with nothing but numbers in it stands like numbers. */
static void
test_alignment (void)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);

  tt_report_column (report, TT_COLUMN_WORD, "Rank", "rank");
  tt_report_column (report, TT_COLUMN_TEXT, "Value", "value");
  tt_report_int (report, 7);
  tt_report_int (report, 1);
  tt_report_int (report, 12);
  tt_report_text (report, "one");
  tt_report_empty (report);
  tt_report_real (report, 0.1);

  g_autofree char *table = shown (report, TT_FORMAT_TABLE, 0);
  g_assert_cmpstr (table, ==, "Rank  Value\n   7  1\n  12  one\n      0.1\n");
  g_autofree char *json = shown (report, TT_FORMAT_JSON, 0);
  g_assert_cmpstr (
      json, ==, "[\n{\"rank\":7,\"value\":1},\n{\"rank\":12,\"value\":\"one\"},\n{\"rank\":null,\"value\":0.1}\n]\n");
}

/* More rows than the cache holds come out whole. */
static void
test_many_rows (void)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);
  g_autofree char *filler = g_strnfill (500, 'x');
  const guint n = 50000;
  guint n_wrong = 0, row = 0;

  tt_report_column (report, TT_COLUMN_COUNT, "N", "n");
  tt_report_column (report, TT_COLUMN_TEXT, "Text", "text");
  for (guint i = 0; i < n; i++)
    {
      tt_report_int (report, i);
      tt_report_text (report, filler + i % 500);
    }
  g_autofree char *csv = shown (report, TT_FORMAT_CSV, 0);
  for (char *line = strchr (csv, '\n') + 1; *line != '\0'; line = strchr (line, '\n') + 1, row++)
    {
      char expected[32];

      g_snprintf (expected, sizeof expected, "%u,", row);
      n_wrong += !g_str_has_prefix (line, expected);
      n_wrong += strcspn (line, "\n") != strlen (expected) + 500 - row % 500;
    }
  g_assert_cmpuint (row, ==, n);
  g_assert_cmpuint (n_wrong, ==, 0);
  g_assert_true (tt_report_check (report, NULL));
}

static void
test_print (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (TtReport) report = statistics (TT_UNIT_US);

      tt_report_print (report, TT_FORMAT_TABLE, 0);
      g_assert_true (tt_report_check (report, NULL));
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*Name           Count  Total (us)*\n*COMP.main  1,234,567 *");
  g_test_trap_assert_stdout_unmatched ("*\033*");
}

static void
test_full_output (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (TtReport) report = statistics (TT_UNIT_US);
      g_autoptr (GError) error = NULL;

      if (freopen ("/dev/full", "w", stdout) == NULL)
        return;
      tt_report_print (report, TT_FORMAT_CSV, 0);
      if (!tt_report_check (report, &error))
        g_printerr ("%s\n", error->message);
      return;
    }
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no /dev/full");
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_stderr ("*cannot write standard output: No space left on device*");
}

static void
test_formats (void)
{
  static const char *const words[] = { "table", "csv", "tsv", "json", "markdown" };
  g_autoptr (GError) error = NULL;
  TtReportFormat format = TT_FORMAT_TABLE;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_true (tt_report_format_parse (words[i], &format, NULL));
      g_assert_cmpuint (format, ==, i);
    }
  g_assert_false (tt_report_format_parse ("cvs", &format, &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "did you mean 'csv'?"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/report/table", test_table);
  g_test_add_func ("/report/csv-has-full-precision", test_csv);
  g_test_add_func ("/report/json-has-numbers", test_json);
  g_test_add_func ("/report/markdown", test_markdown);
  g_test_add_func ("/report/one-unit-where-it-shows-all-times", test_one_unit);
  g_test_add_func ("/report/units-of-cells", test_units_of_cells);
  g_test_add_func ("/report/names-the-columns-left-out", test_many_columns);
  g_test_add_func ("/report/leaves-out-columns-by-their-width", test_levels);
  g_test_add_func ("/report/quotes-what-would-break-a-field", test_quoting);
  g_test_add_func ("/report/no-rows", test_empty);
  g_test_add_func ("/report/numbers-beyond-64-bits", test_huge_numbers);
  g_test_add_func ("/report/cuts-the-widest-text-first", test_cutting);
  g_test_add_func ("/report/wide-and-hostile-text", test_wide_and_hostile_text);
  g_test_add_func ("/report/aligns-numbers-in-text-columns", test_alignment);
  g_test_add_func ("/report/many-rows", test_many_rows);
  g_test_add_func ("/report/prints-plain-when-piped", test_print);
  g_test_add_func ("/report/tells-when-output-is-full", test_full_output);
  g_test_add_func ("/report/format-names", test_formats);
  return g_test_run ();
}
