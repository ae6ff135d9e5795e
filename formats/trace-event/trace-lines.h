/*
 * TtTraceLines: the lines (pid, tid) that the events of a trace-event file stand on, with the names that metadata events
 * give them, for dialects that put events elsewhere than they stand, and know where only at the end.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _TtTraceLines TtTraceLines;

TtTraceLines *tt_trace_lines_new (void);
void tt_trace_lines_free (TtTraceLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTraceLines, tt_trace_lines_free)

/* Number of the event's line, from 0 in order of first sight. No pid or tid is "0". */
guint32 tt_trace_lines_of (TtTraceLines *self, const TtTraceEvent *event);
guint32 tt_trace_lines_count (const TtTraceLines *self);

/* Whether @event names a process or thread, or says where it stands in a viewer: then it is used up. */
gboolean tt_trace_lines_name (TtTraceLines *self, const TtTraceEvent *event);

/* As text. Valid until the next call that adds a line. */
const char *tt_trace_lines_pid (const TtTraceLines *self, guint32 line);
const char *tt_trace_lines_tid (const TtTraceLines *self, guint32 line);
/* The name given to the process; the pid if it has none. */
const char *tt_trace_lines_process (const TtTraceLines *self, guint32 line);
/* The name given to the thread, or NULL. */
const char *tt_trace_lines_thread (const TtTraceLines *self, guint32 line);

/* Puts an event of another kind (counters, instants ...) as the plain dialect does, but under its process' name. */
void tt_trace_lines_put (TtTraceLines *self, TtChromeImport *import, const TtTraceEvent *event);
