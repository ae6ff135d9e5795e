/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/export-records.h"

#include "formats/otf2-export/otf2-export.h"
#include "formats/tau-export/tau-export.h"
#include "src/base/paths.h"
#include "src/cli/export-waits.h"
#include "src/cli/options.h"
#include "src/cli/session.h"

TtStore *
tt_export_open_store (const TtContext *context,
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

/* -- TAU ------------------------------------------------------------------------------------------ */

static void
tell_left_out (const TtTauExportReport *report)
{
  char count[TT_TIME_TEXT];

  if (report->run.n_instants > 0)
    tt_message ("left out %s instants: TAU has none", tt_count_text (count, report->run.n_instants));
  if (report->run.n_async > 0)
    tt_message ("left out %s asynchronous spans: TAU has none", tt_count_text (count, report->run.n_async));
  if (report->run.n_crossing > 0)
    tt_warning ("left out %s spans that cross another of their thread: TAU has none",
                tt_count_text (count, report->run.n_crossing));
  if (report->run.n_rounded > 0)
    tt_message ("%s times were cut to whole microseconds", tt_count_text (count, report->run.n_rounded));
  if (report->n_wrapped > 0)
    tt_warning ("%s sides of messages have a tag, communicator or length that TAU has no room for; it is wrapped",
                tt_count_text (count, report->n_wrapped));
  if (report->n_fractions > 0)
    tt_warning ("%s counter values were cut to integers", tt_count_text (count, report->n_fractions));
  if (report->n_renumbered > 0)
    tt_message ("%s processes and threads were renumbered: their id is not a number or is ambiguous",
                tt_count_text (count, report->n_renumbered));
  if (report->run.mixed_clocks)
    tt_warning ("times of different clocks are in one trace");
}

static gboolean
is_trace_name (const char *path)
{
  return g_str_has_suffix (path, ".trc");
}

/* Where a TAU trace goes, and what is left of the command's words: traces to read instead of a database. */
typedef struct
{
  char *trc; /* a file, or the folder of a trace a thread */
  char *edf; /* NULL: it is a folder */
  char **inputs;
} TauOutput;

static void
tau_output_clear (TauOutput *self)
{
  g_free (self->trc);
  g_free (self->edf);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauOutput, tau_output_clear)

/* What is called so is not meant to be a folder. */
static gboolean
is_of_other_format (const char *path)
{
  static const char *const ends[] = { ".edf", ".json", ".gz", ".zst", ".pftrace", ".txt" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (path, ends[i]))
      return TRUE;
  return FALSE;
}

/* The outputs come first, or are those of '-o': of a trace, the definitions lie beside it. */
static gboolean
find_tau_output (TauOutput *self, char **words, const char *output, GError **error)
{
  const char *trc = output != NULL ? output : words[0], *edf = NULL;
  guint n_words = output != NULL ? 0 : 1;

  if (output == NULL && trc != NULL && is_trace_name (trc))
    {
      edf = words[1];
      n_words = 2;
    }
  if (trc == NULL || strcmp (trc, "-") == 0 || is_of_other_format (trc) ||
      (n_words == 2 && (edf == NULL || !g_str_has_suffix (edf, ".edf"))))
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_USAGE,
          "'--tau' wants OUT.trc OUT.edf, '-o OUT.trc', which writes OUT.edf beside it, or a folder for a trace a"
          " thread: tracetool export --tau -o out.trc");
      return FALSE;
    }
  self->inputs = words + n_words;
  self->trc = g_strdup (trc);
  if (edf != NULL)
    self->edf = g_strdup (edf);
  else if (is_trace_name (trc))
    self->edf = g_strdup_printf ("%.*s.edf", (int) (strlen (trc) - strlen (".trc")), trc);
  return TRUE;
}

int
tt_export_write_tau (const TtContext *context,
                     char **words,
                     const char *output,
                     const TtExportSettings *settings,
                     TtConfigSettings *config,
                     GError **error)
{
  g_auto (TauOutput) to = { 0 };
  TtTauExportReport report = { 0 };
  char files[TT_TIME_TEXT], spans[TT_TIME_TEXT];

  if (!find_tau_output (&to, words, output, error))
    return -1;
  tt_cancel_install ();
  g_autoptr (TtStore) store = tt_export_open_store (context, to.inputs, settings, config, error);
  if (store == NULL || !tt_tau_export_trace (store, to.trc, to.edf, settings->options.selection, &report, error))
    return -1;
  g_autofree char *word = tt_shell_word (to.trc);
  tt_message ("wrote %s spans to %s (trace files: %s); jumpshot shows it after tau2slog2",
              tt_count_text (spans, report.run.n_spans), word, tt_count_text (files, report.n_files));
  tell_left_out (&report);
  return 0;
}

int
tt_export_write_profile (const TtContext *context,
                         char **paths,
                         const char *folder,
                         const TtExportSettings *settings,
                         TtConfigSettings *config,
                         GError **error)
{
  TtTauExportReport report = { 0 };
  char files[TT_TIME_TEXT], spans[TT_TIME_TEXT];

  tt_cancel_install ();
  g_autoptr (TtStore) store = tt_export_open_store (context, paths, settings, config, error);
  if (store == NULL || !tt_tau_export_profile (store, folder, settings->options.selection, &report, error))
    return -1;
  g_autofree char *word = tt_shell_word (folder);
  tt_message ("wrote %s profiles of %s spans to %s; look at them with pprof or paraprof",
              tt_count_text (files, report.n_files), tt_count_text (spans, report.run.n_spans), word);
  tell_left_out (&report);
  return 0;
}

/* -- OTF2 ---------------------------------------------------------------------------------------------------------- */

static void
tell_left_out_of_otf2 (const TtOtf2ExportReport *report)
{
  char count[TT_TIME_TEXT];

  guint64 n_off_stack = report->run.n_async + report->run.n_crossing;

  if (n_off_stack > 0)
    tt_message ("%s spans are on no stack: in OTF2 they are parameters with a duration",
                tt_count_text (count, n_off_stack));
  if (report->run.n_instants > 0)
    tt_message ("%s instants are parameters in OTF2", tt_count_text (count, report->run.n_instants));
  if (report->n_texts > 0)
    tt_warning ("left out %s arguments that are too long for OTF2", tt_count_text (count, report->n_texts));
  if (report->n_flow_sides > 0)
    tt_warning ("left out %s ends of flows of events with more than OTF2 attributes",
                tt_count_text (count, report->n_flow_sides));
  if (report->run.n_no_thread > 0)
    tt_warning ("left out %s values of counters that belong to no thread",
                tt_count_text (count, report->run.n_no_thread));
  if (report->run.n_attached > 0)
    tt_warning ("left out %s sides of messages and values of metrics of spans that are on no stack",
                tt_count_text (count, report->run.n_attached));
  if (report->n_tasks > 0)
    tt_warning ("left out %s task%s of graphs of a process that has a later one",
                tt_count_text (count, report->n_tasks), report->n_tasks == 1 ? "" : "s");
  if (report->n_wrapped > 0)
    tt_warning ("%s sides of messages have a tag that OTF2 has no room for; other programs see 0",
                tt_count_text (count, report->n_wrapped));
  if (report->run.mixed_clocks)
    tt_warning ("times of different clocks are in one trace");
}

int
tt_export_write_otf2 (const TtContext *context,
                      char **paths,
                      const char *folder,
                      const TtExportSettings *settings,
                      TtConfigSettings *config,
                      GError **error)
{
  TtOtf2ExportReport report = { 0 };
  char locations[TT_TIME_TEXT], spans[TT_TIME_TEXT];

  tt_cancel_install ();
  g_autoptr (TtStore) store = tt_export_open_store (context, paths, settings, config, error);
  if (store == NULL || !tt_otf2_export (store, folder, settings->options.selection, &report, error))
    return -1;
  g_autofree char *anchor = g_build_filename (folder, "traces.otf2", NULL);
  g_autofree char *word = tt_shell_word (anchor);
  tt_message ("wrote %s spans of %s threads to %s", tt_count_text (spans, report.run.n_spans),
              tt_count_text (locations, report.n_locations), word);
  tell_left_out_of_otf2 (&report);
  return 0;
}
