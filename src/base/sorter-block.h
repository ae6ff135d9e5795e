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
  const struct _TtSortEntry *order; /* after the sort: places in order; NULL: the records themselves are */
  struct _TtSortEntry *scratch[2];  /* owned; one has the order. Kept for the next sort: new memory costs page faults */
  gsize n_scratch;                  /* room in each */
} TtSortBlock;

/* Whether the key of record @a is before that of @b. */
static inline gboolean
tt_sort_record_is_before (gconstpointer a, gconstpointer b)
{
  const guint64 *x = a, *y = b;

  return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

/* Memory that a sort takes besides the record itself, each. */
gsize tt_sort_block_scratch (gsize record_size);

/* Once for the records that are there. Stable. */
void tt_sort_block_sort (TtSortBlock *self);
/* Lets go of what only another sort would need. */
void tt_sort_block_trim (TtSortBlock *self);
/* What @from keeps for the next sort, if it does, becomes @self's, which then has none. */
void tt_sort_block_take_scratch (TtSortBlock *self, TtSortBlock *from);
/* After the sort. */
const void *tt_sort_block_record (const TtSortBlock *self, gsize i);
/* Likewise: the next run of @file. */
gboolean tt_sort_block_write (const TtSortBlock *self, TtRunFile *file, GError **error);

void tt_sort_block_clear (TtSortBlock *self);
