/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauIndex: finds items of an array by a key, by open addressing. Plain C, for the library; a zeroed one is empty.
 *
 * The caller owns the array and adds each item once, by its number and the hash of its key; the index holds both, so
 * that it grows without a look at the items. No more than half of the slots are taken. Searching is inline: with a
 * static function as @is_item the compiler makes code as good as one written by hand.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_TAU_NO_ITEM UINT32_MAX

typedef struct
{
  uint32_t hash;
  uint32_t item; /* + 1; 0: free */
} TtTauSlot;

typedef struct
{
  TtTauSlot *slots;
  size_t n, n_slots; /* n_slots: 0 or a power of 2 */
} TtTauIndex;

/* Whether number @item of @items has the key. */
typedef bool (*TtTauIsItem) (const void *items, uint32_t item, const void *key);

void tt_tau_index_clear (TtTauIndex *self);
/* An item whose key is not there yet. False: no memory. */
bool tt_tau_index_add (TtTauIndex *self, uint32_t hash, uint32_t item);

static inline uint32_t
tt_tau_hash_number (uint64_t number)
{
  number ^= number >> 32;
  return (uint32_t) ((number * UINT64_C (0x9e3779b97f4a7c15)) >> 32);
}

static inline uint32_t
tt_tau_hash_text (const char *text, size_t len)
{
  uint64_t hash = UINT64_C (0xcbf29ce484222325);

  for (size_t i = 0; i < len; i++)
    hash = (hash ^ (uint8_t) text[i]) * UINT64_C (0x100000001b3);
  return tt_tau_hash_number (hash);
}

/* The number of the item; TT_TAU_NO_ITEM: there is none. */
static inline __attribute__ ((always_inline)) uint32_t
tt_tau_index_find (const TtTauIndex *self, uint32_t hash, TtTauIsItem is_item, const void *items, const void *key)
{
  const size_t mask = self->n_slots - 1;

  if (self->n_slots == 0)
    return TT_TAU_NO_ITEM;
  for (size_t i = hash & mask; self->slots[i].item != 0; i = (i + 1) & mask)
    if (self->slots[i].hash == hash && is_item (items, self->slots[i].item - 1, key))
      return self->slots[i].item - 1;
  return TT_TAU_NO_ITEM;
}
