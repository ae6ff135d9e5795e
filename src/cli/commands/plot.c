/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "pictures/text.h"
#include "src/base/output.h"
#include "src/base/report/report.h"
#include "src/cli/default-output.h"
#include "src/cli/picture-rows.h"
#include "src/cli/picture.h"
#include "src/cli/plots/plot.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/tables/info-trust.h"
#include "src/cli/words.h"

#include <string.h>

typedef struct
{
  char *output, *time_window, *unit_text, *name, *by_text, *format, *over;
  char **filters;
  const TtPlot *plot;
  TtUnit unit;
  guint by;   /* of by_words */
  guint kind; /* of format_words */
} Options;

static void
options_clear (Options *self)
{
  g_free (self->output);
  g_free (self->time_window);
  g_free (self->unit_text);
  g_free (self->name);
  g_free (self->by_text);
  g_free (self->format);
  g_free (self->over);
  g_strfreev (self->filters);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

/* The words of WHAT. Free it, not the words. */
static const char **
list_plots (void)
{
  guint n = 0;

  while (tt_plots[n] != NULL)
    n++;
  const char **words = g_new0 (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    words[i] = tt_plots[i]->word;
  return words;
}

static gboolean
choose_plot (Options *self, const char *word, GError **error)
{
  g_autofree const char **words = list_plots ();
  guint choice = 0;

  if (word == NULL)
    {
      g_autofree char *all = g_strjoinv (", ", (char **) words);
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "say what to plot: %s", all);
      return FALSE;
    }
  if (!tt_word_choose ("picture", word, words, &choice, error))
    return FALSE;
  self->plot = tt_plots[choice];
  return TRUE;
}

static const char *const by_words[] = { "kind", "cause", NULL };

enum
{
  KIND_SVG,
  KIND_PNG,
  KIND_TEXT,
  KIND_CSV,
  KIND_JSON,
};
static const char *const format_words[] = { "svg", "png", "text", "csv", "json", NULL };
static const char *const endings[] = { ".svg", ".png", ".txt", ".csv", ".json" };

/* By --format, else by the end of the name. */
static gboolean
choose_format (Options *self, GError **error)
{
  if (self->format != NULL)
    return tt_word_choose ("format", self->format, format_words, &self->kind, error);
  if (tt_default_output_is_stdout (self->output) || g_str_has_suffix (self->output, ".svg.gz"))
    return TRUE;
  for (guint kind = 0; kind < G_N_ELEMENTS (endings); kind++)
    if (g_str_has_suffix (self->output, endings[kind]))
      {
        self->kind = kind;
        return TRUE;
      }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "cannot tell from '%s' what to write; end it in .svg, .png, .txt, .csv or .json", self->output);
  return FALSE;
}

/* Others are tables that the command of that name prints. */
static gboolean
check_text (const Options *self, GError **error)
{
  if (self->kind != KIND_TEXT || self->plot->has_text)
    return TRUE;
  g_autoptr (GString) words = g_string_new (NULL);
  for (guint i = 0; tt_plots[i] != NULL; i++)
    if (tt_plots[i]->has_text)
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", tt_plots[i]->word);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not drawn as text; these are: %s", self->plot->word,
               words->str);
  return FALSE;
}

static gboolean
check_options (Options *self, const char *word, GError **error)
{
  self->unit = TT_UNIT_US;
  if (!choose_plot (self, word, error) ||
      (self->unit_text != NULL && !tt_unit_parse (self->unit_text, &self->unit, error)) ||
      (self->by_text != NULL && !tt_word_choose ("value of --by", self->by_text, by_words, &self->by, error)))
    return FALSE;
  if (self->name != NULL && !self->plot->takes_name)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--name' does not go with '%s'; see '--filter'", self->plot->word);
      return FALSE;
    }
  if (self->by_text != NULL && !self->plot->takes_by)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--by' does not go with '%s'", self->plot->word);
      return FALSE;
    }
  if (self->over != NULL && !self->plot->takes_over)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--sweep-over' does not go with '%s'", self->plot->word);
  else if ((self->filters != NULL || self->time_window != NULL) && self->plot->takes_all)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is of the whole run: no --filter and no --time-window",
                 self->plot->word);
  else
    return choose_format (self, error) && check_text (self, error);
  return FALSE;
}

/* What the user chose, as sentences below the picture. */
static GPtrArray *
list_limits (const Options *options)
{
  GPtrArray *limits = g_ptr_array_new_with_free_func (g_free);

  for (char **filter = options->filters; filter != NULL && *filter != NULL; filter++)
    g_ptr_array_add (limits, g_strdup_printf ("Only spans with %s.", *filter));
  if (options->time_window != NULL)
    g_ptr_array_add (limits, g_strdup_printf ("Only the time %s (%s) from the start of the run.", options->time_window,
                                              tt_unit_text (options->unit)));
  return limits;
}

/* Of a terminal, if it is not much too narrow or too wide to be looked at. */
static guint
text_width (void)
{
  guint width = tt_terminal_width ();

  return width == 0 ? TT_TEXT_WIDTH : CLAMP (width, 60, 160);
}

/* -- the command ---------------------------------------------------------------------------------- */

static gboolean
is_picture (const Options *options)
{
  return options->kind == KIND_SVG || options->kind == KIND_PNG;
}

/* The numbers of the picture. NULL with @error. */
static GBytes *
make_rows (const Options *options, const TtPlotRequest *request, GError **error)
{
  g_autoptr (TtOutput) memory = tt_output_open_memory ();
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_NS);
  g_autoptr (GString) text = g_string_new (NULL);

  if (options->plot->list != NULL)
    {
      if (!options->plot->list (request, report, error))
        return NULL;
    }
  else
    {
      if (!options->plot->draw (request, memory, error))
        return NULL;
      g_autoptr (GString) svg = tt_output_steal_text (memory);
      tt_picture_rows (svg->str, report);
    }
  if (tt_report_n_rows (report) == 0)
    tt_message ("nothing is to be drawn; 'tracetool plot %s' says why", options->plot->word);
  tt_report_append (report, options->kind == KIND_CSV ? TT_FORMAT_CSV : TT_FORMAT_JSON, 0, text);
  return tt_report_check (report, error) ? g_string_free_to_bytes (g_steal_pointer (&text)) : NULL;
}

/* The whole picture, before a file is there for it. NULL with @error. */
static GBytes *
make_picture (const Options *options, const TtPlotRequest *request, GError **error)
{
  g_autoptr (TtOutput) memory = tt_output_open_memory ();

  if (options->kind == KIND_CSV || options->kind == KIND_JSON)
    return make_rows (options, request, error);
  if (!options->plot->draw (request, memory, error))
    return NULL;
  return options->kind == KIND_TEXT ? g_string_free_to_bytes (tt_output_steal_text (memory))
                                    : tt_picture_finish (memory, options->kind == KIND_PNG, error);
}

static gboolean
write_picture (const Options *options, const TtPlotRequest *request, const char *source, GError **error)
{
  gboolean is_due = is_picture (options) && tt_default_output_is_due (options->output);
  g_autofree char *name = g_strconcat (options->plot->word, options->kind == KIND_PNG ? ".png" : ".svg", NULL);
  g_autoptr (GBytes) picture = make_picture (options, request, error);
  if (picture == NULL)
    return FALSE;
  g_autoptr (TtOutput) out =
      is_due ? tt_default_output_open (request->store, source, name, error) : tt_output_open (options->output, error);
  if (out == NULL)
    return FALSE;
  tt_output_bytes (out, g_bytes_get_data (picture, NULL), g_bytes_get_size (picture));
  if (!tt_output_close (out, error))
    return FALSE;
  if (tt_output_path (out) != NULL)
    tt_message ("wrote '%s'%s", tt_output_path (out), is_due ? "; a browser shows it" : "");
  return TRUE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "Write .svg, .png, .txt, .csv or .json; '-': standard output (default: see below)", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format,
      "Write svg (default), png, text, or its numbers, whatever the name", "svg|png|text|csv|json" },
    { "name", 0, 0, G_OPTION_ARG_STRING, &options.name,
      "Of histogram and pictures of probes: the operation (default: the one with the most self time, or records)",
      "NAME" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by_text, "Of waits: by their kind (default), or by the rank waited for",
      "kind|cause" },
    { "sweep-over", 0, 0, G_OPTION_ARG_STRING, &options.over, "Of what-if: which settings, as of 'simulate'",
      "OPTION[=VALUE:...][,...]" },
    { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.filters,
      "Select spans; operators = != ~ !~ < > <= >=; repeat for and, commas for or", "FIELD OP VALUE" },
    { "time-window", 0, 0, G_OPTION_ARG_STRING, &options.time_window,
      "Select spans in this time from the start of the run; either end may be omitted", "A:B" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &options.unit_text, "Unit of the times given: ns, us (default), ms, s",
      "UNIT" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_plot, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, argc > 1 ? argv[1] : NULL, error))
    return -1;

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.filters, options.time_window, options.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 2, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error) ||
      !tt_info_trust_tell (store, error))
    return -1;
  TtCrew crew;
  gboolean is_shared = FALSE;
  if (options.plot->is_shared && !tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  g_autoptr (GPtrArray) limits = list_limits (&options);
  const TtPlotRequest request = { .store = store,
                                  .selection = selection,
                                  .limits = limits,
                                  .name = options.name,
                                  .by_cause = options.by != 0,
                                  .over = options.over,
                                  .text_width = options.kind == KIND_TEXT ? text_width () : 0,
                                  .crew = is_shared ? &crew : NULL };
  GError *failure = NULL;
  if (write_picture (&options, &request, argv[2], &failure))
    return 0;
  /* Ranks other than 0 of a job have done their part. */
  if (failure == NULL)
    return is_shared && crew.rank > 0 ? 0 : -1;
  g_propagate_error (error, failure);
  return -1;
}

static char **
list_words (const TtValuesQuestion *question)
{
  g_autofree const char **words = list_plots ();

  return g_strdupv ((char **) words);
}

static const TtOptionValues values[] = {
  { "", TT_VALUES_FIRST, .list = list_words },
  { "by", TT_VALUES_ONE, by_words },
  { "format", TT_VALUES_ONE, format_words },
  { "unit", TT_VALUES_ONE, tt_unit_words },
  { NULL },
};

const TtCommand tt_command_plot = {
  .name = "plot",
  .summary = "Draw what other commands tell, as a picture (SVG, PNG)",
  .usage = "WHAT [TRACE...]",
  .details = "WHAT is one of:\n"
             "  steps      how long each step took on each rank, and the median\n"
             "  breakdown  what the time of each rank went to\n"
             "  matrix     bytes of messages from each process to each other\n"
             "  histogram  how long the spans of one operation are, with percentiles\n"
             "  timeline   what each thread did, over time\n"
             "  flame      which operations ran inside which, and how long\n"
             "  waits      how long each rank waits, by kind or by the rank waited for\n"
             "  roofline   bandwidth over size of copies, collectives and messages, and what bounds them\n"
             "  what-if    how long a training step would take with other settings\n"
             "  dmat       which pages of memory a kernel used when, from a probe that saves addresses\n"
             "  pages      how often a kernel used each page of memory, from such a probe\n"
             "  banks      which banks of shared memory a kernel uses, with and without conflicts, from a probe\n"
             "  conflicts  how many passes accesses to shared memory take, from a probe\n"
             "  blocks     which blocks of a kernel ran on which multiprocessor when, from a probe\n"
             "\n"
             "The numbers are those of the commands 'steps', 'breakdown', 'comm', 'kernels', 'stats', 'tree', 'waits'\n"
             "and 'simulate'. Each shape\n"
             "tells its own when the mouse rests on it, and holds it exactly in attributes (data-value, in ns or "
             "bytes). What a picture leaves out or\n"
             "adds up stands below it; however large the trace, it stays below 5 MB. Colours are for people who see\n"
             "colours differently, too, and follow a dark screen.\n"
             "Without '-o' it goes to standard output, in a terminal to a new file named after WHAT.\n"
             "'--format csv' and 'json' write the numbers of the picture: a row a shape, its attributes as columns,\n"
             "times in ns (ticks where the trace has those); of blocks each block.\n"
             "'--format text' draws histogram, roofline and pictures of probes with letters, for a terminal.",
  .example = "tracetool plot breakdown -o breakdown.svg tau-mpi4\n"
             "tracetool plot histogram --name MPI_Recv -o recv.svg tau-mpi4\n"
             "tracetool plot steps -o steps.svg job-2x1",
  .values = values,
  .run = run,
};
