/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernels: what devices did and who launched it, from the rows of activity and one scan, whatever format they come from.
 *
 * A kernel is by its name, a copy or set by its direction (sub_op H2D, D2H ... SET). The operation that launched it is the
 * innermost span around the call on the host's thread that is no call of a runtime itself and does not only name a
 * stretch of time. Memory: TtLaunches, and 200 bytes a name.
 */
#pragma once

#include "analyzers/kernels/spread.h"
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
  GArray *streams;   /* of TtStreamRow, by rank, then thread */

  TtSpreads *times, *sizes, *delays, *gaps; /* which the rows borrow */
} TtKernels;

/* Bytes of a copy from its arguments (JSON of @len bytes); -1: not said. */
typedef gint64 (*TtCopyBytes) (const char *args, gsize len);

/* @selection: bound; it chooses the work of devices and the calls. @copy_bytes: NULL where sizes are not wanted:
 * arguments take longer to read than all else. */
TtKernels *tt_kernels_new (TtStore *store, const TtSelection *selection, TtCopyBytes copy_bytes, GError **error);
void tt_kernels_free (TtKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKernels, tt_kernels_free)
