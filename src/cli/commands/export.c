/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/tau-export/tau-export.h"
#include "src/cli/config-apply.h"
#include "src/cli/export-options.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/base/paths.h"

static TtStore *
open_store (const TtContext *context,
            char **paths,
            const TtExportSettings *settings,
            TtConfigSettings *config,
            GError **error)
{
  g_autoptr (TtStore) store = tt_command_open_store (context, paths, error);

  if (store == NULL || !tt_config_settings_select (config, store, settings->selection, error))
    return NULL;
  return g_steal_pointer (&store);
}

static int
write_trace (const TtContext *context,
             char **paths,
             const char *path,
             const TtExportSettings *settings,
             TtConfigSettings *config,
             GError **error)
{
  TtExportReport report = { 0 };
  g_autoptr (TtOutput) out = tt_export_open (path, "tracetool export -o trace.json", error);

  if (out == NULL)
    return -1;
  g_autoptr (TtStore) store = open_store (context, paths, settings, config, error);
  if (store == NULL || !tt_chrome_export (store, out, &settings->options, &report, error) ||
      !tt_output_close (out, error))
    return -1;
  tt_export_tell (path, out, settings, &report, store);
  return 0;
}

/* -- TAU ------------------------------------------------------------------------------------------ */

static void
tell_left_out (const TtTauExportReport *report)
{
  char count[TT_TIME_TEXT];

  if (report->n_instants > 0)
    tt_message ("left out %s instants: TAU has none", tt_count_text (count, report->n_instants));
  if (report->n_async > 0)
    tt_message ("left out %s asynchronous spans: TAU has none", tt_count_text (count, report->n_async));
  if (report->n_crossing > 0)
    tt_warning ("left out %s spans that cross another of their thread: TAU has none",
                tt_count_text (count, report->n_crossing));
  if (report->n_rounded > 0)
    tt_message ("%s times were cut to whole microseconds", tt_count_text (count, report->n_rounded));
  if (report->n_wrapped > 0)
    tt_warning ("%s sides of messages have a tag, communicator or length that TAU has no room for; it is wrapped",
                tt_count_text (count, report->n_wrapped));
  if (report->n_fractions > 0)
    tt_warning ("%s counter values were cut to integers", tt_count_text (count, report->n_fractions));
  if (report->n_renumbered > 0)
    tt_message ("%s processes and threads were renumbered: their id is not a number or is ambiguous",
                tt_count_text (count, report->n_renumbered));
  if (report->mixed_clocks)
    tt_warning ("times of different clocks are in one trace");
}

static gboolean
is_trace_name (const char *path)
{
  return g_str_has_suffix (path, ".trc");
}

/* The outputs come first, then traces to read instead of a database. */
static int
write_tau (const TtContext *context,
           char **paths,
           const TtExportSettings *settings,
           TtConfigSettings *config,
           GError **error)
{
  const char *trc = paths[0];
  const char *edf = trc != NULL && is_trace_name (trc) ? paths[1] : NULL;
  TtTauExportReport report = { 0 };
  char files[TT_TIME_TEXT], spans[TT_TIME_TEXT];

  if (trc == NULL || (is_trace_name (trc) && (edf == NULL || !g_str_has_suffix (edf, ".edf"))))
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_USAGE,
          "'--tau' wants OUT.trc OUT.edf, or a folder for a trace a thread: tracetool export --tau out.trc out.edf");
      return -1;
    }
  tt_cancel_install ();
  g_autoptr (TtStore) store = open_store (context, paths + (edf != NULL ? 2 : 1), settings, config, error);
  if (store == NULL || !tt_tau_export_trace (store, trc, edf, settings->options.selection, &report, error))
    return -1;
  g_autofree char *word = tt_shell_word (trc);
  tt_message ("wrote %s spans to %s (trace files: %s); jumpshot shows it after tau2slog2",
              tt_count_text (spans, report.n_spans), word, tt_count_text (files, report.n_files));
  tell_left_out (&report);
  return 0;
}

static int
write_profile (const TtContext *context,
               char **paths,
               const char *folder,
               const TtExportSettings *settings,
               TtConfigSettings *config,
               GError **error)
{
  TtTauExportReport report = { 0 };
  char files[TT_TIME_TEXT], spans[TT_TIME_TEXT];

  tt_cancel_install ();
  g_autoptr (TtStore) store = open_store (context, paths, settings, config, error);
  if (store == NULL || !tt_tau_export_profile (store, folder, settings->options.selection, &report, error))
    return -1;
  g_autofree char *word = tt_shell_word (folder);
  tt_message ("wrote %s profiles of %s spans to %s; look at them with pprof or paraprof",
              tt_count_text (files, report.n_files), tt_count_text (spans, report.n_spans), word);
  tell_left_out (&report);
  return 0;
}

static gboolean
check_choice (gboolean is_chrome, gboolean is_tau, const char *profile, const char *path, GError **error)
{
  if (is_chrome + is_tau + (profile != NULL) > 1)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "choose one of '--chrome', '--tau' and '--profile'");
  else if (path != NULL && (is_tau || profile != NULL))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'-o' is for Chrome traces; '--tau' and '--profile' name where they write");
  else
    return TRUE;
  return FALSE;
}

/* -- the command ---------------------------------------------------------------------------------- */

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtExportSettings) settings = TT_EXPORT_SETTINGS_INIT;
  g_autofree char *path = NULL, *profile = NULL;
  gboolean is_chrome = FALSE, is_tau = FALSE;
  int status;
  const GOptionEntry own[] = {
    { "chrome", 0, 0, G_OPTION_ARG_NONE, &is_chrome, "Write Chrome trace JSON (default)", NULL },
    { "tau", 0, 0, G_OPTION_ARG_NONE, &is_tau,
      "Write a TAU trace: OUT.trc OUT.edf, or a folder with a trace per thread", NULL },
    { "profile", 0, 0, G_OPTION_ARG_FILENAME, &profile,
      "Write TAU profiles, profile.N.0.T, into the folder DIR", "DIR" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "Write to FILE (default: standard output); .gz compresses",
      "FILE.json[.gz]" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_export_entries (&settings);
  g_auto (TtConfigSettings) config = { 0 };
  g_autofree GOptionEntry *apply = tt_config_apply_entries (&config);
  g_autofree GOptionEntry *most = tt_options_concat (own, shared);
  g_autofree GOptionEntry *entries = tt_options_concat (most, apply);

  if (!tt_command_parse (&tt_command_export, entries, &argc, &argv, &status, error))
    return status;
  if (!check_choice (is_chrome, is_tau, profile, path, error) || !tt_export_settings_check (&settings, error) ||
      !tt_config_settings_open (&config, error))
    return -1;
  if (config.filter != NULL && settings.selection == NULL)
    settings.options.selection = settings.selection = tt_selection_new (NULL, NULL, TT_UNIT_US, NULL);
  if (is_tau)
    return write_tau (context, argv + 1, &settings, &config, error);
  if (profile != NULL)
    return write_profile (context, argv + 1, profile, &settings, &config, error);
  return write_trace (context, argv + 1, path, &settings, &config, error);
}

const TtCommand tt_command_export = {
  .name = "export",
  .summary = "Write a run for trace viewers",
  .usage = "[OUT.trc OUT.edf] [TRACE...]",
  .details = "Writes Chrome trace JSON: open it in https://ui.perfetto.dev or chrome://tracing. Spans become complete\n"
             "events, counters become counter events, messages become arrows between the spans of sender and "
             "receiver,\n"
             "and so do flows; a message without a partner becomes an instant. Times are microseconds from the run's "
             "first event, "
             "exact to the ns.\n"
             "args.cnt numbers the spans of one op_long_name by their time, in the whole run, whatever is shown.\n"
             "A span that overlaps the '--time-window' is written whole. Spans that do not nest, because a clock\n"
             "stepped back, are shown on a second line of the same name.\n"
             "'--max-size' drops the shortest spans first, never one that contains a span that is kept.\n"
             "'--tau' writes a TAU trace for TAU's own viewers; what TAU cannot represent is reported.",
  .example = "tracetool export -o run.json run.trc run.edf\n"
             "tracetool export --filter op_cat=Comm --max-size 100M -o comm.json.gz run.trc run.edf\n"
             "tracetool export --tau out.trc out.edf run.trc run.edf",
  .run = run,
};
