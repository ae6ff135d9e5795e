/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/steps.h"

#include <math.h>

#include "src/cli/run-facts.h"

typedef struct
{
  TtStore *store;
  const TtSteps *steps;
  gboolean for_people;
} Context;

static const char *
pid_of (const void *context, guint32 process)
{
  const TtProcess *found = tt_store_process (((const Context *) context)->store, process);

  return found == NULL ? NULL : found->pid;
}

/* @self->id: a TtStepTime. */
static gboolean
has_time (const TtReportField *self, const void *context)
{
  const Context *table = context;
  TtStepTime time = self->id == TT_STEP_TIME_COMM_EXPOSED ? TT_STEP_TIME_COMM : (TtStepTime) self->id;

  return !table->for_people || tt_steps_has (table->steps, time);
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

/* The columns after the iteration: of each kind of operators, by @value. */
#define TIME_FIELDS(value)                                                                          \
  { TT_COLUMN_TIME, "FW", "fw", value, TT_STEP_TIME_FW, 0, .is_shown = has_time },                  \
  { TT_COLUMN_TIME, "BW", "bw", value, TT_STEP_TIME_BW, 0, .is_shown = has_time },                  \
  { TT_COLUMN_TIME, "UPDATE", "update", value, TT_STEP_TIME_UPDATE, 0, .is_shown = has_time },      \
  { TT_COLUMN_TIME, "OUTPUT", "output", value, TT_STEP_TIME_OUTPUT, 120, .is_shown = has_time },    \
  { TT_COLUMN_TIME, "COMP", "comp", value, TT_STEP_TIME_COMP, 110, .is_shown = has_time },          \
  { TT_COLUMN_TIME, "Comm", "comm", value, TT_STEP_TIME_COMM, 0, .is_shown = has_time },            \
  { TT_COLUMN_TIME, "Exposed", "comm_exposed", value, TT_STEP_TIME_COMM_EXPOSED, 90, .is_shown = has_time }, \
  { TT_COLUMN_TIME, "I/O", "io", value, TT_STEP_TIME_IO, 100, .is_shown = has_time },               \
  { TT_COLUMN_TIME, "Idle", "idle", value, TT_STEP_TIME_IDLE, 0, .is_shown = has_time }

/* -- steps ------------------------------------------------------------------------------------- */

static TtReportCell
step_pid (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (context, ((const TtStepRow *) row)->process));
}

static TtReportCell
step_number (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtStepRow *) row)->step);
}

static TtReportCell
step_time (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRow *step = row;
  gboolean needs_operators = self->id == TT_STEP_TIME_ITERATION || self->id == TT_STEP_TIME_IDLE;

  return needs_operators && !step->has_operators ? tt_cell_empty () : tt_cell_int (step->ns[self->id]);
}

static TtReportCell
step_is_counted (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtStepRow *) row)->is_counted);
}

static TtReportCell
step_is_typical (const TtReportField *self, const void *row, const void *context)
{
  const TtStepIteration *iteration = tt_steps_iteration (((const Context *) context)->steps);

  return tt_cell_int (iteration->n_processes > 0 && ((const TtStepRow *) row)->step == iteration->typical_step);
}

static const TtReportField step_fields[] = {
  { TT_COLUMN_TEXT, "Pid", "pid", step_pid },
  { TT_COLUMN_COUNT, "Step", "step", step_number },
  { TT_COLUMN_TIME, "Iteration", "iteration", step_time, TT_STEP_TIME_ITERATION },
  TIME_FIELDS (step_time),
  { TT_COLUMN_COUNT, "Counted", "counted", step_is_counted, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Typical", "typical", step_is_typical, .reader = TT_READER_PROGRAMS },
};

TtReport *
tt_step_table (TtStore *store, TtSteps *steps, const TtReportView *view)
{
  const Context context = { store, steps, tt_report_view_is_for_people (view) };
  TtReport *report = tt_report_of_fields (step_fields, G_N_ELEMENTS (step_fields), view, &context);
  guint64 n_rows = tt_steps_n_rows (steps), n_not_counted = 0;
  guint64 n = view->top > 0 ? MIN (n_rows, view->top) : n_rows;

  for (guint64 i = 0; i < n_rows; i++)
    {
      TtStepRow row;

      tt_steps_row (steps, i, &row);
      n_not_counted += row.has_operators && !row.is_counted;
      if (i < n)
        tt_report_row (report, &row);
    }
  add_footer (report, n_rows - n, n_not_counted);
  return report;
}

/* -- processes --------------------------------------------------------------------------------- */

typedef enum
{
  PROCESS_STEPS,
  PROCESS_COUNTED,
} ProcessCount;

static TtReportCell
process_pid (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (context, ((const TtStepProcess *) row)->process));
}

static TtReportCell
process_count (const TtReportField *self, const void *row, const void *context)
{
  const TtStepProcess *process = row;

  return tt_cell_int (self->id == PROCESS_STEPS ? process->n_steps : process->n_counted);
}

/* The mean over the steps that count, or over all where none does. */
static TtReportCell
process_mean (const TtReportField *self, const void *row, const void *context)
{
  const TtStepProcess *process = row;
  double n = (double) (process->n_counted > 0 ? process->n_counted : process->n_steps);

  return tt_cell_real ((double) process->sum_ns[self->id] / n);
}

static TtReportCell
process_iteration (const TtReportField *self, const void *row, const void *context)
{
  return ((const TtStepProcess *) row)->n_counted > 0 ? process_mean (self, row, context) : tt_cell_empty ();
}

static TtReportCell
process_deviation (const TtReportField *self, const void *row, const void *context)
{
  const TtStepProcess *process = row;

  return process->n_counted > 0 ? tt_cell_real (process->stddev_ns) : tt_cell_empty ();
}

static TtReportCell
process_min (const TtReportField *self, const void *row, const void *context)
{
  const TtStepProcess *process = row;

  return process->n_counted > 0 ? tt_cell_int (process->min_ns) : tt_cell_empty ();
}

static TtReportCell
process_max (const TtReportField *self, const void *row, const void *context)
{
  const TtStepProcess *process = row;

  return process->n_counted > 0 ? tt_cell_int (process->max_ns) : tt_cell_empty ();
}

static const TtReportField process_fields[] = {
  { TT_COLUMN_TEXT, "Pid", "pid", process_pid },
  { TT_COLUMN_COUNT, "Steps", "steps", process_count, PROCESS_STEPS },
  { TT_COLUMN_COUNT, "Counted", "counted", process_count, PROCESS_COUNTED },
  { TT_COLUMN_TIME, "Iteration", "iteration", process_iteration, TT_STEP_TIME_ITERATION },
  { TT_COLUMN_TIME, "StdDev", "stddev", process_deviation },
  { TT_COLUMN_TIME, "Min", "min", process_min },
  { TT_COLUMN_TIME, "Max", "max", process_max },
  TIME_FIELDS (process_mean),
};

TtReport *
tt_step_process_table (TtStore *store, TtSteps *steps, const TtReportView *view)
{
  const Context context = { store, steps, tt_report_view_is_for_people (view) };
  TtReport *report = tt_report_of_fields (process_fields, G_N_ELEMENTS (process_fields), view, &context);
  const GArray *processes = tt_steps_processes (steps);
  guint n = view->top > 0 ? MIN (view->top, processes->len) : processes->len;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (processes, TtStepProcess, i));
  add_footer (report, processes->len - n, 0);
  return report;
}

/* -- the run ----------------------------------------------------------------------------------- */

typedef enum
{
  RUN_PROCESSES,
  RUN_STEPS,
  RUN_ITERATION,
  RUN_IS,
  RUN_MEAN,
  RUN_DEVIATION,
  RUN_TYPICAL_STEP,
  RUN_TYPICAL_ITERATION,
} RunFact;

static TtReportCell
run_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtStepIteration *iteration = row;

  switch ((RunFact) self->id)
    {
    case RUN_PROCESSES:
      return tt_cell_int (iteration->n_processes);
    case RUN_STEPS:
      return tt_cell_int (iteration->n_steps);
    case RUN_ITERATION:
      return tt_cell_real (iteration->iter_ns);
    case RUN_IS:
      return tt_cell_text (iteration->is_median ? "median" : "mean");
    case RUN_MEAN:
      return tt_cell_real (iteration->mean_ns);
    case RUN_DEVIATION:
      return tt_cell_real (iteration->stddev_ns);
    case RUN_TYPICAL_STEP:
      return tt_cell_int (iteration->typical_step);
    case RUN_TYPICAL_ITERATION:
      return tt_cell_real (iteration->typical_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField run_fields[] = {
  { TT_COLUMN_COUNT, "Processes", "processes", run_fact, RUN_PROCESSES },
  { TT_COLUMN_COUNT, "Steps", "steps", run_fact, RUN_STEPS },
  { TT_COLUMN_TIME, "Iteration", "iteration", run_fact, RUN_ITERATION },
  { TT_COLUMN_WORD, "Is", "is", run_fact, RUN_IS },
  { TT_COLUMN_TIME, "Mean", "mean", run_fact, RUN_MEAN },
  { TT_COLUMN_TIME, "StdDev", "stddev", run_fact, RUN_DEVIATION },
  { TT_COLUMN_COUNT, "Typical step", "typical_step", run_fact, RUN_TYPICAL_STEP },
  { TT_COLUMN_TIME, "Its iteration", "typical_iteration", run_fact, RUN_TYPICAL_ITERATION },
};

TtReport *
tt_step_run_table (TtSteps *steps, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (run_fields, G_N_ELEMENTS (run_fields), view, NULL);
  const TtStepIteration *iteration = tt_steps_iteration (steps);

  if (iteration->n_processes > 0)
    tt_report_row (report, iteration);
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
