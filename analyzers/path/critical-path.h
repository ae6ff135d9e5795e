/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies on the measured critical path: self time per name and per process within the path's segments.
 *
 * Where work on devices is traced also by what is done: on devices computation, communication and copies; on the host
 * launches (calls that launch work, and the time until it starts), waits (SYNC spans without the work they wait for; and
 * from an event to the work it released) and all else; and no span at all.
 */
#pragma once

#include "analyzers/path/points.h"
#include "src/base/int128.h"

typedef struct
{
  char *name;       /* name[~>suffix], of all processes */
  gboolean is_wait; /* of category SYNC: it does nothing but wait */
  guint64 n_spans;
  gint64 time_ns;
} TtPathOp;

typedef enum
{
  TT_PATH_COMPUTATION,
  TT_PATH_COMMUNICATION,
  TT_PATH_COPY,
  TT_PATH_LAUNCH,
  TT_PATH_SYNC,
  TT_PATH_HOST,
  TT_PATH_IDLE,
  TT_N_PATH_KINDS,
} TtPathKind;

const char *tt_path_kind_text (TtPathKind kind);

typedef struct
{
  guint32 process;
  guint64 n_segments;
  gint64 time_ns;     /* on this process */
  gint64 transfer_ns; /* of the messages that the path came here with */
  gint64 waited_ns;   /* how long its waits on the path lasted before the other side acted; not part of the path */
} TtPathProcess;

typedef struct
{
  TtPathPoints points;
  GArray *segments;                /* of TtPathSegment */
  GArray *ops;                     /* of TtPathOp, longest first */
  GArray *processes;               /* of TtPathProcess, longest first */
  GArray *events;                  /* of guint64, ascending: spans with self time on the path; NULL unless asked for */
  gint64 length_ns;                /* pieces and transfers; that of the run */
  gint64 transfer_ns, outside_ns;  /* between threads; in no span */
  gint64 latency_ns;               /* of transfer_ns: between host and devices */
  gint64 kind_ns[TT_N_PATH_KINDS]; /* with devices only: adds up to length_ns unless n_overlapping or n_crossing */
  guint64 n_hops[TT_N_HOPS], n_inferred[TT_N_HOPS];
  guint64 n_crossing;    /* spans on the path that cross others on their thread: time in both counts for both */
  guint64 n_overlapping; /* spans whose children last longer than they: their sum is more than the path */
} TtCriticalPath;

/* @step: TT_NO_STEP, or only from the first begin to the last end of the spans of that step. */
TtCriticalPath *tt_critical_path_new (TtStore *store, gint32 step, gboolean with_events, GError **error);
void tt_critical_path_free (TtCriticalPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCriticalPath, tt_critical_path_free)
