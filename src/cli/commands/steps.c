/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "src/cli/run-facts.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/steps.h"
#include "src/cli/words.h"

/* Of 80, what the words before it leave. */
#define SPARK_WIDTH 48

typedef enum
{
  PER_STEP,
  PER_RANK,
  PER_RUN,
} Per;

typedef struct
{
  TtSharedOptions shared;
  char *per_text, *measure_text;
  Per per;
  TtStepMeasure measure;
  TtReportView view;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->per_text);
  g_free (self->measure_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

static const char *const per_words[] = { [PER_STEP] = "step", [PER_RANK] = "rank", [PER_RUN] = "run", NULL };
static const char *const measure_words[] = {
  [TT_STEP_BY_ANNOTATION] = "annotation",
  [TT_STEP_BY_OPERATORS] = "operators",
  NULL,
};

static gboolean
check_options (Options *self, GError **error)
{
  guint per = PER_STEP, measure = TT_STEP_BY_ANNOTATION;

  if (!tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error) ||
      (self->per_text != NULL && !tt_word_choose ("value of --per", self->per_text, per_words, &per, error)) ||
      (self->measure_text != NULL &&
       !tt_word_choose ("value of --measure", self->measure_text, measure_words, &measure, error)))
    return FALSE;
  self->per = (Per) per;
  self->measure = (TtStepMeasure) measure;
  return TRUE;
}

/* -- printing ------------------------------------------------------------------------------------ */

static void
explain_nothing (TtStore *store, const TtSelection *selection, TtSteps *steps)
{
  if (!tt_selection_is_everything (selection))
    tt_command_nothing_matches ("span with a step", selection, store);
  else if (tt_steps_n_outside (steps) > 0)
    tt_message ("no span of this run is in a step: steps come from the trace (args.step, group_id, ProfilerStep) or "
                "are found where forward or input operators (FW, I/O) follow others");
  else
    tt_message ("this run has no spans of training (FW, BW, UPDATE_, OUTPUT, Comm, I/O, COMP) and so no steps");
}

static TtReport *
make_table (TtStore *store, TtSteps *steps, const Options *options)
{
  switch (options->per)
    {
    case PER_STEP:
      return tt_step_table (store, steps, &options->view);
    case PER_RANK:
      return tt_step_rank_table (store, steps, &options->view);
    case PER_RUN:
      return tt_step_run_table (steps, &options->view);
    }
  g_return_val_if_reached (NULL);
}

static int
answer (const TtContext *context, char **paths, const Options *options, GError **error)
{
  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options->shared.filters,
                                                        options->shared.time_window, options->view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, paths, error);
  TtCrew crew;
  gboolean is_shared;
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error) ||
      !tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  GError *failure = NULL;
  g_autoptr (TtSteps) steps = tt_steps_new (store, selection, options->measure, is_shared ? &crew : NULL, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  /* Ranks other than 0 of a job have done their part. */
  if (steps == NULL)
    return failure == NULL ? 0 : -1;

  g_autoptr (TtReport) report = make_table (store, steps, options);
  g_autofree char *heading = options->per == PER_RUN ? NULL : tt_step_describe (store, steps);
  g_autofree char *spark = options->view.has_bars ? tt_step_spark (steps, SPARK_WIDTH) : NULL;
  if (heading != NULL)
    tt_report_heading (report, heading);
  if (spark != NULL)
    tt_report_heading (report, spark);
  if (tt_steps_n_rows (steps) == 0)
    explain_nothing (store, selection, steps);
  else if (tt_steps_iteration (steps)->n_ranks == 0)
    tt_message ("no step has an iteration: it would be from the first operator (FW, BW, UPDATE_, OUTPUT) of a rank to "
                "its last");
  if (!tt_steps_check (steps, error))
    return -1;
  return tt_report_show (report, &options->view, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "per", 0, 0, G_OPTION_ARG_STRING, &options.per_text,
      "Print a row per step of a rank (default), per rank, or per run", "step|rank|run" },
    { "measure", 0, 0, G_OPTION_ARG_STRING, &options.measure_text,
      "What an iteration is (default: the step's annotation, if any)", "annotation|operators" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_steps, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  return answer (context, argv + 1, &options, error);
}

static const TtOptionValues values[] = {
  { "per", TT_VALUES_ONE, per_words },
  { "measure", TT_VALUES_ONE, measure_words },
  { NULL },
};

const TtCommand tt_command_steps = {
  .name = "steps",
  .summary = "Show how long training steps took and what they spent it on",
  .usage = "[TRACE...]",
  .details =
      "A rank is a program with its devices and threads. Operators are spans of FW, BW, UPDATE_ and OUTPUT; in\n"
      "a process of the rank without any (a GPU of a PyTorch trace) spans of COMP. Spans that only name a\n"
      "stretch of time are left out. Columns per rank and step:\n"
      "  Iteration  the length of the span that the trace names a step (ProfilerStep of PyTorch, what 'import\n"
      "             --step-by' names); without one, or with '--measure operators', from the start of the first\n"
      "             operator to the end of the one that starts last\n"
      "  FW, BW, UPDATE, OUTPUT, COMP  sum of durations; nested spans of one kind on a thread count once\n"
      "  Comm, I/O  time during which at least one such span runs\n"
      "  Exposed    time of Comm during which no operator of the step runs\n"
      "  Idle       time of the iteration during which no operator of the step runs\n"
      "\n"
      "Measured by operators, the last step of a rank counts in means only if it has BW or is the only one.\n"
      "'--per rank' shows means over the steps that count, and StdDev (of the population), Min and Max of\n"
      "iterations. '--per run': a step's iteration is the mean over ranks; the run's is the mean over the steps\n"
      "that all ranks have, or their median if StdDev is above a tenth of that mean. The typical step is the\n"
      "one nearest to it. Filters and '--time-window' select spans, which count whole.",
  .example = "tracetool steps job-2x1\n"
             "tracetool steps --per rank --unit ms job-2x1\n"
             "tracetool steps --measure operators job-2x1",
  .values = values,
  .run = run,
};
