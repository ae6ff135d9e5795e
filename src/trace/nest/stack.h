/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNestStack: a stack whose bottom may lie in a file. Private to nest.
 *
 * Zeroed with its item_size set, it is empty. All stacks of a nest share one TtNestPool.
 */
#pragma once

#include "src/base/spill.h"

/* Items go to the file and come back in blocks of this many; at most two blocks are in memory. */
#define TT_NEST_BLOCK_ITEMS 4096u
#define TT_NEST_MAX_ITEMS (2 * TT_NEST_BLOCK_ITEMS)
/* In memory there must be more items than one span has metrics. */
#define TT_NEST_REFILL_BELOW 64u

typedef struct
{
  gsize largest_item; /* set before use */
  TtSpill *spill;     /* NULL until a stack is deep */
  guint64 next_slot;
  GArray *free_slots; /* of guint64 */
} TtNestPool;

typedef struct
{
  guint8 *items;
  gsize item_size;
  guint n, allocated;
  GArray *slots; /* of guint64: slots in the pool of the blocks in the file, bottom first; NULL: none */
} TtNestStack;

void tt_nest_pool_clear (TtNestPool *pool);

void tt_nest_stack_grow (TtNestStack *self, TtNestPool *pool);
void tt_nest_stack_refill (TtNestStack *self, TtNestPool *pool);
void tt_nest_stack_clear (TtNestStack *self, TtNestPool *pool);

/* Room for one more item, to be filled. */
static inline void *
tt_nest_stack_push (TtNestStack *self, TtNestPool *pool)
{
  if (G_UNLIKELY (self->n == self->allocated))
    tt_nest_stack_grow (self, pool);
  return self->items + self->n++ * self->item_size;
}

static inline void *
tt_nest_stack_top (const TtNestStack *self)
{
  return self->items + (self->n - 1) * self->item_size;
}

static inline void
tt_nest_stack_pop (TtNestStack *self, TtNestPool *pool)
{
  self->n--;
  if (G_UNLIKELY (self->n < TT_NEST_REFILL_BELOW && self->slots != NULL && self->slots->len > 0))
    tt_nest_stack_refill (self, pool);
}
