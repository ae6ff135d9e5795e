/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace events of one file of a job, and facts of an event that several readers need.
 */
#pragma once

#include "formats/job/import.h"

/* FALSE: an odd record, which is counted. */
typedef gboolean (*TtJobImportEventFunc) (const TtTraceEvent *event, gpointer data);

gboolean tt_job_import_each_event (TtJobImport *self,
                                   const char *path,
                                   TtJobImportEventFunc func,
                                   gpointer data,
                                   GError **error);

/* Whether @event has a name and a time; a missing duration is counted. */
gboolean tt_job_import_is_whole_span (const TtTraceEvent *event, TtSink *sink);
/* The number in args.step, or TT_NO_STEP. */
gint32 tt_job_import_event_step (const TtTraceEvent *event);

/* Whether the import goes on without @path, which has @fault, which is taken. FALSE: it may not, and @error is @fault. */
gboolean tt_job_import_goes_on (const TtJobImport *self, const char *path, GError *fault, GError **error);
