#include "config.h"

#include "src/command.h"

#include "src/export-options.h"

static int
write_trace (const TtContext *context, char **paths, const char *path, const TtExportSettings *settings, GError **error)
{
  const TtExporter *exporter = &tt_exporter_chrome;
  TtExportReport report = { 0 };
  g_autoptr (TtOutput) out = tt_export_open (path, exporter, "tracetool export -o trace.json", error);

  if (out == NULL)
    return -1;
  g_autoptr (TtStore) store = tt_command_open_store (context, paths, error);
  if (store == NULL || !exporter->write (store, out, &settings->options, &report, error)
      || !tt_output_close (out, error))
    return -1;
  tt_export_tell (path, exporter, out, settings, &report);
  return 0;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtExportSettings) settings = TT_EXPORT_SETTINGS_INIT;
  g_autofree char *path = NULL;
  gboolean is_chrome = FALSE;
  int status;
  const GOptionEntry own[] = {
    { "chrome", 0, 0, G_OPTION_ARG_NONE, &is_chrome, "Chrome trace JSON (default)", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
      "Where to (default: standard output); .gz compresses", "FILE.json[.gz]" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_export_entries (&settings);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_export, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_export_settings_check (&settings, error))
    return -1;
  return write_trace (context, argv + 1, path, &settings, error);
}

const TtCommand tt_command_export = {
  .name = "export",
  .summary = "Write a run for trace viewers",
  .usage = "[TRACE...]",
  .details = "Writes Chrome trace JSON: open it in https://ui.perfetto.dev or chrome://tracing. Spans are complete\n"
             "events, counters counter events, messages arrows between the spans of sender and receiver; what\n"
             "has no partner is an instant. Times are microseconds from the run's first event, exact to the ns.\n"
             "args.cnt numbers the spans of one op_long_name by their time, in the whole run, whatever is shown.\n"
             "A span that overlaps the '--time-window' is written whole. Spans that do not nest, because a clock\n"
             "stepped back, get a second line of the same name.\n"
             "'--max-size' drops the shortest spans first, never one around a span that is kept.",
  .example = "tracetool export -o run.json run.trc run.edf\n"
             "tracetool export --filter op_cat=Comm --max-size 100M -o comm.json.gz run.trc run.edf",
  .run = run,
};
