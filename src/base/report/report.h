/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReport: a table for people or programs: aligned text, csv, tsv, json, markdown.
 *
 * Columns are declared once, cells are added row by row in column order. In text, numbers are
 * right-aligned, long names are cut to the terminal's width (cut.h) and columns without room left out and named
 * (layout.h), never when piped or --wide, and the header is bold on a terminal. csv, tsv and json carry full precision
 * and all rows.
 */
#pragma once

#include <math.h>

#include "src/base/int128.h"
#include "src/base/units.h"

typedef enum
{
  TT_FORMAT_TABLE,
  TT_FORMAT_CSV,
  TT_FORMAT_TSV,
  TT_FORMAT_JSON,
  TT_FORMAT_MARKDOWN,
} TtReportFormat;

typedef enum
{
  TT_COLUMN_TEXT,    /* may be cut */
  TT_COLUMN_WORD,    /* never cut */
  TT_COLUMN_VALUE,   /* whatever a query gives: a text may be cut, a number not */
  TT_COLUMN_COUNT,   /* 12,345 in tables, 12345 elsewhere */
  TT_COLUMN_TIME,    /* ns in; shown in the report's unit */
  TT_COLUMN_PERCENT, /* double in, "12.34" */
  TT_COLUMN_REAL,
  TT_COLUMN_BYTES, /* count of bytes; scaled in tables */
  TT_COLUMN_BAR,   /* a number, drawn beside the greatest of its column; for people only */
} TtColumnKind;

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
  const char *text;
  char *owned; /* NULL, or @text, to be freed after use: see tt_cell_take() */
  tt_int128 integer;
  double real;
} TtReportCell;

static inline TtReportCell
tt_cell_empty (void)
{
  return (TtReportCell){ .kind = TT_REPORT_EMPTY };
}

/* NULL: empty. */
static inline TtReportCell
tt_cell_text (const char *text)
{
  return (TtReportCell){ .kind = text == NULL ? TT_REPORT_EMPTY : TT_REPORT_TEXT, .text = text };
}

/* The cell owns @text. */
static inline TtReportCell
tt_cell_take (char *text)
{
  return (TtReportCell){ .kind = text == NULL ? TT_REPORT_EMPTY : TT_REPORT_TEXT, .text = text, .owned = text };
}

static inline TtReportCell
tt_cell_int (tt_int128 value)
{
  return (TtReportCell){ .kind = TT_REPORT_INTEGER, .integer = value };
}

/* What is not finite is empty. */
static inline TtReportCell
tt_cell_real (double value)
{
  return (TtReportCell){ .kind = isfinite (value) ? TT_REPORT_REAL : TT_REPORT_EMPTY, .real = value };
}

typedef struct _TtReport TtReport;

TtReport *tt_report_new (TtUnit unit);
void tt_report_free (TtReport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtReport, tt_report_free)

/* In tables and markdown times are in units chosen by their size: all in one, named in the titles, where that shows
 * each with three digits or more; else each in its own, "1.234 ms". Moments (fields.h) and the other formats keep the
 * unit of tt_report_new(). */
void tt_report_auto_unit (TtReport *self);

/* @title: for tables, "Total" becomes "Total (us)" for times; @key: for json, csv, tsv: "total" or
 * "total_us" becomes "total_UNIT" for times. */
void tt_report_column (TtReport *self, TtColumnKind kind, const char *title, const char *key);
/* Cells in column order; a row is complete with the last column. Any kind of cell may stand in any
 * column. Rows beyond some memory wait in a temporary file. Tables with a descriptor per column: see fields.h. */
void tt_report_text (TtReport *self, const char *text); /* NULL: empty / null */
void tt_report_int (TtReport *self, gint64 value);      /* COUNT, TIME, BYTES */
void tt_report_int128 (TtReport *self, tt_int128 value);
void tt_report_real (TtReport *self, double value); /* PERCENT, REAL, TIME (fraction of ns) */
void tt_report_empty (TtReport *self);
guint tt_report_n_rows (const TtReport *self);

/* Text above and below a table, below one of markdown, too; not in the other formats. */
void tt_report_heading (TtReport *self, const char *heading);
void tt_report_footer (TtReport *self, const char *footer);
/* What the rows are, and what words in them mean: likewise, below the heading and above the footer, but not of a table
 * without rows. That has no header in text either, unless its columns are all there is to know. */
void tt_report_caption (TtReport *self, const char *caption);
void tt_report_legend (TtReport *self, const char *legend);
void tt_report_keep_header (TtReport *self);
/* As a table for people. */
gboolean tt_report_has_text (const TtReport *self);

extern const char *const tt_report_format_words[]; /* NULL-ended; by TtReportFormat */
gboolean tt_report_format_parse (const char *text, TtReportFormat *format, GError **error);
/* To standard output. @width 0: the terminal's, or no limit when piped; G_MAXUINT: no limit. */
void tt_report_print (TtReport *self, TtReportFormat format, guint width);
/* FALSE: rows were lost, or standard output could not take them. */
gboolean tt_report_check (const TtReport *self, GError **error);
/* Appends the report to @text; @width 0: no limit. */
void tt_report_append (TtReport *self, TtReportFormat format, guint width, GString *text);

/* Terminal facts: width of stdout (0 when it is none), whether to colour (NO_COLOR, dumb, pipe: not). */
guint tt_terminal_width (void);
guint tt_terminal_width_of (int fd);
gboolean tt_terminal_colours (int fd);
