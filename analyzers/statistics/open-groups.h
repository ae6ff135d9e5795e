/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpenGroups: whether a span lies inside another of its group on its thread.
 *
 * Fed by a reverse scan, where a span comes before its children: the row at depth d replaces what
 * was open at d and above. From the first span that crosses another (flag `overlap`) on, a span is inside all spans
 * of its thread that were seen before it and start no later. Asynchronous spans are inside those of their key only.
 * Constant time at any depth.
 */
#pragma once

#include "src/store/store.h"

/* For spans that are not selected: they belong to no group. */
#define TT_NO_GROUP G_MAXUINT32

typedef struct _TtOpenGroups TtOpenGroups;

/* @max_thread: threads are numbers up to this. */
TtOpenGroups *tt_open_groups_new (guint32 max_thread);
void tt_open_groups_free (TtOpenGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpenGroups, tt_open_groups_free)

/* Whether each span was, by the order of ends, on a stack of its thread, one for each source: then what is open at a place is what is around it. */
gboolean tt_open_groups_are_plain (const TtOpenGroups *self);

/* Puts a span of @group; TRUE if it is inside another of @group. */
gboolean tt_open_groups_put (TtOpenGroups *self, const TtEvent *event, guint32 group);
