/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/breakdown.h"

#include <string.h>

#include "src/cli/run-facts.h"

/* What a column shows: classes of work first, by TtWorkClass. */
typedef enum
{
  PART_OTHER_STEPS = TT_N_WORK_CLASSES,
  PART_LEFT_OUT,
  PART_IDLE,
  PART_CAUSES, /* by TtIdleCause */
  PART_COMMUNICATION = PART_CAUSES + TT_N_IDLE_CAUSES,
  PART_LENGTH,
  N_PARTS,
} Part;

/* Columns of the sentence above a table. */
#define LINE 80

typedef struct
{
  TtStore *store;
  const GArray *rows;
  TtBreakdownRows rows_are;
  gboolean for_people, has_causes, is_filtered;
} Context;

static gint64
part_ns (const TtBreakdownRow *row, guint part)
{
  if (part < TT_N_WORK_CLASSES)
    return row->times.ns[part];
  if (part >= PART_CAUSES && part < PART_CAUSES + TT_N_IDLE_CAUSES)
    return row->is_device ? row->times.idle[part - PART_CAUSES] : 0;
  return part == PART_OTHER_STEPS     ? row->other_ns
         : part == PART_LEFT_OUT      ? row->times.left_out_ns
         : part == PART_IDLE          ? row->times.idle_ns
         : part == PART_COMMUNICATION ? row->times.all_ns[TT_WORK_COMMUNICATION]
                                      : row->end_ns - row->begin_ns;
}

static double
percent_of (gint64 part_ns, gint64 whole_ns)
{
  return whole_ns > 0 ? 100.0 * (double) part_ns / (double) whole_ns : 0;
}

/* -- columns ------------------------------------------------------------------------------------------------ */

static gboolean
is_cause (guint part)
{
  return part >= PART_CAUSES && part < PART_CAUSES + TT_N_IDLE_CAUSES;
}

static gboolean
has_part (const TtReportField *self, const void *context)
{
  const Context *table = context;

  if (self->id == PART_OTHER_STEPS && table->rows_are != TT_BREAKDOWN_STEP)
    return FALSE;
  if (is_cause (self->id) && !table->has_causes)
    return FALSE;
  if (self->id == PART_LEFT_OUT && !table->is_filtered)
    return FALSE;
  if (!table->for_people || self->id == TT_WORK_COMPUTE || self->id == PART_IDLE)
    return TRUE;
  for (guint i = 0; i < table->rows->len; i++)
    if (part_ns (&g_array_index (table->rows, TtBreakdownRow, i), self->id) > 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_rows (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->rows_are == self->id;
}

/* A stream is called by its process, which is enough for people. */
static gboolean
has_rank (const TtReportField *self, const void *context)
{
  const Context *table = context;

  return !table->for_people || table->rows_are != TT_BREAKDOWN_STREAM;
}

static TtReportCell
rank_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtProcess *process =
      tt_store_process (((const Context *) context)->store, ((const TtBreakdownRow *) row)->process);

  return tt_cell_text (process == NULL ? NULL : process->rank_name);
}

static TtReportCell
stream_cell (const TtReportField *self, const void *row, const void *context)
{
  TtStore *store = ((const Context *) context)->store;
  const TtThread *thread = tt_store_thread (store, ((const TtBreakdownRow *) row)->thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);

  return process == NULL ? tt_cell_empty () : tt_cell_take (g_strdup_printf ("%s %s", process->pid, thread->tid));
}

static TtReportCell
step_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtBreakdownRow *) row)->step);
}

static TtReportCell
place_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtBreakdownRow *) row)->is_device ? "device" : "host");
}

static TtReportCell
time_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtBreakdownRow *of = row;

  return is_cause (self->id) && !of->is_device ? tt_cell_empty () : tt_cell_int (part_ns (of, self->id));
}

static TtReportCell
percent_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtBreakdownRow *of = row;

  if (is_cause (self->id) && !of->is_device)
    return tt_cell_empty ();
  return tt_cell_real (percent_of (part_ns (of, self->id), part_ns (of, PART_LENGTH)));
}

/* Of communication, what something else hides. */
static TtReportCell
overlap_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtBreakdownRow *of = row;
  gint64 all_ns = part_ns (of, PART_COMMUNICATION);

  return all_ns == 0 ? tt_cell_empty ()
                     : tt_cell_real (percent_of (all_ns - of->times.ns[TT_WORK_COMMUNICATION], all_ns));
}

#define PART(title, key, part)                                                                                     \
  {                                                                                                                \
    TT_COLUMN_PERCENT, title, key "_percent", percent_cell, part, .reader = TT_READER_PEOPLE, .is_shown = has_part \
  }
#define TIME(title, key, part)                                                                      \
  {                                                                                                 \
    TT_COLUMN_TIME, title, key, time_cell, part, .reader = TT_READER_PROGRAMS, .is_shown = has_part \
  }

static const TtReportField fields[] = {
  { TT_COLUMN_TEXT, "Rank", "rank", rank_cell, .is_shown = has_rank },
  { TT_COLUMN_TEXT, "Stream", "stream", stream_cell, TT_BREAKDOWN_STREAM, .is_shown = has_rows },
  { TT_COLUMN_COUNT, "Step", "step", step_cell, TT_BREAKDOWN_STEP, .is_shown = has_rows },
  { TT_COLUMN_WORD, "Place", "place", place_cell, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Time", "time", time_cell, PART_LENGTH },
  PART ("Compute", "compute", TT_WORK_COMPUTE),
  PART ("Exposed", "communication_exposed", TT_WORK_COMMUNICATION),
  PART ("Wait", "wait", TT_WORK_WAIT),
  PART ("Memory", "memory", TT_WORK_MEMORY),
  PART ("Sync", "sync", TT_WORK_SYNC),
  PART ("I/O", "io", TT_WORK_IO),
  PART ("Runtime", "runtime", TT_WORK_RUNTIME),
  PART ("Others", "other_steps", PART_OTHER_STEPS),
  PART ("Left out", "left_out", PART_LEFT_OUT),
  PART ("Idle %", "idle", PART_IDLE),
  PART ("Host", "idle_host_wait", PART_CAUSES + TT_IDLE_HOST_WAIT),
  PART ("Kernel", "idle_kernel_wait", PART_CAUSES + TT_IDLE_KERNEL_WAIT),
  PART ("Other", "idle_other_wait", PART_CAUSES + TT_IDLE_OTHER_WAIT),
  PART ("?", "idle_unknown", PART_CAUSES + TT_IDLE_UNKNOWN),
  TIME ("Compute", "compute", TT_WORK_COMPUTE),
  TIME ("Exposed", "communication_exposed", TT_WORK_COMMUNICATION),
  TIME ("Wait", "wait", TT_WORK_WAIT),
  TIME ("Memory", "memory", TT_WORK_MEMORY),
  TIME ("Sync", "sync", TT_WORK_SYNC),
  TIME ("I/O", "io", TT_WORK_IO),
  TIME ("Runtime", "runtime", TT_WORK_RUNTIME),
  TIME ("Others", "other_steps", PART_OTHER_STEPS),
  TIME ("Left out", "left_out", PART_LEFT_OUT),
  TIME ("Idle", "idle", PART_IDLE),
  TIME ("Host", "idle_host_wait", PART_CAUSES + TT_IDLE_HOST_WAIT),
  TIME ("Kernel", "idle_kernel_wait", PART_CAUSES + TT_IDLE_KERNEL_WAIT),
  TIME ("Other", "idle_other_wait", PART_CAUSES + TT_IDLE_OTHER_WAIT),
  TIME ("Unknown", "idle_unknown", PART_CAUSES + TT_IDLE_UNKNOWN),
  TIME ("Communication", "communication", PART_COMMUNICATION),
  { TT_COLUMN_PERCENT, "Overlap", "overlap_percent", overlap_cell, PART_COMMUNICATION, 100, .is_shown = has_part },
};

static TtTrustPlace
place_of (const void *row, const void *data)
{
  return (TtTrustPlace){ ((const TtBreakdownRow *) row)->process, TT_NO_ID, TT_NO_ID, TRUE };
}

TtReport *
tt_breakdown_table (TtStore *store,
                    const TtBreakdown *breakdown,
                    TtBreakdownRows rows_are,
                    TtTrustMarks *marks,
                    const TtReportView *view)
{
  const GArray *rows = tt_breakdown_rows (breakdown);
  const Context context = {
    store,
    rows,
    rows_are,
    tt_report_view_is_for_people (view),
    rows_are != TT_BREAKDOWN_STEP,
    tt_breakdown_is_filtered (breakdown),
  };
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);
  tt_trust_marks_declare (marks, report, view, place_of, NULL);
  guint n = view->top > 0 ? MIN (view->top, rows->len) : rows->len;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (rows, TtBreakdownRow, i));
  if (n < rows->len)
    {
      g_autofree char *more = tt_report_more (view, rows->len - n, NULL);
      tt_report_footer (report, more);
    }
  return report;
}

/* -- efficiencies ------------------------------------------------------------------------------------------------ */

typedef struct
{
  const char *name;
  double value;
} EfficiencyRow;

static TtReportCell
name_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const EfficiencyRow *) row)->name);
}

static TtReportCell
value_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (100 * ((const EfficiencyRow *) row)->value);
}

static const TtReportField efficiency_fields[] = {
  { TT_COLUMN_PERCENT, "Percent", "percent", value_cell },
  { TT_COLUMN_TEXT, "Efficiency", "efficiency", name_cell },
};

static void
add_efficiency (TtReport *report, const char *name, double value)
{
  const EfficiencyRow row = { name, value };

  tt_report_row (report, &row);
}

static void
add_factors (TtReport *report, const char *const *names, const TtEfficiencyFactors *of)
{
  add_efficiency (report, names[0], of->parallel);
  add_efficiency (report, names[1], of->load_balance);
  add_efficiency (report, names[2], of->communication);
}

TtReport *
tt_efficiency_table (const TtEfficiency *of, TtTrustMarks *marks, const TtReportView *view)
{
  static const char *const whole[] = { "parallel", "load balance", "communication" };
  static const char *const mpi[] = { "MPI parallel", "MPI load balance", "MPI communication" };
  static const char *const openmp[] = { "OpenMP parallel", "OpenMP load balance", "OpenMP communication" };
  TtReport *report = tt_report_of_fields (efficiency_fields, G_N_ELEMENTS (efficiency_fields), view, NULL);

  if (of == NULL)
    return report;
  tt_trust_marks_declare (marks, report, view, NULL, NULL);
  add_factors (report, whole, &of->whole);
  if (of->is_hybrid)
    {
      add_factors (report, openmp, &of->openmp);
      add_factors (report, mpi, &of->mpi);
    }
  add_efficiency (report, "serialisation", of->serialisation);
  add_efficiency (report, "transfer", of->transfer);
  return report;
}

/* -- in a sentence ---------------------------------------------------------------------------------------------- */

/* Adds "name 12.3 %" to the sentence, which began at the end of a line when it is @is_first. */
static void
say_part (GString *text, gsize *line, gboolean *is_first, const char *name, double percent)
{
  g_autofree char *part = g_strdup_printf ("%s %.1f %%", name, percent);
  const char *comma = *is_first ? " " : ", ";

  if (text->len - *line + strlen (comma) + strlen (part) >= LINE)
    {
      comma = *is_first ? "\n  " : ",\n  ";
      *line = text->len + strlen (comma) - 2;
    }
  g_string_append_printf (text, "%s%s", comma, part);
  *is_first = FALSE;
}

static const char *
main_cause (const double *sums)
{
  static const char *const words[TT_N_IDLE_CAUSES] = {
    [TT_IDLE_HOST_WAIT] = "Idle: mostly waiting for the host to launch",
    [TT_IDLE_KERNEL_WAIT] = "Idle: mostly between kernels",
    [TT_IDLE_OTHER_WAIT] = "Idle: mostly launched and not begun, waiting for others",
    [TT_IDLE_UNKNOWN] = "Idle: mostly unknown, the trace does not say when work was launched",
  };
  guint most = 0;

  for (guint cause = 1; cause < TT_N_IDLE_CAUSES; cause++)
    if (sums[PART_CAUSES + cause] > sums[PART_CAUSES + most])
      most = cause;
  return sums[PART_CAUSES + most] > 0 ? words[most] : NULL;
}

static void
say_product (GString *text, const char *what, const TtEfficiencyFactors *of)
{
  g_string_append_printf (text, "\n%s efficiency %.1f %% = load balance %.1f %% x communication efficiency %.1f %%",
                          what, 100 * of->parallel, 100 * of->load_balance, 100 * of->communication);
}

static void
say_efficiencies (GString *text, const TtEfficiency *of)
{
  say_product (text, "Parallel", &of->whole);
  if (of->is_hybrid)
    {
      say_product (text, "  MPI", &of->mpi);
      say_product (text, "  OpenMP", &of->openmp);
    }
  g_string_append_printf (text, "\n%sommunication efficiency %.1f %% = serialisation %.1f %% x transfer %.1f %%",
                          of->is_hybrid ? "  MPI c" : "C", 100 * of->mpi.communication, 100 * of->serialisation,
                          100 * of->transfer);
}

char *
tt_breakdown_describe (TtStore *store, const TtBreakdown *breakdown, TtBreakdownRows rows_are)
{
  static const char *const names[] = {
    [TT_WORK_COMPUTE] = "compute", [TT_WORK_COMMUNICATION] = "exposed communication",
    [TT_WORK_MEMORY] = "memory",   [TT_WORK_WAIT] = "waits for other ranks",
    [TT_WORK_SYNC] = "sync",       [TT_WORK_IO] = "I/O",
    [TT_WORK_RUNTIME] = "runtime", [PART_OTHER_STEPS] = "other steps",
    [PART_LEFT_OUT] = "left out",  [PART_IDLE] = "idle",
  };
  static const char *const what[] = { "rank", "step", "stream" };
  const GArray *rows = tt_breakdown_rows (breakdown);
  double sums[N_PARTS] = { 0 };
  char count[TT_TIME_TEXT];

  if (rows->len == 0)
    return NULL;
  for (guint i = 0; i < rows->len; i++)
    for (guint part = 0; part < N_PARTS; part++)
      sums[part] += (double) part_ns (&g_array_index (rows, TtBreakdownRow, i), part);

  GString *text = g_string_new (NULL);
  gsize line = 0;
  gboolean is_first = TRUE;
  g_string_printf (text, "%s %s%s:", tt_count_text (count, rows->len), what[rows_are], rows->len == 1 ? "" : "s");
  for (guint part = 0; part <= PART_IDLE; part++)
    {
      double percent = sums[PART_LENGTH] > 0 ? 100 * sums[part] / sums[PART_LENGTH] : 0;

      if (percent >= 0.05)
        say_part (text, &line, &is_first, names[part], percent);
    }
  const char *cause = rows_are == TT_BREAKDOWN_STEP ? NULL : main_cause (sums);
  if (cause != NULL)
    g_string_append_printf (text, "\n%s", cause);
  if (tt_breakdown_efficiency (breakdown) != NULL)
    say_efficiencies (text, tt_breakdown_efficiency (breakdown));
  return g_string_free (text, FALSE);
}
