#include "config.h"

#include "src/cli/command.h"

#include "src/cli/tables/comm.h"
#include "src/base/suggest.h"

#include <stdio.h>

#define WIDE_COLUMNS 100
#define DEFAULT_TOP 30
/* Wider ones do not fit a terminal; beyond the second nobody can use them. */
#define MATRIX_TABLE_MAX 32
#define MATRIX_MAX 4096

typedef enum
{
  SHOW_PAIRS = 1 << 0,
  SHOW_RANKS = 1 << 1,
  SHOW_COLLECTIVES = 1 << 2,
  SHOW_ALL = SHOW_PAIRS | SHOW_RANKS | SHOW_COLLECTIVES,
} Show;

typedef struct
{
  TtSharedOptions shared;
  char *matrix_text, *show_text, *sort_text;
  TtUnit unit;
  TtReportFormat format;
  TtCommQuantity matrix, sort;
  guint show;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->matrix_text);
  g_free (self->show_text);
  g_free (self->sort_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

static gboolean
parse_show (Options *self, GError **error)
{
  static const char *const words[] = { "pairs", "ranks", "collectives", NULL };

  if (self->show_text == NULL)
    {
      gboolean one_table = self->format == TT_FORMAT_CSV || self->format == TT_FORMAT_TSV;
      self->show = one_table ? SHOW_PAIRS : SHOW_ALL;
      return TRUE;
    }
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (self->show_text, words[i]))
      {
        self->show = 1u << i;
        return TRUE;
      }

  const char *near = tt_suggest (self->show_text, words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--show %s' is not one of pairs, ranks, collectives%s%s%s",
               self->show_text, near == NULL ? "" : "; did you mean '", near == NULL ? "" : near,
               near == NULL ? "" : "'?");
  return FALSE;
}

static gboolean
check_options (Options *self, GError **error)
{
  const TtSharedOptions *shared = &self->shared;

  if ((shared->unit_text != NULL && !tt_unit_parse (shared->unit_text, &self->unit, error)) ||
      (shared->format_text != NULL && !tt_report_format_parse (shared->format_text, &self->format, error)) ||
      (self->matrix_text != NULL && !tt_comm_quantity_parse (self->matrix_text, "--matrix", &self->matrix, error)) ||
      (self->sort_text != NULL && !tt_comm_quantity_parse (self->sort_text, "--sort", &self->sort, error)) ||
      !parse_show (self, error))
    return FALSE;
  if (shared->top >= -1)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--top' must not be negative");
  return FALSE;
}

/* -- printing ------------------------------------------------------------------------------------ */

static gboolean
print (TtReport *report, const Options *options, GError **error)
{
  tt_report_print (report, options->format, options->shared.wide ? G_MAXUINT : 0);
  return tt_report_check (report, error);
}

static gboolean
print_matrix (TtStore *store, const TtComm *comm, const Options *options, GError **error)
{
  guint n = comm->processes->len;

  if (options->format == TT_FORMAT_TABLE && n > MATRIX_TABLE_MAX)
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_USAGE,
          "a matrix of %u processes is too wide for a table; '--format csv' writes it, or leave out '--matrix'", n);
      return FALSE;
    }
  if (n > MATRIX_MAX)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "a matrix of %u processes is too big; leave out '--matrix' for the list of pairs", n);
      return FALSE;
    }

  g_autoptr (TtReport) report = tt_comm_matrix (store, comm, options->matrix, options->unit);
  return print (report, options, error);
}

typedef struct
{
  guint show;
  const char *key;
  TtReport *report;
} Table;

static gboolean
print_json (const Table *tables, guint n, GError **error)
{
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < n; i++)
    if (tables[i].report != NULL)
      {
        g_string_append_printf (text, "%s\n\"%s\": ", text->len > 1 ? "," : "", tables[i].key);
        tt_report_append (tables[i].report, TT_FORMAT_JSON, 0, text);
        while (text->len > 0 && text->str[text->len - 1] == '\n')
          g_string_truncate (text, text->len - 1);
        if (!tt_report_check (tables[i].report, error))
          return FALSE;
      }
  g_string_append (text, "\n}\n");
  fputs (text->str, stdout);
  return TRUE;
}

static gboolean
is_narrow (const Options *options)
{
  guint width = tt_terminal_width ();

  return options->format == TT_FORMAT_TABLE && !options->shared.wide && width > 0 && width < WIDE_COLUMNS;
}

static gboolean
print_tables (TtStore *store, TtComm *comm, const Options *options, GError **error)
{
  gboolean for_people = options->format == TT_FORMAT_TABLE || options->format == TT_FORMAT_MARKDOWN;
  guint top = options->shared.top >= 0 ? (guint) options->shared.top : for_people ? DEFAULT_TOP : 0;
  g_autoptr (TtReport) pairs = tt_comm_pair_table (store, comm, options->sort, top, options->unit);
  g_autoptr (TtReport) ranks = tt_comm_process_table (store, comm, options->unit);
  g_autoptr (TtReport) collectives = tt_comm_collective_table (store, comm, options->unit, is_narrow (options));
  const Table tables[] = {
    { SHOW_PAIRS, "pairs", pairs },
    { SHOW_RANKS, "ranks", ranks },
    { SHOW_COLLECTIVES, "collectives", collectives },
  };
  gboolean is_first = TRUE;

  if (options->format == TT_FORMAT_JSON && options->show_text == NULL)
    return print_json (tables, G_N_ELEMENTS (tables), error);

  g_autofree char *heading = tt_comm_describe (comm);
  tt_report_heading (pairs, heading);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      if (!(options->show & tables[i].show))
        continue;
      if (options->show_text == NULL && tables[i].show != SHOW_PAIRS && tt_report_n_rows (tables[i].report) == 0)
        continue;
      if (!is_first)
        putchar ('\n');
      if (!print (tables[i].report, options, error))
        return FALSE;
      is_first = FALSE;
    }
  return TRUE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT, .unit = TT_UNIT_US };
  int status;
  const GOptionEntry own[] = {
    { "matrix", 0, 0, G_OPTION_ARG_STRING, &options.matrix_text, "Sources down, destinations across",
      "bytes|count|wait" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "One of the tables only", "pairs|ranks|collectives" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &options.sort_text, "Order of pairs (default: bytes)", "bytes|count|wait" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_comm, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.shared.filters, options.shared.time_window, options.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  g_autoptr (TtComm) comm = tt_comm_new (store, selection, error);
  if (comm == NULL)
    return -1;
  if (comm->processes->len == 0)
    tt_message ("no message and no collective call%s",
                tt_selection_is_everything (selection) ? " in this run" : " matches");
  gboolean is_ok = options.matrix_text != NULL ? print_matrix (store, comm, &options, error)
                                               : print_tables (store, comm, &options, error);
  return is_ok ? 0 : -1;
}

const TtCommand tt_command_comm = {
  .name = "comm",
  .summary = "Who talks to whom: messages, sizes, waits, collectives",
  .usage = "[TRACE...]",
  .details = "Pairs of processes with the number, sizes and waits of their messages; then each process; then each\n"
             "collective function. csv and tsv carry one table: the pairs unless '--show' says another.\n"
             "\n"
             "Wait of a message: from the begin of the span around the receive to the send, at most to the end of\n"
             "that span (late sender). Messages that one call waits for together overlap in it.\n"
             "Spread of a collective call: from the begin of its first process to that of its last. Wait: from a\n"
             "process' own begin to the begin of the last one, at most to its own end. Last: who came last most\n"
             "often. Calls are counted per function and process; they are taken to belong together in that order.\n"
             "'--filter' and '--time-window' choose by process, thread and time: a message counts when either side\n"
             "is chosen, a collective call when any of its processes is.",
  .example = "tracetool comm run.trc run.edf\n"
             "tracetool comm --matrix bytes run.trc run.edf",
  .run = run,
};
