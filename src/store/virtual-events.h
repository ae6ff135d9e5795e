/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtVirtualEvents: a virtual table in the place of the view event, for one query.
 *
 * It reads the pages of events itself (table-pages.h), keeps what names, threads and flags they refer to, and gives rows
 * group by group where the planner asks for that, so that nothing is sorted. A temporary view of the same name and the
 * same columns stands before the one in the file, which stays as it is; whatever is odd is asked of that one, so that the
 * answer is always SQLite's own; but rows of a join that no ORDER BY puts in order come as its planner likes, which knows
 * another plan here. Used by src/store only.
 */
#pragma once

#include "src/store/private.h"

typedef struct _TtVirtualEvents TtVirtualEvents;

/* In a snapshot, which has to last. NULL: it cannot be had, and the view does. */
TtVirtualEvents *tt_virtual_events_new (TtStore *store);
/* No statement is left that uses it. */
void tt_virtual_events_free (TtVirtualEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtVirtualEvents, tt_virtual_events_free)

/* Before a statement is prepared: only the events with ids from @first to @last are there. */
void tt_virtual_events_limit (TtVirtualEvents *self, gint64 first, gint64 last);

/* Whether a statement that was prepared is better off without: prepare it anew after freeing this. */
gboolean tt_virtual_events_is_declined (const TtVirtualEvents *self);
