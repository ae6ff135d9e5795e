/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKeySort: sorts records by several integers in bounded memory.
 *
 * TtSorter has keys of 128 bits. Here the fields are packed into as few bits as their ranges need;
 * what does not fit takes another stable pass, least significant fields first. Equal records keep
 * the order in which they were added.
 */
#pragma once

#include <glib.h>

#define TT_KEY_FIELDS 8

typedef struct
{
  guint64 min, max;
} TtKeyRange;

/* An empty range, and one more value in it. */
#define TT_KEY_RANGE_INIT \
  {                       \
    G_MAXUINT64, 0        \
  }
static inline void
tt_key_range_add (TtKeyRange *self, guint64 value)
{
  self->min = MIN (self->min, value);
  self->max = MAX (self->max, value);
}

/* Fills @fields, most significant first. */
typedef void (*TtKeyFields) (const void *record, guint64 *fields);

typedef struct _TtKeySort TtKeySort;

/* @record_size: a multiple of 8. Every added record lies within @ranges. */
TtKeySort *
tt_key_sort_new (gsize record_size, guint n_fields, const TtKeyRange *ranges, TtKeyFields fields, gsize memory_bytes);
void tt_key_sort_free (TtKeySort *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKeySort, tt_key_sort_free)

/* Before the first record: see tt_sorter_sort_ahead(). */
void tt_key_sort_sort_ahead (TtKeySort *self);
void tt_key_sort_add (TtKeySort *self, const void *record);
gboolean tt_key_sort_finish (TtKeySort *self, GError **error);
/* After finish: records in order; NULL at the end or on an error. Valid until the next call. */
const void *tt_key_sort_next (TtKeySort *self, GError **error);
