/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/joint-comm.h"
#include "formats/kineto/collectives.h"
#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/tables/info-trust.h"

#include "src/cli/table-set.h"
#include "src/cli/tables/comm.h"
#include "src/cli/words.h"

/* Processes of a matrix that a terminal has room for, and that anybody can use. */
#define MAX_MATRIX_TABLE 32
#define MAX_MATRIX 4096

enum
{
  SHOW_PAIRS,
  SHOW_RANKS,
  SHOW_COLLECTIVES,
  SHOW_GROUPS,
  N_SHOWN,
};

static const char *const show_words[] = { "pairs", "ranks", "collectives", "groups", NULL };

typedef struct
{
  TtSharedOptions shared;
  char *matrix_text, *show_text, *sort_text;
  TtReportView view;
  TtCommQuantity matrix, sort;
  int show; /* TT_SHOW_ALL */
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
parse_quantity (const char *option, const char *text, TtCommQuantity *quantity, GError **error)
{
  guint choice = 0;

  if (text != NULL && !tt_word_choose (option, text, tt_comm_quantity_words, &choice, error))
    return FALSE;
  *quantity = (TtCommQuantity) choice;
  return TRUE;
}

static gboolean
check_options (Options *self, GError **error)
{
  return tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error) &&
         parse_quantity ("value of --matrix", self->matrix_text, &self->matrix, error) &&
         parse_quantity ("value of --sort", self->sort_text, &self->sort, error) &&
         tt_show_parse (self->show_text, show_words, &self->show, error);
}

/* -- printing ------------------------------------------------------------------------------------ */

static gboolean
print_matrix (TtStore *store, const TtComm *comm, const Options *options, GError **error)
{
  guint n = comm->processes->len;

  if (options->view.format == TT_FORMAT_TABLE && n > MAX_MATRIX_TABLE)
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_USAGE,
          "a matrix of %u processes is too wide for a table; '--format csv' writes it, or leave out '--matrix'", n);
      return FALSE;
    }
  if (n > MAX_MATRIX)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "a matrix of %u processes is too big; leave out '--matrix' for the list of pairs", n);
      return FALSE;
    }

  g_autoptr (TtReport) report = tt_comm_matrix (store, comm, options->matrix, &options->view);
  return tt_report_show (report, &options->view, error);
}

static gboolean
print_tables (TtStore *store,
              TtComm *comm,
              const TtCommGroups *groups,
              const TtPairWaits *waits,
              TtTrustMarks *marks,
              const Options *options,
              GError **error)
{
  g_autoptr (TtReport) pairs = tt_comm_pair_table (store, comm, waits, options->sort, marks, &options->view);
  g_autoptr (TtReport) ranks = tt_comm_process_table (store, comm, waits, marks, &options->view);
  g_autoptr (TtReport) collectives = tt_comm_collective_table (store, comm, marks, &options->view);
  g_autoptr (TtReport) by_group = tt_comm_group_table (groups, marks, &options->view);
  const TtTable tables[N_SHOWN] = {
    [SHOW_PAIRS] = { show_words[SHOW_PAIRS], pairs },
    [SHOW_RANKS] = { show_words[SHOW_RANKS], ranks, .is_optional = tt_report_n_rows (ranks) == 0 },
    [SHOW_COLLECTIVES] = { show_words[SHOW_COLLECTIVES], collectives,
                           .is_optional = tt_report_n_rows (collectives) == 0 },
    [SHOW_GROUPS] = { show_words[SHOW_GROUPS], by_group, .is_optional = tt_report_n_rows (by_group) == 0 },
  };
  const TtTableSet set = { tables, N_SHOWN, options->show, SHOW_PAIRS };
  g_auto (TtFacts) facts = { 0 };

  tt_facts_init (&facts);
  if (comm->all.count > 0)
    {
      g_autofree char *heading = tt_comm_describe (comm);
      tt_report_heading (pairs, heading);
    }
  return tt_table_set_show (&set, &facts, &options->view, error);
}

/* They are in arguments, which take longer to read than all else: not where nobody sees them. */
static TtCommGroups *
find_groups (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  gboolean has_one_table = options->view.format == TT_FORMAT_CSV || options->view.format == TT_FORMAT_TSV;

  if (options->matrix_text == NULL &&
      (options->show == SHOW_GROUPS || (options->show == TT_SHOW_ALL && !has_one_table)))
    return tt_comm_groups_new (store, selection, tt_kineto_read_collective, error);
  return tt_comm_groups_new_empty ();
}

/* A scan of all events: only where somebody sees them. */
static gboolean
shows_waits (const Options *options)
{
  return options->matrix_text == NULL &&
         (options->show == TT_SHOW_ALL || options->show == SHOW_PAIRS || options->show == SHOW_RANKS);
}

/* By all ranks of a job, where they are several: then the others have nothing more to do, and *@is_helper. */
static gboolean
count (TtStore *store,
       const TtSelection *selection,
       const Options *options,
       TtComm **comm,
       TtPairWaits **waits,
       gboolean *is_helper,
       GError **error)
{
  TtCrew crew;
  gboolean is_shared;

  if (!tt_run_crew (store, &crew, &is_shared, error))
    return FALSE;
  *is_helper = is_shared && crew.rank > 0;
  if (is_shared)
    return tt_joint_comm_new (store, selection, &crew, shows_waits (options), comm, waits, error);
  *comm = tt_comm_new (store, selection, error);
  if (*comm == NULL)
    return FALSE;
  *waits = (*comm)->all.n_matched > 0 && shows_waits (options) ? tt_pair_waits_new (store, selection, error)
                                                               : tt_pair_waits_new_empty ();
  return *waits != NULL;
}

static void
tell_left_out (const TtCommGroups *groups)
{
  char count[TT_TIME_TEXT];

  if (groups->n_left_out > 0)
    tt_warning ("%s spans are of more than %u groups and functions, which are not counted",
                tt_count_text (count, groups->n_left_out), TT_COMM_MAX_GROUPS);
}

/* Of the table that is shown, or first; nothing where it has rows. */
static void
tell_of_none (const TtComm *comm, const TtCommGroups *groups, const TtSelection *selection, const Options *options)
{
  const char *where = tt_selection_is_everything (selection) ? " in this run" : " matches";

  if (comm->processes->len == 0 && groups->rows->len == 0)
    tt_message ("no message and no collective call%s", where);
  else if (options->matrix_text != NULL || options->show == TT_SHOW_ALL || options->show == SHOW_PAIRS)
    {
      if (comm->all.count == 0)
        tt_message ("no message between processes%s", where);
    }
  else if (options->show == SHOW_GROUPS && groups->rows->len == 0)
    tt_message ("no collective, send or receive that tells its process group%s", where);
  else if (options->show == SHOW_COLLECTIVES && comm->collectives->len == 0)
    tt_message ("no collective call%s", where);
  else if (options->show == SHOW_RANKS && comm->processes->len == 0)
    tt_message ("no message and no collective call that is known to be of a rank%s", where);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "matrix", 0, 0, G_OPTION_ARG_STRING, &options.matrix_text, "Show a matrix: sources down, destinations across",
      "bytes|count|wait" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show only one of the tables",
      "pairs|ranks|collectives|groups" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &options.sort_text, "Order of pairs (default: bytes)", "bytes|count|wait" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_comm, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;

  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options.shared.filters,
                                                        options.shared.time_window, options.view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error) ||
      !tt_info_trust_tell (store, error))
    return -1;
  g_autoptr (TtComm) comm = NULL;
  g_autoptr (TtPairWaits) waits = NULL;
  gboolean is_helper = FALSE;
  if (!count (store, selection, &options, &comm, &waits, &is_helper, error))
    return -1;
  if (is_helper)
    return 0;
  g_autoptr (TtCommGroups) groups = find_groups (store, selection, &options, error);
  g_autoptr (TtTrustMarks) marks = groups == NULL ? NULL : tt_trust_marks_new (store, error);
  if (marks == NULL)
    return -1;
  tell_left_out (groups);
  tell_of_none (comm, groups, selection, &options);
  gboolean is_ok = options.matrix_text != NULL ? print_matrix (store, comm, &options, error)
                                               : print_tables (store, comm, groups, waits, marks, &options, error);
  return is_ok ? 0 : -1;
}

static const TtOptionValues values[] = {
  { "matrix", TT_VALUES_ONE, tt_comm_quantity_words },
  { "show", TT_VALUES_ONE, show_words },
  { "sort", TT_VALUES_ONE, tt_comm_quantity_words },
  { NULL },
};

const TtCommand tt_command_comm = {
  .name = "comm",
  .summary = "Show messages between processes, their sizes and waits, and collectives",
  .usage = "[TRACE...]",
  .details =
      "Lists pairs of processes with the number, sizes and waits of their messages, then processes, then\n"
      "collective functions, then process groups. csv and tsv have one table: the pairs, unless '--show'\n"
      "names another.\n"
      "\n"
      "Wait of a message (late sender): from the start of the span that contains the receive until the send, "
      "at\n"
      "most until that span ends. Messages that one call waits for together overlap in it.\n"
      "Late send: how long the receivers of a pair, or of a process' messages, wait for late senders as 'waits'\n"
      "has it, each moment of a thread once; Late recv: how long the senders wait for late receivers.\n"
      "Spread of a collective call: from the start of its first process to the start of its last. Wait: from\n"
      "a process' own start until the last one starts, at most until its own end. Last: the process that was\n"
      "last most often. The k-th calls of a function in all processes are taken to belong together.\n"
      "Process groups (PyTorch): what their collectives, sends and receives say of themselves in arguments. Bytes\n"
      "and time are those of all spans: the kernels, or without a device the calls. GB/s as in nccl-tests: AlgBW\n"
      "is the size of a call by the time of the rank that waited least, BusBW that by the factor of the function.\n"
      "'--filter' and '--time-window' select by process, thread and time: a message counts if either side is\n"
      "selected, a collective call if any of its processes is.",
  .example = "tracetool comm run.trc run.edf\n"
             "tracetool comm --matrix bytes run.trc run.edf\n"
             "tracetool comm --show groups collectives",
  .values = values,
  .run = run,
};
