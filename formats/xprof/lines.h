/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtXprofLines: what the lines (threads) of XLA's profiler are for, by the names of their processes and of themselves.
 * Source of the facts: xla/tsl/profiler/utils/xplane_schema.cc.
 *
 * Of a device only some lines are what it did; the others name stretches of the same work: steps, modules, name scopes
 * and, where the device has lines of streams (GPUs), the operations. Names come before the events.
 */
#pragma once

#include "formats/trace-event/reader.h"

typedef enum
{
  TT_XPROF_HOST,    /* threads of the host */
  TT_XPROF_STREAM,  /* "Stream #20(Compute,MemcpyD2H)" of a GPU: kernels and copies */
  TT_XPROF_OPS,     /* "XLA Ops": what the device did, or a name for it */
  TT_XPROF_STEPS,   /* "Steps" */
  TT_XPROF_SUMMARY, /* names of what other lines do */
  TT_XPROF_OTHER,   /* of a device */
} TtXprofLine;

typedef struct _TtXprofLines TtXprofLines;

TtXprofLines *tt_xprof_lines_new (void);
void tt_xprof_lines_free (TtXprofLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtXprofLines, tt_xprof_lines_free)

/* An event of kind M. */
void tt_xprof_lines_note (TtXprofLines *self, const TtTraceEvent *event);
/* *is_summary: it names what other lines of its process do. */
TtXprofLine tt_xprof_lines_find (TtXprofLines *self, const TtTraceEvent *event, gboolean *is_summary);

/* As the names alone tell, for recognising. */
gboolean tt_xprof_is_process (const char *name);
TtXprofLine tt_xprof_line_of_name (const char *name);
