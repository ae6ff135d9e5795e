/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanCells: the spans of many rows of a timeline in bounded room, for who looks at it from near and from far.
 *
 * Up to a number of spans each is kept as it is. Beyond, time is cut into cells, and in each row those shorter than a cell
 * that begin in the same one become one piece: it knows how many there are, how long they take together and the name of the
 * longest. Cells are made wider, by twos, until there is room again, so that what is longer than a cell is always exact.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 begin_ns, end_ns;
  gint64 busy_ns;    /* sum of durations */
  gint64 longest_ns; /* of the span with the name */
  guint32 name;
  guint32 n; /* spans; 1: it is that one */
} TtSpanPiece;

typedef struct
{
  GPtrArray *rows; /* of GArray of TtSpanPiece; NULL: nothing is in it */
  gint64 begin_ns; /* of time */
  gint64 cell_ns;  /* 0: there are no cells yet */
  guint64 n_pieces, max_pieces;
} TtSpanCells;

/* Never more than @max_pieces after tt_span_cells_finish(), but one a row, and twice as many before. */
void tt_span_cells_init (TtSpanCells *self, guint n_rows, gint64 begin_ns, guint64 max_pieces);
void tt_span_cells_clear (TtSpanCells *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSpanCells, tt_span_cells_clear)

/* @begin_ns: not before the begin of time. Spans of one thread come by falling begins. */
void tt_span_cells_add (TtSpanCells *self, guint row, gint64 begin_ns, gint64 end_ns, guint32 name);
/* Now pieces are few enough, and in the order of time. */
void tt_span_cells_finish (TtSpanCells *self);
