/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofRows: the rows that records of rocprofv3 become, section by section of `buffer_records`.
 *
 * Dispatches and copies lie on a GPU; calls, ranges and allocations on a thread of the program.
 * A call and what it started have one correlation id, which joins them; a launch of a graph has many kernels. Names are
 * those that PyTorch's profiler gives to the same things: the calls and kernels as they are, copies "Memcpy HtoD
 * (Host -> Device)"; so are the keys of arguments ("grid" in work groups, "block", "shared memory", "bytes").
 */
#pragma once

#include "formats/format.h"
#include "formats/rocprof/facts.h"
#include "formats/rocprof/record.h"

typedef enum
{
  TT_ROCPROF_CALLS, /* of libraries, on a thread of the program; anything that has a thread and times */
  TT_ROCPROF_DISPATCHES,
  TT_ROCPROF_COPIED,
  TT_ROCPROF_MARKERS,
  TT_ROCPROF_ALLOCATIONS,
  TT_ROCPROF_SCRATCHES,
  TT_ROCPROF_SAMPLES, /* of program counters: counted as skipped */
} TtRocprofSection;

/* Of a member's key. */
TtRocprofSection tt_rocprof_section (const TtJsonValue *key);

typedef struct _TtRocprofRows TtRocprofRows;

/* All borrowed. @process: the number of the process in the file. */
TtRocprofRows *
tt_rocprof_rows_new (TtSink *sink, const TtImportOptions *options, TtRocprofFacts *facts, guint64 process);
void tt_rocprof_rows_free (TtRocprofRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRocprofRows, tt_rocprof_rows_free)

void tt_rocprof_rows_add (TtRocprofRows *self, TtRocprofSection section, const TtRocprofRecord *record);
/* Whether temporary files have worked so far. */
gboolean tt_rocprof_rows_check (const TtRocprofRows *self, GError **error);
/* After the last record: adds the dispatches that only counters tell of, and hands all rows to the sink. */
gboolean tt_rocprof_rows_finish (TtRocprofRows *self, GError **error);
