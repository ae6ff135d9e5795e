/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/joint-breakdown.h"
#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/tables/info-trust.h"

#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/breakdown.h"
#include "src/cli/tables/states.h"
#include "src/cli/words.h"
#include "src/store/clocks.h"

typedef struct
{
  TtSharedOptions shared;
  char *per_text, *of_text, *show_text;
  TtBreakdownRows rows;
  TtBreakdownPlace place;
  guint show; /* of show_words */
  TtReportView view;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->per_text);
  g_free (self->of_text);
  g_free (self->show_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const char *const per_words[] = {
  [TT_BREAKDOWN_RANK] = "rank",
  [TT_BREAKDOWN_STEP] = "step",
  [TT_BREAKDOWN_STREAM] = "stream",
  NULL,
};
static const char *const of_words[] = {
  [TT_BREAKDOWN_AUTO] = "auto",
  [TT_BREAKDOWN_DEVICE] = "device",
  [TT_BREAKDOWN_HOST] = "host",
  NULL,
};

enum
{
  SHOW_TIMES,
  SHOW_EFFICIENCY,
  SHOW_STATES,
};
static const char *const show_words[] = { "times", "efficiency", "states", NULL };

static gboolean
check_options (Options *self, GError **error)
{
  guint rows = TT_BREAKDOWN_RANK, place = TT_BREAKDOWN_AUTO;

  if (!tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error) ||
      (self->per_text != NULL && !tt_word_choose ("value of --per", self->per_text, per_words, &rows, error)) ||
      (self->of_text != NULL && !tt_word_choose ("value of --of", self->of_text, of_words, &place, error)) ||
      (self->show_text != NULL && !tt_word_choose ("value of --show", self->show_text, show_words, &self->show, error)))
    return FALSE;
  if (self->show == SHOW_EFFICIENCY && rows != TT_BREAKDOWN_RANK)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "--show efficiency is of all ranks; leave --per out");
      return FALSE;
    }
  if (self->show == SHOW_STATES && (rows == TT_BREAKDOWN_STEP || place == TT_BREAKDOWN_DEVICE))
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_USAGE,
          "--show states is of threads: of operations, with --per rank of ranks, with --per stream of threads");
      return FALSE;
    }
  self->rows = (TtBreakdownRows) rows;
  self->place = (TtBreakdownPlace) place;
  return TRUE;
}

static void
explain_nothing (TtStore *store, const TtSelection *selection, const Options *options)
{
  if (!tt_selection_is_everything (selection))
    tt_command_nothing_matches ("span", selection, store);
  else if (options->place == TT_BREAKDOWN_DEVICE)
    tt_message ("this run has no work on devices; leave --of device out to see its threads");
  else if (options->rows == TT_BREAKDOWN_STEP)
    tt_message ("no work of this run is in a step; name the steps with 'import --step-by', or leave --per step out");
  else
    tt_message ("this run has no spans");
}

static int
show_efficiency (const TtBreakdown *breakdown, TtTrustMarks *marks, const TtReportView *view, GError **error)
{
  const TtEfficiency *efficiency = tt_breakdown_efficiency (breakdown);

  if (efficiency == NULL)
    tt_message ("%s", tt_breakdown_is_filtered (breakdown)
                          ? "POP's efficiencies are of all spans of a run; leave --filter out"
                          : "POP's efficiencies are of two or more ranks that work on the host and communicate, which "
                            "this run does not have");
  g_autoptr (TtReport) report = tt_efficiency_table (efficiency, marks, view);
  return tt_report_show (report, view, error) ? 0 : -1;
}

static int
show_states (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  TtStatesRows rows = options->per_text == NULL              ? TT_STATES_OPERATIONS
                      : options->rows == TT_BREAKDOWN_STREAM ? TT_STATES_THREADS
                                                             : TT_STATES_RANKS;
  g_autoptr (TtStates) states = tt_states_new (store, selection, rows, error);
  g_autoptr (TtTrustMarks) marks = states == NULL ? NULL : tt_trust_marks_new (store, error);

  if (marks == NULL)
    return -1;
  g_autoptr (TtReport) report = tt_states_table (store, states, rows, marks, &options->view);
  g_autofree char *heading = tt_states_describe (store, states, rows);
  if (heading != NULL)
    tt_report_heading (report, heading);
  else if (tt_states_facts (states)->n_lanes == 0)
    tt_message ("this run has no states of threads: they come from a kernel trace of LTTng with sched_switch, "
                "imported together with the program's");
  else
    tt_command_nothing_matches ("span", selection, store);
  return tt_report_show (report, &options->view, error) ? 0 : -1;
}

/* The kernel and programs share the clock of their host, which nothing of the run's own is to part. */
static gboolean
choose_clock (TtStore *store, const Options *options, GError **error)
{
  return options->show != SHOW_STATES || tt_store_choose_correction (store, TT_CORRECTION_NONE, error);
}

/* @crew: NULL, or the ranks of a job; *@is_done: this one has nothing more to do. */
static TtBreakdown *
find (TtStore *store,
      const TtSelection *selection,
      const Options *options,
      const TtCrew *crew,
      gboolean *is_done,
      GError **error)
{
  GError *failure = NULL;

  if (crew == NULL)
    return tt_breakdown_new (store, selection, options->rows, options->place, error);
  TtBreakdown *self = tt_joint_breakdown_new (store, selection, options->rows, options->place, crew, &failure);
  *is_done = crew->rank > 0 && self == NULL && failure == NULL;
  if (failure != NULL)
    g_propagate_error (error, failure);
  return self;
}

static int
answer (const TtContext *context, char **paths, const Options *options, GError **error)
{
  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options->shared.filters,
                                                        options->shared.time_window, options->view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, paths, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !choose_clock (store, options, error) ||
      !tt_selection_bind (selection, store, error) || !tt_info_trust_tell (store, error))
    return -1;
  if (options->show == SHOW_STATES)
    return show_states (store, selection, options, error);
  TtCrew crew;
  gboolean is_shared, is_done = FALSE;
  if (!tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  g_autoptr (TtBreakdown) breakdown = find (store, selection, options, is_shared ? &crew : NULL, &is_done, error);
  if (is_done)
    return 0;
  g_autoptr (TtTrustMarks) marks = breakdown == NULL ? NULL : tt_trust_marks_new (store, error);
  if (marks == NULL)
    return -1;

  if (options->show == SHOW_EFFICIENCY)
    return show_efficiency (breakdown, marks, &options->view, error);
  g_autoptr (TtReport) report = tt_breakdown_table (store, breakdown, options->rows, marks, &options->view);
  g_autofree char *heading = tt_breakdown_describe (store, breakdown, options->rows);
  if (heading != NULL)
    tt_report_heading (report, heading);
  else
    explain_nothing (store, selection, options);
  return tt_report_show (report, &options->view, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "per", 0, 0, G_OPTION_ARG_STRING, &options.per_text,
      "Print a row per rank (default), per step of a rank, or per stream (of the host: thread)", "rank|step|stream" },
    { "of", 0, 0, G_OPTION_ARG_STRING, &options.of_text,
      "Look at the devices of ranks that have some, else at the host (default), or at one of them",
      "auto|device|host" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text,
      "Show the times of the rows (default), a table of POP's efficiencies, or of what the kernel says of threads",
      "times|efficiency|states" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_breakdown, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  return answer (context, argv + 1, &options, error);
}

static const TtOptionValues values[] = {
  { "per", TT_VALUES_ONE, per_words },
  { "of", TT_VALUES_ONE, of_words },
  { "show", TT_VALUES_ONE, show_words },
  { NULL },
};

const TtCommand tt_command_breakdown = {
  .name = "breakdown",
  .summary = "Show what time went to: compute, communication, memory, idle and why",
  .usage = "[TRACE...]",
  .details =
      "Every moment counts once. Of a rank with devices its kernels and copies are looked at, all streams together,\n"
      "from the first begin to the last end; of any other rank the innermost span of each of its threads. Of what\n"
      "runs at once the first of these counts; tables show percent of Time, csv and json times:\n"
      "  Compute   COMP, FW, BW, UPDATE_, OUTPUT, ServerOp\n"
      "  Exposed   communication during which nothing computes, of MPI the transfer; Overlap is the part that is "
      "hidden\n"
      "  Memory    copies and sets during which nothing computes or communicates: copies hide nothing\n"
      "  Wait      calls of the host that wait for another rank, as 'waits' has it (of MPI)\n"
      "  Sync, I/O, Runtime   likewise: other waits (OpenMP's barriers); input and output; calls of a runtime\n"
      "  Idle      none of them. For devices, by what ends the gap:\n"
      "    Host    its launch began after the device was free: the host was late\n"
      "    Kernel  launched before, and the gap is below 30 us: the device's own pause\n"
      "    Other   launched before, and begun late: it waited for another stream, device or rank\n"
      "    ?       the trace does not say when it was launched (idle_unknown)\n"
      "\n"
      "'--per step': work belongs to the step that launched it, though it may end after the step, which then\n"
      "lasts until that end; Others is the time in which only other steps' work ran. '--per stream': each\n"
      "stream or thread by itself. A time window cuts spans. Filters choose what is told by class, and change nothing\n"
      "else: the time of other spans is Left out, and hides communication all the same; rows without a chosen span\n"
      "are not shown.\n"
      "\n"
      "Where several ranks work on the host and communicate, POP's efficiencies are shown (--show efficiency: all\n"
      "digits). Parallel efficiency is the mean useful time (Compute, Memory, I/O) over the runtime, load balance the\n"
      "mean over the largest useful time, communication efficiency the largest over the runtime: serialisation, the\n"
      "largest over the runtime on an ideal network, times transfer, the runtime there over the real one. The ideal\n"
      "run is a replay: useful stretches as they are, communication free, each wait found anew. With OpenMP they are\n"
      "hybrid: those of MPI times those of OpenMP.\n"
      "\n"
      "'--show states' joins a kernel trace of LTTng with the program's trace of the same host, imported together:\n"
      "for each operation (--per rank, --per stream: rank, thread) how much of its time its thread ran, was preempted\n"
      "(taken off its processor while it could go on), was woken and not yet running (Ready), or waited, and in which\n"
      "call of the system most of that (Call). Each moment is that of the innermost operation; csv and json have\n"
      "whole spans too (total). '?' is what the kernel trace does not cover.",
  .example = "tracetool breakdown tau-mpi4\n"
             "tracetool breakdown --per stream --format csv tau-mpi4\n"
             "tracetool breakdown --show efficiency tau-mpi4\n"
             "tracetool breakdown --per step job-2x1",
  .values = values,
  .run = run,
};
