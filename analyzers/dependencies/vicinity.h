/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtVicinity: some spans of the selected runs with all that TtSpanTree has to know of them, read by an index (event-index.h) instead of a scan.
 *
 * What is kept is closed: with a span it has all spans around it on its thread. From a scan of it, by ids downwards, TtSpanTree therefore
 * tells of its spans the same callers as from a scan of all events; of those that were expanded also the same calls
 * and the same siblings on either side.
 *
 * Not of everything: spans on threads that are not nested, and what takes more reading than a scan. Such a vicinity is incomplete, and its owner scans all.
 */
#pragma once

#include "analyzers/dependencies/event-index.h"
#include "src/select/selection.h"

typedef struct _TtVicinity TtVicinity;

/* @selection: bound, or NULL: all spans. Spans that it leaves out count as absent. @index and @selection stay the caller's. @max_read:
 * events, after which it is incomplete. */
TtVicinity *tt_vicinity_new (TtStore *store, const TtEventIndex *index, const TtSelection *selection, guint64 max_read);
void tt_vicinity_free (TtVicinity *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtVicinity, tt_vicinity_free)

/* Adds an event, and what is next to it: what it calls and what calls it, and the spans before and after it that have the same caller. */
gboolean tt_vicinity_expand (TtVicinity *self, guint64 event, GError **error);
/* Adds an event. */
gboolean tt_vicinity_add (TtVicinity *self, guint64 event, GError **error);
/* Whether all that was asked for is there; once it is not, nothing more is read. */
gboolean tt_vicinity_is_complete (const TtVicinity *self);

/* FALSE: no more are wanted, with @error if that is one. */
typedef gboolean (*TtVicinityFunc) (const TtEvent *event, gpointer data, GError **error);
/* All that is kept, by ids downwards. */
gboolean tt_vicinity_each (TtVicinity *self, TtVicinityFunc func, gpointer data, GError **error);
