/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/stack.h"

#include <string.h>

#define SPILL_CACHE ((gsize) 4 << 20)
#define FIRST_ITEMS 1u

/* Slots are as large as the largest item needs, so that all stacks share them. */
static guint64
slot_offset (const TtNestPool *pool, guint64 slot)
{
  return slot * TT_NEST_BLOCK_ITEMS * pool->largest_item;
}

void
tt_nest_pool_clear (TtNestPool *pool)
{
  g_clear_pointer (&pool->spill, tt_spill_free);
  g_clear_pointer (&pool->free_slots, g_array_unref);
  pool->next_slot = 0;
}

static void
give_back_slot (TtNestPool *pool, guint64 slot)
{
  if (pool->free_slots == NULL)
    pool->free_slots = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (pool->free_slots, slot);
}

static guint64
find_slot (TtNestPool *pool)
{
  if (pool->free_slots == NULL || pool->free_slots->len == 0)
    return pool->next_slot++;

  guint64 slot = g_array_index (pool->free_slots, guint64, pool->free_slots->len - 1);
  g_array_set_size (pool->free_slots, pool->free_slots->len - 1);
  return slot;
}

static void
write_block (TtNestStack *self, TtNestPool *pool)
{
  guint64 slot = find_slot (pool);

  if (pool->spill == NULL)
    pool->spill = tt_spill_new (SPILL_CACHE);
  if (self->slots == NULL)
    self->slots = g_array_new (FALSE, FALSE, sizeof (guint64));
  tt_spill_write (pool->spill, slot_offset (pool, slot), self->items, TT_NEST_BLOCK_ITEMS * self->item_size);
  g_array_append_val (self->slots, slot);
  self->n -= TT_NEST_BLOCK_ITEMS;
  memmove (self->items, self->items + TT_NEST_BLOCK_ITEMS * self->item_size, self->n * self->item_size);
}

void
tt_nest_stack_grow (TtNestStack *self, TtNestPool *pool)
{
  if (self->n == TT_NEST_MAX_ITEMS)
    write_block (self, pool);
  else
    {
      self->allocated = self->allocated == 0 ? FIRST_ITEMS : self->allocated * 2;
      self->items = g_realloc (self->items, self->allocated * self->item_size);
    }
}

void
tt_nest_stack_refill (TtNestStack *self, TtNestPool *pool)
{
  guint64 slot = g_array_index (self->slots, guint64, self->slots->len - 1);

  g_array_set_size (self->slots, self->slots->len - 1);
  memmove (self->items + TT_NEST_BLOCK_ITEMS * self->item_size, self->items, self->n * self->item_size);
  tt_spill_read (pool->spill, slot_offset (pool, slot), self->items, TT_NEST_BLOCK_ITEMS * self->item_size);
  self->n += TT_NEST_BLOCK_ITEMS;
  give_back_slot (pool, slot);
}

void
tt_nest_stack_clear (TtNestStack *self, TtNestPool *pool)
{
  g_free (self->items);
  if (self->slots != NULL)
    {
      for (guint i = 0; i < self->slots->len; i++)
        give_back_slot (pool, g_array_index (self->slots, guint64, i));
      g_array_unref (self->slots);
    }
  memset (self, 0, sizeof *self);
}
