/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/job-calls.h"
#include "analyzers/imbalance/straggler-words.h"
#include "src/base/error.h"
#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/tables/info-trust.h"

#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/imbalance.h"
#include "src/cli/words.h"

static const char *const over_words[] = { "rank", "thread", NULL };
static const char *const absent_words[] = { "none", "zero", NULL };

typedef struct
{
  TtSharedOptions shared;
  char *show_text, *over_text, *absent_text;
  int show;
  guint over, absent; /* of the words above */
  TtReportView view;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->show_text);
  g_free (self->over_text);
  g_free (self->absent_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
check_options (Options *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error) ||
      !tt_show_parse (self->show_text, tt_imbalance_table_words, &self->show, error) ||
      (self->over_text != NULL && !tt_word_choose ("--over", self->over_text, over_words, &self->over, error)) ||
      (self->absent_text != NULL &&
       !tt_word_choose ("--absent", self->absent_text, absent_words, &self->absent, error)))
    return FALSE;
  if (self->over == TT_IMBALANCE_THREADS && self->absent_text != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "--absent is about ranks; a thread without an operation is absent");
      return FALSE;
    }
  return TRUE;
}

static gboolean
print_tables (const TtImbalance *answer, const Options *options, GError **error)
{
  TtReport *reports[TT_N_IMBALANCE_TABLES] = { NULL };
  TtTable tables[TT_N_IMBALANCE_TABLES];
  g_autofree char *heading = tt_imbalance_describe (answer);
  g_auto (TtFacts) facts = { 0 };
  const TtTableSet set = { tables, TT_N_IMBALANCE_TABLES, options->show, TT_IMBALANCE_OPERATIONS };

  for (guint i = 0; i < TT_N_IMBALANCE_TABLES; i++)
    {
      reports[i] = tt_imbalance_table (answer, (TtImbalanceTable) i, &options->view);
      tables[i] = (TtTable){ tt_imbalance_table_words[i], reports[i], .is_optional = i != TT_IMBALANCE_OPERATIONS };
    }
  if (heading != NULL)
    tt_report_heading (reports[options->show == TT_SHOW_ALL ? TT_IMBALANCE_OPERATIONS : options->show], heading);
  tt_facts_init (&facts);
  tt_json_writer_uint (&facts.json, "calls", answer->arrivals->n_calls);
  tt_json_writer_uint (&facts.json, "impossible_calls", answer->arrivals->n_impossible);
  tt_json_writer_uint (&facts.json, "calls_of_one_rank", answer->arrivals->n_alone);
  tt_json_writer_uint (&facts.json, "undecided_calls", answer->arrivals->n_undecided);
  gboolean is_ok = tt_table_set_show (&set, &facts, &options->view, error);
  for (guint i = 0; i < TT_N_IMBALANCE_TABLES; i++)
    tt_report_free (reports[i]);
  return is_ok;
}

static gboolean
tell_no_collective (const TtImbalance *answer, GError **error)
{
  const TtArrivals *arrivals = answer->arrivals;
  gboolean has_servers;
  char n[TT_TIME_TEXT];

  if (!tt_job_has_servers (answer->store, &has_servers, error))
    return FALSE;
  if (arrivals->n_undecided > 0)
    tt_message ("of no collective is it known which ranks take part: %s calls are left out",
                tt_count_text (n, arrivals->n_undecided));
  else if (arrivals->n_alone > 0)
    tt_message ("no collective is called by two ranks: %s calls of one rank only are left out",
                tt_count_text (n, arrivals->n_alone));
  else if (has_servers)
    tt_message (
        "ranks meet at parameter servers, in no collective: see 'tracetool breakdown' and 'tracetool critical-path'");
  else
    tt_message ("no collective is called; messages between two ranks, SendRecv among them, are none: 'comm' has them");
  return TRUE;
}

/* Why there is nothing in the table that was asked for. */
static gboolean
tell_empty (const TtImbalance *answer, const Options *options, GError **error)
{
  const TtArrivals *arrivals = answer->arrivals;
  const TtStragglers *stragglers = answer->stragglers;

  if (options->show == TT_IMBALANCE_COLLECTIVES && arrivals->collectives->len == 0)
    return tell_no_collective (answer, error);
  if (options->show == TT_IMBALANCE_LATE_RANKS && arrivals->ranks->len + stragglers->ranks->len == 0)
    tt_message ("no rank is the last at a collective or the straggler of a step");
  else if (options->show == TT_IMBALANCE_STEPS && stragglers->steps->len == 0)
    tt_message ("no step is on two ranks");
  return TRUE;
}

/* Why there may be nothing at all. */
static gboolean
tell_nothing (const TtImbalance *answer, const TtSelection *selection, const Options *options, GError **error)
{
  if (answer->operations->len > 0)
    return tell_empty (answer, options, error);
  if (!tt_selection_is_everything (selection))
    tt_command_nothing_matches ("operation of two ranks", selection, answer->store);
  else if (options->over == TT_IMBALANCE_RANKS)
    tt_message ("no operation is on two ranks; '--over thread' compares threads");
  else
    tt_message ("no operation is on two threads");
  return TRUE;
}

/* -- by ranks -------------------------------------------------------------------------------------------- */

/* The stragglers are no less work than all else: of several ranks the second finds them. */
#define STRAGGLERS_RANK 1u

/* On other ranks than 0. Rank 0 has nothing to say but that it is over. */
static int
help (TtStore *store, TtSelection *selection, const TtCrew *crew, GError **error)
{
  if (crew->rank != STRAGGLERS_RANK)
    return 0;
  g_autoptr (TtStragglers) stragglers = tt_stragglers_new (store, selection, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (stragglers == NULL)
    return -1;
  tt_stragglers_pack (stragglers, bytes);
  crew->give (bytes);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return 0;
}

/* NULL: @error, or another rank has failed. */
static TtStragglers *
take_stragglers (TtStore *store, const TtCrew *crew, GError **error)
{
  g_autoptr (GByteArray) bytes = crew->take (STRAGGLERS_RANK, error);

  if (bytes == NULL)
    return NULL;
  TtUnpack from = tt_unpack_all (bytes);
  g_autoptr (TtStragglers) stragglers = tt_stragglers_unpack (&from);
  if (!from.is_bad && tt_stragglers_are_known (stragglers, store))
    return g_steal_pointer (&stragglers);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank %u: what it says of the stragglers cannot be right",
               STRAGGLERS_RANK);
  return NULL;
}

/* What the tables are made of. */
typedef struct
{
  GArray *operations;
  TtArrivals *arrivals;
  TtStragglers *stragglers;
} Found;

static void
found_clear (Found *self)
{
  g_clear_pointer (&self->operations, g_array_unref);
  g_clear_pointer (&self->arrivals, tt_arrivals_free);
  g_clear_pointer (&self->stragglers, tt_stragglers_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, found_clear)

/* @crew: NULL, or the ranks of which this is the first. */
static gboolean
find_all (Found *self,
          TtImbalance *answer,
          TtSelection *selection,
          gboolean absent_is_zero,
          const TtCrew *crew,
          GError **error)
{
  TtStore *store = answer->store;
  GError *own = NULL;

  if (crew != NULL)
    crew->call (crew->id);
  self->operations = tt_op_imbalance (store, selection, answer->over, absent_is_zero, &answer->n_alone, &own);
  self->arrivals = self->operations == NULL ? NULL : tt_arrivals_new (store, selection, &own);
  if (self->arrivals != NULL)
    self->stragglers = crew == NULL ? tt_stragglers_new (store, selection, &own) : take_stragglers (store, crew, &own);
  answer->operations = self->operations;
  answer->arrivals = self->arrivals;
  answer->stragglers = self->stragglers;
  if (crew != NULL)
    return tt_crew_end (crew, self->stragglers != NULL, own, error);
  if (own != NULL)
    g_propagate_error (error, own);
  return self->stragglers != NULL;
}

static int
answer_all (const TtContext *context, char **paths, const Options *options, GError **error)
{
  TtImbalance answer = { .over = (TtImbalanceOver) options->over };
  g_auto (Found) found = { 0 };
  TtCrew crew;
  gboolean has_crew;
  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options->shared.filters,
                                                        options->shared.time_window, options->view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, paths, error);

  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error) ||
      !tt_info_trust_tell (store, error))
    return -1;
  if (!tt_run_crew (store, &crew, &has_crew, error))
    return -1;
  if (has_crew && crew.rank > 0)
    return help (store, selection, &crew, error);
  answer.store = store;
  if (!find_all (&found, &answer, selection, options->absent == 1, has_crew ? &crew : NULL, error))
    return -1;
  g_autoptr (TtTrustMarks) marks = tt_trust_marks_new (store, error);
  if (marks == NULL)
    return -1;
  answer.marks = marks;
  return tell_nothing (&answer, selection, options, error) && print_tables (&answer, options, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show another table than that of the operations",
      "collectives|ranks|steps" },
    { "over", 0, 0, G_OPTION_ARG_STRING, &options.over_text, "Compare ranks (default), or all threads", "rank|thread" },
    { "absent", 0, 0, G_OPTION_ARG_STRING, &options.absent_text,
      "What a rank without an operation counts: nothing (default), or zero", "none|zero" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_imbalance, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  return answer_all (context, argv + 1, &options, error);
}

static const TtOptionValues values[] = {
  { "show", TT_VALUES_ONE, tt_imbalance_table_words },
  { "over", TT_VALUES_ONE, over_words },
  { "absent", TT_VALUES_ONE, absent_words },
  { NULL },
};

const TtCommand tt_command_imbalance = {
  .name = "imbalance",
  .summary = "Show what is uneven over ranks: work, arrivals at collectives, stragglers",
  .usage = "[TRACE...]",
  .details =
      "Operations by the self time that ranks (or, '--over thread', threads) spend on them. Price: Max - Mean,\n"
      "what the slowest would gain if all did as much; Imbalance % = (Max / Mean - 1) * 100. The mean is over\n"
      "the ranks that have the operation; with '--absent zero' also over those that only do other work of its\n"
      "category. Communication and waits come last: they last as long as others are late, and are no cause.\n"
      "Annotations, which only name a stretch of time, have no time of their own here: 'steps' looks into them,\n"
      "and 'stats --per rank --filter flags~window' compares them.\n"
      "csv and tsv have one table, json has all. Other tables with '--show':\n"
      "  collectives  calls of two or more ranks. Skew: from the first arrival to the last, mean and Max; a rank\n"
      "               arrives when its part begins. Paid: from each rank's arrival to the last, at most to its\n"
      "               own end; with a root, only who waits for it, or the root for the last of the others;\n"
      "               what a thread pays in several calls at once counts in the one that ends last.\n"
      "               Latest: the rank that others paid most for, Times it was waited for. Of Horovod's jobs:\n"
      "               Sync and NEGOTIATE_*\n"
      "  ranks        Caused: what others paid in calls in which they waited for it; Paid: what it paid itself;\n"
      "               Late: how long after the first it arrives, in the mean; Steps: in which it was the\n"
      "               straggler\n"
      "  steps        the straggler of each step: by arrival, the rank that others paid most for in the step;\n"
      "               in steps without collectives by length, and its Price is what it takes longer than the\n"
      "               median of all. Operation: the one that takes most longer than the mean of the other\n"
      "               ranks (Excess); communication and waits are never it\n"
      "Calls that end on a rank before the last one comes cannot be: they are counted, for then the clocks of\n"
      "the ranks differ, or calls that are none together were matched.",
  .example = "tracetool imbalance tau-mpi4\n"
             "tracetool imbalance --over thread --filter op_cat=COMP tau-mpi4\n"
             "tracetool imbalance --show steps job-2x1",
  .values = values,
  .run = run,
};
