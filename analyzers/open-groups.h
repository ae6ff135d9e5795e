/*
 * TtOpenGroups: whether a span lies inside another of its group on its thread.
 *
 * Fed by a reverse scan, where a span comes before its children: the row at depth d replaces what
 * was open at d and above. Constant time whatever the depth.
 */
#pragma once

#include <glib.h>

/* For spans that are not selected: they belong to no group. */
#define TT_NO_GROUP G_MAXUINT32

typedef struct _TtOpenGroups TtOpenGroups;

/* @max_thread: threads are numbers up to this. */
TtOpenGroups *tt_open_groups_new (guint32 max_thread);
void tt_open_groups_free (TtOpenGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpenGroups, tt_open_groups_free)

/* Puts a span of @group at @depth of @thread; TRUE if @group was open below it already. */
gboolean tt_open_groups_put (TtOpenGroups *self, guint32 thread, guint32 depth, guint32 group);
