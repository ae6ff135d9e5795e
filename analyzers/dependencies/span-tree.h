/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanTree: the caller and the next sibling of each span, from spans in reverse order.
 *
 * A reverse scan (TT_SCAN_REVERSE) yields a span before its children and later siblings before earlier ones, so that a
 * stack per thread knows both: constant work per span, memory only for the open stacks. Spans that are left out count as
 * absent: the caller of what they call is the innermost span that contains them and is not left out. A span does not
 * follow one that it crosses; asynchronous spans have neither caller nor sibling.
 */
#pragma once

#include "src/store/store.h"

#define TT_NO_NODE G_MAXUINT32

typedef struct
{
  guint64 event; /* 0: nothing */
  gint64 ts_ns, end_ns;
  guint32 node; /* the caller's number for it; TT_NO_NODE: left out */
} TtSpanRef;

typedef struct _TtSpanTree TtSpanTree;

TtSpanTree *tt_span_tree_new (guint32 max_thread);
void tt_span_tree_free (TtSpanTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpanTree, tt_span_tree_free)

/* Takes the next span and tells its caller and its next sibling (event 0: none). Of a span left out only *parent is
 * told. FALSE: the span is deeper than its stack, which a sound database does not have. */
gboolean tt_span_tree_add (TtSpanTree *self,
                           const TtEvent *event,
                           guint32 node,
                           TtSpanRef *parent,
                           TtSpanRef *next,
                           GError **error);

/*
 * A part of a scan (spans/shared-scan.h): the next sibling of some spans is in a part before it, of which these know their place: the event that
 * calls, or the thread.
 */
typedef struct
{
  guint64 place;
  gint64 ns; /* of one that a sibling is looked for: its end; of one that is left for others: its begin */
  guint32 node;
  guint32 may_cross; /* it follows only what begins after its end */
} TtSpanSibling;

/* Before the first span. @is_first: no part is before it. */
void tt_span_tree_begin_part (TtSpanTree *self, gboolean is_first);
/* Whether spans that are added now are only around others: nothing is told of them. */
void tt_span_tree_set_around (TtSpanTree *self, gboolean is_around);
/* Whether its caller was added, if it has one. */
gboolean tt_span_tree_fits (const TtSpanTree *self, const TtEvent *event);
/* Of TtSpanSibling: those whose next sibling is in a part before. */
const GArray *tt_span_tree_firsts (const TtSpanTree *self);
/* Those that spans of later parts may come before. @is_cut: their callers may be in this part. Free it with g_array_unref(). */
GArray *tt_span_tree_lasts (const TtSpanTree *self, gboolean is_cut);
