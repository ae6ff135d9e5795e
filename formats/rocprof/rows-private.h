/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtRocprofRows: rows.c has calls and ranges, rows-device.c what GPUs do and memory, rows-common.c what
 * all rows have.
 */
#pragma once

#include "formats/rocprof/args.h"
#include "formats/rocprof/lanes.h"
#include "formats/rocprof/rows.h"
#include "src/base/slots.h"
#include "src/trace/arrange/arrange.h"

/* What the hook learns with a span: in `tag` what it is, in `key` its correlation id. */
#define TAG_IS_CALL 1u
#define TAG_IS_WORK 2u
#define TAG_BLOCKS 4u
#define TAG_ROLE_SHIFT 8

struct _TtRocprofRows
{
  TtSink *sink;
  TtRocprofFacts *facts;
  TtRocprofLanes *lanes;
  TtArrange *arrange;
  TtRocprofArgs args;
  TtSlots *kernel_names; /* kernel -> name */
  guint64 salt;          /* of the ids of flows */
  GString *text;         /* scratch */
  gboolean has_calls;    /* with a correlation id */
};

/* Fills in times, key and offset. FALSE: the record has none, which is counted. */
gboolean tt_rocprof_rows_times (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row);
void tt_rocprof_rows_lane (TtRocprofRows *self,
                           TtRocprofLaneKind kind,
                           guint64 agent,
                           guint64 number,
                           TtTraceRecord *row);
/* A name of the record's kind. */
guint32 tt_rocprof_rows_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *text);
/* Of what has no name in the file, which is counted. */
guint32
tt_rocprof_rows_numbered_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *word, guint64 number);
/* Arguments that many rows have. */
void tt_rocprof_rows_add_ids (TtRocprofRows *self, const TtRocprofRecord *record);
void tt_rocprof_rows_add_device (TtRocprofRows *self, guint64 handle);
/* NULL: the record has no operation that the file lists. */
TtRocprofOperation *tt_rocprof_rows_operation (TtRocprofRows *self, const TtRocprofRecord *record);
/* For such a record. */
guint32 tt_rocprof_rows_unlisted_name (TtRocprofRows *self, const TtRocprofRecord *record);
/* Fills in name, flags and tag. */
void tt_rocprof_rows_name_operation (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row);

void tt_rocprof_rows_add_dispatch (TtRocprofRows *self, const TtRocprofRecord *record);
void tt_rocprof_rows_add_copy (TtRocprofRows *self, const TtRocprofRecord *record);
/* Memory that the program asks for lies on its thread, that which kernels need on their GPU. */
void tt_rocprof_rows_add_memory (TtRocprofRows *self, const TtRocprofRecord *record, gboolean is_scratch);
