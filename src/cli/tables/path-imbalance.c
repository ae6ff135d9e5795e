/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/path-imbalance.h"

typedef enum
{
  FACT_IMBALANCE,
  FACT_ON_PATH,
  FACT_COST,
  FACT_INTRA,
  FACT_INTER,
  FACT_ACTIVITY,
  FACT_OTHER,
} Fact;

/* @context of columns: a TtPathImbalance; @row: a TtOpImpact. */
static TtReportCell
fact (const TtReportField *self, const void *row, const void *context)
{
  const TtOpImpact *op = row;
  const tt_int128 facts[] = {
    [FACT_IMBALANCE] = op->imbalance_ns, [FACT_ON_PATH] = op->on_path_ns,
    [FACT_COST] = op->cost_ns,           [FACT_INTRA] = op->cost_ns - op->inter_ns,
    [FACT_INTER] = op->inter_ns,         [FACT_ACTIVITY] = op->activity_ns,
    [FACT_OTHER] = op->other_ns,
  };

  return tt_cell_int (facts[self->id]);
}

static double
percent_of (tt_int128 part, tt_int128 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

static TtReportCell
share (const TtReportField *self, const void *row, const void *context)
{
  const TtPathImbalance *imbalance = context;

  return tt_cell_real (percent_of (((const TtOpImpact *) row)->imbalance_ns, imbalance->sum.on_path_ns));
}

static TtReportCell
mean (const TtReportField *self, const void *row, const void *context)
{
  const TtPathImbalance *imbalance = context;

  return tt_cell_real ((double) ((const TtOpImpact *) row)->total_ns / (double) MAX (imbalance->n_places, 1));
}

static TtReportCell
name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtOpImpact *) row)->name);
}

static const TtReportField fields[] = {
  { TT_COLUMN_TIME, "Imbalance", "imbalance", fact, FACT_IMBALANCE },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", share },
  { TT_COLUMN_TIME, "On path", "on_path", fact, FACT_ON_PATH },
  { TT_COLUMN_TIME, "Mean", "mean", mean },
  { TT_COLUMN_TIME, "Cost", "cost", fact, FACT_COST },
  { TT_COLUMN_TIME, "Intra", "intra_partition", fact, FACT_INTRA, 120 },
  { TT_COLUMN_TIME, "Inter", "inter_partition", fact, FACT_INTER, 120 },
  { TT_COLUMN_TIME, "Activity", "activity", fact, FACT_ACTIVITY, 120 },
  { TT_COLUMN_TIME, "Other", "other", fact, FACT_OTHER, 120 },
  { TT_COLUMN_TEXT, "Name", "name", name },
};

TtReport *
tt_path_imbalance_table (const TtPathImbalance *imbalance, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, imbalance);
  const TtOpImpact *sum = &imbalance->sum;
  tt_int128 whole = sum->activity_ns + sum->cost_ns + sum->other_ns;
  g_autofree char *heading = g_strdup_printf (
      "%.1f %% of the path is more than the mean of %u %s. In its time they do what\n"
      "  it does (%.1f %%), wait because of imbalance (%.1f %%; %.1f %% in ranks that\n"
      "  never do what the path does), and do other work (%.1f %%).",
      percent_of (sum->imbalance_ns, sum->on_path_ns), imbalance->n_places,
      imbalance->is_over_threads ? "threads" : "ranks", percent_of (sum->activity_ns, whole),
      percent_of (sum->cost_ns, whole), percent_of (sum->inter_ns, whole), percent_of (sum->other_ns, whole));

  tt_report_heading (report, heading);
  tt_report_limit (report, view);
  for (guint i = 0; i < imbalance->ops->len; i++)
    tt_report_row (report, &g_array_index (imbalance->ops, TtOpImpact, i));
  return report;
}
