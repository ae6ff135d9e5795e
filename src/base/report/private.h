/*
 * What the files of TtReport share: cells as they are kept, and the rows read back one by one.
 */
#pragma once

#include <stdio.h>

#include "src/base/report/report.h"
#include "src/base/spill.h"

typedef enum
{
  TT_REPORT_EMPTY,
  TT_REPORT_TEXT,
  TT_REPORT_INTEGER,
  TT_REPORT_REAL,
} TtReportCellKind;

typedef struct
{
  TtReportCellKind kind;
  const char *text; /* until the next row */
  tt_int128 integer;
  double real;
} TtReportCell;

typedef struct
{
  TtColumnKind kind;
  char *title, *key;
} TtReportColumn;

struct _TtReport
{
  TtUnit unit;
  GArray *columns; /* of TtReportColumn */
  guint column;    /* of the next cell */
  guint n_rows;
  GByteArray *row; /* cells of the row being filled */
  TtSpill *rows;   /* each: length in 8 bytes, cells */
  guint64 rows_bytes;
  GString *heading, *footer;
  GError *error;
};

typedef struct
{
  const TtReport *report;
  guint row;
  guint64 offset;
  GByteArray *bytes;
  TtReportCell *cells;
} TtReportRows;

/* Where the formats write: @text, handed on to @file (if there is one) now and then. */
typedef struct
{
  GString *text;
  FILE *file;
  gboolean failed;
} TtReportTarget;

void tt_report_rows_init (TtReportRows *rows, const TtReport *report);
/* FALSE after the last row. */
gboolean tt_report_rows_next (TtReportRows *rows);
void tt_report_rows_clear (TtReportRows *rows);

static inline const TtReportColumn *
tt_report_column_at (const TtReport *report, guint i)
{
  return &g_array_index (report->columns, TtReportColumn, i);
}

/* The cell as people or programs read it, before any quoting. */
void tt_report_cell_for_people (const TtReport *report, guint column, const TtReportCell *cell, GString *text);
void tt_report_cell_for_programs (const TtReport *report, guint column, const TtReportCell *cell, GString *text);

void tt_report_flush (TtReportTarget *target, gboolean all);

void tt_report_write_table (const TtReport *self, guint width, gboolean bold, TtReportTarget *target);
void tt_report_write_markdown (const TtReport *self, TtReportTarget *target);
/* csv or tsv */
void tt_report_write_separated (const TtReport *self, TtReportFormat format, TtReportTarget *target);
void tt_report_write_json (const TtReport *self, TtReportTarget *target);
