/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTraceLanes: the lanes (pid, tid) of the events of a trace-event file, with the names that metadata events give
 * them: for dialects that move events to other threads, and know to which only at the end of the file.
 *
 * Beyond some megabytes they lie in temporary files, whose errors are sticky: tt_trace_lanes_check() reports them.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _TtTraceLanes TtTraceLanes;

TtTraceLanes *tt_trace_lanes_new (void);
void tt_trace_lanes_free (TtTraceLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTraceLanes, tt_trace_lanes_free)

gboolean tt_trace_lanes_check (const TtTraceLanes *self, GError **error);

/* Number of the event's lane, from 0 in order of first sight. No pid or tid is "0". */
guint32 tt_trace_lanes_of (TtTraceLanes *self, const TtTraceEvent *event);
guint32 tt_trace_lanes_count (const TtTraceLanes *self);

/* Whether @event names a process or thread, or says where it stands in a viewer: then it is used up. */
gboolean tt_trace_lanes_name (TtTraceLanes *self, const TtTraceEvent *event);

/* As text. Valid until the next call of the same function, or of tt_trace_lanes_put(). */
const char *tt_trace_lanes_tid (TtTraceLanes *self, guint32 lane);
/* The name given to the process; the pid if it has none. */
const char *tt_trace_lanes_process (TtTraceLanes *self, guint32 lane);
/* The name given to the thread, or NULL. */
const char *tt_trace_lanes_thread (TtTraceLanes *self, guint32 lane);

/* Puts an event of another kind (counters, instants ...) as the plain dialect does, but under its process' name. */
void tt_trace_lanes_put (TtTraceLanes *self, TtTraceEventImport *import, const TtTraceEvent *event);
