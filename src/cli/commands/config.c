/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/config.h"

#include "src/base/output.h"
#include "src/base/report/report.h"
#include "src/cli/config-file.h"

#include <stdio.h>
#include <string.h>

/* `config check` and `config fmt`, and the list of all members. */

#define MOST_LINES 8u

/* -- check ---------------------------------------------------------------------------------------- */

typedef struct
{
  gboolean is_strict;
  char *domains_path, *format_text, *pinsight_text;
  GString *text;
  TtReport *report;
  gboolean failed;
} Check;

static void
check_clear (Check *self)
{
  g_free (self->domains_path);
  g_free (self->format_text);
  g_free (self->pinsight_text);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_clear_pointer (&self->report, tt_report_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Check, check_clear)

static TtReport *
new_report (void)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);

  tt_report_column (report, TT_COLUMN_WORD, "File", "file");
  tt_report_column (report, TT_COLUMN_COUNT, "Line", "line");
  tt_report_column (report, TT_COLUMN_COUNT, "Column", "column");
  tt_report_column (report, TT_COLUMN_WORD, "Severity", "severity");
  tt_report_column (report, TT_COLUMN_WORD, "Code", "code");
  tt_report_column (report, TT_COLUMN_TEXT, "Message", "message");
  tt_report_column (report, TT_COLUMN_TEXT, "Hint", "hint");
  return report;
}

static void
add_rows (TtReport *report, const TtConfig *config)
{
  for (guint i = 0; i < config->faults->len; i++)
    {
      const TtConfigFault *fault = config->faults->pdata[i];
      tt_report_text (report, config->path);
      tt_report_int (report, fault->line);
      tt_report_int (report, fault->column);
      tt_report_text (report, fault->is_error ? "error" : "warning");
      tt_report_text (report, fault->code);
      tt_report_text (report, fault->text);
      tt_report_text (report, fault->hint);
    }
}

static void
append_count (GString *text, guint n, const char *what)
{
  if (n == 0)
    g_string_append_printf (text, "no %ss", what);
  else
    g_string_append_printf (text, "%u %s%s", n, what, n == 1 ? "" : "s");
}

/* "lines 3, 7 and 9": of the headers that a library reads otherwise than they say. */
static char *
list_misread (const TtConfig *config)
{
  GString *lines = g_string_new (NULL);
  guint n = 0, last = 0;

  for (guint i = 0; i < config->faults->len; i++)
    {
      const TtConfigFault *fault = config->faults->pdata[i];
      if (strcmp (fault->code, "W-DIALECT") != 0)
        continue;
      if (n > 0 && n < MOST_LINES)
        g_string_append_printf (lines, "%s%u", n > 1 ? ", " : "", last);
      last = fault->line;
      n++;
    }
  if (n > MOST_LINES)
    g_string_append_printf (lines, " and %u more", n - MOST_LINES + 1);
  else if (n > 0)
    g_string_append_printf (lines, "%s%u", n > 1 ? " and " : "", last);
  g_string_prepend (lines, n == 1 ? "line " : "lines ");
  return n > 0 ? g_string_free (lines, FALSE) : g_string_free (lines, TRUE);
}

/* Where the libraries read headers otherwise than they say. */
static void
tell_dialects (Check *self, const TtConfigFile *file)
{
  static const char *const when[TT_N_PINSIGHTS] = { NULL, "up to 12 February 2026", "since 13 February 2026" };

  for (guint i = TT_PINSIGHT_HEAD; i > TT_PINSIGHT_SEED; i--)
    {
      g_autoptr (TtConfig) other =
          tt_config_parse_as (file->domains, (TtPInsight) i, file->config->path, file->text, file->len);
      g_autofree char *lines = list_misread (other);
      if (lines != NULL)
        g_string_append_printf (self->text,
                                "PInsight %s reads headers otherwise than they say:\n"
                                "  %s (told by 'config check --pinsight %s')\n",
                                when[i], lines, tt_pinsight_words[i]);
    }
}

static gboolean
check_file (Check *self, const char *path, GError **error)
{
  g_autoptr (TtConfigFile) file = tt_config_file_open (path, self->domains_path, self->pinsight_text, error);

  if (file == NULL)
    return FALSE;
  TtConfig *config = file->config;
  if (self->is_strict)
    for (guint i = 0; i < config->faults->len; i++)
      ((TtConfigFault *) config->faults->pdata[i])->is_error = TRUE;
  if (self->is_strict)
    {
      config->n_errors += config->n_warnings;
      config->n_warnings = 0;
    }
  self->failed |= config->n_errors > 0;
  if (self->report != NULL)
    {
      add_rows (self->report, config);
      return TRUE;
    }
  tt_config_describe_faults (config, file->text, file->len, self->text);
  g_string_append_printf (self->text, "%s: ", path);
  append_count (self->text, config->n_errors, "error");
  g_string_append (self->text, ", ");
  append_count (self->text, config->n_warnings, "warning");
  g_string_append_c (self->text, '\n');
  if (self->pinsight_text == NULL)
    tell_dialects (self, file);
  return TRUE;
}

static int
run_check (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Check) self = { 0 };
  TtReportFormat format = TT_FORMAT_TABLE;
  int status;
  const GOptionEntry entries[] = {
    { "strict", 0, 0, G_OPTION_ARG_NONE, &self.is_strict, "Warnings are errors", NULL },
    { "pinsight", 0, 0, G_OPTION_ARG_STRING, &self.pinsight_text,
      "Whose reader: the format's document (seed, default), or PInsight's library of that time", "seed|2026-02|head" },
    TT_CONFIG_DOMAINS_ENTRY (&self.domains_path),
    { "format", 0, 0, G_OPTION_ARG_STRING, &self.format_text, "text (default), json, csv, tsv, markdown, table",
      "FORMAT" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_config_check, entries, &argc, &argv, &status, error))
    return status;
  if (argc < 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "nothing to check: give configuration files");
      return -1;
    }
  gboolean is_text = self.format_text == NULL || strcmp (self.format_text, "text") == 0;
  if (!is_text && !tt_report_format_parse (self.format_text, &format, error))
    return -1;
  self.text = g_string_new (NULL);
  self.report = is_text ? NULL : new_report ();

  for (char **path = argv + 1; *path != NULL; path++)
    if (!check_file (&self, *path, error))
      return -1;
  if (!is_text)
    tt_report_print (self.report, format, 0);
  else if (!tt_print_lines (self.text->str, error))
    return -1;
  return self.failed ? 1 : 0;
}

static char **
list_formats (const TtValuesQuestion *question)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_add (words, "text");
  g_strv_builder_addv (words, (const char **) tt_report_format_words);
  return g_strv_builder_end (words);
}

static const TtOptionValues check_values[] = { { "format", TT_VALUES_ONE, .list = list_formats }, { NULL } };

const TtCommand tt_command_config_check = {
  .name = "config check",
  .summary = "Find the mistakes in PInsight configurations",
  .usage = "FILE...",
  .details =
      "Reports every mistake of every file in one run: place, line, what is wrong, its code, and what was\n"
      "probably meant. Both forms of section headers are read; where PInsight's libraries read one\n"
      "otherwise, without a word, that is told. Exit status 1 if there are errors; warnings are about lines that\n"
      "PInsight itself would drop without a word.",
  .example = "tracetool config check pinsight.conf\n"
             "tracetool config check --format json pinsight.conf",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = check_values,
  .run = run_check,
};

/* -- fmt ------------------------------------------------------------------------------------------ */

static int
format_file (const char *path, const char *domains_path, gboolean in_place, gboolean only_check, GError **error)
{
  g_autoptr (TtConfigFile) file = tt_config_file_open (path, domains_path, NULL, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (file == NULL || !tt_config_file_check (file, error))
    return -1;
  tt_config_write_canonical (file->config, TRUE, text);
  gboolean is_same = text->len == file->len && memcmp (text->str, file->text, text->len) == 0;
  if (only_check)
    {
      if (!is_same)
        tt_print ("%s\n", path);
      return is_same ? 0 : 1;
    }
  if (!in_place)
    return tt_output_print ("-", text->str, (gssize) text->len, error) ? 0 : -1;
  return is_same || tt_output_print (path, text->str, (gssize) text->len, error) ? 0 : -1;
}

static int
run_fmt (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean in_place = FALSE, only_check = FALSE;
  g_autofree char *domains_path = NULL;
  int status, worst = 0;
  const GOptionEntry entries[] = {
    { "in-place", 'i', 0, G_OPTION_ARG_NONE, &in_place, "Change the files", NULL },
    { "check", 0, 0, G_OPTION_ARG_NONE, &only_check, "Only name the files that would change; status 1 if there are any",
      NULL },
    TT_CONFIG_DOMAINS_ENTRY (&domains_path),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_config_fmt, entries, &argc, &argv, &status, error))
    return status;
  if (argc < 2 || (argc > 2 && !in_place && !only_check) || (in_place && only_check))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   argc < 2   ? "nothing to format: give a configuration file"
                   : in_place ? "choose one of '-i' and '--check'"
                              : "several files are formatted in place: add '-i'");
      return -1;
    }
  for (char **path = argv + 1; *path != NULL; path++)
    {
      if (in_place && strcmp (*path, "-") == 0)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "standard input cannot be changed in place");
          return -1;
        }
      status = format_file (*path, domains_path, in_place, only_check, error);
      if (status < 0)
        return status;
      worst = MAX (worst, status);
    }
  return worst;
}

const TtCommand tt_command_config_fmt = {
  .name = "config fmt",
  .summary = "Write a PInsight configuration in one style",
  .usage = "FILE...",
  .details = "Keeps order and comments; the meaning stays. Headers have one form in the whole file: the parts inside\n"
             "the brackets, or after them if the file uses what only that form has. Ids are merged (0,2-4),\n"
             "addresses in lower case. A file with errors is left alone.",
  .example = "tracetool config fmt pinsight.conf\n"
             "tracetool config fmt -i pinsight.conf && tracetool config check pinsight.conf",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run_fmt,
};

/* -- the group ------------------------------------------------------------------------------------ */

static const TtCommand *const members[] = { &tt_command_config_check,   &tt_command_config_show,
                                            &tt_command_config_explain, &tt_command_config_fmt,
                                            &tt_command_config_suggest, NULL };

const TtCommand tt_command_config = {
  .name = "config",
  .summary = "Check, explain and format PInsight trace configurations",
  .members = members,
};
