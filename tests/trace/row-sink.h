/* SPDX-License-Identifier: Apache-2.0 */
/* A sink that keeps its rows, for tests of TtArrange. */
#pragma once

#include "src/trace/sink-back.h"
#include "src/trace/sink.h"
#include "tests/rounds.h"

typedef struct
{
  guint32 thread, name, depth, flags;
  gint32 step;
  gint64 ts_ns, dur_ns, self_ns;
  guint64 args;
} Row;

typedef struct
{
  guint64 key;
  const char *kind;
  guint phase;
  gint64 ts_ns;
  guint32 owner;
} PointRow;

typedef struct
{
  gint64 tag;
  guint32 owner;
} HalfRow;

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  GArray *halves;                 /* of HalfRow */
  GArray *rows, *points, *merges; /* of Row, PointRow, guint64[2] */
  GArray *owners;                 /* event by owner */
} RowSink;

/* tt_sink_free() of its sink frees it. */
RowSink *row_sink_new (void);
Row *row_at (RowSink *sink, guint i);
