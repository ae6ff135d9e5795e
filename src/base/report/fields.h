/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReportField: one column of a table, described once.
 *
 * The array of a table's fields decides everything about its columns: their header, their key in csv, tsv and json, how
 * values look, on which terminals and in which formats they are shown, the words of --sort and the help that lists
 * them. A command makes a report of the array with tt_report_declare() and fills it row by row; neither the array nor
 * the view is needed after that, @context until the last row.
 */
#pragma once

#include "src/base/report/report.h"

/* How somebody wants to read a table. */
typedef struct
{
  TtUnit unit;
  gboolean is_auto_unit; /* for people; see tt_report_auto_unit() */
  TtReportFormat format;
  guint top;               /* rows; 0: all */
  gboolean is_top_default; /* nobody said how many */
  guint width;             /* of the terminal; 0: no limit, as in all formats but tables */
  gboolean is_wide;        /* names are not cut */
  gboolean has_bars;       /* one number of each row is drawn, too */
  gboolean has_counts;     /* TT_COLUMN_TIME columns hold counts: a metric, ticks */
} TtReportView;

typedef enum
{
  TT_READER_ANYBODY,
  TT_READER_PEOPLE,   /* table and markdown only */
  TT_READER_PROGRAMS, /* csv, tsv and json only */
} TtReportReader;

typedef struct _TtReportField TtReportField;

/* The cell of @row in the column of @self; @context: what tt_report_declare() was given. */
typedef TtReportCell (*TtReportValue) (const TtReportField *self, const void *row, const void *context);

struct _TtReportField
{
  TtColumnKind kind;
  const char *title, *key;
  TtReportValue value;
  guint id;        /* for columns that share a function */
  guint min_width; /* of a terminal that surely has room for the column; 0: every one shows it */
  TtReportReader reader;
  const char *word;    /* of --sort; NULL: nobody sorts by it */
  TtReportValue order; /* what --sort compares; NULL: the value */
  gboolean is_moment;  /* of times: not how long, but when; in the fixed unit, for four digits do not find it */
  gboolean (*is_shown) (const TtReportField *self, const void *context); /* NULL: always */
  gboolean has_bar; /* what --bars draws; where no field has it, the first share, time or size that is shown */
};

/* table and markdown, not what programs read */
gboolean tt_report_view_is_for_people (const TtReportView *view);

/* Adds the columns that @view shows to @report, before its first row; may be called again with more fields. @kept is
 * not left out on narrow terminals; NULL: none. Columns with a min_width are, the greatest first, where names would be
 * cut to less than 32 columns, and a line below the table names them. */
void tt_report_declare (TtReport *report,
                        const TtReportField *fields,
                        guint n,
                        const TtReportView *view,
                        const TtReportField *kept,
                        const void *context);
/* tt_report_new() and tt_report_declare() of all @fields. */
TtReport *tt_report_of_fields (const TtReportField *fields, guint n, const TtReportView *view, const void *context);
/* One row: a cell in each declared column. */
void tt_report_row (TtReport *report, const void *row);

/* Rows after the first @view->top are counted, not kept, and a line below the table tells how many. */
void tt_report_limit (TtReport *report, const TtReportView *view);
/* That line, for tables that leave out rows themselves: tt_more_text() of @view. Free it. */
char *tt_report_more (const TtReportView *view, guint64 n_more, const char *part);

/* -- order --------------------------------------------------------------------------------------------- */

/* Largest first, cells without a number last; 0: equal. */
int tt_report_field_compare (const TtReportField *self, const void *a, const void *b, const void *context);
/* The field whose word is @word. @extra: one more word that is none of a field, for which *field is NULL. FALSE with
 * @error, which names the nearest or all words. */
gboolean tt_report_field_find (const TtReportField *fields,
                               guint n,
                               const char *word,
                               const char *extra,
                               const TtReportField **field,
                               GError **error);
/* "time, total, self" of the words of @fields and @extra (NULL: none). Free it. */
char *tt_report_field_words (const TtReportField *fields, guint n, const char *extra);
