/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies on the measured critical path: self time per name and per process within the path's segments.
 *
 * Where work on devices is traced also by what is done: on devices computation, communication and copies; on the host
 * launches (calls that launch work, and the time until it starts), waits (SYNC spans without the work they wait for; and
 * from an event to the work it released) and all else; and no span at all. Of a training job the path is job-path.h's,
 * and always by kind.
 */
#pragma once

#include "analyzers/path/points.h"
#include "analyzers/path/sums.h"

typedef struct
{
  TtPathPoints points;
  GArray *segments;                /* of TtPathSegment */
  GArray *ops;                     /* of TtPathOp, longest first */
  GArray *processes;               /* of TtPathProcess, longest first */
  GArray *events;                  /* of guint64, ascending: spans with self time on the path; NULL unless asked for */
  gint64 length_ns;                /* pieces and transfers; that of the run */
  gint64 transfer_ns, outside_ns;  /* between threads; in no span */
  gint64 before_ns;                /* before the first span of the thread that it begins on; not of outside_ns */
  gint64 latency_ns;               /* of transfer_ns: between host and devices */
  gint64 kind_ns[TT_N_PATH_KINDS]; /* with devices only: adds up to length_ns unless n_overlapping or n_crossing */
  guint64 n_hops[TT_N_HOPS], n_inferred[TT_N_HOPS];
  guint64 n_crossing;    /* spans on the path that cross others on their thread: time in both counts for both */
  GArray *steps;         /* of TtPathStep, in time order: of a training job; NULL: this is none */
  char *no_job;          /* why the path goes along the threads of a training job only; NULL: it does not */
  guint64 n_backward;    /* of a training job: spans that ended before what they need */
  guint64 n_overlapping; /* spans whose children last longer than they: their sum is more than the path */
} TtCriticalPath;

/* @step: TT_NO_STEP, or only from the first begin to the last end of the spans of that step. */
TtCriticalPath *tt_critical_path_new (TtStore *store, gint32 step, gboolean with_events, GError **error);
void tt_critical_path_free (TtCriticalPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCriticalPath, tt_critical_path_free)
