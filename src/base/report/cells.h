/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReportCell, and how a TtReport keeps its cells: the layer under the report and its formats.
 *
 * Rows are kept as bytes in a TtSpill; the formats read them back one by one, as often as they like. The texts of a
 * cell, for people and for programs, are made here, so that all formats agree on numbers.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/base/spill.h"

typedef struct
{
  TtColumnKind kind;
  char *title, *key;
  const void *context; /* of fields.h, like the next two */
  guint min_width;
  gboolean is_moment;
  double greatest; /* of a column of bars, without signs */
} TtReportColumn;

struct _TtReport
{
  TtUnit unit;
  gboolean has_auto_unit;       /* in what people read; @unit is that of programs */
  double least_ns, greatest_ns; /* of the times that are not 0, without their signs; 0: there are none */
  gboolean has_fractions;       /* of a ns */
  gboolean has_bars;            /* a column of them */
  GArray *columns;              /* of TtReportColumn */
  GArray *fields;               /* of TtReportField: the columns that have a descriptor */
  guint column;                 /* of the next cell */
  guint n_rows;
  guint n_most;       /* rows that are kept; 0: all */
  guint64 n_more;     /* that are not */
  gboolean tells_how; /* to see these */
  GByteArray *row;    /* cells of the row being filled */
  TtSpill *rows;      /* each: length in 8 bytes, cells */
  guint64 rows_bytes;
  gboolean keeps_header; /* without rows, too */
  GString *heading, *caption, *legend, *footer;
  GError *error;
};

/* Reads the rows of a report one by one. */
typedef struct
{
  const TtReport *report;
  guint row;
  guint64 offset;
  GByteArray *bytes;
  TtReportCell *cells; /* of the row; texts are valid until the next one */
} TtReportRows;

static inline const TtReportColumn *
tt_report_column_at (const TtReport *report, guint i)
{
  return &g_array_index (report->columns, TtReportColumn, i);
}

/* Appends @cell to the row being filled, which is complete with the last column. */
void tt_report_cells_add (TtReport *report, const TtReportCell *cell);

void tt_report_rows_init (TtReportRows *rows, const TtReport *report);
/* FALSE after the last row. */
gboolean tt_report_rows_next (TtReportRows *rows);
void tt_report_rows_clear (TtReportRows *rows);

/* The title of a column for people: "Total (ms)". */
void tt_report_title (const TtReport *report, guint column, GString *text);
/* Whether the cells of a column end in units of their own. */
gboolean tt_report_has_cell_units (const TtReport *report, guint column);
/* The text of a cell as people or programs read it, before any quoting. */
void tt_report_cell_for_people (const TtReport *report, guint column, const TtReportCell *cell, GString *text);
void tt_report_cell_for_programs (const TtReport *report, guint column, const TtReportCell *cell, GString *text);
