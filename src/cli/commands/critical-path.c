/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/commands/critical-path.h"
#include "src/cli/options.h"
#include "src/cli/session.h"

#include "analyzers/training-job/training-job.h"

typedef struct
{
  TtSharedOptions shared;
  char *output, *show_text;
  gboolean with_segments, with_imbalance, by_model, merge_ranks;
  int step;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->output);
  g_free (self->show_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

/* Which of the two questions of --model is meant is not known before the run: their words together. */
static const char *const model_words[] = { "path", "cycles", "slack", "dominators", "feedback",
                                           "ops",  "kinds",  "ranks", NULL };

static gboolean
check_show (const Options *self, GError **error)
{
  int show;

  return tt_show_parse (self->show_text, self->by_model ? model_words : tt_path_measured.show_words, &show, error);
}

static gboolean
check_options (const Options *self, TtReportView *view, GError **error)
{
  const TtSharedOptions *shared = &self->shared;

  if (!tt_shared_options_view (shared, TT_DEFAULT_TOP, view, error) || !check_show (self, error))
    return FALSE;
  if (self->by_model && (self->with_segments || self->with_imbalance))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' shows the measured path; it does not go with '--model'",
                 self->with_segments ? "--segments" : "--imbalance");
  else if (!self->by_model && (shared->filters != NULL || shared->time_window != NULL))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "the measured path is that of the whole run; '%s' goes with '--model' only",
                 shared->filters != NULL ? "--filter" : "--time-window");
  else if (!self->by_model && self->merge_ranks)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--merge-ranks' goes with '--model' only");
  else if (self->by_model && self->step != TT_NO_STEP)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--step' goes with the measured path; with '--model' use '--filter step=%d'", self->step);
  else if (self->output != NULL && !g_str_has_suffix (self->output, ".json") &&
           !g_str_has_suffix (self->output, ".json.gz"))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' would hold a Chrome trace; end it in .json or .json.gz",
                 self->output);
  else
    return TRUE;
  return FALSE;
}

/* -- the question -------------------------------------------------------------------------------- */

/* Of a training job without filters, --model is about its step. */
static const TtPathQuestion *
choose_question (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  gboolean is_job = FALSE;

  if (!options->by_model)
    return &tt_path_measured;
  if (!options->merge_ranks && tt_selection_is_everything (selection) &&
      !tt_training_job_is_there (store, &is_job, error))
    return NULL;
  return is_job ? &tt_path_job : &tt_path_model;
}

/* The table of @question that --show names. */
static gboolean
find_shown (const TtPathQuestion *question, const char *text, int *show, GError **error)
{
  g_autofree char *all = g_strjoinv (", ", (char **) question->show_words);

  if (tt_show_parse (text, question->show_words, show, NULL))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no table '%s' of %s; there are %s", text, question->about,
               all);
  return FALSE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT, .step = TT_NO_STEP };
  TtPathRequest request = { 0 };
  int status;
  const GOptionEntry own[] = {
    { "segments", 0, 0, G_OPTION_ARG_NONE, &options.with_segments,
      "Also list the pieces of the path and how it reached each", NULL },
    { "imbalance", 0, 0, G_OPTION_ARG_NONE, &options.with_imbalance,
      "Also show what operations take of the path beyond their mean over ranks, and what that costs", NULL },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text,
      "Show only one table: ops, ranks, segments, kinds, steps, imbalance; with --model others, see below", "TABLE" },
    { "step", 0, 0, G_OPTION_ARG_INT, &options.step, "Show only the path through training step N", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Also write a Chrome trace with the path marked",
      "FILE.json[.gz]" },
    { "model", 0, 0, G_OPTION_ARG_NONE, &options.by_model,
      "Show the longest path by averages through the graph of operations", NULL },
    { "merge-ranks", 0, 0, G_OPTION_ARG_NONE, &options.merge_ranks,
      "With --model: make one operation per name, whatever the process", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_critical_path, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, &request.view, error))
    return -1;

  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options.shared.filters,
                                                        options.shared.time_window, request.view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_selection_bind (selection, store, error) ||
      !tt_command_tell_gap (store, TT_GAP_ACTIVITY, error))
    return -1;
  const TtPathQuestion *question = choose_question (store, selection, &options, error);
  if (question == NULL || !find_shown (question, options.show_text, &request.show, error))
    return -1;
  request.output = options.output;
  request.selection = selection;
  request.step = options.step;
  request.with_segments = options.with_segments;
  request.with_imbalance = options.with_imbalance;
  request.merge_ranks = options.merge_ranks;
  return question->answer (store, &request, error) ? 0 : -1;
}

static char **
list_tables (const TtValuesQuestion *question)
{
  gboolean by_model = tt_values_question_has (question, "--model");

  return g_strdupv ((char **) (by_model ? model_words : tt_path_measured.show_words));
}

static const TtOptionValues values[] = { { "show", TT_VALUES_ONE, .list = list_tables }, { NULL } };

const TtCommand tt_command_critical_path = {
  .name = "critical-path",
  .summary = "Show what determined the run's length",
  .usage = "[TRACE...]",
  .details =
      "The measured path goes back in time from the thread that finished last: from a receive that waited for a late\n"
      "sender to the send, from a collective to the rank that came last, from the start of a thread to the first "
      "thread\n"
      "of its process (the last two are inferred). It covers the whole run. Times are self times on the path, and the\n"
      "transfer times of messages. Waited: how long the path waited for the other side; that is not on the path.\n"
      "In PyTorch traces the path goes through devices: from a call that waits to the work it waited for; from work "
      "to\n"
      "whatever was done last of its launch, the work before it on its stream and the events it waits for; and "
      "through\n"
      "backward passes on threads of their own (inferred).\n"
      "The k-th calls of a collective in all processes belong together; where processes call it a different number of\n"
      "times it is not followed. Nothing is followed forward in time. The table says how often either happened.\n"
      "csv and tsv have one table: operations, or with '--segments' the pieces, with '--imbalance' that.\n"
      "\n"
      "'--imbalance': the critical-path imbalance of Boehme et al., as Scalasca has it, by operation: its time on the\n"
      "path beyond its mean over ranks (of one rank: threads), both without waits; messages count for who receives\n"
      "them. Cost: what ranks wait in the time of the path, shared out over what the path does longer than they;\n"
      "Inter: the part of ranks that never do the operation, Intra: the rest. Activity: what they do of the path's\n"
      "work; Other: work beside it. Cost, Activity and Other add up to the path times the ranks.\n"
      "\n"
      "Of a training job the path goes from what ended last to what held it: what it needs by the graph of a step, on\n"
      "whatever rank, or what its device did before. RECV waits for SEND, Sync and NEGOTIATE for the last rank, QUEUE "
      "for\n"
      "the device; these waits are not on the path. A gap longer than what ended before it is in no span. '--show "
      "steps'\n"
      "shows the steps, each from the end of the one before; '--step N' what held one of them.\n"
      "\n"
      "'--model' shows the longest path by averages through the graph of operations ('tracetool depgraph'), along "
      "calls,\n"
      "sequence, messages and flows. An operation weighs its average self time, so that a caller does not count what "
      "it\n"
      "calls. The gap between two operations without a caller weighs its average (inside a caller it is the caller's "
      "own\n"
      "time); a message weighs nothing (its time is that of the receive).\n"
      "In PyTorch traces it also goes from what the last rank of a collective needed to the other ranks, whose "
      "waiting\n"
      "is not their own time.\n"
      "Cycles are opened by leaving out edges to operations that start no later; these are listed.\n"
      "With '--model', '--show' takes path, cycles, slack, dominators and feedback. slack: how much longer each "
      "operation\n"
      "may take before this path grows; dominators: operations that all paths to others, or from them, pass; "
      "feedback:\n"
      "the few edges without which there is no cycle.\n"
      "For a training job the model is its simulated step ('tracetool simulate') and '--show' takes path, ops, kinds\n"
      "and ranks.",
  .example = "tracetool critical-path run.trc run.edf\n"
             "tracetool critical-path -o path.json run.trc run.edf\n"
             "tracetool critical-path --model --show slack run.trc run.edf",
  .values = values,
  .run = run,
};
