/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtByteIds: a hash table from short byte strings to ids, for what every event of a trace repeats.
 *
 * A key is a number (what kind of thing, or whose) and two slices. With a cap it is a cache: when it is full it
 * is emptied.
 */
#pragma once

#include "formats/json/scanner.h"

typedef struct _TtByteIds TtByteIds;

typedef struct
{
  guint64 salt;
  TtSlice a, b;
} TtByteKey;

/* @most_bytes of keys; 0: no cap. */
TtByteIds *tt_byte_ids_new (gsize most_bytes);
void tt_byte_ids_free (TtByteIds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtByteIds, tt_byte_ids_free)

/* 0: not there. *hash is for tt_byte_ids_set(). */
guint32 tt_byte_ids_find (const TtByteIds *self, const TtByteKey *key, guint64 *hash);
/* Replaces what was there. */
void tt_byte_ids_set (TtByteIds *self, const TtByteKey *key, guint64 hash, guint32 id);
