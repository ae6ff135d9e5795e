/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/perfetto-export/perfetto-export.h"
#include "formats/stack-export/stack-export.h"
#include "src/base/paths.h"
#include "src/cli/commands/export-records.h"
#include "src/cli/commands/export-slices.h"
#include "src/cli/default-output.h"
#include "src/cli/export-options.h"
#include "src/cli/export-waits.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/shards/ranks.h"

#include <string.h>

/* What was written, by the language. */
typedef union
{
  TtExportReport chrome;
  TtStackReport stacks;
} Report;

/* A language that is written as one document. */
typedef struct
{
  const char *option; /* of the command line, without the dashes */
  const char *help;
  const char *default_name;    /* in a terminal, without -o */
  const char *const *suffixes; /* of -o, NULL-ended; .gz may follow */
  gboolean (*write) (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error);
  /* On standard error. */
  void (*tell) (const TtOutput *out, const TtExportSettings *settings, const Report *report, TtStore *store);
  TtExportSliceFunc write_slice; /* NULL: one rank of a job writes alone */
  const ChromeLanguage *viewer;  /* of TtExportOptions, where write_chrome() writes it and it is not JSON */
} Language;

/* -- documents ------------------------------------------------------------------------------------ */

static gboolean
write_chrome (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  TtExportOptions options = settings->options;
  g_autoptr (GArray) waits = NULL;

  if (settings->with_waits && settings->selection != NULL && !tt_selection_bind (settings->selection, store, error))
    return FALSE;
  if (settings->with_waits && (options.waits = waits = tt_export_waits_new (store, settings->selection, error)) == NULL)
    return FALSE;
  return tt_chrome_export (store, out, &options, &report->chrome, error);
}

static void
tell_chrome (const TtOutput *out, const TtExportSettings *settings, const Report *report, TtStore *store)
{
  tt_export_tell (out, settings, &report->chrome, store);
}

static TtStackOptions
stack_options (const TtExportSettings *settings)
{
  return (TtStackOptions){ settings->selection, settings->options.original_names, NULL };
}

static gboolean
write_folded (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  TtStackOptions options = stack_options (settings);
  TtCrew crew;
  gboolean is_shared;

  if (!tt_run_crew (store, &crew, &is_shared, error))
    return FALSE;
  options.crew = is_shared ? &crew : NULL;
  return tt_folded_export (store, &options, out, &report->stacks, error);
}

static gboolean
write_speedscope (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  const TtStackOptions options = stack_options (settings);

  return tt_speedscope_export (store, &options, out, &report->stacks, error);
}

/* -- slices of the ranks of a job ------------------------------------------------------------------ */

/* Of a run whose reading cannot be shared: each of them reads it whole, from one file. */
#define MAX_SLICES 8u

/* By parts of the time, or where that cannot be, of all rows. */
static gboolean
write_chrome_slice (TtStore *store,
                    TtOutput *out,
                    const TtExportSettings *settings,
                    TtExportSlices *slices,
                    gpointer report,
                    GError **error)
{
  const TtShardRanks *ranks = tt_shard_ranks ();
  TtExportSettings sliced = *settings;
  TtExportReport *chrome = &((Report *) report)->chrome;

  if (slices->is_odd)
    slices->n = MIN (slices->n, MAX_SLICES);
  *chrome = (TtExportReport){ 0 };
  if (ranks->rank >= slices->n)
    return TRUE;
  sliced.options.slice = ranks->rank;
  sliced.options.n_slices = slices->n;
  sliced.options.crew = slices->is_odd ? NULL : ranks->crew;
  if (!write_chrome (store, out, &sliced, report, error))
    return FALSE;
  slices->is_odd |= chrome->end == TT_EXPORT_ODD;
  slices->is_over = chrome->end == TT_EXPORT_OVER;
  slices->n_left_out = chrome->n_long_args;
  return TRUE;
}

/* Where parts make no whole, rank 0 writes all. */
static gboolean
write_speedscope_slice (TtStore *store,
                        TtOutput *out,
                        const TtExportSettings *settings,
                        TtExportSlices *slices,
                        gpointer report,
                        GError **error)
{
  TtStackOptions options = stack_options (settings);
  TtStackReport *stacks = &((Report *) report)->stacks;

  if (slices->is_odd)
    slices->n = 1;
  *stacks = (TtStackReport){ 0 };
  if (tt_shard_ranks ()->rank >= slices->n)
    return TRUE;
  options.crew = slices->is_odd ? NULL : tt_shard_ranks ()->crew;
  if (!tt_speedscope_export (store, &options, out, stacks, error))
    return FALSE;
  slices->is_odd |= stacks->is_odd;
  slices->is_over = stacks->is_over;
  return TRUE;
}

/* -- what is said ------------------------------------------------------------------------------------ */

static void
tell_stacks_left_out (const TtStackReport *report)
{
  char count[TT_TIME_TEXT];

  if (report->n_instants > 0)
    tt_message ("left out %s instants: they are on no stack", tt_count_text (count, report->n_instants));
  if (report->n_left_out > 0)
    tt_warning ("left out %s spans: more than %u cross each other", tt_count_text (count, report->n_left_out),
                TT_STACK_MAX_PROFILES);
  if (report->n_renamed > 0)
    tt_message ("';' became ':', and a line's end a blank, in %s names", tt_count_text (count, report->n_renamed));
  if (report->mixed_clocks)
    tt_warning ("some values are nanoseconds, others ticks");
}

static void
tell_folded (const TtOutput *out, const TtExportSettings *settings, const Report *report, TtStore *store)
{
  const TtStackReport *stacks = &report->stacks;
  const char *path = tt_output_path (out);
  char spans[TT_TIME_TEXT], paths[TT_TIME_TEXT];
  g_autofree char *word = path == NULL ? g_strdup ("FILE") : tt_shell_word (path);

  tt_message ("wrote %s call paths of %s spans%s%s", tt_count_text (paths, stacks->n_paths),
              tt_count_text (spans, stacks->n_spans), path != NULL ? " to " : "", path != NULL ? word : "");
  tt_message ("to see them: flamegraph.pl %s, or open in https://www.speedscope.app", word);
  if (stacks->n_spans == 0)
    tt_command_nothing_matches ("span", settings->selection, store);
  tell_stacks_left_out (stacks);
}

static void
tell_speedscope (const TtOutput *out, const TtExportSettings *settings, const Report *report, TtStore *store)
{
  const TtStackReport *stacks = &report->stacks;
  const char *path = tt_output_path (out);
  char spans[TT_TIME_TEXT], profiles[TT_TIME_TEXT];
  g_autofree char *word = path == NULL ? NULL : tt_shell_word (path);

  tt_message ("wrote %s spans in %s profiles%s%s", tt_count_text (spans, stacks->n_spans),
              tt_count_text (profiles, stacks->n_profiles), word != NULL ? " to " : "", word != NULL ? word : "");
  tt_message ("to see them: open in https://www.speedscope.app");
  if (stacks->n_spans == 0)
    tt_command_nothing_matches ("span", settings->selection, store);
  tell_stacks_left_out (stacks);
}

static const char *const folded_suffixes[] = { ".folded", ".txt", NULL };

/* The first is what is written without an option. */
static const Language languages[] = {
  { "chrome", "Write Chrome trace JSON (default)", "trace.json", tt_export_chrome_suffixes, write_chrome, tell_chrome,
    write_chrome_slice, NULL },
  { "perfetto", "Write Perfetto's own format, a third of the size (default for .pftrace)", "trace.pftrace",
    tt_export_perfetto_suffixes, write_chrome, tell_chrome, NULL, &tt_perfetto_language },
  { "folded", "Write folded stacks: a call path and its self time (ns) a line", "stacks.folded", folded_suffixes,
    write_folded, tell_folded, NULL, NULL },
  { "speedscope", "Write a profile a thread for https://www.speedscope.app", "trace.speedscope.json",
    tt_export_chrome_suffixes, write_speedscope, tell_speedscope, write_speedscope_slice, NULL },
};

#define N_LANGUAGES G_N_ELEMENTS (languages)

/* Without an option: Perfetto's by the name of the output, else the first. */
static const Language *
default_language (const char *path)
{
  for (guint i = 0; i < N_LANGUAGES; i++)
    if (languages[i].viewer != NULL && tt_export_has_suffix (path, languages[i].suffixes))
      return &languages[i];
  return &languages[0];
}

/* On other ranks than 0, whose part of folded stacks rank 0 writes. */
static int
help_folded (const TtContext *context,
             char **paths,
             const TtExportSettings *settings,
             TtConfigSettings *config,
             GError **error)
{
  g_autoptr (TtStore) store = tt_export_open_store (context, paths, settings, config, error);
  Report report = { 0 };
  GError *failure = NULL;

  if (store == NULL)
    return -1;
  write_folded (store, NULL, settings, &report, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL ? 0 : -1;
}

static gboolean
write_by (const Language *language,
          gboolean by_ranks,
          TtStore *store,
          TtOutput *out,
          const TtExportSettings *settings,
          Report *report,
          GError **error)
{
  TtExportSlices slices;

  if (!by_ranks || tt_output_part (out) == NULL)
    return language->write (store, out, settings, report, error);
  if (!tt_export_slices_lead (language->write_slice, store, out, settings, &slices, report, error))
    return FALSE;
  if (language->write_slice == write_chrome_slice)
    report->chrome.n_long_args = slices.n_left_out;
  return TRUE;
}

static int
write_document (const Language *language,
                const TtContext *context,
                char **paths,
                const char *path,
                const TtExportSettings *settings,
                TtConfigSettings *config,
                GError **error)
{
  gboolean is_due = tt_default_output_is_due (path);
  gboolean by_ranks = language->write_slice != NULL && tt_export_is_sliced (path, settings);
  Report report = { 0 };
  TtCrew crew;

  if (by_ranks && tt_shard_ranks ()->rank > 0)
    return tt_export_slices_help (language->write_slice, context, paths, settings, config, &report, error);
  if (language->write == write_folded && tt_run_has_crew (&crew) && crew.rank > 0)
    return help_folded (context, paths, settings, config, error);
  g_autoptr (TtOutput) out = is_due ? NULL : tt_export_open (path, language->suffixes, error);

  if (!is_due && out == NULL)
    return -1;
  g_autoptr (TtStore) store = tt_export_open_store (context, paths, settings, config, error);
  if (store == NULL ||
      (is_due && (out = tt_default_output_open (store, paths[0], language->default_name, error)) == NULL) ||
      !write_by (language, by_ranks, store, out, settings, &report, error) || !tt_output_close (out, error))
    return -1;
  language->tell (out, settings, &report, store);
  return 0;
}

/* -- the command ---------------------------------------------------------------------------------- */

typedef struct
{
  gboolean languages[N_LANGUAGES], tau;
  char *profile, *otf2, *output;
} Choice;

static void
choice_clear (Choice *self)
{
  g_free (self->profile);
  g_free (self->otf2);
  g_free (self->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

/* NULL-ended. Free it. */
static GOptionEntry *
choice_entries (Choice *self, TtExportSettings *settings)
{
  const GOptionEntry rest[] = {
    { "tau", 0, 0, G_OPTION_ARG_NONE, &self->tau,
      "Write a TAU trace: OUT.trc OUT.edf, or a folder with a trace per thread; also as -o OUT.trc, -o FOLDER", NULL },
    { "profile", 0, 0, G_OPTION_ARG_FILENAME, &self->profile,
      "Write TAU profiles, profile.N.0.T, into the folder DIR, with further metrics into MULTI__METRIC", "DIR" },
    { "otf2", 0, 0, G_OPTION_ARG_FILENAME, &self->otf2,
      "Write an OTF2 archive, traces.otf2 and its files, into the new folder DIR", "DIR" },
    { "waits", 0, 0, G_OPTION_ARG_NONE, &settings->with_waits,
      "Also write how long spans wait, why, and for which rank, as 'waits' finds it", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output,
      "Write to FILE, '-': standard output; .gz compresses (default: see below)", "FILE[.gz]" },
    G_OPTION_ENTRY_NULL,
  };
  GOptionEntry own[N_LANGUAGES + 1] = { 0 };

  for (guint i = 0; i < N_LANGUAGES; i++)
    own[i] = (GOptionEntry){ .long_name = languages[i].option,
                             .arg = G_OPTION_ARG_NONE,
                             .arg_data = &self->languages[i],
                             .description = languages[i].help };
  return tt_options_concat (own, rest);
}

/* The language chosen; NULL: one of records, which are no single document, or @error. */
static const Language *
read_choice (const Choice *self, const TtExportSettings *settings, GError **error)
{
  const char *chrome_only = tt_export_settings_chrome_only (settings);
  const Language *language = NULL;
  const char *records = self->tau ? "tau" : self->profile != NULL ? "profile" : self->otf2 != NULL ? "otf2" : NULL;
  guint n = (self->tau != FALSE) + (self->profile != NULL) + (self->otf2 != NULL);

  for (guint i = 0; i < N_LANGUAGES; i++)
    if (self->languages[i])
      {
        language = &languages[i];
        n++;
      }
  if (n == 0)
    language = default_language (self->output);
  gboolean is_perfetto = language != NULL && language->viewer != NULL;
  if (n > 1)
    {
      g_autoptr (GString) words = g_string_new (NULL);
      for (guint i = 0; i < N_LANGUAGES; i++)
        g_string_append_printf (words, "'--%s', ", languages[i].option);
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "choose one of %s'--tau', '--profile' and '--otf2'", words->str);
    }
  else if ((self->profile != NULL || self->otf2 != NULL) && self->output != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'-o' does not go with '--%s', which names where it writes", records);
  else if (records != NULL && settings->names_text != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--names' does not go with '--%s': its files have original names",
                 records);
  else if (is_perfetto && settings->is_template)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--template' is JSON; it does not go with Perfetto's format");
  else if (settings->with_waits && settings->is_template)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--waits' writes arguments; it does not go with '--template'");
  else if (language != &languages[0] && !is_perfetto && chrome_only != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is for Chrome traces; '--%s' has nothing like it", chrome_only,
                 language != NULL ? language->option : records);
  else
    return language;
  return NULL;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtExportSettings) settings = TT_EXPORT_SETTINGS_INIT;
  g_auto (Choice) choice = { 0 };
  g_autoptr (GError) fault = NULL;
  int status;
  g_autofree GOptionEntry *own = choice_entries (&choice, &settings);
  g_autofree GOptionEntry *shared = tt_export_entries (&settings);
  g_auto (TtConfigSettings) config = { 0 };
  g_autofree GOptionEntry *apply = tt_config_apply_entries (&config);
  g_autofree GOptionEntry *most = tt_options_concat (own, shared);
  g_autofree GOptionEntry *entries = tt_options_concat (most, apply);

  if (!tt_command_parse (&tt_command_export, entries, &argc, &argv, &status, error))
    return status;
  const Language *language = read_choice (&choice, &settings, &fault);
  if (fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return -1;
    }
  if (!tt_export_settings_check (&settings, error) || !tt_config_settings_open (&config, error))
    return -1;
  if (language != NULL && language->viewer != NULL)
    settings.options.language = language->viewer;
  if (config.filter != NULL && settings.selection == NULL)
    settings.options.selection = settings.selection = tt_selection_new (NULL, NULL, TT_UNIT_US, NULL);
  if (choice.tau)
    return tt_export_write_tau (context, argv + 1, choice.output, &settings, &config, error);
  if (choice.profile != NULL)
    return tt_export_write_profile (context, argv + 1, choice.profile, &settings, &config, error);
  if (choice.otf2 != NULL)
    return tt_export_write_otf2 (context, argv + 1, choice.otf2, &settings, &config, error);
  return write_document (language, context, argv + 1, choice.output, &settings, &config, error);
}

static const TtOptionValues values[] = { { "unit", TT_VALUES_ONE, tt_unit_words }, { NULL } };

const TtCommand tt_command_export = {
  .name = "export",
  .summary = "Write a run for trace viewers",
  .usage = "[OUT.trc OUT.edf] [TRACE...]",
  .details =
      "Writes Chrome trace JSON: open it in https://ui.perfetto.dev or chrome://tracing. Spans become complete\n"
      "events, counters become counter events, messages become arrows between the spans of sender and receiver,\n"
      "and so do flows; a message without a partner becomes an instant. Times are microseconds from the run's "
      "first event, exact to the ns.\n"
      "args.cnt numbers the spans of one op_long_name by their time, in the whole run, whatever is shown.\n"
      "A span that overlaps the '--time-window' is written whole. Viewers show no spans of a line that cross, none\n"
      "deeper than 512, and instants of one time below each other: what does not fit is on further lines of the\n"
      "same name, asynchronous spans are apart from the calls. An arrow ends at a mark of category 'arrow', at its\n"
      "true time, where viewers would take another span or turn it round. With '--absolute' they read JSON's times\n"
      "to 250 ns only, Perfetto's format exactly.\n"
      "'--perfetto' writes the same in Perfetto's own format: exact nanoseconds, a third of the size.\n"
      "'--waits' adds wait_ns, wait_kind and wait_for (a rank) to the arguments of spans that wait, as 'waits' finds "
      "it.\n"
      "'--names original' calls what is shown as the source does and keeps the standard name in args; a later\n"
      "import finds the same names in either. Frames of stacks have one name only.\n"
      "'--max-size' drops the shortest spans first, never one that contains a span that is kept.\n"
      "'--folded' writes a line a call path of a thread: process, thread and names joined by ';', and the self time\n"
      "of its spans in integer nanoseconds (ticks, if the clock counts ticks). The values add up to the self time\n"
      "of the spans. Asynchronous spans and spans that cross others stand under (async) and (overlap). Spans that\n"
      "'--filter' leaves out are treated as absent. ';' in a name becomes ':'.\n"
      "'--speedscope' writes a profile a thread. Spans that cross another are in a further profile of their thread,\n"
      "NAME (2), asynchronous ones in NAME (async).\n"
      "'--tau' writes a TAU trace for TAU's own viewers; what TAU cannot represent is reported.\n"
      "'--otf2' writes an OTF2 archive for Vampir, Scalasca, Pipit and Trace Compass.\n"
      "Without '-o' the document goes to standard output. In a terminal it becomes a new file beside the database:\n"
      "trace.json, trace.pftrace, stacks.folded or trace.speedscope.json, or trace-2.json where one stands.",
  .example = "tracetool export -o run.json run.trc run.edf\n"
             "tracetool export --filter op_cat=Comm -o comm.json.gz run.trc run.edf\n"
             "tracetool export -o run.pftrace run.trc run.edf\n"
             "tracetool export --folded -o run.folded run.trc run.edf\n"
             "tracetool export --names original -o run.json run.trc run.edf\n"
             "tracetool export --tau -o out.trc run.trc run.edf\n"
             "tracetool export --otf2 run.otf2.d run.trc run.edf",
  .values = values,
  .run = run,
};
