/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanFilter: decides at the begin of a span, or at an instant, whether it gets a row.
 *
 * It stands before a sink (an import asks it through nest), or reads a store again (TtKeptEvents). Either way it first sees
 * definitions, and then the begins of each thread in their order. Spans that it leaves out look as if they had not been recorded,
 * but the times of the others stay as they are: self times do not change.
 * A filter may look at the arguments of a span, at those that come with its begin.
 */
#pragma once

#include "src/trace/event.h"

typedef struct _TtSpanFilter TtSpanFilter;

/* A standard name; borrowed; NULL = not there. */
typedef struct
{
  const char *op_cat, *op_name, *sub_op, *group, *file;
} TtFilterName;

typedef struct
{
  gboolean is_kept;
  guint32 token; /* for end(), which must then be called, kept or not; 0: end() need not be called */
} TtFilterVerdict;

/* What a filter has read from arguments, in its own words: it is copied about, and owns nothing. */
typedef struct
{
  guint64 word[10];
} TtFilterFacts;

typedef struct
{
  guint32 thread, name;
  gint64 ts_ns;
  gint64 end_ns; /* TT_NO_TIME: not known yet */
  gboolean is_instant;
  const TtFilterFacts *facts; /* of its arguments; NULL: they say nothing */
} TtFilterBegin;

typedef struct
{
  /* @rank -1: none, or not known yet. Comes again when it becomes known. */
  void (*see_process) (TtSpanFilter *self, guint32 process, gint64 rank);
  void (*see_thread) (TtSpanFilter *self, guint32 thread, guint32 process, const char *tid);
  void (*see_metadata) (TtSpanFilter *self, guint32 process, guint32 thread, const char *key, const char *value);
  /* Whether see_name() was called for it. */
  gboolean (*knows_name) (TtSpanFilter *self, guint32 name);
  void (*see_name) (TtSpanFilter *self, guint32 name, const TtFilterName *facts);
  /* Whether the JSON object says anything that matters; then *facts. */
  gboolean (*read_args) (TtSpanFilter *self, const char *json, gsize len, TtFilterFacts *facts);
  TtFilterVerdict (*begin) (TtSpanFilter *self, const TtFilterBegin *begin);
  void (*end) (TtSpanFilter *self, guint32 token, gint64 end_ns);
} TtSpanFilterClass;

struct _TtSpanFilter
{
  const TtSpanFilterClass *klass;
};
