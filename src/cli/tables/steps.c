#include "config.h"

#include "src/cli/tables/steps.h"

#include <math.h>

#include "src/cli/run-facts.h"

/* @width: of the terminal from which on the column is shown. */
static const struct
{
  const char *title, *key;
  guint width;
} columns[TT_N_STEP_TIMES] = {
  [TT_STEP_TIME_ITERATION] = { "Iteration", "iteration", 0 },
  [TT_STEP_TIME_FW] = { "FW", "fw", 0 },
  [TT_STEP_TIME_BW] = { "BW", "bw", 0 },
  [TT_STEP_TIME_UPDATE] = { "UPDATE", "update", 0 },
  [TT_STEP_TIME_OUTPUT] = { "OUTPUT", "output", 120 },
  [TT_STEP_TIME_COMP] = { "COMP", "comp", 110 },
  [TT_STEP_TIME_COMM] = { "Comm", "comm", 0 },
  [TT_STEP_TIME_COMM_EXPOSED] = { "Exposed", "comm_exposed", 90 },
  [TT_STEP_TIME_IO] = { "I/O", "io", 100 },
  [TT_STEP_TIME_IDLE] = { "Idle", "idle", 0 },
};

static gboolean
is_for_people (const TtStepTableOptions *options)
{
  return options->format == TT_FORMAT_TABLE || options->format == TT_FORMAT_MARKDOWN;
}

static gboolean
is_shown (const TtSteps *steps, const TtStepTableOptions *options, TtStepTime time)
{
  if (!is_for_people (options) || time == TT_STEP_TIME_ITERATION)
    return TRUE;
  if (options->width > 0 && options->width < columns[time].width)
    return FALSE;
  return tt_steps_has (steps, time == TT_STEP_TIME_COMM_EXPOSED ? TT_STEP_TIME_COMM : time);
}

static void
declare_times (TtReport *report, TtSteps *steps, const TtStepTableOptions *options, TtStepTime first)
{
  for (TtStepTime time = first; time < TT_N_STEP_TIMES; time++)
    if (is_shown (steps, options, time))
      tt_report_column (report, TT_COLUMN_TIME, columns[time].title, columns[time].key);
}

static void
add_pid (TtReport *report, TtStore *store, guint32 process)
{
  const TtProcess *found = tt_store_process (store, process);

  tt_report_text (report, found == NULL ? NULL : found->pid);
}

/* -- steps ------------------------------------------------------------------------------------- */

static void
add_step (TtReport *report, TtStore *store, TtSteps *steps, const TtStepTableOptions *options, const TtStepRow *row)
{
  const TtStepIteration *iteration = tt_steps_iteration (steps);

  add_pid (report, store, row->process);
  tt_report_int (report, row->step);
  for (TtStepTime time = 0; time < TT_N_STEP_TIMES; time++)
    {
      gboolean has_none = !row->has_operators && (time == TT_STEP_TIME_ITERATION || time == TT_STEP_TIME_IDLE);

      if (!is_shown (steps, options, time))
        continue;
      if (has_none)
        tt_report_empty (report);
      else
        tt_report_int128 (report, row->ns[time]);
    }
  if (is_for_people (options))
    return;
  tt_report_int (report, row->is_counted);
  tt_report_int (report, iteration->n_processes > 0 && row->step == iteration->typical_step);
}

static void
add_footer (TtReport *report, guint64 n_more, guint64 n_not_counted)
{
  char count[TT_TIME_TEXT];
  g_autoptr (GString) text = g_string_new (NULL);

  if (n_more > 0)
    g_string_append_printf (text, "and %s more", tt_count_text (count, n_more));
  if (n_not_counted > 0)
    g_string_append_printf (text, "%s%s step%s without an end: left out of means", text->len > 0 ? "\n" : "",
                            tt_count_text (count, n_not_counted), n_not_counted == 1 ? "" : "s");
  if (text->len > 0)
    tt_report_footer (report, text->str);
}

TtReport *
tt_step_table (TtStore *store, TtSteps *steps, const TtStepTableOptions *options)
{
  TtReport *report = tt_report_new (options->unit);
  guint64 n_rows = tt_steps_n_rows (steps), n_not_counted = 0;
  guint64 n = options->top > 0 ? MIN (n_rows, options->top) : n_rows;

  tt_report_column (report, TT_COLUMN_TEXT, "Pid", "pid");
  tt_report_column (report, TT_COLUMN_COUNT, "Step", "step");
  declare_times (report, steps, options, 0);
  if (!is_for_people (options))
    {
      tt_report_column (report, TT_COLUMN_COUNT, "Counted", "counted");
      tt_report_column (report, TT_COLUMN_COUNT, "Typical", "typical");
    }
  for (guint64 i = 0; i < n_rows; i++)
    {
      TtStepRow row;

      tt_steps_row (steps, i, &row);
      n_not_counted += row.has_operators && !row.is_counted;
      if (i < n)
        add_step (report, store, steps, options, &row);
    }
  add_footer (report, n_rows - n, n_not_counted);
  return report;
}

/* -- processes --------------------------------------------------------------------------------- */

static void
add_process (TtReport *report,
             TtStore *store,
             TtSteps *steps,
             const TtStepTableOptions *options,
             const TtStepProcess *process)
{
  double n = (double) (process->n_counted > 0 ? process->n_counted : process->n_steps);

  add_pid (report, store, process->process);
  tt_report_int (report, (gint64) process->n_steps);
  tt_report_int (report, (gint64) process->n_counted);
  if (process->n_counted == 0)
    for (guint i = 0; i < 4; i++)
      tt_report_empty (report);
  else
    {
      tt_report_real (report, (double) process->sum_ns[TT_STEP_TIME_ITERATION] / n);
      tt_report_real (report, process->stddev_ns);
      tt_report_int128 (report, process->min_ns);
      tt_report_int128 (report, process->max_ns);
    }
  for (TtStepTime time = TT_STEP_TIME_ITERATION + 1; time < TT_N_STEP_TIMES; time++)
    if (is_shown (steps, options, time))
      tt_report_real (report, (double) process->sum_ns[time] / n);
}

TtReport *
tt_step_process_table (TtStore *store, TtSteps *steps, const TtStepTableOptions *options)
{
  TtReport *report = tt_report_new (options->unit);
  const GArray *processes = tt_steps_processes (steps);
  guint n = options->top > 0 ? (guint) MIN (options->top, processes->len) : processes->len;

  tt_report_column (report, TT_COLUMN_TEXT, "Pid", "pid");
  tt_report_column (report, TT_COLUMN_COUNT, "Steps", "steps");
  tt_report_column (report, TT_COLUMN_COUNT, "Counted", "counted");
  tt_report_column (report, TT_COLUMN_TIME, "Iteration", "iteration");
  tt_report_column (report, TT_COLUMN_TIME, "StdDev", "stddev");
  tt_report_column (report, TT_COLUMN_TIME, "Min", "min");
  tt_report_column (report, TT_COLUMN_TIME, "Max", "max");
  declare_times (report, steps, options, TT_STEP_TIME_ITERATION + 1);
  for (guint i = 0; i < n; i++)
    add_process (report, store, steps, options, &g_array_index (processes, TtStepProcess, i));
  add_footer (report, processes->len - n, 0);
  return report;
}

/* -- the run ----------------------------------------------------------------------------------- */

TtReport *
tt_step_run_table (TtSteps *steps, const TtStepTableOptions *options)
{
  TtReport *report = tt_report_new (options->unit);
  const TtStepIteration *iteration = tt_steps_iteration (steps);

  tt_report_column (report, TT_COLUMN_COUNT, "Processes", "processes");
  tt_report_column (report, TT_COLUMN_COUNT, "Steps", "steps");
  tt_report_column (report, TT_COLUMN_TIME, "Iteration", "iteration");
  tt_report_column (report, TT_COLUMN_WORD, "Is", "is");
  tt_report_column (report, TT_COLUMN_TIME, "Mean", "mean");
  tt_report_column (report, TT_COLUMN_TIME, "StdDev", "stddev");
  tt_report_column (report, TT_COLUMN_COUNT, "Typical step", "typical_step");
  tt_report_column (report, TT_COLUMN_TIME, "Its iteration", "typical_iteration");
  if (iteration->n_processes == 0)
    return report;
  tt_report_int (report, iteration->n_processes);
  tt_report_int (report, (gint64) iteration->n_steps);
  tt_report_real (report, iteration->iter_ns);
  tt_report_text (report, iteration->is_median ? "median" : "mean");
  tt_report_real (report, iteration->mean_ns);
  tt_report_real (report, iteration->stddev_ns);
  tt_report_int (report, iteration->typical_step);
  tt_report_real (report, iteration->typical_ns);
  return report;
}

char *
tt_step_describe (TtStore *store, TtSteps *steps)
{
  const TtStepIteration *iteration = tt_steps_iteration (steps);
  char processes[TT_TIME_TEXT], n_steps[TT_TIME_TEXT];

  if (iteration->n_processes == 0)
    return NULL;
  g_autofree char *length = tt_length_text (store, (gint64) llround (iteration->iter_ns));
  return g_strdup_printf ("%s process%s, %s step%s: iteration %s (%s), StdDev %.1f %%, typical step %d",
                          tt_count_text (processes, iteration->n_processes), iteration->n_processes == 1 ? "" : "es",
                          tt_count_text (n_steps, iteration->n_steps), iteration->n_steps == 1 ? "" : "s", length,
                          iteration->is_median ? "median, for steps differ" : "mean",
                          iteration->mean_ns > 0 ? 100.0 * iteration->stddev_ns / iteration->mean_ns : 0.0,
                          iteration->typical_step);
}
