/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of TtSorter that lies on disk: sorted runs in one unnamed file, and their merge.
 *
 * A zeroed TtRunFile with its two sizes set, and its packing, has no runs and no file yet.
 */
#pragma once

#include "src/base/sorter-packing.h"

typedef struct
{
  gsize record_size, memory_bytes; /* for the buffers of a merge, all together */
  const TtSortPacking *packing;    /* of records in the file; NULL: they lie there as they are */
  gsize max_block;                 /* records packed together, whatever becomes of memory_bytes; 0: none were yet */
  guint8 *packed;                  /* not yet written; NULL: never needed */
  guint64 bytes;                   /* written so far */
  GArray *runs;                    /* of private runs; NULL: there are none */
  int fd;
} TtRunFile;

typedef struct _TtMerge TtMerge;

void tt_run_file_clear (TtRunFile *self);

/* Begins a run; its records follow in any number of writes. */
gboolean tt_run_file_begin (TtRunFile *self, GError **error);
gboolean tt_run_file_write (TtRunFile *self, const void *records, gsize len, GError **error);

/* All runs as one, in levels if there are more than memory has buffers for. Equal keys come out in
 * the order of their runs. There must be a run. */
TtMerge *tt_merge_new (TtRunFile *file, GError **error);
void tt_merge_free (TtMerge *self);
/* NULL at the end or with @error. A record is valid until the next call. */
const void *tt_merge_next (TtMerge *self, GError **error);
/* After tt_merge_next() gave a record: how many follow it in memory, which come next, one after the other; 0 where other
 * runs may come between. */
gsize tt_merge_count_ahead (const TtMerge *self);
/* Passes over @n of them: the last is then the record that tt_merge_next() gave. */
void tt_merge_skip (TtMerge *self, gsize n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMerge, tt_merge_free)
