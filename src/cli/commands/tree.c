/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "src/base/error.h"
#include "src/base/report/cut.h"
#include "src/base/suggest.h"
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

/* -- the operations that are asked for --------------------------------------------------------------------- */

typedef struct
{
  const char *text;
  guint8 *is_asked;
  GHashTable *words; /* texts of names, for a hint */
  GHashTable *parts; /* of names that the text is a part of: texts */
  gboolean is_any;
} Search;

/* Names that an error lists. */
#define MAX_LISTED 4u
#define MAX_LISTED_NAME 60u /* characters */

static gboolean
look_at_name (const TtStoredName *name, gpointer data)
{
  Search *self = data;

  if (g_strcmp0 (name->text, self->text) == 0 || g_strcmp0 (name->op_name, self->text) == 0 ||
      g_strcmp0 (name->raw, self->text) == 0)
    {
      self->is_asked[name->id] = 1;
      self->is_any = TRUE;
    }
  else if (name->text != NULL && g_hash_table_size (self->words) < 10000)
    g_hash_table_add (self->words, g_strdup (name->text));
  if (name->text != NULL && *self->text != '\0' && strstr (name->text, self->text) != NULL)
    g_hash_table_add (self->parts, g_strdup (name->text));
  return TRUE;
}

static gboolean
ask_for_name (const TtStoredName *name, gpointer data)
{
  Search *self = data;

  if (name->text != NULL && g_hash_table_contains (self->parts, name->text))
    self->is_asked[name->id] = 1;
  return TRUE;
}

static gboolean
set_ambiguous (const Search *self, GError **error)
{
  g_autoptr (GList) texts = g_list_sort (g_hash_table_get_keys (self->parts), (GCompareFunc) strcmp);
  g_autoptr (TtCuts) cuts = tt_cuts_new (MAX_LISTED_NAME);
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (GList *text = texts; text != NULL && n < MAX_LISTED; text = text->next, n++)
    tt_cuts_add (cuts, text->data);
  tt_cuts_settle (cuts);
  n = 0;
  for (GList *text = texts; text != NULL && n < MAX_LISTED; text = text->next, n++)
    g_string_append_printf (list, "%s'%s'", n == 0 ? "" : ", ", tt_cuts_get (cuts, text->data));
  if (g_hash_table_size (self->parts) > MAX_LISTED)
    g_string_append_printf (list, " and %u more", g_hash_table_size (self->parts) - MAX_LISTED);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is part of %u operations: %s", self->text,
               g_hash_table_size (self->parts), list->str);
  return FALSE;
}

/* No name is the text: the only one that it is a part of. */
static gboolean
find_part (Search *self, TtStore *store, GError **error)
{
  if (g_hash_table_size (self->parts) == 1)
    return tt_store_each_name (store, ask_for_name, self, error);
  if (g_hash_table_size (self->parts) > 1)
    return set_ambiguous (self, error);
  g_autofree const char **list = (const char **) g_hash_table_get_keys_as_array (self->words, NULL);
  const char *near = tt_suggest (self->text, list);

  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no operation '%s' in this run%s%s%s", self->text,
               near == NULL ? "; see tracetool stats" : "; did you mean '", near == NULL ? "" : near,
               near == NULL ? "" : "'?");
  return FALSE;
}

/* By name; names with the same text are one in the tree. Free it. */
static guint8 *
find_names (TtStore *store, const char *text, GError **error)
{
  gsize n = (gsize) tt_store_max_name (store) + 1;
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint8 *is_asked = g_new0 (guint8, n);
  g_autofree guint32 *first = tt_store_first_names (store, error);
  Search search = { text, is_asked, words, parts, FALSE };

  if (first == NULL || !tt_store_each_name (store, look_at_name, &search, error))
    return NULL;
  if (!search.is_any && !find_part (&search, store, error))
    return NULL;
  for (gsize i = 1; i < n; i++)
    is_asked[first[i]] |= is_asked[i];
  return g_steal_pointer (&is_asked);
}

static TtCallTree *
make_tree (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  const char *text = options->callers != NULL ? options->callers : options->callees;
  g_autofree guint8 *is_asked = text == NULL ? NULL : find_names (store, text, error);
  if (text != NULL && is_asked == NULL)
    return NULL;
  g_autoptr (TtCallTree) tree = tt_call_tree_new (store, selection, error);
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
  g_autoptr (TtCallTree) tree = make_tree (store, selection, options, error);
  if (tree == NULL)
    return -1;
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
