/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/perfetto-export/perfetto-export.h"
#include "formats/stack-export/stack-export.h"
#include "formats/tau-export/tau-export.h"
#include "src/base/paths.h"
#include "src/cli/config-apply.h"
#include "src/cli/default-output.h"
#include "src/cli/export-options.h"
#include "src/cli/export-waits.h"
#include "src/cli/options.h"
#include "src/cli/session.h"

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
  const ChromeLanguage *viewer; /* of TtExportOptions, where write_chrome() writes it and it is not JSON */
} Language;

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

/* -- documents ------------------------------------------------------------------------------------ */

static gboolean
write_chrome (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  TtExportOptions options = settings->options;
  g_autoptr (GArray) waits = NULL;

  if (settings->with_waits && (options.waits = waits = tt_export_waits_new (store, error)) == NULL)
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
  return (TtStackOptions){ settings->selection, settings->options.original_names };
}

static gboolean
write_folded (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  const TtStackOptions options = stack_options (settings);

  return tt_folded_export (store, &options, out, &report->stacks, error);
}

static gboolean
write_speedscope (TtStore *store, TtOutput *out, const TtExportSettings *settings, Report *report, GError **error)
{
  const TtStackOptions options = stack_options (settings);

  return tt_speedscope_export (store, &options, out, &report->stacks, error);
}

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
    NULL },
  { "perfetto", "Write Perfetto's own format, a third of the size (default for .pftrace)", "trace.pftrace",
    tt_export_perfetto_suffixes, write_chrome, tell_chrome, &tt_perfetto_language },
  { "folded", "Write folded stacks: a call path and its self time (ns) a line", "stacks.folded", folded_suffixes,
    write_folded, tell_folded, NULL },
  { "speedscope", "Write a profile a thread for https://www.speedscope.app", "trace.speedscope.json",
    tt_export_chrome_suffixes, write_speedscope, tell_speedscope, NULL },
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
  Report report = { 0 };
  g_autoptr (TtOutput) out = is_due ? NULL : tt_export_open (path, language->suffixes, error);

  if (!is_due && out == NULL)
    return -1;
  g_autoptr (TtStore) store = open_store (context, paths, settings, config, error);
  if (store == NULL ||
      (is_due && (out = tt_default_output_open (store, paths[0], language->default_name, error)) == NULL) ||
      !language->write (store, out, settings, &report, error) || !tt_output_close (out, error))
    return -1;
  language->tell (out, settings, &report, store);
  return 0;
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

static int
write_tau (const TtContext *context,
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
  g_autoptr (TtStore) store = open_store (context, to.inputs, settings, config, error);
  if (store == NULL || !tt_tau_export_trace (store, to.trc, to.edf, settings->options.selection, &report, error))
    return -1;
  g_autofree char *word = tt_shell_word (to.trc);
  tt_message ("wrote %s spans to %s (trace files: %s); jumpshot shows it after tau2slog2",
              tt_count_text (spans, report.run.n_spans), word, tt_count_text (files, report.n_files));
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
              tt_count_text (files, report.n_files), tt_count_text (spans, report.run.n_spans), word);
  tell_left_out (&report);
  return 0;
}

/* -- the command ---------------------------------------------------------------------------------- */

typedef struct
{
  gboolean languages[N_LANGUAGES], tau;
  char *profile, *output;
} Choice;

static void
choice_clear (Choice *self)
{
  g_free (self->profile);
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

/* The language chosen; NULL: TAU's, which are no single document, or @error. */
static const Language *
read_choice (const Choice *self, const TtExportSettings *settings, GError **error)
{
  const char *chrome_only = tt_export_settings_chrome_only (settings);
  const Language *language = NULL;
  guint n = (self->tau != FALSE) + (self->profile != NULL);
  gboolean is_tau = n > 0;

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
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "choose one of %s'--tau' and '--profile'", words->str);
    }
  else if (self->profile != NULL && self->output != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'-o' does not go with '--profile', which names where it writes");
  else if (is_tau && settings->names_text != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--names' does not go with '--%s': TAU's files have original names",
                 self->tau ? "tau" : "profile");
  else if (is_perfetto && settings->is_template)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--template' is JSON; it does not go with Perfetto's format");
  else if (settings->with_waits && settings->is_template)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--waits' writes arguments; it does not go with '--template'");
  else if (language != &languages[0] && !is_perfetto && chrome_only != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is for Chrome traces; '--%s' has nothing like it", chrome_only,
                 language != NULL ? language->option
                 : self->tau      ? "tau"
                                  : "profile");
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
    return write_tau (context, argv + 1, choice.output, &settings, &config, error);
  if (choice.profile != NULL)
    return write_profile (context, argv + 1, choice.profile, &settings, &config, error);
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
      "Without '-o' the document goes to standard output. In a terminal it becomes a new file beside the database:\n"
      "trace.json, trace.pftrace, stacks.folded or trace.speedscope.json, or trace-2.json where one stands.",
  .example = "tracetool export -o run.json run.trc run.edf\n"
             "tracetool export --filter op_cat=Comm -o comm.json.gz run.trc run.edf\n"
             "tracetool export -o run.pftrace run.trc run.edf\n"
             "tracetool export --folded -o run.folded run.trc run.edf\n"
             "tracetool export --names original -o run.json run.trc run.edf\n"
             "tracetool export --tau -o out.trc run.trc run.edf",
  .values = values,
  .run = run,
};
