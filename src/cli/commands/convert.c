/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/perfetto-export/perfetto-export.h"
#include "formats/plan.h"
#include "src/cli/default-output.h"
#include "src/cli/export-options.h"
#include "src/cli/import-options.h"
#include "src/cli/options.h"
#include "src/cli/run-facts.h"

#include <stdio.h>

#define N_BATCHES 4u

/* From an importer straight to an exporter: nothing is kept. */

typedef struct
{
  TtImportSettings import;
  GPtrArray *plan; /* of TtPlannedInput */
  TtSink *sink;
  TtProgress *progress;
  TtRepairs repairs; /* of all sources */
} Conversion;

static void
conversion_clear (Conversion *self)
{
  g_clear_pointer (&self->sink, tt_sink_free);
  g_clear_pointer (&self->progress, tt_progress_free);
  g_clear_pointer (&self->plan, g_ptr_array_unref);
  tt_import_settings_clear (&self->import);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Conversion, conversion_clear)

static gboolean
make_plan (Conversion *self, char **paths, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  const TtFormat *forced = NULL;

  if (self->import.format != NULL && (forced = tt_format_by_name (self->import.format, error)) == NULL)
    return FALSE;
  self->plan = tt_format_plan (paths, forced, notes, NULL, error);
  for (guint i = 0; i < notes->len && !self->import.quiet; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (notes, i));
  if (self->plan == NULL)
    return FALSE;
  if (self->plan->len > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has no trace that tracetool reads", paths[0]);
  return FALSE;
}

static void
note_repairs (const TtBatch *batch, gpointer data)
{
  Conversion *self = data;

  tt_repairs_merge (&self->repairs, &batch->repairs);
}

/* One thread decodes, one sorts; after that one merges, one formats. */
static gboolean
convert (Conversion *self, TtOutput *out, const TtExportOptions *options, TtExportReport *report, GError **error)
{
  TtNameRules *rules = tt_name_rules_load (self->import.name_rules, error);

  if (rules == NULL)
    return FALSE;
  self->sink = tt_chrome_sink_new (out, tt_names_new (rules), options, report);
  tt_sink_add_thread (self->sink, "writer", N_BATCHES);
  tt_sink_add_observer (self->sink, note_repairs, self);
  if (!self->import.quiet)
    self->progress = tt_progress_new ("reading", tt_format_plan_bytes (self->plan), "B");
  self->sink->progress = self->progress;
  if (self->import.config.filter != NULL)
    tt_sink_set_filter (self->sink, tt_config_filter_base (self->import.config.filter));

  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (self->plan, i);

      if (i == 0 || input->format != ((const TtPlannedInput *) g_ptr_array_index (self->plan, i - 1))->format)
        self->import.options.n_alike = tt_format_plan_alike (self->plan, input->format);
      tt_names_set_source (self->sink->names, input->format->name);
      if (!input->format->import (input->set, &self->import.options, self->sink, error))
        return FALSE;
    }
  self->sink->progress = NULL;
  g_clear_pointer (&self->progress, tt_progress_free);
  if (!tt_sink_finish (self->sink, error))
    return FALSE;
  for (guint i = 0; i < self->sink->notes->len; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (self->sink->notes, i));
  return TRUE;
}

static int
convert_paths (Conversion *self, char **paths, const char *path, TtExportSettings *settings, GError **error)
{
  TtExportReport report = { 0 };

  if (tt_default_output_is_stdout (path) && tt_terminal_width () > 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "the trace would go to your terminal; name a file: tracetool convert IN... trace.json");
      return -1;
    }
  if (tt_export_has_suffix (path, tt_export_perfetto_suffixes))
    {
      if (settings->is_template)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--template' is JSON; it does not go with Perfetto's format");
          return -1;
        }
      settings->options.language = &tt_perfetto_language;
    }
  g_autoptr (TtOutput) out = tt_export_open (path, tt_export_viewer_suffixes, error);
  if (out == NULL)
    return -1;
  tt_cancel_install ();
  if (!make_plan (self, paths, error) || !convert (self, out, &settings->options, &report, error) ||
      !tt_output_close (out, error))
    return -1;
  if (self->import.quiet)
    return 0;
  tt_config_settings_tell (&self->import.config);
  tt_repairs_merge (&self->repairs, &report.repairs);
  if (tt_repairs_total (&self->repairs) > 0)
    {
      g_autofree char *text = tt_repairs_describe (&self->repairs, NULL);
      tt_message ("repairs: %s", text);
    }
  tt_export_tell (out, settings, &report, NULL);
  return 0;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtExportSettings) settings = TT_EXPORT_SETTINGS_INIT;
  g_auto (Conversion) conversion = { .import = TT_IMPORT_SETTINGS_INIT };
  int status;
  g_autofree GOptionEntry *own = tt_import_entries (&conversion.import);
  g_autofree GOptionEntry *shared = tt_export_entries (&settings);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_convert, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_import_settings_check (&conversion.import, error) || !tt_export_settings_check (&settings, error))
    return -1;
  if (argc < 3)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "give what to read and, last, what to write: tracetool convert IN... OUT.json");
      return -1;
    }
  g_autofree char **paths = g_new0 (char *, (gsize) argc);
  for (int i = 1; i < argc - 1; i++)
    paths[i - 1] = argv[i];
  return convert_paths (&conversion, paths, argv[argc - 1], &settings, error);
}

const TtCommand tt_command_convert = {
  .name = "convert",
  .summary = "Convert traces for trace viewers without a database",
  .usage = "IN... OUT",
  .details = "INs are files or folders as for 'import'; OUT ends in .json for Chrome trace JSON or in .pftrace for\n"
             "Perfetto's own format, .gz may follow; '-' is JSON on standard output.\n"
             "Writes what 'import' and 'export' would write, in one go and in bounded memory.",
  .example = "tracetool convert run.trc run.edf run.json",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = tt_import_values,
  .run = run,
};
