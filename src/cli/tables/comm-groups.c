/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/comm.h"

/* A terminal of 80 columns has no room for all. */
#define MIN_WIDE_WIDTH 110

typedef enum
{
  GROUP_NAME,
  GROUP_DESCRIPTION,
  GROUP_FUNCTION,
  GROUP_MEMBERS,
  GROUP_CALLS,
  GROUP_PARTIAL,
  GROUP_SIZE,
  GROUP_RANKS,
  GROUP_BYTES_IN,
  GROUP_BYTES_OUT,
  GROUP_TIME,
} GroupValue;

static TtReportCell
group_text (const TtReportField *self, const void *row, const void *context)
{
  const TtCommGroup *group = row;

  switch ((GroupValue) self->id)
    {
    case GROUP_NAME:
      return tt_cell_text (group->group);
    case GROUP_DESCRIPTION:
      return tt_cell_text (group->description);
    case GROUP_MEMBERS:
      return tt_cell_text (group->members_text);
    default:
      return tt_cell_text (group->function);
    }
}

static TtReportCell
group_count (const TtReportField *self, const void *row, const void *context)
{
  const TtCommGroup *group = row;

  switch ((GroupValue) self->id)
    {
    case GROUP_CALLS:
      return tt_cell_int (group->n_calls);
    case GROUP_PARTIAL:
      return tt_cell_int (group->n_partial);
    case GROUP_SIZE:
      return group->size > 0 ? tt_cell_int (group->size) : tt_cell_empty ();
    case GROUP_RANKS:
      return tt_cell_int (group->n_ranks);
    case GROUP_BYTES_IN:
      return group->n_in > 0 ? tt_cell_int (group->bytes_in) : tt_cell_empty ();
    case GROUP_BYTES_OUT:
      return group->n_out > 0 ? tt_cell_int (group->bytes_out) : tt_cell_empty ();
    case GROUP_TIME:
      return tt_cell_int (group->time_ns);
    default:
      return tt_cell_empty ();
    }
}

static TtReportCell
group_algorithm_bandwidth (const TtReportField *self, const void *row, const void *context)
{
  double gb_per_s;

  return tt_comm_group_algorithm_bandwidth (row, &gb_per_s) ? tt_cell_real (gb_per_s) : tt_cell_empty ();
}

static TtReportCell
group_bus_bandwidth (const TtReportField *self, const void *row, const void *context)
{
  double gb_per_s;

  return tt_comm_group_bus_bandwidth (row, &gb_per_s) ? tt_cell_real (gb_per_s) : tt_cell_empty ();
}

static const TtReportField group_fields[] = {
  { TT_COLUMN_TEXT, "Group", "group", group_text, GROUP_NAME },
  { TT_COLUMN_TEXT, "Description", "description", group_text, GROUP_DESCRIPTION, MIN_WIDE_WIDTH },
  { TT_COLUMN_TEXT, "Members", "members", group_text, GROUP_MEMBERS, MIN_WIDE_WIDTH },
  { TT_COLUMN_WORD, "Function", "function", group_text, GROUP_FUNCTION },
  { TT_COLUMN_COUNT, "Calls", "calls", group_count, GROUP_CALLS },
  { TT_COLUMN_COUNT, "Partial", "partial", group_count, GROUP_PARTIAL, MIN_WIDE_WIDTH },
  { TT_COLUMN_COUNT, "Size", "group_size", group_count, GROUP_SIZE },
  { TT_COLUMN_COUNT, "Ranks", "ranks", group_count, GROUP_RANKS },
  { TT_COLUMN_BYTES, "In", "bytes_in", group_count, GROUP_BYTES_IN },
  { TT_COLUMN_BYTES, "Out", "bytes_out", group_count, GROUP_BYTES_OUT, MIN_WIDE_WIDTH },
  { TT_COLUMN_TIME, "Time", "time", group_count, GROUP_TIME },
  { TT_COLUMN_REAL, "AlgBW", "algorithm_gb_per_s", group_algorithm_bandwidth },
  { TT_COLUMN_REAL, "BusBW", "bus_gb_per_s", group_bus_bandwidth },
};

TtReport *
tt_comm_group_table (const TtCommGroups *groups, TtTrustMarks *marks, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (group_fields, G_N_ELEMENTS (group_fields), view, NULL);
  tt_trust_marks_declare (marks, report, view, NULL, NULL);

  tt_report_limit (report, view);
  tt_report_caption (report, "process groups: calls, ranks in the run, bytes and time of all spans, GB/s");
  for (guint i = 0; i < groups->rows->len; i++)
    tt_report_row (report, &g_array_index (groups->rows, TtCommGroup, i));
  return report;
}
