/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtMap64: a hash table in memory from 64-bit numbers to 32-bit numbers, with open addressing.
 *
 * For keys that are made of numbers (two ids, a pointer); any key and any value may be in it. Entries are not removed.
 * Twelve bytes a slot, at most three quarters of the slots taken. A zeroed map is an empty one. For tables whose size
 * hostile input decides without a bound of its own: slots.h, which spills.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 *keys;
  guint32 *values; /* TT_MAP64_NONE: the slot is free */
  guint64 mask;    /* number of slots - 1; 0 before the first entry */
  guint64 n;
} TtMap64;

/* No value: what a search returns that finds nothing, and therefore no value to store. */
#define TT_MAP64_NONE G_MAXUINT32
#define TT_MAP64_FIRST_SLOTS 64u

static inline void
tt_map64_clear (TtMap64 *self)
{
  g_free (self->keys);
  g_free (self->values);
  *self = (TtMap64){ 0 };
}

static inline guint64
tt_map64_slot (const TtMap64 *self, guint64 key)
{
  guint64 slot = key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  slot = (slot ^ (slot >> 32)) & self->mask;
  while (self->values[slot] != TT_MAP64_NONE && self->keys[slot] != key)
    slot = (slot + 1) & self->mask;
  return slot;
}

static inline guint32
tt_map64_get (const TtMap64 *self, guint64 key)
{
  return self->values == NULL ? TT_MAP64_NONE : self->values[tt_map64_slot (self, key)];
}

static inline void
tt_map64_resize (TtMap64 *self, guint64 n_slots)
{
  TtMap64 old = *self;

  self->keys = g_new (guint64, n_slots);
  self->values = g_new (guint32, n_slots);
  self->mask = n_slots - 1;
  for (guint64 i = 0; i < n_slots; i++)
    self->values[i] = TT_MAP64_NONE;
  for (guint64 i = 0; old.values != NULL && i <= old.mask; i++)
    if (old.values[i] != TT_MAP64_NONE)
      {
        guint64 slot = tt_map64_slot (self, old.keys[i]);
        self->keys[slot] = old.keys[i];
        self->values[slot] = old.values[i];
      }
  g_free (old.keys);
  g_free (old.values);
}

/* Adds the entry, or changes its value. @value: not TT_MAP64_NONE. */
static inline void
tt_map64_set (TtMap64 *self, guint64 key, guint32 value)
{
  if (self->values == NULL)
    tt_map64_resize (self, TT_MAP64_FIRST_SLOTS);

  guint64 slot = tt_map64_slot (self, key);
  gboolean is_new = self->values[slot] == TT_MAP64_NONE;

  self->keys[slot] = key;
  self->values[slot] = value;
  if (is_new && ++self->n * 4 > self->mask * 3)
    tt_map64_resize (self, 2 * (self->mask + 1));
}
