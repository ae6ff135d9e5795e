/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of TtKernels.
 */
#pragma once

#include "analyzers/kernels/annotations.h"
#include "analyzers/kernels/event-list.h"
#include "analyzers/kernels/exec-list.h"
#include "analyzers/kernels/grids.h"
#include "analyzers/kernels/names.h"

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
  gboolean is_async;    /* need not end where it begins, nor nest: what was launched in it is not known */
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
  guint64 n_launched, n_short;  /* whose call is known; that took less than their call */
  const TtSpread *delay;        /* from the begin of the call to the begin of the work */
  const TtSpread *gap;          /* from the end of the call, at least 0 */
  guint64 queue_sum, queue_max; /* lengths of the queue at launches */
} TtStreamRow;

typedef struct
{
  GArray *kernels;   /* of TtKernelRow, by total time, largest first; likewise: */
  GArray *copies;    /* of TtCopyRow */
  GArray *operators; /* of TtOperatorRow */
  GArray *calls; /* of TtKernelRow: calls of the host to runtimes and drivers: RT, or native_group ..._runtime ... */
  GArray *api;   /* of TtKernelRow: those of them that are of the runtime of devices */
  GArray *mpi, *os,
      *openmp; /* of TtKernelRow: functions of MPI; of the operating system's library; of OpenMP's runtime */
  GArray *
      ranges; /* of TtRangeRow, by time of work on devices, then by that on the host: NVTX, roctx, annotations of PyTorch */
  GArray *streams; /* of TtStreamRow, by rank, then thread */

  guint64 n_unsized;     /* copies and sets of unknown size */
  guint64 n_unlaunched;  /* kernels whose call is not known */
  TtGrids *grids;        /* NULL: not asked for */
  TtExecs *execs;        /* likewise */
  TtExecList *exec_list; /* likewise */
  TtEventList *events;   /* likewise */
  gint64 first_ns;       /* when the run begins; with one of these two lists, else 0 */

  TtSpreads *times, *sizes, *delays, *gaps; /* which the rows borrow */
} TtKernels;

/* Without rows. */
TtKernels *tt_kernels_new_empty (void);
void tt_kernels_free (TtKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKernels, tt_kernels_free)

/* Largest first; of equals by their numbers. */
int tt_kernel_compare_totals (tt_int128 a, tt_int128 b, guint32 first, guint32 second);
int tt_kernel_compare_rows (gconstpointer a, gconstpointer b);
/* Of TtOperatorRow and TtRangeRow. */
int tt_kernel_compare_operators (gconstpointer a, gconstpointer b);
int tt_kernel_compare_ranges (gconstpointer a, gconstpointer b);
/* Of TtStreamRow; by rank, then thread. */
int tt_kernel_compare_streams (gconstpointer a, gconstpointer b, gpointer store);
/* Adds the rows of kernels and copies, in order, from times by name and the arrays by name, of which sized_ns may be NULL. */
void tt_kernels_add_work_rows (TtKernels *self,
                               const TtKernelNames *names,
                               const guint64 *n_short,
                               const tt_int128 *sized_ns);
