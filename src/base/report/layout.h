/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLayoutColumn: what the columns of a report get of the width of a terminal.
 *
 * Columns that can be left out go first (min_width in fields.h, all of the greatest at once), then, of tables that do
 * not fit all the same, other numbers from the right, then, where even cut words do not fit, texts; never the first
 * three nor the last. Of the values of a query those go that are empty in all rows, then those at the right but for
 * the first three. Texts share what is left, the widest gives way first.
 */
#pragma once

#include "src/base/report/cells.h"
#include "src/base/report/cut.h"

#define TT_LAYOUT_GAP 2

typedef struct
{
  guint width, min_width;
  gboolean is_right, is_left_out, is_empty, is_cut_word;
  TtCuts *cuts; /* NULL: all texts fit */
} TtLayoutColumn;

/* An array of all columns of @report. @width: G_MAXUINT: no limit. */
TtLayoutColumn *tt_layout_new (const TtReport *report, guint width);
void tt_layout_free (TtLayoutColumn *columns, const TtReport *report);

/* The text of a cell, in the place of what is in @text: names come from traces, and must neither break the line nor
 * steer the terminal. */
void tt_layout_cell (const TtReport *report, guint column, const TtReportCell *cell, GString *text);
/* Where cells have units of their own, these stand in a column of two: the numbers before them end in one place. */
void tt_layout_padded_cell (const TtReport *report, guint column, const TtReportCell *cell, GString *text);

/* Names the columns that are left out, if any are. */
void tt_layout_append_left_out (const TtLayoutColumn *columns, const TtReport *report, guint width, GString *out);
