/*
 * What lies on the measured critical path: self time per name and per process within the path's segments.
 */
#pragma once

#include "analyzers/path-points.h"
#include "src/int128.h"

typedef struct
{
  char *name; /* name[~>suffix], of all processes */
  guint64 n_spans;
  gint64 time_ns;
} TtPathOp;

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
  GArray *segments;               /* of TtPathSegment */
  GArray *ops;                    /* of TtPathOp, longest first */
  GArray *processes;              /* of TtPathProcess, longest first */
  GArray *events;                 /* of guint64, ascending: spans with self time on the path; NULL unless asked for */
  gint64 length_ns;               /* pieces and transfers; that of the run */
  gint64 transfer_ns, outside_ns; /* between threads; in no span */
  guint64 n_steps[TT_N_STEPS];
  guint64 n_crossing;    /* spans on the path that cross others on their thread: time in both counts for both */
  guint64 n_overlapping; /* spans whose children last longer than they: their sum is more than the path */
} TtCriticalPath;

TtCriticalPath *tt_critical_path_new (TtStore *store, gboolean with_events, GError **error);
void tt_critical_path_free (TtCriticalPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCriticalPath, tt_critical_path_free)
