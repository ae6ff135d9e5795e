/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNsys: one export of Nsight Systems on its way into the sink, and what its readers share: rows, times, arguments.
 *
 * Schema: "SQLite Schema Reference" of the Nsight Systems User Guide; of releases before 2022 "SQLite Export Schema
 * Reference" in docs.nvidia.com/nsight-systems/2021.5/nsys-exporter/exported_data.html. Times are ns since the session
 * began; TARGET_INFO_SESSION_START_TIME says when that was. A globalTid has a process and a thread of 24 bits each, and
 * above them what machine they are of; a globalPid is one whose thread is 0.
 */
#pragma once

#include "formats/format.h"
#include "src/base/map64.h"
#include "src/store/foreign/tables.h"
#include "src/trace/arrange/arrange.h"

typedef struct _TtNsysLanes TtNsysLanes;
typedef struct _TtNsysNames TtNsysNames;

typedef struct
{
  TtTables *tables;
  TtSink *sink;
  TtArrange *arrange;
  const TtImportOptions *options;
  const char *path;
  TtNsysLanes *lanes;
  TtNsysNames *names;
  gint64 base_ns;     /* added to every time */
  guint64 n_rows;     /* read so far: the position that repairs have */
  gboolean is_joined; /* there are both calls and work that they launched */
  GString *args;      /* under construction */
  TtMap64 timeless;   /* program -> rows that have no time: whose they are is known once it has others */
} TtNsys;

/* Above the bits of its thread, an id has the program. */
#define TT_NSYS_PID_BITS 24

/* What the hook learns of a span: in `key` its correlation, in `tag` the role of a TtActivity, and of a mark above it
 * the row of the stream that it speaks of (0: none). */
#define TT_NSYS_ROLE_MASK 31u
#define TT_NSYS_BLOCKS 32u
#define TT_NSYS_QUEUE_SHIFT 6
#define TT_NSYS_IS_WORK_OR_MARK(role) ((role) >= TT_ACTIVITY_KERNEL && (role) <= TT_ACTIVITY_QUEUE_AWAITS)
/* A call without a role of its own. */
#define TT_NSYS_PLAIN_CALL TT_NSYS_ROLE_MASK

/* The next row; looks at the sink and the temporary files now and then. FALSE without @error: there is none. */
gboolean tt_nsys_next (TtNsys *self, TtRows *rows, GError **error);
/* Reads the times of a span. *is_open: its end is null. FALSE: it has none that can be used, which is counted.
 * @who: the column of a globalTid or globalPid; -1: none. */
gboolean
tt_nsys_times (TtNsys *self, TtRows *rows, int begin, int end, int who, TtTraceRecord *record, gboolean *is_open);
gboolean tt_nsys_time (TtNsys *self, TtRows *rows, int column, int who, gint64 *ts_ns);

/* -- arguments: begin, members, end. Those that --args does not name are left out. ------------------------- */

void tt_nsys_args_begin (TtNsys *self);
void tt_nsys_args_int (TtNsys *self, const char *key, gint64 value);
/* The integer of a column; nothing if it has none. */
void tt_nsys_args_column (TtNsys *self, const char *key, TtRows *rows, int column);
void tt_nsys_args_real (TtNsys *self, const char *key, double value);
/* [x, y, z] of three columns, all or nothing. */
void tt_nsys_args_triple (TtNsys *self, const char *key, TtRows *rows, int column);
void tt_nsys_args_text (TtNsys *self, const char *key, const char *text);
/* An array of texts that are valid UTF-8 (char *), the last first. */
void tt_nsys_args_texts_reversed (TtNsys *self, const char *key, const GPtrArray *texts);
/* 0: there are none. */
guint64 tt_nsys_args_end (TtNsys *self);
