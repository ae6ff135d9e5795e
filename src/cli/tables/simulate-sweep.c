/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/simulate.h"

#include <string.h>

static double
percent_of (gint64 part, gint64 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

/* -- what would help most ------------------------------------------------------------------------------------------ */

typedef enum
{
  SWEEP_PREDICTED,
  SWEEP_GAIN,
  SWEEP_GAIN_SHARE,
  SWEEP_NODES,
  SWEEP_FIELD,
  SWEEP_VALUE,
} SweepFact;

/* @context: the mean iteration (gint64, ns) that the gain is one over. */
static TtReportCell
sweep_fact (const TtReportField *self, const void *row, const void *context)
{
  gint64 mean_ns = *(const gint64 *) context;
  const TtSweepRow *sweep = row;

  switch ((SweepFact) self->id)
    {
    case SWEEP_PREDICTED:
      return tt_cell_int (sweep->iteration_ns);
    case SWEEP_GAIN:
      return tt_cell_int (mean_ns - sweep->iteration_ns);
    case SWEEP_GAIN_SHARE:
      return tt_cell_real (percent_of (mean_ns - sweep->iteration_ns, mean_ns));
    case SWEEP_NODES:
      return tt_cell_int (sweep->n_nodes);
    case SWEEP_FIELD:
      return tt_cell_text (sweep->field);
    case SWEEP_VALUE:
      return tt_cell_text (sweep->value);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField sweep_fields[] = {
  { TT_COLUMN_TIME, "Predicted", "predicted", sweep_fact, SWEEP_PREDICTED },
  { TT_COLUMN_TIME, "Gain", "gain", sweep_fact, SWEEP_GAIN },
  { TT_COLUMN_PERCENT, "Gain %", "gain_percent", sweep_fact, SWEEP_GAIN_SHARE },
  { TT_COLUMN_COUNT, "Operations", "n_operations", sweep_fact, SWEEP_NODES },
  { TT_COLUMN_WORD, "Field", "field", sweep_fact, SWEEP_FIELD },
  { TT_COLUMN_TEXT, "Shorter", "value", sweep_fact, SWEEP_VALUE },
};

TtReport *
tt_simulate_sweep_table (const GArray *rows, gint64 mean_ns, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (sweep_fields, G_N_ELEMENTS (sweep_fields), view, &mean_ns);
  const char *field = NULL;
  guint n_shown = 0, n_hidden = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const TtSweepRow *row = &g_array_index (rows, TtSweepRow, i);

      if (field == NULL || strcmp (field, row->field) != 0)
        n_shown = 0;
      field = row->field;
      if (view->top > 0 && n_shown == view->top)
        {
          n_hidden++;
          continue;
        }
      n_shown++;
      tt_report_row (report, row);
    }
  if (n_hidden > 0)
    {
      g_autofree char *more = tt_report_more (view, n_hidden, NULL);
      tt_report_footer (report, more);
    }
  return report;
}

/* -- points ------------------------------------------------------------------------------------------------------ */

typedef enum
{
  POINT_OPTION,
  POINT_VALUE,
  POINT_PREDICTED,
  POINT_CHANGE,
  POINT_LOW,
  POINT_HIGH,
} PointFact;

/* @context: the mean iteration (gint64, ns) that the change is one of. */
static TtReportCell
point_fact (const TtReportField *self, const void *row, const void *context)
{
  gint64 mean_ns = *(const gint64 *) context;
  const TtSweepPoint *point = row;

  switch ((PointFact) self->id)
    {
    case POINT_OPTION:
      return tt_cell_take (tt_sweep_point_title (point));
    case POINT_VALUE:
      return tt_cell_text (point->value);
    case POINT_PREDICTED:
      return tt_cell_int (point->predicted_ns);
    case POINT_CHANGE:
      return tt_cell_real (percent_of (point->predicted_ns - mean_ns, mean_ns));
    case POINT_LOW:
      return tt_cell_int (point->low_ns);
    case POINT_HIGH:
      return tt_cell_int (point->high_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField point_fields[] = {
  { TT_COLUMN_TIME, "Predicted", "predicted", point_fact, POINT_PREDICTED },
  { TT_COLUMN_PERCENT, "Change %", "change_percent", point_fact, POINT_CHANGE },
  { TT_COLUMN_TIME, "At least", "low", point_fact, POINT_LOW },
  { TT_COLUMN_TIME, "At most", "high", point_fact, POINT_HIGH },
  { TT_COLUMN_WORD, "Value", "value", point_fact, POINT_VALUE },
  { TT_COLUMN_TEXT, "Option", "option", point_fact, POINT_OPTION },
};

TtReport *
tt_simulate_points_table (const GArray *points, gint64 mean_ns, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (point_fields, G_N_ELEMENTS (point_fields), view, &mean_ns);

  for (guint i = 0; i < points->len; i++)
    tt_report_row (report, &g_array_index (points, TtSweepPoint, i));
  return report;
}
