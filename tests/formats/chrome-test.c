/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/chrome-test.h"

#include "formats/perfetto-export/perfetto-export.h"
#include "tests/formats/perfetto-decode.h"
#include "tests/require.h"

#include "src/store/import/import.h"

#include <glib/gstdio.h>
#include <string.h>

static TtNames *
new_names (void)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);

  g_assert_no_error (error);
  TtNames *names = tt_names_new (rules);
  tt_names_set_source (names, "tau");
  return names;
}

/* What was written; of Perfetto's format, what it says. */
static char *
text_of (TtOutput *out, const TtExportOptions *options)
{
  GString *bytes = tt_output_steal_text (out);

  if (options->language != &tt_perfetto_language)
    return g_string_free (bytes, FALSE);
  char *text = perfetto_decode ((const guint8 *) bytes->str, bytes->len);
  g_string_free (bytes, TRUE);
  return text;
}

char *
chrome_convert (ChromeFill fill,
                const TtExportOptions *options,
                TtExportReport *report,
                gboolean threaded,
                GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  TtSink *sink = tt_chrome_sink_new (out, new_names (), options, report);

  if (threaded)
    tt_sink_add_thread (sink, "writer", 4);
  fill (sink);
  gboolean ok = tt_sink_finish (sink, error);
  tt_sink_free (sink);
  return ok ? text_of (out, options) : NULL;
}

static void
import (ChromeFill fill, const char *path)
{
  g_autoptr (GError) error = NULL;
  TtStoreImportOptions options = { .command = "test" };
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, new_names (), &error);

  require_no_error (error);
  TtSink *sink = tt_store_import_sink (import);
  fill (sink);
  tt_sink_finish (sink, &error);
  require_no_error (error);
  tt_sink_free (sink);
  tt_store_import_join (import, &error);
  require_no_error (error);
  tt_store_import_commit (import, &error);
  g_assert_no_error (error);
}

static char *
export_store (const char *path, const TtExportOptions *options, TtExportReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (TtStore) store = tt_store_open (path, &error);

  g_assert_no_error (error);
  tt_store_select_run (store, NULL, &error);
  g_assert_no_error (error);
  tt_chrome_export (store, out, options, report, &error);
  g_assert_no_error (error);
  return text_of (out, options);
}

static void
check_json (const char *text, const char *option)
{
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "oracles", "check-chrome.py", NULL);
  g_autofree char *path = NULL, *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (python == NULL)
    {
      g_test_message ("python3 is not there: JSON not checked");
      return;
    }
  int fd = g_file_open_tmp ("chrome-XXXXXX.json", &path, &error);
  require_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, text, -1, &error);
  require_no_error (error);
  const char *argv[] = { python, script, option, path, NULL };
  if (option == NULL)
    {
      argv[2] = path;
      argv[3] = NULL;
    }
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error);
  require_no_error (error);
  g_assert_cmpstr (err, ==, "");
  g_assert_cmpint (status, ==, 0);
  g_unlink (path);
}

char *
chrome_write (ChromeFill fill, const TtExportOptions *options, TtExportReport *report, const char *check)
{
  g_autoptr (GError) error = NULL;
  TtExportReport other = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("chrome-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "trace.db", NULL);

  g_assert_no_error (error);
  char *text = chrome_convert (fill, options, report, FALSE, &error);
  g_assert_no_error (error);
  g_autofree char *threaded = chrome_convert (fill, options, &other, TRUE, &error);
  g_assert_cmpstr (text, ==, threaded);
  g_assert_cmpmem (report, sizeof *report, &other, sizeof other);
  other = (TtExportReport){ 0 };
  import (fill, path);
  g_autofree char *exported = export_store (path, options, &other);
  g_assert_cmpstr (text, ==, exported);
  /* The database has the repairs with its sources. */
  TtExportReport same = *report;
  same.repairs = other.repairs;
  g_assert_cmpmem (&same, sizeof same, &other, sizeof other);
  if (options->language != &tt_perfetto_language)
    check_json (text, check);
  g_unlink (path);
  g_rmdir (folder);
  return text;
}

guint
chrome_count (const char *text, const char *part)
{
  const char *end = text + strlen (text);
  guint n = 0;

  /* With a length: strstr() measures the whole text each time where a sanitizer watches it. */
  for (const char *p = text; (p = g_strstr_len (p, end - p, part)) != NULL; p += strlen (part))
    n++;
  return n;
}

guint32
chrome_name (TtSink *sink, const char *raw, const char *group, const char *op_cat, const char *suffix)
{
  return tt_sink_name (sink, &(TtRawName){ .raw = raw, .group = group, .op_cat = op_cat, .suffix = suffix });
}

guint64
chrome_args (TtSink *sink, const char *json)
{
  return tt_sink_args (sink, json, strlen (json));
}

char *
chrome_describe (const TtExportReport *report)
{
  const struct
  {
    const char *word;
    guint64 n;
  } counts[] = {
    { "spans", report->n_spans },
    { "instants", report->n_instants },
    { "counters", report->n_counters },
    { "messages", report->n_messages },
    { "flows", report->n_flows },
    { "flows lost", report->n_flows_lost },
    { "dropped", report->n_dropped },
    { "aside", report->n_aside },
    { "unnested", report->n_unnested },
    { "long arguments", report->n_long_args },
    { "shortest kept ns", (guint64) report->shortest_kept_ns },
    { "mixed clocks", report->mixed_clocks },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].n != 0)
      g_string_append_printf (text, ", %s %" G_GUINT64_FORMAT, counts[i].word, counts[i].n);
  for (guint kind = 0; kind < TT_N_REPAIRS; kind++)
    if (report->repairs.count[kind] != 0)
      g_string_append_printf (text, ", %s %" G_GUINT64_FORMAT, tt_repair_key (kind), report->repairs.count[kind]);
  g_string_erase (text, 0, text->len > 0 ? 2 : 0);
  return g_string_free (text, FALSE);
}

static void
check_text (const char *text, const ChromeCase *test)
{
  if (test->starts != NULL)
    g_assert_true (g_str_has_prefix (text, test->starts));
  if (test->ends != NULL)
    g_assert_true (g_str_has_suffix (text, test->ends));
  for (guint i = 0; test->has != NULL && test->has[i] != NULL; i++)
    if (strstr (text, test->has[i]) == NULL)
      {
        g_test_message ("not there: %s", test->has[i]);
        g_test_fail ();
      }
  for (guint i = 0; i < G_N_ELEMENTS (test->counts) && test->counts[i].part != NULL; i++)
    if (chrome_count (text, test->counts[i].part) != test->counts[i].n)
      {
        g_test_message ("%u times instead of %u: %s", chrome_count (text, test->counts[i].part), test->counts[i].n,
                        test->counts[i].part);
        g_test_fail ();
      }
  /* A text of megabytes helps nobody. */
  if (g_test_failed ())
    g_test_message ("in:\n%.20000s", text);
}

static void
run_case (gconstpointer data)
{
  const ChromeCase *test = data;
  const char *filters[] = { test->filter, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtSelection) selection = NULL;
  g_autoptr (GArray) highlight = g_array_new (FALSE, FALSE, sizeof (guint64));
  TtExportOptions options = test->options;
  TtExportReport report = { 0 };

  if (test->filter != NULL || test->window != NULL)
    {
      selection = tt_selection_new (test->filter != NULL ? filters : NULL, test->window, TT_UNIT_NS, &error);
      require_no_error (error);
      options.selection = selection;
    }
  for (guint i = 0; test->highlight != NULL && test->highlight[i] != 0; i++)
    g_array_append_val (highlight, test->highlight[i]);
  if (test->highlight != NULL)
    options.highlight = highlight;

  g_autofree char *text = chrome_write (test->fill, &options, &report, test->check);
  if (text == NULL)
    return;
  g_autofree char *told = chrome_describe (&report);
  g_assert_cmpstr (told, ==, test->report);
  check_text (text, test);
}

void
chrome_add_cases (const ChromeCase *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    g_test_add_data_func (cases[i].path, &cases[i], run_case);
}
