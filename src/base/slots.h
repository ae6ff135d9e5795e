/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSlots: a hash table from 64-bit keys to 64-bit values that are not 0.
 *
 * Keys must be well mixed (a seeded hash, or tt_slots_mix() of a number), for they are used as they
 * are. A key may have several values: a caller whose keys are hashes compares what the values stand
 * for. Up to a cap the table lies in memory; beyond it unnamed temporary files take what is
 * older, in large sequential pieces, and are searched a bucket at a time. Memory stays bounded.
 * Errors of the temporary files are sticky: tt_slots_check() reports them; then nothing is found.
 */
#pragma once

#include <glib.h>

typedef struct _TtSlots TtSlots;

/* Where a search stands; starts as { 0 }. */
typedef struct
{
  guint64 bucket;
  guint64 n_buckets_seen;
  guint slot;
  guint table; /* in memory, or which of those in files */
} TtSlotCursor;

TtSlots *tt_slots_new (void);
void tt_slots_free (TtSlots *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSlots, tt_slots_free)

/* The next value under @key; 0 = no more. The cursor then stands where the value is. */
guint64 tt_slots_find (TtSlots *self, guint64 key, TtSlotCursor *cursor);
void tt_slots_add (TtSlots *self, guint64 key, guint64 value);
/* Replaces the value that tt_slots_find() has just found with @cursor. Slow where that is in the file. */
void tt_slots_replace (TtSlots *self, const TtSlotCursor *cursor, guint64 value);

guint64 tt_slots_count (const TtSlots *self);
gboolean tt_slots_check (const TtSlots *self, GError **error);

/* A bijection: different numbers give different keys. */
static inline guint64
tt_slots_mix (guint64 number)
{
  guint64 x = number + 0x9e3779b97f4a7c15u;

  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
