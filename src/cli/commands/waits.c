/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-causes.h"
#include "analyzers/path/job-path.h"
#include "analyzers/path/job-wait-list.h"
#include "analyzers/waits/waits.h"
#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/wait-causes.h"
#include "src/cli/tables/waits.h"
#include "src/cli/words.h"

static const char *const show_words[] = { "waits", "causes", NULL };

static void
tell_of_none (guint n_waits, const char *wait, const TtSelection *selection)
{
  if (n_waits == 0)
    tt_message ("no %s%s", wait, tt_selection_is_everything (selection) ? " in this run" : " matches");
}

/* @crew: NULL, or the ranks of a job, of which those other than 0 have nothing to show. */
static int
show_causes (TtStore *store, const TtSelection *selection, const TtCrew *crew, const TtReportView *view, GError **error)
{
  GError *failure = NULL;
  g_autoptr (TtWaitCauses) causes = tt_run_wait_causes (store, selection, crew, &failure);

  if (failure != NULL)
    g_propagate_error (error, failure);
  if (causes == NULL)
    return failure == NULL && crew != NULL && crew->rank > 0 ? 0 : -1;
  tell_of_none (causes->n_waits, "wait for another rank", selection);
  g_autoptr (TtReport) table = tt_wait_causes_table (store, causes, view, error);
  return table != NULL && tt_report_show (table, view, error) ? 0 : -1;
}

static int
show_waits (TtStore *store,
            const TtSelection *selection,
            const TtCrew *crew,
            const TtWaitKeys *keys,
            const TtReportView *view,
            GError **error)
{
  GError *failure = NULL;
  g_autoptr (TtWaits) waits = tt_run_wait_list_by (store, selection, crew, &failure);

  if (failure != NULL)
    g_propagate_error (error, failure);
  if (waits == NULL)
    return failure == NULL && crew != NULL && crew->rank > 0 ? 0 : -1;
  tell_of_none (waits->waits->len, "wait for another rank, thread or device", selection);
  g_autoptr (TtReport) table = tt_waits_table (store, waits, keys, view, error);
  return table != NULL && tt_report_show (table, view, error) ? 0 : -1;
}

static int
answer_all (TtStore *store,
            const TtSelection *selection,
            guint show,
            const TtWaitKeys *keys,
            const TtReportView *view,
            GError **error)
{
  TtCrew crew;
  gboolean is_shared;

  if (!tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  return show != 0 ? show_causes (store, selection, is_shared ? &crew : NULL, view, error)
                   : show_waits (store, selection, is_shared ? &crew : NULL, keys, view, error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtSharedOptions) options = TT_SHARED_OPTIONS_INIT;
  g_autofree char *show_text = NULL, *by_text = NULL;
  const GOptionEntry own[] = {
    { "by", 0, 0, G_OPTION_ARG_STRING, &by_text, "Sum waits by these keys (default: kind,name)", "KEY,KEY..." },
    { "show", 0, 0, G_OPTION_ARG_STRING, &show_text, "Show waits (default), or what made them", "waits|causes" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);
  TtReportView view;
  TtWaitKeys keys;
  guint show = 0;
  int status;

  if (!tt_command_parse (&tt_command_waits, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options, TT_DEFAULT_TOP, &view, error) ||
      (show_text != NULL && !tt_word_choose ("value of --show", show_text, show_words, &show, error)) ||
      !tt_wait_keys_parse (&keys, by_text == NULL ? "kind,name" : by_text, error))
    return -1;
  if (show != 0 && by_text != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "causes are by rank and call path: leave --by out");
      return -1;
    }
  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.filters, options.time_window, view.unit, error);
  if (selection == NULL)
    return -1;
  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  return answer_all (store, selection, show, &keys, &view, error);
}

static const TtOptionValues values[] = {
  { "by", TT_VALUES_LIST, tt_wait_key_words },
  { "show", TT_VALUES_ONE, show_words },
  { NULL },
};

const TtCommand tt_command_waits = {
  .name = "waits",
  .summary = "Show where ranks wait for others: late senders, barriers, ...",
  .usage = "[TRACE...]",
  .details =
      "Wait states as Scalasca defines them, and those of threads and devices, by kind and operation. Waits that\n"
      "overlap on a thread count once. Time %: of the time of the threads, each from its first span to its last.\n"
      "Filters choose the span that waits; of a time window the part inside counts.\n"
      "  late sender    from the begin of the receive to that of the send, at most to the end of the receive;\n"
      "                 in a probe, too, and from the first of calls that ask again and again (MPI_Test)\n"
      "  wrong order    the same, where a message from the same that is received later had been sent before\n"
      "  late receiver  from the begin of a send that lasts until then, to that of the receive\n"
      "  wait at barrier, wait at NxN   until the last rank comes; where MPI_Iallreduce and its like are completed\n"
      "  late broadcast, early reduce   until the root comes; of the root, until the others have come\n"
      "  wait in sync   in other calls with a root, where TAU itself puts a barrier into them\n"
      "  wait at finalize   until the last rank comes\n"
      "  wait for thread, for lock, at thread barrier   until the thread ended, the lock (of threads; of a window in\n"
      "                 OTF2: of ranks) was free, the last came\n"
      "  host waits for device, device waits for host, for device   for work, for its launch, for an event\n"
      "Of training jobs: RECV until SEND begins, Sync and NEGOTIATE until the last rank comes; workers of BytePS,\n"
      "between spans: for the worker that pushes last, then until the server answers.\n"
      "What a trace does not tell is inferred: the last column is the share of such waits.\n"
      "'--by' sums by kind, name (of the span that waits), rank (that waits), cause (the rank waited for), cause_name\n"
      "(the span there that ended the wait), path (the spans around it), step or communicator, or several of them.\n"
      "A communicator is told by its number and ranks, and marked where it was inferred who takes part.\n"
      "'--show causes': what made them, as Boehme's delay costs. Of a wait for a rank, what that rank computed in\n"
      "a call path beyond the waiting one, since both last synchronised; a wait of that rank hands its share on to\n"
      "its own causes (Propagated). Costs add up to the waits that filters choose.",
  .example =
      "tracetool waits tau-mpi4\ntracetool waits --by rank,cause tau-mpi4\ntracetool waits --show causes tau-mpi4",
  .values = values,
  .run = run,
};
