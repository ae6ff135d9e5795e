/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTimeline: what each thread computed, and when: time in call paths, without calls by which it communicates or waits.
 *
 * A call path is the operations around a moment, the outermost first; paths of one text are one on all threads. The
 * innermost span counts. Memory: some 7 bytes for each stretch of one path, 16 a path, 40 a thread.
 */
#pragma once

#include "analyzers/waits/path-times.h"
#include "src/store/store.h"

/* The path of no operation. */
#define TT_PATH_ROOT 0u

typedef struct _TtTimeline TtTimeline;

/* One scan. */
TtTimeline *tt_timeline_new (TtStore *store, GError **error);
/* Of the events from @first to @last. */
TtTimeline *tt_timeline_new_of (TtStore *store, guint64 first, guint64 last, GError **error);
void tt_timeline_free (TtTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTimeline, tt_timeline_free)

/* The number of paths. */
guint tt_timeline_n_paths (const TtTimeline *self);
/* Adds what @thread computed between two moments, or to what another did. Of a thread that never computes, as one that does
 * nothing but communicate, what all other threads of its rank did. */
void tt_timeline_add (const TtTimeline *self, guint32 thread, gint64 begin_ns, gint64 end_ns, TtPathTimes *times);
void tt_timeline_add_other (const TtTimeline *self, guint32 thread, gint64 begin_ns, gint64 end_ns, TtPathTimes *times);

/* When @thread began to compute; G_MININT64: it never did. */
gint64 tt_timeline_begin (const TtTimeline *self, guint32 thread);
/* The operations of a path: "main > assemble". Free it. */
char *tt_timeline_path_text (const TtTimeline *self, guint32 path);
/* Its innermost operation; TT_NO_ID: none. */
guint32 tt_timeline_path_name (const TtTimeline *self, guint32 path);
