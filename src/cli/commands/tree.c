/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "src/base/error.h"
#include "src/cli/find-operation.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/tree.h"

/* Of a table for people, below which paths are left out. */
#define DEFAULT_MIN_PERCENT 1.0

typedef struct
{
  TtSharedOptions shared;
  char *callers, *callees;
  double min_percent; /* negative: the default */
  int depth;
  TtReportView view;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->callers);
  g_free (self->callees);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
check_options (Options *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error))
    return FALSE;
  if (self->callers != NULL && self->callees != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "'--callers' and '--callees' are two questions: ask one after the other");
      return FALSE;
    }
  if (self->depth < 0 || self->min_percent > 100)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   self->depth < 0 ? "'--depth' must not be negative" : "'--min' is a percentage, at most 100");
      return FALSE;
    }
  if (self->min_percent < 0)
    self->min_percent = tt_report_view_is_for_people (&self->view) ? DEFAULT_MIN_PERCENT : 0;
  return TRUE;
}

/* NULL without @error: as another rank of a job than 0 it is done. */
static TtCallTree *
make_tree (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  TtCrew crew;
  gboolean is_shared;
  const char *text = options->callers != NULL ? options->callers : options->callees;
  g_autofree guint8 *is_asked = text == NULL ? NULL : tt_find_operation (store, text, error);
  if ((text != NULL && is_asked == NULL) || !tt_run_crew (store, &crew, &is_shared, error))
    return NULL;
  g_autoptr (TtCallTree) tree = tt_call_tree_new (store, selection, is_shared ? &crew : NULL, error);
  if (tree == NULL || text == NULL)
    return g_steal_pointer (&tree);
  return options->callers != NULL ? tt_call_tree_callers (tree, is_asked) : tt_call_tree_callees (tree, is_asked);
}

/* -- answering --------------------------------------------------------------------------------------------------- */

static int
answer (const TtContext *context, char **paths, const Options *options, GError **error)
{
  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options->shared.filters,
                                                        options->shared.time_window, options->view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, paths, error);
  const TtTreeLimits limits = { options->min_percent, (guint) options->depth };

  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  GError *failure = NULL;
  g_autoptr (TtCallTree) tree = make_tree (store, selection, options, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  if (tree == NULL)
    return failure == NULL ? 0 : -1;
  if (tree->nodes->len == 1)
    tt_command_nothing_matches ("span", selection, store);
  g_autoptr (TtReport) report = tt_tree_table (store, tree, &limits, &options->view);
  return tt_report_show (report, &options->view, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT, .min_percent = -1 };
  int status;
  const GOptionEntry own[] = {
    { "callers", 0, 0, G_OPTION_ARG_STRING, &options.callers, "Show who calls this operation, callers below it",
      "NAME" },
    { "callees", 0, 0, G_OPTION_ARG_STRING, &options.callees, "Show what this operation calls, on all paths together",
      "NAME" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &options.depth, "Show so many levels (default: all)", "N" },
    { "min", 0, 0, G_OPTION_ARG_DOUBLE, &options.min_percent,
      "Leave out what is below this share of the whole (default: 1 in tables, 0 elsewhere)", "PERCENT" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_tree, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  return answer (context, argv + 1, &options, error);
}

const TtCommand tt_command_tree = {
  .name = "tree",
  .summary = "Show which operations ran inside which: the call tree, callers, callees",
  .usage = "[TRACE...]",
  .details =
      "A row a call path, children below their parent, largest total first; threads and ranks share the rows of\n"
      "equal paths. Total is inclusive, Total % of all that is outermost; Self is without what is inside. csv,\n"
      "tsv and json have all paths, with the column path: names from the outermost on, ' => ' between them.\n"
      "'--callers' puts the operation first and its callers below it, with the totals of the operation on that\n"
      "path; '--callees' what it calls. NAME is a standard name, an op_name or the name in the trace, or a\n"
      "part that only one name has. Where it calls itself, totals count it once. Spans that a filter does not choose, "
      "and those that only name a stretch\n"
      "of time, are passed over. 'export --folded' and 'export --speedscope' write the tree for viewers.",
  .example = "tracetool tree tau-mpi4\n"
             "tracetool tree --callers MPI_Recv tau-mpi4\n"
             "tracetool tree --depth 3 --min 5 tau-mpi4",
  .run = run,
};
