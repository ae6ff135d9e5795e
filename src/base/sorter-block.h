/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of TtSorter that lies in memory: records that are put in order, and written as one run.
 *
 * Who adds a record puts it at records + n * record_size and counts it.
 */
#pragma once

#include "src/base/sorter-merge.h"

typedef struct
{
  gsize record_size;
  guint8 *records; /* owned */
  gsize n, capacity;
  struct _TtSortEntry *order; /* after the sort: places in order; NULL: the records themselves are */
} TtSortBlock;

/* Memory that a sort takes besides the record itself, each. */
gsize tt_sort_block_scratch (gsize record_size);

/* Once for the records that are there. Stable. */
void tt_sort_block_sort (TtSortBlock *self);
/* After the sort. */
const void *tt_sort_block_record (const TtSortBlock *self, gsize i);
/* Likewise: the next run of @file. */
gboolean tt_sort_block_write (const TtSortBlock *self, TtRunFile *file, GError **error);

void tt_sort_block_clear (TtSortBlock *self);
