/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/info-runs.h"

#include <string.h>

static TtReportCell
run_id (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtRunSummary *) row)->id);
}

/* To the minute: seconds are in the line of the run. */
static TtReportCell
run_imported (const TtReportField *self, const void *row, const void *context)
{
  const char *text = ((const TtRunSummary *) row)->imported_at;
  char *minute = g_strndup (text, strlen ("2026-11-21T02:14"));

  g_strdelimit (minute, "T", ' ');
  return tt_cell_take (minute);
}

static TtReportCell
run_formats (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtRunSummary *) row)->formats);
}

static TtReportCell
run_sources (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtRunSummary *) row)->n_sources);
}

static TtReportCell
run_spans (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtRunSummary *) row)->n_spans);
}

/* Runs in ticks and runs in time stand side by side. */
static TtReportCell
run_length (const TtReportField *self, const void *row, const void *context)
{
  const TtRunSummary *run = row;
  char text[TT_TIME_TEXT];

  if (!run->has_time)
    return tt_cell_empty ();
  if (run->clock == TT_CLOCK_TICKS)
    return tt_cell_take (g_strdup_printf ("%s ticks", tt_count_text (text, (guint64) (run->last_ns - run->first_ns))));
  return tt_cell_take (g_strdup (tt_time_auto (text, run->last_ns - run->first_ns)));
}

/* All begin with the name of the program. */
static TtReportCell
run_command (const TtReportField *self, const void *row, const void *context)
{
  const char *command = ((const TtRunSummary *) row)->command, *program = "tracetool ";

  return tt_cell_text (g_str_has_prefix (command, program) ? command + strlen (program) : command);
}

static const TtReportField fields[] = {
  { TT_COLUMN_COUNT, "Run", "run", run_id },
  { TT_COLUMN_WORD, "Imported (UTC)", "imported_at", run_imported },
  { TT_COLUMN_WORD, "Formats", "formats", run_formats },
  { TT_COLUMN_COUNT, "Sources", "sources", run_sources },
  { TT_COLUMN_COUNT, "Spans", "spans", run_spans },
  { TT_COLUMN_WORD, "Length", "length", run_length },
  { TT_COLUMN_TEXT, "Command", "command", run_command },
};

typedef struct
{
  TtReport *report;
  guint n_earlier; /* that are left out */
} Runs;

static gboolean
add_run (const TtRunSummary *run, gpointer data)
{
  Runs *self = data;

  if (self->n_earlier > 0)
    self->n_earlier--;
  else
    tt_report_row (self->report, run);
  return TRUE;
}

TtReport *
tt_info_runs (TtStore *store, guint n, const TtReportView *view, GError **error)
{
  g_autoptr (TtReport) report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, NULL);
  Runs runs = { report, view->top > 0 && n > view->top ? n - view->top : 0 };

  if (runs.n_earlier > 0)
    {
      g_autofree char *more = tt_report_more (view, runs.n_earlier, "earlier runs");
      tt_report_footer (report, more);
    }
  return tt_store_each_run (store, add_run, &runs, error) ? g_steal_pointer (&report) : NULL;
}
