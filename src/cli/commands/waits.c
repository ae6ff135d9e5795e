/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/waits.h"
#include "src/base/map64.h"
#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-facts.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/wait-causes.h"
#include "src/cli/words.h"

typedef struct
{
  guint32 kind, name;
  guint64 count, n_inferred;
  tt_int128 ns;
  gint64 max_ns;
} Row;

typedef struct
{
  TtStore *store;
  const TtWaits *waits;
} Answer;

enum
{
  ROW_TIME,
  ROW_COUNT,
  ROW_MAX,
};

static TtReportCell
row_sum (const TtReportField *self, const void *row, const void *context)
{
  const Row *of = row;

  return tt_cell_int (self->id == ROW_TIME ? of->ns : self->id == ROW_COUNT ? (tt_int128) of->count : of->max_ns);
}

static TtReportCell
row_percent (const TtReportField *self, const void *row, const void *context)
{
  const TtWaits *waits = ((const Answer *) context)->waits;

  return waits->time_ns == 0 ? tt_cell_empty ()
                             : tt_cell_real (100.0 * (double) ((const Row *) row)->ns / (double) waits->time_ns);
}

static TtReportCell
row_inferred (const TtReportField *self, const void *row, const void *context)
{
  const Row *of = row;

  return tt_cell_real (100.0 * (double) of->n_inferred / (double) of->count);
}

static TtReportCell
row_kind (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_wait_kind_text (((const Row *) row)->kind));
}

static TtReportCell
row_name (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name = tt_store_name (((const Answer *) context)->store, ((const Row *) row)->name);

  return tt_cell_text (name == NULL ? NULL : name->text);
}

static const TtReportField fields[] = {
  { TT_COLUMN_TIME, "Wait", "wait", row_sum, ROW_TIME },
  { TT_COLUMN_PERCENT, "Time %", "time_percent", row_percent },
  { TT_COLUMN_COUNT, "Count", "count", row_sum, ROW_COUNT },
  { TT_COLUMN_TIME, "Max", "max", row_sum, ROW_MAX },
  { TT_COLUMN_WORD, "Kind", "kind", row_kind },
  { TT_COLUMN_TEXT, "Name", "name", row_name },
  { TT_COLUMN_PERCENT, "Inferred %", "inferred_percent", row_inferred },
};

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : (x->name > y->name) - (x->name < y->name);
}

/* Of Row, the longest first. @first_names: of names with one text. */
static GArray *
sum_rows (const TtWaits *waits, const guint32 *first_names)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
  TtMap64 numbers = { 0 };

  for (guint i = 0; i < waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits->waits, TtWait, i);
      const Row fresh = { wait->kind, first_names[wait->name], 0, 0, 0, 0 };
      guint64 key = (guint64) fresh.kind << 32 | fresh.name;
      guint32 number = tt_map64_get (&numbers, key);

      if (number == TT_MAP64_NONE)
        {
          number = rows->len;
          tt_map64_set (&numbers, key, number);
          g_array_append_val (rows, fresh);
        }
      Row *row = &g_array_index (rows, Row, number);
      row->count++;
      row->n_inferred += wait->is_inferred;
      row->ns += wait->end_ns - wait->begin_ns;
      row->max_ns = MAX (row->max_ns, wait->end_ns - wait->begin_ns);
    }
  tt_map64_clear (&numbers);
  g_array_sort (rows, compare_rows);
  return rows;
}

/* NULL: nothing was left out. Free it. */
static char *
unjudged_text (const TtWaitCounts *counts)
{
  const struct
  {
    guint64 n;
    const char *what;
  } parts[] = {
    { counts->n_halves, "messages without partner or span" },
    { counts->n_backward, "messages received before sent" },
    { counts->n_alone, "calls of one rank" },
    { counts->n_undecided, "calls of which it is not known who takes part" },
    { counts->n_unjudged, "calls of other functions" },
    { counts->n_early, "waits in calls that end before the last rank comes, cut there" },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].n > 0)
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s", text->len == 0 ? "not judged: " : ",\n  ", parts[i].n,
                              parts[i].what);
  return g_string_free (text, text->len == 0);
}

static gboolean
print_answer (const Answer *answer, const TtReportView *view, GError **error)
{
  const TtWaits *waits = answer->waits;
  g_autofree guint32 *first_names = tt_store_first_names (answer->store, error);

  if (first_names == NULL)
    return FALSE;
  g_autoptr (GArray) rows = sum_rows (waits, first_names);
  g_autoptr (TtReport) report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, answer);
  g_autofree char *length = tt_length_text (answer->store, (gint64) MIN (waits->waits_ns, G_MAXINT64));
  g_autofree char *heading =
      g_strdup_printf ("%.1f %% of the time of %u rank%s is waiting: %s in %u waits",
                       waits->time_ns == 0 ? 0.0 : 100.0 * (double) waits->waits_ns / (double) waits->time_ns,
                       waits->n_ranks, waits->n_ranks == 1 ? "" : "s", length, waits->waits->len);

  tt_report_heading (report, heading);
  tt_report_limit (report, view);
  for (guint i = 0; i < rows->len; i++)
    tt_report_row (report, &g_array_index (rows, Row, i));
  g_autofree char *unjudged = unjudged_text (&waits->counts);
  if (unjudged != NULL)
    tt_report_footer (report, unjudged);
  return tt_report_show (report, view, error);
}

static const char *const show_words[] = { "waits", "causes", NULL };

/* A cause can lie in any wait before: all are needed. */
static gboolean
check_selection (const TtSelection *selection, guint show, GError **error)
{
  if (show == 0 || tt_selection_is_everything (selection))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "causes are those of all waits: leave --filter and --time-window out");
  return FALSE;
}

static int
answer_all (TtStore *store, const TtSelection *selection, guint show, const TtReportView *view, GError **error)
{
  if (show != 0)
    {
      g_autoptr (TtWaitCauses) causes = tt_wait_causes_new (store, error);

      return causes != NULL && tt_print_wait_causes (store, causes, view, error) ? 0 : -1;
    }
  g_autoptr (TtWaits) waits = tt_waits_new (store, selection, error);
  if (waits == NULL)
    return -1;
  if (waits->waits->len == 0)
    tt_message ("no wait for another rank%s", tt_selection_is_everything (selection) ? " in this run" : " matches");
  const Answer answer = { store, waits };
  return print_answer (&answer, view, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtSharedOptions) options = TT_SHARED_OPTIONS_INIT;
  g_autofree char *show_text = NULL;
  const GOptionEntry own[] = {
    { "show", 0, 0, G_OPTION_ARG_STRING, &show_text, "Show waits (default), or what made them", "waits|causes" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);
  TtReportView view;
  guint show = 0;
  int status;

  if (!tt_command_parse (&tt_command_waits, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options, TT_DEFAULT_TOP, &view, error) ||
      (show_text != NULL && !tt_word_choose ("value of --show", show_text, show_words, &show, error)))
    return -1;
  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.filters, options.time_window, view.unit, error);
  if (selection == NULL || !check_selection (selection, show, error))
    return -1;
  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  return answer_all (store, selection, show, &view, error);
}

static const TtOptionValues values[] = {
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
      "  wait for thread, for lock, at thread barrier   until the thread ended, the lock was free, the last came\n"
      "  host waits for device, device waits for host, for device   for work, for its launch, for an event\n"
      "What a trace does not tell is inferred: the last column is the share of such waits.\n"
      "'--show causes': what made them, as Boehme's delay costs. Of a wait for a rank, what that rank computed in\n"
      "a call path beyond the waiting one, since both last synchronised; a wait of that rank hands its share on to\n"
      "its own causes (Propagated). Costs add up to all waits.",
  .example = "tracetool waits tau-mpi4\ntracetool waits --show causes tau-mpi4",
  .values = values,
  .run = run,
};
