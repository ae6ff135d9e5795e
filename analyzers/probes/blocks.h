/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBlocks: which blocks of a kernel ran on which multiprocessor (SM, CU) when, from the records of a probe that saves
 * begins and ends with the number of the multiprocessor: spans on threads `SM 3`, `SM 3:1` ... with an argument `block`.
 *
 * A block is from the first begin to the last end of its threads and warps. One launch is looked at, the results of which
 * are a source: the one with most records. Cycles of different multiprocessors do not compare. Where each record has the
 * time of the device too, with its begin (`time`, `gtime`, `timestamp`, `gstart`, `gbegin`), cycles become that time by
 * unit-clock.h; else each multiprocessor's first block begins at 0. Memory is bounded; 200 bytes a multiprocessor.
 */
#pragma once

#include "src/base/int128.h"
#include "src/select/selection.h"

typedef struct
{
  guint32 number;
  guint64 n_blocks;
  gint64 first, last; /* begin and end of its blocks, as recorded */
} TtBlockUnit;

typedef struct _TtBlocksData TtBlocksData;

typedef struct
{
  guint32 source, name;                  /* of the launch; name: the operation. TT_NO_ID: no block is there */
  const char *word;                      /* "SM" or "CU" */
  guint64 n_records, n_others, n_blocks; /* others: records of other launches */
  gboolean is_aligned;                   /* times are from the first block of each multiprocessor */
  gboolean is_fitted;                    /* they are ns of the device, from cycles */
  gint64 error_ns;                       /* then: how far the time of a record is from that at most */
  guint32 error_unit;                    /* where */
  guint n_borrowed;                      /* multiprocessors with the rate of another */
  gint64 begin, end;                     /* of all */
  GArray *units;                         /* of TtBlockUnit, by number */

  /* After tt_blocks_each(). */
  guint most;        /* blocks at once on a multiprocessor */
  tt_int128 busy;    /* sum of the times of blocks */
  gint64 tail_begin; /* when the first multiprocessor has no block left */
  tt_int128 tail;    /* how long they have none left, all together */

  TtBlocksData *data;
} TtBlocks;

/* As tt_accesses_new(). */
TtBlocks *tt_blocks_new (TtStore *store,
                         const TtSelection *selection,
                         const guint8 *is_asked,
                         const guint32 *first_names,
                         GError **error);
void tt_blocks_free (TtBlocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBlocks, tt_blocks_free)

typedef struct
{
  guint unit;   /* its place among units */
  guint place;  /* blocks that run at once have places of their own, from 0 */
  guint64 turn; /* how many blocks had that place before */
  gint64 begin, end;
} TtBlock;
typedef void (*TtBlockFunc) (const TtBlock *block, gpointer data);
/* Once, by multiprocessor and begin. */
gboolean tt_blocks_each (TtBlocks *self, TtBlockFunc func, gpointer data, GError **error);
