/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCollectiveSpans: when the spans of collectives were.
 *
 * The spans of one call lie a page apart for each rank, and each function has its calls all over the run: a look for each
 * would read most pages many times. So many rows are looked ahead, and their spans read in the order of the pages. An import,
 * whose passes read the table more than once, keeps those of less than half a million rows. Used by src/store only.
 */
#pragma once

#include "src/store/observed-spans.h"
#include "src/store/table-pages.h"

/* Columns of collective_row. */
enum
{
  TT_COLLECTIVE_COMM = 2,
  TT_COLLECTIVE_NAME,
  TT_COLLECTIVE_ORDINAL,
  TT_COLLECTIVE_PROCESS,
  TT_COLLECTIVE_THREAD,
  TT_COLLECTIVE_EVENT,
  TT_COLLECTIVE_ROOT,
  TT_COLLECTIVE_FLAGS,
  TT_COLLECTIVE_COLUMNS,
};

typedef struct _TtCollectiveSpans TtCollectiveSpans;

/* Before the first scan: @observed, borrowed, are asked before the events are. */
void tt_collective_spans_observe (TtStore *store, TtObservedSpans *observed);
/* For one scan, in a snapshot. NULL: pages cannot be read, or another scan is under way. */
TtCollectiveSpans *tt_collective_spans_open (TtStore *store);
/* What is kept is freed with the store. @self: may be NULL. */
void tt_collective_spans_close (TtCollectiveSpans *self);
void tt_collective_spans_free (TtCollectiveSpans *self);

/* That of @event, which row @row of collective_row names; quickest are rows one after the other. NULL: it is not as it
 * should be. */
const TtCollectiveSpan *tt_collective_spans_find (TtCollectiveSpans *self, guint64 row, guint64 event);
