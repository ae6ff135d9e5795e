/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanParents: the parent of each span (the innermost span that contains it), found in a reverse scan.
 *
 * A reverse scan (TT_SCAN_REVERSE) yields a span before those inside it. For each thread the spans that may still contain
 * others are kept, each with a payload of the caller. Usually they are a stack by depth. Spans that cross (flag
 * `overlap`) form no stack: from the first of them on a thread, the parent is the span that starts last among those that contain the child.
 * Asynchronous spans have a stack of their own, key after key.
 * Memory: the open spans; if more than TT_SPAN_PARENTS_MAX_CROSSED cross at once, those that start last are dropped.
 */
#pragma once

#include "src/store/scan.h"

#define TT_SPAN_PARENTS_MAX_CROSSED 1024u

typedef struct _TtSpanParents TtSpanParents;

/* Called when no more spans follow that are inside the one with @payload. */
typedef void (*TtSpanClosed) (gpointer payload, gpointer data);

/* @on_closed: may be NULL. */
TtSpanParents *tt_span_parents_new (guint32 max_thread, gsize payload_size, TtSpanClosed on_closed, gpointer data);
void tt_span_parents_free (TtSpanParents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpanParents, tt_span_parents_free)

/* Adds the next span. Returns its payload, zeroed; *parent: the payload of its parent, or NULL. Both are valid until
 * the next call. NULL: the span is deeper than its stack, which no sound database has. */
gpointer tt_span_parents_add (TtSpanParents *self, const TtEvent *event, gpointer *parent, GError **error);
/* Whether it is not deeper than its stack. */
gboolean tt_span_parents_fits (const TtSpanParents *self, const TtEvent *event);
/* Passes a span that is left out: spans inside it will be inside *parent. */
gboolean tt_span_parents_pass (TtSpanParents *self, const TtEvent *event, gpointer *parent, GError **error);
/* Those that may still contain others. */
void tt_span_parents_each (const TtSpanParents *self, TtSpanClosed func, gpointer data);
/* Closes the spans that are still open. */
void tt_span_parents_finish (TtSpanParents *self);
