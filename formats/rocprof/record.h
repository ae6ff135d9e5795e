/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofRecord: one record of rocprofv3, its fields picked apart.
 *
 * Source of the facts: source/include/rocprofiler-sdk/cxx/serialization (ROCm 6.2: serialization.hpp), and
 * source/lib/output of rocprofiler-sdk for what rocprofv3 adds (stream_id, counters). Times are ns of the clock of the
 * machine since its start. Ids of agents, queues, streams, addresses and counters are objects with one member,
 * "handle".
 */
#pragma once

#include "formats/json/scanner.h"

typedef enum
{
  TT_ROCPROF_HAS_TIMES = 1 << 0, /* both of them */
  TT_ROCPROF_HAS_THREAD = 1 << 1,
  TT_ROCPROF_HAS_AGENT = 1 << 2,
  TT_ROCPROF_HAS_DESTINATION = 1 << 3,
  TT_ROCPROF_HAS_SOURCE = 1 << 4,
  TT_ROCPROF_HAS_BYTES = 1 << 5,
  TT_ROCPROF_HAS_DISPATCH = 1 << 6,
  TT_ROCPROF_HAS_OPERATION = 1 << 7, /* kind and operation */
} TtRocprofHas;

typedef struct
{
  guint64 offset; /* of the record's first byte in the file */
  guint32 has;    /* TtRocprofHas */
  gint64 start_ns, end_ns;
  guint64 thread;
  guint64 kind, operation; /* numbers of names: facts.h */
  guint64 correlation, external, ancestor; /* 0: none */
  guint64 agent, destination, source; /* handles */
  guint64 queue, stream; /* handles; 0: none, or the default one */
  guint64 bytes; /* copied or allocated */
  guint64 flags;

  /* of a dispatch */
  guint64 kernel, dispatch;
  guint64 private_bytes, group_bytes; /* scratch of a work item, LDS of a work group */
  guint64 workgroup[3], grid[3]; /* in work items */

  /* Kind TT_JSON_NONE: not there. Programs that make such files of others write an operation's name in its place. */
  TtJsonValue args, retval, address, operation_name;
} TtRocprofRecord;

/* The record that tt_json_next_record() gave. */
void tt_rocprof_record_read (TtJson *json, const TtJsonValue *object, TtRocprofRecord *record);
/* One that lies in memory; dispatch_data of a record of counters is of this form. */
void tt_rocprof_record_parse (const TtJsonValue *object, TtRocprofRecord *record);
