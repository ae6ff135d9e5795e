/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernels: what devices did and who launched it, from the rows of activity and one scan, whatever format they come from.
 *
 * A kernel is by its name, a copy or set by its direction (sub_op H2D, D2H ... SET). The operation that launched it is the
 * innermost span around the call on the host's thread that is no call of a runtime itself and does not only name a
 * stretch of time. Work belongs to a range if the call that launched it is inside it, on its thread; of ranges that cross,
 * to the one that begins last. Memory: TtLaunches, and 250 bytes a name.
 */
#pragma once

#include "analyzers/kernels/annotations.h"
#include "analyzers/kernels/execs.h"
#include "analyzers/kernels/grids.h"
#include "src/select/selection.h"

typedef struct
{
  guint32 name;
  guint64 n_short; /* that took less than the call that launched them */
  const TtSpread *time;
} TtKernelRow;

typedef struct
{
  guint32 name; /* one of the direction */
  const TtSpread *time;
  const TtSpread *bytes; /* of those whose size is known */
  tt_int128 sized_ns;    /* how long these took */
} TtCopyRow;

typedef struct
{
  guint32 name;
  gboolean is_async; /* need not end where it begins, nor nest: what was launched in it is not known */
  const TtSpread *time; /* on the host */
  TtAnnotationWork work;
} TtRangeRow;

typedef struct
{
  guint32 operation; /* name; 0: none is known */
  guint64 n;
  tt_int128 total_ns;
} TtOperatorRow;

typedef struct
{
  guint32 thread;
  guint64 n_kernels, n_copies, n_sets;
  tt_int128 total_ns;
  gint64 busy_ns; /* in which anything ran */
  gint64 first_ns, last_ns;
  guint64 n_launched, n_short; /* whose call is known; that took less than their call */
  const TtSpread *delay;       /* from the begin of the call to the begin of the work */
  const TtSpread *gap;         /* from the end of the call, at least 0 */
  guint64 queue_sum, queue_max; /* lengths of the queue at launches */
} TtStreamRow;

typedef struct
{
  GArray *kernels;   /* of TtKernelRow, by total time, largest first; likewise: */
  GArray *copies;    /* of TtCopyRow */
  GArray *operators; /* of TtOperatorRow */
  GArray *calls;     /* of TtKernelRow: calls of the host to runtimes and drivers: RT, or native_group ..._runtime ... */
  GArray *api;       /* of TtKernelRow: those of them that are of the runtime of devices */
  GArray *mpi, *os;  /* of TtKernelRow: functions of MPI; of the operating system's library */
  GArray *ranges;    /* of TtRangeRow, by time of work on devices, then by that on the host: NVTX, roctx, annotations of PyTorch */
  GArray *streams;   /* of TtStreamRow, by rank, then thread */

  guint64 n_unsized;  /* copies and sets of unknown size */
  guint64 n_unlaunched; /* kernels whose call is not known */
  TtGrids *grids;     /* NULL: not asked for */
  TtExecs *execs;     /* likewise */

  TtSpreads *times, *sizes, *delays, *gaps; /* which the rows borrow */
} TtKernels;

/* Bytes of a copy from its arguments (JSON of @len bytes); -1: not said. */
typedef gint64 (*TtCopyBytes) (const char *args, gsize len);

/* What is wanted besides. Arguments take longer to read than all else. */
typedef struct
{
  TtCopyBytes copy_bytes;      /* NULL: no sizes */
  TtKernelConfigReader config; /* NULL: no grids */
  gboolean has_plain_grids;    /* told apart by grid and block only */
  gboolean by_operation;       /* copies and sets as nsys tells them apart, not by direction */
  gboolean has_execs;
} TtKernelWants;

/* @selection: bound; it chooses the work of devices and the spans of the host. */
TtKernels *tt_kernels_new (TtStore *store, const TtSelection *selection, const TtKernelWants *wants, GError **error);
void tt_kernels_free (TtKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKernels, tt_kernels_free)
