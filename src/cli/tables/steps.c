/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/steps.h"

#include <math.h>

#include "src/base/report/bars.h"
#include "src/cli/run-facts.h"

typedef struct
{
  TtStore *store;
  const TtSteps *steps;
  gboolean for_people;
} Context;

static const char *
rank_of (const void *context, guint32 process)
{
  const TtProcess *found = tt_store_process (((const Context *) context)->store, process);

  return found == NULL ? NULL : found->rank_name;
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
add_footer (TtReport *report, const TtReportView *view, guint64 n_more, guint64 n_not_counted)
{
  char count[TT_TIME_TEXT];

  if (n_more > 0)
    {
      g_autofree char *more = tt_report_more (view, n_more, NULL);
      tt_report_footer (report, more);
    }
  if (n_not_counted > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("%s step%s without an end: left out of means", tt_count_text (count, n_not_counted),
                           n_not_counted == 1 ? "" : "s");
      tt_report_footer (report, text);
    }
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
step_rank (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (rank_of (context, ((const TtStepRow *) row)->process));
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
  gboolean is_of_iteration = self->id == TT_STEP_TIME_ITERATION || self->id == TT_STEP_TIME_IDLE;

  return is_of_iteration && !step->has_iteration ? tt_cell_empty () : tt_cell_int (step->ns[self->id]);
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

  return tt_cell_int (iteration->n_ranks > 0 && ((const TtStepRow *) row)->step == iteration->typical_step);
}

static const TtReportField step_fields[] = {
  { TT_COLUMN_TEXT, "Rank", "rank", step_rank },
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
      n_not_counted += row.has_iteration && !row.is_counted;
      if (i < n)
        tt_report_row (report, &row);
    }
  add_footer (report, view, n_rows - n, n_not_counted);
  return report;
}

/* -- ranks ------------------------------------------------------------------------------------- */

typedef enum
{
  RANK_STEPS,
  RANK_COUNTED,
} RankCount;

static TtReportCell
rank_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (rank_of (context, ((const TtStepRank *) row)->process));
}

static TtReportCell
rank_count (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRank *rank = row;

  return tt_cell_int (self->id == RANK_STEPS ? rank->n_steps : rank->n_counted);
}

/* The mean over the steps that count, or over all where none does. */
static TtReportCell
rank_mean (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRank *rank = row;
  double n = (double) (rank->n_counted > 0 ? rank->n_counted : rank->n_steps);

  return tt_cell_real ((double) rank->sum_ns[self->id] / n);
}

static TtReportCell
rank_iteration (const TtReportField *self, const void *row, const void *context)
{
  return ((const TtStepRank *) row)->n_counted > 0 ? rank_mean (self, row, context) : tt_cell_empty ();
}

static TtReportCell
rank_deviation (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRank *rank = row;

  return rank->n_counted > 0 ? tt_cell_real (rank->stddev_ns) : tt_cell_empty ();
}

static TtReportCell
rank_min (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRank *rank = row;

  return rank->n_counted > 0 ? tt_cell_int (rank->min_ns) : tt_cell_empty ();
}

static TtReportCell
rank_max (const TtReportField *self, const void *row, const void *context)
{
  const TtStepRank *rank = row;

  return rank->n_counted > 0 ? tt_cell_int (rank->max_ns) : tt_cell_empty ();
}

static const TtReportField rank_fields[] = {
  { TT_COLUMN_TEXT, "Rank", "rank", rank_name },
  { TT_COLUMN_COUNT, "Steps", "steps", rank_count, RANK_STEPS },
  { TT_COLUMN_COUNT, "Counted", "counted", rank_count, RANK_COUNTED, 130 },
  { TT_COLUMN_TIME, "Iteration", "iteration", rank_iteration, TT_STEP_TIME_ITERATION },
  { TT_COLUMN_TIME, "StdDev", "stddev", rank_deviation, .min_width = 130 },
  { TT_COLUMN_TIME, "Min", "min", rank_min, .min_width = 140 },
  { TT_COLUMN_TIME, "Max", "max", rank_max, .min_width = 140 },
  TIME_FIELDS (rank_mean),
};

TtReport *
tt_step_rank_table (TtStore *store, TtSteps *steps, const TtReportView *view)
{
  const Context context = { store, steps, tt_report_view_is_for_people (view) };
  TtReport *report = tt_report_of_fields (rank_fields, G_N_ELEMENTS (rank_fields), view, &context);
  const GArray *ranks = tt_steps_ranks (steps);
  guint n = view->top > 0 ? MIN (view->top, ranks->len) : ranks->len;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (ranks, TtStepRank, i));
  add_footer (report, view, ranks->len - n, 0);
  return report;
}

/* -- the run ----------------------------------------------------------------------------------- */

typedef enum
{
  RUN_RANKS,
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
    case RUN_RANKS:
      return tt_cell_int (iteration->n_ranks);
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
  { TT_COLUMN_COUNT, "Ranks", "ranks", run_fact, RUN_RANKS },
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

  if (iteration->n_ranks > 0)
    tt_report_row (report, iteration);
  return report;
}

char *
tt_step_describe (TtStore *store, TtSteps *steps)
{
  const TtStepIteration *iteration = tt_steps_iteration (steps);
  char ranks[TT_TIME_TEXT], n_steps[TT_TIME_TEXT];

  if (iteration->n_ranks == 0)
    return NULL;
  g_autofree char *length = tt_length_text (store, (gint64) llround (iteration->iter_ns));
  return g_strdup_printf ("%s rank%s, %s step%s: iteration %s (%s), StdDev %.1f %%, typical step %d\n%s",
                          tt_count_text (ranks, iteration->n_ranks), iteration->n_ranks == 1 ? "" : "s",
                          tt_count_text (n_steps, iteration->n_steps), iteration->n_steps == 1 ? "" : "s", length,
                          iteration->is_median ? "median, for steps differ" : "mean",
                          iteration->mean_ns > 0 ? 100.0 * iteration->stddev_ns / iteration->mean_ns : 0.0,
                          iteration->typical_step,
                          iteration->is_annotated ? "An iteration is the span that the trace names a step"
                                                  : "An iteration is from the first operator's start to the last's end");
}

/* -- over time --------------------------------------------------------------------------------- */

typedef struct
{
  gint32 step;
  guint n_ranks;
  double ns; /* the sum, then the mean over ranks */
} StepMean;

static gint
compare_steps (gconstpointer a, gconstpointer b)
{
  gint32 x = ((const StepMean *) a)->step, y = ((const StepMean *) b)->step;

  return (x > y) - (x < y);
}

/* Of each step, upwards. */
static GArray *
step_means (TtSteps *steps)
{
  GArray *means = g_array_new (FALSE, FALSE, sizeof (StepMean));
  guint n = 0;

  for (guint64 i = 0; i < tt_steps_n_rows (steps); i++)
    {
      TtStepRow row;

      tt_steps_row (steps, i, &row);
      StepMean mean = { row.step, 1, (double) row.ns[TT_STEP_TIME_ITERATION] };
      if (row.has_iteration)
        g_array_append_val (means, mean);
    }
  g_array_sort (means, compare_steps);
  for (guint i = 0; i < means->len; i++)
    {
      const StepMean *mean = &g_array_index (means, StepMean, i);
      StepMean *last = n == 0 ? NULL : &g_array_index (means, StepMean, n - 1);

      if (last == NULL || last->step != mean->step)
        g_array_index (means, StepMean, n++) = *mean;
      else
        *last = (StepMean){ last->step, last->n_ranks + 1, last->ns + mean->ns };
    }
  g_array_set_size (means, n);
  return means;
}

char *
tt_step_spark (TtSteps *steps, guint width)
{
  g_autoptr (GArray) means = step_means (steps);
  g_autofree double *values = g_new (double, (gsize) means->len + 1);
  GString *text;

  if (means->len < 3)
    return NULL;
  for (guint i = 0; i < means->len; i++)
    {
      const StepMean *mean = &g_array_index (means, StepMean, i);
      values[i] = mean->ns / mean->n_ranks;
    }
  text = g_string_new (NULL);
  g_string_printf (text, "Iterations of steps %d to %d: ", g_array_index (means, StepMean, 0).step,
                   g_array_index (means, StepMean, means->len - 1).step);
  tt_spark_append (text, values, means->len, width);
  return g_string_free (text, FALSE);
}
