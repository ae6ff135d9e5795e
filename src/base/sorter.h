/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSorter: sorts any number of fixed-size records in bounded memory.
 *
 * A record begins with its key, two guint64 (high, then low; native order); the rest is payload.
 * Sorting is stable: equal keys come out in the order they went in. In memory up to
 * @memory_bytes, beyond that in sorted runs on an unnamed temporary file.
 *
 * A record can have a place: a number that no other has. Where places are nearly in the order of keys, and records come
 * nearly in the order of places, sorting takes little. Of equal keys those that were taken at their places come first, in
 * the order of these.
 */
#pragma once

#include "src/base/sorter-packing.h"

typedef struct _TtSorter TtSorter;

/* Maps signed to unsigned so that order is kept. */
static inline guint64
tt_sort_key (gint64 value)
{
  return (guint64) value ^ ((guint64) 1 << 63);
}
static inline gint64
tt_sort_value (guint64 key)
{
  return (gint64) (key ^ ((guint64) 1 << 63));
}

/* @record_size: a multiple of 8, at least 16. */
TtSorter *tt_sorter_new (gsize record_size, gsize memory_bytes);
void tt_sorter_free (TtSorter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSorter, tt_sorter_free)

/* Before the first record: a full memory is put in order and written by a thread of its own, while the next fills, where
 * another processor may read ahead (readers.h). Memory as before. The sorter stays that of one thread. */
void tt_sorter_sort_ahead (TtSorter *self);

/* Before the first record: how they lie on disk. @packing: borrowed. */
void tt_sorter_pack (TtSorter *self, const TtSortPacking *packing);

/* Room for one more record, to be filled before the next call. Never NULL; tt_sorter_finish() reports errors. */
void *tt_sorter_add (TtSorter *self);
/* The same of a record that has a place and is larger than its key. NULL: the place is too far behind others that were
 * taken; nothing is added. */
void *tt_sorter_add_at (TtSorter *self, guint64 place);
guint64 tt_sorter_count (const TtSorter *self);
/* Whether the temporary file has worked so far, as far as is known. */
gboolean tt_sorter_check (const TtSorter *self, GError **error);

/* No more records. FALSE: the temporary file failed. */
gboolean tt_sorter_finish (TtSorter *self, GError **error);
/* After finish: records in order, NULL at the end, or with @error on a failure. Each is valid until the next call. */
const void *tt_sorter_next (TtSorter *self, GError **error);
/* Copies up to @n of them, one after the other; returns how many: fewer only at the end, or on a failure. Mixes with
 * tt_sorter_next(). */
gsize tt_sorter_take (TtSorter *self, void *records, gsize n, GError **error);
