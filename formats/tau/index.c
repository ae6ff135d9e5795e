/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/index.h"

#include <stdlib.h>

#define FIRST_SLOTS 64u

void
tt_tau_index_clear (TtTauIndex *self)
{
  free (self->slots);
  *self = (TtTauIndex){ 0 };
}

static void
put_slot (TtTauSlot *slots, size_t n_slots, TtTauSlot slot)
{
  size_t i = slot.hash & (n_slots - 1);

  while (slots[i].item != 0)
    i = (i + 1) & (n_slots - 1);
  slots[i] = slot;
}

static bool
grow_slots (TtTauIndex *self)
{
  size_t n_slots = self->n_slots == 0 ? FIRST_SLOTS : 2 * self->n_slots;
  TtTauSlot *slots = calloc (n_slots, sizeof *slots);

  if (slots == NULL)
    return false;
  for (size_t i = 0; i < self->n_slots; i++)
    if (self->slots[i].item != 0)
      put_slot (slots, n_slots, self->slots[i]);
  free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
  return true;
}

bool
tt_tau_index_add (TtTauIndex *self, uint32_t hash, uint32_t item)
{
  if (2 * (self->n + 1) > self->n_slots && !grow_slots (self))
    return false;
  put_slot (self->slots, self->n_slots, (TtTauSlot){ hash, item + 1 });
  self->n++;
  return true;
}
