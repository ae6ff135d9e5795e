/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/output.h"
#include "src/cli/default-output.h"
#include "src/cli/page/page.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"

#include <string.h>

/* The whole page, before a file is there for it. */
static gboolean
make_page (TtPage *page, TtStore *store, const char *output, const char *source, GError **error)
{
  gboolean is_due = tt_default_output_is_due (output);

  if (!tt_page_fill (page, error))
    return FALSE;
  g_autoptr (TtOutput) out =
      is_due ? tt_default_output_open (store, source, "report.html", error) : tt_output_open (output, error);
  if (out == NULL)
    return FALSE;
  tt_page_write (page, out);
  if (!tt_output_close (out, error))
    return FALSE;
  if (tt_output_path (out) != NULL)
    tt_message ("wrote '%s'; a browser shows it", tt_output_path (out));
  return TRUE;
}

static gboolean
check_output (const char *output, GError **error)
{
  if (tt_default_output_is_stdout (output) || g_str_has_suffix (output, ".html") || g_str_has_suffix (output, ".htm") ||
      g_str_has_suffix (output, ".html.gz"))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot tell from '%s' what to write; end it in .html", output);
  return FALSE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_autofree char *output = NULL, *against = NULL;
  g_auto (TtPage) page = { 0 };
  TtCrew crew;
  gboolean has_crew;
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write this .html; '-': standard output (default: see below)",
      "FILE" },
    { "against", 0, 0, G_OPTION_ARG_FILENAME, &against,
      "Compare with this run: a trace, a database, DATABASE:N or N, as 'compare' takes it", "RUN" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_report, entries, &argc, &argv, &status, error))
    return status;
  if (!check_output (output, error))
    return -1;
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, NULL, TT_UNIT_US, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  if (!tt_run_crew (store, &crew, &has_crew, error))
    return -1;
  tt_page_init (&page, store, selection);
  page.crew = has_crew ? &crew : NULL;
  page.context = context;
  page.label = argc > 1 ? argv[1] : tt_store_shown (store);
  page.against = against;
  if (has_crew && crew.rank > 0)
    return tt_page_help (&page, error) ? 0 : -1;
  return make_page (&page, store, output, argv[1], error) ? 0 : -1;
}

const TtCommand tt_command_report = {
  .name = "report",
  .summary = "Write one HTML page that tells the whole story of a run",
  .usage = "[TRACE...]",
  .details =
      "The page needs nothing but a browser: no network, no tracetool. It says in five sentences what the run is, "
      "what\n"
      "bounds it, who waits for whom, what to look at first and how far to trust it. Then come a timeline to zoom,\n"
      "statistics to sort and search, where the time went, what is uneven, waits with their causes, the critical "
      "path,\n"
      "messages, the bandwidth of transfers, steps, work on devices, a graph of dependencies, repairs, and with "
      "'--against'\n"
      "a comparison. What a run does not have is left out. The numbers are those of the commands 'stats', 'breakdown', "
      "'imbalance', 'waits',\n"
      "'critical-path', 'comm', 'steps', 'kernels', 'compare' and 'info --trust'.\n"
      "\n"
      "However large the trace, the page stays below 20 MB: tables have their first 1,000 rows, and of many short "
      "spans\n"
      "beside each other the timeline tells how many they are. Keys: '?' on the page lists them. The same run makes\n"
      "the same bytes.\n"
      "Without '-o' it goes to standard output, in a terminal to a new file report.html beside what was read.",
  .example = "tracetool report -o report.html tau-mpi4\n"
             "tracetool report --against before.json -o change.html after.json",
  .run = run,
};
