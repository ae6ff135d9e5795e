/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSelection: --filter and --time-window, shared by all commands that read events.
 *
 * --filter FIELD OP VALUE: = != (exact; commas in VALUE mean or), ~ !~ (regular expression),
 * < > (numbers; times in --unit, or with a unit of their own: 1.5ms). Repeats mean and. Fields: pid tid op_cat op_name sub_op suffix
 * name op_long_name raw_name native_group file step depth dur self ts flags rank.
 * --time-window A:B: from the run's first event, in --unit or units of their own, ends optional, half-open [A, B).
 * Filters choose spans; they do not change self time.
 */
#pragma once

#include "src/base/units.h"
#include "src/store/store.h"

typedef struct _TtSelection TtSelection;

/* @filters: NULL-ended or NULL. Errors name the filter and the nearest valid field. */
TtSelection *tt_selection_new (const char *const *filters, const char *time_window, TtUnit unit, GError **error);
void tt_selection_free (TtSelection *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSelection, tt_selection_free)

gboolean tt_selection_is_everything (const TtSelection *self);
gboolean tt_selection_has_window (const TtSelection *self);
gboolean tt_selection_has_filters (const TtSelection *self);
/* Looks up names, threads and the first time: before the first match. */
gboolean tt_selection_bind (TtSelection *self, TtStore *store, GError **error);
/* The same for a run that is not in a store: definitions come one by one. */
void tt_selection_bind_first_time (TtSelection *self, gint64 first_ns);
void tt_selection_bind_name (TtSelection *self, guint32 id, const TtStoredName *name);
void tt_selection_bind_thread (TtSelection *self, guint32 id, const TtThread *thread, const TtProcess *process);

/* Leaves out the threads of @processes (ids, as keys) of the store that the selection is bound to. */
void tt_selection_leave_out (TtSelection *self, GHashTable *processes);
/* Of all events only those whose bit is set; @bits[0] & 1 is that of event id @first. Borrowed. */
void tt_selection_keep (TtSelection *self, const guint8 *bits, guint64 first, guint64 n);

gboolean tt_selection_matches (const TtSelection *self, const TtEvent *event);
/* Whether tt_selection_keep() has left the event, filters or not: measures that need more spans than are shown ask it. */
gboolean tt_selection_has (const TtSelection *self, const TtEvent *event);
/* Likewise, and it touches the time window. */
gboolean tt_selection_has_time_of (const TtSelection *self, const TtEvent *event);
/* Whether filters choose among the spans of a thread, so that what is left of it is not all of its time. */
gboolean tt_selection_chooses_spans (const TtSelection *self);
/* Duration inside the window (the whole duration without one). */
gint64 tt_selection_clip (const TtSelection *self, gint64 ts_ns, gint64 dur_ns);
/* Window bounds in absolute ns; G_MININT64 / G_MAXINT64 for open ends. */
void tt_selection_window (const TtSelection *self, gint64 *begin_ns, gint64 *end_ns);
/* For rows that are not events: only the thread and time parts are asked. */
gboolean tt_selection_matches_point (const TtSelection *self, guint32 thread, gint64 ts_ns);

/* For a selection that matches nothing: a word of a filter that the runs do not have, with the nearest that they do:
 * "no pid 'rnak0'; did you mean 'rank0'?". Free it; NULL: nothing near. */
char *tt_selection_hint (const TtSelection *self, TtStore *store);
