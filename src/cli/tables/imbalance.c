/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/imbalance.h"

#include "analyzers/statistics/bounded.h"
#include "analyzers/statistics/grouping.h"
#include "src/base/map64.h"

const char *const tt_imbalance_table_words[TT_N_IMBALANCE_TABLES + 1] = {
  [TT_IMBALANCE_OPERATIONS] = "operations",
  [TT_IMBALANCE_COLLECTIVES] = "collectives",
  [TT_IMBALANCE_LATE_RANKS] = "ranks",
  [TT_IMBALANCE_STEPS] = "steps",
};

/* A row of the table of ranks: what collectives and what steps say of it. */
typedef struct
{
  TtLateRank late;
  TtStragglerRank straggler;
} RankRow;

const char *
tt_imbalance_rank (const TtImbalance *self, guint32 process)
{
  const TtProcess *found = process == TT_NO_ID ? NULL : tt_store_process (self->store, process);

  return found == NULL ? NULL : found->rank_name;
}

char *
tt_imbalance_name (const TtImbalance *self, guint32 name, guint32 process, guint32 thread)
{
  const TtGroupMember member = { name, thread, TT_NO_STEP };

  if (name == TT_NO_ID)
    return g_strdup ("(outside any operation)");
  return tt_group_key_label (self->store, TT_KEY_NAME, process, member, tt_store_peek_name (self->store, name));
}

static TtReportCell
half (tt_int128 twice)
{
  return tt_cell_real ((double) twice / 2);
}

/* -- operations --------------------------------------------------------------------------------------------------- */

typedef enum
{
  OPERATION_HAVING,
  OPERATION_ZERO,
  OPERATION_MIN,
  OPERATION_MAX,
  OPERATION_TOTAL,
} OperationSum;

static TtReportCell
operation_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_take (tt_op_imbalance_label (((const TtImbalance *) context)->store, row));
}

static TtReportCell
operation_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtOpImbalance *of = row;

  switch ((OperationSum) self->id)
    {
    case OPERATION_HAVING:
      return tt_cell_int (of->n_having);
    case OPERATION_ZERO:
      return tt_cell_int (of->n_zero);
    case OPERATION_MIN:
      return tt_cell_int (of->min_ns);
    case OPERATION_MAX:
      return tt_cell_int (of->max_ns);
    case OPERATION_TOTAL:
      return tt_cell_int (of->total_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
operation_price (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (((const TtOpImbalance *) row)->price_ns);
}

static TtReportCell
operation_mean (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (((const TtOpImbalance *) row)->mean_ns);
}

static TtReportCell
operation_imbalance (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (100 * ((const TtOpImbalance *) row)->imbalance);
}

static TtReportCell
operation_waits (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtOpImbalance *) row)->is_waiting);
}

static gboolean
is_over (const TtReportField *self, const void *context)
{
  return ((const TtImbalance *) context)->over == self->id;
}

static TtReportCell
slowest (const TtReportField *self, const void *row, const void *context)
{
  const TtImbalance *answer = context;
  const TtOpImbalance *of = row;
  const TtThread *thread = tt_store_thread (answer->store, of->slowest_thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (answer->store, thread->process);

  if (self->id == TT_IMBALANCE_RANKS)
    return tt_cell_text (tt_imbalance_rank (answer, of->slowest_process));
  return process == NULL ? tt_cell_empty () : tt_cell_take (g_strdup_printf ("%s %s", process->pid, thread->tid));
}

static const TtReportField operation_fields[] = {
  { TT_COLUMN_TIME, "Price", "price", operation_price },
  { TT_COLUMN_PERCENT, "Imbalance %", "imbalance_percent", operation_imbalance },
  { TT_COLUMN_TIME, "Mean", "mean", operation_mean },
  { TT_COLUMN_TIME, "Max", "max", operation_sum, OPERATION_MAX },
  { TT_COLUMN_TIME, "Min", "min", operation_sum, OPERATION_MIN, 100 },
  { TT_COLUMN_TIME, "Total", "total", operation_sum, OPERATION_TOTAL, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Ranks", "ranks", operation_sum, OPERATION_HAVING, 110, .reader = TT_READER_ANYBODY },
  { TT_COLUMN_COUNT, "Zero", "zero_ranks", operation_sum, OPERATION_ZERO, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Waits", "is_waiting", operation_waits, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_WORD, "Slowest", "slowest_rank", slowest, TT_IMBALANCE_RANKS, .is_shown = is_over },
  { TT_COLUMN_TEXT, "Slowest", "slowest_thread", slowest, TT_IMBALANCE_THREADS, .is_shown = is_over },
  { TT_COLUMN_TEXT, "Name", "name", operation_name },
};

/* -- collectives ---------------------------------------------------------------------------------------------------- */

typedef enum
{
  CALLS,
  CALLS_IMPOSSIBLE,
  CALL_COMM,
  CALL_RANKS,
  CALL_SKEW_SUM,
  CALL_SKEW_MIN,
  CALL_SKEW_MEDIAN,
  CALL_SKEW_MAX,
  CALL_PAID,
  CALL_LATEST_TIMES,
  CALL_LATEST_COST,
} CallSum;

static TtReportCell
call_function (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtLateCollective *) row)->function);
}

static TtReportCell
call_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtLateCollective *of = row;

  switch ((CallSum) self->id)
    {
    case CALLS:
      return tt_cell_int (of->n_calls);
    case CALLS_IMPOSSIBLE:
      return tt_cell_int (of->n_impossible);
    case CALL_COMM:
      return tt_cell_int (of->comm);
    case CALL_RANKS:
      return tt_cell_int (of->n_ranks);
    case CALL_SKEW_SUM:
      return tt_cell_int (of->skew_ns);
    case CALL_SKEW_MIN:
      return tt_cell_int (of->min_skew_ns);
    case CALL_SKEW_MEDIAN:
      return tt_cell_real (of->median_skew_ns);
    case CALL_SKEW_MAX:
      return tt_cell_int (of->max_skew_ns);
    case CALL_PAID:
      return tt_cell_int (of->paid_ns);
    case CALL_LATEST_TIMES:
      return tt_cell_int (of->n_latest);
    case CALL_LATEST_COST:
      return tt_cell_int (of->latest_cost_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
call_mean_skew (const TtReportField *self, const void *row, const void *context)
{
  const TtLateCollective *of = row;

  return tt_cell_real ((double) of->skew_ns / (double) of->n_calls);
}

static TtReportCell
call_latest (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_imbalance_rank (context, ((const TtLateCollective *) row)->latest));
}

static const TtReportField call_fields[] = {
  { TT_COLUMN_TIME, "Paid", "paid", call_sum, CALL_PAID },
  { TT_COLUMN_COUNT, "Calls", "calls", call_sum, CALLS },
  { TT_COLUMN_COUNT, "Ranks", "ranks", call_sum, CALL_RANKS, 90 },
  { TT_COLUMN_TIME, "Skew", "skew", call_mean_skew },
  { TT_COLUMN_TIME, "Skew sum", "skew_sum", call_sum, CALL_SKEW_SUM, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Min", "skew_min", call_sum, CALL_SKEW_MIN, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Med", "skew_med", call_sum, CALL_SKEW_MEDIAN, 90 },
  { TT_COLUMN_TIME, "Max", "skew_max", call_sum, CALL_SKEW_MAX },
  { TT_COLUMN_WORD, "Latest", "latest_rank", call_latest },
  { TT_COLUMN_COUNT, "Times", "latest_times", call_sum, CALL_LATEST_TIMES },
  { TT_COLUMN_TIME, "For it", "latest_cost", call_sum, CALL_LATEST_COST, 90 },
  { TT_COLUMN_COUNT, "Impossible", "impossible", call_sum, CALLS_IMPOSSIBLE, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Comm", "comm", call_sum, CALL_COMM },
  { TT_COLUMN_TEXT, "Function", "function", call_function },
};

/* -- ranks -------------------------------------------------------------------------------------------------------------- */

typedef enum
{
  RANK_CALLS,
  RANK_LAST,
  RANK_CAUSED,
  RANK_PAID,
  RANK_STEPS,
  RANK_STEPS_PRICE,
  RANK_NAMED,
} RankSum;

static TtReportCell
rank_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_imbalance_rank (context, ((const RankRow *) row)->late.process));
}

static TtReportCell
rank_sum (const TtReportField *self, const void *row, const void *context)
{
  const RankRow *of = row;

  switch ((RankSum) self->id)
    {
    case RANK_CALLS:
      return tt_cell_int (of->late.n_calls);
    case RANK_LAST:
      return tt_cell_int (of->late.n_last);
    case RANK_CAUSED:
      return tt_cell_int (of->late.caused_ns);
    case RANK_PAID:
      return tt_cell_int (of->late.paid_ns);
    case RANK_STEPS:
      return tt_cell_int (of->straggler.n_steps);
    case RANK_STEPS_PRICE:
      return half (of->straggler.twice_price_ns);
    case RANK_NAMED:
      return tt_cell_int (of->straggler.n_named);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
rank_lateness (const TtReportField *self, const void *row, const void *context)
{
  const RankRow *of = row;

  return of->late.n_calls == 0 ? tt_cell_empty ()
                               : tt_cell_real ((double) of->late.late_ns / (double) of->late.n_calls);
}

static TtReportCell
rank_excess (const TtReportField *self, const void *row, const void *context)
{
  const RankRow *of = row;

  return !of->straggler.has_operation ? tt_cell_empty () : tt_cell_real (of->straggler.excess_ns);
}

static TtReportCell
rank_operation (const TtReportField *self, const void *row, const void *context)
{
  const TtStragglerRank *of = &((const RankRow *) row)->straggler;

  return of->has_operation ? tt_cell_take (tt_imbalance_name (context, of->name, of->process, of->thread))
                           : tt_cell_empty ();
}

static gboolean
has_calls (const TtReportField *self, const void *context)
{
  return ((const TtImbalance *) context)->arrivals->ranks->len > 0;
}

static gboolean
has_steps (const TtReportField *self, const void *context)
{
  return ((const TtImbalance *) context)->stragglers->steps->len > 0;
}

static const TtReportField rank_fields[] = {
  { TT_COLUMN_TEXT, "Rank", "rank", rank_name },
  { TT_COLUMN_TIME, "Caused", "caused", rank_sum, RANK_CAUSED, .is_shown = has_calls },
  { TT_COLUMN_TIME, "Paid", "paid", rank_sum, RANK_PAID, .is_shown = has_calls },
  { TT_COLUMN_COUNT, "Last", "last", rank_sum, RANK_LAST, .is_shown = has_calls },
  { TT_COLUMN_COUNT, "Calls", "calls", rank_sum, RANK_CALLS, .is_shown = has_calls },
  { TT_COLUMN_TIME, "Late", "late", rank_lateness, .is_shown = has_calls },
  { TT_COLUMN_COUNT, "Steps", "straggler_steps", rank_sum, RANK_STEPS, .is_shown = has_steps },
  { TT_COLUMN_TIME, "Price", "straggler_price", rank_sum, RANK_STEPS_PRICE, 100, .is_shown = has_steps },
  { TT_COLUMN_COUNT, "With it", "operation_steps", rank_sum, RANK_NAMED, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Excess", "operation_excess", rank_excess, .min_width = 100, .is_shown = has_steps },
  { TT_COLUMN_TEXT, "Operation", "operation", rank_operation, .is_shown = has_steps },
};

static RankRow *
rank_row (GArray *rows, TtMap64 *numbers, guint32 process)
{
  guint32 number = tt_map64_get (numbers, process);

  if (number == TT_MAP64_NONE)
    {
      const RankRow row = { .late.process = process, .straggler.process = process };

      number = rows->len;
      tt_map64_set (numbers, process, number);
      g_array_append_val (rows, row);
    }
  return &g_array_index (rows, RankRow, number);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const RankRow *x = a, *y = b;
  tt_int128 first = 2 * x->late.caused_ns + x->straggler.twice_price_ns;
  tt_int128 second = 2 * y->late.caused_ns + y->straggler.twice_price_ns;

  return first != second ? (first < second ? 1 : -1)
                         : (x->late.process > y->late.process) - (x->late.process < y->late.process);
}

/* Of RankRow, who costs most first. */
static GArray *
rank_rows (const TtImbalance *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (RankRow));
  TtMap64 numbers = { 0 };

  for (guint i = 0; i < self->arrivals->ranks->len; i++)
    {
      const TtLateRank *late = &g_array_index (self->arrivals->ranks, TtLateRank, i);
      rank_row (rows, &numbers, late->process)->late = *late;
    }
  for (guint i = 0; i < self->stragglers->ranks->len; i++)
    {
      const TtStragglerRank *straggler = &g_array_index (self->stragglers->ranks, TtStragglerRank, i);
      rank_row (rows, &numbers, straggler->process)->straggler = *straggler;
    }
  tt_map64_clear (&numbers);
  g_array_sort (rows, compare_ranks);
  return rows;
}

/* -- steps ---------------------------------------------------------------------------------------------------------------- */

typedef enum
{
  STEP_NUMBER,
  STEP_RANKS,
  STEP_PRICE,
  STEP_LENGTH,
  STEP_MEDIAN,
} StepSum;

static TtReportCell
step_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtStraggler *of = row;

  switch ((StepSum) self->id)
    {
    case STEP_NUMBER:
      return tt_cell_int (of->step);
    case STEP_RANKS:
      return tt_cell_int (of->n_ranks);
    case STEP_PRICE:
      return of->process == TT_NO_ID ? tt_cell_empty () : half (of->twice_price_ns);
    case STEP_LENGTH:
      return of->length_ns == 0 ? tt_cell_empty () : tt_cell_int (of->length_ns);
    case STEP_MEDIAN:
      return of->twice_median_ns == 0 ? tt_cell_empty () : half (of->twice_median_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
step_rank (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_imbalance_rank (context, ((const TtStraggler *) row)->process));
}

static TtReportCell
step_by (const TtReportField *self, const void *row, const void *context)
{
  const TtStraggler *of = row;

  return tt_cell_text (of->process == TT_NO_ID ? NULL : of->is_by_arrival ? "arrival" : "length");
}

static TtReportCell
step_excess (const TtReportField *self, const void *row, const void *context)
{
  const TtStraggler *of = row;

  return !of->has_operation ? tt_cell_empty () : tt_cell_real (of->excess_ns);
}

static TtReportCell
step_operation (const TtReportField *self, const void *row, const void *context)
{
  const TtStraggler *of = row;

  return of->has_operation ? tt_cell_take (tt_imbalance_name (context, of->name, of->process, of->thread))
                           : tt_cell_empty ();
}

static const TtReportField step_fields[] = {
  { TT_COLUMN_COUNT, "Step", "step", step_sum, STEP_NUMBER },
  { TT_COLUMN_WORD, "Straggler", "straggler", step_rank },
  { TT_COLUMN_TIME, "Price", "price", step_sum, STEP_PRICE },
  { TT_COLUMN_WORD, "By", "by", step_by },
  { TT_COLUMN_COUNT, "Ranks", "ranks", step_sum, STEP_RANKS, 100 },
  { TT_COLUMN_TIME, "Step took", "length", step_sum, STEP_LENGTH, 100 },
  { TT_COLUMN_TIME, "Median", "median", step_sum, STEP_MEDIAN, 110 },
  { TT_COLUMN_TIME, "Excess", "operation_excess", step_excess },
  { TT_COLUMN_TEXT, "Operation", "operation", step_operation },
};

/* -- tables ---------------------------------------------------------------------------------------------------------------- */

static void
add_rows (TtReport *report, const GArray *rows, gsize row_size, const TtReportView *view)
{
  guint n = view->top > 0 ? MIN (view->top, rows->len) : rows->len;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, rows->data + row_size * i);
  if (n == rows->len)
    return;
  g_autofree char *more = tt_report_more (view, rows->len - n, NULL);
  tt_report_footer (report, more);
}

static void
tell_alone (const TtImbalance *self, TtReport *report)
{
  char count[TT_TIME_TEXT];
  tt_bounded_tell (self->store, "not compared", report);
  if (self->n_alone == 0)
    return;
  g_autofree char *text =
      g_strdup_printf ("%s operation%s of one %s only left out", tt_count_text (count, self->n_alone),
                       self->n_alone == 1 ? "" : "s", self->over == TT_IMBALANCE_RANKS ? "rank" : "thread");
  tt_report_footer (report, text);
}

static TtTrustPlace
place_of_operation (const void *row, const void *data)
{
  return (TtTrustPlace){ TT_NO_ID, TT_NO_ID, ((const TtOpImbalance *) row)->name, FALSE };
}

static TtTrustPlace
place_of_rank (const void *row, const void *data)
{
  return (TtTrustPlace){ ((const RankRow *) row)->late.process, TT_NO_ID, TT_NO_ID, TRUE };
}

TtReport *
tt_imbalance_table (const TtImbalance *self, TtImbalanceTable table, const TtReportView *view)
{
  TtReport *report = NULL;

  switch (table)
    {
    case TT_IMBALANCE_OPERATIONS:
      report = tt_report_of_fields (operation_fields, G_N_ELEMENTS (operation_fields), view, self);
      tt_trust_marks_declare (self->marks, report, view, place_of_operation, NULL);
      add_rows (report, self->operations, sizeof (TtOpImbalance), view);
      tell_alone (self, report);
      break;
    case TT_IMBALANCE_COLLECTIVES:
      report = tt_report_of_fields (call_fields, G_N_ELEMENTS (call_fields), view, self);
      tt_trust_marks_declare (self->marks, report, view, NULL, NULL);
      add_rows (report, self->arrivals->collectives, sizeof (TtLateCollective), view);
      break;
    case TT_IMBALANCE_LATE_RANKS:
      {
        g_autoptr (GArray) rows = rank_rows (self);

        report = tt_report_of_fields (rank_fields, G_N_ELEMENTS (rank_fields), view, self);
        tt_trust_marks_declare (self->marks, report, view, place_of_rank, NULL);
        add_rows (report, rows, sizeof (RankRow), view);
        break;
      }
    case TT_IMBALANCE_STEPS:
      report = tt_report_of_fields (step_fields, G_N_ELEMENTS (step_fields), view, self);
      tt_trust_marks_declare (self->marks, report, view, NULL, NULL);
      add_rows (report, self->stragglers->steps, sizeof (TtStraggler), view);
      break;
    case TT_N_IMBALANCE_TABLES:
      break;
    }
  return report;
}
